"""What a convention is: how a program or script computes a measure; how programs see documents; and
the changes that scripts make to documents before any convention applies.

A convention computes all documents at once, and gives a row for each way of averaging them, their
mean first. Three kinds know how: of windows (Pk, WindowDiff), of other numbers of documents
(both in `document_scores.py`) and of F1 (`f_counting.py`); `convention_list.py` lists them all.

Programs see documents as units, gaps, a label per unit, chunks of time, or runs of labels. Each
encoding turns `Pairs` into `Symbols`, columns with a row per document, in which windows are
counted. Encodings differ in the number of symbols, how many of them mark a boundary, and where.
Each `Reading` turns `Pairs` into those that a script sees: sides swapped, units lost, labels
misread. They are tried to explain a number (`expect`), and reported only if they do.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from segscore._kernels import matching
from segscore.basics.arguments import Int64Array
from segscore.corpus import Provenance, starts_of
from segscore.metrics.matching import BoundaryMatch
from segscore.pairing.pairs import Pairs

AuditMeasure = Literal[
    "pk", "windowdiff", "f1", "segment-f1", "macro-f1", "total", "b", "s", "b-f1", "count-mae"
]
MEASURES: tuple[AuditMeasure, ...] = get_args(AuditMeasure)
ERRORS = ("pk", "windowdiff")  # of which others print 1 minus the value

AVERAGES = {  # what it is, and how far-fetched it is
    "document": ("the one document", 0.0),
    "mean": ("mean of the documents' values", 0.0),
    "windows": ("errors of all documents over windows of all documents", 0.75),
    "global-k": ("mean of documents, all with one k from the pooled mean segment", 2.25),
    "concatenated": ("all documents joined into one, their ends being boundaries", 2.25),
    "pooled": ("F of the counts of all documents", 0.25),
    "mean-rates": ("F of the mean precision and the mean recall", 0.75),
}


class AuditRow(NamedTuple):
    """A number: a convention, a measure, an average."""

    convention: str
    measure: str
    average: str
    k: int | None = None  # of Pk and WindowDiff; None where documents differ
    windows: int | None = None  # of Pk and WindowDiff
    value: float = math.nan  # NaN where undefined
    prints: float = math.nan  # NaN where the implementation fails
    documents: int = 0
    undefined: int = 0
    note: str | None = None
    at: str | None = None  # tolerance or thresholds of F1, n_t of B and S
    precision: float = math.nan  # of F1
    recall: float = math.nan
    reading: str | None = None  # what was done to documents before: sides swapped, for instance

    def same_numbers(self, other: "AuditRow") -> bool:
        """Whether the values and the prints of two rows are the same; NaN equals NaN."""
        pairs = (self.value, other.value), (self.prints, other.prints)
        return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def trouble_note(troubles: Sequence[str]) -> str | None:
    """A note with the first problem in documents, and the number of problems."""
    if not troubles:
        return None
    more = f" (and {len(troubles) - 1} more documents)" if len(troubles) > 1 else ""
    return troubles[0] + more


class Reach(NamedTuple):
    """The largest distances at which boundaries match: at most the tolerance, or less than it."""

    within: int
    below: int
    text: str

    @classmethod
    def of(cls, tolerance: int | str, provenance: Provenance) -> "Reach":
        """The reach of a number of units, or of a time."""
        checked = BoundaryMatch(tolerance)
        within, below = checked.reach(provenance), -1
        if checked.tolerance != 0:
            below = BoundaryMatch(tolerance, strict=True).reach(provenance)
        return cls(within, below, f"tolerance {checked.tolerance}")


Made = TypeVar("Made")


class Documents:
    """The documents of an audit, what conventions make of them, and the rows so far."""

    def __init__(self, pairs: Pairs, reach: Reach) -> None:
        self.pairs = pairs
        self.reach = reach
        self.rows: dict[tuple[str, ...], AuditRow] = {}  # by convention, measure, average
        self._made: dict[Hashable, Any] = {}

    def once(self, make: Callable[..., Made], *arguments: Hashable) -> Made:
        """What a function makes of the pairs; it is called once, whoever asks."""
        key = make, *arguments
        if key not in self._made:
            self._made[key] = make(self.pairs, *arguments)
        made: Made = self._made[key]
        return made


def joined(pairs: Pairs) -> Documents:
    """All documents joined into one, with a boundary at each end of a document."""
    ends = np.cumsum(pairs.n_units)
    columns: list[Any] = []
    for offsets, positions in sides(pairs):
        moved = positions + np.repeat(ends - pairs.n_units, np.diff(offsets))
        every = np.insert(moved, offsets[1:-1], ends[:-1])
        columns += [np.array([0, len(every)]), every]
    return Documents(Pairs(ends[-1:], *columns, provenance=pairs.provenance), Reach(0, -1, ""))


@dataclass(frozen=True)
class Convention(ABC):
    """How one program or script computes measures.

    `sentence` says what it does, `source` names its code; `cost` is how far-fetched it is
    (`auditing.py`). `at` names tolerances or thresholds. `average` is how the program itself
    averages documents. `exact`: it has no tolerance, and is left out if one is given. `variant_of`
    names a convention that usually prints the same; rows that do not differ are left out. `rare`:
    it is tried only where a number is to be explained.
    """

    name: str
    sentence: str
    source: str | None
    _: KW_ONLY
    measures: tuple[str, ...] = ERRORS
    cost: float = 1.0
    at: str | None = None
    average: str = "mean"
    exact: bool = False
    variant_of: str | None = None
    rare: bool = False

    @abstractmethod
    def rows(self, documents: Documents, measure: str) -> Iterator[AuditRow]:
        """A row for each average, the mean first; none if it does not apply to the documents."""

    @property
    def words(self) -> str:
        """The text of a footnote."""
        return f"{self.sentence} [{self.source}]" if self.source else self.sentence


# ---- how programs see documents ----

CHUNK = 6_000_000  # of chunkseg, in microseconds


class Places(NamedTuple):
    """The boundaries of a side, document after document."""

    offsets: Int64Array
    positions: Int64Array

    @property
    def counts(self) -> Int64Array:
        """The number of boundaries of each document."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> Int64Array:
        """The document of each boundary."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def only(self, these: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "Places":
        """The boundaries to keep."""
        return Places(starts_of(these)[self.offsets], self.positions[these])

    def moved(self, by: int) -> "Places":
        """A copy with each boundary `by` places later."""
        return Places(self.offsets, self.positions + by)

    def with_first(self, position: int) -> "Places":
        """A copy with one more boundary in each document, before the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[:-1], position))

    def with_last(self, position: Int64Array) -> "Places":
        """A copy with one more boundary in each document, after the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[1:], position))


class Symbols(NamedTuple):
    """Documents as an implementation sees them, a row each.

    ones: the number of reference symbols that mark a boundary; segments: the number of reference
    segments; units: there are `units` - k windows of k symbols.
    """

    length: Int64Array  # symbols
    ones: Int64Array
    segments: Int64Array
    units: Int64Array
    ref: Places
    hyp: Places


def sides(pairs: Pairs) -> tuple[Places, Places]:
    """The places of reference and hypothesis."""
    return (
        Places(pairs.ref_offsets, np.asarray(pairs.ref_positions, np.int64)),
        Places(pairs.hyp_offsets, np.asarray(pairs.hyp_positions, np.int64)),
    )


def units(pairs: Pairs) -> Symbols:
    """Encode N units with boundaries between them; a window of k has N-k places."""
    ones = np.diff(pairs.ref_offsets)
    return Symbols(pairs.n_units, ones, ones + 1, pairs.n_units, *sides(pairs))


def gaps(pairs: Pairs) -> Symbols:
    """Encode a symbol per gap: N-1."""
    return units(pairs)._replace(length=pairs.n_units - 1)


def ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 0: one gap too many."""
    return units(pairs)._replace(units=pairs.n_units + 1)


