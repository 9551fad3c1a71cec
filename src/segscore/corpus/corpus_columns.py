"""The codings of a corpus in columns: document by document, each with its coders in their order.

A corpus that was read in columns keeps them and makes objects when somebody asks; one that was made
of objects can be put in columns. Either way what works on a whole corpus (scores, agreement,
choosing a part) finds its numbers here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.corpus.coding_rows import NO_CODER, NO_CODING, CodingRows, RowsBuilder
from segscore.corpus.record import KINDS, Kind, Units
from segscore.corpus.unit_texts import UnitTexts


@dataclass(frozen=True, kw_only=True, eq=False)
class CorpusColumns(CodingRows):
    """Codings, a row each: those of document d, `documents[d]`, are rows `starts[d]` up to
    `starts[d+1]`. A document without a coding has a text.

    `coders` are in the order in which they first occur. `kinds` holds for each row the index of the
    coder's kind, `groups` for each document that of its group among `group_names`; -1 is unknown.
    """

    documents: Sequence[str]
    starts: Int64Array
    kinds: NDArray[np.int8]
    group_names: Sequence[str] = ()
    groups: NDArray[np.int32]
    texts: UnitTexts = field(default_factory=UnitTexts)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each document."""
        return numbered(self.documents)

    @cached_property
    def document_of_rows(self) -> Int64Array:
        """The number of each row's document."""
        return np.repeat(np.arange(len(self.documents)), np.diff(self.starts))

    # ---- one document ----

    def n_units_of(self, document: int) -> int:
        """The units of a document."""
        starts, *_ = self._ownership
        if starts[document] < starts[document + 1]:
            return int(self.n_units[starts[document]])
        return self.texts.n_units(self.documents[document])

    def codings_of(self, document: int) -> tuple[dict[str, Segmentation], dict[str, Kind]]:
        """The codings of a document as objects, by coder, and the kinds of those coders."""
        starts, codes, kinds = self._ownership
        codings: dict[str, Segmentation] = {}
        known: dict[str, Kind] = {}
        for row in range(starts[document], starts[document + 1]):
            coder = self.coders[codes[row]]
            codings[coder] = self.segmentation(row)
            if kinds[row] >= 0:
                known[coder] = KINDS[kinds[row]]
        return codings, known

    @cached_property
    def _ownership(self) -> tuple[memoryview, memoryview, memoryview]:
        """Columns to be read number by number, which is faster so."""
        return self.starts.data, self.codes.data, self.kinds.data

    def units_of(self, document: int) -> Units | None:
        """The text of a document, if it is known."""
        return self.texts.get(self.documents[document]) if self.texts else None

    def group_of(self, document: int) -> str | None:
        """The group of a document, if it has one."""
        code = int(self.groups[document])
        return None if code < 0 else self.group_names[code]

    # ---- the whole ----

    def members(self) -> dict[str, tuple[str, ...]]:
        """The documents of each group."""
        found: dict[str, list[str]] = {}
        for number in np.flatnonzero(self.groups >= 0).tolist():
            found.setdefault(self.group_names[self.groups[number]], []).append(
                self.documents[number]
            )
        return {group: tuple(names) for group, names in found.items()}

    def select(
        self,
        documents: Mapping[str, Any] | None,
        coders: Mapping[str, Any] | None,
        groups: Mapping[str, Any] | None,
        kind: Kind | None,
    ) -> "CorpusColumns":
        """The part that satisfies every condition given, as in `Corpus.select`."""
        rows = np.ones(len(self), np.bool_)
        wanted = np.ones(len(self.documents), np.bool_)
        if documents is not None:
            wanted &= _among(self.documents, documents)
        if groups is not None:
            # the last one is that of code -1
            wanted &= np.append(_among(self.group_names, groups), False)[self.groups]
        if coders is not None:
            rows &= _among(self.coders, coders)[self.codes]
        if kind is not None:
            rows &= self.kinds == KINDS.index(kind)
        rows &= wanted[self.document_of_rows]
        kept = np.zeros(len(self.documents), np.bool_)
        kept[self.document_of_rows[rows]] = True
        if coders is None and kind is None:  # a text alone is nobody's
            kept |= wanted & (np.diff(self.starts) == 0)
        return self._part(np.flatnonzero(rows), np.flatnonzero(kept))

    def _part(self, rows: Int64Array, documents: Int64Array) -> "CorpusColumns":
        names = [self.documents[number] for number in documents.tolist()]
        texts = UnitTexts()
        if self.texts:
            for name in names:
                if name in self.texts:
                    texts.take(name, self.texts)
        counts = np.bincount(self.document_of_rows[rows], minlength=len(self.documents))
        part = self.chosen(rows)
        return CorpusColumns(
            **(part.row_columns() | _in_order(part.coders, part.codes)),
            documents=names,
            starts=_starts(counts[documents]),
            kinds=self.kinds[rows],
            group_names=self.group_names,
            groups=self.groups[documents],
            texts=texts,
        )


