"""The codings of a corpus in columns, and every pair of coders of a document in one batch.

Agreement, averages over pairs of coders and clusters all start here: a metric scores all pairs of
all documents at once, and every other number is a sum over its rows.

Coders whose names are local to a document are never joined across documents: each of their codings
counts as a coder of its own.


Codings placed at random: the same coders, with boundaries at random positions.

A null model says what a coder keeps of a coding and what is drawn:

- `positions`: the number of boundaries stays; each choice of places is equally likely (among the
  candidates, where the coding lists any);
- `lengths`: the segments stay as long as they are; each order of them is equally likely. Lengths
  count units, or what lies between candidates. Stricter, because people avoid tiny segments.

Types and ranks stay with the coding and are shuffled over its drawn boundaries. The drawing itself
is a kernel; here codings become its columns, and draws become batches to score.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import random_places
from segscore.basics import arguments
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown, whole_number
from segscore.basics.on_demand import MadeOnDemand
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings, details_of
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.lists import Lists, picked_lists, picked_places, starts_of
from segscore.errors import SegmentationError, documents_by_coder, first_of, named
from segscore.metrics import Hierarchical, Metric
from segscore.pairing.pairs import Pairs
from segscore.significance.drawing import by_name


def people_of(given: Any) -> Corpus:
    """The corpus or document without codings of the kind `consensus`: people and systems remain.

    >>> cut = Segmentation.from_masses
    >>> codings = {"d": {"ann": cut([2, 3]), "bob": cut([5]), "gold": cut([2, 3])}}
    >>> corpus = Corpus.from_dict(codings, kinds={"gold": "consensus"})
    >>> people_of(corpus).coders
    ('ann', 'bob')
    """
    corpus = as_corpus(given)
    people = corpus.columns.without_consensus()
    if people is corpus.columns:
        return corpus
    return Corpus.from_columns(people, corpus.coder_scope, corpus.provenance)


def people_in(document: Mapping[str, Segmentation]) -> dict[str, Segmentation]:
    """The codings of a document that were not made from others."""
    made = consensus_in(document)
    return {coder: coding for coder, coding in document.items() if coder not in made}


def consensus_in(document: Any) -> tuple[str, ...]:
    """The coders of a document that are known to be a consensus."""
    kinds: Mapping[str, Any] = document.kinds if isinstance(document, Document) else {}
    return tuple(coder for coder, kind in kinds.items() if kind == "consensus")


def consensus_note(names: Iterable[str]) -> tuple[str, ...]:
    """A note that says which consensus was left out, and why; nothing if none was."""
    listed = sorted(set(names))
    if not listed:
        return ()
    whose = "their kind is" if len(listed) > 1 else "its kind is"
    return (f"left out: {named(listed)}; {whose} consensus, which was made from people's codings",)


def as_corpus(given: Any) -> Corpus:
    """A corpus, or a single document as a corpus of one."""
    if isinstance(given, Document):
        return Corpus.from_rows(given.records(), provenance=given.provenance)
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

    Coding i is row i of `table`, the columns of the corpus, made by `coders[coder[i]]` of
    `documents[document[i]]`; `slot` counts the codings of a document from 0. Pair j joins the
    codings `left[j]` and `right[j]`. `whole` is the corpus as it was given, `corpus` the same
    without codings of the kind `consensus` (`nobody`).
    """

    def __init__(self, given: Corpus | Document) -> None:
        self.whole: Corpus = as_corpus(given)
        self.corpus: Corpus = people_of(self.whole)
        self._rows: dict[Metric, Floats] = {}
        self.local: bool = self.corpus.coder_scope == "local"
        self.table: Codings = self.corpus.columns
        table = self.table
        self.documents: tuple[str, ...] = tuple(table.documents)
        self.document: Int64Array = table.document_of_rows
        self.slot: Int64Array = np.arange(len(table)) - table.starts[self.document]
        # of the coder of each coding, in its document
        self.names: list[str] = [table.coders[code] for code in table.codes.tolist()]
        self.coder: Int64Array = table.codes.astype(np.int64)
        self.coders: tuple[str, ...] = tuple(table.coders)
        if self.local and len(self.documents) > 1:
            self.coder = np.arange(len(table))
            owners = zip(self.document.tolist(), self.names, strict=True)
            self.coders = tuple(f"{self.documents[number]}: {name}" for number, name in owners)
        pairs = _all_pairs(np.bincount(self.document, minlength=len(self.documents)))
        self.left: Int64Array = pairs[0]
        self.right: Int64Array = pairs[1]

    @property
    def pair_document(self) -> Int64Array:
        """The document of each pair."""
        return np.asarray(self.document[self.left])

    @arguments.cached_property
    def order(self) -> Int64Array:
        """The documents in the order in which they are drawn."""
        return by_name(self.documents)

    @arguments.cached_property
    def coding_order(self) -> Int64Array:
        """The codings in the order in which they are drawn: by document, then by a hash of what was
        marked there, then of all that the coder marked. Other names draw the same."""
        rank = np.argsort(self.order)[self.document]
        offsets, positions = self.table.offsets.tolist(), self.table.positions
        marked = [positions[i:j].tobytes() for i, j in pairwise(offsets)]
        whole = [0] * len(self.coders)
        for row in np.argsort(rank, kind="stable").tolist():
            whole[self.coder[row]] = crc32(marked[row], whole[self.coder[row]])
        hashes = np.array(list(map(crc32, marked)), np.int64)
        return np.lexsort((np.array(whole, np.int64)[self.coder], hashes, rank))

    @arguments.cached_property
    def labelled(self) -> bool:
        """Whether two coders of a document gave labels."""
        given = self.table.labels is not None or self.table.details
        return bool(given) and any(len(one.labels) > 1 for one in self.corpus.values())

    @arguments.cached_property
    def places(self) -> Int64Array:
        """The number of potential boundaries of each coding."""
        return self.table.n_units - 1

    @arguments.cached_property
    def boundaries(self) -> Int64Array:
        """The number of boundaries of each coding."""
        return np.diff(self.table.offsets)

    @classmethod
    def of(cls, given: "CodedBy") -> "CoderPairs":
        """The pairs of a corpus or a document; a `CoderPairs` is returned unchanged."""
        return given if isinstance(given, CoderPairs) else cls(given)

    @arguments.cached_property
    def batch(self) -> Pairs:
        """All pairs, the left coder as reference."""
        return self.batch_of(self.left, self.right)

    def batch_of(self, left: Int64Array, right: Int64Array) -> Pairs:
        """Some pairs of codings of the same document, the left codings as references."""
        names = [
            f"{self.documents[self.document[i]]} ({self.names[i]}, {self.names[j]})"
            for i, j in zip(left.tolist(), right.tolist(), strict=True)
        ]
        return Pairs.of_codings(
            self.table, self.table, left, right, documents=names, provenance=self.corpus.provenance
        )

    def directions(self, metric: Metric) -> list[tuple[Pairs, Int64Array, Int64Array]]:
        """All pairs, their references and their hypotheses; and for a metric over the levels of a
        reference the same with both sides exchanged."""
        found = [(self.batch, self.left, self.right)]
        if isinstance(metric, Hierarchical):
            found.append((self.batch_of(self.right, self.left), self.right, self.left))
        return found

    def statistics(self, metric: Metric) -> Floats:
        """The statistics of all pairs under a metric, in both directions, computed once."""
        if metric not in self._rows:
            rows = (metric.rows(batch, threads=None) for batch, *_ in self.directions(metric))
            self._rows[metric] = np.sum(list(rows), axis=0)
        return self._rows[metric]

    def require_pairs(self, what: str) -> None:
        """Raise if no document has two coders."""
        if len(self.left):
            return
        left_out = "".join(f"; {note}" for note in consensus_note(self.nobody))
        if not len(self.table):
            raise SegmentationError(f"{what} needs codings, and the corpus has none{left_out}")
        only = self.corpus[self.documents[self.document[0]]]
        raise SegmentationError(
            f"{what} needs two coders for a document, and document {only.name!r} has coder "
            f"{next(iter(only))!r} alone: expected people's folders as FOLDER/*, "
            f"files of one document with one_document={left_out}"
        )

    def require_global_names(self) -> None:
        """Raise if the names of coders mean different people in different documents."""
        if self.local and len(self.documents) > 1:
            raise SegmentationError(
                "coder names are local to each document: expected the coders of one document, "
                "corpus[…]"
            )

    @property
    def nobody(self) -> tuple[str, ...]:
        """The names of codings of the kind `consensus`, which are left out."""
        return self.whole.columns.consensus_coders

    def codings_of(self, documents: Int64Array) -> Int64Array:
        """The codings of some documents."""
        return np.flatnonzero(np.isin(self.document, documents))

    def parts(
        self, together: Callable[[str, Int64Array], Any], document: Callable[[int], Any]
    ) -> dict[str, Any]:
        """A result for each group of documents and for each document, made on first access.

        together: makes the named result of several documents; document: makes that of a single
            document.
        """

        def group(index: int) -> Any:
            numbers = [self.table.numbers[document] for document in groups[names[index]]]
            return together(names[index], np.array(numbers, np.int64))

        groups, known = self.corpus.groups, MadeOnDemand(self.documents, document)
        names = list(groups)
        return {"documents": known, "groups": MadeOnDemand(names, group)}

    def basis(self, documents: Int64Array) -> Basis:
        """The numbers of documents, coders, codings, pairs and boundaries behind a result."""
        codings = self.codings_of(documents)
        sizes = np.unique(self.document[codings], return_counts=True)[1]
        return Basis(
            len(documents),
            len(np.unique(self.coder[codings])),
            len(codings),
            int((sizes * (sizes - 1) // 2).sum()),
            int(self.boundaries[codings].sum()),
        )

    def document_basis(self, number: int) -> Basis:
        """The numbers of coders, codings, pairs and boundaries in one document."""
        first, last = np.searchsorted(self.document, [number, number + 1]).tolist()
        n = last - first
        return Basis(1, n, n, n * (n - 1) // 2, int(self.boundaries[first:last].sum()))

    def remarks(self) -> tuple[str, ...]:
        """What a reader should know about which coders coded which documents."""
        notes = list(consensus_note(self.nobody))
        sizes = np.bincount(self.document, minlength=len(self.documents))
        alone = [name for name, size in zip(self.documents, sizes, strict=True) if size < 2]
        if alone:
            notes.append(
                f"{len(alone)} of {len(self.documents)} documents have fewer than two coders and "
                f"so no pair: {first_of(alone)}"
            )
        units = map(self.table.n_units_of, range(len(self.documents)))
        short = [name for name, n in zip(self.documents, units, strict=True) if n < 2]
        if short:
            notes.append(f"documents of one unit have no place for a boundary: {first_of(short)}")
        everything = len(self.documents) * len(self.coders)
        if not self.local and len(self.table) < everything:
            coded = set(zip(self.coder.tolist(), self.document.tolist(), strict=True))
            without = documents_by_coder(
                (document, name)
                for code, name in enumerate(self.coders)
                for number, document in enumerate(self.documents)
                if (code, number) not in coded
            )
            notes.append(
                f"not everyone coded everything: {len(self.table)} of {everything} codings "
                f"exist, and the {len(self.left)} pairs of them are used; without: {without}"
            )
        empty = np.flatnonzero((self.boundaries == 0) & (self.places > 0)).tolist()
        if 0 < len(empty) < np.count_nonzero(self.places):
            codings = [(self.documents[self.document[i]], self.names[i]) for i in empty]
            has = "coding has" if len(empty) == 1 else "codings have"
            notes.append(f"{len(empty)} {has} no boundary: {documents_by_coder(codings)}")
        if self.local and len(self.documents) > 1:
            notes.append(
                "coder names are local to each document and are not joined across documents"
            )
        return tuple(notes)


CodedBy = Corpus | Document | CoderPairs  # what everything about coders takes


def _all_pairs(sizes: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The indices (left, right) of all pairs of codings within documents; `sizes`: codings per
    document."""
    starts = np.cumsum(sizes) - sizes
    n_pairs = sizes * (sizes - 1) // 2
    ends = np.cumsum(n_pairs)
    left, right = np.empty((2, ends[-1] if len(ends) else 0), np.int64)
    for size in np.unique(sizes[sizes > 1]).tolist():  # documents with as many coders at once
        first, second = np.triu_indices(size, 1)
        chosen = np.flatnonzero(sizes == size)
        place = (ends - n_pairs)[chosen, np.newaxis] + np.arange(len(first))
        left[place] = starts[chosen, np.newaxis] + first
        right[place] = starts[chosen, np.newaxis] + second
    return left, right


Null = Literal["positions", "lengths"]
NULLS: tuple[Null, ...] = get_args(Null)

MOST_DRAWS = 1000
FEWEST_DRAWS = 20
_SCORED = 2_000_000  # pairs that are scored, unless draws are asked for
_CELLS = 4_000_000  # numbers in memory at a time, whatever the number of draws


def usual_draws(n_pairs: int) -> int:
    """The number of draws if none is given.

    >>> usual_draws(21), usual_draws(10_000), usual_draws(10**6)
    (1000, 200, 20)
    """
    return min(MOST_DRAWS, max(FEWEST_DRAWS, _SCORED // max(1, n_pairs)))


def checked_draws(draws: int | None, n_pairs: int) -> int:
    """The number of draws: as given, or the usual number; 0 means no draws."""
    if draws is None:
        return usual_draws(n_pairs)
    number = whole_number(draws, "draws", 0)
    return number if number == 0 else whole_number(draws, "draws", 2)


class RandomCodings:
    """Codings with boundaries that can be drawn again; the same seed and number give the same draw.

    rows: the rows of the table to draw; a row may occur several times. Default: all rows.
    order: the order in which they are drawn.
    """

    def __init__(
        self,
        codings: Codings,
        null: Null,
        seed: int,
        rows: Int64Array | None = None,
        order: Int64Array | None = None,
    ) -> None:
        check_choice(null, "null", NULLS)
        seed = whole_number(seed, "seed", 0)
        self.null = null
        self._key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
        rows = np.arange(len(codings)) if rows is None else rows
        order = np.arange(len(rows)) if order is None else order
        self._place = np.argsort(order)  # of each coding, among those in order
        rows = rows[order]
        n_units, details = codings.n_units[rows], details_of(codings.details, rows)
        self.offsets, self._places = picked_lists(codings.offsets, codings.positions, rows)
        self._n = len(n_units)
        self._n_places = n_units - 1
        self._candidates = self._counted_in_candidates(details)
        self.can_move: NDArray[np.bool_] = self._places_can_move()
        detailed = {
            row: detail
            for row, detail in details.items()
            if detail.types or detail.ranks is not None
        }
        self._shuffled = bool(detailed)
        for row, detail in detailed.items():  # different types or ranks
            kinds = detail.types or [None] * len(detail.boundaries)
            ranks = [None] * len(kinds) if detail.ranks is None else detail.ranks.tolist()
            self.can_move[row] |= len(set(zip(kinds, ranks, strict=True))) > 1
        self.can_move = self.can_move[self._place]

    def columns_of(self, codings: Int64Array) -> Int64Array:
        """The columns of the boundaries of these codings, in what is drawn."""
        return picked_places(self.offsets, self._place[codings])

    def _counted_in_candidates(self, details: Mapping[int, Segmentation]) -> Lists:
        """The candidates of all codings; positions of codings with candidates are counted in
        these."""
        listed = {
            row: detail.candidates
            for row, detail in details.items()
            if detail.candidates is not None
        }
        sizes = np.zeros(self._n, np.int64)
        if listed:
            self._places = self._places.copy()
        for row, candidates in listed.items():
            own = slice(self.offsets[row], self.offsets[row + 1])
            self._places[own] = np.searchsorted(candidates, self._places[own]) + 1
            self._n_places[row] = sizes[row] = len(candidates)
        values = [listed[row] for row in sorted(listed)]
        return Lists(starts_of(sizes), np.concatenate([np.empty(0, np.int64), *values]))

    def _places_can_move(self) -> NDArray[np.bool_]:
        """Whether another choice of positions, or another order of segments, is possible."""
        marked = np.diff(self.offsets)
        if self.null == "positions":
            return (marked > 0) & (marked < self._n_places)
        ends = np.insert(self._places, self.offsets[1:], self._n_places + 1)
        starts = np.insert(self._places, self.offsets[:-1], 0)
        coding = np.repeat(np.arange(self._n), marked + 1)
        lengths = ends - starts
        first = lengths[self.offsets[:-1] + np.arange(self._n)]
        return np.bincount(coding[lengths != first[coding]], minlength=self._n) > 0

    def drawn(self, first: int, count: int) -> tuple[Int64Array, Int64Array]:
        """The draws from number `first` on: positions, and the boundaries whose types and ranks are
        there.

        Both have a row per draw, with the boundaries of all codings side by side. The second names
        the column of a boundary as it was coded; it is empty if no boundary has a type or rank.
        """
        drawn = np.empty((count, len(self._places)), np.int64)
        order = np.empty(drawn.shape if self._shuffled else (0, 0), np.int64)
        coded = self._n, self._n_places, self.offsets, self._places, *self._candidates
        how = self.null == "lengths", self._key, first, self._shuffled
        random_places.draw(0, *coded, *how, drawn, order)
        return drawn, order


def random_pairs(
    base: Pairs, codings: RandomCodings, draws: int, hyp: Int64Array, ref: Int64Array | None = None
) -> Iterator[tuple[int, int, Pairs]]:
    """A batch of pairs in which one side, or both, are drawn at random: the number of the first
    draw, how many draws, and their pairs; those of one draw are adjacent, in the order of the base.

    `base` holds the pairs as coded; row i of its hypotheses is the coding `hyp[i]`, and, where the
    references are drawn, too, row i of its references is the coding `ref[i]`. A coding that occurs
    in several pairs is the same in all of them, in each draw.
    """
    sides = {
        "ref": None if ref is None else codings.columns_of(ref),
        "hyp": codings.columns_of(hyp),
    }
    listed = [base.ref_candidates, base.hyp_candidates, base.ref_types, base.hyp_types]
    listed += [base.ref_labels, base.hyp_labels]
    cells = 8 * len(base) + len(base.ref_positions) + len(base.hyp_positions)
    cells += sum(len(lists.values) for lists in listed if lists is not None)
    step = max(1, _CELLS // max(1, cells))
    for first in range(0, draws, step):
        count = min(step, draws - first)
        drawn = codings.drawn(first, count)
        yield first, count, _redrawn(base, drawn, count, sides)


def expected_rows(
    rows: Callable[[Pairs], Floats], base: Pairs, codings: RandomCodings, draws: int, *sides: Any
) -> Floats:
    """The rows of each pair of the base, averaged over draws."""
    total: Any = 0
    for _, count, batch in random_pairs(base, codings, draws, *sides):
        found = rows(batch)
        total = total + found.reshape(count, -1, found.shape[1]).sum(axis=0)
    return np.asarray(total / draws, np.float64)


_OF_SIDE = ("offsets", "positions", "types", "ranks", "candidates", "labels")


def _redrawn(
    base: Pairs,
    drawn: tuple[Int64Array, Int64Array],
    count: int,
    sides: Mapping[str, Int64Array | None],
) -> Pairs:
    """`count` draws of the pairs; the columns of what is drawn for each of the `sides`, or None: it
    stays as it is."""
    made: dict[str, Any] = {}
    for side, columns in sides.items():
        offsets, positions, types, ranks, candidates, labels = (
            getattr(base, f"{side}_{name}") for name in _OF_SIDE
        )
        source = np.tile(np.arange(len(positions)), count)
        if columns is None:
            positions = positions[source]
        else:
            positions = np.take(drawn[0], columns, axis=1).reshape(-1)
            if types is not None or ranks is not None:
                # a boundary is as far behind its column in the base, for each pair it is in
                moved = np.take(drawn[1], columns, axis=1) + (np.arange(len(columns)) - columns)
                source = moved.reshape(-1)
        made |= {
            f"{side}_offsets": _tiled_offsets(offsets, count),
            f"{side}_positions": positions,
            f"{side}_types": None if types is None else types.picked(source),
            f"{side}_ranks": None if ranks is None else ranks[source],
            f"{side}_candidates": _tiled(candidates, count),
            # as many segments as before: labels stay in their order, and boundaries move
            f"{side}_labels": _tiled(labels, count),
        }
    return Pairs.trusted(
        n_units=np.tile(base.n_units, count),
        **made,
        groups=None if base.groups is None else _tiled_offsets(base.groups, count),
        type_names=base.type_names,
        label_names=base.label_names,
        provenance=base.provenance,
    )


def _tiled(lists: Lists | None, count: int) -> Lists | None:
    if lists is None:
        return None
    return Lists(_tiled_offsets(lists.offsets, count), np.tile(lists.values, count))


def _tiled_offsets(offsets: Int64Array, count: int) -> Int64Array:
    later = np.arange(count, dtype=np.int64)[:, np.newaxis] * offsets[-1] + offsets[1:]
    return np.concatenate([[0], later.reshape(-1)]).astype(np.int64)
