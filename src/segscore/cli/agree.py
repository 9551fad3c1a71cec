"""`segscore agree CODINGS`: how far coders agree, who agrees with whom, and where."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from segscore.cli.options import (
    CodersOption,
    DrawsOption,
    FormOption,
    LayerOption,
    OutputOption,
    PolicyOption,
    UnitsOption,
    choices,
)
from segscore.cli.output import chosen_form, remark, show_several
from segscore.coders.random_codings import Null
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.coders.pairing import CoderPairs
    from segscore.corpus import Corpus
    from segscore.provenance import Provenance
    from segscore.tables import Table


class Part(StrEnum):
    """The tables there are."""

    AGREEMENT = "agreement"
    DECISIONS = "decisions"
    CODERS = "coders"
    CLUSTERS = "clusters"
    TREE = "tree"
    MAP = "map"
    SYSTEM = "system"


def run(
    codings: Annotated[Path, typer.Argument(metavar="CODINGS", help="A file or a folder.")],
    metric: Annotated[
        str,
        typer.Option(
            "--metric", "-m", metavar="METRIC", help='A symmetric similarity: b, s, "b(n_t=3)" …'
        ),
    ] = "b",
    show: Annotated[
        list[Part] | None, typer.Option("--show", help="Which tables; may be repeated.")
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
    count_end: Annotated[
        bool, typer.Option("--count-end", help="Document ends count as boundaries all agree on.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", help="Format of CODINGS, if it is not recognised."
        ),
    ] = None,
    units: UnitsOption = None,
    policy: PolicyOption = "error",
    layer: LayerOption = None,
    null: Annotated[
        Null,
        typer.Option(
            "--null",
            help="What random coders keep: their number of boundaries (positions), or the lengths "
            "of their segments (lengths).",
        ),
    ] = "positions",
    draws: DrawsOption = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of intervals and draws.")] = 0,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Measure how far coders agree on where the boundaries are.

    Shows agreement per document, per group and overall, corrected for what random coders would
    reach and as papers report it (π*, κ*), with confidence intervals; the coders and their
    clusters; and where they see boundaries. CSV holds one table: choose it by --show.
    """
    from segscore.coders.pairing import CoderPairs
    from segscore.io import read

    corpus = read(
        codings,
        source,
        coders=coders,
        **vars(choices(units, policy, layer)),
    )
    corpus = _grouped(corpus, groups or [])
    wanted = show or _usual(corpus, system)
    if chosen_form(form, output) == "csv" and len(wanted) > 1:
        if show:
            raise SegmentationError("--show is given more than once: expected one table for CSV")
        wanted = [Part.AGREEMENT if system is None else Part.SYSTEM]
        remark(f"CSV holds one table, here {wanted[0].value}; --show chooses another")
    pairs = CoderPairs(corpus)
    how = AgreeSettings(metric, system, count_end, null, draws, seed)
    tables: dict[str, Table] = {}
    for part in wanted:
        tables.update(_tables(part, pairs, how))
    show_several(_with_units(tables, corpus.provenance), form, output)


def _with_units(tables: "dict[str, Table]", provenance: "Provenance") -> "dict[str, Table]":
    """The tables, each with a note on how units were formed if a reader was told."""
    if not provenance:
        return tables
    return {
        name: replace(table, footnotes=[*table.footnotes, str(provenance)])
        for name, table in tables.items()
    }


class AgreeSettings(NamedTuple):
    """What the tables depend on."""

    metric: str
    system: str | None
    count_end: bool
    null: Null
    draws: int | None
    seed: int


def _grouped(corpus: "Corpus", groups: list[str]) -> "Corpus":
    """The corpus with documents assigned to groups."""
    assigned: dict[str, str] = {}
    for text in groups:
        name, mark, documents = text.partition("=")
        if not mark or not name or not documents:
            raise SegmentationError(f"--group is {text!r}: expected NAME=DOCUMENT,DOCUMENT…")
        assigned.update({document.strip(): name for document in documents.split(",")})
    return corpus.with_details(groups=assigned) if assigned else corpus


def _usual(corpus: "Corpus", system: str | None) -> list[Part]:
    """The tables that are shown unless others are asked for."""
    wanted = [Part.AGREEMENT, Part.DECISIONS, Part.CODERS, Part.CLUSTERS, Part.TREE, Part.MAP]
    if corpus.coder_scope == "local" and len(corpus) > 1:  # a tree for each document is too much
        wanted = [part for part in wanted if part not in (Part.CODERS, Part.CLUSTERS, Part.TREE)]
    return wanted if system is None else [*wanted, Part.SYSTEM]


def _tables(part: Part, pairs: "CoderPairs", how: AgreeSettings) -> "dict[str, Table]":
    """The table of one part; clusters of local coders have one for each document."""
    from segscore.coders import coder_tables, habits
    from segscore.coders.coefficients import agreement
    from segscore.coders.competitiveness import human_competitiveness
    from segscore.coders.support import supports

    name = part.value
    if part is Part.AGREEMENT:
        made = agreement(
            pairs, how.metric, null=how.null, draws=how.draws, seed=how.seed
        )  # fmt: skip
        return {name: made.to_table()}
    if part is Part.DECISIONS:
        return {name: _decisions(pairs, how)}
    if part is Part.CODERS:
        return {name: habits.boundaries_per_coder(pairs).to_table()}
    if part is Part.MAP:
        return {name: coder_tables.shares_table(supports(pairs.corpus))}
    if part is Part.SYSTEM:
        if how.system is None:
            raise SegmentationError("--show system needs --system NAME")
        tried = human_competitiveness(pairs.corpus, how.system, how.metric, seed=how.seed)
        return {name: tried.to_table()}
    return _clusters(part, pairs, how)


def _decisions(pairs: "CoderPairs", how: AgreeSettings) -> "Table":
    from segscore.coders import decisions
    from segscore.coders.coder_tables import decisions_table

    return decisions_table(
        decisions.fleiss_kappa(pairs, count_end=how.count_end, seed=how.seed),
        decisions.krippendorff_alpha(pairs, count_end=how.count_end, seed=how.seed),
        decisions.percentage_agreement(pairs, seed=how.seed),
    )


def _clusters(part: Part, pairs: "CoderPairs", how: AgreeSettings) -> "dict[str, Table]":
    from segscore.coders import coder_tables
    from segscore.coders.clusters import coder_clusters

    name, corpus = part.value, pairs.corpus
    look = coder_tables.dendrogram_table if part is Part.TREE else coder_tables.clusters_table
    if corpus.coder_scope == "global":
        return {name: look(coder_clusters(pairs, how.metric))}
    return {
        f"{name} {key}": look(coder_clusters(document, how.metric))
        for key, document in corpus.items()
        if len(document) > 1
    }
