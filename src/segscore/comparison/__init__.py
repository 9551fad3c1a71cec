"""Systems against references: the table of scores with intervals and significance.

`comparing` holds `compare`, `comparison_result` what it returns; the other files are their parts:
who is compared (`compared`, `cases`, `system_files`; of sums `from_sums` and `scale_sums`; of files
too large to hold `streaming`), how they stand
(`measuring`, `estimates`, `comparison_entries`), where chance stands (`own_chance`), what documents
can show (`power`), what to say about it (`advice`), where two differ (`most_different`), whether
one is worse (`gates`), and how it is shown (`comparison_table`).
"""

from segscore.comparison.comparing import compare
from segscore.comparison.comparison_result import Comparison

__all__ = ["Comparison", "compare"]
