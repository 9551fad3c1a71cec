"""Other implementations of Pk, WindowDiff, F1, B and S, and which of them printed a number."""

from segscore.conventions.audit_table import AuditRow
from segscore.conventions.auditing import Audit, audit

__all__ = ["Audit", "AuditRow", "audit"]