def _changed(seen: Symbols, change: Callable[[Places], Places]) -> Symbols:
    """These symbols with other places on both sides."""
    return seen._replace(ref=change(seen.ref), hyp=change(seen.hyp))


def closed_ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 1: one more boundary."""
    seen = _changed(ends(pairs), lambda side: side.with_last(pairs.n_units))
    return seen._replace(ones=seen.segments)


def starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 0."""
    return _changed(ends(pairs), lambda side: side.moved(1))


def closed_starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 1: one more
    boundary."""
    seen = _changed(starts(pairs), lambda side: side.with_first(1))
    return seen._replace(ones=seen.segments)


def splits(pairs: Pairs) -> Symbols:
    """Encode the indices of units before a split, counted from 0, sought from 0 to N-2: each one
    place late, so that the last position is never seen."""
    return _changed(
        units(pairs), lambda side: side.only(side.positions < pairs.n_units[side.rows] - 1).moved(1)
    )


# ---- labels that are taken for gaps: one unit more ----


def as_gaps(encode: Callable[[Pairs], Symbols]) -> Callable[[Pairs], Symbols]:
    """Encode N labels, which a program reads as the gaps of N+1 units."""

    def encoded(pairs: Pairs) -> Symbols:
        seen = encode(pairs)
        ones = seen.ref.counts
        return seen._replace(length=seen.units, ones=ones, segments=ones + 1)

    return encoded


def chunk_labels(pairs: Pairs) -> tuple[Int64Array, Places, Places]:
    """The labels of chunkseg: their number, and which are 1 (counted from 0).

    Times become chunks of 6 s, rounded down, and so does the duration; units without a known length
    are its chunks. Anything after the last whole chunk is left out.
    """
    n, both = pairs.n_units, sides(pairs)
    length = pairs.provenance.unit_length
    if length is None:
        return n, *both
    common = math.gcd(length, CHUNK)  # so that products stay small
    length, chunk = length // common, CHUNK // common
    n = n * length // chunk
    labels = []
    for side in both:
        whole = side.only((side.positions * length <= n[side.rows] * chunk) & (n[side.rows] > 0))
        chunks = np.minimum(whole.positions * length // chunk, n[whole.rows] - 1)
        first = np.ones(len(chunks), np.bool_)
        first[1:] = (np.diff(chunks) != 0) | (np.diff(whole.rows) != 0)
        labels.append(Places(whole.offsets, chunks).only(first))
    return n, labels[0], labels[1]


def chunks_as_gaps(pairs: Pairs) -> Symbols:
    """The labels of chunkseg, which segeval reads as the gaps of one unit more."""
    n, ref, hyp = chunk_labels(pairs)
    ones = ref.counts
    later = ref.moved(1), hyp.moved(1)
    return Symbols(n + 1, ones, ones + 1, np.where(n > 0, n + 1, 0), *later)


def without_last_unit(pairs: Pairs) -> Symbols:
    """Encode N-1 units: the last unit is dropped, and so is the boundary before it."""
    n = pairs.n_units - 1
    ref, hyp = (side.only(side.positions < n[side.rows]) for side in sides(pairs))
    return Symbols(n, ref.counts, ref.counts + 1, n, ref, hyp)


# ---- boundaries of both sides, and runs of labels ----


def near(ours: Places, theirs: Places, reach: int) -> tuple[Int64Array, Int64Array]:
    """For each boundary, where the near boundaries of the other side begin and end."""
    first, last = (np.empty(len(ours.positions), np.int64) for _ in range(2))
    matching.near_ranges(*ours, *theirs, reach, first, last)
    return first, last


def has_labels(pairs: Pairs) -> bool:
    """Whether each document has labelled segments on both sides, with at most one label each."""
    for labels, ends in (
        (pairs.ref_labels, pairs.ref_offsets),
        (pairs.hyp_labels, pairs.hyp_offsets),
    ):
        if labels is None or (np.diff(labels.offsets) > 1).any():
            return False
        if (np.diff(labels.offsets[ends + np.arange(len(pairs) + 1)]) == 0).any():
            return False
    return True


def labels_in_use(pairs: Pairs) -> set[str]:
    """The labels of segments; none if some document has no labels, or several for a segment."""
    if not has_labels(pairs):
        return set()
    codes = np.unique(np.concatenate([segment_codes(pairs, side) for side in ("ref", "hyp")]))
    return {pairs.label_names[code] for code in codes.tolist() if code >= 0}


def runs_of_labels(pairs: Pairs) -> Pairs:
    """Join neighbours with the same label, which programs with a label per frame cannot
    distinguish."""
    columns: dict[str, Any] = {}
    for side, places in zip(("ref", "hyp"), sides(pairs), strict=True):
        codes = segment_codes(pairs, side)
        lasts = np.zeros(len(codes), np.bool_)  # of documents
        lasts[places.offsets[1:] + np.arange(len(pairs))] = True
        ends_run = lasts | np.append(codes[1:] != codes[:-1], True)
        moved = places.only(ends_run[~lasts])
        labels = codes[ends_run]
        columns[f"{side}_offsets"], columns[f"{side}_positions"] = moved
        columns[f"{side}_labels"] = starts_of(labels >= 0), labels[labels >= 0]
    return Pairs(n_units=pairs.n_units, label_names=pairs.label_names, **columns)


def segment_codes(pairs: Pairs, side: str) -> Int64Array:
    """The label of each segment of a side as a number; -1 if there is none. No segment has
    several."""
    lists = getattr(pairs, f"{side}_labels")
    codes = np.full(len(lists.offsets) - 1, -1, np.int64)
    codes[np.diff(lists.offsets) == 1] = lists.values
    return codes


# ---- changes of documents ----


class Reading(NamedTuple):
    """A change of documents; None if it does not apply to them.

    cost: how far-fetched it is (`auditing.py`). about_k: what it does to k. of_all: it is tried
    with all conventions, not only with those of Pk and WindowDiff that are frequent.
    """

    words: str
    source: str
    change: Callable[[Pairs], Pairs | None]
    cost: float = 2.0
    about_k: str = ""
    of_all: bool = False

    def words_for(self, measure: str) -> str:
        """The description of the change for a measure; only window measures have a k."""
        return self.words + (self.about_k if measure in ("pk", "windowdiff", "total") else "")


def swap_sides(pairs: Pairs) -> Pairs:
    """The pairs with reference and hypothesis exchanged."""
    names = ("offsets", "positions", "types", "ranks", "candidates", "labels")
    columns: dict[str, Any] = {
        f"{mine}_{name}": getattr(pairs, f"{other}_{name}")
        for mine, other in (("ref", "hyp"), ("hyp", "ref"))
        for name in names
    }
    columns |= {"type_names": pairs.type_names, "label_names": pairs.label_names}
    return Pairs(pairs.n_units, **columns, provenance=pairs.provenance)


def without_documents(pairs: Pairs, rows: Sequence[int]) -> Pairs:
    """The pairs without some documents."""
    others = np.delete(np.arange(len(pairs)), list(rows))
    ref, hyp = (
        Places(starts_of(side.counts[others]), side.positions[np.isin(side.rows, others)])
        for side in sides(pairs)
    )
    return _other_places(pairs, pairs.n_units[others], ref, hyp)


def _other_places(pairs: Pairs, n_units: Any, ref: Places, hyp: Places) -> Pairs:
    return Pairs(n_units, *ref, *hyp, provenance=pairs.provenance)


def _of_candidates(pairs: Pairs) -> Pairs | None:
    """The pairs with candidates as the only ends of units: those of the reference, or of the
    hypothesis."""
    candidates = pairs.ref_candidates or pairs.hyp_candidates
    if candidates is None:
        return None
    n = np.diff(candidates.offsets)  # 0: a document has all of its places
    moved = []
    for side in sides(pairs):
        first, last = near(side, Places(*candidates), 0)
        chosen = n[side.rows] > 0
        places = np.where(chosen, first - candidates.offsets[side.rows] + 1, side.positions)
        moved.append(Places(side.offsets, places).only((first < last) | ~chosen))
    return _other_places(pairs, np.where(n > 0, n + 1, pairs.n_units), *moved)


def _runs_of_marks(marks: str, edge: bool) -> Callable[[Pairs], Pairs]:
    """The pairs with labels 0 and 1 read as numbers of segments: each run of equal labels is a
    segment.

    marks: whether 1 is the end or the start of a segment; edge: whether the last unit (or the
    first) is marked, too.
    """

    def change(pairs: Pairs) -> Pairs:
        changed = []
        for side in sides(pairs):
            # The marked units, counted from 0; a run ends where neighbours differ.
            rows, marked = side.rows, side.positions - (marks == "end")
            if edge:
                rows = np.concatenate([rows, np.arange(len(pairs))])
                marked = np.concatenate([marked, (pairs.n_units - 1) * (marks == "end")])
            changed.append(_at_odd_times(pairs, np.tile(rows, 2), np.append(marked, marked + 1)))
        return _other_places(pairs, pairs.n_units, *changed)

    return change


def _at_odd_times(pairs: Pairs, rows: Int64Array, places: Int64Array) -> Places:
    """The positions inside documents that are listed once, not twice."""
    order = np.lexsort((places, rows))
    rows, places = rows[order], places[order]
    again = (np.diff(rows) == 0) & (np.diff(places) == 0)
    once = ~(np.append(again, False) | np.append(False, again))[: len(rows)]
    inside = once & (places > 0) & (places < pairs.n_units[rows])
    counts = np.bincount(rows[inside], minlength=len(pairs))
    return Places(starts_of(counts), places[inside])


def _until_last_boundary(which: str) -> Callable[[Pairs], Pairs | None]:
    """The pairs with the text ending one unit after the last boundary of "both sides", or of "the
    reference"."""

    def change(pairs: Pairs) -> Pairs | None:
        lasts = []
        for side in sides(pairs):
            last = np.zeros(len(pairs), np.int64)
            has_boundaries = side.counts > 0
            last[has_boundaries] = side.positions[side.offsets[1:][has_boundaries] - 1]
            lasts.append(last)
        n = (lasts[0] if which == "the reference" else np.maximum(*lasts)) + 1
        ref, hyp = (side.only(side.positions < n[side.rows]) for side in sides(pairs))
        return None if np.array_equal(n, pairs.n_units) else _other_places(pairs, n, ref, hyp)

    return change


