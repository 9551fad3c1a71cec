"""All rows of an audit: every convention of the requested measures."""

from collections.abc import Mapping, Sequence

from segscore.conventions.audit_table import AuditRow, same_numbers
from segscore.conventions.class_auditing import MACRO_F1, class_rows
from segscore.conventions.convention_list import CONVENTIONS
from segscore.conventions.derived_auditing import COUNT_MAE, TOTAL, count_rows, total_rows
from segscore.conventions.edit_auditing import EDIT_MEASURES, edit_rows
from segscore.conventions.evalhds import evalhds_rows
from segscore.conventions.f_auditing import f_rows
from segscore.conventions.f_catalogue import F_CONVENTIONS
from segscore.conventions.f_counting import Reach
from segscore.conventions.window_auditing import SeenDocuments, window_rows
from segscore.pairing.pairs import Pairs

_EXACT = {convention.name for convention in F_CONVENTIONS if convention.exact}
_VARIANTS = {
    convention.name: convention.variant_of for convention in CONVENTIONS if convention.variant_of
}
_PARTS_OF_TOTAL = ("pk", "windowdiff", "f1", MACRO_F1)


def audited_rows(pairs: Pairs, measures: Sequence[str], reach: Reach) -> list[AuditRow]:
    """The numbers of all conventions; total scores use other measures, requested or not."""
    needed = {*measures, *(_PARTS_OF_TOTAL if TOTAL in measures else ())}
    rows = [
        *window_rows(SeenDocuments(pairs), tuple(needed), CONVENTIONS),
        *evalhds_rows(pairs, measures),
        *f_rows(pairs, reach, tuple(needed)),
        *(class_rows(pairs) if MACRO_F1 in needed else ()),
    ]
    rows += total_rows(rows) if TOTAL in measures else ()
    rows += edit_rows(pairs, tuple(measure for measure in EDIT_MEASURES if measure in measures))
    rows += count_rows(pairs) if COUNT_MAE in measures else ()
    known = {row[:3]: row for row in rows}
    within = reach.within > 0
    return [
        row
        for row in rows
        if row.measure in measures and not (within and _is_exact(row)) and _differs(row, known)
    ]


def _is_exact(row: AuditRow) -> bool:
    """Whether a row is an F1 without a tolerance."""
    return row.measure == "f1" and row.convention in _EXACT


def _differs(row: AuditRow, known: Mapping[tuple[str, ...], AuditRow]) -> bool:
    """Whether a variant prints another number than the convention it varies."""
    usual = _VARIANTS.get(row.convention)
    return usual is None or not same_numbers(row, known[usual, row.measure, row.average])
