"""`segscore curve REF SCORES`: a system that scores boundaries, at every threshold.
`segscore curve REF HYP --vary n_t=1:10`: one metric at several values of a parameter.
`segscore plot KIND FILE… -o FIGURE`: pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from segscore.basics.arguments import check_choice
from segscore.basics.specs import is_integer, parameter_value
from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, argument, option
from segscore.cli.output import CheckedOutput
from segscore.errors import SegmentationError, named
from segscore.io.reading import read_chosen
from segscore.metrics import Average, OnUndefined
from segscore.pairing.inputs import Reader
from segscore.pairing.pairs import pairs_of
from segscore.pairing.rules import Missing, PairingRules

if TYPE_CHECKING:
    from segscore.coding.segmentation import Segmentation
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus, Document


@dataclass(kw_only=True)
class ScoreReading(opts.PairedReading):
    """How files are read, and which unit of a segment has a high score."""

    sides: ClassVar[tuple[str, ...]] = ("score_marks",)


def run_curve(
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

    if varied is not None:
        if len(metrics or ()) > 1 or average != "micro":
            raise SegmentationError("--vary takes one -m, and its averages are micro")
        name, values = parameter_values(varied)
        reader = reading.reader()
        refs = reader.corpus(reference, "reference")
        hyps = None if scores is None else reader.corpus(scores, "hypothesis")
        reading.finish()
        sides = [refs] if hyps is None else [refs, hyps]
        rules = PairingRules(coder, hypothesis, missing, mask=opts.mask_of(mask, *sides))
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
    source = reading.reader().formats[0]
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


# ---- values of a parameter ----

_MOST_VALUES = 1000
_EXPECTED = "expected NAME=FIRST:LAST (inclusive), NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE…"


def parameter_values(text: str) -> tuple[str, list[Any]]:
    """A parameter and its values, as written.

    >>> parameter_values("n_t=1:10:3"), parameter_values("k=2,auto,60s")
    (('n_t', [1, 4, 7, 10]), ('k', [2, None, '60s']))
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not (name.isidentifier() and equals and written):
        raise SegmentationError(f"--vary is {text!r}: {_EXPECTED}")
    if ":" not in written:
        return name, [parameter_value(part.strip()) for part in written.split(",")]
    ends = written.split(":")
    if len(ends) > 3 or not all(is_integer(end) for end in ends):
        raise SegmentationError(f"--vary is {text!r}: {_EXPECTED}, in whole numbers")
    first, last, step = *map(int, ends), *([1] if len(ends) == 2 else [])
    if step < 1 or last < first or (last - first) // step >= _MOST_VALUES:
        raise SegmentationError(
            f"--vary is {text!r}: expected FIRST up to LAST by a STEP of 1 or more, at most "
            f"{_MOST_VALUES} values"
        )
    return name, list(range(first, last + 1, step))


# ---- pictures ----

KINDS = (
    "boundaries, support, edits, windows, intervals, distribution, precision-recall, habits, "
    "clusters, per-unit, matrix, levels, lengths, curve, sweep"
)


