"""Places: where coders see the same boundary, though perhaps not at the same unit; and which places
are contested.

A place is a run of marked positions, each at most `within` after the one before it. A run in which
a coder has two marks is cut at its widest gap (the leftmost of equals), and so are its parts, until
no coder has two marks in the same part: nobody votes twice. The positions of a place are its
alternatives. Each marked position belongs to one place. A place is unanimous if all coders mark the
same position, and contested if they do not.

Besides: everyone's boundaries in one document side by side, and boundaries that match, near misses
and full misses of all pairs of coders, as Fournier & Inkpen (2012), fig. 10, count them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, whole_number
from segscore.coders.coder_pairs import CodedBy, CoderPairs, people_of
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics.edit_distance import boundary_edits
from segscore.tables import Column, Table, Tabular
from segscore.tables.view import Cell

USUAL_NUMBER = 20  # of contested places
WITHIN = 1  # positions from one mark of a place to the next
_LONGEST = 60  # characters of text beside a boundary


class Place(NamedTuple):
    """A place: its alternatives in the order of the text, each a position and the coders who mark
    it, the number of people who coded the document, and the units before and after its `position`
    (None: no text)."""

    document: str
    alternatives: tuple[tuple[int, tuple[str, ...]], ...]
    n_coders: int
    before: str | None = None
    after: str | None = None

    @property
    def position(self) -> int:
        """The alternative that most coders mark; the first of equals."""
        return max(self.alternatives, key=lambda alternative: len(alternative[1]))[0]

    @property
    def first(self) -> int:
        """The first position of the place."""
        return self.alternatives[0][0]

    @property
    def last(self) -> int:
        """The last position of the place."""
        return self.alternatives[-1][0]

    @property
    def coders(self) -> tuple[str, ...]:
        """The coders who mark a position of the place."""
        return tuple(name for _, coders in self.alternatives for name in coders)

    @property
    def n_marks(self) -> int:
        """The number of coders who mark a position of the place."""
        return sum([len(coders) for _, coders in self.alternatives])

    @property
    def share(self) -> float:
        """The share of coders who mark a position of the place."""
        return self.n_marks / self.n_coders

    @property
    def alone(self) -> bool:
        """Whether only one of at least three coders marks the place. (One of two is an even
        split.)"""
        return self.n_marks == 1 and self.n_coders > 2

    @property
    def concord(self) -> float:
        """The probability that two coders, drawn at random with replacement, give the same answer;
        marking nothing is an answer, too. A half for an even split, less for a split in three."""
        votes = [len(coders) for _, coders in self.alternatives]
        votes.append(self.n_coders - sum(votes))
        return sum(vote * vote for vote in votes) / self.n_coders**2  # equal ratios, equal floats

    @property
    def marks(self) -> str:
        """Each alternative and the coders who mark it, in words.

        >>> Place("d", ((4, ("ann", "bob")), (5, ("cyd",))), 6).marks
        '4: ann, bob; 5: cyd'
        """
        return "; ".join(f"{at}: {', '.join(coders)}" for at, coders in self.alternatives)

    @property
    def where(self) -> str:
        """The position of the place, or its first and last position: "4" or "4–5"."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


def places_by_document(corpus: Corpus, within: int = WITHIN) -> dict[str, list[Place]]:
    """The places of each document in the order of the text, including unanimous places.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> people = {"ann": cut([2, 4, 4]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4])}
    >>> for place in places_by_document(ss.Corpus.from_dict({"d": people}))["d"]:
    ...     print(place.where, "|", place.marks, "|", place.n_marks, "of", place.n_coders)
    2–3 | 2: ann; 3: bob | 2 of 3
    6 | 6: ann, bob, cyd | 3 of 3
    """
    table = _PlaceTable(corpus, within)
    found: dict[str, list[Place]] = {name: [] for name in corpus}
    for number in range(len(table.first)):
        place = table.place(number)
        found[place.document].append(place)
    return found


