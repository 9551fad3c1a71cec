"""Support of a boundary: how many coders mark a boundary within w positions; and consensus.

Support: Kazantseva & Szpakowicz (2012), fig. 3, who count *peers*: the coder who marked a boundary
does not count; with w = 0 it is the share of coders per position (Fournier & Inkpen 2012, fig. 11).
Consensus, a segmentation with the boundaries that enough coders mark: Kazantseva & Szpakowicz
(2012), table 2.


Adjudication: the places to decide (`places`), and the rule that decides the clear ones.

A rule decides the clear places: if enough coders mark the same position, it is accepted; if too few
coders mark the place, it is dropped. A person decides all others by choosing a position or dropping
the place, and may also overrule the rule or add a boundary that nobody marked.

Gold keeps the ranks of boundaries if all people of a document gave some: the median rank of the
people who mark the position (the more prominent of two in the middle); a boundary that nobody
marked gets the least prominent rank that anybody used in the document. A person may give a boundary
of gold another rank, which pages call its level. Types of boundaries and labels of
segments are not adjudicated: gold has none, because other segments need other labels.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from segscore.basics import arguments
from segscore.basics.arguments import Floats, Int64Array, shown, whole_number
from segscore.coders.coder_pairs import as_corpus, consensus_in, consensus_note, people_in
from segscore.coders.habits import quartiles
from segscore.coders.places import WITHIN, Place, places_by_document
from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, Corpus, Document
from segscore.errors import SegmentationError, named
from segscore.pairing.rules import AtLeast, agreed_codings, merged_boundaries, votes_needed
from segscore.tables import Table, Tabular
from segscore.tables.markup import drawn_strip
from segscore.tables.tabular import picture
from segscore.tables.view import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_WIDTH = 60  # blocks of a line
SHADES = " ░▒▓█"  # share of coders: none, up to a quarter, half, three quarters, all
_MOST_POSITIONS = 10_000_000


@dataclass(frozen=True, repr=False)
class Support(Tabular):
    """The positions that any coder marked, and how many coders have a boundary near each of them.

    With `peers`, `counts` and `shares` leave out the coder who marked the position: of n coders, n
    - 1 are the peers of each. `n_marks` counts how many coders marked exactly that position,
    `nobody` which codings of the kind `consensus` were left out.
    """

    positions: Int64Array
    counts: Int64Array
    n_coders: int
    n_units: int
    within: int
    peers: bool = False
    n_marks: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    nobody: tuple[str, ...] = ()

    @property
    def shares(self) -> Floats:
        """The share of coders, or of peers, for each position."""
        return self.counts / (self.n_coders - self.peers)

    @property
    def of_boundaries(self) -> Floats:
        """The share for each boundary of each coder; a position marked by m coders occurs m
        times."""
        return np.repeat(self.shares, self.n_marks)

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """The quartiles of the share over marked positions, each position once, as in fig. 3 of the
        paper; NaN if there are none. `of_boundaries` counts a position once for each coder."""
        return quartiles(self.shares)

    def per_position(self) -> Floats:
        """The share of coders at each potential boundary 1 … N-1, 0 where no coder marked a
        boundary."""
        if self.n_units > _MOST_POSITIONS:
            raise SegmentationError(
                f"per_position would hold {self.n_units - 1} numbers: expected a document of at "
                f"most {_MOST_POSITIONS} units; `positions` and `shares` hold what is not 0"
            )
        return self.blocks(max(1, self.n_units - 1))

    def blocks(self, most: int) -> Floats:
        """The largest share of coders in each of at most `most` blocks of neighbouring potential
        boundaries. The work depends on the number of boundaries, not on N.

        >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
        >>> support(codings).blocks(3).round(2)
        array([0.  , 0.67, 0.33])
        """
        places = self.n_units - 1
        shares = np.zeros(min(most, places))
        starts = np.arange(len(shares)) * places // max(1, len(shares))
        block = np.searchsorted(starts, self.positions - 1, side="right") - 1
        np.maximum.at(shares, block, self.shares)
        return shares

    def listed(self) -> list[tuple[int, int, float]]:
        """Each marked position, the number of coders who support it, and their share."""
        columns = self.positions.tolist(), self.counts.tolist(), self.shares.tolist()
        return list(zip(*columns, strict=True))

    def to_table(self) -> Table:
        """A row per marked position."""
        supporters = "peers" if self.peers else "coders"
        near = f"a boundary within {self.within} of it" if self.within else "a boundary there"
        words = [
            f"{self.n_units} units, {self.n_coders} coders; {supporters}: how many have {near}",
            *consensus_note(self.nobody),
        ]
        if self.peers:
            first, second, third = self.quartiles
            words.append(
                "the coder who marked a position is not a peer; quartiles of the share over the "
                f"{len(self.positions)} positions: {first:.3f}, {second:.3f}, {third:.3f}"
            )
        shown = f"position {supporters} share:3"
        return Table.of(self.listed(), shown, words, "Support of boundaries")

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the share of coders position by position: `segscore.plot.per_unit`."""
        return picture("per_unit", self, ax=ax)

    def __iter__(self) -> Any:
        return zip(self.positions.tolist(), self.shares.tolist(), strict=True)


