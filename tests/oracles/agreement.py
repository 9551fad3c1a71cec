"""Agreement, item by item and pair by pair, as the equations have it."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection
from itertools import combinations, permutations
from typing import Any

import numpy as np

import segscore as ss
from segscore.coders.coder_pairs import CoderPairs, RandomCodings, expected_rows

Codings = dict[str, dict[str, ss.Segmentation]]  # by document and coder


def _corrected(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected) if expected != 1 else math.nan


def observed_b(codings: Codings) -> float:
    """Σ correctness / Σ pairs of boundaries over all pairs of coders."""
    above = below = 0.0
    for document in codings.values():
        for a, b in combinations(document.values(), 2):
            score = ss.BoundarySimilarity()(a, b)
            above += score * score.n_pairs
            below += score.n_pairs
    return above / below if below else 1.0


def expected_pi(codings: Codings) -> float:
    """The square of the share of places that hold a boundary."""
    listed = [coding for document in codings.values() for coding in document.values()]
    share = sum(len(coding.boundaries) for coding in listed) / sum(
        coding.n_units - 1 for coding in listed
    )
    return share * share


def expected_kappa(codings: Codings) -> float:
    """The mean of P(m)·P(n) over pairs of coders, weighted by the places they share."""
    boundaries: Counter[str] = Counter()
    places: Counter[str] = Counter()
    shared: Counter[tuple[str, str]] = Counter()
    for document in codings.values():
        for coder, coding in document.items():
            boundaries[coder] += len(coding.boundaries)
            places[coder] += coding.n_units - 1
        for (m, coding), (n, _) in combinations(sorted(document.items()), 2):
            shared[m, n] += coding.n_units - 1
    above = sum(
        weight * (boundaries[m] / places[m]) * (boundaries[n] / places[n])
        for (m, n), weight in shared.items()
    )
    return above / sum(shared.values())


def pi(codings: Codings) -> float:
    return _corrected(observed_b(codings), expected_pi(codings))


def kappa(codings: Codings) -> float:
    return _corrected(observed_b(codings), expected_kappa(codings))


def decisions(codings: Codings, count_end: bool = False) -> list[list[int]]:
    """One item per place: the 0 or 1 of each coder."""
    items = []
    for document in codings.values():
        sets = [set(coding.boundaries.tolist()) for coding in document.values()]
        n_units = next(iter(document.values())).n_units
        items += [[int(p in positions) for positions in sets] for p in range(1, n_units)]
        items += [[1] * len(sets)] * count_end
    return items


def fleiss_kappa(codings: Codings, count_end: bool = False) -> float:
    """Items weighted by n(n-1): those of a single coder count for nothing, nor for chance."""
    items = [item for item in decisions(codings, count_end) if len(item) > 1]
    agreeing = sum(sum(k * (k - 1) for k in (sum(item), len(item) - sum(item))) for item in items)
    pairs = sum(len(item) * (len(item) - 1) for item in items)
    share = sum(map(sum, items)) / sum(map(len, items))
    return _corrected(agreeing / pairs, share**2 + (1 - share) ** 2)


def alpha(codings: Codings, count_end: bool = False) -> float:
    """From the coincidence matrix (Krippendorff 2004, ch. 11)."""
    matrix = {(c, k): 0.0 for c in (0, 1) for k in (0, 1)}
    for item in decisions(codings, count_end):
        for i, c in enumerate(item):
            for j, k in enumerate(item):
                if i != j:
                    matrix[c, k] += 1 / (len(item) - 1)
    sums = [matrix[c, 0] + matrix[c, 1] for c in (0, 1)]
    n = sum(sums)
    observed = matrix[0, 1] + matrix[1, 0]
    expected = 2 * sums[0] * sums[1] / (n - 1) if n > 1 else 0
    return 1 - observed / expected if expected else math.nan


def majority(codings: Codings) -> float:
    """The share of decisions that agree with the majority; a tie is no boundary."""
    items = [item for item in decisions(codings) if len(item) > 1]
    agreeing = 0
    for item in items:
        opinion = int(2 * sum(item) > len(item))
        agreeing += sum(decision == opinion for decision in item)
    return agreeing / sum(map(len, items))


# ---- krippendorff's α for nominal data by the coincidence matrix, value by value ----


def label_alpha(items: list[list[str]]) -> float:
    """α of items, each a list of the values that coders gave it."""
    coincidences: dict[tuple[str, str], float] = defaultdict(float)
    for item in items:
        for coder, other in permutations(range(len(item)), 2):
            coincidences[item[coder], item[other]] += 1 / (len(item) - 1)
    totals: Counter[str] = Counter()
    for (label, _), number in coincidences.items():
        totals[label] += number  # type: ignore[assignment]
    n = sum(totals.values())
    observed = sum(number for (label, other), number in coincidences.items() if label != other)
    expected = sum(totals[a] * totals[b] for a, b in permutations(totals, 2))
    return 1 - (n - 1) * observed / expected if expected else math.nan


def agreed(codings: dict[str, list[tuple[int, int, str | None]]]) -> list[list[str]]:
    """The labels of each segment (start, end) that two coders or more labelled."""
    segments = {(start, end) for coding in codings.values() for start, end, _ in coding}
    items = [
        [label for coding in codings.values() for start, end, label in coding
         if (start, end) == segment and label is not None]
        for segment in sorted(segments)
    ]  # fmt: skip
    return [item for item in items if len(item) > 1]


def expected_of_pairs(pairs: CoderPairs, metric: ss.Metric, draws: int, seed: int) -> Any:
    """What random coders have in each pair: a row of statistics."""
    codings = RandomCodings(pairs.table, "positions", seed, order=pairs.coding_order)
    return expected_rows(metric.rows, pairs.batch, codings, draws, pairs.right, pairs.left)


class LiteralAgreement:
    """Statistics of each pair of coders in each document, observed and expected."""

    def __init__(self, corpus: ss.Corpus, draws: int, seed: int) -> None:
        self.metric = ss.BoundarySimilarity()
        pairs = CoderPairs(corpus)
        by_chance = expected_of_pairs(pairs, self.metric, draws, seed)
        self.rows = []
        for i, (a, b) in enumerate(zip(pairs.left, pairs.right, strict=True)):
            document = pairs.documents[pairs.document[a]]
            coder, other = pairs.names[a], pairs.names[b]
            both = ss.Pairs.from_segmentations([corpus[document][coder]], [corpus[document][other]])
            observed = self.metric.rows(both)[0]
            self.rows.append((document, coder, other, observed, by_chance[i]))
        self.documents = list(dict.fromkeys(row[0] for row in self.rows))
        self.coders = list(corpus.coders)

    def corrected(
        self, documents: Collection[str] | None = None, without: Collection[str] = ()
    ) -> float:
        """Corrected agreement over documents, each as often as listed, without some coders."""
        counts = {name: list(documents or self.documents).count(name) for name in self.documents}
        observed = expected = np.float64(0)
        for document, coder, other, seen, by_chance in self.rows:
            if coder not in without and other not in without:
                observed = observed + counts[document] * seen
                expected = expected + counts[document] * by_chance
        a_o, a_e = (float(self.metric.values(sums[np.newaxis])[0]) for sums in (observed, expected))
        return (a_o - a_e) / (1 - a_e)
