"""What is wrong in print, and what shows it. Each paper's module lists its `ERRATA` beside `CELLS`.

An erratum keeps apart what anybody can check (`fact`: what is printed, what it contradicts, what is
computed here) and what we conclude from it (`inference`: a cause that would explain it). It names
the cells that come out, or do not, because of it, and holds findings: numbers that are not in
print, computed here, such as the value without the slip.
"""

from collections.abc import Callable
from dataclasses import dataclass

from segscore.papers.published import Run


@dataclass(frozen=True)
class Finding:
    """A number that nobody printed, and what it is."""

    what: str
    compute: Callable[[Run], float]
    needs: tuple[str, ...] = ()

    def found(self, run: Run) -> float | None:
        """The number, or None without the data."""
        return self.compute(run) if all(map(run.has, self.needs)) else None


@dataclass(frozen=True)
class Erratum:
    """Where a paper is wrong, the facts, what they make likely, and the evidence.

    `cells` are patterns of items of cells: * stands for anything, and ? for the star of π*.
    """

    where: str
    fact: str
    inference: str = ""
    cells: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