def support(
    document: Document | Iterable[Segmentation], within: int = 0, peers: bool = False
) -> Support:
    """The share of coders who have a boundary within `within` positions of each marked position.

    within: how many positions away a boundary still counts.
    peers: if True, the coder who marked a boundary does not count as its own supporter; the share
        is that of the other coders. This needs at least two coders.

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> dict(support(codings, within=0))
    {4: 0.6666666666666666, 5: 0.3333333333333333, 9: 0.3333333333333333}
    >>> dict(support(codings, within=1))
    {4: 1.0, 5: 1.0, 9: 0.3333333333333333}
    >>> by_peers = support(codings, within=1, peers=True)
    >>> dict(by_peers), by_peers.quartiles
    ({4: 1.0, 5: 1.0, 9: 0.0}, (0.5, 1.0, 1.0))
    """
    codings = codings_of(document)
    within = whole_number(within, "within", 0)
    if arguments.truth(peers, "peers") and len(codings) < 2:
        raise SegmentationError("support of peers needs two coders or more, and there is one")
    marks = np.concatenate([coding.boundaries for coding in codings])
    marked, n_marks = np.unique(marks, return_counts=True)
    counts = np.zeros(len(marked), np.int64)
    for coding in codings:
        below = np.searchsorted(coding.boundaries, marked - within, side="left")
        above = np.searchsorted(coding.boundaries, marked + within, side="right")
        counts += above > below
    # whoever marked a position is among those that have a boundary near it
    size, left_out = (len(codings), codings[0].n_units), consensus_in(document)
    return Support(marked, counts - peers, *size, within, peers, n_marks, left_out)


def supports(corpus: Corpus) -> Iterator[tuple[str, Support]]:
    """The support in each document that has codings and a potential boundary."""
    for document in corpus.values():
        if people_in(document) and document.n_units > 1:
            yield document.name, support(document)


def codings_of(document: Any) -> list[Segmentation]:
    """The codings of a document without any consensus, or the codings of a list; raise for anything
    else."""
    given = people_in(document).values() if isinstance(document, Mapping) else document
    codings = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
    odd = next((coding for coding in codings if not isinstance(coding, Segmentation)), None)
    if not codings or odd is not None:
        raise SegmentationError(
            f"document is {shown(document)}: expected a document of a corpus, or Segmentations, "
            "one or more"
        )
    sizes = sorted({coding.n_units for coding in codings})
    if len(sizes) > 1:
        raise SegmentationError(
            f"one coding has {sizes[0]} units, another {sizes[1]}: expected the same number"
        )
    return codings


# ---- consensus ----


@overload
def consensus(document: Corpus, at_least: AtLeast = 0.5, within: int = 0) -> Corpus: ...


