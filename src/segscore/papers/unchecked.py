"""Tables of papers that we compute without having their print before us.

Each paper's module lists its `UNCHECKED` beside `CELLS`. The page shows them, for whoever has the
paper at hand; they count neither as reproduced nor as not.
"""

from collections.abc import Callable
from dataclasses import dataclass

from segscore.papers.published import Run
from segscore.tables import Table


@dataclass(frozen=True)
class Unchecked:
    """Where the numbers stand in the paper, what to know about ours, and ours."""

    where: str
    text: str
    table: Callable[[Run], Table]
    needs: tuple[str, ...] = ()
