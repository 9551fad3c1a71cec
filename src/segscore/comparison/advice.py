"""Plain words about a comparison: which test fits, and what the sample cannot show.

Numbers behind the words: swapping n documents can reach no p below 2/2ⁿ (all swapped or none);
`significance.resampling` says how well bootstrap intervals hold with few documents; the bootstrap
test at 5 % errs in 3 to 5 % of null cases with 5, 10, 20 and 50 documents (families of
pairs: in 0 to 5 %); where it draws runs, too, in 14 % with 2 runs per system, 8 % with 3, 6 % with
5, 5 % with 10. `power` computes which difference the documents could detect.
"""

import re
from collections.abc import Sequence
from math import isnan
from typing import Literal

import numpy as np

from segscore.significance.resampling import FEW_DOCUMENTS, TOO_FEW_DOCUMENTS, expanded_p
from segscore.tables.wording import IntervalNote, joined

Test = Literal["randomisation", "bootstrap", "t", "friedman", "kruskal"]

FEW_RUNS = 5
_MANY = 10**6  # documents or resamples: as many as one may want


def recommended(n_documents: int, n_systems: int, most_runs: int) -> tuple[Test, str]:
    """The test that fits the data, and the reason for it.

    >>> recommended(n_documents=12, n_systems=3, most_runs=1)[0]
    'randomisation'
    """
    if most_runs > 1:
        return (
            "bootstrap",
            "Paired bootstrap: systems have several runs, and this test resamples both documents "
            "and runs, so that a lucky run does not pass for a better system.",
        )
    why = (
        "Approximate randomisation: all systems have the same documents, and this test works on "
        "the average that the table shows and assumes nothing about the distribution of scores"
    )
    if n_documents < FEW_DOCUMENTS:
        why += "; with few documents it stays exact where a t-test or a bootstrap is approximate"
    if n_systems > 5:
        why += (
            f". With {n_systems} systems there are {n_systems * (n_systems - 1) // 2} pairs: "
            "test='friedman' first tests whether there is any difference, and loses less power to "
            "the correction"
        )
    return "randomisation", why + "."


WHEN = {
    "randomisation": "the same documents for all systems, few or many; the usual choice",
    "bootstrap": "the same documents, 10 or more; takes several runs into account",
    "t": "the same documents, and differences that are roughly normal; compares macro-averages",
    "friedman": "the same documents, many systems; looks at ranks within documents only",
    "kruskal": "different documents for each system; on the same documents it wastes the pairing",
}
"""When each test fits, for help texts."""


def limits(
    test: Test,
    n_drawn: int,
    drawn: str,
    n_pairs: int,
    alpha: float,
    n_resamples: int,
    runs: dict[str, int],
    *,
    compared: str = "systems",
    more: str = "documents",
) -> list[str]:
    """What a sample of this size cannot show, a sentence each.

    n_drawn, drawn: the number of documents, clusters or buckets that are resampled, and their name.
    compared, more: the names of what is compared, and of what more is needed.
    """
    if n_drawn < 2:
        what = counted(n_drawn, drawn).removeprefix("1 ")
        return [
            f"There is one {what}: nothing can be tested and there are no intervals. The values "
            f"describe this {what} and no other."
        ]
    notes: list[str] = []
    many = counted(n_drawn, drawn)
    smallest = smallest_p(test, n_drawn, n_resamples) * n_pairs
    if n_pairs and smallest > alpha:
        given = [many] if n_pairs == 1 else [many, _pairs(n_pairs, compared)]
        if _reaches(test, alpha, n_pairs, n_drawn, _MANY):
            given.insert(1, f"{n_resamples} resamples")
        corrected = "two-sided" if n_pairs == 1 else "two-sided, after correction"
        notes.append(
            f"With {joined(given)} no difference can reach p ≤ {alpha:g}, however large: the "
            f"smallest possible p is {min(1.0, smallest):.3g} ({corrected}). "
            f"{_remedy(test, alpha, n_pairs, (n_drawn, n_resamples), (more, compared))}"
        )
    if n_drawn < FEW_DOCUMENTS:
        notes.append(IntervalNote(f"With {many}, {_coverage(n_drawn)}."))
    return notes + _about_runs(test, runs)


