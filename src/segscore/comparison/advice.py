"""Plain words about a comparison: which test fits, and what the sample cannot show.

Numbers behind the words: swapping n documents can reach no p below 2/2ⁿ (all swapped or none);
a percentile bootstrap comes out too narrow with few documents (95 % intervals of simulated systems
cover 84 % of the time with 5 documents, 89 % with 10, 92 % with 20 to 40); a bootstrap test at 5 %
that draws runs errs in 16 % of null cases with 2 runs per system, 9 % with 3, 6 % with 5 or 10.
Which difference documents would show is in `power`.
"""

from collections.abc import Sequence
from math import isnan
from typing import Literal

from segscore.significance.resampling import FEW_DOCUMENTS

Test = Literal["randomisation", "bootstrap", "t", "friedman", "kruskal"]

FEW_RUNS = 5


def recommended(n_documents: int, n_systems: int, most_runs: int) -> tuple[Test, str]:
    """The test that fits the data, with the reason.

    >>> recommended(n_documents=12, n_systems=3, most_runs=1)[0]
    'randomisation'
    """
    if most_runs > 1:
        return (
            "bootstrap",
            "Paired bootstrap: systems have several runs, and it is the test that draws both "
            "documents and runs again, so that a lucky run is not taken for a better system.",
        )
    why = (
        "Approximate randomisation: the systems did the same documents, it works on the average "
        "that the table prints, and assumes nothing about how scores are spread"
    )
    if n_documents < FEW_DOCUMENTS:
        why += "; with few documents it stays exact where a t-test or a bootstrap would not"
    if n_systems > 5:
        why += (
            f". With {n_systems} systems there are {n_systems * (n_systems - 1) // 2} pairs: "
            "test='friedman' asks first whether there is any difference, and loses less to the "
            "correction"
        )
    return "randomisation", why + "."


WHEN = {
    "randomisation": "the same documents for all systems, few or many; the usual choice",
    "bootstrap": "the same documents, 20 or more; the one that respects several runs",
    "t": "the same documents, and differences that are roughly normal; compares macro-averages",
    "friedman": "the same documents, many systems; looks at ranks within documents only",
    "kruskal": "systems that did different documents; on the same documents it wastes the pairing",
}
"""When each test fits, for help texts."""


def limits(
    test: Test,
    n_documents: int,
    n_pairs: int,
    alpha: float,
    n_resamples: int,
    runs: dict[str, int],
) -> list[str]:
    """What a sample of this size cannot show; one sentence each."""
    if n_documents < 2:
        return [
            "There is one document: nothing can be tested and there are no intervals. The values "
            "describe this document and no other."
        ]
    said = []
    smallest = smallest_p(test, n_documents, n_resamples)
    if n_pairs and smallest * n_pairs > alpha:
        said.append(
            f"With {n_documents} documents, {n_resamples} resamples and {_pairs(n_pairs)} no "
            f"difference can reach p ≤ {alpha:g}, however large: the smallest possible p is "
            f"{min(1.0, smallest * n_pairs):.2g} after correction. Take more documents or "
            "resamples, or compare fewer systems."
        )
    if n_documents < FEW_DOCUMENTS:
        more = ", and a bootstrap test finds what is not there" if test == "bootstrap" else ""
        said.append(
            f"{n_documents} documents are few: bootstrap intervals are too narrow below about "
            f"{FEW_DOCUMENTS}{more}."
        )
    return said + _about_runs(test, runs)


def smallest_p(test: Test, n_documents: int, n_resamples: int) -> float:
    """The least p that a test can give, whatever the difference.

    >>> smallest_p("randomisation", 5, 10_000)
    0.0625
    """
    if test == "randomisation":
        return max(2.0 ** (1 - n_documents), 1 / (n_resamples + 1))
    return 1 / (n_resamples + 1) if test == "bootstrap" else 0.0


def _pairs(n_pairs: int) -> str:
    return "1 pair of systems" if n_pairs == 1 else f"{n_pairs} pairs of systems"


def _about_runs(test: Test, runs: dict[str, int]) -> list[str]:
    several = {name: n for name, n in runs.items() if n > 1}
    if not several:
        return []
    few = [f"{name} ({n})" for name, n in several.items() if n < FEW_RUNS]
    said = []
    if few:
        said.append(
            f"Few runs: {', '.join(few)}. The spread between runs is not well known from fewer "
            f"than {FEW_RUNS}, and p comes out too small."
        )
    if test != "bootstrap":
        said.append(
            f"The {test} test averages over the runs of a system: it holds for these runs, not for "
            "new ones. test='bootstrap' draws runs again, too."
        )
    if len(several) < len(runs):
        single = [name for name in runs if name not in several]
        said.append(f"One run only: {', '.join(single)}. How much runs vary is unknown.")
    return said


def undecided(metric: str, first: str, second: str, difference: float, detectable: float) -> str:
    """What to say where the best two systems cannot be told apart."""
    shown = (
        f"these documents would show a difference of about {detectable:.4f} four times out of five"
    )
    if isnan(detectable):
        shown = "so few documents cannot show that"
    return (
        f"{metric}: {first} and {second} differ by {difference:.4f}; {shown}. No claim that one is "
        "better, nor that they are equal."
    )


def incomplete(metric: str, undefined: Sequence[tuple[str, int]], n_documents: int) -> str:
    """What to say where documents have no value."""
    listed = ", ".join(f"{system} {n}" for system, n in undefined)
    return (
        f"{metric}: undefined for some of {n_documents} documents ({listed}); they count in no "
        "average, and tests on document values leave them out for all systems."
    )