def corpus_columns(
    builder: RowsBuilder, nameless: Sequence[tuple[int, str]] = (), *, local: bool = False
) -> CorpusColumns | None:
    """The columns of a corpus from rows in any order; None if they make no corpus, for whoever
    knows their places to say why.

    nameless: who made codings that name no coder: a coder for each stretch of rows, which begins
        at the row given; local: whether a coder may be a person here and a system there.
    """
    found = builder.collected()
    names = builder.rows.documents
    numbers = numbered(names)
    of_rows = np.arange(len(names))
    if len(numbers) < len(names):
        of_rows = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
    coders, codes = _all_named(found, nameless)
    kinds, groups = builder.rows.about_rows()
    kind_of, group_of = np.frombuffer(kinds, np.int8), np.frombuffer(groups, np.int32)
    grouped = _told(of_rows, group_of, len(numbers))
    coded = codes != NO_CODING
    person_or_system = _told(codes[coded], kind_of[coded], len(coders))
    if grouped is None or (person_or_system is None and not local):
        return None
    if len(numbers) < len(names) and disagreement(of_rows, codes, found.n_units):
        return None
    order = np.arange(len(names))
    if (of_rows[1:] < of_rows[:-1]).any():
        order = np.argsort(of_rows, kind="stable")
    rows = order[coded[order]]
    return CorpusColumns(
        **(found.chosen(rows).row_columns() | _in_order(coders, codes[rows])),
        documents=names if len(numbers) == len(names) else list(numbers),
        starts=_starts(np.bincount(of_rows[rows], minlength=len(numbers))),
        kinds=kind_of[rows],
        group_names=builder.rows.group_names,
        groups=grouped,
        texts=builder.texts,
    )


def numbered(names: Sequence[str]) -> dict[str, int]:
    """The number of each name, counted from 0 as they first occur."""
    found = dict.fromkeys(names, 0)
    if len(found) == len(names):
        return dict(zip(names, range(len(names)), strict=True))
    return {name: number for number, name in enumerate(found)}


def disagreement(documents: Int64Array, codes: NDArray[np.int32], n_units: Int64Array) -> bool:
    """Whether a document has two codings by a coder, or codings that differ in their units."""
    coded = codes != NO_CODING
    keys = documents[coded] * (int(codes.max(initial=0)) + 1) + codes[coded]
    if len(np.unique(keys)) < len(keys):
        return True
    return _told(documents, n_units, int(documents.max(initial=-1)) + 1) is None


def _told(owners: NDArray[Any], values: NDArray[Any], n_owners: int) -> NDArray[Any] | None:
    """The value of each owner, -1 where no row has one (of at least 0); None if two rows differ."""
    known = values >= 0
    told = np.full(n_owners, -1, values.dtype)
    told[owners[known]] = values[known]
    return told if np.array_equal(told[owners[known]], values[known]) else None


def _all_named(
    found: CodingRows, nameless: Sequence[tuple[int, str]]
) -> tuple[list[str], NDArray[np.int32]]:
    """The coders and their codes, those of codings that name no coder included."""
    coders, codes = [*found.coders], found.codes
    if not (codes == NO_CODER).any():
        return coders, codes
    codes = codes.copy()
    ends = [*(first for first, _ in nameless[1:]), len(codes)]
    for (first, coder), end in zip(nameless, ends, strict=True):
        if coder not in coders:
            coders.append(coder)
        stretch = codes[first:end]
        stretch[stretch == NO_CODER] = coders.index(coder)
    return coders, codes


def _in_order(coders: Sequence[str], codes: NDArray[np.int32]) -> dict[str, Any]:
    """Coders in the order in which they first occur, without those who do not, and their codes."""
    used, first = np.unique(codes, return_index=True)
    order = used[np.argsort(first)]
    if np.array_equal(order, np.arange(len(coders))):
        return {"coders": coders, "codes": codes}
    new = np.zeros(len(coders), np.int32)
    new[order] = np.arange(len(order), dtype=np.int32)
    return {"coders": [coders[code] for code in order.tolist()], "codes": new[codes]}


def _among(names: Sequence[str], chosen: Mapping[str, Any]) -> NDArray[np.bool_]:
    return np.fromiter((name in chosen for name in names), np.bool_, len(names))


def _starts(counts: Int64Array) -> Int64Array:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
