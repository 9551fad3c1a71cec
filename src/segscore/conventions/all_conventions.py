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
    (one.name, one.measure): one.average for one in F_CONVENTIONS if one.average == "mean-rates"
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
        (one.name, measure): CatalogueEntry(one.sentence, one.source, one.cost)
        for one in (*CONVENTIONS, *FIXED_SIZES)
        for measure in one.measures
    },
    **{
        (EVALHDS, measure): CatalogueEntry(EVALHDS_SENTENCE, "EvalHDS eval/Beeferman.py", 1.5)
        for measure in EVALHDS_MEASURES
    },
    **{
        (one.name, one.measure): CatalogueEntry(one.sentence, one.source, one.cost)
        for one in F_CONVENTIONS
    },
    **{
        (one.name, one.measure): CatalogueEntry(one.sentence, one.source, one.cost)
        for one in EDIT_CONVENTIONS
    },
    **{
        (one.name, MACRO_F1): CatalogueEntry(one.sentence, one.source, one.cost)
        for one in CLASS_CONVENTIONS
    },
    **{(one.name, TOTAL): CatalogueEntry(one.sentence, one.source, one.cost) for one in TOTALS},
    (COUNT_MAE, COUNT_MAE): CatalogueEntry(COUNT_SENTENCE, COUNT_SOURCE, 0.0),
}


def cost_of(row: AuditRow) -> float:
    """How far-fetched a row is, before any change of documents."""
    key = row.convention, row.measure
    average = 0.0 if _OWN_AVERAGES.get(key) == row.average else AVERAGE_COSTS[row.average]
    return CATALOGUE[key].cost + average
