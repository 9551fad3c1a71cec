"""Codings in columns, and the pairing of two sides by document name into `Pairs`.

`Columns` hold many codings without an object for each: what scoring needs of a file, and no more.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.jsonl import Builder
from segscore.arguments import Int64Array
from segscore.errors import SegmentationError, named
from segscore.pairs import Pairs
from segscore.records import Record
from segscore.segmentation import Segmentation

Missing = Literal["error", "skip"]
References = Literal["one", "all"]


@dataclass(frozen=True)
class Columns:
    """Codings, a row each: row i is of `documents[i]` by `coders[codes[i]]`, and its boundaries
    are `positions[offsets[i]:offsets[i+1]]`.

    `details` holds the segmentation of each row that has more to it than boundaries (types, ranks,
    candidates). `source` is how messages call the whole.
    """

    source: str
    documents: Sequence[str]
    coders: Sequence[str]
    codes: NDArray[np.int32]
    n_units: Int64Array
    offsets: Int64Array
    positions: Int64Array
    details: dict[int, Segmentation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.one_each:
            self._check_codings()

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def one_each(self) -> bool:
        """Whether every document has but one coding."""
        return len(set(self.documents)) == len(self)

    def _check_codings(self) -> None:
        """One coding per coder and document, and the same N in all codings of a document."""
        first: dict[str, int] = {}
        seen: set[tuple[str, int]] = set()
        units = self.n_units.tolist()
        for row, (name, code) in enumerate(zip(self.documents, self.codes.tolist(), strict=True)):
            if (name, code) in seen:
                self._refuse(row, "a second coding: expected one per coder and document")
            seen.add((name, code))
            before = first.setdefault(name, row)
            if units[before] != units[row]:
                self._refuse(
                    row,
                    f"{units[row]} units, where coder {self.coder(before)!r} has {units[before]}: "
                    "expected the same number in all codings of a document",
                )

    def _refuse(self, row: int, what: str) -> NoReturn:
        raise SegmentationError(
            f"{self.source}: document {self.documents[row]!r}, coder {self.coder(row)!r}: {what}"
        )

    @classmethod
    def from_records(cls, records: Iterable[Record], source: str) -> "Columns":
        """Collect records; documents of which only the text is known are left out."""
        builder = Builder()
        details: dict[int, Segmentation] = {}
        for record in records:
            add_record(builder, details, record)
        return cls.from_builder(builder, details, source)

    @classmethod
    def from_builder(
        cls, builder: Builder, details: dict[int, Segmentation], source: str, coder: str = ""
    ) -> "Columns":
        """What a builder has collected; `coder` made the codings that name nobody."""
        n_units, offsets, positions, packed_codes = builder.columns()
        codes = np.frombuffer(packed_codes, np.int32)
        coders = list(builder.coders)
        if codes.size and codes.min() < 0:
            if coder not in coders:
                coders.append(coder)
            codes = np.where(codes < 0, np.int32(coders.index(coder)), codes)
        return cls(
            source,
            builder.documents,
            coders,
            codes,
            np.frombuffer(n_units, np.int64),
            np.frombuffer(offsets, np.int64),
            np.frombuffer(positions, np.int64),
            details,
        )

    def coder(self, row: int) -> str:
        """The coder of a row."""
        return self.coders[int(self.codes[row])]

    def segmentation(self, row: int) -> Segmentation:
        """One row as an object."""
        if row in self.details:
            return self.details[row]
        first, last = int(self.offsets[row]), int(self.offsets[row + 1])
        return Segmentation.from_boundaries(self.positions[first:last], int(self.n_units[row]))

    def boundaries(self, rows: Int64Array) -> tuple[Int64Array, Int64Array]:
        """(offsets, positions) of some rows, in their order."""
        if len(rows) == len(self) and np.array_equal(rows, np.arange(len(rows))):
            return self.offsets, self.positions
        starts, lengths = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        index = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return offsets, self.positions[index]

    def rows_of(self, coder: str) -> Int64Array:
        """The rows of one coder."""
        if coder not in self.coders:
            raise SegmentationError(
                f"{self.source} has no coder {coder!r}: there is {named(self.coders)}"
            )
        return np.flatnonzero(self.codes == self.coders.index(coder))


def add_record(builder: Builder, details: dict[int, Segmentation], record: Record) -> None:
    """Add one record to growing columns."""
    coding = record.segmentation
    if coding is None or record.coder is None:
        return
    if not (coding.types is None and coding.ranks is None and coding.candidates is None):
        details[len(builder.documents)] = coding
    builder.append(record.document, record.coder, coding.n_units, coding.packed)


class Pairing(NamedTuple):
    """A hypothesis against the reference: the documents that both have, and the names of those
    that only one of them has."""

    hypothesis: str
    pairs: Pairs
    without_hypothesis: list[str]
    without_reference: list[str]


def pair(
    reference: Columns,
    hypothesis: Columns | None = None,
    *,
    reference_coder: str | None = None,
    references: References = "one",
    missing: Missing = "error",
) -> list[Pairing]:
    """Pair by document name: one pairing for each coder of the hypothesis.

    Without `hypothesis`, `reference_coder` is the reference for all other coders. Otherwise the
    reference is the one coding of each document, or that by `reference_coder`, or, with
    `references="all"`, every coding there is. Documents come in the order of the reference.
    Documents that one side lacks are an error, or left out and listed with `missing="skip"`.
    """
    if references not in ("one", "all"):
        raise SegmentationError(f"references is {references!r}: expected 'one' or 'all'")
    if missing not in ("error", "skip"):
        raise SegmentationError(f"missing is {missing!r}: expected 'error' or 'skip'")
    rows = _reference_rows(reference, reference_coder, references, hypothesis is None)
    side = reference if hypothesis is None else hypothesis
    coders = [one for one in side.coders if hypothesis is not None or one != reference_coder]
    if not coders:
        raise SegmentationError(f"{side.source} holds no hypothesis: expected at least one coding")
    return [_pairing(reference, rows, side, coder, missing) for coder in coders]


def _reference_rows(
    reference: Columns, coder: str | None, references: References, alone: bool
) -> Int64Array:
    """The rows that are references, those of a document next to each other."""
    if alone and (coder is None or references == "all"):
        raise SegmentationError(
            f"{reference.source} is to hold both sides: expected reference_coder, one of "
            f"{named(reference.coders)}, to be compared with the others"
        )
    if coder is not None:
        return reference.rows_of(coder)
    if reference.one_each:
        return np.arange(len(reference))
    if references == "all":
        order = {name: index for index, name in enumerate(dict.fromkeys(reference.documents))}
        places = np.fromiter((order[name] for name in reference.documents), np.int64)
        return np.argsort(places, kind="stable")
    name = Counter(reference.documents).most_common(1)[0][0]
    coders = [reference.coder(row) for row, one in enumerate(reference.documents) if one == name]
    raise SegmentationError(
        f"{reference.source}: document {name!r} has {len(coders)} codings, by {named(coders)}: "
        "expected one as the reference: choose it by reference_coder (--reference)"
    )


def _pairing(
    reference: Columns, ref_rows: Int64Array, side: Columns, coder: str, missing: Missing
) -> Pairing:
    hyp_rows = side.rows_of(coder) if len(side.coders) > 1 else np.arange(len(side))
    hyp_names = _names(side, hyp_rows)
    ref_names = _names(reference, ref_rows)
    if ref_names == hyp_names:
        return Pairing(coder, _pairs(reference, ref_rows, side, hyp_rows), [], [])
    row_of = dict(zip(hyp_names, hyp_rows.tolist(), strict=True))
    known = dict.fromkeys(ref_names)
    lacks_hyp = [name for name in known if name not in row_of]
    lacks_ref = [name for name in hyp_names if name not in known]
    if missing == "error" and (lacks_hyp or lacks_ref):
        _refuse_missing(reference, side, coder, lacks_hyp, lacks_ref)
    kept = [row for row, name in zip(ref_rows.tolist(), ref_names, strict=True) if name in row_of]
    if not kept:
        raise SegmentationError(
            f"{reference.source} and coder {coder!r} of {side.source} have no document in common: "
            f"{named(known)} on one side, {named(hyp_names)} on the other"
        )
    taken = [row_of[name] for name in dict.fromkeys(reference.documents[row] for row in kept)]
    pairs = _pairs(reference, np.array(kept, np.int64), side, np.array(taken, np.int64))
    return Pairing(coder, pairs, lacks_hyp, lacks_ref)


def _pairs(reference: Columns, ref_rows: Int64Array, side: Columns, hyp_rows: Int64Array) -> Pairs:
    """The pairs of chosen rows; where documents have several references, their rows in a row."""
    documents = _names(side, hyp_rows)
    groups = None
    owner = np.arange(len(hyp_rows))
    if len(ref_rows) != len(hyp_rows):
        place = {name: index for index, name in enumerate(documents)}
        owner = np.array([place[reference.documents[row]] for row in ref_rows], np.int64)
        groups = np.searchsorted(owner, np.arange(len(hyp_rows) + 1))
    units = side.n_units[hyp_rows]
    differs = np.flatnonzero(reference.n_units[ref_rows] != units[owner])
    if differs.size:
        ref_row, hyp_row = int(ref_rows[differs[0]]), int(hyp_rows[owner[differs[0]]])
        raise SegmentationError(
            f"document {reference.documents[ref_row]!r}: {reference.n_units[ref_row]} units in the "
            f"reference ({reference.source}, coder {reference.coder(ref_row)!r}), "
            f"{side.n_units[hyp_row]} in the hypothesis ({side.source}, coder "
            f"{side.coder(hyp_row)!r}): expected the same number"
        )
    if reference.details or side.details:
        refs = [reference.segmentation(row) for row in ref_rows.tolist()]
        hyps = [side.segmentation(row) for row in hyp_rows.tolist()]
        if groups is None:
            return Pairs.from_segmentations(refs, hyps, documents)
        lists = [refs[first:last] for first, last in pairwise(groups.tolist())]
        return Pairs.from_segmentations(lists, hyps, documents)
    return Pairs(
        units,
        *reference.boundaries(ref_rows),
        *side.boundaries(hyp_rows),
        documents,
        groups=groups,
    )


def _names(columns: Columns, rows: Int64Array) -> Sequence[str]:
    if len(rows) == len(columns) and np.array_equal(rows, np.arange(len(rows))):
        return columns.documents
    return [columns.documents[row] for row in rows.tolist()]


def _refuse_missing(
    reference: Columns, side: Columns, coder: str, lacks_hyp: list[str], lacks_ref: list[str]
) -> NoReturn:
    parts = []
    if lacks_hyp:
        parts.append(f"no hypothesis (coder {coder!r} of {side.source}) for {named(lacks_hyp)}")
    if lacks_ref:
        parts.append(f"no reference ({reference.source}) for {named(lacks_ref)}")
    raise SegmentationError(
        f"{'; '.join(parts)}: expected the same documents on both sides; missing='skip' "
        "(--missing skip) leaves out what only one side has"
    )
