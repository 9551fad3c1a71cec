"""Any metric for two segmentations, averaged over all pairs of coders, as papers print it.

Fournier & Inkpen (2012), table 2; Kazantseva & Szpakowicz (2012), table 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown
from segscore.basics.on_demand import MadeOnDemand
from segscore.coders.coder_pairs import CoderPairs, Codings
from segscore.coders.coder_tables import pairwise_table
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.base import OnUndefined
from segscore.metrics.ratios import ratio
from segscore.metrics.window import WindowSize
from segscore.pairing.pairs import Pairs
from segscore.tables import Table, Tabular

_MOST_CODERS = 2_000
KFrom = Literal["pair", "document"]


@dataclass(frozen=True)
class ScoredPairs:
    """The values behind a mean, with the coders of each pair."""

    coders: tuple[str, ...]
    reference: Int64Array
    hypothesis: Int64Array
    values: Floats
    one_name_one_coder: bool

    def by_coders(self) -> Floats:
        """See `PairwiseMean.by_coders`."""
        n = len(self.coders)
        if not self.one_name_one_coder:
            raise SegmentationError(
                "coder names are local to each document: expected the coders of one document, "
                "corpus[…]"
            )
        if n > _MOST_CODERS:
            raise SegmentationError(
                f"{n} coders are too many for a table of each against each: expected at most "
                f"{_MOST_CODERS}; corpus.select(coders=…) chooses some"
            )
        defined = ~np.isnan(self.values)
        cell = (self.reference * n + self.hypothesis)[defined]
        sums = np.bincount(cell, self.values[defined], minlength=n * n)
        counts = np.bincount(cell, minlength=n * n)
        return ratio(sums, counts.astype(np.float64)).reshape(n, n)


@dataclass(frozen=True, repr=False)
class PairwiseMean(Tabular):
    """A metric over pairs of coders: mean and standard deviation (population), as papers print it.

    `n_pairs` counts ordered pairs where the metric is asymmetric; `n_undefined` of them have no
    value and are left out. `documents` and `groups` hold the same for each of them.
    """

    metric: Metric
    mean: float
    sd: float
    n_pairs: int
    n_undefined: int
    documents: Mapping[str, "PairwiseMean"] = field(default_factory=dict, repr=False)
    groups: Mapping[str, "PairwiseMean"] = field(default_factory=dict, repr=False)
    provenance: Provenance = PLAIN
    k_from: KFrom = "pair"
    _scored: "ScoredPairs | None" = field(default=None, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """How the values were computed, to be cited with them."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def coders(self) -> tuple[str, ...]:
        """Who was compared; the whole knows it, its documents and groups do not."""
        return self._scored.coders if self._scored else ()

    def by_coders(self) -> Floats:
        """The mean of each two coders over the documents that both coded.

        Row i, column j: `coders[i]` is the reference, `coders[j]` the hypothesis; NaN where they
        share no document or have no value there, and on the diagonal.

        >>> import segscore as ss
        >>> cut = ss.Segmentation.from_masses
        >>> corpus = ss.Corpus.from_dict({"d": {"ann": cut([2, 4]), "bob": cut([3, 3])}})
        >>> ss.pairwise(corpus, "b").by_coders().tolist()
        [[nan, 0.5], [0.5, nan]]
        """
        if self._scored is None:
            raise SegmentationError(
                "coder by coder is known for all of a corpus, without system=: expected that, or "
                "segscore.pairwise(corpus[document], …)"
            )
        return self._scored.by_coders()

    def to_table(self) -> Table:
        """A row per document and group, and one for all pairs."""
        return pairwise_table(self)


