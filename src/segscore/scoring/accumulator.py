"""Accumulator: scores that are added up batch by batch, in one process or in many.

It holds a single row of sums (`scoring.sum_tables`), in two parts, so it can be updated with any
number of batches, in any order, on any machine, and merged, in memory that does not grow. Micro-
and macro-averages are those of `ss.score` over all documents at once: bit for bit if statistics are
whole numbers, else within one unit in the last place of their sums.
"""

import pickle
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from segscore.basics.arguments import Floats, check_choice, shown
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Metric, OnUndefined, addable_metrics
from segscore.metrics.statistics import ExactSum, exact_sum
from segscore.pairing.pairs import pairs_of
from segscore.scoring.scoring import Result, averages_of_sum
from segscore.scoring.sum_tables import document_rows, sum_names


class Accumulator:
    """Add up scores of documents that come in batches.

    Parameters
    ----------
    metrics: metrics, or their names, as in `ss.score`.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> scores = ss.Accumulator(["windowdiff"])
    >>> scores.update([cut([2, 3, 6])], [cut([5, 6])])
    >>> more = ss.Accumulator(["windowdiff"])
    >>> more.update([cut([4, 4])], [cut([4, 4])])
    >>> scores += more
    >>> scores.result()["windowdiff"]
    Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS) -> None:
        self.metrics: dict[str | Metric, Metric] = addable_metrics(metrics)
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self.provenance: Provenance | None = None
        self._total = exact_sum(np.zeros((0, len(sum_names(self.metrics)))))

    @property
    def n_documents(self) -> int:
        """The number of documents."""
        return int(self._total.high[-1])

    def update(
        self,
        refs: Any,
        hyps: Any = None,
        *,
        threads: int | None = None,
        on_undefined: OnUndefined = "nan",
    ) -> None:
        """Add documents, given as to `ss.score`.

        Averages leave out a document that cannot be scored; with `on_undefined="raise"` it is an
        error.
        """
        check_choice(on_undefined, "on_undefined", ("raise", "nan"))
        pairs = pairs_of(refs, hyps)
        rows = document_rows(self.metrics, pairs, threads, on_undefined)
        self._join(pairs.provenance)
        self._total = self._total.plus(exact_sum(rows))

    def merge(self, other: "Accumulator") -> Self:
        """Add all that another accumulator of the same metrics holds; the order does not matter."""
        if not isinstance(other, Accumulator):
            raise SegmentationError(f"cannot merge {shown(other)}: expected an Accumulator")
        mine, theirs = list(self.metrics.values()), list(other.metrics.values())
        if mine != theirs:
            raise SegmentationError(
                f"cannot merge accumulators: metrics is {', '.join(map(str, mine))} here and "
                f"{', '.join(map(str, theirs))} there"
            )
        if other.provenance is not None:
            self._join(other.provenance)
        self._total = self._total.plus(other._total)
        return self

    __iadd__ = merge

    def _join(self, provenance: Provenance) -> None:
        known = self.provenance
        self.provenance = (
            provenance if known is None else known.joined(provenance, "cannot accumulate")
        )

    def result(self) -> Result:
        """The micro- and macro-average of all documents under each metric."""
        if not self.n_documents:
            raise SegmentationError("there is no document to score")
        return Result(list(averages_of_sum(self.metrics, self._total, self.provenance or PLAIN)))

    def __repr__(self) -> str:
        return f"Accumulator({', '.join(map(str, self.metrics))}: {self.n_documents} documents)"

    def _repr_html_(self) -> str | None:
        return self.result()._repr_html_() if self.n_documents else None  # None: as text

    # ---- to and from elsewhere ----

    def __getstate__(self) -> dict[str, Any]:
        try:
            pickle.dumps(self.metrics)
        except Exception as error:
            raise SegmentationError(
                "a metric holds a function that cannot be sent to another process: define it with "
                f"`def` at the top of a module, no lambda ({error})"
            ) from error
        return self.__dict__

    def state(self) -> Floats:
        """All sums as an array of numbers, for frameworks that add up arrays (all-reduce).

        Its length is always the same. The state of two merged accumulators is the sum of their
        states; plain sums of floats, however, are not exact to the last digit. `load_state` of an
        accumulator of the same metrics reads it back.

        >>> import segscore as ss
        >>> cut = ss.Segmentation.from_masses
        >>> first, second = ss.Accumulator("windowdiff"), ss.Accumulator("windowdiff")
        >>> first.update([cut([2, 3, 6])], [cut([5, 6])])
        >>> second.update([cut([4, 4])], [cut([4, 4])])
        >>> first.load_state(first.state() + second.state())
        >>> first.result()["windowdiff"]
        Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
        """
        if self.provenance not in (None, PLAIN):
            raise SegmentationError(
                "the units of these documents are known (seconds, words), which numbers alone "
                "cannot say: send the accumulator itself, by pickle"
            )
        return np.concatenate(self._total)

    def load_state(self, state: Any) -> None:
        """Replace all documents by those of a `state`."""
        expected = f"{2 * len(sum_names(self.metrics))} numbers, as `state` gives them"
        try:
            given = np.array(state, np.float64)
        except (TypeError, ValueError):
            raise SegmentationError(f"state is {shown(state)}: expected {expected}") from None
        if given.shape != np.concatenate(self._total).shape:
            raise SegmentationError(f"state has the shape {given.shape}: expected {expected}")
        if not np.isfinite(given).all():
            raise SegmentationError("state holds NaN or infinity: expected what `state` gives")
        high, low = np.split(given, 2)
        if not 0 <= high[-1] <= 2**53 or high[-1] % 1:
            raise SegmentationError(
                f"state holds {high[-1]:g} where the number of documents should be: expected what "
                "`state` gives"
            )
        self.reset()
        self._total = ExactSum(high, low)


__all__ = ["Accumulator"]
