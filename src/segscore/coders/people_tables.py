"""Tables about single coders and groups of them: who deviates, coder by coder, labels, support."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.coder_tables import QUARTILES, methods_note, quartiles, with_interval
from segscore.tables import Cell, Column, Table

if TYPE_CHECKING:  # they import this module, to show themselves
    from segscore.coders.coefficients import Agreement
    from segscore.coders.competitiveness import Deviation
    from segscore.coders.label_similarity import LabelSimilarity
    from segscore.coders.pairwise import PairwiseMean
    from segscore.coders.support import Support


def deviation_table(found: "Deviation") -> Table:
    """Each coder: agreement without them, with them, and how far they lower it."""
    rows = [
        [one.name, one.without, one.joined, with_interval(one.drop, one.ci), one.ci.method]
        for one in found.coders
    ]
    columns = [
        Column("coder"),
        Column("without", digits=3),
        Column("with", key="joined", digits=3),
        Column("drop", digits=3),
        Column("interval", audience="machines"),
    ]
    symbol = {"pi": "π*", "kappa": "κ*"}[found.coefficient]
    methods = methods_note([{"interval": one.ci.method} for one in found.coders])
    words = [
        f"{symbol} by {found.signature}, without and with the coder; below 0: agreement rises when "
        "they join",
        *methods,
    ]
    return Table(columns, rows, words, "Who deviates")


def matrix_table(found: "PairwiseMean") -> Table:
    """The mean of each two coders."""
    coders = found.coders
    values = found.by_coders()
    columns = [Column("reference \\ hypothesis", key="reference")]
    if found.metric.symmetric:
        columns = [Column("coder")]
    columns += [Column(name, key=f"coder {name}", digits=3) for name in coders]
    rows = [
        [name, *(None if i == j else float(values[i, j]) for j in range(len(coders)))]
        for i, name in enumerate(coders)
    ]
    numbers = [
        [coders[i], coders[j], float(values[i, j])]
        for i in range(len(coders))
        for j in range(len(coders))
        if i != j
    ]
    fields = [*map(Column, ("reference", "hypothesis", "mean"))]
    return Table(
        columns,
        rows,
        [f"mean over the documents of both: {found.signature}"],
        "Coder by coder",
        for_machines=Table(fields, numbers),
    )


def support_quartiles_table(documents: "Iterable[tuple[str, Support]]") -> Table:
    """How widely the boundaries of each document are supported."""
    rows = [
        [name, found.n_coders, len(found.positions), *quartiles(found.shares)]
        for name, found in documents
    ]
    columns = [
        Column("document"),
        Column("coders"),
        Column("positions"),
        *(Column(name, key=key, digits=3, share=True) for key, name in QUARTILES.items()),
    ]
    words = "share of coders who mark a position, over the positions that anyone marks"
    return Table(columns, rows, [words], "Support of boundaries by document")


def labels_by_document_table(found: "Mapping[str, LabelSimilarity]") -> Table:
    """How far coders give the same labels, document by document."""
    rows = [[name, Cell(one.mean, error=one.sd), one.n] for name, one in found.items()]
    columns = [Column("document"), Column("similarity", key="mean", error="sd", digits=3)]
    words = "Jaccard similarity of labels: mean ± standard deviation over units and pairs of coders"
    return Table([*columns, Column("n")], rows, [words], "Similarity of labels")


def coder_groups_table(
    groups: "Mapping[str, Agreement]", found: "PairwiseMean", members: Mapping[str, Sequence[str]]
) -> Table:
    """Agreement within each group of coders, and the similarity within it and to the others."""
    values = found.by_coders()
    place = {name: i for i, name in enumerate(found.coders)}
    rows = []
    for name, coders in members.items():
        inside = [place[one] for one in coders]
        outside = [i for i in range(len(place)) if i not in inside]
        one = groups[name]
        rows.append({
            "group": name, "coders": len(coders), "pi": with_interval(one.pi, one.ci),
            "within": _mean(values[np.ix_(inside, inside)]),
            "others": _mean(values[np.ix_(inside, outside)]),
        })  # fmt: skip
    columns = [
        Column("group"),
        Column("coders"),
        Column("π* within", key="pi", digits=3),
        Column(f"{found.metric} within", key="within", digits=3),
        Column(f"{found.metric} with others", key="others", digits=3),
    ]
    return Table(columns, rows, [f"by {found.signature}"], "Groups of coders")


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else float("nan")
