"""`segscore benchmark DATA…`, or `--corpus NAME`: segmenters over a corpus, compared, or by --tune
settings of one of them."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore.cli import options as opts
from segscore.cli.commands import OWN, argument, option
from segscore.cli.output import REPORT, Output, remark_all, with_progress, write_report
from segscore.errors import SegmentationError
from segscore.metrics.statistics import Average

if TYPE_CHECKING:
    from collections.abc import Mapping

    from segscore.corpus.corpus import Document

_USUAL = "c99 utiyama-isahara texttiling"
_SEGMENTER = re.compile(r"(?:[^\s(]|\([^)]*\)?)+")  # spaces in parentheses are part of it

_KEYS = ("text_encoding", "lenient", "large", "keep_headings", "unfinished")


def run(
    *,
    data: list[Path] | None = argument(
        "[DATA…]", "Corpora with text, files or folders; or --corpus.", None
    ),
    corpus_name: str | None = option("--corpus", OWN, "A corpus of `segscore data`: choi.", "NAME"),
    named: list[str] | None = option(
        "--method", OWN, 'A segmenter, or several: "c99 texttiling(w=10)".', "METHOD"
    ),
    metrics: list[str] | None = opts.METRICS,
    segments: str | None = option(
        "--segments -n", OWN, "How many: reference, auto, or 12.", "NUMBER"
    ),
    tuned: bool = option("--tune", OWN, "The best settings of one --method on DATA."),
    grid: list[str] | None = option(
        "--vary", OWN, "With --tune: values to try, preference=-4,-8.", "NAME=VALUES"
    ),
    reference: str | None = option("--reference", OWN, "The coder who is the reference.", "CODER"),
    source: str | None = opts.FORMAT,
    average: Average = opts.AVERAGE,
    read: list[str] | None = opts.TEXT_READ,
    methods: opts.MethodOptions,
    workers: int | None = opts.WORKERS,
    report: Path | None = REPORT,
    output: Output,
) -> None:
    """Run segmenters over a corpus, and print how they compare.

    By default c99, utiyama-isahara and texttiling, with as many segments as the reference has. The
    table has scores with intervals and significant differences, the baselines none, random and
    uniform, and seconds per document. Outputs of systems that are in the corpus are compared, too.

    With --tune the table has the settings of one segmenter, each with its score and an interval.
    Do not report scores on the documents that were used for tuning.
    """
    from segscore.datasets import load
    from segscore.metrics import DEFAULT_METRICS
    from segscore.segmenters import benchmarking

    usual = _USUAL if methods.encoder is None else "embedding"
    names = _SEGMENTER.findall(" ".join(named or [usual]))
    if tuned and (len(names) != 1 or len(metrics or ()) > 1 or report is not None):
        raise SegmentationError(
            "--tune is for one --method and at most one -m, and makes no --report"
        )
    values = _grid(grid) if tuned else None
    methods.check(names)
    if segments not in (None, "reference"):
        number: Any = opts.number_of_segments(segments, "reference")
    else:
        number = segments or ("default" if tuned else "reference")
    if (corpus_name is None) != bool(data) or (corpus_name and (source or read)):
        raise SegmentationError(
            "expected texts, or --corpus NAME alone, which has a format of its own"
        )
    corpus = load(corpus_name) if corpus_name else _documents(data or [], source, read)
    texts = {name: each.units for name, each in corpus.items() if each.units is not None}
    made = methods.segmenters(names, texts)
    common: dict[str, Any] = {
        "n_segments": number,
        "workers": workers,
        "progress": with_progress,
        "reference": reference,
        "average": average,
    }
    if tuned:
        metric, (name,) = metrics[0] if metrics else "windowdiff", names
        found = benchmarking.tune(corpus, made[name], metric, name=name, grid=values, **common)
        output.show(found.to_table())
        return
    result = benchmarking.benchmark(corpus, made, metrics=metrics or DEFAULT_METRICS, **common)
    output.show(result.to_table())
    write_report(result, report)


def _grid(given: list[str] | None) -> dict[str, list[Any]] | None:
    """The values of --vary, by parameter."""
    from segscore.basics.specs import parameter_value

    values: dict[str, list[Any]] = {}
    for text in given or ():
        key, _, listed = text.partition("=")
        options = [parameter_value(cell.strip()) for cell in listed.split(",") if cell.strip()]
        if not key.strip() or not options:
            raise SegmentationError(
                f"--vary is {text!r}: expected a parameter and its values, preference=-4,-6,-8"
            )
        values.setdefault(key.strip(), []).extend(options)
    return values or None


def _documents(
    paths: list[Path], source: str | None, read_keys: list[str] | None
) -> "Mapping[str, Document]":
    """The documents of files and folders."""
    from segscore.io import read

    remarks: list[str] = []
    try:
        return read(paths, source, remark=remarks.append, **opts.keys_in(read_keys, *_KEYS))
    finally:
        remark_all(remarks)