@overload
def consensus(
    document: Document | Iterable[Segmentation], at_least: AtLeast = 0.5, within: int = 0
) -> Segmentation: ...


def consensus(
    document: Corpus | Document | Iterable[Segmentation], at_least: AtLeast = 0.5, within: int = 0
) -> Segmentation | Corpus:
    """Build a reference from the boundaries that enough coders marked, for a document or a corpus.

    For a corpus the result is a corpus with a single coder, `consensus`, of the kind `consensus`,
    that keeps the text and the groups of its documents. Coders known to be systems, and an earlier
    consensus, have no vote.

    `at_least` is a share above 0 and up to 1, "majority" (more than half: a tie of 3 to 3 is no
    boundary, whereas with 0.5 it is) or "union" (any coder). With `within`, a boundary at most that
    many positions away counts for a position, one boundary per coder. The best supported position
    comes first, then the position that more coders mark exactly; it uses up each coder's nearest
    boundary. Between equal positions a hash draws the earlier or the later, so that ties have no
    direction; the consensus of a corpus is `unsure` of them (`Annotation`).

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> consensus(codings).boundaries, consensus(codings, "union").boundaries
    (array([4]), array([4, 5, 9]))
    >>> consensus(codings, at_least=1, within=1).boundaries
    array([4])
    """
    within = whole_number(within, "within", 0)
    if isinstance(document, Corpus):
        agreed = agreed_codings(document.columns, at_least, within)
        return Corpus.from_columns(agreed, provenance=document.provenance)
    codings = codings_of(document)
    needed = votes_needed(at_least, len(codings))
    if within:
        kept = merged_boundaries(codings, needed, within)[0]
    else:
        found = support(codings)
        kept = found.positions[found.counts >= needed].tolist()
    return Segmentation.from_boundaries(kept, codings[0].n_units)


def boundaries_beside(people: Corpus, agreed: Corpus) -> tuple[int, float]:
    """The number of boundaries in a consensus, and that of people: the median over the people of
    each document, added up. Systems and any other consensus do not count as people.

    >>> cut = Segmentation.from_masses
    >>> people = Corpus.from_dict({"d": {"a": cut([1, 2, 2]), "b": cut([2, 1, 2]), "c": cut([5])}})
    >>> boundaries_beside(people, consensus(people, "majority"))
    (1, 2.0)
    """
    made, median = 0, 0.0
    for name, document in agreed.items():
        kinds = people[name].kinds
        made += sum(len(coding.boundaries) for coding in document.values())
        marked = people[name].items()
        voted = [len(own.boundaries) for by, own in marked if kinds.get(by) in (None, "person")]
        median += float(np.median(voted))
    return made, median


# ---- tables of several documents ----


def support_quartiles_table(documents: Iterable[tuple[str, Support]]) -> Table:
    """How widely coders support the boundaries of each document."""
    rows = [
        [name, found.n_coders, len(found.positions), *found.quartiles] for name, found in documents
    ]
    shown = "document coders positions Q1=q1:3% median:3% Q3=q3:3%"
    words = "share of coders who mark a position, over the positions that anyone marks"
    return Table.of(rows, shown, [words], "Support of boundaries by document")


def shares_table(documents: Iterable[tuple[str, Support]]) -> Table:
    """Where coders mark boundaries: a line of shaded blocks per document.

    A block is one potential boundary or, in longer documents, several; it shows the largest share
    among them.
    """
    rows: list[list[Any]] = []
    numbers: list[list[Any]] = []
    for name, found in documents:
        basis = [name, found.n_units, found.n_coders]
        blocks = shaded(found.blocks(_WIDTH), _WIDTH)
        rows.append([*basis, Cell(f"│{blocks}│", drawing=partial(_strip, found))])
        numbers += [[*basis, *listed] for listed in found.listed()]
    words = (
        "share of coders with a boundary: ░ up to 1/4, ▒ up to 1/2, ▓ up to 3/4, █ more; in HTML, "
        "the height of a mark"
    )
    machines = Table.of(numbers, "document units coders position count share")
    shown, title = "document units coders boundaries", "Where coders see boundaries"
    return Table.of(rows, shown, [words], title, for_machines=machines)


