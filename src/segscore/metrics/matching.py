"""Boundary precision, recall and F: exact positions, or within a tolerance.

With a tolerance each boundary of one side may be paired with one boundary of the other that is at
most that many positions away; the largest possible number of pairs counts as true positives (as in
mir_eval; greedy matching may lose some).

Programs of neighbouring fields differ in three choices, which are parameters here:

- whether the ends of the text count as boundaries that both sides found (`ends`);
- whether a boundary exactly at the tolerance still matches (`strict`);
- whether a boundary may match several (`matching="many"`): precision is then the share of
  hypothesis boundaries that are near any reference boundary, recall the reverse.

They all print "F1 at 10 s". mir_eval trimmed and pyannote.metrics are the defaults, mir_eval
untrimmed is ends="both", TCPDBench ends="start", ruptures strict=True, Chapter-Llama besides that
matching="many", VidChapters both and ends="start".

Metrics against many references at once: multWinDiff, and boundary F as for change points.

multWinDiff: Kazantseva & Szpakowicz (2012), eq. 7-10. In each window each of the h references has a
number of boundaries. Summed over windows,

- E counts the references whose number differs from that of the hypothesis,
- best counts the references whose number differs from the most frequent number,
- worst counts the references whose number differs from the least frequent number; a possible number
  that no reference has is less frequent than all others.

mean = E/(h·W), with W windows, and likewise best and worst; the score is (mean-best)/(worst-best):
0 is the best and 1 the worst that is possible with these references.
(Eq. 8-10 as printed mix a sum, a mean over windows and a mean over annotators; the bounds that the
paper reports are those of the form above.)

Boundary F: van den Burg & Williams (2020), TCPDBench. Precision asks whether a boundary of the
hypothesis is near a boundary of any annotator, recall is the mean over annotators of the share of
their boundaries that were found. A boundary that only one annotator marked costs nothing in
precision, and missing it costs no more than that annotator's share of recall.
"""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np

from segscore._kernels import matching, multiple, window
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import PLAIN, Provenance, microseconds_of
from segscore.errors import MetricWarning, SegmentationError
from segscore.metrics import base
from segscore.metrics.window import EDGES, SlidingWindow, missed_and_extra
from segscore.pairing.pairs import Pairs, Step

Ends = Literal["none", "start", "end", "both"]
Matching = Literal["optimal", "many"]


@dataclass(frozen=True)
class BoundaryTolerance(base.PrecisionRecallMetric):
    """What metrics of matched boundaries share: the tolerance, and the ends of the text."""

    in_time: ClassVar[tuple[str, ...]] = ("tolerance",)

    tolerance: int | str = 0
    beta: float = 1
    ends: Ends = "none"
    strict: bool = False

    def __post_init__(self) -> None:
        base.refuse_segmentations(self)
        given = self.tolerance
        if isinstance(given, str) and given.strip().endswith("%"):
            given = f"{(share_of(given) * 100).normalize():f}%"
        else:
            given = base.units_or_time(given, "tolerance", 0)
        object.__setattr__(self, "tolerance", given)
        check_choice(self.ends, "ends", get_args(Ends))
        truth(self.strict, "strict")
        if self.strict and given in (0, "0s"):
            raise SegmentationError(
                "tolerance is 0 and strict is True: nothing is nearer than 0; expected a tolerance "
                "above 0, or strict=False"
            )
        base.plain_numbers(self)
        base.check_beta(self.beta)

    def in_units(self, provenance: Provenance) -> Self:
        """The metric with a tolerance in time turned into units; shares of documents stay."""
        return self if self.share is not None else super().in_units(provenance)

    def units_of(self, name: str, duration: str, provenance: Provenance) -> int:
        """The tolerance in whole units, rounded down (up if `strict`)."""
        whole, rest, length = provenance.positions(duration, name)
        if 0 < microseconds_of(duration, name) < 10 * length:
            warnings.warn(
                f"{name} is {duration}, and a unit has {length / 10**6:g} s, more than a tenth of "
                "it: if times were rounded to units, or moved to their edges, that may change the "
                "number (times in whole units were not). Units of a millisecond cost no more: "
                "units='seconds:0.001', or resolution=0.001",
                MetricWarning,
                stacklevel=2,
            )
        return whole + (self.strict and rest > 0)

    @property
    def share(self) -> Decimal | None:
        """The tolerance as a share of the length of a document; None if it is one for all."""
        given = self.tolerance
        return share_of(given) if isinstance(given, str) and given.endswith("%") else None

    def reaches(self, n_units: Int64Array, provenance: Provenance) -> Int64Array:
        """The largest distance, in units, at which boundaries of each document match."""
        if self.share is None:
            return np.full(len(n_units), self.reach(provenance))
        above, below = self.share.as_integer_ratio()  # exact: n · above may pass 2**63
        rest = n_units % below * above
        whole: Int64Array = n_units // below * above + rest // below
        return np.where(rest % below == 0, whole - self.strict, whole)

    def reach(self, provenance: Provenance) -> int:
        """The largest distance, in units, at which boundaries match, the same in all documents."""
        units = self.tolerance
        if isinstance(units, str):
            units = self.units_of("tolerance", units, provenance)
        return units - self.strict

    @property
    def at_start(self) -> bool:
        """Whether position 0 is a boundary of both sides."""
        return self.ends in ("start", "both")

    @property
    def at_end(self) -> bool:
        """Whether position N is a boundary of both sides."""
        return self.ends in ("end", "both")

    @property
    def n_ends(self) -> int:
        """The number of boundaries that `ends` adds to each side; a largest matching always pairs
        them."""
        return self.at_start + self.at_end


