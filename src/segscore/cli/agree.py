"""`segscore agree CODINGS`: how far coders agree, who agrees with whom, and where."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import OptionGroup
from segscore.cli.options import (
    CodersOption,
    CodingsArgument,
    DrawsOption,
    MaskOptions,
    SeedOption,
)
from segscore.cli.output import (
    OutputOptions,
    ReportOption,
    agreement_metric,
    remark,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
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
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.corpus.corpus import Corpus

MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        metavar="METRIC",
        help='A symmetric similarity: b, s, "b(n_t=3)" …; any other metric is averaged over '
        "pairs of coders.",
    ),
]
SystemOption = Annotated[
    str | None,
    typer.Option("--system", metavar="CODER", help="A coder to compare with the people."),
]
KFromOption = Annotated[
    KFrom,
    typer.Option(
        "--k-from",
        help="Window of pk, windowdiff, winpr in --show pairwise: from the reference of each "
        "pair, or from all coders of a document.",
    ),
]
CountEndOption = Annotated[
    bool,
    typer.Option(
        "--count-end", help="Count the end of each document as a boundary that all agree on."
    ),
]
SourceOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of CODINGS, if it is not recognised."),
]
ShowOption = Annotated[
    list[Part] | None,
    typer.Option(
        "--show", metavar="TABLE", help=f"Which tables. May be repeated: {', '.join(Part)}."
    ),
]
NullOption = Annotated[
    Null,
    typer.Option(
        "--null",
        help="What random coders keep: their number of boundaries (positions), or the lengths "
        "of their segments (lengths).",
    ),
]


@dataclass(frozen=True, kw_only=True)
class GroupOptions(OptionGroup):
    """Groups of documents, and of coders."""

    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME=DOCUMENT,DOCUMENT…",
            help="A group of documents. May be repeated.",
        ),
    ] = None
    coder_groups: Annotated[
        list[str] | None,
        typer.Option(
            "--coder-group",
            metavar="NAME=CODER,…",
            help="A group of coders. May be repeated.",
        ),
    ] = None

    def applied(self, corpus: "Corpus") -> "Corpus":
        """The corpus with documents assigned to groups."""
        assigned: dict[str, str] = {}
        for text in self.groups or ():
            name, mark, documents = text.partition("=")
            if not mark or not name or not documents:
                raise SegmentationError(f"--group is {text!r}: expected NAME=DOCUMENT,DOCUMENT…")
            assigned.update({document.strip(): name for document in documents.split(",")})
        return corpus.with_details(groups=assigned) if assigned else corpus

    def members(self, corpus: "Corpus") -> dict[str, list[str]]:
        """Coders by group, each in one group at most."""
        found: dict[str, list[str]] = {}
        for text in self.coder_groups or ():
            name, _, coders = text.partition("=")
            members = [one.strip() for one in coders.split(",") if one.strip()]
            if not name.strip() or not members:
                raise SegmentationError(f"--coder-group is {text!r}: expected NAME=CODER,CODER…")
            for one in members:
                if one not in corpus.coders:
                    raise SegmentationError(
                        f"no coder is called {one!r}{nearest(one, corpus.coders)}"
                    )
                if any(one in others for others in found.values()):
                    raise SegmentationError(f"coder {one!r} is in two groups: expected one")
            found.setdefault(name.strip(), []).extend(members)
        return found


@dataclass(frozen=True, kw_only=True)
class PlaceOptions(OptionGroup):
    """Places in the text to look at."""

    document: Annotated[
        str | None,
        typer.Option(
            "--document", metavar="NAME", help="Everyone's boundaries in this document, by unit."
        ),
    ] = None
    contested: Annotated[
        int | None,
        typer.Option(
            "--contested", metavar="NUMBER", help="The most contested places, with their text."
        ),
    ] = None


def run(
    *,
    codings: CodingsArgument,
    metric: MetricOption = "b",
    show: ShowOption = None,
    system: SystemOption = None,
    coders: CodersOption = None,
    grouping: GroupOptions,
    places: PlaceOptions,
    k_from: KFromOption = "pair",
    count_end: CountEndOption = False,
    source: SourceOption = None,
    null: NullOption = "positions",
    draws: DrawsOption = None,
    masking: MaskOptions,
    seed: SeedOption = 0,
    report: ReportOption = None,
    output: OutputOptions,
    reading: ReadingOptions,
) -> None:
    """Measure how far coders agree on where the boundaries are.

    Shows agreement per document, per group and overall, corrected for what random coders would
    reach and as papers report it (π*, κ*), with confidence intervals; the coders and their
    clusters; and where they see boundaries. CSV holds one table: choose it by --show.
    """
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.coders.coefficients import agreement
    from segscore.pairing.masks import cut_out

    corpus = reading.read(codings, source, coders=coders)
    left_out = masking.of(corpus)
    if left_out is not None:
        corpus = cut_out(corpus, left_out)
    corpus = grouping.applied(corpus)
    how = AgreementSettings(
        metric, system, count_end, null, draws, seed, k_from, places.document,
        places.contested or 20, grouping.members(corpus),
    )  # fmt: skip
    pairs = CoderPairs(corpus)
    parts = _parts(_asked(show or [], grouping, places), pairs, how, output)
    output.show_several(agreement_tables(pairs, how, parts))
    if report is not None:
        chosen = agreement_metric(metric)
        write_page(agreement(pairs, chosen, null=null, draws=draws, seed=seed), report)


def _asked(show: list[Part], grouping: GroupOptions, places: PlaceOptions) -> list[Part]:
    """The tables that options ask for."""
    asked = list(show)
    if places.document is not None:
        asked.append(Part.DOCUMENT)
    if places.contested is not None:
        asked.append(Part.CONTESTED)
    if grouping.coder_groups and Part.GROUPS not in show:
        asked.append(Part.GROUPS)
    return asked


def _parts(
    asked: list[Part], pairs: "CoderPairs", how: AgreementSettings, output: OutputOptions
) -> list[Part]:
    """The tables to show: those asked for, or the usual ones; one if the format is CSV."""
    wanted = asked or usual_parts(pairs, how)
    if output.chosen_form != "csv" or len(wanted) < 2:
        return wanted
    if asked:
        raise SegmentationError("--show is given more than once: expected one table for CSV")
    one = Part.AGREEMENT if how.system is None else Part.SYSTEM
    remark(f"CSV holds one table, here {one.value}; --show chooses another")
    return [one]
