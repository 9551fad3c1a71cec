"""Systems against references: the table of scores with intervals and significance.

`comparing` holds `compare`, `comparison_result` what it returns; the other files are their parts:
who is compared (`inputs`, `units`, `systems`, `judged_runs`), how they stand (`estimates`,
`results`, `letter_display`), where chance stands (`own_chance`), what documents can show (`power`,
`planning`), what to say about it (`advice`), where two differ (`differences`), and how it is shown
(`comparison_table`).
"""

from segscore.comparison.comparing import compare
from segscore.comparison.comparison_result import Comparison

__all__ = ["Comparison", "compare"]
