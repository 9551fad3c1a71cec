"""A number of a paper: what is printed, how ours is computed, and how close it has to come.

How close: half of the last digit printed; if the paper draws at random, that and two standard
errors of its own number of draws (`of_draws`). Where that error is not known, the paper's own ±,
and never more than `widest` (`drawn`). What needs more than that has not been reproduced.

What is wrong in print: each paper's module lists its `ERRATA` beside `CELLS`. An erratum keeps
apart what anybody can check (`fact`: what is printed, what it contradicts, what is computed here)
and what we conclude from it (`inference`: a cause that would explain it). It names the cells that
come out, or do not, because of it, and holds findings: numbers that are not in print, computed
here, such as the value without the slip.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast

from segscore.coding.segmentation import Segmentation
from segscore.datasets.catalogue import DATASETS, place_of

Status = Literal["reproduced", "reproduced-slip", "not-reproduced", "consistent", "no-data"]
Source = Literal["paper", "notebook", "test suite", "other reading", "derived claim", "own runs"]
Shared = TypeVar("Shared")


class PrintTolerance(NamedTuple):
    """How far our number may be from the printed number, and why."""

    value: float
    reason: str


Allowance = (
    PrintTolerance | Callable[["Run"], PrintTolerance]
)  # the latter if it depends on the run

COUNT = PrintTolerance(0, "a count is exact")
FRACTION = PrintTolerance(1e-9, "an exact fraction: only floats round")


def printed(decimals: int) -> PrintTolerance:
    """Half of the last digit, for a number that is printed with this number of decimals.

    >>> round(printed(2).value, 6)
    0.005
    """
    half = 0.5 * 10.0**-decimals
    return PrintTolerance(half + 1e-9, f"half of the last of {decimals} decimals printed")


def of_draws(decimals: int, standard_error: float, whose: str) -> PrintTolerance:
    """Half of the last digit, and two standard errors of what the paper drew.

    >>> round(of_draws(2, 0.01, "ten trials").value, 6)
    0.025
    """
    half, reason = printed(decimals)
    return PrintTolerance(
        half + 2 * standard_error, f"{reason}, and two standard errors of {whose}"
    )


def printed_table(name: str) -> dict[str, dict[str, float]]:
    """A table of a paper, from `printed/NAME.tsv`: numbers by row and column, as they are printed.

    Without a point they are whole; an empty cell is not printed.
    """
    place = Path(__file__).parent / "printed" / f"{name}.tsv"
    header, *rows = (line.split("\t") for line in place.read_text("utf-8").splitlines())
    return {
        row: {
            column: int(cell) if cell.isdigit() else float(cell)
            for column, cell in zip(header[1:], cells, strict=True)
            if cell
        }
        for row, *cells in rows
    }


def widest(published: float) -> float:
    """The most by which a random number may differ: 2 % of it, and .01 (a point in %).

    >>> widest(0.25), widest(0.9), widest(45.0)
    (0.005, 0.01, 0.9)
    """
    return min(0.02 * abs(published), 0.01 if abs(published) <= 1 else 1.0)


def drawn(published: float, value: float, reason: str) -> PrintTolerance:
    """For draws of which the standard error is not known: `value`, or `widest` if that is less."""
    return PrintTolerance(min(value, widest(published)), f"{reason}; at most 2 % and .01")


@dataclass(frozen=True)
class Run:
    """What a computation may use: the folder of data, if there is one, and how long it may take.

    `others` are further folders to look for data that the first does not have.
    """

    data: Path | None = None
    full: bool = False
    others: tuple[Path, ...] = ()
    _shared: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def has(self, name: str) -> bool:
        """Whether this folder of data exists, complete: a fetch that failed leaves part of it."""
        if name not in self._shared:
            place, known = self._place(name), DATASETS.get(name)
            whole = known is None or place is None or place_of(known, place.parent) is not None
            self._shared[name] = whole and place is not None
        return bool(self._shared[name])

    def folder(self, name: str) -> Path:
        """A folder of data; use it only in cells that say they need it."""
        place = self._place(name)
        if place is None:
            raise LookupError(f"this run has no data: {name} is missing")
        return place

    def _place(self, name: str) -> Path | None:
        """The folder in the data of this run, or in the package; None if it is in neither."""
        for folder in (self.data, *self.others):
            if folder is not None and (folder / name).is_dir():
                return folder / name
        dataset = DATASETS.get(name)
        return place_of(dataset) if dataset is not None and dataset.embedded else None

    def shared(self, compute: "Callable[[Run], Shared]") -> Shared:
        """The result of `compute` for this run, computed once for all cells that need it."""
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        return cast(Shared, self._shared[compute])


@dataclass(frozen=True)
class PublishedNumber:
    """A printed number ("mean ± sd" gives two).

    - `published` is the number as printed, `compute` gives ours on the same scale.
    - `tolerance` is known beforehand, or (for simulations) comes from the run.
    - `needs` names the folders of data that `compute` reads.
    - `slip` says which slip of the paper `compute` repeats, if it repeats one; or which reading it
      takes that the paper does not have and that was picked because its numbers then come out.
    - `holds=False` marks a number known not to come out; `note` says why.
    - `long` cells are left out unless the run is `full`; others compute the same in every run.
    - `source` says where the number stands if it is not in the paper, that the cell is one more
      reading of a number that has a cell already, that it is a claim of the paper to which we gave
      a number ("derived claim"), or that our own segmenters take the place of outputs that are not
      available; all these are counted apart.
    - `from_print`: `compute` uses other numbers that the paper or its author prints, copied here,
      because what they were computed from is not available. That shows that the paper agrees with
      itself, not more.
    - `unavailable` says what the computation would need, if nobody can get it.
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
    source: Source = "paper"
    from_print: bool = False
    unavailable: str = ""

    def outcome(self, paper: str, run: Run) -> "Outcome":
        """Compute, compare, and return the outcome."""
        missing = [folder for folder in self.needs if not run.has(folder)]
        computed = None if missing or self.unavailable else self.compute(run)
        tolerance = self._tolerance(run, computed is not None)
        status: Status = "not-reproduced"
        if computed is None:
            status = "no-data"
        elif abs(computed - self.published) <= tolerance.value:
            status = self._success
        notes = [
            self.note,
            f"slip: {self.slip}" if self.slip else "",
            f"needs the data of {', '.join(missing)}{_how_to_fetch(missing)}" if missing else "",
            f"would need {self.unavailable}" if self.unavailable else "",
            "" if self.unavailable else f"tolerance: {tolerance.reason}",
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
            self.source,
        )

    @property
    def _success(self) -> Status:
        if self.from_print:
            return "consistent"
        return "reproduced" if self.slip is None else "reproduced-slip"

    def _tolerance(self, run: Run, computed: bool) -> PrintTolerance:
        if isinstance(self.tolerance, PrintTolerance):
            return self.tolerance
        return self.tolerance(run) if computed else PrintTolerance(0, "would come from the run")


