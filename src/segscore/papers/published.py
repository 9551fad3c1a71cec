"""One number of a paper: what is printed, how ours is computed, and how close it has to come.

How close: half of the last digit printed where nothing is left to chance; where the paper or we
draw, up to four standard errors of both runs or the paper's own ±, and never more than `widest`.
What needs more than that has not been reproduced.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast

from segscore.datasets import DATASETS, place_of

Status = Literal["reproduced", "reproduced-slip", "not-reproduced", "no-data"]
Made = TypeVar("Made")


class Tolerance(NamedTuple):
    """How far ours may be from the printed number, and why so far."""

    value: float
    reason: str


Allowance = Tolerance | Callable[["Run"], Tolerance]  # the latter where the run itself tells it

COUNT = Tolerance(0, "a count is exact")
FRACTION = Tolerance(1e-9, "an exact fraction: only floats round")


def printed(decimals: int) -> Tolerance:
    """Half of the last digit, for a number that is printed with so many decimals.

    >>> round(printed(2).value, 6)
    0.005
    """
    half = 0.5 * 10.0**-decimals
    return Tolerance(half + 1e-9, f"half of the last of {decimals} decimals printed")


def widest(published: float) -> float:
    """The most by which a number that was drawn may differ: 2 % of it, and .01 (a point in %).

    >>> widest(0.25), widest(0.9), widest(45.0)
    (0.005, 0.01, 0.9)
    """
    return min(0.02 * abs(published), 0.01 if abs(published) <= 1 else 1.0)


def drawn(published: float, value: float, reason: str) -> Tolerance:
    """A tolerance for what was drawn by chance: `value`, or `widest` if that is less."""
    return Tolerance(min(value, widest(published)), f"{reason}; at most 2 % and .01")


@dataclass(frozen=True)
class Run:
    """What a computation may use: the folder of data, if there is one, and how long it may take."""

    data: Path | None = None
    full: bool = False
    _made: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def has(self, name: str) -> bool:
        """Is this folder of data there?"""
        return self._place(name) is not None

    def folder(self, name: str) -> Path:
        """A folder of data; ask for it only in cells that say they need it."""
        place = self._place(name)
        if place is None:
            raise LookupError(f"this run has no data: {name} is missing")
        return place

    def _place(self, name: str) -> Path | None:
        """The folder in the data of this run, or in the package; None if it is in neither."""
        if self.data is not None and (self.data / name).is_dir():
            return self.data / name
        one = DATASETS.get(name)
        return place_of(one) if one is not None and one.embedded else None

    def shared(self, make: "Callable[[Run], Made]") -> Made:
        """What `make` gives for this run, made once for all cells that ask for it."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast(Made, self._made[make])


@dataclass(frozen=True)
class PublishedNumber:
    """One printed number (of a "mean ± sd" there are two).

    - `published` is the number as printed, `compute` gives ours on the same scale.
    - `tolerance` is known beforehand, or (for simulations) comes from the run.
    - `needs` names the folders of data that `compute` reads.
    - `slip` says which slip of the paper's own `compute` repeats, if it takes one.
    - `holds=False` marks a number known not to come out; `note` says why.
    - `long` cells are left out unless the run is `full`; others compute the same in every run.
    """

    item: str
    published: float
    compute: Callable[[Run], float]
    tolerance: Allowance
    note: str = ""
    needs: tuple[str, ...] = ()
    slip: str | None = None
    holds: bool = True
    long: bool = False

    def outcome(self, paper: str, run: Run) -> "Outcome":
        """Compute, compare, and say how it came out."""
        missing = [folder for folder in self.needs if not run.has(folder)]
        computed = None if missing else self.compute(run)
        tolerance = self._tolerance(run, computed is not None)
        status: Status = "not-reproduced"
        if computed is None:
            status = "no-data"
        elif abs(computed - self.published) <= tolerance.value:
            status = "reproduced" if self.slip is None else "reproduced-slip"
        notes = [
            self.note,
            f"slip: {self.slip}" if self.slip else "",
            f"needs the data of {', '.join(missing)}{_how_to_fetch(missing)}" if missing else "",
            f"tolerance: {tolerance.reason}",
        ]
        return Outcome(
            paper,
            self.item,
            self.published,
            computed,
            tolerance.value,
            status,
            "; ".join(filter(None, notes)),
            self.holds,
        )

    def _tolerance(self, run: Run, computed: bool) -> Tolerance:
        if isinstance(self.tolerance, Tolerance):
            return self.tolerance
        return self.tolerance(run) if computed else Tolerance(0, "would come from the run")


def _how_to_fetch(missing: list[str]) -> str:
    """Where data can be fetched, how."""
    known = [name for name in missing if name in DATASETS]
    return f" (segscore data fetch {' '.join(known)})" if known else ""


class Outcome(NamedTuple):
    """How one cell came out."""

    paper: str
    item: str
    published: float
    computed: float | None
    tolerance: float
    status: Status
    note: str
    holds: bool

    @property
    def failed(self) -> bool:
        """It should hold, and it does not."""
        return self.holds and self.status == "not-reproduced"

    @property
    def difference(self) -> float | None:
        """Ours, as it is shown, minus what is printed."""
        return None if self.computed is None else float(shown(self.computed)) - self.published


def shown(value: float) -> str:
    """A number as tables and the page show it: five digits, alike on every machine."""
    return f"{value:.5g}"