class _PlaceTable:
    """The places of a corpus in columns: each marked position of a document, and the votes for it;
    the `first` position of each place and the `end` behind its last one, by their numbers."""

    def __init__(self, corpus: Corpus, within: int) -> None:
        within = whole_number(within, "within", 0)
        self.codings = corpus.columns
        n_marks = np.diff(self.codings.offsets)
        coding = np.repeat(np.arange(len(n_marks)), n_marks)
        owner, positions = self.codings.document_of_rows[coding], self.codings.positions
        width = int(positions.max(initial=0)) + within + 1  # documents are further apart
        keys, number = np.unique(owner * width + positions, return_inverse=True)
        self.positions, self.votes = keys % width, np.bincount(number, minlength=len(keys))
        self.marked_by = coding[np.argsort(number, kind="stable")]  # position by position
        self.start = np.cumsum(self.votes) - self.votes
        gaps = np.diff(keys, append=width * len(self.codings.documents))
        # the first position at which a coder has marked twice, counting from each position
        clash = np.full(len(keys), len(keys), np.int64)
        again = np.flatnonzero(coding[1:] == coding[:-1])
        np.minimum.at(clash, number[again], number[again + 1])
        clash = np.minimum.accumulate(clash[::-1])[::-1]
        ends = np.flatnonzero(gaps > within) + 1
        starts = np.append(0, ends)[:-1]
        twice = (clash[starts] < ends).nonzero()[0].tolist()
        listed = gaps.tolist(), clash.tolist()
        inner = [_cuts(int(starts[run]), int(ends[run]), *listed) for run in twice]
        self.first = np.sort(np.concatenate([starts, *inner]).astype(np.int64))
        self.end = np.append(self.first, len(keys))[1:]
        self.document = keys[self.first] // width
        sizes = np.bincount(self.codings.document_of_rows, minlength=len(self.codings.documents))
        self.n_coders = sizes[self.document]

    def contested(self) -> tuple[Int64Array, NDArray[np.bool_]]:
        """The contested places, those that divide coders most first; which of them only one of
        several coders marks."""
        n, marks = self.n_coders, np.add.reduceat(self.votes, self.first)
        squares = np.add.reduceat(self.votes**2, self.first)
        concord = (squares + (n - marks) ** 2) / n**2
        alone = (marks == 1) & (n > 2)
        divided = np.flatnonzero((n > 1) & ((self.end - self.first > 1) | (marks < n)))
        # stable: the first stays first
        order = divided[np.lexsort((-n[divided], concord[divided], alone[divided]))]
        return order, alone[order]

    def coders_at(self, position: int) -> tuple[str, ...]:
        """The coders who mark a position, by its number."""
        rows = self.marked_by[self.start[position] :][: self.votes[position]]
        return tuple(self.codings.coders[code] for code in self.codings.codes[rows].tolist())

    def place(self, number: int) -> Place:
        """A place with its text."""
        numbers = range(self.first[number], self.end[number])
        alternatives = tuple((int(self.positions[i]), self.coders_at(i)) for i in numbers)
        name = self.codings.documents[self.document[number]]
        place = Place(name, alternatives, int(self.n_coders[number]))
        units = self.codings.texts.get(name)
        if units is None:
            return place
        return place._replace(before=units[place.position - 1], after=units[place.position])


def _cuts(start: int, end: int, gaps: list[int], clash: list[int]) -> list[int]:
    """Where the positions with these numbers (end excluded) are cut, so that nobody marks twice in
    a part.

    Left of the leftmost widest gap there are only smaller gaps, so a single pass from left to right
    sees all gaps of a width.
    """
    found, waiting = [], [(start, end)]
    while waiting:
        start, end = waiting.pop()
        if clash[start] >= end:
            continue
        inside = gaps[start : end - 1]
        widest = max(inside)
        for cut in [cut for cut, gap in enumerate(inside, start + 1) if gap == widest]:
            if clash[start] >= end:
                break
            found.append(cut)
            waiting.append((start, cut))
            start = cut
        waiting.append((start, end))
    return found


# ---- contested places ----


class ContestedPlaces(Tabular, list[Place]):
    """Places, the most contested first, those that only one of several coders marks last; prints as
    a table. `n_all` places are contested; only one of several coders marks `n_alone` of them, and
    `alone` counts these by coder, if names mean the same person in all documents. Marks of one
    place are at most `within` apart."""

    n_all: int = 0
    n_alone: int = 0
    within: int = WITHIN
    alone: Mapping[str, int] = MappingProxyType({})

    def to_table(self) -> Table:
        """A row per place."""
        shown: list[str | Column] = [
            "document",
            Column("place", of="where", audience="people"),
            "position! first! last! who_marks_it=marks coders=n_marks of=n_coders share:3%!",
            text_columns(self),
        ]
        texts = zip(self, map(text_beside, self), strict=True)
        rows = [place._replace(before=text[0], after=text[1]) for place, text in texts]
        incomplete = len(self) < self.n_all
        number = f"{len(self)} of {self.n_all}" if incomplete else f"{self.n_all}"
        notes = [f"{number} contested places; those that divide coders most come first"]
        if self.n_alone:
            which = f"{self.n_alone} of {'all' if incomplete else 'them'}, listed last"
            by_coder = ", ".join(f"{name} {number}" for name, number in self.alone.items())
            by_coder = by_coder and f": {by_coder}"
            notes.append(f"{which}, are marked by one coder alone{by_coder}")
        if any(place.before is not None and len(place.alternatives) > 1 for place in self):
            notes.append(
                "before, after: the text at the unit that most coders mark, or the first of equals"
            )
        return Table.of(rows, shown, notes, "Most contested places")


