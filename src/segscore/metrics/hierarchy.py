"""The error of a ranked segmentation over all its levels.

E_M(R, H) = (1/|R|) · Σ_i c_i · M(R_i, H_i) (Carroll 2010). R_i holds the reference boundaries of
rank ≤ i, c_i is the number of those at rank i, and H_i holds the |R_i| most prominent boundaries of
the hypothesis. If the last rank needed has more boundaries than needed, M is averaged over all
choices among them; candidates without a boundary in the hypothesis share a rank below all others.

Carroll draws such choices at random. For Pk and WindowDiff the average is exact here: the number
of chosen boundaries in a window is hypergeometric (`_kernels/hierarchy.pyx`). For any other metric
(B, S …) all choices are used if they are few; if they are many, some are drawn with a random seed,
and the standard error of that draw is reported.

Only positions, ranks and candidates count. Types are ignored, because candidates have none.

The mean of any metric over tied choices: over all of them if they are few, else over a random
sample.

A level needs the n most prominent boundaries of the hypothesis. Whole ranks are taken; of the next
rank, `wanted` out of its `tied` boundaries are chosen, each set of them equally likely. The levels
and their choices become the rows of one `Pairs`, which the metric scores as it scores any other.
"""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import combinations, islice
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import hierarchy, window
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus import Lists, Provenance
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, ratio
from segscore.metrics.window import EDGES, Pk, WindowDiff
from segscore.pairing.pairs import Pairs


class Ranked(NamedTuple):
    """A side of a batch: the dense rank of each boundary, and its levels, row after row."""

    ranks: NDArray[np.int32]  # one per boundary
    offsets: Int64Array  # levels of row i: offsets[i] … offsets[i+1]
    sizes: Int64Array  # boundaries of each level, those of the levels above included
    rows: Int64Array  # the row that each level belongs to


def ranked(offsets: Int64Array, ranks: Int64Array | None) -> Ranked:
    """Make the ranks of each row dense and count its levels; None means rank 1 for all."""
    n_rows, n_boundaries = len(offsets) - 1, int(offsets[-1])
    row = np.repeat(np.arange(n_rows), np.diff(offsets))
    given = np.ones(n_boundaries, np.int64) if ranks is None else ranks
    order = np.lexsort((given, row))
    row, given = row[order], given[order]
    opens = np.ones(n_boundaries, np.bool_)
    opens[1:] = (row[1:] != row[:-1]) | (given[1:] != given[:-1])
    starts = np.concatenate(([0], np.cumsum(np.bincount(row[opens], minlength=n_rows))))
    dense = np.empty(n_boundaries, np.int32)
    dense[order] = np.cumsum(opens) - starts[row]
    last = np.flatnonzero(np.append(opens[1:], [True] * bool(n_boundaries)))
    return Ranked(dense, starts, last + 1 - offsets[row[last]], row[last])


def candidates(pairs: Pairs) -> tuple[Lists, Lists]:
    """The candidates of ref and hyp; raise if a boundary is not at a candidate.

    If both sides of a document list candidates, the lists must be equal. If one list is empty, the
    other is valid for both; if both are empty, every position is a candidate.
    """
    none = Lists(np.zeros(len(pairs) + 1, np.int64), np.empty(0, np.int64))
    ref, hyp = pairs.ref_candidates or none, pairs.hyp_candidates or none
    row, ref_position, hyp_position = hierarchy.first_misfit(
        pairs.ref_offsets, pairs.ref_positions, pairs.hyp_offsets, pairs.hyp_positions, *ref, *hyp
    )
    if row >= 0:
        if not ref_position and not hyp_position:
            raise SegmentationError(
                f"{pairs.name(row)}: reference and hypothesis list different candidates: expected "
                "the same candidates, or candidates on one side only"
            )
        side = "reference" if ref_position else "hypothesis"
        raise SegmentationError(
            f"{pairs.name(row)}: boundary {ref_position or hyp_position} of the {side} is not "
            "one of the candidates: expected each boundary to be a candidate"
        )
    return ref, hyp


_BATCH = 1 << 20  # boundaries of hypotheses that are scored at once
_ROWS = 1000  # choices of one level that are held at once, if they have no more boundaries than
_CELLS = 1 << 24  # in all


