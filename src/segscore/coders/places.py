"""Places: where coders see the same boundary, though perhaps not at the same unit; and which places
are contested.

A place is a run of marked positions, each at most `within` after the one before it. A run in which
a coder has two marks is cut at its widest gap (the leftmost of equals), and so are its parts, until
no coder has two marks in the same part: nobody votes twice. The positions of a place are its
alternatives. Each marked position belongs to one place. A place is unanimous if all coders mark the
same position, and contested if they do not.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, whole_number
from segscore.coders.coder_pairs import people_of
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.tables import Column, Table, Tabular

USUAL_NUMBER = 20  # of contested places
WITHIN = 1  # positions from one mark of a place to the next
_LONGEST = 60  # characters of text beside a boundary


class Alternative(NamedTuple):
    """A position of a place, and the coders who mark it."""

    position: int
    coders: tuple[str, ...]


class Place(NamedTuple):
    """A place: its alternatives in the order of the text, the number of people who coded the
    document, and the units before and after its `position` (None: no text)."""

    document: str
    alternatives: tuple[Alternative, ...]
    n_coders: int
    before: str | None = None
    after: str | None = None

    @property
    def position(self) -> int:
        """The alternative that most coders mark; the first of equals."""
        return max(self.alternatives, key=lambda alternative: len(alternative.coders)).position

    @property
    def first(self) -> int:
        """The first position of the place."""
        return self.alternatives[0].position

    @property
    def last(self) -> int:
        """The last position of the place."""
        return self.alternatives[-1].position

    @property
    def coders(self) -> tuple[str, ...]:
        """The coders who mark a position of the place."""
        return tuple(name for alternative in self.alternatives for name in alternative.coders)

    @property
    def n_marks(self) -> int:
        """The number of coders who mark a position of the place."""
        return sum([len(alternative.coders) for alternative in self.alternatives])

    @property
    def share(self) -> float:
        """The share of coders who mark a position of the place."""
        return self.n_marks / self.n_coders

    @property
    def unanimous(self) -> bool:
        """Whether all coders mark the same position."""
        return len(self.alternatives) == 1 and self.n_marks == self.n_coders

    @property
    def alone(self) -> bool:
        """Whether only one of at least three coders marks the place. (One of two is an even
        split.)"""
        return self.n_marks == 1 and self.n_coders > 2

    @property
    def concord(self) -> float:
        """The probability that two coders, drawn at random with replacement, give the same answer;
        marking nothing is an answer, too. A half for an even split, less for a split in three."""
        votes = [len(alternative.coders) for alternative in self.alternatives]
        votes.append(self.n_coders - sum(votes))
        return sum(vote * vote for vote in votes) / self.n_coders**2  # equal ratios, equal floats

    @property
    def marks(self) -> str:
        """Each alternative and the coders who mark it, in words.

        >>> Place("d", (Alternative(4, ("ann", "bob")), Alternative(5, ("cyd",))), 6).marks
        '4: ann, bob; 5: cyd'
        """
        return "; ".join(
            f"{alternative.position}: {', '.join(alternative.coders)}"
            for alternative in self.alternatives
        )

    @property
    def where(self) -> str:
        """The position of the place, or its first and last position: "4" or "4–5"."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


def places_of(document: Document, within: int = WITHIN) -> list[Place]:
    """The places of a document in the order of the text, including unanimous places.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> people = {"ann": cut([2, 4, 4]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4])}
    >>> for place in places_of(ss.Corpus.from_dict({"d": people})["d"]):
    ...     print(place.where, "|", place.marks, "|", place.n_marks, "of", place.n_coders)
    2–3 | 2: ann; 3: bob | 2 of 3
    6 | 6: ann, bob, cyd | 3 of 3
    """
    within = whole_number(within, "within", 0)
    positions, coders, clash = _marked(document)
    gaps = np.diff(positions)
    ends = [*(np.flatnonzero(gaps > within) + 1).tolist(), len(positions)] if coders else []
    marked = [
        Alternative(position, tuple(names))
        for position, names in zip(positions.tolist(), coders, strict=True)
    ]
    n_coders, units, first_clash = len(document), document.units, clash.tolist()
    found, start = [], 0
    for end in ends:
        whole = first_clash[start] >= end  # as most are
        for low, high in [(start, end)] if whole else _cut(start, end, gaps, clash):
            place = Place(document.name, tuple(marked[low:high]), n_coders)
            found.append(_with_text(place, units))
        start = end
    return found


