"""Compare systems with references: the table of scores with intervals and significance.

The way of the data: `comparing` (`compare`) → `systems` (what is given, as cases and runs) →
`measuring` (baselines and people; one `Pairs` for all runs, the statistics of each metric) →
`estimates` (`Standings`: a column per row of the table; what the documents can detect) →
`comparison_result` (entries and tests of pairs) and `comparison_table`. `summed_documents` and
`segscore.chunks` make `Standings` of sums and of evidence. Beside it: the level of chance
(`own_chance`), how many documents are needed (`planning`), sentences (`words`), where two systems
differ (`most_different`), and whether a system is worse (`gates`).
"""

from segscore.comparison.comparing import compare
from segscore.comparison.comparison_result import Comparison

__all__ = ["Comparison", "compare"]
