"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from segscore.cli.option_groups import OptionGroup, Written
from segscore.cli.options import (
    FormatOption,
    MaskOptions,
    MetricsOption,
    MissingOption,
    ReferenceArgument,
    ResamplingOptions,
    ScoringOptions,
)
from segscore.cli.output import OutputOptions
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError
from segscore.metrics.score import Average

if TYPE_CHECKING:
    from segscore.curves.threshold_curve import Curve

ScoresArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SCORES",
        help="JSON Lines with the fields document and scores, a score per position; or CSV "
        "with the columns document, score and, if not every position has one, position.",
    ),
]
CoderOption = Annotated[
    str | None,
    typer.Option("--reference", metavar="CODER", help="The coder of REF to score against."),
]
ThresholdsOption = Annotated[
    list[float] | None,
    typer.Option("--threshold", metavar="NUMBER", help="One to report. May be repeated."),
]
ScoreMarksOption = Annotated[
    Literal["end", "start"] | None,
    typer.Option(
        "--score-marks",
        help="There is one score per unit: that it is the last of its segment (end), or the "
        "first (start).",
    ),
]


@dataclass(frozen=True, kw_only=True)
class DevelopmentOptions(OptionGroup):
    """The documents on which thresholds are chosen."""

    development: Annotated[
        Path | None,
        typer.Option(
            "--dev",
            metavar="REF",
            help="References of development documents, on which thresholds are chosen.",
        ),
    ] = None
    development_scores: Annotated[
        Path | None,
        typer.Option("--dev-scores", metavar="SCORES", help="Scores of development documents."),
    ] = None

    def check(self) -> None:
        """Refuse references without scores, and scores without references."""
        if (self.development is None) != (self.development_scores is None):
            raise SegmentationError("--dev and --dev-scores go together: expected both, or neither")


@dataclass(frozen=True, kw_only=True)
class CurveView(OptionGroup):
    """What is shown of a curve."""

    whole: Annotated[bool, typer.Option("--all", help="Print every threshold of the curve.")] = (
        False
    )
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw it, too: .pdf, .svg, .png or .pgf."),
        Written("--plot"),
    ] = None

    def show(self, made: "Curve", output: OutputOptions) -> None:
        """The picture and the table."""
        if self.plot is not None:
            from segscore import plot as pictures

            pictures.save(pictures.curve(made), self.plot)
        output.show(made.all_thresholds() if self.whole else made.to_table())


def run(
    *,
    reference: ReferenceArgument,
    scores: ScoresArgument,
    metrics: MetricsOption = None,
    coder: CoderOption = None,
    development: DevelopmentOptions,
    thresholds: ThresholdsOption = None,
    score_marks: ScoreMarksOption = None,
    view: CurveView,
    average: Annotated[
        Average, typer.Option("--average", help="micro: of sums; macro: the mean of documents.")
    ] = "micro",
    level: Annotated[float, typer.Option("--level", help="Of the confidence intervals.")] = 0.95,
    resampling: ResamplingOptions,
    missing: MissingOption = "error",
    masking: MaskOptions,
    scoring: ScoringOptions,
    source: FormatOption = None,
    output: OutputOptions,
    reading: ReadingOptions,
) -> None:
    """Score boundaries that have scores instead of decisions, at every threshold.

    Boundaries stand where the score is at least the threshold. The table shows average precision,
    and the values where there are as many boundaries as in REF, at each --threshold, and at the
    thresholds that are best on development documents. No threshold is chosen on REF itself.
    """
    from segscore.curves import computing

    development.check()
    refs = reading.read(reference, source)
    path = development.development
    others = None if path is None else reading.read(path, source)
    both = [refs] if others is None else [refs, others]
    made = computing.curve(
        refs,
        scores,
        metrics or computing.DEFAULT_METRICS,
        development=None if others is None else (others, development.development_scores),
        thresholds=thresholds or (),
        average=average,
        reference=coder,
        marks=score_marks,
        missing=missing,
        mask=masking.of(*both),
        level=level,
        **resampling.settings,
        **scoring.settings,
    )
    view.show(made, output)
