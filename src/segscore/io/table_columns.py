"""What the columns of people's own tables hold, and what a cell says.

What a column holds is known by its name, or the caller says it (`columns={"document": "doc_id"}`).
What a 0 or 1 means is never guessed: `marks` says it.

| marks | the list, or the column, holds |
|---|---|
| end | 0 or 1 per unit; 1 marks the last unit of a segment |
| start | 0 or 1 per unit; 1 marks the first unit of a segment |
| gaps | 0 or 1 per gap between two units: one less than units |
| ids | the segment of each unit; a boundary is wherever it changes |
| masses | the lengths of the segments |

A 1 may also be what people put into a spreadsheet: x, ✓, yes, ja, oui, true …; a 0 may be a blank
cell, no, nein, non, false, n or a dash. A list in a cell is JSON, or what people type into a form
(`5, 8`, `5; 8`, `5 8`), or the text `0100`, or a list as frames have it.

`TableNotes` collects how readers understood columns, so that it is reported once for all files that
are read together.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from segscore.basics.arguments import LARGEST, first_twice, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, documents_by_coder, first_of, named, number_of

Marks = Literal["end", "start", "gaps", "ids", "masses"]
Empty = Literal["not-coded", "none"]
Receipt = Literal["never", "sheets", "answers", "always"]

# What a column holds, and the names by which it is known; others need columns=.
NAMES: dict[str, tuple[str, ...]] = {
    "document": ("document", "doc", "doc_id", "document_id", "docid", "doc_name", "document_name"),
    "coder": ("coder", "annotator", "annotator_id", "coder_id", "rater", "annotator_name"),
    "unit": ("unit", "unit_id", "sentence_id", "sent_id", "sentence_no", "paragraph_id",
             "utterance_id", "turn_id", "line_id"),
    "boundary": ("boundary", "is_boundary", "boundary_label"),
    "segment": ("segment", "segment_id", "section_id", "topic_id"),
    "text": ("text", "sentence", "utterance", "sentences", "utterances", "units"),
    "start": ("start", "start_time", "begin", "onset"),
    "end": ("end", "end_time", "stop", "offset"),
    "label": ("label", "title", "topic"),
    "group": ("group",),
    "kind": ("kind",),
    "n_units": ("n_units",),
    "segment_labels": ("segment_labels",),
}  # fmt: skip
# names of the document where rows are stretches of time, which belong to nothing but a recording
RECORDINGS = ("video", "video_id", "recording", "recording_id", "episode", "episode_id")
# a coding in one cell
LISTS = ("masses", "boundaries", "starts", "gaps", "segment_ids", "spans", "labels")
CODED = ("boundary", "segment", *LISTS)  # the parts that hold codings
PARTS = (*NAMES, *LISTS)


def find_columns(
    header: Sequence[str], columns: Mapping[str, str], unfound: Collection[str] = ()
) -> dict[str, int]:
    """The column of each part, by the caller's names or else by well-known names; parts in
    `unfound` are left out."""
    filled = [column for column in header if column]
    if len({*filled}) < len(filled):
        twice = first_twice(filled)
        raise SegmentationError(f"two columns are called {twice!r}: expected each name once")
    found: dict[str, int] = {}
    for part, name in columns.items():
        if name not in header:
            raise SegmentationError(
                f"no column is called {name!r} ({part}): there is {named(header)}"
            )
        found[part] = header.index(name)
    free = {
        column.strip().lower(): index
        for index, column in reversed([*enumerate(header)])
        if column.strip() not in unfound
    }
    coded = not found.keys().isdisjoint(CODED)
    for part in PARTS:
        if part not in found and not (coded and part in CODED):
            names = (free[name] for name in NAMES.get(part, (part,)) if name in free)
            place = next((index for index in names if index not in found.values()), None)
            found |= {} if place is None else {part: place}
    return found


# ---- cells, and the words of marks ----

_NUMBER = re.compile(r"([0-9]{1,16})(?:[.,]0*)?")  # 1.0 and 1,0 are how spreadsheets write 1
_TRUE = {"true": 1, "false": 0}
ASK_FOR_MARKS = (
    "marks=, one of start (1, or a mark, is the first unit of a segment), end (its last "
    "unit), gaps (one symbol less than units), ids (the segment of each unit) or masses (lengths)"
)
MARK_WORDS = frozenset(
    ("1", "x", "×", "✓", "✔", "☑", "☒", "yes", "y", "ja", "j", "oui", "true", "wahr", "vrai")
)
NONE_WORDS = frozenset(
    ("", "0", "no", "n", "nein", "non", "none", "false", "falsch", "faux", "-", "–", "—", "☐")
)
UNANSWERABLE = "(start)"  # what our own sheets have in the first unit of a document
ANSWERS = MARK_WORDS | NONE_WORDS | {UNANSWERABLE}


def is_blank(value: Any) -> bool:
    """Whether a cell is empty."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))


