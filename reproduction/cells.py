"""Numbers in print, as data: `printed/PAPER.tsv` has a row for each, `printed/PAPER.toml` the rest.

Columns of a row:

- `item`, and `printed`, with as many digits as in print;
- `tolerance`: how far ours may be from it. Nothing means half of the last digit; `count`,
  `fraction` and `digits` stand in `TOLERANCES`; others are a number and its reason. If the paper
  draws at random, the formula also gives the standard error of its number of draws, and two of them
  are added. Where that error is not known, it is the paper's own ±, and never more than 2 % and
  .01. What needs more than that has not been reproduced;
- `formula`: a name in `FORMULAS` of the paper's module, and its arguments, between bars; nothing if
  nobody can compute the number. No formula takes a printed number, except where the row says
  `copied`: it then uses other numbers that the paper or its author prints, because what they were
  computed from is not available, and shows that the paper agrees with itself, not more;
- `flags`: `fails` if the number is known not to come out (the note says why), `long` if it is
  computed only in full, `copied`;
- `slip`: the slip of the paper that the formula repeats; or the reading it takes that the paper
  does not have and that was picked because its numbers then come out;
- `source`, if it is not the paper: where the number stands, or that it is one more reading of a
  number that has a row already, a claim to which we gave a number, or a run of our own segmenters
  in place of outputs that are not available. These are counted apart;
- `note`. Words in braces, here and in `slip`, are in `[words]` of the other file.

That file also has what is printed and has no row (`missing`), and `errata`. An erratum keeps apart
what anybody can check (`fact`) and what we conclude from it (`inference`). It names the rows that
come out, or do not, because of it (`cells`, patterns: * stands for anything, and ? for the star of
π*), and numbers that are not in print (`findings`, with their formulas), such as the value without
the slip.
"""

import csv
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, SupportsFloat, get_args

from reproduction.runs import NoDataError, Run
from segscore.errors import SegmentationError

Status = Literal["reproduced", "reproduced-slip", "not-reproduced", "consistent", "no-data"]
Formulas = Mapping[str, Callable[..., "SupportsFloat | Estimate"]]

STATUSES: tuple[Status, ...] = get_args(Status)
SOURCES = ("paper", "notebook", "test suite", "other reading", "derived claim", "own runs")
PRINTED = Path(__file__).parent / "printed"
TOLERANCES = {
    "count": (0.0, "a count is exact"),
    "fraction": (1e-9, "an exact fraction: only floats round"),
    "digits": (1e-12, "printed with 28 digits: only floats round"),
}


class Estimate(NamedTuple):
    """Our number for one that a paper drew at random, and the standard error of the paper's."""

    value: float
    error: float
    whose: str


@dataclass(frozen=True)
class Cell:
    """A row of a paper's table."""

    paper: str
    item: str
    printed: str
    tolerance: str
    formula: str
    flags: str
    slip: str
    source: str
    note: str

    @property
    def published(self) -> float:
        """The printed number."""
        return float(Fraction(self.printed))

    def outcome(self, run: Run) -> "Outcome":
        """Compute, compare, and return the outcome."""
        ours, missing, status = None, "", "no-data"
        if self.formula:
            try:
                ours = value_of(self.paper, self.formula, run)
            except NoDataError as error:
                missing = str(error)
        tolerance, reason = self._tolerance(ours)
        computed = ours.value if isinstance(ours, Estimate) else ours
        if computed is not None:
            close = abs(computed - self.published) <= tolerance
            status = self._success if close else "not-reproduced"
        slip = f"slip: {self.slip}" if self.slip else ""
        reason = f"tolerance: {reason}" if self.formula else ""
        note = "; ".join(filter(None, (self.note, slip, missing, reason)))
        return Outcome(self, computed, tolerance, status, note)  # type: ignore[arg-type]

    @property
    def _success(self) -> Status:
        if "copied" in self.flags:
            return "consistent"
        return "reproduced-slip" if self.slip else "reproduced"

    def _tolerance(self, ours: "float | Estimate | None") -> tuple[float, str]:
        if self.tolerance in TOLERANCES:
            return TOLERANCES[self.tolerance]
        if self.tolerance:
            value, reason = self.tolerance.split(": ", 1)
            return float(value), reason
        decimals = len(self.printed.partition(".")[2])
        half = 0.5 * 10.0**-decimals + 1e-9
        reason = f"half of the last of {decimals} decimals printed"
        if isinstance(ours, Estimate):
            return half + 2 * ours.error, f"{reason}, and two standard errors of {ours.whose}"
        return half, reason


class Outcome(NamedTuple):
    """How a cell comes out."""

    cell: Cell
    computed: float | None
    tolerance: float
    status: Status
    note: str

    @property
    def failed(self) -> bool:
        """Whether the cell should come out, but does not."""
        return self.status == "not-reproduced" and "fails" not in self.cell.flags


def shown(value: float) -> str:
    """A number as tables and the page show it: five digits, alike on every machine."""
    return f"{value:.5g}"


# ---- papers ----


def paper_names() -> list[str]:
    """The papers: each has a table, and a module of the same name."""
    return sorted(path.stem for path in PRINTED.glob("*.tsv"))


def paper_title(paper: str) -> str:
    """The authors, the year, the title and the venue of a paper: the first line of its module.

    >>> paper_title("carroll2010")
    'Lucien Carroll (2010): Evaluating Hierarchical Discourse Segmentation. NAACL-HLT 2010.'
    """
    return " ".join((_module(paper).__doc__ or paper).split("\n\n")[0].split())


def _module(paper: str) -> Any:
    return import_module(f"reproduction.{paper}")


@cache
def about(paper: str) -> dict[str, Any]:
    """What a paper's second file says: `words`, `missing`, `errata`."""
    return tomllib.loads((PRINTED / f"{paper}.toml").read_text("utf-8"))


@cache
def cells_of(paper: str) -> list[Cell]:
    """All cells of a paper."""
    if paper not in paper_names():
        expected = ", ".join(paper_names())
        raise SegmentationError(f"no paper is called {paper!r}: expected {expected}")
    words = about(paper)["words"]
    lines = (PRINTED / f"{paper}.tsv").read_text("utf-8").splitlines()
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [
        Cell(
            paper,
            **row
            | {"slip": row["slip"].format_map(words), "note": row["note"].format_map(words)}
            | {"source": row["source"] or "paper"},
        )
        for row in rows
    ]


def printed_numbers(paper: str) -> dict[str, float]:
    """What a paper prints, by item."""
    return {cell.item: cell.published for cell in cells_of(paper)}


def value_of(paper: str, formula: str, run: Run) -> "float | Estimate":
    """What a formula of a paper gives in a run."""
    name, *arguments = formula.split(" | ")
    found = _module(paper).FORMULAS[name](run, *map(_argument, arguments))
    return found if isinstance(found, Estimate) else float(found)


def _argument(text: str) -> str | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def outcomes(papers: Iterable[str], run: Run, full: bool = False) -> Iterator[Outcome]:
    """How the cells of these papers come out, one after the other."""
    for paper in papers:
        for cell in cells_of(paper):
            if full or "long" not in cell.flags:
                yield cell.outcome(run)
