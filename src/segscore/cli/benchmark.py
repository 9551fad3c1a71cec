"""`segscore benchmark DATA…`, or `--corpus NAME`: segmenters over a corpus, compared."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.options import (
    DataFormatOption,
    EncoderOption,
    FormOption,
    LenientOption,
    MetricsOption,
    OutputOption,
    PresetOption,
    ReferenceOption,
    StemmerOption,
    StopWordsOption,
    WordsOption,
)
from segscore.cli.output import remark, show, with_progress
from segscore.cli.page_option import ReportOption, write_page
from segscore.cli.progress import announced
from segscore.cli.segmenter_options import Methods, refuse_metric, refuse_segmenter
from segscore.errors import SegmentationError
from segscore.metrics.score import Average

if TYPE_CHECKING:
    from collections.abc import Mapping

    from segscore.corpus.corpus import Document

_USUAL = "c99 utiyama-isahara texttiling"
_SEGMENTER = re.compile(r"(?:[^\s(]|\([^)]*\)?)+")  # spaces in parentheses are part of it


def run(
    data: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DATA…]", help="Corpora with text, files or folders; or --corpus."),
    ] = None,
    corpus_name: Annotated[
        str | None,
        typer.Option("--corpus", help="A corpus by its name in `segscore data`, such as choi."),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            "--method",
            metavar="METHODS",
            help='Segmenters, separated by spaces: "c99 texttiling(w=10)". May be repeated. '
            f"By default {_USUAL}.",
        ),
    ] = None,
    metrics: MetricsOption = None,
    segments: Annotated[
        str,
        typer.Option(
            "--segments",
            "-n",
            metavar="NUMBER",
            help="Number of segments; reference: as many as the reference has; auto: the method "
            "decides.",
        ),
    ] = "reference",
    reference: ReferenceOption = None,
    source: DataFormatOption = None,
    words: WordsOption = False,
    average: Annotated[
        Average,
        typer.Option(
            "--average", help="micro: of all documents together; macro: the mean over documents."
        ),
    ] = "micro",
    stop_words: StopWordsOption = None,
    stemmer: StemmerOption = None,
    preset: PresetOption = None,
    encoder: EncoderOption = None,
    lenient: LenientOption = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Number of processes; by default it depends on the documents."
        ),
    ] = None,
    report: ReportOption = None,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Run segmenters over a corpus in parallel, and print how they compare.

    `segscore benchmark FOLDER`, `segscore benchmark *.dev`, or `segscore benchmark --corpus choi`
    with a corpus that `segscore data fetch` has fetched.

    The table has scores with intervals, which differences are significant, the baselines none,
    random and uniform, and the seconds that each segmenter takes per document. It says so if no
    segmenter is better than a baseline.
    """
    from segscore.scoring.scoring import DEFAULT_METRICS
    from segscore.segmenters import benchmarking

    for one in metrics or ():
        refuse_segmenter(one, "--methods")
    names = _SEGMENTER.findall(" ".join(methods or [_USUAL if encoder is None else "embedding"]))
    for one in names:
        refuse_metric(one, "--methods", "; -m takes metrics")
    chosen = Methods(stop_words, stemmer, preset, encoder)
    chosen.check(names)
    corpus = _corpus(data, corpus_name, source, lenient)
    texts = {
        name: document.units for name, document in corpus.items() if document.units is not None
    }
    made = chosen.made(names, texts)
    result = benchmarking.benchmark(
        corpus,
        {name: announced(one, texts.values()) for name, one in made.items()},
        reference=reference,
        n_segments=number(segments),
        in_words=words,
        workers=workers,
        progress=with_progress,
        metrics=metrics or DEFAULT_METRICS,
        average=average,
    )
    show(result.to_table(), form, output)
    write_page(result, report)


def _corpus(
    data: list[Path] | None, name: str | None, source: str | None, lenient: bool
) -> "Mapping[str, Document]":
    """The documents of files and folders, or the corpus of this name that is on this machine."""
    if data and name is None:
        from segscore.io.plain_texts import read_documents

        return read_documents(data, source, lenient, remark)
    if name is None or data:
        raise SegmentationError("expected a file or folder of texts, or --corpus NAME: one of them")
    if source is not None:
        raise SegmentationError(f"--corpus {name} has its own format: expected no other")
    from segscore.datasets import load

    return load(name)


def number(segments: str) -> int | str | None:
    """What --segments says."""
    if segments in ("reference", "auto"):
        return {"reference": "reference", "auto": None}[segments]
    if not segments.isascii() or not segments.isdigit() or int(segments) < 1:
        raise SegmentationError(
            f"--segments is {segments!r}: expected reference, auto, or a number from 1 on"
        )
    return int(segments)