def _strip(found: Support) -> str:
    """Marks as high as the shares, as HTML."""
    marks = [
        (position, f"{position}: {count} of {found.n_coders} coders", share, "currentColor")
        for position, count, share in found.listed()
    ]
    return f'<div style="min-width:20em">{drawn_strip(marks, found.n_units)}</div>'


def shaded(shares: Floats, width: int) -> str:
    """Shares as a line of at most `width` blocks.

    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1]), 60)
    ' ░▒▓█'
    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1, 0]), 3)
    '░▓█'
    """
    if len(shares) > width:
        starts = np.arange(width) * len(shares) // width
        shares = np.maximum.reduceat(shares, starts)
    return "".join(SHADES[int(np.ceil(share * 4))] for share in shares)


GOLD = "gold"  # who decided, if nobody says another name
DROP: Literal["drop"] = "drop"
LEVELS_BY_DEFAULT = (
    "a boundary of gold gets the median level of those who mark it (of two in the middle the more "
    "prominent one); one that nobody marked gets the least prominent level of its document"
)
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say

Choice = int | Literal["drop"]  # a position of the place, or none of them


@dataclass(frozen=True)
class AdjudicationRule:
    """The rule that decides places without a person.

    within: how far apart neighbouring positions of a place may be, in units.
    accept: the share of coders that must mark the same position, more than any other of its place,
        to become gold without a person's decision.
    reject: a place that less than this share of coders mark, at any of its positions, is dropped.

    >>> place = Place("d", ((4, ("ann", "bob")), (5, ("cyd",))), 4)
    >>> AdjudicationRule().ruling(place), AdjudicationRule(accept=0.5).ruling(place)
    (None, 4)
    >>> AdjudicationRule(reject=0.8).ruling(place)
    'drop'
    """

    within: int = WITHIN
    accept: float = 1.0
    reject: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "within", whole_number(self.within, "within", 0))
        for name in ("accept", "reject"):
            object.__setattr__(self, name, arguments.probability(getattr(self, name), name))
        if not self.accept or self.reject > self.accept:
            raise SegmentationError(
                f"accept is {self.accept} and reject {self.reject}: expected shares with accept "
                "above 0 and not below reject, or places would be accepted and dropped at once"
            )

    def __str__(self) -> str:
        accept, reject = (repr(share).removesuffix(".0") for share in (self.accept, self.reject))
        return f"within {self.within}, accept {accept}, reject {reject}"

    def ruling(self, place: Place) -> Choice | None:
        """The rule's decision; None: a person decides."""
        votes = sorted((len(coders) for _, coders in place.alternatives), reverse=True)
        if votes[0] >= votes_needed(self.accept, place.n_coders) and votes[0] not in votes[1:]:
            return place.position
        if place.n_marks < self.reject * place.n_coders - _ROUNDING:
            return DROP
        return None


class AdjudicationCase(NamedTuple):
    """A document to decide: its people, its places, and the rule's decision on each."""

    document: Document
    places: Sequence[Place]
    rulings: Sequence[Choice | None]
    rule: AdjudicationRule

    @property
    def n_open(self) -> int:
        """The number of places that wait for a person."""
        return sum(ruling is None for ruling in self.rulings)


