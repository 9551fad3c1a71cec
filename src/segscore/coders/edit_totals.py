"""How pairs of coders differ, counted: boundaries that match, near misses, full misses.

Fournier & Inkpen (2012), fig. 10, count these for each document over all pairs of coders.
"""

from collections import Counter
from dataclasses import dataclass, field

from segscore.coders.coder_pairs import CoderPairs, Codings
from segscore.metrics.edit_distance import boundary_edits
from segscore.tables import Column, Table, Tabular

KINDS = ("matches", "near_misses", "full_misses", "substitutions")


@dataclass(frozen=True)
class EditCount:
    """What the pairs of coders of a document, or of all, agree and differ on."""

    name: str
    n_pairs: int
    matches: int
    near_misses: int
    full_misses: int
    substitutions: int


@dataclass(frozen=True, repr=False)
class EditTotals(Tabular):
    """The counts of each document, and of all of them."""

    documents: tuple[EditCount, ...]
    whole: EditCount
    n_t: int = field(default=2)

    def to_table(self) -> Table:
        """A row per document, and one for all."""
        rows = [
            [one.name, one.n_pairs, *(getattr(one, kind) for kind in KINDS)]
            for one in (*self.documents, self.whole)
        ]
        columns = [
            Column("document"),
            Column("pairs"),
            *(Column(kind.replace("_", " "), key=kind) for kind in KINDS),
        ]
        words = (
            f"over pairs of coders; near misses: boundaries less than n_t = {self.n_t} positions "
            "apart; full misses: boundaries of one coder alone"
        )
        return Table(columns, rows, [words], "Matches and misses")


def edit_totals(corpus: Codings, n_t: int = 2) -> EditTotals:
    """Count matches, near misses and full misses over all pairs of coders.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": cut([2, 3, 6]), "bob": cut([2, 2, 7])}})
    >>> found = edit_totals(corpus).whole
    >>> found.matches, found.near_misses, found.full_misses
    (1, 1, 0)
    """
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("counting edits")
    counts = [Counter[str]() for _ in pairs.documents]
    where = pairs.pair_document.tolist()
    for left, right, document in zip(pairs.left.tolist(), pairs.right.tolist(), where, strict=True):
        edits = boundary_edits(pairs.segmentations[left], pairs.segmentations[right], n_t=n_t)
        counts[document].update(
            pairs=1,
            matches=len(edits.matches),
            near_misses=len(edits.transpositions),
            full_misses=len(edits.additions),
            substitutions=len(edits.substitutions),
        )
    documents = tuple(
        _count(name, found) for name, found in zip(pairs.documents, counts, strict=True)
    )
    return EditTotals(documents, _count("all", sum(counts, Counter())), n_t)


def _count(name: str, found: Counter[str]) -> EditCount:
    return EditCount(name, found["pairs"], *(found[kind] for kind in KINDS))
