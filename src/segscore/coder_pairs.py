"""The codings of a corpus in columns, and every pair of coders of a document in one batch.

Agreement, averages over pairs of coders and clusters all start here: a metric scores all pairs of
all documents at once, and whatever else is asked is a sum over its rows.

Coders whose names are local to a document are never joined across documents: each of their codings
counts as a coder of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from segscore._integers import Int64Array, shown
from segscore.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.base import Floats, OnUndefined
from segscore.pairs import Pairs
from segscore.segmentation import Segmentation

if TYPE_CHECKING:
    from segscore.tables import Table


def as_corpus(given: Any) -> Corpus:
    """A corpus, or a single document as a corpus of one."""
    if isinstance(given, Document):
        return Corpus.from_rows(given.records())
    if not isinstance(given, Corpus):
        raise SegmentationError(
            f"corpus is {shown(given)}: expected a Corpus (Corpus.from_dict makes one), or one of "
            "its documents"
        )
    return given


class Basis(NamedTuple):
    """What a number about coders rests on."""

    n_documents: int
    n_coders: int
    n_codings: int
    n_pairs: int
    n_boundaries: int


class CoderPairs:
    """Codings in columns: for each its document and its coder; and all pairs within documents.

    Coding i is `segmentations[i]`, made by `coders[coder[i]]` of `documents[document[i]]`; `slot`
    counts the codings of a document from 0. Pair j joins the codings `left[j]` and `right[j]`.
    """

    def __init__(self, given: Corpus | Document) -> None:
        self.corpus = as_corpus(given)
        self.local = self.corpus.coder_scope == "local"
        self.documents = tuple(self.corpus)
        self.segmentations: list[Segmentation] = []
        names: dict[tuple[str, str], int] = {}
        documents, coders, slots = [], [], []
        apart = self.local and len(self.documents) > 1
        for index, document in enumerate(self.corpus.values()):
            for slot, (name, coding) in enumerate(document.items()):
                key = (document.name if apart else "", name)
                documents.append(index)
                coders.append(names.setdefault(key, len(names)))
                slots.append(slot)
                self.segmentations.append(coding)
        self.coders = tuple(f"{where}: {name}" if where else name for where, name in names)
        self.document, self.coder, self.slot = (
            np.array(column, np.int64) for column in (documents, coders, slots)
        )
        sizes = np.bincount(self.document, minlength=len(self.documents))
        found = [np.triu_indices(size, 1) for size in sizes]
        starts = np.cumsum(sizes) - sizes
        empty = np.empty(0, np.int64)
        self.left = np.concatenate([empty, *(s + p[0] for s, p in zip(starts, found, strict=True))])
        self.right = np.concatenate(
            [empty, *(s + p[1] for s, p in zip(starts, found, strict=True))]
        )

    @property
    def pair_document(self) -> Int64Array:
        """The document of each pair."""
        return np.asarray(self.document[self.left])

    @cached_property
    def places(self) -> Int64Array:
        """Potential boundaries of each coding."""
        return np.array([one.n_units - 1 for one in self.segmentations], np.int64)

    @cached_property
    def boundaries(self) -> Int64Array:
        """Positions marked by each coding."""
        return np.array([one.n_segments - 1 for one in self.segmentations], np.int64)

    def batch(self, swapped: bool = False) -> Pairs:
        """All pairs, the left coder as reference; or `swapped`, the right one."""
        left, right = (self.right, self.left) if swapped else (self.left, self.right)
        return Pairs.from_segmentations(
            [self.segmentations[i] for i in left],
            [self.segmentations[i] for i in right],
            [self.documents[i] for i in self.pair_document],
        )

    def require_pairs(self, what: str) -> None:
        """Refuse a corpus in which nobody can agree with anybody."""
        if len(self.left):
            return
        if not self.segmentations:
            raise SegmentationError(f"{what} needs codings, and the corpus has none")
        only = self.corpus[self.documents[self.document[0]]]
        raise SegmentationError(
            f"{what} needs two coders for a document, and no document has two: document "
            f"{only.name!r} has coder {next(iter(only))!r} alone"
        )

    def codings_of(self, documents: Int64Array) -> Int64Array:
        """The codings of some documents."""
        if len(documents) == 1:  # of thousands of documents, each by itself: they lie together
            return np.arange(*np.searchsorted(self.document, [documents[0], documents[0] + 1]))
        return np.flatnonzero(np.isin(self.document, documents))

    def basis(self, documents: Int64Array) -> Basis:
        """What there is in these documents."""
        codings = self.codings_of(documents)
        sizes = np.unique(self.document[codings], return_counts=True)[1]
        return Basis(
            len(documents),
            len(np.unique(self.coder[codings])),
            len(codings),
            int((sizes * (sizes - 1) // 2).sum()),
            int(self.boundaries[codings].sum()),
        )

    def remarks(self) -> tuple[str, ...]:
        """What a reader should know about who coded what."""
        made = []
        sizes = np.bincount(self.document, minlength=len(self.documents))
        alone = [name for name, size in zip(self.documents, sizes, strict=True) if size < 2]
        if alone:
            made.append(
                f"{len(alone)} of {len(self.documents)} documents have fewer than two coders and "
                f"hence no pair: {_some(alone)}"
            )
        short = [d.name for d in self.corpus.values() if d.n_units < 2]
        if short:
            made.append(f"documents of one unit have no place for a boundary: {_some(short)}")
        everything = len(self.documents) * len(self.coders)
        if not self.local and len(self.segmentations) < everything:
            made.append(
                f"not everyone coded everything: {len(self.segmentations)} of {everything} codings "
                f"exist, and the {len(self.left)} pairs of them are used"
            )
        if self.local and len(self.documents) > 1:
            made.append(
                "coder names are local to each document and are not joined across documents"
            )
        return tuple(made)


def _some(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


# ---- averages over pairs ----


@dataclass(frozen=True)
class PairwiseMean:
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

    def to_table(self) -> "Table":
        """A row per document and group, and one for all pairs."""
        from segscore._agreement_tables import pairwise_table

        return pairwise_table(self)

    def __str__(self) -> str:
        return self.to_table().render("text")

    def _repr_html_(self) -> str:
        return self.to_table().render("html")


def pairwise(
    corpus: Corpus | Document,
    metric: str | Metric,
    *,
    system: str | None = None,
    on_undefined: OnUndefined = "raise",
) -> PairwiseMean:
    """Any metric for two segmentations, averaged over all pairs of coders.

    An asymmetric metric is taken both ways round. With `system`, every other coder of a document is
    a reference and that coder the hypothesis, so that the mean is over references.

    >>> import segscore as ss
    >>> corpus = ss.Corpus.from_dict({"d": {c: ss.Segmentation.from_masses(m) for c, m in
    ...                               {"a": [2, 3, 6], "b": [5, 6], "c": [2, 2, 7]}.items()}})
    >>> made = ss.pairwise(corpus, "windowdiff")
    >>> round(made.mean, 4), round(made.sd, 4), made.n_pairs
    (0.2894, 0.088, 6)
    >>> ss.pairwise(corpus, "b", system="c").n_pairs
    2
    """
    made = as_metric(metric)
    if made.many_references:
        raise SegmentationError(
            f"{made.name} takes all references at once: expected a metric for two segmentations"
        )
    pairs = CoderPairs(corpus)
    pairs.require_pairs("an average over pairs of coders")
    batches, where = _ordered(pairs, made, system)
    values = []
    for batch in batches:
        values.append(made.values(made.rows(batch)))
        if on_undefined == "raise":
            made.check_defined(batch, values[-1])
    found = np.concatenate(values)
    groups = {
        group: _mean(made, found[np.isin(where, [pairs.documents.index(name) for name in names])])
        for group, names in pairs.corpus.groups.items()
    }
    documents = {
        name: _mean(made, found[where == index]) for index, name in enumerate(pairs.documents)
    }
    return _mean(made, found, documents, groups)


def _ordered(
    pairs: CoderPairs, metric: Metric, system: str | None
) -> tuple[list[Pairs], Int64Array]:
    """The batches to score, and the document of each pair in them."""
    where = pairs.pair_document
    if system is None:
        if metric.symmetric:
            return [pairs.batch()], where
        return [pairs.batch(), pairs.batch(swapped=True)], np.concatenate([where, where])
    refs, hyps, names, documents = [], [], [], []
    for index, document in enumerate(pairs.corpus.values()):
        for coder, coding in document.items():
            if system in document and coder != system:
                refs.append(coding)
                hyps.append(document[system])
                names.append(document.name)
                documents.append(index)
    if not refs:
        raise SegmentationError(
            f"system is {shown(system)}: expected a coder of a document that others coded, too"
        )
    return [Pairs.from_segmentations(refs, hyps, names)], np.array(documents, np.int64)


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