# Choices at a level (all, or some of them): the level, the units of the document, the reference, a
# hypothesis per choice (choices × boundaries, ascending), and whether the choices are a draw.
TiedChoices = tuple[int, int, Int64Array, NDArray[np.int64], bool]


def choice_values(
    metric: Metric,
    pairs: Pairs,
    levels: tuple[Ranked, Ranked],
    candidates: tuple[Lists, Lists],
    samples: int,
    seed: int,
    threads: int | None,
) -> tuple[Floats, Floats]:
    """The mean of the metric at each level of ref, and the squared standard error of that mean."""
    n_levels = len(levels[0].sizes)
    found: list[list[Floats]] = [[] for _ in range(n_levels)]
    squared_errors = np.zeros(n_levels)
    means = np.full(n_levels, np.nan)
    batch: list[TiedChoices] = []

    def score_batch() -> None:
        for (level, *_), values in zip(batch, _values(metric, batch, threads), strict=True):
            found[level].append(values)
        batch.clear()

    batch_size = 0
    drawn = np.zeros(n_levels, np.bool_)
    for choices in _all_choices(pairs, levels, candidates, samples, seed):
        level, _, _, hyps, drawn[level] = choices
        batch.append(choices)
        batch_size += hyps.size
        if batch_size > _BATCH:
            score_batch()
            batch_size = 0
    score_batch()
    for level, parts in enumerate(found):
        values = np.concatenate(parts)
        means[level] = values.mean()
        if drawn[level]:
            squared_errors[level] = values.var(ddof=1) / len(values)
    return means, squared_errors


def _values(metric: Metric, batch: list[TiedChoices], threads: int | None) -> list[Floats]:
    """Score all choices of some levels as one batch; a list per level."""
    if not batch:
        return []
    _, n_units, refs, hyps, _ = zip(*batch, strict=True)
    counts = np.array([len(choices) for choices in hyps])
    ref_sizes = np.repeat([len(ref) for ref in refs], counts)
    hyp_sizes = np.repeat([choices.shape[1] for choices in hyps], counts)
    pairs = Pairs(
        np.repeat(n_units, counts),
        np.concatenate(([0], np.cumsum(ref_sizes))),
        np.concatenate([np.tile(ref, n) for ref, n in zip(refs, counts, strict=True)]),
        np.concatenate(([0], np.cumsum(hyp_sizes))),
        np.concatenate([choices.ravel() for choices in hyps]),
    )
    return np.split(metric.values(metric.rows(pairs, threads)), np.cumsum(counts)[:-1])


def _all_choices(
    pairs: Pairs,
    levels: tuple[Ranked, Ranked],
    candidates: tuple[Lists, Lists],
    samples: int,
    seed: int,
) -> Iterator[TiedChoices]:
    """The choices at each level of ref, document after document."""
    refs, hyps = levels
    for row in np.unique(refs.rows).tolist():
        n_units = int(pairs.n_units[row])
        r, h = slice(*pairs.ref_offsets[row : row + 2]), slice(*pairs.hyp_offsets[row : row + 2])
        ref, hyp = pairs.ref_positions[r].astype(np.int64), pairs.hyp_positions[h].astype(np.int64)
        # Each document has its own random numbers: its score does not depend on its place.
        content = zlib.crc32(hyp.tobytes(), zlib.crc32(ref.tobytes(), n_units & 0xFFFFFFFF))
        draw = np.random.default_rng([seed, content])
        sizes = hyps.sizes[slice(*hyps.offsets[row : row + 2])]
        for level in range(int(refs.offsets[row]), int(refs.offsets[row + 1])):
            wanted = int(refs.sizes[level])
            whole = int(np.searchsorted(sizes, wanted, side="right"))
            if whole:
                wanted -= int(sizes[whole - 1])
            whole_ranks = hyp[hyps.ranks[h] <= whole]
            tied: Int64Array | None = hyp[hyps.ranks[h] == whole + 1]
            if whole >= len(sizes):  # candidates (of hyp, else of ref, else all) without a boundary
                listed = next((c.at(row) for c in candidates[::-1] if c.at(row).size), None)
                tied = None if listed is None else np.setdiff1d(listed, hyp, assume_unique=True)
            n_tied = n_units - 1 - len(hyp) if tied is None else len(tied)
            ref_of_level = ref[refs.ranks[r] <= level - refs.offsets[row] + 1]
            wanted = min(wanted, n_tied)
            drawn = not _at_most(n_tied, wanted, samples)
            for chosen in _chosen(draw if drawn else None, n_tied, wanted, samples):
                positions = _unmarked(hyp, chosen) if tied is None else tied[chosen]
                both = [np.broadcast_to(whole_ranks, (len(chosen), len(whole_ranks))), positions]
                every = np.sort(np.concatenate(both, axis=1), axis=1)
                yield level, n_units, ref_of_level, every, drawn


