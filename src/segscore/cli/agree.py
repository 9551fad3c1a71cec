"""`segscore agree CODINGS`: how far coders agree, who agrees with whom, and where."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.masking import MaskOption, UemOption, corpus_mask
from segscore.cli.options import (
    CodersOption,
    DrawsOption,
    FormOption,
    OutputOption,
    SeedOption,
)
from segscore.cli.output import chosen_form, remark, show_several
from segscore.cli.page_option import ReportOption, agreement_metric, write_page
from segscore.coders.agreement_tables import (
    AgreementSettings,
    Part,
    agreement_tables,
    usual_parts,
)
from segscore.coders.pairwise import KFrom
from segscore.coders.random_codings import Null
from segscore.errors import SegmentationError, nearest

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus
    from segscore.io import ReadOptions


def run(
    codings: Annotated[
        list[Path],
        typer.Argument(metavar="CODINGS…", help="Files or folders; for instance one per coder."),
    ],
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help='A symmetric similarity: b, s, "b(n_t=3)" …; any other metric is averaged over '
            "pairs of coders.",
        ),
    ] = "b",
    show: Annotated[
        list[Part] | None,
        typer.Option(
            "--show",
            metavar="TABLE",
            help=f"Which tables. May be repeated: {', '.join(Part)}.",
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="CODER", help="A coder to compare with the people."),
    ] = None,
    coders: CodersOption = None,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME=DOCUMENT,DOCUMENT…",
            help="A group of documents. May be repeated.",
        ),
    ] = None,
    coder_groups: Annotated[
        list[str] | None,
        typer.Option(
            "--coder-group",
            metavar="NAME=CODER,…",
            help="A group of coders. May be repeated.",
        ),
    ] = None,
    document: Annotated[
        str | None,
        typer.Option(
            "--document", metavar="NAME", help="Everyone's boundaries in this document, by unit."
        ),
    ] = None,
    contested: Annotated[
        int | None,
        typer.Option(
            "--contested", metavar="NUMBER", help="The most contested places, with their text."
        ),
    ] = None,
    k_from: Annotated[
        KFrom,
        typer.Option(
            "--k-from",
            help="Window of pk, windowdiff, winpr in --show pairwise: from the reference of each "
            "pair, or from all coders of a document.",
        ),
    ] = "pair",
    count_end: Annotated[
        bool,
        typer.Option(
            "--count-end", help="Count the end of each document as a boundary that all agree on."
        ),
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", help="Format of CODINGS, if it is not recognised."
        ),
    ] = None,
    null: Annotated[
        Null,
        typer.Option(
            "--null",
            help="What random coders keep: their number of boundaries (positions), or the lengths "
            "of their segments (lengths).",
        ),
    ] = "positions",
    draws: DrawsOption = None,
    mask: MaskOption = None,
    uem: UemOption = None,
    seed: SeedOption = 0,
    report: ReportOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Measure how far coders agree on where the boundaries are.

    Shows agreement per document, per group and overall, corrected for what random coders would
    reach and as papers report it (π*, κ*), with confidence intervals; the coders and their
    clusters; and where they see boundaries. CSV holds one table: choose it by --show.
    """
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.io import read
    from segscore.pairing.masks import cut_out

    corpus = read(
        codings,
        source,
        coders=coders,
        **vars(reading),
    )
    left_out = corpus_mask(mask, uem, corpus)
    if left_out is not None:
        corpus = cut_out(corpus, left_out)
    corpus = _grouped(corpus, groups or [])
    how = AgreementSettings(
        metric, system, count_end, null, draws, seed, k_from, document, contested or 20,
        _named_groups(coder_groups or [], corpus),
    )  # fmt: skip
    asked = [
        *(show or ()),
        *([Part.DOCUMENT] if document is not None else []),
        *([Part.CONTESTED] if contested is not None else []),
        *([Part.GROUPS] if coder_groups and Part.GROUPS not in (show or ()) else []),
    ]
    pairs = CoderPairs(corpus)
    wanted = asked or usual_parts(pairs, how)
    if chosen_form(form, output) == "csv" and len(wanted) > 1:
        if asked:
            raise SegmentationError("--show is given more than once: expected one table for CSV")
        wanted = [Part.AGREEMENT if system is None else Part.SYSTEM]
        remark(f"CSV holds one table, here {wanted[0].value}; --show chooses another")
    show_several(agreement_tables(pairs, how, wanted), form, output)
    if report is not None:
        from segscore.coders.coefficients import agreement

        chosen = agreement_metric(metric)
        write_page(agreement(pairs, chosen, null=null, draws=draws, seed=seed), report)


def _grouped(corpus: "Corpus", groups: list[str]) -> "Corpus":
    """The corpus with documents assigned to groups."""
    assigned: dict[str, str] = {}
    for text in groups:
        name, mark, documents = text.partition("=")
        if not mark or not name or not documents:
            raise SegmentationError(f"--group is {text!r}: expected NAME=DOCUMENT,DOCUMENT…")
        assigned.update({document.strip(): name for document in documents.split(",")})
    return corpus.with_details(groups=assigned) if assigned else corpus


def _named_groups(groups: list[str], corpus: "Corpus") -> dict[str, list[str]]:
    """What --coder-group says: coders by group, each in one group at most."""
    found: dict[str, list[str]] = {}
    for text in groups:
        name, _, coders = text.partition("=")
        members = [one.strip() for one in coders.split(",") if one.strip()]
        if not name.strip() or not members:
            raise SegmentationError(f"--coder-group is {text!r}: expected NAME=CODER,CODER…")
        for one in members:
            if one not in corpus.coders:
                raise SegmentationError(f"no coder is called {one!r}{nearest(one, corpus.coders)}")
            if any(one in others for others in found.values()):
                raise SegmentationError(f"coder {one!r} is in two groups: expected one")
        found.setdefault(name.strip(), []).extend(members)
    return found