def python_value(value: Any) -> Any:
    """A cell as a plain value: whole floats, truth values and NumPy's numbers are integers."""
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() and abs(value) < LARGEST else value
    if isinstance(value, str):
        text = value.strip()
        found = _NUMBER.fullmatch(text)
        return int(found[1]) if found else _TRUE.get(text.lower(), text)
    return value


def word_of(value: Any) -> str:
    """A cell as a word in lower case; whole numbers and truth values are 0 and 1."""
    if is_blank(value):
        return ""
    return str(python_value(value)).strip().strip("\ufe0f").lower()


def mark_in(value: Any) -> bool | None:
    """Whether a cell marks a boundary; None if it holds something else.

    >>> mark_in("X"), mark_in("ja"), mark_in(""), mark_in("Nein"), mark_in("2")
    (True, True, False, False, None)
    """
    word = word_of(value)
    if word in MARK_WORDS:
        return True
    return False if word in NONE_WORDS else None


def coding_of(values: Any, marks: Marks | None) -> Segmentation:
    """The segmentation in a list of marks, ids or masses; `marks` must say which, unless the values
    are names of segments.

    >>> coding_of([0, 1, 0, 0, 1], "end"), coding_of(["no", "x", "-"], "start")
    (Segmentation(masses=[2, 3]), Segmentation(masses=[1, 2]))
    """
    if isinstance(values, str):
        values = list(values)
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise SegmentationError(f"{shown(values)}: expected a list, an entry per unit")
    listed = [python_value(value) for value in values]
    if marks is None:
        words = [isinstance(value, str) and mark_in(value) is None for value in listed]
        numbers = [value for value in listed if not isinstance(value, str)]
        if numbers or not any(words):
            first = shown(listed[0]) if listed else "nothing"
            raise SegmentationError(
                f"the values, such as {first}, may be several things: expected {ASK_FOR_MARKS}"
            )
        marks = "ids"
    if marks == "masses":
        return Segmentation.from_masses(listed)
    if marks == "ids":
        if None in listed or "" in listed:
            raise SegmentationError("a value is empty: expected the segment of each unit")
        return Segmentation.from_segment_ids(listed)
    numbers = []
    for index, value in enumerate(listed):
        flag = value if isinstance(value, int) else mark_in(value)
        if flag is None or is_blank(value):
            raise SegmentationError(f"[{index}] is {shown(value)}: expected 0 or 1, x, yes or no")
        numbers.append(int(flag))
    if marks == "gaps":
        return Segmentation.from_gaps(numbers)
    return Segmentation.from_labels(numbers, marks)


# ---- lists in a cell ----

_SYMBOLS = re.compile("[01]+")
_NUMBERS = re.compile(r"[0-9]{1,16}(?:(?:\s*[,;]\s*|\s+)[0-9]{1,16})*\s*[,;]?")
_BETWEEN = re.compile(r"[\s,;]+")