def contested(
    corpus: Corpus | Document, n: int | None = USUAL_NUMBER, within: int = WITHIN
) -> ContestedPlaces:
    """List the n places on which coders are divided most. Places that only one of three or more
    coders marks come last.

    A place is a run of marked positions at most `within` apart in which nobody marks twice. If half
    of the coders mark a boundary a unit later than the others, that is one place with two
    alternatives. Unanimous places, where all coders mark the same position, are not contested.
    Coders are divided most where two of them, drawn at random, give the same answer least often.
    Among equally divided places, those in documents with more coders come first, then those earlier
    in the text.

    n: number of places; None: all of them.
    within: how far apart neighbouring positions of one place may be, in units.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> people = {"a": cut([2, 4, 4]), "b": cut([3, 3, 4]), "c": cut([6, 4])}
    >>> people["d"] = cut([2, 4, 2, 2])
    >>> for place in ss.coders.contested(ss.Corpus.from_dict({"x": people})):
    ...     print(place.marks)
    2: a, d; 3: b
    8: d
    """
    table = _PlaceTable(people_of(corpus), within)
    order, alone = table.contested()
    chosen = order if n is None else order[: whole_number(n, "n", 1)]
    found = ContestedPlaces(map(table.place, chosen.tolist()))
    found.n_all, found.n_alone, found.within = len(order), int(alone.sum()), within
    if isinstance(corpus, Document) or corpus.coder_scope == "global" or len(corpus) < 2:
        rows = table.marked_by[table.start[table.first[order[alone]]]]
        by = Counter(table.codings.codes[rows].tolist()).most_common()
        found.alone = {table.codings.coders[code]: number for code, number in by}
    return found


def text_columns(places: Iterable[Any]) -> str:
    """The columns of the text beside places; people see them if there is a text."""
    known = any(place.before is not None for place in places)
    return "before<1 after<2" if known else "before! after!"


def text_beside(place: Any) -> tuple[str | None, str | None]:
    """The end of the text before a place and the start of that after it, each in one line."""
    return shorten_unit(place.before, end=True), shorten_unit(place.after)


def shorten_unit(text: str | None, *, end: bool = False) -> str | None:
    """The start of a text, or its end, in one line."""
    if text is None:
        return None
    words = " ".join(text.split())
    if len(words) <= _LONGEST:
        return words
    return "…" + words[-_LONGEST + 1 :] if end else words[: _LONGEST - 1] + "…"


# ---- everyone side by side ----

MARK, NO_MARK = "█", "·"


def side_by_side(document: Document) -> Table:
    """Show everyone's boundaries in a document beside its text, unit by unit.

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
    marked = [set(coding.boundaries.tolist()) for coding in document.values()]
    text: Sequence[str | None] = document.units or [None] * document.n_units
    people: list[list[Any]] = []
    machines: list[list[Any]] = []
    for unit, words in enumerate(text, 1):
        marks = [unit in positions for positions in marked]
        drawn = Cell("".join(MARK if mark else NO_MARK for mark in marks), drawing=True)
        people.append([unit, shorten_unit(words), drawn, sum(marks)])
        machines.append([unit, words, *marks])
    people[-1][2:], machines[-1][2:] = [None, None], [None] * len(marked)  # it ends there anyway
    shown = f"unit text{'!' * (document.units is None)} after_it=marks coders"
    fields: list[str | Column] = [
        "unit text",
        *(Column(one, key=f"coder {one}") for one in document),
    ]
    below = f"{MARK} a boundary after the unit, {NO_MARK} none; from left to right: "
    below += ", ".join(document)
    title = f"Boundaries of {document.name}"
    return Table.of(people, shown, [below], title, for_machines=Table.of(machines, fields))


# ---- matches and misses ----


def edit_totals(corpus: CodedBy, n_t: int = 2) -> Table:
    """Count matches, near misses and full misses over all pairs of coders, in each document and in
    all.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": cut([2, 3, 6]), "bob": cut([2, 2, 7])}})
    >>> whole = edit_totals(corpus).records()[-1]
    >>> whole["matches"], whole["near_misses"], whole["full_misses"]
    (1, 1, 0)
    """
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("counting edits")
    counts = np.zeros((len(pairs.documents), 5), np.int64)
    codings = [pairs.table.segmentation(row) for row in range(len(pairs.table))]
    for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        edits = boundary_edits(codings[left], codings[right], n_t=n_t)
        found = edits.matches, edits.transpositions, edits.additions, edits.substitutions
        counts[pairs.document[left]] += (1, *map(len, found))
    by_document = zip(pairs.documents, counts.tolist(), strict=True)
    rows = [*([name, *row] for name, row in by_document), ["all", *counts.sum(axis=0).tolist()]]
    shown = "document pairs matches near_misses full_misses substitutions"
    words = (
        f"over pairs of coders; near misses: boundaries less than n_t = {n_t} positions "
        "apart; full misses: boundaries of one coder alone"
    )
    return Table.of(rows, shown, [words], "Matches and misses")
