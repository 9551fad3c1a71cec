"""Other people's readings of Pk and WindowDiff, and which of them printed a given number."""

from segscore.conventions.auditing import Audit, AuditRow, audit

__all__ = ["Audit", "AuditRow", "audit"]
