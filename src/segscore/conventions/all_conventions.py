"""All conventions of all measures: what each does, its source in code, and how far-fetched it is as
an explanation.

The cost of an explanation is a sum over the convention, the average, the form of the number, and
what was done to documents before. Frequent choices cost nothing, so the most likely explanation
comes first. Costs are judgements, based on how often scripts do it.
"""

from typing import NamedTuple

from segscore.conventions.audit_table import AuditRow
from segscore.conventions.class_auditing import CLASS_CONVENTIONS, MACRO_F1
from segscore.conventions.convention_list import CONVENTIONS, FIXED_SIZES
from segscore.conventions.derived_auditing import (
    COUNT_MAE,
    COUNT_SENTENCE,
    COUNT_SOURCE,
    TOTAL,
    TOTALS,
)
from segscore.conventions.edit_auditing import EDIT_CONVENTIONS
from segscore.conventions.evalhds import EVALHDS, EVALHDS_MEASURES, EVALHDS_SENTENCE
from segscore.conventions.f_catalogue import F_CONVENTIONS

AVERAGE_COSTS = {
    "document": 0.0,
    "mean": 0.0,
    "windows": 0.75,
    "pooled": 0.25,
    "mean-rates": 0.75,
    "global-k": 2.25,
    "concatenated": 2.25,
}
_OWN_AVERAGES: dict[tuple[str, str], str] = {
    (convention.name, convention.measure): convention.average
    for convention in F_CONVENTIONS
    if convention.average == "mean-rates"
}


class CatalogueEntry(NamedTuple):
    """What is known about a convention of a measure."""

    sentence: str
    source: str | None
    cost: float

    @property
    def words(self) -> str:
        """The text of a footnote."""
        return f"{self.sentence} [{self.source}]" if self.source else self.sentence


CATALOGUE: dict[tuple[str, str], CatalogueEntry] = {
    **{
        (convention.name, measure): CatalogueEntry(
            convention.sentence, convention.source, convention.cost
        )
        for convention in (*CONVENTIONS, *FIXED_SIZES)
        for measure in convention.measures
    },
    **{
        (EVALHDS, measure): CatalogueEntry(EVALHDS_SENTENCE, "EvalHDS eval/Beeferman.py", 1.5)
        for measure in EVALHDS_MEASURES
    },
    **{
        (convention.name, convention.measure): CatalogueEntry(
            convention.sentence, convention.source, convention.cost
        )
        for convention in F_CONVENTIONS
    },
    **{
        (convention.name, convention.measure): CatalogueEntry(
            convention.sentence, convention.source, convention.cost
        )
        for convention in EDIT_CONVENTIONS
    },
    **{
        (convention.name, MACRO_F1): CatalogueEntry(
            convention.sentence, convention.source, convention.cost
        )
        for convention in CLASS_CONVENTIONS
    },
    **{
        (total.name, TOTAL): CatalogueEntry(total.sentence, total.source, total.cost)
        for total in TOTALS
    },
    (COUNT_MAE, COUNT_MAE): CatalogueEntry(COUNT_SENTENCE, COUNT_SOURCE, 0.0),
}


def cost_of(row: AuditRow) -> float:
    """How far-fetched a row is, before any change of documents."""
    key = row.convention, row.measure
    average = 0.0 if _OWN_AVERAGES.get(key) == row.average else AVERAGE_COSTS[row.average]
    return CATALOGUE[key].cost + average
