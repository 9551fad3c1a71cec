"""Corrected agreement of any coders and documents, pair by pair, from the same draws as the library's.

Observed statistics are those of the metric called on two segmentations; what random coders have in
each pair is the mean of the library's draws, which have tests of their own.
"""

from collections.abc import Collection
from typing import Any

import numpy as np

import segscore as ss
from segscore.coders.coder_pairs import CoderPairs, RandomCodings, expected_rows


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
