"""Find input that is probably wrong: labels in the wrong frame, shifted sides, and more.

`check` examines references and hypotheses before they are scored and returns a list of `Finding`s,
each with its evidence, its likely cause and what to do. It looks for faults of a whole corpus, not
for a single odd document. Each rule asks how likely its evidence would be in an honest corpus, and
reports a finding only if that is practically impossible (below 1 in 100 000) and the effect is
large. What few documents cannot prove is at most a note.
"""

from segscore.checking.checks import check, check_coders, quick_check
from segscore.checking.coder_rules import OTHER_MARKS, doubtful_marks
from segscore.checking.findings import Finding, findings_table
from segscore.checking.match_rules import FEWEST, check_scores

__all__ = [
    "FEWEST",
    "OTHER_MARKS",
    "Finding",
    "check",
    "check_coders",
    "check_scores",
    "doubtful_marks",
    "findings_table",
    "quick_check",
]
