"""What the rules look at, the two sides of a check in columns, and what they give: findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, cached_property
from segscore.corpus.lists import picked_lists, spread_rows
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.pairing.pairs import Pairs
from segscore.tables import Column, Table

Severity = Literal["error", "warning", "note"]
_ORDER = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """A sign that the input is probably not what was meant.

    kind: its short name. severity: `error` (such input cannot be scored, or its scores mean
    nothing), `warning` (scores are probably not what they seem), `note` (worth a look). sentence:
    what was found. evidence: the numbers behind it. documents: the documents concerned. remedy: the
    likely cause and what to do. hypothesis: its name, if several were checked.
    """

    kind: str
    severity: Severity
    sentence: str
    evidence: Mapping[str, float]
    documents: tuple[str, ...]
    remedy: str
    hypothesis: str = ""

    def __str__(self) -> str:
        whose = f"{self.hypothesis}: " if self.hypothesis else ""
        return f"{self.severity}: {whose}{self.sentence} {self.remedy}"

    def of(self, hypothesis: str) -> "Finding":
        """A copy that names its hypothesis."""
        return replace(self, hypothesis=hypothesis)


def in_order(found: Sequence[Finding]) -> list[Finding]:
    """The findings, the gravest first."""
    return sorted(found, key=lambda finding: _ORDER.index(finding.severity))


def findings_table(found: Sequence[Finding]) -> Table:
    """A row per finding; CSV and JSON have every number and every document."""
    evidence = dict.fromkeys(f"evidence_{name}" for finding in found for name in finding.evidence)
    rows: list[dict[str, Any]] = [
        {
            **vars(finding),
            **{f"evidence_{name}": value for name, value in finding.evidence.items()},
            "finding": finding.sentence,
            "n_documents": len(finding.documents),
            "documents": "; ".join(finding.documents),
        }
        for finding in found
    ]
    alone = not any(finding.hypothesis for finding in found)
    shown: list[str | Column] = [
        f"severity kind hypothesis{'!' * alone} finding what_to_do=remedy",
        *(Column(key, audience="machines") for key in evidence),
        "documents=n_documents names=documents!",
    ]
    return Table.of(rows, shown)


# ---- both sides ----

Mask = NDArray[np.bool_]
_LONGEST = 2**40  # units; keys of positions over 2**20 documents then fit 64 bits
_MOST = 2**20  # documents; a fault of a whole corpus shows in these


class CheckedSide:
    """The boundaries of a side, row by row; positions[offsets[i]:offsets[i+1]] are those of row i.

    Of each row: n_units, counts (of boundaries), density (boundaries per position), first and last
    boundary (0 if there is none), from_end (the units after the last one). Of each boundary: row_of
    and masses (the length of the segment that ends there).
    """

    def __init__(
        self, n_units: Int64Array, offsets: Int64Array, positions: Any, rows: Int64Array
    ) -> None:
        """Some rows of the columns; `n_units` are the units of these rows."""
        self.n_units = n_units
        self.offsets, positions = picked_lists(offsets, positions, rows)
        self.positions: Int64Array = positions.astype(np.int64, copy=False)
        self.counts: Int64Array = np.diff(self.offsets)
        self.density: Any = self.counts / np.maximum(1, n_units - 1)
        some, ends = self.counts > 0, np.append(self.positions, 0)
        self.first: Int64Array = np.where(some, ends[self.offsets[:-1]], 0)
        self.last: Int64Array = np.where(some, ends[self.offsets[1:] - 1], 0)
        self.from_end: Int64Array = n_units - self.last
        self.row_of: Int64Array = np.repeat(np.arange(len(n_units)), self.counts)
        self.masses: Int64Array = np.diff(self.positions, prepend=0)
        self.masses[self.offsets[:-1][some]] = self.first[some]

    @cached_property
    def distinct(self) -> Int64Array:
        """A row of each distinct segmentation, because repetitions are no further evidence.

        Two rows count as the same if they have the same units, number of boundaries and ends.
        """
        looks = np.column_stack([self.n_units, self.counts, self.first, self.last])
        return np.sort(np.unique(looks, axis=0, return_index=True)[1])

    def take(self, rows: Int64Array) -> "CheckedSide":
        """Some rows."""
        return CheckedSide(self.n_units[rows], self.offsets, self.positions, rows)


class BothSides:
    """The references and hypotheses of the same documents, which may differ in length.

    total: the number of boundaries on both sides. same_details: whether both sides have the same
    types, ranks and labels, or none.
    """

    def __init__(
        self,
        documents: Sequence[str],
        ref: CheckedSide,
        hyp: CheckedSide,
        provenance: Provenance = PLAIN,
        same_details: bool = True,
    ) -> None:
        self.documents: Sequence[str] = documents
        self.ref: CheckedSide = ref
        self.hyp: CheckedSide = hyp
        self.provenance: Provenance = provenance
        self.same_details: bool = same_details
        self.named_sides: tuple[tuple[str, CheckedSide], ...] = (
            ("reference", ref),
            ("hypothesis", hyp),
        )
        self.total: int = len(ref.positions) + len(hyp.positions)

    def __len__(self) -> int:
        return len(self.documents)

    @classmethod
    def of_pairs(cls, pairs: Pairs, most: int = _MOST) -> "BothSides":
        """The pairs or, if there are more than `most`, a sample of `most` spread over all.

        The first of several references of a document is used. Missing hypotheses are left out,
        because their number is reported separately.
        """
        lost = () if pairs.failures is None else pairs.failures.rows
        rows = spread_rows(len(pairs) - len(lost), most)
        if lost:
            rows = np.delete(np.arange(len(pairs)), lost)[rows]
        units = pairs.n_units[rows]
        refs = rows if pairs.groups is None else pairs.groups[rows]
        ref = CheckedSide(units, pairs.ref_offsets, pairs.ref_positions, refs)
        hyp = CheckedSide(units, pairs.hyp_offsets, pairs.hyp_positions, rows)
        listed = [str(row) if pairs.names is None else pairs.names[row] for row in rows.tolist()]
        return cls(listed, ref, hyp, pairs.provenance, _same_details(pairs))

    def names(self, mask: Mask) -> tuple[str, ...]:
        """The names of some documents."""
        return tuple(self.documents[row] for row in np.flatnonzero(mask).tolist())

    def comparable(self) -> "BothSides":
        """The documents that have the same number of units on both sides, at least two."""
        units = self.ref.n_units
        rows = np.flatnonzero((units == self.hyp.n_units) & (units >= 2) & (units <= _LONGEST))
        return self if len(rows) == len(self) else self.take(rows)

    def take(self, rows: Int64Array) -> "BothSides":
        """Some documents."""
        names = [self.documents[row] for row in rows.tolist()]
        return BothSides(names, self.ref.take(rows), self.hyp.take(rows), self.provenance)

    @cached_property
    def n_independent(self) -> int:
        """The number of independent documents: a text with many coders counts once."""
        return min(len(self.ref.distinct), len(self.hyp.distinct))

    def row_matches(self, shift: int = 0) -> Int64Array:
        """The number of boundaries that both sides of each document have, with the hypothesis moved
        by `shift` positions."""
        starts = np.cumsum(self.ref.n_units) - self.ref.n_units
        places = self.hyp.positions + shift
        inside = (places >= 1) & (places < self.hyp.n_units[self.hyp.row_of])
        ref = starts[self.ref.row_of] + self.ref.positions
        hyp = (starts[self.hyp.row_of] + places)[inside]
        if not ref.size:
            return np.zeros(len(self), np.int64)
        at = np.minimum(np.searchsorted(ref, hyp), len(ref) - 1)
        return np.bincount(self.hyp.row_of[inside][ref[at] == hyp], minlength=len(self))

    def matches(self) -> int:
        """The number of boundaries that both sides have."""
        return int(self.row_matches().sum())


def _same_details(pairs: Pairs) -> bool:
    """Whether both sides have the same types, ranks and labels, or none."""
    for kind in ("types", "ranks", "labels", "levels", "level_labels"):
        ref, hyp = (getattr(pairs, f"{side}_{kind}") for side in ("ref", "hyp"))
        if (ref is None) != (hyp is None):
            return False
        parts = zip(ref, hyp, strict=True) if isinstance(ref, tuple) else [(ref, hyp)]
        if not all(np.array_equal(mine, yours) for mine, yours in parts):
            return False
    return True


def f_of(matched: float, total: float) -> float:
    """F from matches and the boundaries of both sides."""
    return 2 * matched / total if total else float("nan")


def surprise(share: float, expected: float, count: int) -> float:
    """How unlikely a share is, given the expected share: -log10 of a bound on its chance
    (Chernoff). 0 if it is no larger than expected."""
    if share <= expected:
        return 0.0
    if expected <= 0:
        return float("inf")
    parts = share * np.log10(share / expected)
    if share < 1:
        parts += (1 - share) * np.log10((1 - share) / (1 - expected))
    return float(count * parts)