def _with_text(place: Place, units: Sequence[str] | None) -> Place:
    if units is None:
        return place
    return place._replace(before=units[place.position - 1], after=units[place.position])


def _marked(codings: Mapping[str, Segmentation]) -> tuple[Int64Array, list[list[str]], Int64Array]:
    """The marked positions, the coders who mark each, and for each position the number of the first
    position at which a coder has marked twice, counting from it."""
    marks = [coding.boundaries for coding in codings.values()]
    positions = np.unique(np.concatenate(marks)) if marks else np.zeros(0, np.int64)
    coders: list[list[str]] = [[] for _ in range(len(positions))]
    clash = np.full(len(positions), len(positions), np.int64)
    for name, mark in zip(codings, marks, strict=True):
        numbers = np.searchsorted(positions, mark)
        for number in numbers.tolist():
            coders[number].append(name)
        clash[numbers[:-1]] = np.minimum(clash[numbers[:-1]], numbers[1:])
    return positions, coders, np.minimum.accumulate(clash[::-1])[::-1]


def _cut(start: int, end: int, gaps: Int64Array, clash: Int64Array) -> list[tuple[int, int]]:
    """Divide the positions with these numbers (end excluded) into parts in which nobody marks
    twice.

    Left of the leftmost widest gap there are only smaller gaps, so a single pass from left to right
    sees all gaps of a width.
    """
    done, waiting = [], [(start, end)]
    while waiting:
        start, end = waiting.pop()
        if clash[start] >= end:
            done.append((start, end))
            continue
        inside = gaps[start : end - 1]
        for cut in (np.flatnonzero(inside == inside.max()) + start + 1).tolist():
            if clash[start] >= end:
                break
            waiting.append((start, cut))
            start = cut
        waiting.append((start, end))
    return sorted(done)


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
        columns = [
            Column("document"),
            Column("place", audience="people"),
            Column("position", audience="machines"),
            Column("first", audience="machines"),
            Column("last", audience="machines"),
            Column("who marks it", key="marks"),
            Column("coders", key="n_marks"),
            Column("of", key="n_coders"),
            Column("share", digits=3, share=True, audience="machines"),
            Column("before", drop_order=1),
            Column("after", drop_order=2),
        ]
        rows = [
            {
                "document": place.document, "place": place.where, "position": place.position,
                "first": place.first, "last": place.last, "marks": place.marks,
                "n_marks": place.n_marks, "n_coders": place.n_coders, "share": place.share,
                "before": shortened(place.before, end=True), "after": shortened(place.after),
            }
            for place in self
        ]  # fmt: skip
        return Table(columns, rows, list(self.words()), "Most contested places")

    def words(self) -> Sequence[str]:
        """The number of places, their order, and who marks places alone, in words."""
        incomplete = len(self) < self.n_all
        number = f"{len(self)} of {self.n_all}" if incomplete else f"{self.n_all}"
        sentences = [f"{number} contested places; those that divide coders most come first"]
        if self.n_alone:
            by_coder = ", ".join(f"{name} {number}" for name, number in self.alone.items())
            which = (
                f"{self.n_alone} of {'all' if incomplete else 'them'}, listed last, are marked by "
                "one coder alone"
            )
            sentences.append(f"{which}: {by_coder}" if by_coder else which)
        if any(place.before is not None and len(place.alternatives) > 1 for place in self):
            sentences.append(
                "before, after: the text at the unit that most coders mark, or the first of equals"
            )
        return sentences


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
    places = [
        place
        for document in people_of(corpus).values()
        if len(document) > 1
        for place in places_of(document, within)
        if not place.unanimous
    ]
    # stable: the first stays first
    places.sort(key=lambda place: (place.alone, place.concord, -place.n_coders))
    found = ContestedPlaces(places if n is None else places[: whole_number(n, "n", 1)])
    found.n_all = len(places)
    found.n_alone = sum(place.alone for place in places)
    found.within = within
    if isinstance(corpus, Document) or corpus.coder_scope == "global" or len(corpus) < 2:
        found.alone = dict(
            Counter(place.coders[0] for place in places if place.alone).most_common()
        )
    return found


def shortened(text: str | None, *, end: bool = False) -> str | None:
    """The start of a text, or its end, in one line."""
    if text is None:
        return None
    words = " ".join(text.split())
    if len(words) <= _LONGEST:
        return words
    return "…" + words[-_LONGEST + 1 :] if end else words[: _LONGEST - 1] + "…"
