"""`segscore report REF SYSTEM… -o report.html`: one page that shows who cut where."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segscore.cli.compare import reference_of
from segscore.cli.masking import MaskOption, UemOption, corpus_mask
from segscore.cli.options import (
    AlignOption,
    CodersOption,
    FormatOption,
    IgnoreTextOption,
    MaxErrorOption,
    MetricsOption,
    MissingOption,
    ResamplesOption,
    SeedOption,
    SystemOption,
    SystemsArgument,
    UndefinedOption,
)
from segscore.cli.output import remark
from segscore.cli.page_option import agreement_metric, command_line
from segscore.cli.reading_options import HypFormatOption, RefFormatOption
from segscore.coding.word_alignment import MAX_ERROR
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus
    from segscore.io import ReadOptions


def run(
    reference: Annotated[
        Path,
        typer.Argument(metavar="REF", help="References, or codings by people: a file or a folder."),
    ],
    systems: SystemsArgument = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")
    ] = Path("report.html"),
    metrics: MetricsOption = None,
    coders: Annotated[
        list[str] | None,
        typer.Option(
            "--reference",
            metavar="CODER",
            help="A coder of REF to compare with; by default all. consensus:0.5 is what half of "
            "them mark.",
        ),
    ] = None,
    chosen: SystemOption = None,
    title: Annotated[str | None, typer.Option("--title", help="The heading of the page.")] = None,
    documents: Annotated[
        int | None,
        typer.Option(
            "--documents",
            min=1,
            help="How many documents the page holds, from the worst on; by default all, or 200 "
            "if there are more than 10,000 or more than 20 million characters.",
        ),
    ] = None,
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--document", metavar="NAME", help="A document that the page holds. May be repeated."
        ),
    ] = None,
    anonymise: Annotated[
        bool,
        typer.Option(
            "--anonymise",
            help="Number people and documents, and leave texts, labels and groups out.",
        ),
    ] = False,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 0,
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    align: AlignOption = None,
    max_error: MaxErrorOption = MAX_ERROR,
    mask: MaskOption = None,
    uem: UemOption = None,
    undefined: UndefinedOption = "raise",
    scope: CodersOption = None,
    text_encoding: Annotated[
        str | None,
        typer.Option(
            "--text-encoding",
            metavar="NAME",
            help="Encoding of texts that lie beside the codings; by default UTF-8.",
        ),
    ] = None,
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Write one HTML page that shows who cut where, and why the numbers are what they are.

    With SYSTEM, or if REF names systems: systems compared, document by document. Otherwise: how
    far people agree, where they do not, and their consensus. If several people coded REF, a page
    about systems has their agreement, too. The page needs no network; it can be mailed, printed
    and archived.

    If REF is a folder of codings without texts, files .txt in it that are called like documents are
    their texts, if they have as many units: lines, or what --units says. --text names another
    folder of them.
    """
    from segscore.comparison.system_files import system_runs
    from segscore.pages import report
    from segscore.pairing.masks import cut_out

    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    if documents is not None and named:
        raise SegmentationError("--documents and --document are both given: expected one of them")
    given: Any = system_runs(systems, hyp_from or source, reading) if systems else chosen
    known = set() if align else _texts_of(given)  # what is aligned needs the texts of both sides
    corpus = _references(reference, ref_from or source, scope, text_encoding, known, reading)
    options = {
        "missing": missing, "ignore_text": ignore_text, "on_undefined": undefined,
        "n_resamples": resamples, "seed": seed, "align": align, "max_error": max_error,
        "mask": corpus_mask(mask, uem, corpus),
    }  # fmt: skip
    if given or coders or _names_systems(corpus):
        result: Comparison | Agreement = _compared(corpus, coders, given, metrics, options)
    else:
        if align is not None:
            raise SegmentationError("--align is given without a SYSTEM: expected one to align")
        if options["mask"] is not None:
            corpus = cut_out(corpus, options["mask"])
        result = _agreed(corpus, metrics or [], seed, resamples)
    written = report(
        result, output, title=title, documents=named or documents, anonymise=anonymise,
        command=command_line(),
    )  # fmt: skip
    remark(f"wrote {written}", one_line=True)


def _texts_of(systems: Any) -> set[str]:
    """The documents whose text a system's file holds."""
    runs = [run for one in systems.values() for run in one] if isinstance(systems, dict) else []
    return {name for run in runs for name, document in run.items() if document.units is not None}


def _references(
    path: Path,
    source: str | None,
    scope: Any,
    encoding: str | None,
    known: set[str],
    reading: "ReadOptions",
) -> "Corpus":
    """REF, with the texts beside it of documents whose text is not known."""
    from segscore.io.texts_beside import read_with_texts

    return read_with_texts(
        path, source, coders=scope, encoding=encoding, known=known, choices=reading
    )


def _names_systems(corpus: "Corpus") -> bool:
    return any("system" in document.kinds.values() for document in corpus.values())


def _compared(
    corpus: "Corpus",
    coders: list[str] | None,
    systems: Any,
    metrics: list[str] | None,
    options: dict[str, Any],
) -> "Comparison":
    from segscore.comparison import compare
    from segscore.scoring.scoring import DEFAULT_METRICS

    return compare(
        corpus,
        reference=reference_of(coders),
        systems=systems,
        metrics=metrics or DEFAULT_METRICS,
        **options,
    )


def _agreed(corpus: "Corpus", metrics: list[str], seed: int, resamples: int) -> "Agreement":
    from segscore.coders.coefficients import agreement

    if len(metrics) > 1:
        raise SegmentationError(
            f"--metric is given {len(metrics)} times: agreement among people rests on one"
        )
    metric = agreement_metric(metrics[0]) if metrics else "b"
    return agreement(corpus, metric, seed=seed, n_resamples=resamples)
