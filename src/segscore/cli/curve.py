"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.option_groups import Section
from segscore.cli.options import (
    RESAMPLES,
    AverageOption,
    FormatOption,
    LevelOption,
    MaskOption,
    MetricsOption,
    MissingOption,
    ReferenceArgument,
    ReferenceCoderOption,
    ResamplesOption,
    ScoringOptions,
    SeedOption,
    UemOption,
    mask_of,
)
from segscore.cli.output import (
    CheckedOutput,
    PlotOption,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus

ScoresArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SCORES",
        help="JSON Lines with the fields document and scores, a score per position; or CSV "
        "with the columns document, score and, if not every position has one, position.",
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
    scores: ScoresArgument,
    metrics: MetricsOption = None,
    coder: ReferenceCoderOption = None,
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
    scoring: ScoringOptions,
    source: FormatOption = None,
    output: CheckedOutput,
    reading: ReadingOptions,
) -> None:
    """Score boundaries that have scores, at every threshold.

    For systems that score instead of deciding: there is a boundary wherever the score is at least
    the threshold. The table shows average precision, and the values where there are as many
    boundaries as in REF, at each --threshold, and at the thresholds that are best on development
    documents. No threshold is chosen on REF itself.
    """
    from segscore.curves import computing

    if (development is None) != (development_scores is None):
        raise SegmentationError("--dev and --dev-scores go together: expected both, or neither")
    refs = reading.read(reference, source, more_follow=development is not None)
    others = None if development is None else reading.read(development, source)
    both = [refs] if others is None else [refs, others]
    encoding = reading.options.encoding  # those of a text file in another one are read here
    made = computing.curve(
        refs,
        _scores(scores, refs, score_marks, encoding),
        metrics or computing.DEFAULT_METRICS,
        development=None
        if others is None
        else (others, _scores(development_scores, others, score_marks, encoding)),
        thresholds=thresholds or (),
        average=average,
        reference=coder,
        marks=score_marks if encoding is None else None,
        missing=missing,
        mask=mask_of(mask, uem, *both),
        level=level,
        n_resamples=resamples,
        seed=seed,
        **vars(scoring),
    )
    output.warn(made.findings)
    if plot is not None:
        from segscore import plot as pictures

        pictures.save(pictures.curve(made), plot)
    output.show(made.all_thresholds() if whole else made.to_table())


def _scores(
    path: Path | None, refs: "Corpus", marks: Literal["end", "start"] | None, encoding: str | None
) -> Any:
    """The scores, read from a file with another encoding than UTF-8; otherwise the file."""
    if encoding is None or path is None:
        return path
    from segscore.io.document_lists import read_scores

    lengths = {name: document.n_units for name, document in refs.items()}
    return read_scores(path, lengths, marks=marks, encoding=encoding)
