"""EvalHDS, the program that Carroll (2010) published with his data: Pk and WindowDiff over levels.

It looks at one level of the reference after the other, and compares it with as many of the most
prominent boundaries of the hypothesis as the level has, so that a hypothesis is never too fine or
too coarse. Ties are drawn at random, many times; here the expectation over draws is exact. Places
without a boundary are tied at a rank below all others. Without ranks there is one level.

- k is half of the mean segment of a level, cut down; a level whose segments are shorter than two
  units on average has k = 0 and no error.
- The N-1 places between units lie on a ring, and each is the start of a window of k places: N-1
  windows. (Under `edges="wrap"` the seam is one more place, without a boundary, and windows are N;
  figures 2 and 3 of the paper come out with that.)
- A document's errors are averaged over levels by the number of boundaries that are new in each; the
  corpus is the mean over documents.

The scores of HC99 in the author's repository, 66 articles under two settings, are these to the last
digit.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.conventions.audit_table import AuditRow, first_of
from segscore.conventions.convention_list import Measure
from segscore.pairing.pairs import Pairs

EVALHDS = "evalhds"
EVALHDS_MEASURES: tuple[Measure, ...] = ("pk", "windowdiff")
EVALHDS_SENTENCE = (
    "EvalHDS (Carroll 2010): level by level, with as many of the highest ranked boundaries of the "
    "hypothesis as the reference has, ties averaged; k cut down; N-1 windows on a ring."
)


class ProgramLevel(NamedTuple):
    """One level of a reference: what is new in it, its window, and the expected share of errors."""

    new: int
    k: int
    error: float


class DocumentScore(NamedTuple):
    """A document: what EvalHDS prints, its windows, and what there is to say about it."""

    prints: float
    k: int | None  # None where levels differ
    trouble: str | None


def evalhds_rows(pairs: Pairs, measures: Sequence[str]) -> Iterator[AuditRow]:
    """The row of each measure; of a corpus the mean over documents, as the program has it."""
    average = "document" if len(pairs) == 1 else "mean"
    windows = int(pairs.n_units.sum()) - len(pairs)
    for measure in EVALHDS_MEASURES:
        if measure not in measures:
            continue
        found = [
            scored(pairs.reference(row), pairs.hypothesis(row), measure)
            for row in range(len(pairs))
        ]
        defined = [one.prints for one in found if one.trouble is None]
        sizes = {one.k for one in found}
        yield AuditRow(
            EVALHDS, measure, average, sizes.pop() if len(sizes) == 1 else None, windows,
            _mean(defined), _mean([one.prints for one in found]), len(found),
            len(found) - len(defined), first_of([one.trouble for one in found if one.trouble]),
        )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def scored(ref: Segmentation, hyp: Segmentation, measure: Measure) -> DocumentScore:
    """One document.

    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> scored(ref, hyp, "windowdiff")
    DocumentScore(prints=0.5, k=2, trouble=None)
    """
    levels = program_levels(ref, hyp, measure)
    if not levels:
        return DocumentScore(math.nan, None, "fails: division by the number of boundaries, 0")
    error = math.fsum(one.new * one.error for one in levels) / sum(one.new for one in levels)
    sizes = {one.k for one in levels}
    blind = sum(one.k == 0 for one in levels)
    trouble = f"counts no error at {blind} of {len(levels)} levels, where k = 0" if blind else None
    return DocumentScore(error, sizes.pop() if len(sizes) == 1 else None, trouble)


def program_levels(ref: Segmentation, hyp: Segmentation, measure: Measure) -> list[ProgramLevel]:
    """The levels of the reference, the most prominent first."""
    places = ref.n_units - 1
    ref_ranks, hyp_ranks = _ranks(ref), _ranks(hyp)
    lowest = hyp_ranks.max(initial=1) + 1
    by_place = np.full(places, lowest)
    by_place[hyp.boundaries - 1] = hyp_ranks
    prominence = np.sort(by_place)
    found = []
    for rank in np.unique(ref_ranks):
        chosen = ref.boundaries[ref_ranks <= rank]
        last = prominence[len(chosen) - 1]  # the last rank that is needed of the hypothesis
        k = ref.n_units // (2 * (len(chosen) + 1))
        wanted = _in_windows(np.isin(np.arange(1, ref.n_units), chosen), k)
        sure = _in_windows(by_place < last, k)
        tied = _in_windows(by_place == last, k)
        drawn = len(chosen) - int((by_place < last).sum())
        n_tied = int((by_place == last).sum())
        if measure == "windowdiff":
            wrong = 1 - _chance(wanted - sure, tied, drawn, n_tied)
        else:
            empty = np.where(sure == 0, _chance(np.zeros_like(tied), tied, drawn, n_tied), 0.0)
            wrong = np.where(wanted > 0, empty, 1 - empty)
        found.append(ProgramLevel(int((ref_ranks == rank).sum()), k, float(wrong.mean())))
    return found


def _ranks(one: Segmentation) -> Int64Array:
    """The rank of each boundary, 1 if there are none."""
    n = len(one.boundaries)
    return np.ones(n, np.int64) if one.ranks is None else np.asarray(one.ranks, np.int64)


def _in_windows(marked: "np.typing.NDArray[np.bool_]", k: int) -> Int64Array:
    """How many of the k places from each place on are marked; after the last comes the first."""
    sums = np.concatenate([[0], np.cumsum(np.concatenate([marked, marked[:k]]))])
    counts: Int64Array = sums[k : k + len(marked)] - sums[: len(marked)]
    return counts


def _chance(found: Int64Array, inside: Int64Array, drawn: int, n_tied: int) -> Floats:
    """The chance that so many of the `drawn` are among those `inside`, of `n_tied` in all."""
    from scipy.special import gammaln

    def log_choices(n: Int64Array, k: Int64Array) -> Floats:
        logs: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
        return logs

    possible = (found >= 0) & (found <= inside)
    possible &= (found <= drawn) & (drawn - found <= n_tied - inside)
    some, of = found[possible], inside[possible]
    every = log_choices(np.array(n_tied), np.array(drawn))
    chances = np.zeros(len(found))
    chances[possible] = np.exp(
        log_choices(of, some) + log_choices(n_tied - of, drawn - some) - every
    )
    return np.minimum(chances, 1.0)
