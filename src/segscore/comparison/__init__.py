"""Systems against references: the table of scores with intervals and significance.

`comparing` holds `compare` and what it returns; the other files are its parts: who is compared
(`systems`), how they stand (`estimates`, `results`, `letter_display`), where chance stands
(`own_chance`), what documents can show (`power`, `planning`), what to say about it (`advice`),
where two differ (`differences`), and how it is shown (`comparison_table`).
"""

from segscore.comparison.comparing import Comparison, compare

__all__ = ["Comparison", "compare"]
