"""Sentences with a label each, in the forms of two families of corpora, whose marks are known.

`sentence-labels`: Wiki-727K by saeedabc, and the unified form of SpokenNLP. An object per line, or
a list of them; 1 is the last sentence of a segment.

    {"id": "12", "sentences": ["…", "…"], "labels": [0, 1], "levels": [1, 1], "titles_mask": [0, 0]}
    {"sentences": […], "labels": [-100, 1], "section_topic_labels": ["disease.cause"]}

`levels` are those of the headings: as in `wiki-727k`, the rank of a boundary is the level of the
segment that it starts, less one. Titles (`titles_mask`) are units as the file has them, and the
label of their segment; else `section_topic_labels` are the labels. The label -100 says that no
boundary is possible there, and the other sentences are candidates. Objects with sentences and
labels alone are read as `labels`, which needs `marks`, because the meaning of their labels is
unknown.

`ytseg`: YTSeg (Retkowski & Waibel 2024); 1 is the first sentence of a segment.

    [{"video_id": "x", "channel_id": "y", "text": ["…", "…", "…"], "targets": "001"}]

`chapters`, if there are as many as segments, are their labels.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.json_objects import name_in, objects_only, placed, text_list
from segscore.io.safe_parsing import are_labelled_sentences, opening_keys

_SENTENCES = 'objects, as in {"id": "12", "sentences": […], "labels": [0, 1], "levels": […]}'
_YTSEG = 'videos, as in [{"video_id": "x", "text": […], "targets": "0010"}, …]'
_INSIDE = -100  # where no boundary can stand


# ---- 1 is the end ----


def matches_sentences(lines: list[str]) -> bool:
    """Whether the first object has sentences, labels, and a field that only these corpora have."""
    return are_labelled_sentences(opening_keys(lines))


def read_sentences(source: Source) -> Iterator[Record]:
    """A record per object."""
    _check_marks(source, "end")
    for number, (place, owner) in enumerate(objects_only(source, _SENTENCES), start=1):
        with placed(source, *place):
            document = name_in(owner, ("id", "doc_id", "example_id", "file"), str(number))
            with about(whereabouts(document, source.coder)):
                units = text_list(owner.get("sentences"), "sentences")
                coding = _by_ends(owner, units)
            yield Record(document, source.coder, coding, units, place=source.at(place[0]))


def _by_ends(owner: dict[str, Any], units: tuple[str, ...]) -> Segmentation:
    n = len(units)
    marks = _numbers(owner.get("labels"), "labels", n, (_INSIDE, 0, 1))
    places = [i for i, mark in enumerate(marks[:-1], start=1) if mark == 1]
    can = [i for i, mark in enumerate(marks[:-1], start=1) if mark != _INSIDE]
    ranks = None
    if owner.get("levels") is not None:
        levels = _numbers(owner["levels"], "levels", n, None)
        ranks = [max(1, levels[at] - 1) for at in places]
    return Segmentation.from_boundaries(
        places, n, ranks=ranks, candidates=can if _INSIDE in marks else None,
        segment_labels=_titles(owner, units, places),
    )  # fmt: skip


def _numbers(values: Any, what: str, n: int, known: tuple[int, ...] | None) -> list[int]:
    """Whole numbers, one per sentence; texts of them are read, too."""
    if not isinstance(values, list) or len(values) != n:
        had = f"has {len(values)}" if isinstance(values, list) else f"is {shown(values)}"
        raise SegmentationError(f"{what} {had}: expected a list of {n}, one per sentence")
    found = []
    for index, value in enumerate(values):
        number = int(value) if isinstance(value, str) and _is_number(value) else value
        fine = number in known if known is not None else type(number) is int and number >= 0
        if type(number) is not int or not fine:
            expected = ", ".join(map(str, known)) if known else "a whole number, from 0"
            raise SegmentationError(f"{what}[{index}] is {shown(value)}: expected {expected}")
        found.append(number)
    return found


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10


def _titles(
    owner: dict[str, Any], units: tuple[str, ...], places: list[int]
) -> list[str | None] | None:
    """The label of each segment: its first title, or its topic."""
    if owner.get("titles_mask") is not None:
        mask = _numbers(owner["titles_mask"], "titles_mask", len(units), (0, 1))
        edges = pairwise([0, *places, len(units)])
        found = [next((units[i] for i in range(*edge) if mask[i]), None) for edge in edges]
        return [title or None for title in found] if any(found) else None
    topics = owner.get("section_topic_labels")
    if topics is None:
        return None
    if not isinstance(topics, list) or len(topics) != len(places) + 1:
        had = f"has {len(topics)}" if isinstance(topics, list) else f"is {shown(topics)}"
        raise SegmentationError(
            f"section_topic_labels {had}: expected a list of {len(places) + 1}, one per segment"
        )
    return list(text_list(topics, "section_topic_labels"))


def _check_marks(source: Source, known: str) -> None:
    """Raise for marks other than the known ones."""
    if source.choices.marks not in (None, known):
        raise source.fail(
            f"marks is {source.choices.marks!r}: expected none, because 1 marks the {known} of a "
            "segment here; if it does not in your file, format='labels'"
        )


# ---- 1 is the start ----


def matches_ytseg(lines: list[str]) -> bool:
    """Whether the first object has sentences and targets."""
    return {"text", "targets", "video_id"} <= opening_keys(lines)


def read_ytseg(source: Source) -> Iterator[Record]:
    """A record per video."""
    _check_marks(source, "start")
    for number, (place, video) in enumerate(objects_only(source, _YTSEG), start=1):
        with placed(source, *place):
            document = name_in(video, ("video_id",), str(number))
            with about(whereabouts(document, source.coder)):
                units = text_list(video.get("text"), "text")
                targets = video.get("targets")
                if isinstance(targets, str):
                    targets = list(targets)
                marks = _numbers(targets, "targets", len(units), (0, 1))
                coding = Segmentation.from_labels(marks, marks="start")
                titles = _chapters(video.get("chapters"), coding.n_segments)
                coding = coding.with_segment_labels(titles)
            yield Record(document, source.coder, coding, units, place=source.at(place[0]))


def _chapters(given: Any, n_segments: int) -> list[str | None] | None:
    """The titles of the segments; a chapter that is an object may have it as `title`."""
    if given is None:
        return None
    if not isinstance(given, list):
        raise SegmentationError(f"chapters is {shown(given)}: expected a list of titles")
    titles = text_list(
        [chapter.get("title") if isinstance(chapter, dict) else chapter for chapter in given],
        "chapters",
    )
    if len(titles) != n_segments:
        raise SegmentationError(
            f"chapters has {len(titles)}: expected {n_segments}, one per segment of targets"
        )
    return [title.strip() or None for title in titles]


SENTENCES = Format(
    "sentence-labels", "sentences with labels", (".jsonl", ".ndjson", ".json"),
    frozenset({"units", "labels", "ranks", "candidates"}), matches_sentences, read_sentences,
    signs=('"titles_mask"', '"section_topic_labels"', '"sentence_topic_labels"', '"levels"'),
    keys="marks",
)  # fmt: skip
YTSEG = Format(
    "ytseg", "YTSeg's JSON", (".json", ".jsonl", ".ndjson"), frozenset({"units", "labels"}),
    matches_ytseg, read_ytseg, signs=('"targets"',), keys="marks",
)  # fmt: skip
