"""Window metrics: Pk, WindowDiff and WinPR.

A window of k potential boundaries slides over the document, and the boundaries of reference and
hypothesis inside it are compared. k is half the mean reference segment,
k = max(min_k, round(N / (2 · segments)) + k_offset), or fixed: a number of units, or a time
(`60s`), which is rounded to the nearest number of units. What `edges` does at the ends of the text:

- `drop`: only windows inside, N-k of them; boundaries near an end count less. Undefined for k >= N.
- `pad`: phantom units outside, N+k-2 windows, so that each position is seen k times. Any k works,
  except k above both the number of units and 2**31-1, where differences would vanish by rounding.
- `wrap`: the window continues from the end at the start, N windows; the seam is not a boundary.
  Undefined for k >= N.
- `wrap-seam`: like `wrap`, but the seam is a boundary of both sides. Pk then finds no error in the
  k windows that hold it; WindowDiff, which compares numbers, is the same as under `wrap`.

Sources: Beeferman, Berger & Lafferty (1999), Pk; Pevzner & Hearst (2002), Pk′ and WindowDiff;
Lamprier et al. (2007), pad; Carroll (2010), wrap (wrap-seam is inferred from the numbers of its
section 3.2, no text states it); Scaiano & Inkpen (2012), WinPR.
"""

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np

from segscore._kernels import window
from segscore.basics import arguments
from segscore.basics.arguments import LARGEST, Floats, check_choice, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import base
from segscore.pairing.pairs import Pairs, Step

Rounding = Literal["half-even", "half-up", "floor", "ceil"]
Edges = Literal["drop", "pad", "wrap", "wrap-seam"]

ROUNDINGS = ("half-even", "half-up", "floor", "ceil")
EDGES = ("drop", "pad", "wrap", "wrap-seam")
_CELLS = ("tp", "fp", "fn", "tn")  # of the matrix of WinPR


