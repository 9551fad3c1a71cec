"""Resampling: a comparison as matrix products against loops that compute the metrics again."""

import numpy as np

import segscore as ss
from benchmarks.batches import random_batch
from benchmarks.timing import best_of, print_table, times

DOCUMENTS, SYSTEMS, RESAMPLES = 700, 5, 10_000
METRICS = ("pk", "pk-prime", "windowdiff", "winpr", "f1", "f1(tolerance=2)")
LOOPED = 2  # resamples that the loops really compute; the time of the rest is estimated


def run() -> None:
    """10,000 resamples over 700 documents, 5 systems and 6 metrics, with every test of a pair."""
    batches = [random_batch(DOCUMENTS, 60, 6, seed=seed) for seed in range(SYSTEMS)]
    names = [str(i) for i in range(DOCUMENTS)]
    refs = [batches[0].reference(i) for i in range(DOCUMENTS)]
    hyps = [[batch.hypothesis(i) for i in range(DOCUMENTS)] for batch in batches]
    corpus = dict(zip(names, refs, strict=True))
    systems = {f"s{j}": dict(zip(names, side, strict=True)) for j, side in enumerate(hyps)}
    metrics = [ss.metric(text) for text in METRICS]

    def compare(test: str) -> None:
        comparison = ss.compare(
            corpus, systems=systems, metrics=METRICS, baselines=[], test=test,  # type: ignore[arg-type]
            n_resamples=RESAMPLES,
        )  # fmt: skip
        assert len(comparison.entries) == SYSTEMS * len(METRICS)  # this computes them

    def draws() -> np.ndarray:
        return np.random.default_rng(0).integers(0, DOCUMENTS, (LOOPED, DOCUMENTS))

    def pair_by_pair() -> None:
        for drawn in draws():
            for side in hyps:
                for metric in metrics:
                    rows = [metric.score_pair(refs[i], side[i])[0] for i in drawn]
                    metric.values(np.sum(rows, axis=0)[np.newaxis])

    def batch_by_batch() -> None:
        for drawn in draws():
            for side in hyps:
                ss.score([refs[i] for i in drawn], [side[i] for i in drawn], metrics, threads=1)

    bootstrap, swaps = best_of(3, lambda: compare("bootstrap"), lambda: compare("randomisation"))
    loop, batch = (
        seconds * RESAMPLES / LOOPED for seconds in best_of(2, pair_by_pair, batch_by_batch)
    )
    print_table(
        f"{RESAMPLES:,} resamples, {DOCUMENTS} documents, {SYSTEMS} systems, 6 metrics",
        ["ss.compare", "seconds", "loop over pairs / segscore", "loop over ss.score / segscore"],
        [
            [name, f"{seconds:.2f}", times(loop / seconds), times(batch / seconds)]
            for name, seconds in (
                ("intervals and paired bootstrap", bootstrap),
                ("intervals, bootstrap and randomisation", swaps),
            )
        ],
    )