def unavailable(item: str, published: float, what: str) -> PublishedNumber:
    """A number that nobody can compute without `what`, which is not available."""
    nothing = PrintTolerance(0, "nothing to compare")
    return PublishedNumber(item, published, _never, nothing, unavailable=what)


def _never(run: Run) -> float:
    raise LookupError(f"this number cannot be computed, with {run} or any other run")


def _how_to_fetch(missing: list[str]) -> str:
    """How to fetch the data, if it can be fetched."""
    known = [name for name in missing if name in DATASETS]
    return f" (segscore data fetch {' '.join(known)})" if known else ""


class Outcome(NamedTuple):
    """The outcome of a cell."""

    paper: str
    item: str
    published: float
    computed: float | None
    tolerance: float
    status: Status
    note: str
    holds: bool
    source: Source = "paper"

    @property
    def failed(self) -> bool:
        """Whether the cell should hold, but does not."""
        return self.holds and self.status == "not-reproduced"

    @property
    def difference(self) -> float | None:
        """Our number, as shown, minus the printed number."""
        return None if self.computed is None else float(shown(self.computed)) - self.published


def shown(value: float) -> str:
    """A number as tables and the page show it: five digits, alike on every machine."""
    return f"{value:.5g}"


# ---- what is wrong in print ----


@dataclass(frozen=True)
class OwnNumber:
    """A number from no paper, computed here as evidence for an erratum."""

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
    findings: tuple[OwnNumber, ...] = ()


# ---- figures that compare two small segmentations ----


Masses = Sequence[int]


class Measure(NamedTuple):
    """A measure: how it is computed from a pair, and what each figure prints for it."""

    compute: Callable[[Segmentation, Segmentation], float]
    published: Mapping[str, float]
    tolerance: PrintTolerance
    note: str = ""


def figure_cells(
    figures: Mapping[str, tuple[Masses, Masses]], measures: Mapping[str, Measure]
) -> list[PublishedNumber]:
    """A cell for each figure and each measure that prints a number for it."""

    def cell(figure: str, name: str, measure: Measure) -> PublishedNumber:
        return PublishedNumber(
            item=f"{figure}, {name}",
            published=measure.published[figure],
            compute=lambda _: float(
                measure.compute(*map(Segmentation.from_masses, figures[figure]))
            ),
            tolerance=measure.tolerance,
            note=measure.note,
        )

    return [
        cell(figure, name, measure)
        for figure in figures
        for name, measure in measures.items()
        if figure in measure.published
    ]
