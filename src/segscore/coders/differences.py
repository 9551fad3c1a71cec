"""Where coders differ, and how: with the text around it, counted, and by the labels they give.

- Side by side: everyone's boundaries in one document, unit by unit.
- Matches and misses: boundaries that match, near misses and full misses of all pairs of coders, as
  Fournier & Inkpen (2012), fig. 10, count them for each document.
- Similarity of labels: Jaccard's, unit by unit (Fournier 2013, poetry, fig. 1c).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.coders.coder_labels import LabelReliability
from segscore.coders.coder_pairs import CodedBy, CoderPairs, people_in
from segscore.coders.places import shortened
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics.edit_distance import boundary_edits
from segscore.tables import Cell, Column, Table, Tabular, columns
from segscore.tables.view import Drawing

MARK, NO_MARK = "█", "·"


# ---- everyone side by side ----


@dataclass(frozen=True, repr=False)
class SideBySide(Tabular):
    """Everyone's boundaries in one document, unit by unit, with its text."""

    document: Document
    coders: tuple[str, ...]

    def to_table(self) -> Table:
        """A row per unit: its text, and who has a boundary after it."""
        marked = [set(self.document[coder].boundaries.tolist()) for coder in self.coders]
        text: Sequence[str | None] = self.document.units or [None] * self.document.n_units
        people, machines = [], []
        for unit, words in enumerate(text, 1):
            marks: list[Any] = [unit in positions for positions in marked]
            drawn: list[Any] = [
                Drawing("".join(MARK if mark else NO_MARK for mark in marks)), sum(marks)
            ]  # fmt: skip
            if unit == self.document.n_units:
                marks, drawn = [None] * len(marks), [None, None]
            people.append([unit, shortened(words), *drawn])
            machines.append([unit, words, *marks])
        known: Any = "machines" if self.document.units is None else "all"
        shown = [
            *columns("unit"),
            *columns("text", audience=known),
            *columns("after_it=marks coders"),
        ]
        fields = [*columns("unit text"), *(Column(one, key=f"coder {one}") for one in self.coders)]
        words_below = (
            f"{MARK} a boundary after the unit, {NO_MARK} none; from left to right: "
            + ", ".join(self.coders)
        )
        title = f"Boundaries of {self.document.name}"
        return Table(shown, people, [words_below], title, for_machines=Table(fields, machines))


def side_by_side(document: Document) -> SideBySide:
    """Show everyone's boundaries in a document beside its text.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": cut([1, 2]), "bob": cut([2, 1])}})
    >>> side_by_side(corpus["d"])
    Boundaries of d
    unit  after it  coders
    ──────────────────────
       1  █·             1
       2  ·█             1
       3
    ──────────────────────
    █ a boundary after the unit, · none; from left to right: ann, bob
    """
    if not document:
        raise SegmentationError(f"document {document.name!r} has no codings: expected one or more")
    return SideBySide(document, tuple(document))


# ---- matches and misses ----


class EditCount(NamedTuple):
    """The boundaries on which the pairs of coders agree and differ, in one document or in all."""

    name: str
    n_pairs: int
    matches: int
    near_misses: int
    full_misses: int
    substitutions: int


@dataclass(frozen=True, repr=False)
class EditTotals(Tabular):
    """The counts of each document, and of all documents."""

    documents: tuple[EditCount, ...]
    whole: EditCount
    n_t: int = 2

    def to_table(self) -> Table:
        """A row per document, and a row for all documents."""
        shown = columns("document pairs matches near_misses full_misses substitutions")
        words = (
            f"over pairs of coders; near misses: boundaries less than n_t = {self.n_t} positions "
            "apart; full misses: boundaries of one coder alone"
        )
        return Table(shown, [*self.documents, self.whole], [words], "Matches and misses")


def edit_totals(corpus: CodedBy, n_t: int = 2) -> EditTotals:
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
    counts = np.zeros((len(pairs.documents), 5), np.int64)
    for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        edits = boundary_edits(pairs.segmentations[left], pairs.segmentations[right], n_t=n_t)
        found = edits.matches, edits.transpositions, edits.additions, edits.substitutions
        counts[pairs.document[left]] += (1, *map(len, found))
    by_document = zip(pairs.documents, counts.tolist(), strict=True)
    documents = tuple(EditCount(name, *row) for name, row in by_document)
    return EditTotals(documents, EditCount("all", *counts.sum(axis=0).tolist()), n_t)


# ---- labels ----


