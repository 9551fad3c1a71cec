"""What an audit consists of: one number per row, and the rows that explain an expected number."""

from typing import Literal, NamedTuple

AuditMeasure = Literal["pk", "windowdiff", "f1", "segment-f1"]
MEASURES: tuple[AuditMeasure, ...] = ("pk", "windowdiff", "f1", "segment-f1")


class AuditRow(NamedTuple):
    """One number: a convention, a measure, an average."""

    convention: str
    measure: str
    average: str
    k: int | None  # None where documents differ, and for F1
    windows: int | None  # None for F1
    value: float  # NaN where undefined
    prints: float  # NaN where the implementation fails
    documents: int
    undefined: int
    note: str | None
    at: str | None = None  # tolerance or thresholds of F1


class ExpectedMatch(NamedTuple):
    """A row that explains an expected number, and the form in which it does."""

    row: AuditRow
    form: str
