"""EvalHDS, the program that Carroll (2010) published with his data: Pk and WindowDiff over levels.

It takes one level of the reference after the other, and compares it with as many of the most
prominent boundaries of the hypothesis as the level has, so that a hypothesis is never too fine or
too coarse. It breaks ties at random, many times; here the expectation is exact. Places without a
boundary are tied at a rank below all others. Without ranks there is one level.

- k is half of the mean segment of a level, cut down; a level whose segments are shorter than two
  units on average has k = 0 and no error.
- The N-1 places between units lie on a ring, and each is the start of a window of k places: N-1
  windows. (Under `edges="wrap"` the seam is one more place, without a boundary, and windows are N;
  figures 2 and 3 of the paper come out with that.)
- A document's errors are averaged over levels by the number of boundaries that are new in each; the
  corpus is the mean over documents.

The results equal the scores of HC99 in the author's repository, 66 articles under two settings, to
the last digit.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from segscore._kernels import hierarchy
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.symbols import Measure
from segscore.metrics.rank_columns import ranked
from segscore.pairing.pairs import Pairs

EVALHDS = "evalhds"
EVALHDS_MEASURES: tuple[Measure, ...] = ("pk", "windowdiff")
EVALHDS_SENTENCE = (
    "EvalHDS (Carroll 2010): level by level, with as many of the highest ranked boundaries of the "
    "hypothesis as the reference has, ties averaged; k cut down; N-1 windows on a ring."
)
_RING = 4  # edges, as the kernel numbers them; so it does measures, in their order above


class ProgramScores(NamedTuple):
    """The results of EvalHDS for documents.

    prints: NaN where it fails. levels, blind: the numbers of levels of each document, and of levels
        with k = 0.
    sizes: the k of all levels.
    """

    prints: Floats
    levels: Int64Array
    blind: Int64Array
    sizes: Int64Array

    @property
    def troubles(self) -> list[str]:
        """The problems of documents, in their order."""
        special = np.flatnonzero((self.levels == 0) | (self.blind > 0)).tolist()
        return [self._trouble(int(self.levels[row]), int(self.blind[row])) for row in special]

    @staticmethod
    def _trouble(levels: int, blind: int) -> str:
        if not levels:
            return "fails: division by the number of boundaries, 0"
        return f"counts no error at {blind} of {levels} levels, where k = 0"


def program_scores(pairs: Pairs, measure: Measure) -> ProgramScores:
    """The results for all documents; candidates are ignored, because the program has none.

    >>> from segscore.coding.segmentation import Segmentation
    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> program_scores(Pairs.from_segmentations([ref], [hyp]), "windowdiff").prints
    array([0.5])
    """
    ref = ranked(pairs.ref_offsets, pairs.ref_ranks)
    hyp = ranked(pairs.hyp_offsets, pairs.hyp_ranks)
    k = pairs.n_units[ref.rows] // (2 * (ref.sizes + 1))
    none = np.zeros(len(pairs) + 1, np.int64), np.empty(0, np.int64)
    settings = (_RING, EVALHDS_MEASURES.index(measure), 1, 1)
    rows = pairs.rows(
        hierarchy.expected_errors, 2, ref.ranks, hyp.ranks, *none, *none, ref.offsets, ref.sizes,
        k, settings, np.zeros(len(k)),
    )  # fmt: skip
    errors, boundaries = rows.T
    prints = np.divide(errors, boundaries, out=np.full(len(rows), math.nan), where=boundaries > 0)
    blind = np.bincount(ref.rows[k == 0], minlength=len(pairs))
    return ProgramScores(prints, np.diff(ref.offsets), blind, k)


def evalhds_rows(pairs: Pairs, measures: Sequence[str]) -> Iterator[AuditRow]:
    """The row of each measure; for a corpus the mean over documents, as in the program."""
    average = "document" if len(pairs) == 1 else "mean"
    windows = int(pairs.n_units.sum()) - len(pairs)
    for measure in EVALHDS_MEASURES:
        if measure not in measures:
            continue
        found = program_scores(pairs, measure)
        defined = found.prints[(found.levels > 0) & (found.blind == 0)].tolist()
        sizes = set(found.sizes.tolist())
        yield AuditRow(
            EVALHDS, measure, average, sizes.pop() if len(sizes) == 1 else None, windows,
            _mean(defined), _mean(found.prints.tolist()), len(pairs), len(pairs) - len(defined),
            trouble_note(found.troubles),
        )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
