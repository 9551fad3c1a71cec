"""Hierarchical error: exact, against drawing tied choices in NumPy; huge documents; many levels."""

import numpy as np
from reproduction.corpora import choi as excerpts
from reproduction.runs import NoDataError, open_run

import segscore as ss
from benchmarks.timing import best_of, print_table, times

SAMPLES = 1000
DRAWN = 8  # documents on which the peer is timed
METRICS = ("e-pk", "e-wd")


def drawn(ref: ss.Segmentation, rng: np.random.Generator) -> tuple[float, float]:
    """E_Pk and E_WD of NONE (wrap) as in Carroll (2010): draw, count per window, average."""
    n, k, wanted = ref.n_units, ss.WindowDiff().window_size(ref), ref.n_segments - 1
    candidates = ref.candidates
    assert candidates is not None
    keys = rng.random((SAMPLES, len(candidates)))
    chosen = candidates[keys.argpartition(wanted - 1, axis=1)[:, :wanted]]
    in_ref = _in_windows(ref.boundaries[np.newaxis], n, k)
    in_hyp = _in_windows(chosen, n, k)
    return float(((in_ref > 0) != (in_hyp > 0)).mean()), float((in_ref != in_hyp).mean())


def _in_windows(positions: np.ndarray, n: int, k: int) -> np.ndarray:
    """Boundaries in each of the n windows, for each row of positions."""
    marks = np.zeros((len(positions), n + k), np.int32)
    np.put_along_axis(marks, positions, 1, axis=1)
    marks[:, n:] = marks[:, :k]
    before = np.cumsum(marks, axis=1, dtype=np.int32)
    return before[:, k:] - before[:, :n]


def choi() -> None:
    """NONE on Choi's 3-11 subset, in words."""
    try:
        refs = [one.reference for one in excerpts(open_run(), "3-11")]
    except NoDataError:
        print("\nthe corpus 'choi' is not on this machine: run `segscore data fetch choi`")
        return
    hyps = [ss.baselines.none(ref.n_units, candidates=ref.candidates) for ref in refs]
    pairs = ss.Pairs.from_segmentations(refs, hyps)
    rng = np.random.default_rng(0)
    ours, objects, theirs = best_of(
        3,
        lambda: ss.score(pairs, metrics=METRICS, threads=1),
        lambda: ss.score(refs, hyps, metrics=METRICS, threads=1),
        lambda: [drawn(ref, rng) for ref in refs[:DRAWN]],
    )
    theirs *= len(refs) / DRAWN
    print_table(
        f"E_Pk and E_WD of NONE, {len(refs)} documents of Choi's 3-11, one thread",
        ["", "per document", f"NumPy, {SAMPLES} draws / segscore"],
        [
            ["segscore, from Pairs", f"{ours / len(refs) * 1e6:.1f} µs", times(theirs / ours)],
            ["segscore, from Segmentations", f"{objects / len(refs) * 1e6:.1f} µs",
             times(theirs / objects)],
        ],
    )  # fmt: skip


def growth() -> None:
    """Cost grows with candidates and levels, not with units."""
    rng = np.random.default_rng(1)
    cases = {
        "N=10⁵, 100 boundaries, 3 levels": (10**5, None, 3),
        "N=10⁹, 100 boundaries, 3 levels": (10**9, None, 3),
        "N=10⁹, 10⁴ candidates, 3 levels": (10**9, 10**4, 3),
        "N=10⁹, 10⁵ candidates, 3 levels": (10**9, 10**5, 3),
        "N=10⁹, 10⁵ candidates, 6 levels": (10**9, 10**5, 6),
    }
    tasks = []
    for n_units, n_candidates, levels in cases.values():
        places = None
        if n_candidates:
            places = np.unique(rng.integers(1, n_units, n_candidates))
        pool = np.unique(rng.integers(1, n_units, 400)) if places is None else places
        ref, hyp = (
            ss.Segmentation.from_boundaries(
                rng.choice(pool, size, replace=False),
                n_units,
                ranks=rng.integers(1, levels + 1, size),
                candidates=places,
            )
            for size in (100, 5)
        )
        pairs = ss.Pairs.from_segmentations([ref], [hyp])
        tasks.append(lambda pairs=pairs: ss.score(pairs, metrics=METRICS, threads=1))
    seconds = best_of(7, *tasks)
    print_table(
        "E_Pk and E_WD of one document",
        ["case", "time", "to the first"],
        [
            [case, f"{s * 1e6:,.0f} µs", times(s / seconds[0])]
            for case, s in zip(cases, seconds, strict=True)
        ],
    )


def run() -> None:
    """All cases."""
    choi()
    growth()