@dataclass(frozen=True)
class WindowSize(base.Metric):
    """What window metrics share: the fields that determine k, and the part `k` of single pairs."""

    symmetric = False  # k comes from the reference
    in_time: ClassVar[tuple[str, ...]] = ("k",)
    # the name and the value of a parameter that must not exceed the document, if there is one
    vast: ClassVar[tuple[str, int] | None] = None

    k: int | str | None = None
    rounding: Rounding = "half-even"
    min_k: int = 1
    k_offset: int = 0

    def __post_init__(self) -> None:
        base.refuse_segmentations(self)
        check_choice(self.rounding, "rounding", ROUNDINGS)
        if type(self.min_k) is not int or not 1 <= self.min_k <= LARGEST:
            object.__setattr__(self, "min_k", whole_number(self.min_k, "min_k", 1))
        if type(self.k_offset) is not int or abs(self.k_offset) > LARGEST:
            object.__setattr__(self, "k_offset", whole_number(self.k_offset, "k_offset", -LARGEST))
        if self.k is not None:
            self._check_fixed_k()
        given = {"k": self.k, "min_k": self.min_k, "k_offset": self.k_offset}
        size, name = max((n, name) for name, n in given.items() if isinstance(n, int))
        edges = getattr(self, "edges", "pad")  # some metrics have no other
        if size > base.LARGEST_BEYOND and edges == "pad":
            object.__setattr__(self, "vast", (name, size))

    def _check_fixed_k(self) -> None:
        object.__setattr__(self, "k", base.units_or_time(self.k, "k", 1))
        for field in fields(WindowSize)[1:]:
            default = type(self).__dataclass_fields__[field.name].default
            if getattr(self, field.name) != default:
                raise SegmentationError(
                    f"k is {self.k} and {field.name} is {getattr(self, field.name)}: "
                    f"give k or {field.name}, not both"
                )

    def units_of(self, name: str, duration: str, provenance: Provenance) -> int:
        """A window given in time, as the nearest number of units, half to even."""
        whole, rest, length = provenance.positions(duration, name)
        k = whole + (2 * rest > length or (2 * rest == length and whole % 2 == 1))
        if not k:
            raise SegmentationError(
                f"{name} is {duration!r}, but a unit has {length / 10**6:g} s: expected at least "
                "half a unit; give a longer window, or use shorter units"
            )
        return k

    @arguments.cached_property
    def rule(self) -> tuple[int, int, int, int, int]:
        """The window rule as kernels take it."""
        if isinstance(self.k, str):  # a time, but the duration of a unit is not known: an error
            PLAIN.positions(self.k, "k")
        settings = (
            ROUNDINGS.index(self.rounding),
            self.min_k,
            self.k_offset,
            EDGES.index(getattr(self, "edges", "pad")),
        )
        return self.k or 0, *settings  # type: ignore[return-value]

    def rule_for(self, pairs: Pairs) -> tuple[int, int, int, int, int]:
        """The rule for these pairs; a k in time becomes units by their duration."""
        metric = self.in_units(pairs.provenance) if isinstance(self.k, str) else self
        if metric.vast:
            base.check_not_beyond(*metric.vast, pairs)
        return metric.rule

    def window_size(self, ref: Segmentation) -> int:
        """The k that this metric uses for a reference.

        >>> WindowDiff().window_size(Segmentation.from_masses([2, 3, 6]))
        2
        """
        return window.size(ref.n_units, ref.n_segments, self.rule)

    def parts(self, row: Floats, pair: tuple[Any, Any] | None) -> dict[str, Any]:
        """The statistics, and k for a single pair."""
        return {**super().parts(row, pair), **({"k": self.window_size(pair[0])} if pair else {})}

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: no room for a window."""
        k = self.in_units(pairs.provenance).window_size(pairs.reference(row))
        return f"k = {k} needs more than {k} units, but the document has {pairs.n_units[row]}"


@dataclass(frozen=True)
class SlidingWindow(WindowSize):
    """Metrics of errors in windows, with the field `edges`; 0 is perfect."""

    higher_is_better = False
    perfect: ClassVar[float | None] = 0

    edges: Edges = "drop"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.edges, "edges", EDGES)


@base.cheap_by_default
@dataclass(frozen=True)
class Pk(SlidingWindow):
    """The share of windows on which the two sides disagree about whether any boundary is inside.

    Beeferman, Berger & Lafferty (1999). Lower is better.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of the
        reference.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k.
    edges: windows at the ends of the text. "drop": only windows inside it. "pad": also windows that
        reach beyond it, where no boundary is. "wrap": windows continue at the start of the text.
        "wrap-seam": like "wrap", and the seam of end and start is a boundary of both sides.
    fn_weight: weight of windows in which only the reference has a boundary.
    fp_weight: weight of windows in which only the hypothesis has a boundary; 2 is Pk′ of Pevzner &
        Hearst (2002), which can exceed 1.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = Pk()(a, b)
    >>> round(score, 4), score.k, score.false_negatives, score.windows
    (0.2222, 2, 2.0, 9.0)
    >>> seam = Pk(edges="wrap-seam")(a, b)
    >>> round(seam, 4), seam.windows
    (0.1818, 11.0)
    """

    name = "pk"
    latex: ClassVar[str | None] = "$P_k$"
    reading = "the share of windows in which one side has a boundary and the other none"
    papers: ClassVar[tuple[str, ...]] = ("beeferman1999",)
    # Windows with a boundary in ref only, in hyp only, and all windows.
    statistic_names: ClassVar[tuple[str, ...]] = ("false_negatives", "false_positives", "windows")

    fn_weight: float = 1
    fp_weight: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        base.plain_numbers(self)
        if self.fn_weight != 1 or self.fp_weight != 1:
            base.check_weight(self.fn_weight, "fn_weight")
            base.check_weight(self.fp_weight, "fp_weight")
            object.__setattr__(self, "papers", (*Pk.papers, "pevzner2002"))  # Pk′

    def step(self, pairs: Pairs) -> Step:
        """The step that counts windows with boundaries of only one side."""
        return Step("pk", 3, (self.rule_for(pairs),))

    def values(self, rows: Floats) -> Floats:
        """Weighted errors over windows."""
        if self.fn_weight == self.fp_weight == 1:  # the same, faster
            return base.ratio(rows[:, 0] + rows[:, 1], rows[:, 2])
        return base.ratio(self.fn_weight * rows[:, 0] + self.fp_weight * rows[:, 1], rows[:, 2])

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which every window is a missed boundary."""
        del pairs
        windows = rows[:, 2]
        return np.column_stack([windows, np.zeros_like(windows), windows])

    def score_pair(self, ref: Segmentation, hyp: Segmentation) -> tuple[base.Row, float]:
        """Score a pair, without arrays."""
        if self.vast:
            base.check_not_beyond(*self.vast, Pairs.of_one(ref, hyp))
        row = window.pk_of_pair(ref._n_units, ref._packed, hyp._packed, self.rule)
        if not row[2]:
            return row, float("nan")
        return row, (self.fn_weight * row[0] + self.fp_weight * row[1]) / row[2]


def missed_and_extra(errors: Floats, missed: Floats, windows: Floats) -> dict[str, Floats]:
    """The shares of windows with too few and with too many boundaries; their sum is the error."""
    return {
        "missed": base.ratio(missed, windows),
        "extra": base.ratio(errors - missed, windows),
    }


