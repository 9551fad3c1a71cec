"""The documents that two sides share, and whether they share their text: the same rule everywhere.

`score`, `compare` and `audit`, from files and in Python, all pair by these rules: documents have
names; both sides must have the same documents (unless those that a side lacks are skipped and
listed, or a missing hypothesis is counted: `segscore.pairing.failures`); and if both sides have the
text, it must be the same.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import array_inside, shown
from segscore.basics.series import by_name, first_twice, in_given_order
from segscore.corpus.codings import Codings, joined_rows
from segscore.corpus.unit_texts import first_difference
from segscore.errors import SegmentationError, named
from segscore.pairing.failures import (
    Failures,
    Missing,
    Reasons,
    check_missing,
    counts_failures,
    reasons_in,
)

NOTHING_KNOWN: Reasons = {}
_IS_NONE = "it is None"
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
        f"names{files if reference else ''}"
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
    return f" ({side})" if side else ""


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


# ---- values that come with names, or in order ----


def rows_in(given: Any, what: str) -> list[Any]:
    """The entries of a plain sequence, one per document; for an array or a tensor, its rows."""
    expected = "a sequence with one entry per document"
    values = given if isinstance(given, Iterable) else array_inside(given, what, expected)
    try:
        if not isinstance(values, str | bytes):
            return values if type(values) is list else list(values)
    except TypeError:  # has no dimension, or cannot be gone through
        pass
    hint = ", such as [placement.segmentation]" * hasattr(type(given), "segmentation")
    raise SegmentationError(f"{what} is {shown(given)}: expected {expected}{hint}")


class InOneOrder(NamedTuple):
    """Both sides in the same order; None is a missing hypothesis that counts.

    documents: their names, if there are any; skipped: what was left out.
    """

    refs: list[Any]
    hyps: list[Any]
    documents: list[str] | None
    skipped: tuple[str, ...] = ()
    failures: Failures | None = None


def in_one_order(refs: Any, hyps: Any, missing: Missing) -> InOneOrder:
    """Both sides in the same order; a hypothesis that is None is missing."""
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
        return _by_place(rows_in(refs, "refs"), rows_in(hyps, "hyps"), missing)
    failed = [name for name, coding in right.items() if coding is None]
    right = (
        {name: coding for name, coding in right.items() if coding is not None} if failed else right
    )
    reasons = reasons_in(hyps) | {str(name): _IS_NONE for name in failed}
    found = match_documents(left, right, missing, reasons=reasons)
    return _ordered(left, right, found, missing, reasons)


def _by_place(refs: list[Any], hyps: list[Any], missing: Missing) -> InOneOrder:
    """Two sequences; documents without a hypothesis are named by their index."""
    failed = [place for place, hyp in enumerate(hyps) if hyp is None]
    if not failed or len(refs) != len(hyps) or missing == "error":
        return InOneOrder(refs, hyps, None)
    left = {str(place): ref for place, ref in enumerate(refs)}
    right = {str(place): hyp for place, hyp in enumerate(hyps) if hyp is not None}
    found = match_documents(left, right, missing)
    return _ordered(left, right, found, missing, {str(place): _IS_NONE for place in failed})


def _ordered(
    left: Mapping[Any, Any],
    right: Mapping[Any, Any],
    found: Matched,
    missing: Missing,
    reasons: Reasons,
) -> InOneOrder:
    """The documents that are scored, in the order of the reference."""
    counted = counts_failures(missing)
    kept = list(left) if counted else found.documents
    place = {name: number for number, name in enumerate(kept)} if counted else {}
    rows = [place[name] for name in found.without_hypothesis] if counted else []
    lost = found.without_hypothesis
    return InOneOrder(
        [left[name] for name in kept],
        [right.get(name) for name in kept],
        [str(name) for name in kept],
        () if counted else tuple(map(str, found.skipped)),
        Failures.of(missing, lost, reasons, len(left), rows),
    )


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


def with_segments(
    codings: Codings | None, coder: str, n_units: Mapping[str, int], about: Codings
) -> Codings:
    """A coder's codings, one of each document, and a single segment in each document of `n_units`.

    codings: None if there are none. about: the table that they come from.
    """
    n = len(n_units)
    boundaries = (
        np.array(list(n_units.values()), np.int64), np.zeros(n + 1, np.int64),
        np.empty(0, np.int64),
    )  # fmt: skip
    filled = Codings.plain(list(n_units), coder, boundaries)
    every = filled if codings is None else joined_rows([codings, filled])
    return replace(
        every, texts=about.texts, failures=about.failures, source=about.source, scope=about.scope,
        provenance=about.provenance,
    )  # fmt: skip


def failures_of(
    found: Matched, reasons: Reasons, missing: Missing, rows: Sequence[int] = ()
) -> Failures | None:
    """The documents that have a reference but no hypothesis; `rows` stand for them."""
    n_documents = len(found.documents) + len(found.without_hypothesis)
    return Failures.of(missing, found.without_hypothesis, reasons, n_documents, rows)
