# mypy: disable-error-code="no-untyped-call, attr-defined, misc"
"""Pk and WindowDiff: batches, one pair, huge documents; against NLTK, segeval and NumPy's sum."""

import time
import timeit
from importlib.metadata import version

import numpy as np
import segeval
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

import segscore as ss
from benchmarks.batches import random_batch, repeated
from benchmarks.timing import best_of, print_table, times
from segscore._kernels import one_pass

CASES = [  # units, boundaries, documents, of which peers score so many
    (60, 6, 200_000, 400),
    (500, 20, 50_000, 60),
    (3000, 100, 10_000, 12),
]


def batches() -> None:
    """Pk and WindowDiff together, one thread and two."""
    rows = []
    for n_units, boundaries, documents, sample in CASES:
        distinct = documents // 10
        once = random_batch(distinct, n_units, boundaries)
        pairs = repeated(once, 10)
        two = [(once.reference(i), once.hypothesis(i)) for i in range(sample)]
        gaps = [tuple(_gaps(segmentation) for segmentation in pair) for pair in two]
        masses = [
            tuple(tuple(segmentation.masses.tolist()) for segmentation in pair) for pair in two
        ]
        sizes = [ss.WindowDiff().window_size(ref) for ref, _ in two]

        def nltk(gaps=gaps, sizes=sizes) -> None:  # type: ignore[no-untyped-def]
            for (ref, hyp), k in zip(gaps, sizes, strict=True):
                nltk_pk(ref, hyp, k)
                nltk_windowdiff(ref, hyp, k)

        def theirs(masses=masses) -> None:  # type: ignore[no-untyped-def]
            for ref, hyp in masses:
                segeval.pk(hyp, ref)
                segeval.window_diff(hyp, ref)

        ours, both, floor, of_nltk, of_segeval = best_of(
            5,
            lambda pairs=pairs: ss.score(pairs, metrics=["pk", "windowdiff"], threads=1),
            lambda pairs=pairs: ss.score(pairs, metrics=["pk", "windowdiff"], threads=2),
            lambda pairs=pairs: (pairs.ref_positions.sum(), pairs.hyp_positions.sum()),
            nltk,
            theirs,
        )
        each = ours / documents
        rows.append(
            [
                f"N={n_units}, {boundaries} boundaries, {documents:,} documents",
                f"{each * 1e9:.0f} ns",
                times(of_nltk / sample / each),
                times(of_segeval / sample / each),
                times(ours / floor),
                times(ours / both),
            ]
        )
    print_table(
        "Pk and WindowDiff together, in batch, one thread",
        ["case", "segscore, per document", f"NLTK {version('nltk')} / segscore",
         f"segeval {version('segeval')} / segscore", "segscore / NumPy sum",
         "one thread / two"],
        rows,
    )  # fmt: skip


FIVE = ("pk", "windowdiff", "winpr", "b", "f1")


def together() -> None:
    """Five metrics in one pass and each alone; rows of bits and portable code."""
    rows = []
    before = one_pass.bits_in_use()
    for n_units, boundaries, documents, _ in CASES:
        pairs = repeated(random_batch(documents // 50, n_units, boundaries), 10)

        def scored(metrics, bits=True, pairs=pairs):  # type: ignore[no-untyped-def]
            one_pass.bits_in_use(bits)
            ss.score(pairs, metrics=metrics, threads=1)

        tasks = [lambda: scored(FIVE), lambda: scored(FIVE, bits=False)]
        tasks += [lambda name=name: scored([name]) for name in FIVE]
        five, portable, *alone = best_of(15, *tasks, clock=time.thread_time)
        each = [f"{seconds / len(pairs) * 1e9:.0f} ns" for seconds in (*alone, five)]
        rows.append([f"N={n_units}", *each, f"{five / max(alone):.1f}", times(portable / five)])
    one_pass.bits_in_use(before)
    columns = ["case", *FIVE, "all five", "of the slowest alone", "portable code / rows of bits"]
    print_table("Several metrics in one pass, one thread, per document", columns, rows)


def one_pair() -> None:
    """A single pair through the public call."""
    pairs = random_batch(1, 60, 6, seed=4)
    ref, hyp = pairs.reference(0), pairs.hypothesis(0)
    metric = ss.WindowDiff()
    k, gaps = metric.window_size(ref), (_gaps(ref), _gaps(hyp))
    calls = 2000

    def each(call) -> float:  # type: ignore[no-untyped-def]
        return min(timeit.repeat(call, number=calls, repeat=7)) / calls

    ours, with_metric = each(lambda: metric(ref, hyp)), each(lambda: ss.WindowDiff()(ref, hyp))
    peer = each(lambda: nltk_windowdiff(*gaps, k))
    print_table(
        "WindowDiff of one pair, N=60",
        ["call", "time", "NLTK / segscore"],
        [
            ["metric(ref, hyp)", f"{ours * 1e6:.2f} µs", times(peer / ours)],
            ["ss.WindowDiff()(ref, hyp)", f"{with_metric * 1e6:.2f} µs", times(peer / with_metric)],
        ],
    )


def vast() -> None:
    """The same number of boundaries in documents of different lengths."""
    rng = np.random.default_rng(1)
    tasks = []
    lengths = (10**4, 10**9)
    for n_units in lengths:
        refs, hyps = (
            [
                ss.Segmentation.from_boundaries(
                    np.unique(rng.integers(1, n_units, 110))[:100], n_units
                )
                for _ in range(2000)
            ]
            for _ in range(2)
        )
        pairs = ss.Pairs.from_segmentations(refs, hyps)
        tasks.append(lambda pairs=pairs: ss.score(pairs, metrics=["pk", "windowdiff"], threads=1))
    seconds = best_of(7, *tasks)
    print_table(
        "100 boundaries in N units, Pk and WindowDiff, per document",
        ["N=10⁴", "N=10⁹", "ratio"],
        [[f"{s / 2000 * 1e9:.0f} ns" for s in seconds] + [times(seconds[1] / seconds[0])]],
    )


def _gaps(segmentation: ss.Segmentation) -> str:
    symbols = np.full(segmentation.n_units - 1, "0")
    symbols[segmentation.boundaries - 1] = "1"
    return "".join(symbols)


def run() -> None:
    """All cases."""
    batches()
    together()
    one_pair()
    vast()
