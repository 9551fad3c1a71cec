"""`segscore score` of JSON Lines files that are too large to hold: averages in bounded memory."""

from pathlib import Path
from typing import TYPE_CHECKING

from segscore.cli.output import remark, warn_of_pairing

if TYPE_CHECKING:
    from segscore.pairing.pairs import Pairs
    from segscore.pairing.rules import Missing
    from segscore.scoring.accumulated import Accumulated
    from segscore.scoring.accumulator import Accumulator

LARGE = 64 * 2**20  # bytes of both files; smaller ones are read at once


def is_large(reference: Path, hypotheses: list[Path]) -> bool:
    """Whether all files are JSON Lines of codings, and some pair of them is large."""
    files = [reference, *hypotheses]
    if not all(one.suffix in (".jsonl", ".ndjson") and one.is_file() for one in files):
        return False
    sizes = [one.stat().st_size for one in files]
    if sizes[0] + max(sizes[1:], default=0) < LARGE:
        return False
    from segscore.io.chunk_sources import holds_chunks

    if any(holds_chunks(one, None) for one in files):
        return False
    from segscore.io.files import Source
    from segscore.io.jsonl_header import file_header

    # what a first line says of the units is kept only by those that are read at once
    return not any(file_header(Source(one, one.stem, "")) for one in files)


def score_streams(
    reference: Path,
    hypotheses: list[Path],
    metrics: list[str],
    *,
    missing: "Missing",
    ignore_text: bool,
    undefined: str,
    threads: int | None,
    checked: bool,
) -> "Accumulated":
    """The averages of each hypothesis."""
    from segscore.pairing.streams import stream_pairs
    from segscore.scoring.accumulator import Accumulator

    total = Accumulator(metrics)
    for path in hypotheses:
        here, seen, n_skipped = Accumulator(metrics), set[str](), 0
        for batch in stream_pairs(reference, path, missing, ignore_text):
            if not batch:  # they start again
                here, seen, n_skipped = Accumulator(metrics), set(), 0
            for pairing in batch:
                n_skipped += len(pairing.without_hypothesis) + len(pairing.without_reference)
                if not len(pairing.pairs):
                    continue
                name = pairing.hypothesis
                if checked and name not in seen:  # a look at some of them must do
                    warn_of_pairing(pairing, reference.stem, path)
                seen.add(name)
                if undefined == "raise":
                    _check(pairing.pairs, total, threads)
                name = f"{name} ({path})" if name in total.systems else name
                here.update(pairing.pairs, system=name, threads=threads)
        if n_skipped:
            remark(f"{path}: {n_skipped} documents skipped (missing on one side)")
        total += here
    return total.result()


def _check(pairs: "Pairs", total: "Accumulator", threads: int | None) -> None:
    from segscore.metrics.base import rows_of_metrics

    metrics = list(total.metrics.values())
    for metric, rows in zip(metrics, rows_of_metrics(metrics, pairs, threads), strict=True):
        metric.check_defined(pairs, metric.values(rows))
