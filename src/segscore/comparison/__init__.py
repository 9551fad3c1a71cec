"""Systems against references: the table of scores with intervals and significance.

`comparing` holds `compare` and what it returns; the other files are its parts: who is compared
(`contestants`), how they stand (`standings`, `entries`, `letters`), what to say about it
(`counsel`), where two differ (`differences`), and how it is shown (`rendering`).
"""

from segscore.comparison.comparing import Comparison, compare

__all__ = ["Comparison", "compare"]
