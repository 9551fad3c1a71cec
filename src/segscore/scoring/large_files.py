"""Averages of JSON Lines files that do not fit in memory, in a single pass.

`pairing.streams.is_large` says which files are.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from segscore.metrics import Metric, distinct_metrics
from segscore.metrics.base import OnUndefined
from segscore.pairing.boundary_ratio import ratio_of_totals
from segscore.pairing.documents import name_with_file
from segscore.pairing.failures import Failures, Missing
from segscore.pairing.pairing import Pairing
from segscore.pairing.pairs import Pairs
from segscore.pairing.streams import stream_pairs
from segscore.scoring.accumulator import Accumulator
from segscore.scoring.results import Result


def score_large(
    reference: Path,
    hypotheses: Iterable[Path],
    metrics: str | Metric | Iterable[str | Metric],
    *,
    missing: Missing = "error",
    ignore_text: bool = False,
    on_undefined: OnUndefined = "raise",
    threads: int | None = None,
    look: Callable[[Pairing, Path], None] | None = None,
) -> dict[str, Result[Any]]:
    """The averages of each coder of each hypothesis file, by name, with the file if two files have
    the same name.

    Other parameters are those of `score`. look: called with the first documents of each coder, and
    their file.
    """
    asked = distinct_metrics(metrics)
    results: dict[str, Result[Any]] = {}
    paths = list(hypotheses)
    for path in paths:
        batches = stream_pairs(reference, path, missing, ignore_text)
        found = _averages_of_coders(
            batches, list(asked), missing, on_undefined, threads, look, path
        )
        for coder, result in found.items():
            results[name_with_file(coder, path, paths, results)] = result
    return results


def _averages_of_coders(
    batches: Iterable[list[Pairing]],
    metrics: list[str | Metric],
    missing: Missing,
    on_undefined: OnUndefined,
    threads: int | None,
    look: Callable[[Pairing, Path], None] | None,
    path: Path,
) -> dict[str, Result[Any]]:
    sums: dict[str, Accumulator] = {}
    skipped: dict[str, list[str]] = {}
    failed: dict[str, list[str]] = {}  # documents without a hypothesis
    first: dict[str, Pairs] = {}  # some documents of each coder
    counts: dict[str, list[int]] = {}  # boundaries of hypotheses, and of references
    for batch in batches:
        if not batch:  # they start again
            sums, skipped, failed, first, counts = {}, {}, {}, {}, {}
        for pairing in batch:
            coder, pairs = pairing.hypothesis, pairing.pairs
            total = sums.setdefault(coder, Accumulator(metrics))
            lost = [*pairing.without_hypothesis, *pairing.without_reference]
            skipped.setdefault(coder, []).extend(lost)
            failed.setdefault(coder, []).extend(pairing.without_hypothesis)
            if not len(pairs):
                continue
            if look is not None and coder not in first:
                look(pairing, path)
            first.setdefault(coder, pairs)
            total.update(pairs, threads=threads, on_undefined=on_undefined)
            both = counts.setdefault(coder, [0, 0])
            both[:] = both[0] + len(pairs.hyp_positions), both[1] + len(pairs.ref_positions)
    results = {}
    for coder, total in sums.items():
        n = total.n_documents + len(failed[coder])
        lost_ones = Failures.of(missing, failed[coder], {}, n)
        ratio = ratio_of_totals(*counts.get(coder, (0, 0)))
        results[coder] = total.result(skipped=skipped[coder], failures=lost_ones, ratio=ratio)
    if on_undefined == "raise":
        for coder, result in results.items():
            for average in result.averages:
                average.metric.check_answer(first[coder], average.micro, n_documents=len(average))
    return results
