"""What a comparison shows: which system is better, by how much, or that no system is.

No sentence claims more than the tests allow: the best value alone is no claim, and with one
document nothing is tested. A claim is about a metric; equal claims about several metrics share a
sentence.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from segscore.comparison.comparison_entries import Entry, PairTest
from segscore.tables.wording import PLAIN, Wording, joined

if TYPE_CHECKING:
    from segscore.comparison.comparison_result import Comparison


class ComparisonClaim(NamedTuple):
    """The best system under a metric, None if no system has a value; the systems that it beats and
    those that may be as good, each as the tested pair; and whether anything was tested."""

    metric: str
    best: Entry | None
    beaten: tuple[PairTest, ...] = ()
    undecided: tuple[PairTest, ...] = ()
    n_systems: int = 1
    tested: bool = False

    def others(self, pairs: tuple[PairTest, ...]) -> list[str]:
        """The systems that were tested against the best system."""
        best = self.best.system if self.best is not None else ""
        return [pair.b if pair.a == best else pair.a for pair in pairs]

    @property
    def least(self) -> PairTest:
        """The smallest significant difference."""
        return min(self.beaten, key=lambda pair: abs(pair.difference))


def claims(comparison: "Comparison") -> list[ComparisonClaim]:
    """What the comparison shows under each metric."""
    return [_claim(comparison, metric) for metric in comparison.metrics]


def _claim(comparison: "Comparison", metric: str) -> ComparisonClaim:
    entries = [comparison[system, metric] for system in comparison.systems]
    ranked = [entry for entry in entries if entry.rank is not None]
    if not ranked:
        return ComparisonClaim(metric, None, n_systems=len(entries))
    best = min(ranked, key=lambda entry: entry.rank or 0)
    pairs = [
        pair
        for pair in comparison.pairs
        if pair.metric == metric and best.system in (pair.a, pair.b)
    ]
    return ComparisonClaim(
        metric,
        best,
        tuple(pair for pair in pairs if pair.significant),
        tuple(pair for pair in pairs if not pair.significant),
        len(entries),
        any(entry.letters is not None for entry in entries),
    )


def sentences(comparison: "Comparison", wording: Wording = PLAIN) -> list[str]:
    """What the comparison shows, with a sentence for all metrics that show the same."""
    found = claims(comparison)
    alike = groupby(
        found,
        lambda claim: (
            claim.best and claim.best.system, claim.tested, claim.n_systems,
            claim.others(claim.beaten), claim.others(claim.undecided),
        ),
    )  # fmt: skip
    conclusions = [sentence(list(group), wording) for _, group in alike]
    return [*conclusions, *_pairs_that_differ(comparison)]


def sentence(group: Sequence[ComparisonClaim], wording: Wording = PLAIN) -> str:
    """What the comparison shows under metrics whose claims name the same systems."""
    first, best = group[0], group[0].best
    metrics = joined([wording.text(claim.metric) for claim in group])
    if best is None:
        return f"No system has a value in {metrics}."
    name, values = wording.strong(best.system), joined(list(_values(group, wording)))
    if first.n_systems == 1:
        return f"{name} reaches {values}. With one system there is nothing to test."
    if not first.tested:
        return (
            f"{name} has the best value, {values}; nothing could be tested, so this says nothing "
            "about other documents."
        )
    open_ = wording.names(first.others(first.undecided)) if first.undecided else ""
    do = "does" if len(first.undecided) == 1 else "do"
    if not first.beaten:
        return (
            f"No system can be called better in {metrics}: {name} has the best value, but {open_} "
            f"{do} not differ from it significantly."
        )
    beaten = wording.names(first.others(first.beaten))
    verdict = (
        f"{name} is significantly better than {beaten} in {joined(list(_gaps(group, wording)))}"
    )
    return f"{verdict}; it does not differ significantly from {open_}." if open_ else f"{verdict}."


def _values(group: Sequence[ComparisonClaim], wording: Wording) -> Iterator[str]:
    """The best value in each metric, with its interval."""
    for claim in group:
        if claim.best is not None:
            value = wording.with_interval(claim.best.value, claim.best.low, claim.best.high)
            yield f"{value} in {wording.text(claim.metric)}"


def _gaps(group: Sequence[ComparisonClaim], wording: Wording) -> Iterator[str]:
    """Each metric, and by how much the best system is better; the smallest difference if it beats
    several. A difference of shares in percent is in points."""
    for claim in group:
        pair = claim.least
        towards = 1 if pair.difference > 0 else -1
        low, high = sorted((towards * pair.low, towards * pair.high))
        gap = wording.with_interval(towards * pair.difference, low, high).replace(" %", " points")
        least = "by at least" if len(claim.beaten) > 1 else "by"
        yield f"{wording.text(claim.metric)} ({least} {gap})"


def _pairs_that_differ(comparison: "Comparison") -> list[str]:
    """The number of pairs that differ among three systems or more, not only those of the best."""
    if len(comparison.systems) < 3 or not any(pair.p == pair.p for pair in comparison.pairs):
        return []
    counts = []
    for metric in comparison.metrics:
        tested = [pair for pair in comparison.pairs if pair.metric == metric]
        counts.append((sum(pair.significant for pair in tested), len(tested), metric))
    clauses = []
    for (n, of), group in groupby(counts, key=lambda count: count[:2]):
        pairs = f"{n} of {of} pairs of systems differ" if n != 1 else f"1 of {of} pairs differs"
        clauses.append(f"{pairs} significantly in {joined([count[2] for count in group])}")
    return ["; ".join(clauses) + "."]
