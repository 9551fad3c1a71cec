"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance.
`segscore report REF SYSTEM… -o report.html`: one page that shows who cut where."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from segscore.cli import options as opts
from segscore.cli.column_files import ColumnOptions, compare_columns
from segscore.cli.commands import OUTPUT, OWN, STATISTICS, argument, option
from segscore.cli.output import CheckedOutput, remark, write_report
from segscore.comparison import compare
from segscore.comparison.estimates import Test
from segscore.comparison.systems import system_path, system_runs
from segscore.corpus.corpus import Corpus, Scope
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Average, OnUndefined, distinct_metrics, metric
from segscore.pairing.inputs import named_alike

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement
    from segscore.comparison import Comparison
    from segscore.corpus.codings import Codings
    from segscore.pairing.pairing import Systems


_TESTS = ", ".join(("auto (default)", *get_args(Test)))


_BASELINES = ("none", "random", "uniform")


def run_compare(
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
    github: bool = opts.GITHUB,
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
    asked = opts.with_more(metrics or DEFAULT_METRICS, (name for name, _ in margins))
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
        corpus, given = _read_compared(reference, systems, chosen, reading)
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


def _read_compared(
    reference: Path,
    systems: list[str] | None,
    chosen: list[str] | None,
    reading: opts.PairedReading,
) -> tuple[Corpus, Any]:
    """The references, and the systems: runs from files, or names of coders."""
    paths = list(map(system_path, systems or ()))
    reader = reading.reader().beside(reference, paths)
    corpus = reader.corpus(reference, "reference")
    runs = system_runs(systems, reader) if systems else chosen
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

        ((name, margin),) = opts.numbers([text], "--fail-if-worse")
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
    opts.conclude(checks, github)


# ---- the page ----

Meaning = Literal["people", "systems"]


def run_report(
    *,
    reference: Path = argument("REF", "References, or codings by people: a file or a folder."),
    systems: list[str] | None = opts.SYSTEMS,
    output: Path = option(
        "--output -o", OUTPUT, "The page: report.html.", "FILE", Path("report.html")
    ),
    metrics: list[str] | None = opts.METRICS,
    coders: list[str] | None = opts.REFERENCE_CODERS,
    chosen: list[str] | None = opts.SYSTEM,
    meaning: Meaning | None = option(
        "--as", OWN, "What the files are: people, or systems.", "WHAT"
    ),
    title: str | None = option("--title", OUTPUT, "The heading of the page.", "TEXT"),
    named: list[str] | None = option("--document", OUTPUT, "A document, or several.", "NAME"),
    anonymise: bool = option("--anonymise", OUTPUT, "Numbers instead of names; no texts, labels."),
    resamples: int = opts.RESAMPLES,
    seed: int = opts.SEED,
    pairing: opts.PairingOptions,
    undefined: OnUndefined = opts.UNDEFINED,
    scope: Scope | None = opts.CODERS,
    reading: opts.PairedReading,
) -> None:
    """Write one HTML page that shows who cut where.

    With SYSTEM, or if REF names systems, it compares systems, document by document. Otherwise, or
    with --as people, it shows how well people agree, where they do not, and their consensus. The
    page needs no network; it can be mailed, printed and archived.

    Texts of codings without any are the .txt files beside them that are named after documents, or
    those of --text.
    """
    from segscore.coders.coefficients import agreement

    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    decided = meaning or ("systems" if coders or pairing.for_systems else None)
    aligned, listed = pairing.align is not None, systems or []
    corpus, runs = _read_page(
        reference, listed, scope, reading, meaning, decided, aligned, metrics or []
    )
    alone = meaning == "people" or (bool(systems) and not runs)
    if alone and (chosen or coders):
        raise SegmentationError("--system and --reference are for pages about systems")
    if runs and meaning is None:
        _tell_people(runs)
    rules = pairing.rules_for(corpus)
    if runs or chosen or coders or (corpus.columns.names_systems and not alone):
        result: Comparison | Agreement = compare(
            corpus,
            reference=opts.reference_of(coders),
            systems=runs or chosen,
            metrics=metrics or DEFAULT_METRICS,
            on_undefined=undefined,
            n_resamples=resamples,
            rng=seed,
            **rules,
        )
    else:
        corpus, similarity = _agreed(corpus, metrics or [], rules)
        result = agreement(corpus, similarity, n_resamples=resamples, rng=seed)
    write_report(result, output, title=title, documents=named, anonymise=anonymise)


def _read_page(
    reference: Path,
    systems: list[str],
    scope: Scope | None,
    reading: opts.PairedReading,
    meaning: Meaning | None,
    decided: Meaning | None,
    aligned: bool,
    metrics: list[str],
) -> "tuple[Corpus, Systems]":
    """The references and the runs of systems; or everyone's codings, and no runs, if all coders are
    people."""
    from segscore.io.texts import read_with_texts

    paths = list(map(system_path, systems))
    together = [reference, *map(Path, paths)]
    usual = reading.reader()
    source = usual.formats[0]
    if meaning == "people" and paths:
        return reading.read(together, source, coders=scope), {}
    reader = usual.beside(reference, paths)
    runs = system_runs(systems, reader) if systems else {}
    # what is aligned needs the texts of both sides
    known = set[str]()
    if not aligned:
        known = {name for several in runs.values() for run in several for name in run.texts}
    corpus = read_with_texts(
        [reference],
        source,
        known=known,
        choices=replace(reader.choices or reading.options, coders=scope),
    )
    for several in runs.values():
        several[:] = [named_alike(corpus.columns, run, reader.remark) for run in several]
    reading.finish()
    if not runs or decided is not None or reader.choices is not usual.choices:
        return corpus, runs
    if what_is_meant(corpus, runs, systems, metrics) == "people":  # only now it is known
        return reading.read(together, source, coders=scope), {}
    return corpus, runs


def _tell_people(runs: "Systems") -> None:
    """Say that the page takes people for systems, if the files say that they are people."""
    kinds = {kind for several in runs.values() for run in several for kind in run.kinds}
    if kinds == {KINDS.index("person")}:
        remark(
            f"{', '.join(runs)}: the page compares people with the reference, and calls them "
            "systems; --as people shows how well they agree, segscore agree --reference compares "
            "each of them with gold"
        )


def _agreed(corpus: Corpus, metrics: list[str], rules: dict[str, Any]) -> tuple[Corpus, str]:
    """The agreement of people, and its metric; b if agreement cannot use the metric."""
    from segscore.coders.estimators import is_similarity
    from segscore.pairing.masks import cut_out

    if rules["align"] is not None:
        raise SegmentationError("--align is given without a SYSTEM: expected one to align")
    if rules["mask"] is not None:
        corpus = cut_out(corpus, rules["mask"])
    if len(metrics) > 1:
        raise SegmentationError(
            f"--metric is given {len(metrics)} times: agreement among people uses one"
        )
    name = metrics[0] if metrics else "b"
    if is_similarity(metric(name)):
        return corpus, name
    remark(f"the page shows agreement by b: {name} is not a symmetric similarity")
    return corpus, "b"


def what_is_meant(
    first: Corpus,
    others: "Systems",
    given: Sequence[str],
    metrics: Sequence[str],
) -> Meaning:
    """What the files and options say; if they say nothing, an error asks.

    Systems have a name (NAME=FILE), a kind, or a reference that is a consensus or is called gold;
    metrics that agreement cannot use, or several metrics, also mean systems. People have a kind.
    """
    from segscore.checking.coder_rules import looks_like
    from segscore.coders.estimators import is_similarity

    named = any("=" in source and not Path(source).exists() for source in given)
    several = len(metrics) > 1
    if named or several or any(not is_similarity(metric(name)) for name in metrics):
        return "systems"
    kinds = _kinds([run for runs in others.values() for run in runs])
    own = _kinds([first.columns])
    if "system" in kinds or own == {"consensus"}:
        return "systems"
    if own | kinds == {"person"}:
        return "people"
    if len(first.coders) == 1 and looks_like(first.coders[0], "gold"):
        return "systems"
    raise SegmentationError(
        f"there are {len(given) + 1} sources, and neither they nor other options say what they "
        "are: expected --as people (all of them are coders: how far they agree), or --as systems "
        "(the first is the reference, and the others are compared with it)"
    )


def _kinds(given: "Sequence[Codings]") -> set[str | None]:
    """The kinds of all codings; None: unknown."""
    codes = {code for codings in given for code in set(codings.kinds.tolist())}
    return {None if code < 0 else KINDS[code] for code in codes}