@base.cheap_by_default
@dataclass(frozen=True)
class WindowDiff(SlidingWindow):
    """The share of windows in which the numbers of boundaries differ.

    Pevzner & Hearst (2002), eq. 1. Lower is better.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of the
        reference.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k.
    edges: windows at the ends of the text. "drop": only windows inside it. "pad": also windows that
        reach beyond it, where no boundary is. "wrap": windows continue at the start of the text.
        "wrap-seam": like "wrap", and the seam of end and start is a boundary of both sides.
    weighted: True gives the mean absolute difference of the numbers instead (§3 of the paper),
        which can exceed 1.

    Parts: `missed` and `extra`, the shares of windows in which the hypothesis has too few and too
    many boundaries (weighted: by how many); they add up to the value. The counts are `errors`,
    `missed_errors` and `windows`; for a single pair `k`.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([1, 1, 3, 1, 5])
    >>> round(WindowDiff()(a, b), 4), round(WindowDiff(edges="wrap")(a, b), 4)
    (0.3333, 0.3636)
    >>> score = WindowDiff()(a, Segmentation.from_masses([4, 3, 2, 2]))
    >>> round(score, 4), round(score.missed, 4), round(score.extra, 4)
    (0.8889, 0.3333, 0.5556)
    """

    name = "windowdiff"
    latex: ClassVar[str | None] = "WindowDiff"
    reading = "the share of windows in which both sides have not the same number of boundaries"
    papers: ClassVar[tuple[str, ...]] = ("pevzner2002",)
    # Windows that differ (weighted: by how much in all), all windows, and those that differ because
    # the reference has more boundaries.
    statistic_names: ClassVar[tuple[str, ...]] = ("errors", "windows", "missed_errors")

    weighted: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        truth(self.weighted, "weighted")

    @property
    def value_range(self) -> tuple[float, float]:
        """The range 0 to 1; without an upper limit if weighted."""
        return 0.0, math.inf if self.weighted else 1.0

    def step(self, pairs: Pairs) -> Step:
        """The step that counts windows in which the numbers differ."""
        return Step("window_diff", 3, (self.rule_for(pairs), self.weighted))

    def values(self, rows: Floats) -> Floats:
        """Errors over windows."""
        return base.ratio(rows[:, 0], rows[:, 1])

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which every window is an error; an error if weighted, which has no worst
        value."""
        if self.weighted:
            return super().worst_rows(pairs, rows)
        return np.column_stack([rows[:, 1]] * 3)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """The two kinds of errors as shares of windows, and the statistics."""
        return {**missed_and_extra(rows[:, 0], rows[:, 2], rows[:, 1]), **super().part_values(rows)}

    def score_pair(self, ref: Segmentation, hyp: Segmentation) -> tuple[base.Row, float]:
        """Score a pair, without arrays."""
        if self.vast:
            base.check_not_beyond(*self.vast, Pairs.of_one(ref, hyp))
        row = window.window_diff_of_pair(
            ref._n_units, ref._packed, hyp._packed, self.rule, self.weighted
        )
        return row, row[0] / row[1] if row[1] else float("nan")


@base.cheap_by_default
@dataclass(frozen=True)
class WinPR(base.PrecisionRecallMetric, WindowSize):
    """Precision and recall of boundaries over windows; the value is their F.

    Scaiano & Inkpen (2012), eq. 4-7: in each window of k positions, min(R, C) boundaries are true
    positives, further boundaries of the hypothesis are false positives, of the reference false
    negatives. Windows also reach beyond the ends of the text, so that each position is counted
    exactly k times. The statistics are the counts divided by k, so that documents with different k
    add up, and the exact counts at k = 1. The difference between the two is the contribution of
    near misses.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of the
        reference.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k; 1 gives the window of the paper, which includes
        both of its ends.
    beta: weight of recall in F_β: 1 weighs recall and precision the same, 2 recall more.

    Parts: `precision`, `recall`, `f`; `tp`, `fp`, `fn`, `tn` (divided by k); `near_miss`; for a
    single pair `k` and `raw`, the counts of the paper's table 2. Higher is better.

    >>> ref, hyp = Segmentation.from_masses([6, 6]), Segmentation.from_masses([5, 7])
    >>> score = WinPR()(ref, hyp)
    >>> score.k, score.raw
    (4, {'tp': 3, 'fp': 1, 'fn': 1, 'tn': 39})
    >>> score.precision, score.near_miss["tp"]
    (0.75, 0.75)
    """

    name = "winpr"
    latex: ClassVar[str | None] = "WinPR"
    reading = (
        "precision and recall of boundaries, counted in windows, so that a near miss counts in part"
    )
    papers: ClassVar[tuple[str, ...]] = ("scaiano2012",)
    # The matrix divided by k, then at k = 1.
    statistic_names: ClassVar[tuple[str, ...]] = (*_CELLS, *(f"{cell}_exact" for cell in _CELLS))

    k_offset: int = 1
    beta: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        base.plain_numbers(self)
        base.check_beta(self.beta)

    def step(self, pairs: Pairs) -> Step:
        """The step that counts both matrices, from the differences in windows and the matches."""
        return Step("winpr", 8, (self.rule_for(pairs),))

    def values(self, rows: Floats) -> Floats:
        """F_β of the matrix; NaN if neither side has a boundary."""
        return base.f_measure(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F_β of the matrix."""
        return base.precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """Precision, recall, F, both matrices, and the contribution of near misses."""
        matrix, exact = row[:4].tolist(), row[4:].tolist()
        found = super().parts(row, pair)
        parts: dict[str, Any] = {
            **{name: found[name] for name in ("precision", "recall", "f", *_CELLS)},
            "near_miss": {c: m - e for c, m, e in zip(_CELLS, matrix, exact, strict=True)},
        }
        if pair:
            parts["k"] = k = found["k"]
            raw = [round(k * value) for value in matrix[:3]]  # whole numbers, by definition
            total = k * (pair[0].n_units - 1)
            parts["raw"] = dict(zip(_CELLS, [*raw, total - sum(raw)], strict=True))
        return parts