def run_plot(
    *,
    kind: str = argument("KIND", f"{KINDS}."),
    files: list[Path] = argument(
        "FILE…",
        "CODINGS (files or folders); REF SYSTEM… for intervals, distribution and "
        "precision-recall; REF HYP for edits, windows and sweep; a CSV table or REF SCORES for "
        "curve.",
    ),
    output: Path = option(
        "--output -o", OUTPUT, "The picture: .pdf, .svg, .png, .pgf.", "FILE", ...
    ),
    document: str | None = option("--document", OWN, "The document to show.", "NAME"),
    reference: str | None = opts.REFERENCE_CODER,
    hypothesis: str | None = opts.HYPOTHESIS_CODER,
    metrics: list[str] | None = option("--metric -m", OWN, 'A metric: b, "wd(k=3)".', "METRIC"),
    varied: str | None = option("--vary", OWN, "For sweep: n_t=1:10, k=2,4,8.", "NAME=VALUES"),
    title: str | None = option("--title", OUTPUT, "A title above the picture.", "TEXT"),
    width: float | None = option("--width", OUTPUT, "In inches.", "NUMBER", min=1, max=100),
    height: float | None = option("--height", OUTPUT, "In inches.", "NUMBER", min=1, max=100),
    source: str | None = opts.FORMAT,
    reading: opts.ReadingOptions,
) -> None:
    """Plot codings, systems or a table of numbers.

    For CODINGS: boundaries, per-unit and levels of a document; support, habits, clusters, matrix
    and lengths of one or all documents; intervals of their agreement. For systems: intervals,
    distribution, precision-recall. For one pair: edits, windows. For REF and HYP: sweep. Needs
    matplotlib: pip install 'segscore[plot]'.
    """
    from segscore import plot  # refuses in words if matplotlib is missing

    metric = opts.one_metric(metrics) if metrics else None
    check_choice(kind, "KIND", tuple(_PICTURES))
    given = PlotInput(kind, files, source, reading, document, reference, hypothesis, metric, varied)
    ax = _PICTURES[kind](given, plot)
    plot.save(ax, output, width=width, height=height, title=title)


# ---- what is read ----


class PlotInput(NamedTuple):
    """The arguments of the command line."""

    kind: str
    files: list[Path]
    source: str | None
    reading: opts.ReadingOptions
    document: str | None
    reference: str | None
    hypothesis: str | None
    metric: str | None
    varied: str | None

    def paths(self, most: int) -> list[Path]:
        """The files, if there are no more than the picture takes."""
        if len(self.files) > most:
            expected = "one" if most == 1 else "REF, or REF and HYP"
            raise SegmentationError(f"{len(self.files)} files: expected {expected} for {self.kind}")
        return self.files

    def read(self, path: Path) -> "Corpus":
        """The corpus in a file."""
        return read_chosen(path, self.source, self.reading.options)

    def corpus_or_document(self) -> "Corpus | Document":
        """The whole corpus, or the requested document."""
        (path,) = self.paths(1)
        return self.read(path) if self.document is None else self.one_document()

    def reader(self) -> Reader:
        """What reads the files of two sides."""
        return Reader((self.source,) * 2, self.reading.options)

    def both(self) -> "list[Corpus]":
        """References, and hypotheses if there is a second file."""
        reader, sides = self.reader(), ("reference", "hypothesis")
        return [reader.corpus(path, side) for path, side in zip(self.paths(2), sides, strict=False)]

    def one_document(self, corpus: "Corpus | None" = None, name: str | None = None) -> "Document":
        """The requested document, or the only document."""
        corpus = self.read(self.paths(1)[0]) if corpus is None else corpus
        name = name or self.document
        if name is None and len(corpus) == 1:
            return next(iter(corpus.values()))
        if name is None or name not in corpus:
            which = f"--document is {name!r}" if name else f"there are {len(corpus)} documents"
            raise SegmentationError(f"{which}: expected --document, one of {named(corpus)}")
        return corpus[name]

    def pair(self) -> "tuple[tuple[str, Segmentation], tuple[str, Segmentation]]":
        """Reference and hypothesis, each with its coder, from one or two files."""
        refs, *others = self.both()
        first = self.one_document(refs)
        if not others and (self.reference is None or self.hypothesis is None):
            raise SegmentationError(
                "HYP is missing: give a second file, or --reference CODER and --hypothesis CODER"
            )
        second = self.one_document(others[0], first.name) if others else first
        both = (first, self.reference, "--reference"), (second, self.hypothesis, "--hypothesis")
        found = []
        for document, coder, names in both:
            if coder is None and len(document) == 1:
                (coder,) = document  # noqa: PLW2901
            if coder is None or coder not in document:
                raise SegmentationError(
                    f"document {document.name!r}: expected {names}, one of {named(document)}"
                )
            found.append((coder, document[coder]))
        return found[0], found[1]

    def comparison(self) -> "Comparison":
        """Systems, which are files or coders."""
        from segscore.comparison import compare
        from segscore.comparison.systems import system_runs

        reader, paths = self.reader(), list(map(str, self.files[1:]))
        corpus = reader.corpus(self.files[0], "reference")
        systems: Any = system_runs(paths, reader) if paths else None
        return compare(corpus, self.reference, systems, self.metric or "b")


