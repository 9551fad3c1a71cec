"""Find input that is probably wrong: labels in the wrong frame, shifted sides, and more.

`check` looks at references and hypotheses as they are to be scored and gives a list of `Finding`s,
each with its evidence, its likely cause and what to do. It looks for faults of a whole corpus; a
single odd document is none. Each rule asks how likely its evidence would be in an honest corpus and
speaks up only where that is out of the question (below 1 in 100 000) and the effect is large. What
few documents cannot prove is at most a note.
"""

from segscore.checking.checks import check, quick_check
from segscore.checking.coder_checks import check_coders
from segscore.checking.findings import Finding, findings_table
from segscore.checking.label_frames import FEWEST, OTHER_MARKS, doubtful_marks
from segscore.checking.score_lists import check_scores

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