def gold_ranks(document: Document) -> tuple[dict[int, int], int] | None:
    """The ranks of gold boundaries, if all people gave ranks: that of each position that people
    mark, and that of boundaries that nobody marked.

    >>> mark = Segmentation.from_boundaries
    >>> people = {"ann": mark([2, 4], 9, ranks=[1, 3]), "bob": mark([2], 9, ranks=[2])}
    >>> gold_ranks(Corpus.from_dict({"d": people})["d"])
    ({2: 1, 4: 3}, 3)
    """
    if any(coding.ranks is None for coding in document.values()):
        return None
    given: dict[int, list[int]] = {}
    for coding in document.values():
        for position, rank in _levels_of(coding).items():
            given.setdefault(position, []).append(rank)
    medians = {position: sorted(ranks)[(len(ranks) - 1) // 2] for position, ranks in given.items()}
    return medians, max(map(max, given.values()), default=1)


def with_levels(cases: Iterable[AdjudicationCase]) -> bool:
    """Whether gold has levels in some document."""
    return any(gold_ranks(case.document) is not None for case in cases)


def places_of_different_levels(cases: Iterable[AdjudicationCase]) -> int:
    """The number of places at which coders mark the same unit with different levels.

    >>> mark = Segmentation.from_boundaries
    >>> people = {"ann": mark([2, 4], 9, ranks=[1, 3]), "bob": mark([2, 4], 9, ranks=[2, 3])}
    >>> places_of_different_levels(
    ...     adjudication_cases(Corpus.from_dict({"d": people}), AdjudicationRule())
    ... )
    1
    """
    found = 0
    for case in cases:
        levels = {coder: _levels_of(coding) for coder, coding in case.document.items()}
        for place in case.places:
            given = ({levels[c].get(at) for c in coders} for at, coders in place.alternatives)
            found += any(len(ranks - {None}) > 1 for ranks in given)
    return found


def _levels_of(coding: Segmentation) -> dict[int, int]:
    """The level of each boundary, by position; empty if the coder gave none."""
    if coding.ranks is None:
        return {}
    return dict(zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True))


def adjudication_cases(corpus: Corpus, rule: AdjudicationRule) -> list[AdjudicationCase]:
    """The documents that people coded. Systems and any earlier consensus have no vote; documents
    that only these coded are left out.

    >>> cut = Segmentation.from_masses
    >>> people = {"ann": cut([2, 4, 4]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4])}
    >>> case, = adjudication_cases(Corpus.from_dict({"d": people}), AdjudicationRule())
    >>> [(place.marks, ruling) for place, ruling in zip(case.places, case.rulings)]
    [('2: ann; 3: bob', None), ('6: ann, bob, cyd', 6)]
    """
    columns = as_corpus(corpus).columns
    people = np.flatnonzero((columns.kinds < 0) | (columns.kinds == KINDS.index("person")))
    if not len(people):
        raise SegmentationError("the corpus has no coding by a person: expected one or more")
    voters = Corpus.from_columns(columns.part(people), corpus.coder_scope, corpus.provenance)
    found = places_by_document(voters, rule.within)
    return [
        AdjudicationCase(document, found[name], list(map(rule.ruling, found[name])), rule)
        for name, document in voters.items()
    ]


def check_gold_name(name: str, cases: Iterable[AdjudicationCase]) -> str:
    """Raise if the name of the adjudicator is that of a coder, because files of both are read
    together."""
    arguments.check_name(name, "coder")
    for case in cases:
        if name in case.document:
            raise SegmentationError(
                f"coder is {name!r}, who coded document {case.document.name!r}: expected another "
                "name for gold (coder=)"
            )
    return name


def not_adjudicated(cases: Iterable[AdjudicationCase]) -> list[str]:
    """What gold does not keep, in words."""
    found: Mapping[str, list[str]] = {"types of boundaries": [], "labels of segments": []}
    mixed = []
    for case in cases:
        codings, name = list(case.document.values()), case.document.name
        if any(coding.types is not None for coding in codings):
            found["types of boundaries"].append(name)
        if any(coding.segment_labels is not None for coding in codings):
            found["labels of segments"].append(name)
        if {coding.ranks is None for coding in codings} == {True, False}:
            mixed.append(name)
    notes = [
        f"gold has no {what}, which are not adjudicated; people gave some in {named(documents)}"
        for what, documents in found.items()
        if documents
    ]
    if mixed:
        notes.append(f"gold has no ranks in {named(mixed)}: not everyone who coded it gave ranks")
    return notes
