"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from segscore.cli.masking import MaskOption, UemOption, corpus_mask
from segscore.cli.options import (
    FormatOption,
    FormOption,
    MetricsOption,
    MissingOption,
    OutputOption,
    ResamplesOption,
    SeedOption,
    ThreadsOption,
    UndefinedOption,
)
from segscore.cli.output import show
from segscore.errors import SegmentationError
from segscore.metrics.statistics import Average

if TYPE_CHECKING:
    from segscore.io import ReadOptions


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    scores: Annotated[
        Path,
        typer.Argument(
            metavar="SCORES",
            help="JSON Lines with the fields document and scores, a score per position; or CSV "
            "with the columns document, score and, if not every position has one, position.",
        ),
    ],
    metrics: MetricsOption = None,
    coder: Annotated[
        str | None,
        typer.Option("--reference", metavar="CODER", help="The coder of REF to score against."),
    ] = None,
    development: Annotated[
        Path | None,
        typer.Option(
            "--dev",
            metavar="REF",
            help="References of development documents, on which thresholds are chosen.",
        ),
    ] = None,
    development_scores: Annotated[
        Path | None,
        typer.Option("--dev-scores", metavar="SCORES", help="Scores of development documents."),
    ] = None,
    thresholds: Annotated[
        list[float] | None,
        typer.Option("--threshold", metavar="NUMBER", help="One to report. May be repeated."),
    ] = None,
    score_marks: Annotated[
        Literal["end", "start"] | None,
        typer.Option(
            "--score-marks",
            help="There is one score per unit: that it is the last of its segment (end), or the "
            "first (start).",
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print every threshold of the curve.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw it, too: .pdf, .svg, .png or .pgf."),
    ] = None,
    average: Annotated[
        Average, typer.Option("--average", help="micro: of sums; macro: the mean of documents.")
    ] = "micro",
    level: Annotated[float, typer.Option("--level", help="Of the confidence intervals.")] = 0.95,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 0,
    missing: MissingOption = "error",
    mask: MaskOption = None,
    uem: UemOption = None,
    on_undefined: UndefinedOption = "raise",
    threads: ThreadsOption = None,
    source: FormatOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Score boundaries that have scores instead of decisions, at every threshold.

    Boundaries stand where the score is at least the threshold. The table shows average precision,
    and the values where there are as many boundaries as in REF, at each --threshold, and at the
    thresholds that are best on development documents. No threshold is chosen on REF itself.
    """
    from segscore.curves import computing
    from segscore.io import read

    if (development is None) != (development_scores is None):
        raise SegmentationError("--dev and --dev-scores go together: expected both, or neither")
    refs = read(reference, source, **vars(reading))
    others = None if development is None else read(development, source, **vars(reading))
    made = computing.curve(
        refs,
        scores,
        metrics or computing.DEFAULT_METRICS,
        development=None if others is None else (others, development_scores),
        thresholds=thresholds or (),
        average=average,
        reference=coder,
        marks=score_marks,
        missing=missing,
        mask=corpus_mask(mask, uem, refs, *([] if others is None else [others])),
        level=level,
        n_resamples=resamples,
        seed=seed,
        threads=threads,
        on_undefined=on_undefined,
    )
    if plot is not None:
        from segscore import plot as pictures

        pictures.save(pictures.curve(made), plot)
    show(made.all_thresholds() if whole else made.to_table(), form, output)
