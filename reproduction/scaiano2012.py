"""Martin Scaiano & Diana Inkpen (2012): Getting More from Segmentation Evaluation. NAACL 2012.

Tables 1 and 2: five hypotheses A-E for a text of two segments of six units, with "window size 3":
its edges are inclusive, so that a window holds four potential boundaries.

The boundaries of E are those by which the tests of segeval 1.0 transcribe it.

- Table 1 slides WindowDiff over all 13 edges of the twelve units, the start and the end of the text
  among them, and D has a boundary on the start. That is no segmentation, so this table is
  recomputed on bare lists of edges.
- Table 2 is WinPR; D's extra boundary stands behind the first unit (any place gives the same). The
  paper's eq. 5 would count two more windows, 52 places in all; the table has the right 44.

Sections 3.2 and 3.3: 40 segments with a mean of 40 units and a standard deviation of 10 to 120;
hypotheses with 20 boundaries more, or 18 fewer. With the windows of WinPR every boundary counts k
times, so that the places where they stand do not matter; here they are random. WindowDiff depends
on them: both numbers of section 3.3 come out if the sizes of segments have a standard deviation of
20 to 25 (ours 22, mean over random references and hypotheses). With segments of equal size 18
removed boundaries would give .228, with a deviation of 40 .203.
"""

from collections.abc import Callable, Collection

import numpy as np

from reproduction.cells import Formulas
from reproduction.runs import Run
from segscore.coding.segmentation import Segmentation
from segscore.metrics import Score, WinPR
from segscore.scoring.scoring import score
from segscore.simulate import baselines

# ---- tables 1 and 2 ----

REFERENCE, N_UNITS = {6}, 12
N_EDGES, WINDOW = 13, 4  # of table 1: edges 0 … 12
EDGES = {"A": {6}, "B": set[int](), "C": {5}, "D": {0, 6}, "E": {5, 6, 7}}
BOUNDARIES = {**EDGES, "D": {1, 6}}


def window_diff_on_edges(
    ref: Collection[int], hyp: Collection[int], n_edges: int, window: int
) -> float:
    """The share of windows of `window` edges in which the numbers of boundaries differ."""
    starts = range(n_edges - window + 1)
    spans = [range(start, start + window) for start in starts]
    differ = [sum(e in span for e in ref) != sum(e in span for e in hyp) for span in spans]
    return sum(differ) / len(spans)


def on_edges(_run: Run, example: str, what: str) -> float:
    """A cell of table 1."""
    wrong = window_diff_on_edges(REFERENCE, EDGES[example], N_EDGES, WINDOW)
    windows = N_EDGES - WINDOW + 1
    if what == "WindowDiff":
        return wrong
    return windows * ((1 - wrong) if what == "windows correct" else wrong)


def winpr(example: str, n_units: int = N_UNITS, k: int | None = None) -> Score:
    """WinPR of an example, in a text of `n_units` units."""
    both = (REFERENCE, BOUNDARIES[example])
    ref, hyp = (Segmentation.from_boundaries(sorted(boundaries), n_units) for boundaries in both)
    return WinPR(k=k)(ref, hyp)


# ---- sections 3.2 and 3.3 ----

N_SEGMENTS = 40
MEAN_SIZE = 40
DEVIATIONS = (10, 40, 120)
DRAWS = 500  # of references and hypotheses, for WindowDiff
EXTRA, REMOVED = 20, 18


def with_extra(ref: Segmentation, chance: np.random.Generator) -> Segmentation:
    """The reference and `EXTRA` more boundaries, anywhere."""
    free = np.setdiff1d(np.arange(1, ref.n_units), ref.boundaries)
    more = chance.choice(free, EXTRA, replace=False)
    return Segmentation.from_boundaries([*ref.boundaries, *more], ref.n_units)


def with_removed(ref: Segmentation, chance: np.random.Generator) -> Segmentation:
    """The reference without `REMOVED` of its boundaries."""
    kept = chance.choice(ref.boundaries, len(ref.boundaries) - REMOVED, replace=False)
    return Segmentation.from_boundaries(kept, ref.n_units)


HYPOTHESES: dict[str, Callable[[Segmentation, np.random.Generator], Segmentation]] = {
    "20 extra": with_extra,
    "18 removed": with_removed,
}


def simulated(name: str, seed: int = 0) -> Score:
    """WinPR of a hypothesis against a random reference."""
    chance = np.random.default_rng(seed)
    ref = baselines.random(N_SEGMENTS * MEAN_SIZE, n_segments=N_SEGMENTS, rng=chance)
    return WinPR()(ref, HYPOTHESES[name](ref, chance))


def with_deviation(deviation: float, chance: np.random.Generator) -> Segmentation:
    """Segments whose sizes have this standard deviation: gamma-distributed, one unit at least."""
    shape = (MEAN_SIZE / deviation) ** 2
    sizes = chance.gamma(shape, MEAN_SIZE / shape, N_SEGMENTS)
    return Segmentation.from_masses(np.maximum(1, sizes.round()).astype(int).tolist())


def times_counted(_run: Run, name: str, deviation: float) -> float:
    """Errors in the windows of WinPR, divided by k: the number of boundaries behind them."""
    chance = np.random.default_rng(DEVIATIONS.index(deviation))
    ref = with_deviation(deviation, chance)
    found = WinPR()(ref, HYPOTHESES[name](ref, chance))
    return float((found.raw["fp"] + found.raw["fn"]) / found.k)


def window_diff(_run: Run, name: str, deviation: float) -> float:
    """WindowDiff with sizes of this deviation, mean over references and hypotheses."""
    chance = np.random.default_rng(0)
    refs = [with_deviation(deviation, chance) for _ in range(DRAWS)]
    hyps = [HYPOTHESES[name](ref, chance) for ref in refs]
    return float(score(refs, hyps, "windowdiff")["windowdiff"].macro)


FORMULAS: Formulas = {
    "on edges": on_edges,
    "WindowDiff of C, divided by": lambda run, n: on_edges(run, "C", "windows incorrect") / n,
    "count": lambda _, example, count, k=None: winpr(example, k=k).raw[count],
    "rate": lambda _, example, rate: winpr(example).parts[rate],
    "total": lambda _, example, n_units: sum(winpr(example, n_units, WINDOW).raw.values()),
    "errors counted": times_counted,
    "WindowDiff": window_diff,
    "rate of simulated": lambda _, name, rate: simulated(name).parts[rate],
}
