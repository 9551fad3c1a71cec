"""Compare systems with references: the table of scores with intervals and significance.

`comparing` holds `compare`, `comparison_result` what it returns. The other files are parts of
these: what is compared (`compared`, `cases`, `system_files`; `from_sums` for tables of
sums), its numbers (`measuring`, `estimates`, `comparison_entries`), the level of chance
(`own_chance`), what the documents can detect (`power`), advice in words (`advice`), where two
systems differ (`most_different`), whether a system is worse (`gates`), and the tables
(`comparison_table`).
"""

from segscore.comparison.comparing import compare
from segscore.comparison.comparison_result import Comparison

__all__ = ["Comparison", "compare"]