def _reaches(test: Test, alpha: float, n_pairs: int, n_drawn: int, n_resamples: int) -> bool:
    """Whether the smallest possible p of such a test is significant after correction."""
    return smallest_p(test, n_drawn, n_resamples) * n_pairs <= alpha


def _remedy(
    test: Test, alpha: float, n_pairs: int, now: tuple[int, int], names: tuple[str, str]
) -> str:
    """What would let a difference become significant, in words; only changes that help are named.

    now: the number of documents, clusters or buckets, and the number of resamples. names: what to
        take more of, and what is compared.
    """
    (n_drawn, n_resamples), (more, compared) = now, names
    ways = []
    if _reaches(test, alpha, n_pairs, _MANY, n_resamples):
        ways.append(f"take more {more}")
    if _reaches(test, alpha, n_pairs, n_drawn, _MANY):
        ways.append("take more resamples (n_resamples=)")
    if n_pairs > 1 and _reaches(test, alpha, 1, n_drawn, n_resamples):
        ways.append(f"compare fewer {compared}")
    remedy = " or ".join(ways) or f"take more {more} and more resamples"
    return f"{remedy[0].upper()}{remedy[1:]}."


def counted(n_drawn: int, drawn: str) -> str:
    """What is resampled, with its number, in words; `drawn` may already have the number.

    >>> counted(12, "documents"), counted(1, "1 clusters of documents")
    ('12 documents', '1 cluster of documents')
    """
    words = drawn if drawn[0].isdigit() else f"{n_drawn} {drawn}"
    return words if n_drawn != 1 else re.sub(r"s\b", "", words, count=1)


def _coverage(n_drawn: int) -> str:
    """How well intervals hold, in words; the numbers are those of `significance.resampling`."""
    if n_drawn < TOO_FEW_DOCUMENTS:
        return (
            "95 % intervals are too narrow (in simulations they covered the true value about 87 % "
            "of the time with 4 documents, 75 % with 3 and 50 % with 2)"
        )
    return (
        "95 % intervals are a little too narrow (in simulations they covered the true value 90–92 "
        "% of the time with 5 documents, 93–95 % with 10 or more)"
    )


def smallest_p(test: Test, n_documents: int, n_resamples: int) -> float:
    """The smallest p that a test can give, whatever the difference.

    >>> smallest_p("randomisation", 5, 10_000)
    0.0625
    """
    if test == "randomisation":
        return max(2.0 ** (1 - n_documents), 1 / (n_resamples + 1))
    if test == "bootstrap":
        return float(expanded_p(np.array(1 / (n_resamples + 1)), n_documents))
    return 0.0


def _pairs(n_pairs: int, compared: str) -> str:
    return f"1 pair of {compared}" if n_pairs == 1 else f"{n_pairs} pairs of {compared}"


def _about_runs(test: Test, runs: dict[str, int]) -> list[str]:
    several = {name: n for name, n in runs.items() if n > 1}
    if not several:
        return []
    few = [f"{name} ({n})" for name, n in several.items() if n < FEW_RUNS]
    notes = []
    if few:
        notes.append(
            f"Few runs: {', '.join(few)}. The spread between runs is not well known from fewer "
            f"than {FEW_RUNS}, and p comes out too small."
        )
    if test != "bootstrap":
        notes.append(
            f"The {test} test averages over the runs of a system: it holds for these runs, not for "
            "new runs. test='bootstrap' resamples runs, too."
        )
    if len(several) < len(runs):
        single = [name for name in runs if name not in several]
        notes.append(f"One run only: {', '.join(single)}. How much runs vary is unknown.")
    return notes


def undecided(metric: str, first: str, second: str, difference: float, detectable: float) -> str:
    """The sentence for the best two systems if they do not differ significantly."""
    shown = f"these documents could detect a difference of {detectable:.3g} with 80 % power"
    if isnan(detectable):
        shown = "there are too few documents to detect any difference"
    return (
        f"{metric}: {first} and {second} differ by {difference:.4f}; {shown}. This does not show "
        "that one is better, nor that they are equal."
    )


def incomplete(metric: str, undefined: Sequence[tuple[str, int]], n_documents: int) -> str:
    """The sentence about documents without a value."""
    listed = ", ".join(f"{system} {n}" for system, n in undefined)
    return (
        f"{metric}: undefined for some of {n_documents} documents ({listed}); averages "
        "leave them out, and tests on document values leave them out for all systems."
    )