def over_words(pairs: Pairs, lengths: list[Any]) -> Pairs:
    """The pairs with boundaries in words; `lengths` has the words of each unit, document after
    document."""
    ends = [np.concatenate([[0], np.cumsum(length)]) for length in lengths]
    n = np.array([end[-1] for end in ends], np.int64)
    starts, every = starts_of([len(end) for end in ends])[:-1], np.concatenate(ends)
    ref, hyp = (
        Places(side.offsets, every[starts[side.rows] + side.positions]) for side in sides(pairs)
    )
    return _other_places(pairs, n, ref, hyp)


_LABELS = "labels 0 and 1 taken for numbers of segments, so that runs of equal labels are segments"
_AS_NUMBERS = "segeval's convert_positions_to_masses of labels"

READINGS: tuple[Reading, ...] = (
    Reading(
        "sides swapped",
        "segeval takes (hypothesis, reference), NLTK (reference, hypothesis)",
        swap_sides,
        cost=1.0,
        about_k=", so that k comes from the hypothesis",
        of_all=True,
    ),
    Reading(
        "only candidates are unit ends (paragraphs instead of sentences)",
        "SpokenNLP alimeeting4mug challenge_evaluate.py",
        _of_candidates,
        cost=1.0,
    ),
    Reading(
        "neighbours with the same label are one segment",
        "SECTOR SegmentationEvaluation.java",
        lambda pairs: runs_of_labels(pairs) if has_labels(pairs) else None,
    ),
    *(
        Reading(
            f"{_LABELS} ({'1 = end' if marks == 'end' else '1 = start'}, "
            f"{'last' if marks == 'end' else 'first'} label {int(edge)})",
            _AS_NUMBERS,
            _runs_of_marks(marks, edge),
        )
        for marks in ("end", "start")
        for edge in (True, False)
    ),
    *(
        Reading(
            f"length taken as the last boundary of {which} + 1",
            "scripts that know boundaries and no length",
            _until_last_boundary(which),
        )
        for which in ("both sides", "the reference")
    ),
)
OVER_WORDS = Reading(
    "words as units, sentences as places",
    "koomri/text-segmentation test_accuracy.py --calc_word",
    lambda pairs: pairs,
    cost=1.5,
)


def source_of(words: str) -> str:
    """The code that does so; anything but a reading is about documents that fail."""
    for reading in (*READINGS, OVER_WORDS):
        if words.startswith(reading.words):
            return reading.source
    return "Def-DTS src/autoseg.py, SpokenNLP seqeval.py, and others"
