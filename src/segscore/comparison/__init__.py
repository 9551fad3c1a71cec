"""Compare systems with references: the table of scores with intervals and significance.

The way of the data: `comparing` (`compare`) → `systems` (what is given, as cases and runs) →
`measuring` (baselines and people; one `Pairs` for all runs, the statistics of each metric) →
`estimates` (`Standings`: a column per row of the table; what the documents can detect) →
`leaderboard` (entries and tests of pairs, of systems or of chunkers) → `comparison_result` and
`comparison_table`. Beside it: the level of chance (`own_chance`), how
many documents are needed (`planning`), sentences (`words`), where two systems differ
(`most_different`), and whether a system is worse (`gates`).
"""

from segscore.comparison.comparing import compare
from segscore.comparison.comparison_result import Comparison

__all__ = ["Comparison", "compare"]
