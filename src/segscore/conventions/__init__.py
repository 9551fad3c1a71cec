"""Other people's readings of Pk, WindowDiff and F1, and which of them printed a given number."""

from segscore.conventions.audit_table import AuditRow
from segscore.conventions.auditing import Audit, audit

__all__ = ["Audit", "AuditRow", "audit"]