@dataclass(frozen=True, repr=False)
class LabelSimilarity(Tabular):
    """Jaccard similarity of labels over units and pairs of coders: mean and sd (population).

    `per_unit` is the mean over pairs for each unit, NaN where fewer than two coders gave a label.
    """

    mean: float
    sd: float
    n: int
    per_unit: Floats = field(repr=False)

    def to_table(self) -> Table:
        """A row per unit."""
        words = (
            f"{self.mean:.3f} ± {self.sd:.3f} (standard deviation) over {self.n} units and pairs "
            "of coders"
        )
        shown = [*columns("unit"), *columns("similarity", digits=3)]
        rows = list(enumerate(self.per_unit.tolist(), start=1))
        return Table(shown, rows, [words], "Similarity of labels (Jaccard)")


def labels_table(corpus: Corpus, reliability: LabelReliability) -> Table:
    """The similarity of coders' labels and their α, by document and for all documents."""
    found = {
        name: label_similarity(document)
        for name, document in corpus.items()
        if len(document.labels) > 1
    }
    if not found:
        raise SegmentationError("no document has labels by two coders: expected one or more")
    parts = {part.name: part for part in reliability.documents}
    rows = [
        [name, Cell(one.mean, error=one.sd), one.n,
         Cell(parts[name].alpha if name in parts else math.nan),
         parts[name].n_segments if name in parts else 0]
        for name, one in found.items()
    ]  # fmt: skip
    mean, sd, n = _together(list(found.values()))
    alpha = Cell(reliability.alpha, low=reliability.ci.low, high=reliability.ci.high)
    rows.append(["all", Cell(mean, error=sd), n, alpha, reliability.whole.n_segments])
    shown = [
        *columns("document"),
        *columns("similarity=mean", error="sd", digits=3),
        *columns("n"),
        *columns("α=alpha", digits=3),
        *columns("segments"),
    ]
    words = [
        "similarity: Jaccard's of labels, mean ± standard deviation over units and pairs of coders "
        "(n), whatever their boundaries are",
        "α: Krippendorff's, of labels that coders gave to segments with the same start and end "
        f"(segments); {reliability.ci.method}",
    ]
    return Table(shown, rows, words, "Agreement on labels", warnings=reliability.warnings)


def _together(found: Sequence[LabelSimilarity]) -> tuple[float, float, int]:
    """The mean and sd over the units of all documents, and their number."""
    known = [one for one in found if one.n]
    n = sum(one.n for one in known)
    if not n:
        return math.nan, math.nan, 0
    mean = sum(one.mean * one.n for one in known) / n
    squares = sum((one.sd**2 + one.mean**2) * one.n for one in known) / n
    return mean, math.sqrt(max(0.0, squares - mean**2)), n


def label_similarity(document: Document, coders: Iterable[str] | None = None) -> LabelSimilarity:
    """How similar the labels are that coders give to the same units, whatever their boundaries.

    A unit has the labels of its segment. The similarity of two coders at a unit is the number of
    labels that both give over the number of labels that either gives; where neither gives a label,
    there is no value.

    >>> import segscore as ss
    >>> ann, bob = ss.Segmentation.from_masses([2, 2]), ss.Segmentation.from_masses([3, 1])
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": ann, "bob": bob}},
    ...                              labels={"d": {"ann": ["x", "y"], "bob": ["x", ["y", "z"]]}})
    >>> found = ss.coders.label_similarity(corpus["d"])
    >>> found.mean, found.per_unit.tolist()
    (0.625, [1.0, 1.0, 0.0, 0.5])
    """
    if not isinstance(document, Document):
        raise SegmentationError(f"document is {shown(document)}: expected a document of a corpus")
    people = people_in(document)
    chosen = (
        [label for label in document.labels if label in people] if coders is None else list(coders)
    )
    for name in chosen:
        if name not in document.labels:
            raise SegmentationError(
                f"document {document.name!r}: coder {name!r} gave no labels: expected one of "
                + (", ".join(map(repr, document.labels)) or "none; the document has no labels")
            )
    if len(chosen) < 2:
        raise SegmentationError(
            f"document {document.name!r}: {len(chosen)} coders with labels: expected two or more"
        )
    values = np.array([
        jaccard(document, first, second) for first, second in combinations(chosen, 2)
    ])  # fmt: skip
    defined = ~np.isnan(values)
    counts = defined.sum(axis=0)
    sums = np.where(defined, values, 0).sum(axis=0)
    per_unit = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    flat = values[defined]
    mean, sd = (float(flat.mean()), float(flat.std())) if flat.size else (math.nan, math.nan)
    return LabelSimilarity(mean, sd, int(flat.size), per_unit)


def jaccard(document: Document, first: str, second: str) -> Floats:
    """The similarity of two coders' labels at each unit."""
    left, right = (
        [labels for labels, mass in zip(document.labels[c], document[c].masses, strict=True)
         for _ in range(mass)]
        for c in (first, second)
    )  # fmt: skip
    return np.array(
        [len(a & b) / len(a | b) if a | b else math.nan for a, b in zip(left, right, strict=True)]
    )
