"""Which documents two sides share, and whether they share their text: one rule for all.

`score`, `compare` and `audit`, from files and in Python, all pair by what stands here: documents
have names, both sides must have the same ones (or what one side does not have is skipped and
listed), and if both sides know the text, it must be the same.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from segscore.basics.arguments import array_inside, shown
from segscore.basics.series import by_name, first_twice, in_given_order
from segscore.corpus.unit_texts import first_difference
from segscore.errors import SegmentationError, named

Missing = Literal["error", "skip"]


def check_missing(missing: object) -> None:
    """Refuse what is no choice."""
    if missing not in ("error", "skip"):
        raise SegmentationError(f"missing is {shown(missing)}: expected 'error' or 'skip'")


class Matched(NamedTuple):
    """The documents of both sides, in the order of the reference, and those of one side only."""

    documents: list[str]
    without_hypothesis: list[str]
    without_reference: list[str]

    @property
    def skipped(self) -> tuple[str, ...]:
        """Everything that one side does not have."""
        return (*self.without_hypothesis, *self.without_reference)


def match_documents(
    references: Iterable[Any],
    hypotheses: Iterable[Any],
    missing: Missing = "error",
    *,
    reference: str = "",
    hypothesis: str = "",
    whole: bool = True,
) -> Matched:
    """The documents that both sides have; `reference` and `hypothesis` name the sides in messages.

    whole: False if the sides are parts of larger ones, which need not have a document in common.

    >>> match_documents(["a", "b"], ["b", "c"], missing="skip")
    Matched(documents=['b'], without_hypothesis=['a'], without_reference=['c'])
    """
    check_missing(missing)
    known, done = dict.fromkeys(references), dict.fromkeys(hypotheses)
    both = [name for name in known if name in done]
    found = Matched(
        both,
        [name for name in known if name not in done],
        [name for name in done if name not in known],
    )
    if whole and not both and found.skipped and (missing == "skip" or (known and done)):
        raise _nothing_in_common(found, reference, hypothesis)
    if missing == "error" and found.skipped:
        raise SegmentationError(
            f"{'; '.join(_without(found, reference, hypothesis))}: expected the same documents on "
            "both sides; missing='skip' (--missing skip) leaves out what only one side has"
        )
    return found


def _nothing_in_common(found: Matched, reference: str, hypothesis: str) -> SegmentationError:
    files = (
        "; a file that names no document is called by its file name: give both the same, in two "
        "folders"
    )
    return SegmentationError(
        f"reference{_told(reference)} and hypothesis{_told(hypothesis)} have no document in "
        f"common: {named(found.without_hypothesis)} on one side, {named(found.without_reference)} "
        f"on the other: expected the same names{files if reference else ''}"
    )


def check_distinct(documents: Sequence[str] | None) -> None:
    """Refuse a document that is listed twice."""
    if documents is not None and len(set(documents)) < len(documents):
        twice = first_twice(documents)
        raise SegmentationError(f"document {twice!r} is listed twice: expected each name once")


def skipped_note(skipped: Sequence[str]) -> list[str]:
    """What tables say about documents that were skipped; nothing if there are none."""
    return [f"skipped (missing on one side): {', '.join(skipped)}"] if skipped else []


def _without(found: Matched, reference: str, hypothesis: str) -> list[str]:
    sides = (
        ("no hypothesis", hypothesis, found.without_hypothesis),
        ("no reference", reference, found.without_reference),
    )
    return [f"{what}{_told(who)} for {named(names)}" for what, who, names in sides if names]


def _told(who: str) -> str:
    return f" ({who})" if who else ""


# ---- text ----


def check_same_text(
    document: str,
    reference: Sequence[str] | None,
    hypothesis: Sequence[str] | None,
    *,
    sides: tuple[str, str] = ("reference", "hypothesis"),
) -> None:
    """Refuse two texts that differ, naming the first unit that does; an unknown text fits any."""
    if reference is None or hypothesis is None:
        return
    index = first_difference(reference, hypothesis)
    if index is None:
        return
    units = (_unit(text, index) for text in (reference, hypothesis))
    first, second = (f"{unit} in the {side}" for unit, side in zip(units, sides, strict=True))
    raise SegmentationError(
        f"document {document!r}: the texts differ: unit {index + 1} is {first}, {second}: expected "
        "the same units; align='words' (--align words) aligns them by their words, and "
        "ignore_text=True (--ignore-text) compares the boundaries anyway"
    )


def _unit(text: Sequence[str], index: int) -> str:
    if index >= len(text):
        return "missing"
    unit = repr(text[index])
    return unit if len(unit) <= 60 else unit[:59] + "…"


# ---- values that come with names, or in order ----


def rows_in(given: Any, what: str) -> list[Any]:
    """The entries of a plain sequence, one per document; of an array or a tensor its rows."""
    expected = "a sequence with one entry per document"
    values = given if isinstance(given, Iterable) else array_inside(given, what, expected)
    try:
        if not isinstance(values, str | bytes):
            return values if type(values) is list else list(values)
    except TypeError:  # has no dimension, or cannot be gone through
        pass
    hint = ", such as [placement.segmentation]" * hasattr(type(given), "segmentation")
    raise SegmentationError(f"{what} is {shown(given)}: expected {expected}{hint}")


def in_one_order(
    refs: Any, hyps: Any, missing: Missing
) -> tuple[list[Any], list[Any], list[str] | None, tuple[str, ...]]:
    """Both sides in one order, the names of the documents if there are any, and what is skipped."""
    check_missing(missing)
    left, right = by_name(refs, "refs"), by_name(hyps, "hyps")
    if left is None or right is None:
        if isinstance(refs, Mapping) or isinstance(hyps, Mapping):
            raise SegmentationError(
                "one of refs and hyps is a mapping, the other is not: expected two mappings from "
                "document name to segmentation, or two sequences in the same order"
            )
        if not (in_given_order(refs) and in_given_order(hyps)):
            raise SegmentationError(
                "one of refs and hyps is a Series with an index, the other has none: expected two "
                "Series with the same index, or two sequences in the same order"
            )
        return rows_in(refs, "refs"), rows_in(hyps, "hyps"), None, ()
    found = match_documents(left, right, missing)
    return (
        [left[name] for name in found.documents],
        [right[name] for name in found.documents],
        [str(name) for name in found.documents],
        tuple(map(str, found.skipped)),
    )


def name_with_file(
    coder: str,
    path: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]],
    taken: Collection[str] = (),
) -> str:
    """What a hypothesis is called: its coder, and its file where another of the files has the same
    name or the coder's name is taken.

    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/out.json"])
    'out (a/out.json)'
    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/other.json"])
    'out'
    """
    mine = Path(path)
    others = (Path(one) for one in paths)
    is_twice = any(one.stem == mine.stem and one != mine for one in others)
    return f"{coder} ({path})" if is_twice or coder in taken else coder
