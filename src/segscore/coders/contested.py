"""Where coders disagree most, and what each of them marks, with the text around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from segscore.basics.arguments import whole_number
from segscore.coders.support import support
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.tables import Column, Table, Tabular
from segscore.tables.view import Drawing

MARK, NO_MARK = "█", "·"
_LONGEST = 60  # characters of text beside a boundary


class ContestedPlace(NamedTuple):
    """A position, how many coders mark it, and the units before and after it (None: no text)."""

    document: str
    position: int
    n_marks: int
    n_coders: int
    before: str | None
    after: str | None

    @property
    def share(self) -> float:
        """The share of coders who mark it."""
        return self.n_marks / self.n_coders

    @property
    def imbalance(self) -> float:
        """0 for a split in half, up to 1; the same for 1 and for 2 of 3."""
        return abs(2 * self.n_marks - self.n_coders) / self.n_coders


class ContestedPlaces(Tabular, list[ContestedPlace]):
    """Places, the most contested first; prints as a table."""

    def to_table(self) -> Table:
        """A row per place."""
        columns = [
            Column("document"),
            Column("position"),
            Column("coders", key="n_marks"),
            Column("of", key="n_coders"),
            Column("share", digits=3, share=True),
            Column("before", drop_order=1),
            Column("after", drop_order=2),
        ]
        rows = [{**one._asdict(), "share": one.share} for one in self]
        for row in rows:
            row["before"], row["after"] = _end(row["before"]), _start(row["after"])
        words = "the places where the share of coders with a boundary is closest to a half"
        return Table(columns, rows, [words], "Most contested places")


def contested(corpus: Corpus | Document, n: int = 20, within: int = 0) -> ContestedPlaces:
    """The n positions on which coders are divided most: nearest to one half; of those that are
    equally near, the ones that more coders could mark, then the first.

    Positions that nobody or everybody marks are not contested. With `within`, a boundary so near
    counts as marked.

    n: number of places.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> people = {"a": cut([2, 4]), "b": cut([2, 2, 2]), "c": cut([1, 1, 4]), "d": cut([2, 2, 2])}
    >>> [(one.position, one.n_marks) for one in contested(ss.Corpus.from_dict({"d": people}))]
    [(4, 2), (1, 1)]
    """
    documents = [corpus] if isinstance(corpus, Document) else list(corpus.values())
    places = []
    for document in documents:
        if len(document) < 2:
            continue
        found = support(document, within)
        for position, count in zip(found.positions.tolist(), found.counts.tolist(), strict=True):
            if count < found.n_coders:
                text = document.units
                before, after = (text[position - 1], text[position]) if text else (None, None)
                places.append(
                    ContestedPlace(document.name, position, count, found.n_coders, before, after)
                )
    places.sort(key=lambda one: (one.imbalance, -one.n_coders))  # stable: the first stays first
    return ContestedPlaces(places[: whole_number(n, "n", 1)])


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
            marks = [unit in positions for positions in marked]
            drawn = Drawing("".join(MARK if mark else NO_MARK for mark in marks))
            last = unit == self.document.n_units
            people.append([
                unit, _start(words), None if last else drawn, None if last else sum(marks)
            ])  # fmt: skip
            machines.append([unit, words, *([None] * len(marks) if last else marks)])
        known = self.document.units is not None
        columns = [
            Column("unit"),
            Column("text", audience="all" if known else "machines"),
            Column("after it", key="marks"),
            Column("coders"),
        ]
        fields = [Column("unit"), Column("text")]
        fields += [Column(coder, key=f"coder {coder}") for coder in self.coders]
        words_below = (
            f"{MARK} a boundary after the unit, {NO_MARK} none; from left to right: "
            + ", ".join(self.coders)
        )
        title = f"Boundaries of {self.document.name}"
        return Table(
            columns, people, [words_below], title, for_machines=Table(fields, machines)
        )  # fmt: skip


def side_by_side(document: Document) -> SideBySide:
    """Everyone's boundaries in a document beside its text.

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


def _start(text: str | None) -> str | None:
    if text is None:
        return None
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _end(text: str | None) -> str | None:
    if text is None:
        return None
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else "…" + words[-_LONGEST + 1 :]