def _table(path: Path) -> tuple[str, list[float], dict[str, list[float]]]:
    """A CSV file: the first column is x, each other column a curve; the first row has names."""
    import csv

    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    if len(set(header)) < max(2, len(header)) or not rows:
        raise SegmentationError(
            f"{path}: expected a row of different names, then rows of numbers, the first being x"
        )
    columns: list[list[float]] = [[] for _ in header]
    for number, row in enumerate(rows, 2):
        try:
            for column, cell in zip(columns, row, strict=True):
                column.append(float(cell) if cell.strip() else float("nan"))
        except ValueError:
            raise SegmentationError(
                f"{path}, line {number}: {row}: expected {len(header)} numbers"
            ) from None
    return header[0], columns[0], dict(zip(header[1:], columns[1:], strict=True))


# ---- what is drawn ----


def _edits(given: PlotInput, plot: Any) -> Any:
    (ref_name, ref), (hyp_name, hyp) = given.pair()
    return plot.edits(ref, hyp, names=(ref_name, hyp_name))


def _windows(given: PlotInput, plot: Any) -> Any:
    (_, ref), (_, hyp) = given.pair()
    return plot.windows(ref, hyp, given.metric or "windowdiff")


def _intervals(given: PlotInput, plot: Any) -> Any:
    if len(given.files) > 1 or given.reference is not None:
        return plot.intervals(given.comparison())
    from segscore.coders.coefficients import agreement

    return plot.intervals(agreement(given.corpus_or_document(), given.metric))


def _lengths(given: PlotInput, plot: Any) -> Any:
    if len(given.files) == 1:
        return plot.lengths(given.corpus_or_document())
    return plot.lengths({str(path): given.read(path) for path in given.files})


def _curve(given: PlotInput, plot: Any) -> Any:
    """Columns of a table; or references and scores, as `segscore curve` takes them."""
    if len(given.files) != 2:
        xlabel, x, y = _table(*given.paths(1))
        return plot.curve(x, y, xlabel=xlabel)
    from segscore.curves import computing

    ref, scores = given.files
    metrics = given.metric or ("f1", "b", "pk", "windowdiff")
    return plot.curve(computing.curve(given.read(ref), scores, metrics, reference=given.reference))


def _sweep(given: PlotInput, plot: Any) -> Any:
    """One metric at several values of a parameter, as `segscore curve --vary` computes it."""
    from segscore.curves.computing import sweep_of_pairs

    if given.varied is None:
        raise SegmentationError("sweep needs --vary NAME=VALUES, such as n_t=1:10")
    name, values = parameter_values(given.varied)
    refs, *others = given.both()
    rules = PairingRules(given.reference, given.hypothesis)
    pairs = pairs_of(refs, others[0] if others else None, rules)
    return plot.sweep(sweep_of_pairs(pairs, given.metric or "b", name, values))


_PICTURES: dict[str, Callable[[PlotInput, Any], Any]] = {
    "boundaries": lambda given, plot: plot.boundaries(given.one_document()),
    "support": lambda given, plot: plot.support(given.corpus_or_document()),
    "edits": _edits,
    "windows": _windows,
    "intervals": _intervals,
    "distribution": lambda given, plot: plot.distribution(given.comparison()),
    "precision-recall": lambda given, plot: plot.precision_recall(given.comparison()),
    "habits": lambda given, plot: plot.habits(given.corpus_or_document()),
    "clusters": lambda given, plot: plot.clusters(given.corpus_or_document(), given.metric),
    "per-unit": lambda given, plot: plot.per_unit(given.one_document()),
    "matrix": lambda given, plot: plot.matrix(given.corpus_or_document(), given.metric or "b"),
    "levels": lambda given, plot: plot.levels(given.one_document()),
    "lengths": _lengths,
    "curve": _curve,
    "sweep": _sweep,
}
