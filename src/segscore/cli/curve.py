"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold.
`segscore curve REF HYP --vary n_t=1:10`: one metric at several values of a parameter."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.option_groups import Section
from segscore.cli.options import (
    RESAMPLES,
    AverageOption,
    FormatOptions,
    HypothesisCoderOption,
    LevelOption,
    MaskOption,
    MetricsOption,
    MissingOption,
    ReferenceArgument,
    ReferenceCoderOption,
    ResamplesOption,
    SeedOption,
    UemOption,
    UndefinedOption,
    mask_of,
    parameter_values,
)
from segscore.cli.output import CheckedOutput, PlotOption
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    pass

ScoresArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SCORES",
        help="JSON Lines with the fields document and scores, a score per position; or CSV "
        "with the columns document, score and, if not every position has one, position. With "
        "--vary, the codings of one system.",
    ),
]
VaryOption = Annotated[
    str | None,
    typer.Option(
        "--vary",
        rich_help_panel=Section.METRICS,
        metavar="NAME=VALUES",
        help="Score by one metric, b by default, at several values of a parameter: n_t=1:10 (1 to "
        "10, both included), n_t=1:10:3, or k=2,4,8.",
    ),
]
ThresholdsOption = Annotated[
    list[float] | None,
    typer.Option(
        "--threshold",
        rich_help_panel=Section.METRICS,
        metavar="NUMBER",
        help="A threshold to report. May be repeated.",
    ),
]
ScoreMarksOption = Annotated[
    Literal["end", "start"] | None,
    typer.Option(
        "--score-marks",
        rich_help_panel=Section.READING,
        help="There is a score per unit. What a high score means: the unit is the last of its "
        "segment (end), or the first (start).",
    ),
]
DevelopmentOption = Annotated[
    Path | None,
    typer.Option(
        "--dev",
        rich_help_panel=Section.COMPARED,
        metavar="REF",
        help="References of development documents, on which thresholds are chosen.",
    ),
]
DevelopmentScoresOption = Annotated[
    Path | None,
    typer.Option(
        "--dev-scores",
        rich_help_panel=Section.COMPARED,
        metavar="SCORES",
        help="Scores of development documents.",
    ),
]
AllOption = Annotated[
    bool,
    typer.Option(
        "--all", rich_help_panel=Section.OUTPUT, help="Print every threshold of the curve."
    ),
]


def run(
    *,
    reference: ReferenceArgument,
    scores: ScoresArgument = None,
    metrics: MetricsOption = None,
    varied: VaryOption = None,
    coder: ReferenceCoderOption = None,
    hypothesis: HypothesisCoderOption = None,
    development: DevelopmentOption = None,
    development_scores: DevelopmentScoresOption = None,
    thresholds: ThresholdsOption = None,
    score_marks: ScoreMarksOption = None,
    whole: AllOption = False,
    plot: PlotOption = None,
    average: AverageOption = "micro",
    level: LevelOption = 0.95,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = 0,
    missing: MissingOption = "error",
    mask: MaskOption = None,
    uem: UemOption = None,
    on_undefined: UndefinedOption = "raise",
    formats: FormatOptions,
    output: CheckedOutput,
    reading: ReadingOptions,
) -> None:
    """Score at every threshold, or at several values of a parameter.

    For systems that score instead of deciding: there is a boundary wherever the score is at least
    the threshold. The table shows average precision, and the values where there are as many
    boundaries as in REF, at each --threshold, and at the thresholds that are best on development
    documents. No threshold is chosen on REF itself.

    With --vary, score a system's boundaries by one metric, with a row per value of a parameter: the
    micro-average with its interval, and counts. For b and s these are matches, near misses and full
    misses, which show whether n_t is too generous; for other metrics, the sums of their statistics.
    """
    from segscore.curves import computing
    from segscore.curves.parameter_sweep import sweep_of_pairs
    from segscore.pairing.inputs import as_pairs
    from segscore.pairing.rules import PairingRules

    if varied is not None:
        if len(metrics or ()) > 1 or average != "micro":
            raise SegmentationError("--vary takes one -m, and its averages are micro")
        name, values = parameter_values(varied)
        ref_format, hyp_format = formats.both
        refs = reading.read(reference, ref_format, more_follow=scores is not None)
        hyps = None if scores is None else reading.read(scores, hyp_format)
        read = [refs] if hyps is None else [refs, hyps]
        rules = PairingRules(coder, hypothesis, missing, mask=mask_of(mask, uem, *read))
        swept = sweep_of_pairs(
            as_pairs(refs, hyps, rules), (metrics or ["b"])[0], name, values,
            level=level, n_resamples=resamples, seed=seed, on_undefined=on_undefined,
        )  # fmt: skip
        _draw("sweep", swept, plot)
        output.show(swept.to_table())
        return
    if scores is None:
        raise SegmentationError("SCORES is missing: give a file of scores, or HYP and --vary")
    if (development is None) != (development_scores is None):
        raise SegmentationError("--dev and --dev-scores go together: expected both, or neither")
    source = formats.both[0]
    refs = reading.read(reference, source, more_follow=development is not None)
    others = None if development is None else reading.read(development, source)
    both = [refs] if others is None else [refs, others]
    made = computing.curve(
        refs,
        scores,
        metrics or computing.DEFAULT_METRICS,
        development=None if others is None else (others, development_scores),
        thresholds=thresholds or (),
        average=average,
        reference=coder,
        marks=score_marks,
        text_encoding=reading.options.text_encoding,
        missing=missing,
        mask=mask_of(mask, uem, *both),
        level=level,
        n_resamples=resamples,
        rng=seed,
        on_undefined=on_undefined,
    )
    output.warn(made.findings)
    _draw("curve", made, plot)
    output.show(made.all_thresholds() if whole else made.to_table())


def _draw(kind: Literal["curve", "sweep"], made: Any, path: Path | None) -> None:
    """The picture of --plot."""
    if path is not None:
        from segscore import plot

        plot.save(getattr(plot, kind)(made), path)
