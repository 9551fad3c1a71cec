"""`segscore benchmark DATA…`, or `--corpus NAME`: segmenters over a corpus, compared."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import Section
from segscore.cli.options import MetricsOption
from segscore.cli.output import Output, ReportOption, with_progress, write_page
from segscore.cli.segmenter_options import (
    MethodOptions,
    TextCorpusOptions,
    WorkersOption,
    announced,
    number_of_segments,
    refuse_other,
    texts_of,
)
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from segscore.corpus.corpus import Document

_USUAL = "c99 utiyama-isahara texttiling"
_SEGMENTER = re.compile(r"(?:[^\s(]|\([^)]*\)?)+")  # spaces in parentheses are part of it

DataArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[DATA…]", help="Corpora with text, files or folders; or --corpus."),
]
CorpusOption = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        rich_help_panel=Section.COMPARED,
        help="A corpus by its name in `segscore data`, such as choi.",
    ),
]
MethodsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--method",
        "--methods",
        rich_help_panel=Section.SEGMENTERS,
        metavar="METHOD",
        help='A segmenter, or several, separated by spaces: "c99 texttiling(w=10)". May be '
        f"repeated. By default {_USUAL}.",
    ),
]
SegmentsOption = Annotated[
    str,
    typer.Option(
        "--segments",
        "-n",
        rich_help_panel=Section.SEGMENTERS,
        metavar="NUMBER",
        help="Number of segments; reference: as many as the reference has; auto: the method "
        "decides.",
    ),
]


def run(
    *,
    data: DataArgument = None,
    corpus_name: CorpusOption = None,
    named: MethodsOption = None,
    metrics: MetricsOption = None,
    segments: SegmentsOption = "reference",
    corpora: TextCorpusOptions,
    methods: MethodOptions,
    workers: WorkersOption = None,
    report: ReportOption = None,
    output: Output,
) -> None:
    """Run segmenters over a corpus, and print how they compare.

    `segscore benchmark FOLDER`, `segscore benchmark *.dev`, or `segscore benchmark --corpus choi`
    with a corpus that `segscore data fetch` has fetched. Outputs of systems that are in the corpus,
    as in carroll2010, are also compared.

    The table has scores with intervals, which differences are significant, the baselines none,
    random and uniform, and the seconds that each segmenter takes per document. A note says so if no
    segmenter is better than a baseline.
    """
    from segscore.metrics import DEFAULT_METRICS
    from segscore.segmenters import benchmarking

    for metric in metrics or ():
        refuse_other(metric, "-m", "metric", ", or --method")
    usual = _USUAL if methods.encoder is None else "embedding"
    names = _SEGMENTER.findall(" ".join(named or [usual]))
    for name in names:
        refuse_other(name, "--method", "segmenter", "; -m takes metrics")
    methods.check(names)
    corpus = _corpus(data, corpus_name, corpora)
    texts = texts_of(corpus)
    made = methods.made(names, texts)
    result = benchmarking.benchmark(
        corpus,
        {name: announced(segmenter, texts.values()) for name, segmenter in made.items()},
        n_segments=segments
        if segments == "reference"
        else number_of_segments(segments, "reference"),
        workers=workers,
        progress=with_progress,
        metrics=metrics or DEFAULT_METRICS,
        **corpora.settings,
    )
    output.show(result.to_table())
    write_page(result, report)


def _corpus(
    data: list[Path] | None, name: str | None, corpora: TextCorpusOptions
) -> "Mapping[str, Document]":
    """The documents of files and folders, or the corpus of this name that is on this machine."""
    if data and name is None:
        return corpora.read(data)
    if name is None or data:
        raise SegmentationError("expected a file or folder of texts, or --corpus NAME: one of them")
    if corpora.source is not None:
        raise SegmentationError(f"--corpus {name} has its own format: expected no other")
    if corpora.read_keys:
        raise SegmentationError(
            f"--read is given, and --corpus {name} has its own format: expected it beside DATA"
        )
    from segscore.datasets import load

    return load(name)
