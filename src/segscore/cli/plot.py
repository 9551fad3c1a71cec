"""`segscore plot KIND FILE… -o FIGURE`: pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from segscore.basics.arguments import check_choice
from segscore.cli.commands import OUTPUT, OWN, option
from segscore.cli.options import (
    FormatOption,
    HypothesisCoderOption,
    ReadingOptions,
    ReferenceCoderOption,
    one_metric,
    parameter_values,
)
from segscore.errors import SegmentationError, named
from segscore.io.reading import read_chosen

if TYPE_CHECKING:
    from segscore.coding.segmentation import Segmentation
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus, Document


KINDS = (
    "boundaries, support, edits, windows, intervals, distribution, precision-recall, habits, "
    "clusters, per-unit, matrix, levels, lengths, curve, sweep"
)


class PlotInput(NamedTuple):
    """The arguments of the command line."""

    files: list[Path]
    source: str | None
    reading: ReadingOptions
    document: str | None
    reference: str | None
    hypothesis: str | None
    metric: str | None
    varied: str | None

    def read(self, path: Path) -> "Corpus":
        """The corpus in a file."""
        return read_chosen(path, self.source, self.reading.options)


def run(
    *,
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"{KINDS}.")],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="CODINGS (files or folders); REF SYSTEM… for intervals, distribution and "
            "precision-recall; REF HYP for edits, windows and sweep; a CSV table or REF SCORES for "
            "curve.",
        ),
    ],
    output: Annotated[
        Path,
        option("--output -o", OUTPUT, "The picture: .pdf, .svg, .png, .pgf.", "FILE"),
    ],
    document: Annotated[
        str | None, option("--document", OWN, "The document to show.", "NAME")
    ] = None,
    reference: ReferenceCoderOption = None,
    hypothesis: HypothesisCoderOption = None,
    metrics: Annotated[
        list[str] | None, option("--metric -m", OWN, 'A metric: b, "wd(k=3)".', "METRIC")
    ] = None,
    varied: Annotated[
        str | None, option("--vary", OWN, "For sweep: n_t=1:10, k=2,4,8.", "NAME=VALUES")
    ] = None,
    title: Annotated[
        str | None, option("--title", OUTPUT, "A title above the picture.", "TEXT")
    ] = None,
    width: Annotated[
        float | None, option("--width", OUTPUT, "In inches.", "NUMBER", min=1, max=100)
    ] = None,
    height: Annotated[
        float | None, option("--height", OUTPUT, "In inches.", "NUMBER", min=1, max=100)
    ] = None,
    source: FormatOption = None,
    reading: ReadingOptions,
) -> None:
    """Plot codings, systems or a table of numbers.

    For CODINGS: boundaries, per-unit and levels of a document; support, habits, clusters, matrix
    and lengths of one or all documents; intervals of their agreement. For systems: intervals,
    distribution, precision-recall. For one pair: edits, windows. For REF and HYP: sweep. Needs
    matplotlib: pip install 'segscore[plot]'.
    """
    from segscore import plot  # refuses in words if matplotlib is missing

    metric = one_metric(metrics) if metrics else None
    given = PlotInput(files, source, reading, document, reference, hypothesis, metric, varied)
    check_choice(kind, "KIND", tuple(_PICTURES))
    ax = _PICTURES[kind](given, plot)
    plot.save(ax, output, width=width, height=height, title=title)


# ---- what is read ----


def _one_file(given: PlotInput) -> Path:
    if len(given.files) > 1:
        raise SegmentationError(f"{len(given.files)} files: expected one for this picture")
    return given.files[0]


def _corpus_or_document(given: PlotInput) -> "Corpus | Document":
    """The whole corpus, or the requested document."""
    corpus = given.read(_one_file(given))
    return corpus if given.document is None else _chosen(corpus, given.document)


def _document(given: PlotInput) -> "Document":
    """The requested document, or the only document."""
    corpus = given.read(_one_file(given))
    if given.document is None and len(corpus) == 1:
        return next(iter(corpus.values()))
    if given.document is None:
        raise SegmentationError(
            f"{given.files[0]} has {len(corpus)} documents: choose one by --document, of "
            f"{named(corpus)}"
        )
    return _chosen(corpus, given.document)


def _chosen(corpus: "Corpus", name: str) -> "Document":
    if name not in corpus:
        raise SegmentationError(f"--document is {name!r}: expected one of {named(corpus)}")
    return corpus[name]


def _pair(given: PlotInput) -> "tuple[tuple[str, Segmentation], tuple[str, Segmentation]]":
    """Reference and hypothesis, each with its coder, from one or two files."""
    if len(given.files) > 2:
        raise SegmentationError(f"{len(given.files)} files: expected REF, or REF and HYP")
    first = _document(given._replace(files=given.files[:1]))
    if len(given.files) == 1:
        if given.reference is None or given.hypothesis is None:
            raise SegmentationError(
                "HYP is missing: give a second file, or --reference CODER and --hypothesis CODER"
            )
        second = first
    else:
        second = _document(given._replace(files=given.files[1:], document=first.name))
    return (
        _coding(first, given.reference, "--reference"),
        _coding(second, given.hypothesis, "--hypothesis"),
    )


def _coding(document: "Document", coder: str | None, option: str) -> "tuple[str, Segmentation]":
    if coder is None and len(document) == 1:
        coder = next(iter(document))
    if coder is None or coder not in document:
        found = f"{option} is {coder!r}" if coder else f"{len(document)} coders: choose by {option}"
        raise SegmentationError(
            f"document {document.name!r}, {found}: expected one of {named(document)}"
        )
    return coder, document[coder]


def _comparison(given: PlotInput) -> "Comparison":
    from segscore.comparison import compare
    from segscore.comparison.systems import system_runs
    from segscore.pairing.inputs import Reader

    corpus: Any = given.read(given.files[0])
    paths = list(map(str, given.files[1:]))
    systems: Any = None
    if paths:
        systems = system_runs(paths, Reader((given.source,) * 2, given.reading.options))
    return compare(corpus, given.reference, systems, given.metric or "b")


def _table(given: PlotInput) -> "tuple[str, list[float], dict[str, list[float]]]":
    """A CSV file: the first column is x, each other column a curve; the first row has names."""
    import csv

    path = _one_file(given)
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    if len(header) < 2 or not rows:
        raise SegmentationError(
            f"{path}: expected a row of names, then rows of numbers, the first column being x"
        )
    if len(set(header)) < len(header):
        raise SegmentationError(f"{path}: a name is listed twice in the first row")
    columns: list[list[float]] = [[] for _ in header]
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise SegmentationError(
                f"{path}, line {number}: {len(row)} cells: expected {len(header)}"
            )
        for column, cell in zip(columns, row, strict=True):
            column.append(_number(cell, f"{path}, line {number}"))
    return header[0], columns[0], dict(zip(header[1:], columns[1:], strict=True))


def _number(cell: str, where: str) -> float:
    if not cell.strip():
        return float("nan")
    try:
        return float(cell)
    except ValueError:
        raise SegmentationError(f"{where}: {cell!r}: expected a number") from None


# ---- what is drawn ----


def _edits(given: PlotInput, plot: Any) -> Any:
    (ref_name, ref), (hyp_name, hyp) = _pair(given)
    return plot.edits(ref, hyp, names=(ref_name, hyp_name))


def _windows(given: PlotInput, plot: Any) -> Any:
    (_, ref), (_, hyp) = _pair(given)
    return plot.windows(ref, hyp, given.metric or "windowdiff")


def _intervals(given: PlotInput, plot: Any) -> Any:
    if len(given.files) > 1 or given.reference is not None:
        return plot.intervals(_comparison(given))
    from segscore.coders.coefficients import agreement

    return plot.intervals(agreement(_corpus_or_document(given), given.metric))


def _lengths(given: PlotInput, plot: Any) -> Any:
    if len(given.files) == 1:
        return plot.lengths(_corpus_or_document(given))
    return plot.lengths({str(path): given.read(path) for path in given.files})


def _curve(given: PlotInput, plot: Any) -> Any:
    """Columns of a table; or references and scores, as `segscore curve` takes them."""
    if len(given.files) != 2:
        xlabel, x, y = _table(given)
        return plot.curve(x, y, xlabel=xlabel)
    from segscore.curves import computing

    ref, scores = given.files
    metrics = given.metric or ("f1", "b", "pk", "windowdiff")
    return plot.curve(computing.curve(given.read(ref), scores, metrics, reference=given.reference))


def _sweep(given: PlotInput, plot: Any) -> Any:
    """One metric at several values of a parameter, as `segscore curve --vary` computes it."""
    from segscore.curves.parameter_sweep import sweep_of_pairs
    from segscore.pairing.pairs import pairs_of
    from segscore.pairing.rules import PairingRules

    if given.varied is None:
        raise SegmentationError("sweep needs --vary NAME=VALUES, such as n_t=1:10")
    if len(given.files) > 2:
        raise SegmentationError(f"{len(given.files)} files: expected REF, or REF and HYP")
    name, values = parameter_values(given.varied)
    refs, *others = map(given.read, given.files)
    rules = PairingRules(given.reference, given.hypothesis)
    pairs = pairs_of(refs, others[0] if others else None, rules)
    return plot.sweep(sweep_of_pairs(pairs, given.metric or "b", name, values))


def _of(read: Callable[[PlotInput], Any], name: str, takes_metric: bool = False) -> "Drawing":
    """Register a function that draws this kind of picture."""

    def draw(given: PlotInput, plot: Any) -> Any:
        options = {"metric": given.metric} if takes_metric and given.metric else {}
        return getattr(plot, name)(read(given), **options)

    return draw


Drawing = Callable[[PlotInput, Any], Any]

_PICTURES: dict[str, Drawing] = {
    "boundaries": _of(_document, "boundaries"),
    "support": _of(_corpus_or_document, "support"),
    "edits": _edits,
    "windows": _windows,
    "intervals": _intervals,
    "distribution": _of(_comparison, "distribution"),
    "precision-recall": _of(_comparison, "precision_recall"),
    "habits": _of(_corpus_or_document, "habits"),
    "clusters": _of(_corpus_or_document, "clusters", takes_metric=True),
    "per-unit": _of(_document, "per_unit"),
    "matrix": _of(_corpus_or_document, "matrix", takes_metric=True),
    "levels": _of(_document, "levels"),
    "lengths": _lengths,
    "curve": _curve,
    "sweep": _sweep,
}
