"""The codings of a corpus in columns, and every pair of coders of a document in one batch.

Agreement, averages over pairs of coders and clusters all start here: a metric scores all pairs of
all documents at once, and every other number is a sum over its rows.

Coders whose names are local to a document are never joined across documents: each of their codings
counts as a coder of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, shown
from segscore.basics.on_demand import MadeOnDemand, cached_property
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, documents_by_coder, first_of, named
from segscore.metrics import Hierarchical, Metric
from segscore.pairing.pairs import Pairs
from segscore.significance.drawing import by_name


def without_consensus(corpus: Corpus) -> Corpus:
    """The corpus without codings of the kind `consensus`; the same object if it has none.

    >>> cut = Segmentation.from_masses
    >>> codings = {"d": {"ann": cut([2, 3]), "bob": cut([5]), "gold": cut([2, 3])}}
    >>> corpus = Corpus.from_dict(codings, kinds={"gold": "consensus"})
    >>> without_consensus(corpus).coders
    ('ann', 'bob')
    """
    columns = corpus.columns
    people = columns.without_consensus()
    if people is columns:
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


def only_consensus(codings: Codings) -> str:
    """The consensus codings of a table that also holds the people."""
    found = codings.consensus_coders
    if len(found) == 1:
        return found[0]
    held = f"more than one consensus, {named(found)}" if found else "no consensus"
    raise SegmentationError(
        f"the reference is not named, and there is {held}: expected one consensus, a second file "
        "(PERSON), or reference="
    )


def consensus_note(names: Iterable[str]) -> tuple[str, ...]:
    """A note that says which consensus was left out, and why; nothing if none was."""
    listed = sorted(set(names))
    if not listed:
        return ()
    whose = "their kind is" if len(listed) > 1 else "its kind is"
    return (f"left out: {named(listed)}; {whose} consensus, which was made from people's codings",)


def people_of(given: Any) -> Corpus:
    """The corpus or document without codings of the kind `consensus`: people and systems remain."""
    return without_consensus(as_corpus(given))


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
        self.corpus: Corpus = without_consensus(self.whole)
        self._rows: dict[Metric, Floats] = {}
        self.local: bool = self.corpus.coder_scope == "local"
        self.table: Codings = self.corpus.columns
        table = self.table
        self.documents: tuple[str, ...] = tuple(table.documents)
        self.document: Int64Array = table.document_of_rows
        self.slot: Int64Array = np.arange(len(table)) - table.starts[self.document]
        # of the coder of each coding, in its document
        self.names: list[str] = [table.coders[code] for code in table.codes.tolist()]
        self.coder: Int64Array
        self.coders: tuple[str, ...]
        self.left: Int64Array
        self.right: Int64Array
        if self.local and len(self.documents) > 1:
            self.coder = np.arange(len(table))
            owners = zip(self.document.tolist(), self.names, strict=True)
            self.coders = tuple(f"{self.documents[number]}: {name}" for number, name in owners)
        else:
            self.coder = table.codes.astype(np.int64)
            self.coders = tuple(table.coders)
        self.left, self.right = _all_pairs(
            np.bincount(self.document, minlength=len(self.documents))
        )

    @property
    def pair_document(self) -> Int64Array:
        """The document of each pair."""
        return np.asarray(self.document[self.left])

    @cached_property
    def order(self) -> Int64Array:
        """The documents in the order in which they are drawn."""
        return by_name(self.documents)

    @cached_property
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

    @cached_property
    def segmentations(self) -> list[Segmentation]:
        """The codings as objects; most numbers do not need them."""
        return [self.table.segmentation(row) for row in range(len(self.table))]

    @cached_property
    def labelled(self) -> bool:
        """Whether two coders of a document gave labels."""
        given = self.table.labels is not None or self.table.details
        return bool(given) and any(len(one.labels) > 1 for one in self.corpus.values())

    @cached_property
    def places(self) -> Int64Array:
        """The number of potential boundaries of each coding."""
        return self.table.n_units - 1

    @cached_property
    def boundaries(self) -> Int64Array:
        """The number of boundaries of each coding."""
        return np.diff(self.table.offsets)

    @classmethod
    def of(cls, given: "CodedBy") -> "CoderPairs":
        """The pairs of a corpus or a document; a `CoderPairs` is returned unchanged."""
        return given if isinstance(given, CoderPairs) else cls(given)

    @cached_property
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
        if not len(self.table):
            raise SegmentationError(f"{what} needs codings, and the corpus has none{self._but()}")
        only = self.corpus[self.documents[self.document[0]]]
        raise SegmentationError(
            f"{what} needs two coders for a document, and no document has two: document "
            f"{only.name!r} has coder {next(iter(only))!r} alone{self._meant()}{self._but()}"
        )

    def _meant(self) -> str:
        """What the user probably meant if no document has two coders: a folder for each person, or
        a file for each person."""
        folders: dict[str, set[str]] = {}
        for name in self.documents:
            folder, mark, rest = name.partition("/")
            if mark:
                folders.setdefault(rest, set()).add(folder)
        people = next((sorted(holders) for holders in folders.values() if len(holders) > 1), None)
        if people is not None:
            return (
                f"; documents are called alike in {first_of(people)}: if these are folders of "
                f"people, expected each of them as a path, as in {self._called()}/*"
            )
        owners = (self.names[row] for row in range(len(self.table)))
        if all(map(str.__eq__, self.documents, owners)) and len(self.documents) > 1:
            return (
                "; each file names a document and its coder: if all are codings of one document, "
                "expected one_document="
            )
        return ""

    def _but(self) -> str:
        return "".join(f"; {note}" for note in consensus_note(self.nobody))

    @property
    def nobody(self) -> tuple[str, ...]:
        """The names of codings of the kind `consensus`, which are left out."""
        return self.whole.columns.consensus_coders

    def _called(self) -> str:
        """The folder that was read, if the corpus comes from a folder."""
        source = self.table.source
        return source.rstrip("/") if source and "," not in source else "FOLDER"

    def codings_of(self, documents: Int64Array) -> Int64Array:
        """The codings of some documents."""
        return np.flatnonzero(np.isin(self.document, documents))

    def numbers_of(self, documents: Iterable[str]) -> Int64Array:
        """The numbers of documents, by name."""
        return np.array([self.table.numbers[name] for name in documents], np.int64)

    def parts(
        self, together: Callable[[str, Int64Array], Any], document: Callable[[int], Any]
    ) -> dict[str, Any]:
        """A result for each group of documents, and one for each document, made on first access.

        together: makes the named result of several documents; document: makes that of a single
            document.
        """
        groups = self.corpus.groups.items()
        return {
            "documents": MadeOnDemand(self.documents, document),
            "groups": {name: together(name, self.numbers_of(inside)) for name, inside in groups},
        }

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
            notes.append(
                f"not everyone coded everything: {len(self.table)} of {everything} codings "
                f"exist, and the {len(self.left)} pairs of them are used; without: "
                f"{self._missing()}"
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

    def _missing(self) -> str:
        """A note on documents that some coders did not code."""
        there = set(zip(self.coder.tolist(), self.document.tolist(), strict=True))
        return documents_by_coder(
            (document, name)
            for code, name in enumerate(self.coders)
            for number, document in enumerate(self.documents)
            if (code, number) not in there
        )


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