def listed(value: Any, *, symbols: bool = False) -> list[Any]:
    """The list in a cell; with `symbols` also a text such as 0100.

    >>> listed("5; 8"), listed('["a", 2]'), listed("0100", symbols=True)
    ([5, 8], ['a', 2], [0, 1, 0, 0])
    """
    import json  # not when segscore is imported

    found = python_value(value) if isinstance(value, float) else value
    if isinstance(found, float) or hasattr(found, "isoformat"):
        raise SegmentationError(
            f"{value}: a spreadsheet took the list for a number or a date: expected it as a text, "
            "as in '5; 8'"
        )
    if isinstance(found, int) and not isinstance(found, bool):  # a spreadsheet's only number
        found = str(found)
    if isinstance(found, str):
        text = found.strip()
        if symbols and _SYMBOLS.fullmatch(text):
            return [int(symbol) for symbol in text]
        if _NUMBERS.fullmatch(text):
            return [int(part) for part in _BETWEEN.split(text) if part]
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = text
    if hasattr(found, "tolist"):
        found = found.tolist()
    if isinstance(found, str | Mapping) or not isinstance(found, Iterable):
        raise SegmentationError(f"{shown(value)}: expected a list, as in [2, 3, 6] or 2, 3")
    kept = (str, list, tuple)
    return [entry if isinstance(entry, kept) else python_value(entry) for entry in found]


def positions_of_starts(starts: list[Any], n_units: Any) -> list[int]:
    """The positions of the boundaries before the units, from 1, that start segments; the first unit
    may be listed or not.

    >>> positions_of_starts([4, 7], 10), positions_of_starts([1, 4], 10)
    ([3, 6], [3])
    """
    most = n_units if isinstance(n_units, int) else LARGEST
    for index, start in enumerate(starts):
        whole_number(start, f"starts[{index}]", 1, most)
    if len({*starts}) < len(starts):
        raise SegmentationError(f"starts lists {first_twice(starts)} twice: expected it once")
    return sorted(start - 1 for start in starts if start > 1)


# ---- how columns were understood ----


@dataclass
class TableNotes:
    """How readers understood their files, as a reading begins and until it reports.

    met: the columns and sheets of the files that the caller named. receipt: when to report how much
    was read; of answers of models, what of each. sheets: whether a sheet with a column per coder
    was read. read_before: the units of documents in files that were read before, for those that do
    not give it. unfinished: the numbers of codings of annotation pages that were left out, by coder
    and reason. unfinished_texts: the units of their documents. placed: how the cuts of chunks were
    placed (`provenance.PLACED`). keys: the formats that were read, each with its first file and the
    keywords that are about it.
    """

    receipt: Receipt = "never"
    met: set[tuple[str, str]] = field(default_factory=set)
    keys: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    taken: Counter[tuple[bool, str]] = field(default_factory=Counter)  # whether a mark, the word
    at_ends: Counter[str] = field(default_factory=Counter)  # marks that are no boundaries
    not_coded: list[tuple[str, str]] = field(default_factory=list)
    emptied: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    said: dict[str, None] = field(default_factory=dict)
    read_before: dict[str, int] = field(default_factory=dict)
    sheets: bool = False
    unfinished: Counter[tuple[str, str]] = field(default_factory=Counter)
    unfinished_texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    placed: Counter[str] = field(default_factory=Counter)

    def remarks(self) -> Iterator[str]:
        """How tables were read."""
        if any(word not in ("0", "1") for _, word in self.taken):
            words: dict[bool, list[str]] = {True: [], False: []}
            for (is_mark, word), count in self.taken.most_common():
                words[is_mark].append(f"{repr(word) if word else 'blank'} ({count:,})")
            marks, others = (first_of(listed, 8) or "nothing" for listed in words.values())
            ends = "".join(
                f"; {number_of(count, 'mark')} at the {end} unit of a document: no boundary there"
                for end, count in self.at_ends.items()
                if count
            )
            yield f"read {marks} as marks, {others} as no mark{ends}"
        taken = "empty for a whole document, taken as not coded (empty='none': no boundary)"
        for codings, what, how in (
            (self.not_coded, "column", taken),
            (self.emptied, "empty answer", "taken as a coding without a boundary"),
        ):
            if codings:
                yield f"{number_of(len(codings), what)} {how}: {documents_by_coder(codings)}"
        if self.left_out:
            yield f"{number_of(len(self.left_out), 'coding')} left out: {first_of(self.left_out)}"
        yield from self.said

    def fresh(self) -> "TableNotes":
        """Notes for a reading, which know of those before only what the caller named."""
        return TableNotes(self.receipt, self.met, self.keys)