def _unmarked(marked: Int64Array, indices: Int64Array) -> Int64Array:
    """Positions that are not marked, by their indices, without listing all: there may be
    billions."""
    free_before = marked - 1 - np.arange(len(marked))  # the index plus the marked positions before
    return indices + 1 + np.searchsorted(free_before, indices, side="right")


def _chosen(
    draw: "np.random.Generator | None", n: int, wanted: int, samples: int
) -> Iterator[NDArray[np.int64]]:
    """Sets of `wanted` out of n, a row each, in blocks of rows: `samples` random sets, or all."""
    rows = max(1, min(_ROWS, _CELLS // max(1, wanted)))
    if draw is not None:
        for done in range(0, samples, rows):
            yield _drawn(draw, n, wanted, min(rows, samples - done))
        return
    # If no place is wanted there is one choice, for any number of places.
    sets = combinations(range(n if wanted else 0), wanted)
    while block := list(islice(sets, rows)):
        yield np.array(block, np.int64).reshape(len(block), wanted)


def _drawn(draw: "np.random.Generator", n: int, wanted: int, samples: int) -> NDArray[np.int64]:
    """Floyd's method to draw a set, all samples at once: work and memory do not depend on n."""
    chosen = np.empty((samples, wanted), np.int64)
    for column, last in enumerate(range(n - wanted, n)):
        fresh = draw.integers(0, last + 1, samples)
        taken = (chosen[:, :column] == fresh[:, np.newaxis]).any(axis=1)
        chosen[:, column] = np.where(taken, last, fresh)
    return chosen


def _at_most(n: int, wanted: int, limit: int) -> bool:
    """Whether there are at most `limit` choices, without computing huge numbers."""
    fewer = min(wanted, n - wanted)
    if fewer > 64:
        return False  # at least 2^64
    return math.comb(n, fewer) <= limit


_MOST_SAMPLES = 10_000_000

_PK, _WINDOWDIFF, _WEIGHTED = range(3)  # measures, as the kernel numbers them


class LevelScore(NamedTuple):
    """The score of a level of a pair; its share in the whole is `boundaries` / |R|."""

    rank: int
    boundaries: int  # of exactly this rank, in the reference
    k: int | None  # the window; None for metrics that are averaged over choices
    error: float  # the metric at this level, averaged over tied choices
    standard_error: float  # of drawn choices; 0 if the average is exact


# The levels of ref in a batch; k, error and variance of each; and the rows of statistics.
_Levels = tuple[Ranked, Int64Array | None, Floats, Floats, Floats]


@dataclass(frozen=True)
class Hierarchical(Metric):
    """A metric over all levels of a ranked reference, averaged over ties in the hypothesis.

    Carroll (2010). The average is exact for `Pk` and `WindowDiff`. Candidates are those of the
    hypothesis, else of the reference, else every position. Undefined for a reference without
    boundaries.

    Parts: `levels` for a single pair (rank, boundaries, k, error, standard error), and
    `standard_error`. By name: `e-pk`, `e-wd` (with edges="wrap", as in the paper), `e-b` ….

    Parameters
    ----------
    metric: the metric to compute at each level; it must take one reference.
    k_from: for Pk and WindowDiff, what k is computed from: "level", the reference boundaries of
        each level, or "reference", all reference boundaries.
    linear_reference, linear_hypothesis: True ignores the ranks of that side.
    samples: number of choices to draw per level, for metrics other than Pk and WindowDiff. If there
        are at most that many choices, all are used.
    seed: random seed of that draw.

    >>> ref = Segmentation.from_boundaries([3, 6, 8], n_units=11, ranks=[2, 1, 2])
    >>> hyp = Segmentation.from_boundaries([6], n_units=11)
    >>> score = Hierarchical(WindowDiff(edges="wrap"))(ref, hyp)
    >>> round(score, 4)
    0.1886
    >>> [(level.rank, level.boundaries, level.k, round(level.error, 4)) for level in score.levels]
    [(1, 1, 3, 0.0), (2, 2, 1, 0.2828)]
    """

    name = "e-wd"  # of an object: e-, then the name of its metric
    higher_is_better = False  # of an object: as its metric
    perfect: ClassVar[float | None] = 0  # of an object: as its metric

    metric: Metric
    k_from: Literal["level", "reference"] = "level"
    linear_reference: bool = False
    linear_hypothesis: bool = False
    samples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.metric, Metric) or isinstance(self.metric, Hierarchical):
            raise SegmentationError(
                f"metric is {shown(self.metric)}: expected a metric for each level, for instance "
                "WindowDiff(edges='wrap')"
            )
        if self.metric.many_references:
            raise SegmentationError(
                f"metric is {self.metric.name}, which takes many references: expected a metric of "
                "one reference"
            )
        check_choice(self.k_from, "k_from", ("level", "reference"))
        if self.k_from == "reference" and not self._exact:
            raise SegmentationError(
                f"k_from is 'reference' and metric is {self.metric.name}: expected k_from='level', "
                "or Pk or WindowDiff"
            )
        for name in ("linear_reference", "linear_hypothesis"):
            truth(getattr(self, name), name)
        object.__setattr__(self, "samples", whole_number(self.samples, "samples", 2, _MOST_SAMPLES))
        object.__setattr__(self, "seed", whole_number(self.seed, "seed", 0))
        object.__setattr__(self, "name", hierarchical_name(self.metric))
        for name in ("higher_is_better", "perfect", "reading"):
            object.__setattr__(self, name, getattr(self.metric, name))
        object.__setattr__(self, "papers", ("carroll2010", *self.metric.papers))

    @property
    def value_range(self) -> tuple[float, float]:
        """The range of the inner metric."""
        return self.metric.value_range

    @property
    def _exact(self) -> bool:
        return isinstance(self.metric, Pk | WindowDiff)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Σ c_i·M_i, |R|, and the variance of the former where choices may be drawn."""
        return ("errors", "boundaries") if self._exact else ("errors", "boundaries", "variance")

    # ---- scoring ----

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return self.in_units(pairs.provenance)._levels(pairs, threads)[-1]

    def in_units(self, provenance: Provenance) -> Self:
        """The hierarchical metric with the parameters of the inner metric in units."""
        inner = self.metric.in_units(provenance)
        return self if inner is self.metric else replace(self, metric=inner)

    def values(self, rows: Floats) -> Floats:
        """The mean over reference boundaries of the metric at their level."""
        return ratio(rows[:, 0], rows[:, 1])

    def _levels(self, pairs: Pairs, threads: int | None = 1) -> _Levels:
        ref = ranked(pairs.ref_offsets, None if self.linear_reference else pairs.ref_ranks)
        hyp = ranked(pairs.hyp_offsets, None if self.linear_hypothesis else pairs.hyp_ranks)
        if isinstance(self.metric, Pk | WindowDiff):
            return self._expected(self.metric, pairs, ref, hyp, threads)
        return self._averaged(pairs, ref, hyp, threads)

    def _expected(
        self, metric: Pk | WindowDiff, pairs: Pairs, ref: Ranked, hyp: Ranked, threads: int | None
    ) -> _Levels:
        """The exact expectation of a window metric at each level."""
        listed = candidates(pairs)
        k = self._window_sizes(metric, pairs, ref)
        if metric.edges != "pad":
            too_wide = np.zeros(len(pairs), np.bool_)
            too_wide[ref.rows[k >= pairs.n_units[ref.rows]]] = True
            kept = ~too_wide[ref.rows]
            k = k[kept]
            starts = np.bincount(ref.rows[kept], minlength=len(pairs)).cumsum()
            offsets = np.concatenate(([0], starts))
            ref = Ranked(ref.ranks, offsets, ref.sizes[kept], ref.rows[kept])
        if isinstance(metric, Pk):
            measure = (_PK, metric.fn_weight, metric.fp_weight)
        else:
            measure = (_WEIGHTED if metric.weighted else _WINDOWDIFF, 1, 1)
        errors = np.zeros(len(k))
        rows = pairs.rows(
            hierarchy.expected_errors,
            2,
            ref.ranks,
            hyp.ranks,
            *listed[0],
            *listed[1],
            ref.offsets,
            ref.sizes,
            k,
            (EDGES.index(metric.edges), *measure),
            errors,
            threads=threads,
        )
        return ref, k, errors, np.zeros(len(k)), rows

    def _window_sizes(self, metric: Pk | WindowDiff, pairs: Pairs, ref: Ranked) -> Int64Array:
        """The k of each level."""
        boundaries = ref.sizes
        if self.k_from == "reference":
            boundaries = np.diff(pairs.ref_offsets)[ref.rows]
        k = np.empty(len(ref.sizes), np.int64)
        window.sizes(pairs.n_units[ref.rows], boundaries + 1, metric.rule, k)
        return k

    def _averaged(self, pairs: Pairs, ref: Ranked, hyp: Ranked, threads: int | None) -> _Levels:
        """The mean of any metric over tied choices at each level."""
        errors, variances = choice_values(
            self.metric, pairs, (ref, hyp), candidates(pairs), self.samples, self.seed, threads
        )
        own = _own_boundaries(ref)
        cells = np.stack([own * errors, own, own**2 * variances], axis=1)
        rows = np.zeros((len(pairs), 3))
        np.add.at(rows, ref.rows, cells)
        rows[np.isnan(rows).any(axis=1)] = 0
        return ref, None, errors, variances, rows

    # ---- parts ----

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """The statistics, the standard error of drawn choices, and the levels of a single pair."""
        parts = super().parts(row, pair)
        variance = parts.get("variance", 0.0)
        parts["standard_error"] = float(ratio(np.sqrt(variance), row[1]))
        if pair:
            parts["levels"] = self.levels(*pair)
        return parts

    def levels(self, ref: Segmentation, hyp: Segmentation) -> list[LevelScore]:
        """The score of each level, the most prominent first; none if it is undefined."""
        levels, k, errors, variances, _ = self._levels(Pairs.of_one(ref, hyp))
        own = _own_boundaries(levels).tolist()
        sizes = [None] * len(own) if k is None else k.tolist()
        columns = zip(own, sizes, errors.tolist(), np.sqrt(variances).tolist(), strict=True)
        return [LevelScore(rank, *column) for rank, column in enumerate(columns, 1)]

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: no boundary in the reference, or no value at some level."""
        if pairs.ref_offsets[row] == pairs.ref_offsets[row + 1]:
            return "the reference has no boundary, so no level"
        return f"{self.metric.name} is undefined at one of the levels of the reference"

    # ---- texts ----

    def signature_fields(self) -> dict[str, Any]:
        """The parameters of the metric, then those of the hierarchy."""
        own = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return {**self.metric.signature_fields(), **own}

    def plain(self) -> "Hierarchical":
        """The metric that the name without parameters means."""
        return hierarchical(type(self.metric))


def _own_boundaries(levels: Ranked) -> Int64Array:
    """The number of boundaries of exactly the rank of each level (c_i)."""
    own = np.diff(levels.sizes, prepend=0)
    first = levels.offsets[:-1][np.diff(levels.offsets) > 0]
    own[first] = levels.sizes[first]
    return own


def hierarchical_name(metric: "Metric | type[Metric]") -> str:
    """`e-` and the name of the inner metric; for WindowDiff its short name."""
    return "e-wd" if metric.name == WindowDiff.name else f"e-{metric.name}"


def hierarchical(kind: type[Metric], **values: Any) -> Hierarchical:
    """A hierarchical metric from the parameters of both, as a spec gives them.

    >>> hierarchical(WindowDiff, k=3, linear_reference=True)
    Hierarchical(metric=WindowDiff(k=3, rounding='half-even', min_k=1, k_offset=0, edges='wrap', weighted=False), k_from='level', linear_reference=True, linear_hypothesis=False, samples=1000, seed=0)
    """  # noqa: E501
    names = {field.name for field in fields(Hierarchical)[1:]}
    own = {name: value for name, value in values.items() if name in names}
    inner = {name: value for name, value in values.items() if name not in names}
    if issubclass(kind, Pk | WindowDiff):
        inner = {"edges": "wrap", **inner}
    return Hierarchical(kind(**inner), **own)
