"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold.
`segscore curve REF HYP --vary n_t=1:10`: one metric at several values of a parameter."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, argument, option
from segscore.cli.output import CheckedOutput
from segscore.errors import SegmentationError
from segscore.metrics.base import OnUndefined
from segscore.metrics.statistics import Average
from segscore.pairing.rules import Missing


@dataclass(kw_only=True)
class ScoreReading(opts.PairedReading):
    """How files are read, and which unit of a segment has a high score."""

    sides: ClassVar[tuple[str, ...]] = ("score_marks",)


def run(
    *,
    reference: Path = opts.REFERENCE,
    scores: Path | None = argument("SCORES", "A score per position; with --vary, codings.", None),
    metrics: list[str] | None = opts.METRICS,
    varied: str | None = option("--vary", OWN, "For one -m: n_t=1:10, k=2,4,8.", "NAME=VALUES"),
    coder: str | None = opts.REFERENCE_CODER,
    hypothesis: str | None = opts.HYPOTHESIS_CODER,
    development: Path | None = option("--dev", OWN, "References for choosing thresholds.", "REF"),
    development_scores: Path | None = option(
        "--dev-scores", OWN, "Scores of the documents of --dev.", "SCORES"
    ),
    thresholds: list[float] | None = option(
        "--threshold", OWN, "A threshold, or several.", "NUMBER"
    ),
    whole: bool = option("--all", OUTPUT, "Every threshold of the curve."),
    average: Average = opts.AVERAGE,
    level: float = opts.LEVEL,
    resamples: int = opts.RESAMPLES,
    seed: int = opts.SEED,
    missing: Missing = opts.MISSING,
    mask: list[str] | None = opts.MASK,
    on_undefined: OnUndefined = opts.UNDEFINED,
    output: CheckedOutput,
    reading: ScoreReading,
) -> None:
    """Score at every threshold, or at several values of a parameter.

    There is a boundary wherever the score is at least the threshold. SCORES is JSON Lines with
    document and scores, or CSV with document, score and position. If there is a score per unit,
    --read score-marks=end or start says which unit of a segment has a high one.

    With --vary, a system's boundaries are scored by one metric at each value. `segscore plot`
    draws both.
    """
    from segscore.curves import computing
    from segscore.pairing.pairs import pairs_of
    from segscore.pairing.rules import PairingRules

    if varied is not None:
        if len(metrics or ()) > 1 or average != "micro":
            raise SegmentationError("--vary takes one -m, and its averages are micro")
        name, values = opts.parameter_values(varied)
        ref_format, hyp_format = reading.formats
        refs = reading.read(reference, ref_format, more_follow=scores is not None)
        hyps = None if scores is None else reading.read(scores, hyp_format)
        read = [refs] if hyps is None else [refs, hyps]
        rules = PairingRules(coder, hypothesis, missing, mask=opts.mask_of(mask, *read))
        swept = computing.sweep_of_pairs(
            pairs_of(refs, hyps, rules),
            (metrics or ["b"])[0],
            name,
            values,
            {"level": level, "n_resamples": resamples, "seed": seed},
            on_undefined=on_undefined,
        )
        output.show(swept.to_table())
        return
    if scores is None:
        raise SegmentationError("SCORES is missing: give a file of scores, or HYP and --vary")
    if (development is None) != (development_scores is None):
        raise SegmentationError("--dev and --dev-scores go together: expected both, or neither")
    source = reading.formats[0]
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
        marks=reading.keys.get("score_marks"),
        text_encoding=reading.options.text_encoding,
        missing=missing,
        mask=opts.mask_of(mask, *both),
        level=level,
        n_resamples=resamples,
        rng=seed,
        on_undefined=on_undefined,
    )
    output.findings += made.findings
    output.show(made.all_thresholds() if whole else made.to_table())
