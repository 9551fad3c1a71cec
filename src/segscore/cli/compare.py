"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from segscore.cli import options as opts
from segscore.cli.column_files import ColumnOptions, compare_columns
from segscore.cli.commands import OUTPUT, OWN, STATISTICS, option
from segscore.cli.gate import GITHUB, conclude, numbers, with_more
from segscore.cli.output import CheckedOutput
from segscore.comparison.estimates import Test
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, distinct_metrics, metric
from segscore.metrics.base import OnUndefined
from segscore.metrics.statistics import Average

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus


_TESTS = ", ".join(("auto (default)", *get_args(Test)))


_BASELINES = ("none", "random", "uniform")


def run(
    *,
    reference: Path = opts.REFERENCE,
    systems: list[str] | None = opts.SYSTEMS,
    metrics: list[str] | None = opts.METRICS,
    coders: list[str] | None = opts.REFERENCE_CODERS,
    chosen: list[str] | None = opts.SYSTEM,
    view: Literal["systems", "pairs"] = option(
        "--show", OUTPUT, "systems (default), or pairs of systems.", "TABLE", "systems"
    ),
    test: Literal["auto", Test] = option("--test", STATISTICS, f"{_TESTS}.", "NAME", "auto"),
    average: Average = opts.AVERAGE,
    level: float = opts.LEVEL,
    n_resamples: int = opts.RESAMPLES,
    rng: int = opts.SEED,
    no_scale: bool = option("--no-scale", OWN, "Leave out rows of baselines and people."),
    worse: list[str] | None = option(
        "--fail-if-worse",
        STATISTICS,
        "Exit with code 1 if one is significantly worse than the first; b=0.02: by more.",
        "METRIC",
    ),
    github: bool = GITHUB,
    pairing: opts.PairingOptions,
    on_undefined: OnUndefined = opts.UNDEFINED,
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Compare systems on the same documents.

    Values with bootstrap intervals, ranks, and letters that show significant differences. Without
    SYSTEM, systems are coders of REF: those of --system, or all but the --reference. Of a Parquet
    or Arrow file, --read reference=COLUMN and --read systems=a,b name columns.
    """
    margins = _margins(worse)
    asked = with_more(metrics or DEFAULT_METRICS, (name for name, _ in margins))
    settings: dict[str, Any] = {
        "metrics": asked,
        "baselines": () if no_scale else _BASELINES,
        "test": test,
        "average": average,
        "level": level,
        "n_resamples": n_resamples,
        "rng": rng,
    }
    if reading.are_columns(reference, systems or chosen or coders, pairing):
        files = [reference, *map(Path, systems or ())]
        comparison = compare_columns(files, reading, **settings)
    else:
        from segscore.comparison import compare

        corpus, given = _read(reference, systems, chosen, reading)
        comparison = compare(
            corpus,
            reference=opts.reference_of(coders),
            systems=given,
            human=False if no_scale else None,
            on_undefined=on_undefined,
            **pairing.rules_for(corpus),
            **settings,
        )
        compared = distinct_metrics(asked).values()
        for name in () if output.unchecked else comparison.systems:
            sample = comparison.sample_pairs(name)
            output.warn_of(sample, [reference.stem, *(coders or ())], [name], compared)
    output.show(comparison.pairs_table() if view == "pairs" else comparison.to_table())
    if not output.has_notes:
        output.remark_notes(comparison.warnings)
    if margins:
        _conclude(comparison, margins, github)


def _read(
    reference: Path,
    systems: list[str] | None,
    chosen: list[str] | None,
    reading: opts.PairedReading,
) -> "tuple[Corpus, Any]":
    """The references, and the systems: runs from files, or names of coders."""
    from segscore.comparison.systems import system_path, system_runs
    from segscore.corpus.corpus import Corpus
    from segscore.pairing.inputs import Reader

    paths = list(map(system_path, systems or ()))
    reader = Reader(reading.formats, reading.options).beside(reference, paths)
    codings = reader.codings(reference, "reference")
    corpus = Corpus.from_columns(codings, codings.scope, codings.provenance)
    runs = system_runs(systems, reader, codings) if systems else chosen
    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    reading.finish()
    return corpus, runs


# ---- no worse than the first ----


def _margins(worse: list[str] | None) -> list[tuple[str, float | None]]:
    """Each metric, and how much worse than the first is too much; None: significantly."""
    found: list[tuple[str, float | None]] = []
    for text in worse or ():
        if "=" not in text[text.rfind(")") + 1 :]:  # in brackets it is a parameter
            found.append((text, None))
            continue
        from segscore.comparison.gates import check_margin

        ((name, margin),) = numbers([text], "--fail-if-worse")
        check_margin(margin, metric(name), f"--fail-if-worse is {text}")
        found.append((name, margin))
    return found


def _conclude(
    comparison: "Comparison", margins: list[tuple[str, float | None]], github: bool
) -> None:
    """Compare each other system with the first, under each named metric."""
    from segscore.comparison.gates import no_worse

    old, *others = comparison.systems
    if not others:
        raise SegmentationError("--fail-if-worse compares with the first system: give two or more")
    alpha = round(1 - comparison.settings.level, 12)
    named = {comparison.metric(name): name for name in comparison.metrics}
    checks = [
        no_worse(comparison, named[metric(asked)], old, new, alpha=alpha, margin=margin)
        for asked, margin in margins
        for new in others
    ]
    conclude(checks, github)
