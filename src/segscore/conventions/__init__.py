"""Other implementations of Pk, WindowDiff, F1, B and S, and which of them printed a number."""

from segscore.conventions.auditing import Audit, audit
from segscore.conventions.convention import AuditRow

__all__ = ["Audit", "AuditRow", "audit"]