def share_of(text: str) -> Decimal:
    """The share of a document that a percentage stands for.

    >>> share_of("5%")
    Decimal('0.05')
    """
    found = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\s*", text)
    share = Decimal(found[1]) / 100 if found else None
    if share is None or not 0 < share <= 1:
        raise SegmentationError(
            f"tolerance is {shown(text)}: expected a share of the document such as '5%', from "
            "0.000001% to 100%"
        )
    return share


@dataclass(frozen=True)
class BoundaryMatch(BoundaryTolerance):
    """F_β of boundaries, matched one to one: at the same position, or within a tolerance.

    Parts: `precision`, `recall`, `f`, `tp`, `fp`, `fn`. Precision is NaN if the hypothesis has no
    boundary, recall if the reference has none, F if neither has. Higher is better.

    Parameters
    ----------
    tolerance: how far apart two boundaries may be to match: a number of positions (0: the same
        position), a time such as "30s" if units have a duration (there is a warning if units are
        longer than a tenth of that time), or a share of each document, "5%" (F1@Rel.Dis of event
        boundaries in videos).
    beta: weight of recall in F_β: 1 weighs recall and precision the same, 2 recall more.
    ends: the ends of the text that count as boundaries of both sides, and so as found: "none",
        "start" (position 0), "end" (position N) or "both".
    strict: True: boundaries match if they are nearer than the tolerance; at the tolerance itself
        they do not.
    matching: "optimal": one to one, as many pairs as possible. "many": a boundary counts as found
        if any boundary of the other side is near, even if that boundary is near several; `tp` then
        counts boundaries of the hypothesis, and the part `found` those of the reference.
    level: only boundaries of rank 1 … `level` of each side, such as those of the coarsest levels of
        `Levels`; boundaries without ranks have rank 1. None: all.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
    >>> BoundaryMatch()(a, b), BoundaryMatch(tolerance=1)(a, b)
    (0.5, 1.0)
    >>> BoundaryMatch(tolerance=1, strict=True)(a, b), BoundaryMatch(ends="both")(a, b)
    (0.5, 0.75)
    """

    name = "f1"
    latex: ClassVar[str | None] = "$F_1$"
    reading = (
        "precision and recall of boundaries at the same position; a near miss counts as missed "
        "and extra, unless a tolerance is given"
    )
    symmetric = False  # with β other than 1, recall and precision weigh differently

    ends: Ends = field(default="none", metadata=base.ADDED_LATER)
    strict: bool = field(default=False, metadata=base.ADDED_LATER)
    matching: Matching = field(default="optimal", metadata=base.ADDED_LATER)
    level: int | None = field(default=None, metadata=base.ADDED_LATER)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.matching, "matching", get_args(Matching))
        if self.level is not None:
            object.__setattr__(self, "level", whole_number(self.level, "level", 1))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The matched boundaries (of hyp, and of ref if matching is "many"), and those left
        over."""
        return ("tp", "fp", "fn") if self.matching == "optimal" else ("tp", "fp", "found", "fn")

    def step(self, pairs: Pairs) -> Step | None:
        """The step that counts equal positions; other ways to match have kernels of their own."""
        plain = self.matching == "optimal" and not self.n_ends and self.level is None
        exact = plain and self.share is None and self.reach(pairs.provenance) == 0
        return Step("match", 3) if exact else None

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        step = self.step(pairs)
        if step is not None:
            return pairs.rows_of_steps([step], threads)[0]
        reaches = self.reaches(pairs.n_units, pairs.provenance)
        if self.level is not None:
            pairs = of_level(pairs, self.level)
        if self.matching == "many":
            sides = (self.at_start, self.at_end)
            return pairs.rows(matching.boundaries_near, 4, reaches, *sides, threads=threads)
        rows = pairs.rows(matching.boundary_match, 3, reaches, threads=threads)
        rows[:, 0] += self.n_ends * (pairs.n_units > 1)  # one unit cannot be scored
        return rows

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which nothing is found: the hypothesis has no boundaries, the reference all
        of its own."""
        del pairs
        found = np.zeros_like(rows)
        found[:, -1] = rows[:, -1] + rows[:, 0 if self.matching == "optimal" else 2]
        return found

    def values(self, rows: Floats) -> Floats:
        """F_β; NaN if neither side has a boundary."""
        if self.matching == "optimal":
            return base.f_measure(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)
        return super().values(rows)

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F_β."""
        if self.matching == "optimal":
            return base.precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)
        tp, fp, found, fn = rows.T
        precision, recall = base.ratio(tp, tp + fp), base.ratio(found, found + fn)
        return precision, recall, base.f_of_rates(precision, recall, self.beta)

    def score_pair(self, ref: Segmentation, hyp: Segmentation) -> tuple[base.Row, float]:
        """Score a pair, without arrays."""
        if self.matching == "many" or ref.n_units < 2 or self.share is not None or self.level:
            return super().score_pair(ref, hyp)
        # without pairs the duration of a unit is not known: a tolerance in time is an error
        row = matching.boundary_match_of_pair(ref.packed, hyp.packed, self.reach(PLAIN))
        tp, fp, fn = row[0] + self.n_ends, row[1], row[2]
        weight = self.beta * self.beta
        below = (1 + weight) * tp + weight * fn + fp
        return (tp, fp, fn), (1 + weight) * tp / below if below else float("nan")


def of_level(pairs: Pairs, level: int) -> Pairs:
    """The boundaries of rank 1 … `level` alone; without ranks all have rank 1."""
    columns: dict[str, Any] = {}
    for side in ("ref", "hyp"):
        offsets, positions = getattr(pairs, f"{side}_offsets"), getattr(pairs, f"{side}_positions")
        ranks = getattr(pairs, f"{side}_ranks")
        inside = np.ones(len(positions), np.bool_) if ranks is None else ranks <= level
        columns[f"{side}_offsets"] = starts_of(inside)[offsets]
        columns[f"{side}_positions"] = positions[inside]
    return Pairs.trusted(n_units=pairs.n_units, **columns)


@dataclass(frozen=True)
class MultiWindowDiff(SlidingWindow):
    """WindowDiff against several references, scaled between the best and the worst possible value.

    Parts: `mean`, the mean WindowDiff over references; `best` and `worst`, its bounds; `missed` and
    `extra`, the means over references of the parts of WindowDiff, which add up to `mean`; `k` for a
    single document. With one reference it is WindowDiff (except under `wrap` and `wrap-seam` with
    k = 1, where one window holds only the seam). Undefined if best and worst are the same. Lower is
    better.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of all
        references together.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k.
    edges: windows at the ends of the text. "drop": only windows inside it. "pad": also windows that
        reach beyond it, where no boundary is. "wrap": windows continue at the start of the text.
        "wrap-seam": like "wrap", and the seam of end and start is a boundary of both sides.

    >>> refs = [Segmentation.from_masses(m) for m in ([4, 4, 4], [4, 8], [5, 7])]
    >>> score = MultiWindowDiff()(refs, Segmentation.from_masses([6, 6]))
    >>> round(score, 4), round(score.mean, 4), round(score.best, 4), score.worst, score.k
    (0.2727, 0.4074, 0.1852, 1.0, 3)
    >>> round(score.missed, 4), round(score.extra, 4)
    (0.2593, 0.1481)
    """

    name = "multwindowdiff"
    latex: ClassVar[str | None] = "multWinDiff"
    reading = "between the best and the worst value that all references allow"
    papers: ClassVar[tuple[str, ...]] = ("kazantseva2012",)
    many_references = True
    # Sums over windows and references: errors, fewest and most possible; h·W; and the errors in
    # which the reference has more boundaries.
    statistic_names: ClassVar[tuple[str, ...]] = (
        "errors",
        "best_errors",
        "worst_errors",
        "windows",
        "missed_errors",
    )
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {
        name: (column, 3) for column, name in enumerate(("mean", "best", "worst"))
    }

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        groups = _groups(pairs)
        return pairs.rows(
            multiple.multiple_window_diff,
            5,
            groups,
            self._sizes(pairs, groups),
            EDGES.index(self.edges),
            threads=threads,
        )

    def values(self, rows: Floats) -> Floats:
        """(errors − best) / (worst − best)."""
        return base.ratio(rows[:, 0] - rows[:, 1], rows[:, 2] - rows[:, 1])

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Mean, best and worst, the two kinds of errors in the mean, and the statistics."""
        return {**super().part_values(rows), **missed_and_extra(rows[:, 0], rows[:, 4], rows[:, 3])}

    def window_size(self, ref: Segmentation | Sequence[Segmentation]) -> int:
        """The k for a group of references: half their pooled mean segment.

        >>> MultiWindowDiff().window_size([Segmentation.from_masses([4, 8])] * 3)
        3
        """
        pairs = Pairs.of_one(ref, ref if isinstance(ref, Segmentation) else ref[0])
        return int(self._sizes(pairs, _groups(pairs))[0])

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: no window, or nothing between best and worst."""
        units = int(pairs.n_units[row])
        k = self.in_units(pairs.provenance).window_size(pairs.references(row))
        if k >= units and self.edges != "pad":
            return f"k = {k} needs more than {k} units, but the document has {units}"
        return "the references differ so much that every hypothesis is as good as any other"

    def _sizes(self, pairs: Pairs, groups: Int64Array) -> Int64Array:
        """The k of each document."""
        references = np.diff(groups)
        if (pairs.n_units > np.iinfo(np.int64).max // references).any():
            raise SegmentationError(
                "a document has too many units or references: expected units × references below "
                "2**63"
            )
        segments = np.diff(pairs.ref_offsets[groups]) + references
        sizes = np.empty(len(pairs), np.int64)
        window.sizes(pairs.n_units * references, segments, self.rule_for(pairs), sizes)
        return sizes


def _groups(pairs: Pairs) -> Int64Array:
    """The offsets of the references of each document; one reference each if Pairs has no groups."""
    return np.arange(len(pairs) + 1) if pairs.groups is None else pairs.groups


@dataclass(frozen=True)
class MultiBoundaryMatch(BoundaryTolerance):
    """F_β of boundaries against several annotators: precision by all of them, recall by each.

    Precision is TP / (boundaries of the hypothesis), where TP is the largest one-to-one matching
    with the union of all annotators' boundaries. Recall is the mean over annotators of the share of
    their own boundaries that the hypothesis matches; annotators without a boundary do not count.
    With one annotator the value of a document is that of `BoundaryMatch`. TCPDBench is
    `MultiBoundaryMatch(tolerance=5, ends="start")`.

    Over documents, the sums of TP and of boundaries give precision, and recall is the mean over
    documents. Parts: `precision`, `recall`, `f`, `tp`, `fp`. Higher is better.

    Parameters
    ----------
    tolerance: how far apart two boundaries may be to match: a number of positions (0: the same
        position), or a time such as "30s" if units have a duration.
    beta: weight of recall in F_β: 1 weighs recall and precision the same, 2 recall more.
    ends: the ends of the text that count as boundaries of all sides, and so as found: "none",
        "start" (position 0), "end" (position N) or "both".
    strict: True: boundaries match if they are nearer than the tolerance; at the tolerance itself
        they do not.
    rule: "all" as above; "best": the counts against the annotator with the largest F in each
        document, as event boundaries in videos are scored (Shou et al. 2021, Kinetics-GEBD, with
        tolerance="5%"); its parts are `precision`, `recall`, `f`, `tp`, `fp`, `fn`.

    >>> from segscore import Segmentation
    >>> ann, bob = (Segmentation.from_boundaries(b, 100) for b in ([20, 50], [22, 80]))
    >>> hyp = Segmentation.from_boundaries([21, 52], 100)
    >>> score = MultiBoundaryMatch(tolerance=5, ends="start")([ann, bob], hyp)
    >>> round(score, 4), score.precision, round(score.recall, 4)
    (0.9091, 1.0, 0.8333)
    """

    name = "multf1"
    latex: ClassVar[str | None] = "mult$F_1$"
    reading = "precision by all references together, recall by each"
    papers: ClassVar[tuple[str, ...]] = ("burg2020",)
    many_references = True
    nothing_counts = "no side has a boundary"

    rule: Literal["all", "best"] = field(default="all", metadata=base.ADDED_LATER)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.rule, "rule", ("all", "best"))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Matched with the union and left over, the recall, and 1 where there is one; or the counts
        against the best annotator."""
        return ("tp", "fp", "fn") if self.rule == "best" else ("tp", "fp", "recalls", "documents")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        units = self.in_units(pairs.provenance)
        inner = BoundaryMatch(units.tolerance, ends=self.ends, strict=self.strict)
        groups = _groups(pairs)
        if self.rule == "best":
            return _best(inner.rows(_each(pairs, groups), threads), groups, self.beta)
        all_together = inner.rows(_united(pairs, groups), threads)
        tp, _, fn = inner.rows(_each(pairs, groups), threads).T
        recalls = base.ratio(tp, tp + fn)
        document = np.repeat(np.arange(len(pairs)), np.diff(groups))
        sums = np.bincount(document, np.nan_to_num(recalls), len(pairs))
        counts = np.bincount(document, ~np.isnan(recalls), len(pairs))
        means = np.nan_to_num(base.ratio(sums, counts))
        return np.column_stack((all_together[:, :2], means, counts > 0)).astype(np.float64)

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F_β; NaN if no side has a boundary."""
        if self.rule == "best":
            return base.precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)
        tp, fp, recalls, documents = rows.T
        precision, recall = base.ratio(tp, tp + fp), base.ratio(recalls, documents)
        return precision, recall, base.f_of_rates(precision, recall, self.beta)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        unnamed = ("recalls", "documents")
        return {k: v for k, v in super().part_values(rows).items() if k not in unnamed}


def _best(rows: Floats, groups: Int64Array, beta: float) -> Floats:
    """The counts of each document's best row, the one with the largest F: nothing to find, and
    nothing found, is best of all; of equal ones the row with the most matches, then with the fewest
    misses."""
    f = np.nan_to_num(base.f_measure(rows[:, 0], rows[:, 1], rows[:, 2], beta), nan=2.0)
    document = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    return rows[np.lexsort((-rows[:, 2], rows[:, 0], f, document))[groups[1:] - 1]]


def _united(pairs: Pairs, groups: Int64Array) -> Pairs:
    """A single reference per document, with the boundaries of all its references."""
    counts = np.diff(pairs.ref_offsets[groups])
    document = np.repeat(np.arange(len(pairs)), counts)
    order = np.lexsort((pairs.ref_positions, document))
    document, positions = document[order], pairs.ref_positions[order]
    new = np.ones(len(positions), np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (positions[1:] != positions[:-1])
    sizes = np.bincount(document[new], minlength=len(pairs))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Pairs(pairs.n_units, offsets, positions[new], pairs.hyp_offsets, pairs.hyp_positions)


def _each(pairs: Pairs, groups: Int64Array) -> Pairs:
    """A row for each reference, with the hypothesis of its document."""
    document = np.repeat(np.arange(len(pairs)), np.diff(groups))
    sizes = np.diff(pairs.hyp_offsets)[document]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    places = np.arange(offsets[-1]) + np.repeat(pairs.hyp_offsets[document] - offsets[:-1], sizes)
    return Pairs(
        pairs.n_units[document],
        pairs.ref_offsets,
        pairs.ref_positions,
        offsets,
        pairs.hyp_positions[places],
    )
