"""How many documents it takes to show a difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from segscore.basics.arguments import number
from segscore.comparison.power import Evidence
from segscore.comparison.results import PairTest
from segscore.errors import SegmentationError
from segscore.tables import Column, Table, Tabular


@dataclass(frozen=True)
class PlannedPair:
    """Two systems under one metric: the documents there are, and those it takes.

    `n_needed` is None where no number of documents would do, as the test has too few resamples.
    """

    metric: str
    a: str
    b: str
    n_documents: int
    n_needed: int | None


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
    """For each pair of systems how many documents would show a difference of this size."""

    difference: float
    pairs: tuple[PlannedPair, ...]

    def __iter__(self) -> Iterator[PlannedPair]:
        return iter(self.pairs)

    def to_table(self) -> Table:
        """A row per pair of systems and metric."""
        columns = [
            Column("metric"),
            Column("a"),
            Column("b"),
            Column("difference", audience="machines"),
            Column("documents", key="n_documents"),
            Column("needed", key="n_needed"),
        ]
        rows = [
            [one.metric, one.a, one.b, self.difference, one.n_documents, one.n_needed]
            for one in self.pairs
        ]
        words = (
            f"Documents of this kind that would show a difference of {self.difference:g} four "
            "times out of five, if it is there, by the same test and correction."
        )
        return Table(columns, rows, [words])


def planned(
    difference: float,
    tests: Sequence[PairTest],
    evident: Mapping[str, Sequence[Evidence]],
    n_documents: int,
) -> Plan:
    """The plan for every pair; `evident` holds what documents say, in the order of the tests."""
    size = number(difference, "difference", "a number above 0")
    if size <= 0:
        raise SegmentationError(f"difference is {difference}: expected a number above 0")
    if not tests:
        raise SegmentationError("there is one system: a plan needs at least 2 to compare")
    if n_documents < 2:
        raise SegmentationError("there is one document: a plan needs at least 2 to know a spread")
    known = [one for evidence in evident.values() for one in evidence]
    return Plan(
        size,
        tuple(
            PlannedPair(pair.metric, pair.a, pair.b, n_documents, one.documents_for(size))
            for pair, one in zip(tests, known, strict=True)
        ),
    )
