"""`segscore sweep REF HYP -m METRIC --parameter NAME=VALUES`: one metric at several values."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.options import (
    RESAMPLES,
    FormatOptions,
    HypothesisCoderOption,
    LevelOption,
    MetricOption,
    PairingOptions,
    ParameterOption,
    ReferenceArgument,
    ReferenceCoderOption,
    ResamplesOption,
    ScoringOptions,
    SeedOption,
    mask_of,
)
from segscore.cli.output import Output, PlotOption
from segscore.cli.reading_options import ReadingOptions
from segscore.cli.sweep_values import parameter_values
from segscore.errors import SegmentationError

HypothesisArgument = Annotated[
    Path | None, typer.Argument(metavar="HYP", help="A file or folder of one system.")
]


def run(
    *,
    reference: ReferenceArgument,
    hypothesis: HypothesisArgument = None,
    metric: MetricOption = "b",
    parameter: ParameterOption,
    coder: ReferenceCoderOption = None,
    hypothesis_coder: HypothesisCoderOption = None,
    plot: PlotOption = None,
    level: LevelOption = 0.95,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = 0,
    formats: FormatOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    output: Output,
    reading: ReadingOptions,
) -> None:
    """Score by one metric at several values of one of its parameters.

    The table has a row per value: the micro-average with its interval, and counts. For b and s
    these are matches, near misses and full misses, which show whether n_t is too generous; for
    other metrics, the sums of their statistics.
    """
    from segscore.curves.parameter_sweep import sweep_of_pairs
    from segscore.pairing.masks import masked
    from segscore.pairing.pairing import read_pairs

    name, values = parameter_values(parameter)
    ref_format, hyp_format = formats.both
    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    found = read_pairs(
        reference, hypothesis, format=ref_format, hypothesis_format=hyp_format,
        reference_coder=coder, hypothesis_coder=hypothesis_coder,
        choices=reading.options_for(pairing.ignore_text), **pairing.rules,
    )  # fmt: skip
    reading.check()
    if len(found) > 1:
        names = ", ".join(paired.hypothesis for paired in found)
        raise SegmentationError(
            f"{len(found)} coders to score: choose one by --hypothesis, of {names}"
        )
    pairs = found[0].pairs
    mask = mask_of(pairing.mask, pairing.uem, pairs)
    made = sweep_of_pairs(
        pairs if mask is None else masked(pairs, mask), metric, name, values, level=level,
        n_resamples=resamples, seed=seed, **vars(scoring),
    )  # fmt: skip
    if plot is not None:
        from segscore import plot as pictures

        pictures.save(pictures.sweep(made), plot)
    output.show(made.to_table())