def pairwise(
    corpus: Codings,
    metric: str | Metric,
    *,
    system: str | None = None,
    k_from: KFrom = "pair",
    on_undefined: OnUndefined = "raise",
) -> PairwiseMean:
    """Any metric for two segmentations, averaged over all pairs of coders.

    `k_from` says where window metrics take k from, unless it is fixed: from the reference of each
    `pair`, or from the mean segment of all coders of a `document`.

    An asymmetric metric is taken both ways round. With `system`, every other coder of a document is
    a reference and that coder the hypothesis, so that the mean is over references.

    >>> import segscore as ss
    >>> corpus = ss.Corpus.from_dict({"d": {c: ss.Segmentation.from_masses(m) for c, m in
    ...                               {"a": [2, 3, 6], "b": [5, 6], "c": [2, 2, 7]}.items()}})
    >>> chosen = ss.pairwise(corpus, "windowdiff")
    >>> round(chosen.mean, 4), round(chosen.sd, 4), chosen.n_pairs
    (0.2894, 0.088, 6)
    >>> ss.pairwise(corpus, "b", system="c").n_pairs
    2
    """
    chosen = as_metric(metric)
    if chosen.many_references:
        raise SegmentationError(
            f"{chosen.name} takes all references at once: expected a metric for two segmentations"
        )
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("an average over pairs of coders")
    check_choice(k_from, "k_from", ("pair", "document"))
    batches, where = _ordered(pairs, chosen, system)
    sizes = _window_sizes(pairs, chosen) if k_from == "document" else None
    values = []
    for batch, places in zip(batches, np.split(where, len(batches)), strict=True):
        values.append(_values(chosen, batch, None if sizes is None else sizes[places]))
        if on_undefined == "raise":
            chosen.check_defined(batch, values[-1])
    found = np.concatenate(values)
    if on_undefined == "raise" and np.isnan(found).all():
        chosen.check_answer(batches[0], np.nan)
    groups = {
        group: _mean(chosen, found[np.isin(where, pairs.numbers_of(names))])
        for group, names in pairs.corpus.groups.items()
    }
    by_document = np.split(
        found[np.argsort(where, kind="stable")],
        np.cumsum(np.bincount(where, minlength=len(pairs.documents)))[:-1],
    )
    documents = MadeOnDemand(pairs.documents, lambda index: _mean(chosen, by_document[index]))
    scored = None if system is not None else _scored(pairs, chosen, found)
    whole = _mean(chosen, found, documents, groups)
    return replace(whole, provenance=pairs.corpus.provenance, k_from=k_from, _scored=scored)


def _values(metric: Metric, batch: Pairs, sizes: Int64Array | None) -> Floats:
    """The value of each pair; with window sizes, each pair by its own."""
    if sizes is None:
        return metric.values(metric.rows(batch))
    values = np.full(len(batch), np.nan)
    for k in np.unique(sizes).tolist():
        rows = np.flatnonzero(sizes == k).tolist()
        chosen = Pairs.from_segmentations(
            [batch.reference(row) for row in rows], [batch.hypothesis(row) for row in rows]
        )
        one = _with_k(metric, k)
        values[rows] = one.values(one.rows(chosen))
    return values


def _window_sizes(pairs: CoderPairs, metric: Metric) -> Int64Array | None:
    """K of each document, from all its coders; None where the metric has no such rule."""
    if not isinstance(metric, WindowSize) or metric.k is not None:
        return None
    return np.array(
        [
            window.size(
                document.n_units * len(document),
                max(1, sum(one.n_segments for one in document.values())),
                metric.rule,
            )
            for document in pairs.corpus.values()
        ],
        np.int64,
    )


def _with_k(metric: Any, k: int) -> Metric:
    """The same metric with a fixed k in place of the rule for it."""
    rule = {one.name for one in fields(WindowSize)}
    kept = {one.name: getattr(metric, one.name) for one in fields(metric) if one.name not in rule}
    return type(metric)(k=k, **kept)  # type: ignore[no-any-return]


def _scored(pairs: CoderPairs, metric: Metric, values: Floats) -> ScoredPairs:
    """The values with who was the reference: both ways round, whatever the metric."""
    left, right = pairs.coder[pairs.left], pairs.coder[pairs.right]
    if metric.symmetric:
        values = np.concatenate([values, values])
    return ScoredPairs(
        pairs.coders,
        np.concatenate([left, right]),
        np.concatenate([right, left]),
        values,
        not pairs.local or len(pairs.documents) == 1,
    )


def _ordered(
    pairs: CoderPairs, metric: Metric, system: str | None
) -> tuple[list[Pairs], Int64Array]:
    """The batches to score, and the document of each pair in them."""
    where = pairs.pair_document
    if system is None:
        if metric.symmetric:
            return [pairs.batch], where
        return [pairs.batch, pairs.swapped_batch()], np.concatenate([where, where])
    refs, hyps, names, documents = [], [], [], []
    for index, document in enumerate(pairs.corpus.values()):
        for coder, coding in document.items():
            if system in document and coder != system:
                refs.append(coding)
                hyps.append(document[system])
                names.append(f"{document.name} ({coder}, {system})")
                documents.append(index)
    if not refs:
        raise SegmentationError(
            f"system is {shown(system)}: expected a coder of a document that others coded, too"
        )
    batch = Pairs.from_segmentations(refs, hyps, names, provenance=pairs.corpus.provenance)
    return [batch], np.array(documents, np.int64)


def _mean(
    metric: Metric,
    values: Floats,
    documents: Mapping[str, PairwiseMean] | None = None,
    groups: Mapping[str, PairwiseMean] | None = None,
) -> PairwiseMean:
    defined = values[~np.isnan(values)]
    mean, sd = (float(defined.mean()), float(defined.std())) if defined.size else (np.nan, np.nan)
    missing = len(values) - len(defined)
    return PairwiseMean(metric, mean, sd, len(values), missing, documents or {}, groups or {})
