"""The documents that two sides share, and whether they share their text: the same rule everywhere.

`score`, `compare` and `audit`, from files and in Python, all pair by these rules: documents have
names; both sides must have the same documents (unless those that a side lacks are skipped and
listed, or a missing hypothesis is counted: `segscore.pairing.failures`); and if both sides have the
text, it must be the same.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from segscore.basics.series import first_twice
from segscore.corpus.codings import Codings
from segscore.corpus.unit_texts import first_difference
from segscore.errors import SegmentationError, named
from segscore.pairing.failures import (
    Missing,
    Reasons,
    check_missing,
    counts_failures,
)

NOTHING_KNOWN: Reasons = {}
_FEW = 3  # names of documents in a message: they show how sides differ


class Matched(NamedTuple):
    """The documents of both sides, in the order of the reference, and those that only one side
    has."""

    documents: list[str]
    without_hypothesis: list[str]
    without_reference: list[str]

    @property
    def skipped(self) -> tuple[str, ...]:
        """All documents that one side does not have."""
        return (*self.without_hypothesis, *self.without_reference)


def match_documents(
    references: Iterable[Any],
    hypotheses: Iterable[Any],
    missing: Missing = "error",
    *,
    reference: str = "",
    hypothesis: str = "",
    reasons: Reasons = NOTHING_KNOWN,
) -> Matched:
    """The documents that both sides have; `reference` and `hypothesis` name the sides in messages.

    reasons: why some documents have no hypothesis.

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
    if not both and found.skipped and (missing == "skip" or (known and done)):
        raise _nothing_in_common(found, reference, hypothesis)
    if missing == "error" and found.skipped:
        remedy = (
            "; missing='none' counts a missing hypothesis as one segment, "
            "missing='worst' as wrong throughout"
        )
        raise SegmentationError(
            f"{'; '.join(_without(found, reference, hypothesis, reasons))}: expected the same "
            "documents on both sides; missing='skip' leaves out what only one "
            f"side has{'' if found.without_reference else remedy}"
        )
    if counts_failures(missing) and found.without_reference:
        raise SegmentationError(
            f"{_without(found, reference, hypothesis, reasons)[-1]}: expected a reference for each "
            f"document; missing={missing!r} is about hypotheses, and missing='skip' "
            "leaves out what only one side has"
        )
    return found


def _nothing_in_common(found: Matched, reference: str, hypothesis: str) -> SegmentationError:
    files = (
        "; the document of a file that names none has the name of the file: give both files the "
        "same name, in two folders"
    )
    return SegmentationError(
        f"reference{_told(reference)} and hypothesis{_told(hypothesis)} have no document in "
        f"common: {named(found.without_hypothesis, _FEW)} on one side, "
        f"{named(found.without_reference, _FEW)} on the other: expected the same "
        f"names{files if _told(reference) else ''}"
    )


def check_distinct(documents: Sequence[str] | None) -> None:
    """Raise if a document is listed twice."""
    if documents is not None and len(set(documents)) < len(documents):
        twice = first_twice(documents)
        raise SegmentationError(f"document {twice!r} is listed twice: expected each name once")


def skipped_note(skipped: Sequence[str]) -> list[str]:
    """A note on skipped documents; nothing if there are none."""
    return [f"skipped (missing on one side): {', '.join(skipped)}"] if skipped else []


def _without(found: Matched, reference: str, hypothesis: str, reasons: Reasons) -> list[str]:
    sides = (
        ("no hypothesis", hypothesis, found.without_hypothesis),
        ("no reference", reference, found.without_reference),
    )
    first = next((name for name in found.without_hypothesis if str(name) in reasons), None)
    why = "" if first is None else f" ({first!r}: {reasons[str(first)]})"
    notes = [
        f"{what}{_told(side)} for {named(names, _FEW)}" for what, side, names in sides if names
    ]
    return [notes[0] + why, *notes[1:]] if why else notes


def _told(side: str) -> str:
    return f" ({side})" if side and not side.startswith("the ") else ""


# ---- text ----


def check_same_text(
    document: str, reference: Codings, hypothesis: Codings, *, sides: tuple[str, str]
) -> None:
    """Raise if the texts of a document differ, and name the first unit that does; an unknown text
    fits any."""
    meant, found = reference.texts.get(document), hypothesis.texts.get(document)
    index = None if meant is None or found is None else first_difference(meant, found)
    if meant is None or found is None or index is None:
        return
    units = (_unit(text, index) for text in (meant, found))
    first, second = (f"{unit} in the {side}" for unit, side in zip(units, sides, strict=True))
    boundaries = [
        {
            tuple(coding.boundaries.tolist())
            for coding in codings.codings_of(codings.numbers[document])[0].values()
        }
        for codings in (reference, hypothesis)
    ]
    hint = ", and ignore_text=True compares the boundaries anyway"
    if boundaries[0] & boundaries[1]:
        hint = ""  # it would print a perfect score
    raise SegmentationError(
        f"document {document!r}: the texts differ: unit {index + 1} is {first}, {second}: expected "
        f"the same units; align='words' aligns them by their words{hint}"
    )


def _unit(text: Sequence[str], index: int) -> str:
    if index >= len(text):
        return "missing"
    unit = repr(text[index])
    return unit if len(unit) <= 60 else unit[:59] + "…"


def name_with_file(
    coder: str,
    path: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]],
    taken: Collection[str] = (),
) -> str:
    """The name of a hypothesis: its coder, with its file if another file has the same name or the
    coder's name is already taken.

    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/out.json"])
    'out (a/out.json)'
    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/other.json"])
    'out'
    """
    mine = Path(path)
    others = (Path(other) for other in paths)
    is_twice = any(other.stem == mine.stem and other != mine for other in others)
    return f"{coder} ({path})" if is_twice or coder in taken else coder
