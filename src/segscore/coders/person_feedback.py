"""Feedback for one person: where their boundaries agree with a reference, and where they differ.

Each boundary of the reference is a match (the person marks the same position), near (they mark a
boundary less than n_t positions earlier or later) or missed; each other boundary of the person is
extra (`segscore.metrics.edit_distance.judged` decides which). People are judged only on the
documents that they coded. Types of boundaries are not compared.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from segscore.basics.arguments import cached_property, whole_number
from segscore.coders.places import text_beside, text_columns
from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, Codings, Units
from segscore.errors import SegmentationError, named, nearest, number_of
from segscore.metrics.edit_distance import judged
from segscore.pairing.inputs import corpus_of
from segscore.pairing.pairing import Paired, paired
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import CODER, PairingRules, agreed_codings, consensus_rule
from segscore.tables import Table, Tabular

Verdict = Literal["match", "earlier", "later", "missed", "extra"]
VERDICTS: tuple[Verdict, ...] = ("match", "earlier", "later", "missed", "extra")
FEWEST = 5  # near misses that a habit is read from
FAR_MORE = 1.25  # times as many boundaries as the reference: less is no habit
CLEAR = 0.05  # how improbable it must be that early and late are equally likely
_MAY_BE_CHANCE = "(may be chance)"
_WORDS = ("no unit", "one unit", "two units", "three units", "four units", "five units")


class JudgedPlace(NamedTuple):
    """A boundary of the reference, of the person, or of both: its verdict, its positions (None:
    that side has no boundary), the units before and after it (None: no text), and whether a tie
    decided that it is early or late: habits do not count such near misses."""

    document: str
    verdict: Verdict
    reference: int | None
    marked: int | None
    before: str | None = None
    after: str | None = None
    tied: bool = False

    @property
    def position(self) -> int:
        """The position in the reference, or the person's own position if the boundary is extra."""
        found = self.marked if self.reference is None else self.reference
        assert found is not None  # noqa: S101  # one side has it
        return found

    @property
    def distance(self) -> int | None:
        """The person's position minus the reference's position, in units."""
        if self.reference is None or self.marked is None:
            return None
        return self.marked - self.reference


class JudgedDocument(NamedTuple):
    """A person's coding of a document beside the reference; its places are in the order of the
    text."""

    name: str
    reference: Segmentation
    marked: Segmentation
    units: Units | None
    places: tuple[JudgedPlace, ...]

    def count(self, *verdicts: Verdict) -> int:
        """The number of places with one of these verdicts."""
        return sum(place.verdict in verdicts for place in self.places)


@dataclass(frozen=True, repr=False)
class Feedback(Tabular):
    """How one person's boundaries differ from a reference, document by document; prints as a table.

    coder, reference: the names of both. documents: those that both have. n_t: a boundary less than
    `n_t` positions away is a near miss. uncoded: documents of the reference that the person did not
    code. unjudged: documents of the person without a reference.
    """

    coder: str
    reference: str
    documents: tuple[JudgedDocument, ...]
    n_t: int = 2
    uncoded: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()

    @cached_property
    def counts(self) -> dict[Verdict, int]:
        """The number of places of each kind."""
        found = Counter(place.verdict for place in self.places)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @cached_property
    def places(self) -> list[JudgedPlace]:
        """All places, document by document."""
        return [place for document in self.documents for place in document.places]

    @property
    def near(self) -> int:
        """The number of near misses."""
        return self.counts["earlier"] + self.counts["later"]

    @property
    def n_reference(self) -> int:
        """The number of reference boundaries in the documents that the person coded."""
        return self.counts["match"] + self.near + self.counts["missed"]

    @property
    def n_marked(self) -> int:
        """The number of the person's boundaries in documents that have a reference."""
        return self.counts["match"] + self.near + self.counts["extra"]

    @property
    def habit(self) -> str:
        """What most near misses have in common, and whether the person marks far more or fewer
        boundaries than the reference, in words; "" if neither is the case."""
        return "; ".join(filter(None, (self._usual_distance(), self._number_marked())))

    def _usual_distance(self) -> str:
        distances = Counter(place.distance for place in self.places if not place.tied)
        del distances[None], distances[0]
        near = distances.total()
        if near < FEWEST:
            return ""
        (usual, most), *others = distances.most_common()
        late = sum(number for distance, number in distances.items() if distance and distance > 0)
        if usual is None or any(number == most for _, number in others):
            return f"{near - late} near misses are early, {late} late"
        size = abs(usual)
        words = _WORDS[size] if size < len(_WORDS) else f"{size} units"
        way = "late" if usual > 0 else "early"
        phrase = f"{words} {way} in {_percent(most, near)} of near misses"
        return phrase if _unequal(near - late, late) else f"{phrase} {_MAY_BE_CHANCE}"

    def _number_marked(self) -> str:
        ratio = self.n_marked / self.n_reference if self.n_reference else 1.0
        clear = _unequal(self.counts["missed"], self.counts["extra"])
        if not clear or 1 / FAR_MORE < ratio < FAR_MORE:
            return ""
        return (
            f"{ratio:.1f} times as many boundaries as the reference "
            f"({self.n_marked} for {self.n_reference})"
        )

    @property
    def totals(self) -> str:
        """The totals in words."""
        counts, near = self.counts, ""
        if self.near:
            near = f" ({counts['earlier']} earlier, {counts['later']} later)"
        return (
            f"Of {self.n_reference} boundaries of the reference, {counts['match']} are matched "
            f"({_percent(counts['match'], self.n_reference)}), {self.near} are near misses{near} "
            f"and {counts['missed']} are missed; {counts['extra']} of the {self.n_marked} marked "
            "boundaries are extra."
        )

    @property
    def reading(self) -> str:
        """The totals and the habit in words."""
        habit = self.habit
        return f"{self.totals} {habit[0].upper()}{habit[1:]}." if habit else self.totals

    @property
    def notes(self) -> list[str]:
        """What counts as near, what is left out, and which habits may be chance."""
        return _notes([self])

    @property
    def left_aside(self) -> list[str]:
        """Which documents are left out, and which near misses are not counted in the habit."""
        notes = []
        tied = sum(place.tied for place in self.places)
        if tied:
            notes.append(
                f"near misses not counted in the habit: {tied}, early or late only by a tie in the "
                "consensus or between two boundaries"
            )
        for what, names in (
            ("not coded, and not counted", self.uncoded),
            ("coded, and without a reference", self.unjudged),
        ):
            if names:
                notes.append(f"{what}: {number_of(len(names), 'document')}, {named(names)}")
        return notes

    def to_table(self) -> Table:
        """A row per document, and a row for all documents."""
        return documents_table([self])

    def places_table(self) -> Table:
        """A row per near miss, missed and extra boundary, with the text around it."""
        return places_table([self])


def _unequal(count: int, other: int) -> bool:
    """Whether two counts are significantly unequal (two-sided sign test, p < 0.05).

    >>> _unequal(0, 5), _unequal(0, 6), _unequal(6, 14), _unequal(5, 15)
    (False, True, False, True)
    """
    from scipy.special import bdtr  # the binomial distribution

    return bool(2 * bdtr(min(count, other), count + other, 0.5) < CLEAR)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


# ---- tables, for one person or several ----


def _numbers(places: Sequence[JudgedPlace]) -> list[int]:
    found = Counter(place.verdict for place in places)
    match, early, late, missed, extra = (found[verdict] for verdict in VERDICTS)
    near = early + late
    return [match + near + missed, match + near + extra, match, near, early, late, missed, extra]


_COUNTS = "match near earlier<3 later<3 missed extra"


def _notes(found: Sequence[Feedback]) -> list[str]:
    """What counts as near, what is left out of whose, and what "(may be chance)" means."""
    n_t = found[0].n_t
    away = "one unit" if n_t == 2 else f"up to {n_t - 1} units"
    near = f"{away} before (earlier) or after (later) a boundary of the reference"
    notes = [
        f"near: {near if n_t > 1 else 'none'}; missed: only the reference has it; extra: only the "
        "person has it"
    ]
    for one in found:
        whose = f"{one.coder}: " if len(found) > 1 else ""
        notes += [f"{whose}{note}" for note in one.left_aside]
    if any(_MAY_BE_CHANCE in one.habit for one in found):
        notes.append(
            "may be chance: a person who is early as often as late has near misses as one-sided as "
            f"these more often than {100 * CLEAR:g} times in 100 (sign test)"
        )
    return notes


def people_table(found: Sequence[Feedback]) -> Table:
    """A row per person, for the documents that the person coded."""
    rows = [
        [one.coder, len(one.documents), *_numbers(one.places), one.habit or None] for one in found
    ]
    shown = f"coder documents<1 reference<2 marked<2 {_COUNTS} habit"
    first, *notes = _notes(found)
    words = f"each person on the documents that they coded; {first}"
    return Table.of(rows, shown, [words, *notes], "Feedback")


def documents_table(found: Sequence[Feedback]) -> Table:
    """A row per document of each person, and a row for all documents."""
    rows = [
        [one.coder, name, *_numbers(places)]
        for one in found
        for name, places in (*(each[::4] for each in one.documents), ("all", one.places))
    ]
    alone = len(found) == 1
    habit = [f"habit: {found[0].habit}"] if alone and found[0].habit else []
    title = f"Feedback for {found[0].coder}" if alone else "Feedback by document"
    shown = f"coder{'!' * alone} document reference marked {_COUNTS}"
    return Table.of(rows, shown, [*habit, *_notes(found)], title)


def places_table(found: Sequence[Feedback]) -> Table:
    """A row per near miss, missed and extra boundary of each person."""
    places = [(one, place) for one in found for place in one.places if place.verdict != "match"]
    rows = [[one.coder, *place[:4], *text_beside(place)] for one, place in places]
    text = text_columns(place for _, place in places)
    shown = f"coder{'!' * (len(found) == 1)} document what=verdict reference marked {text}"
    words = (
        "positions count the units before the boundary; earlier, later: the person marks it before "
        "or after the reference does; the text is that around the reference's boundary, or around "
        "the extra boundary"
    )
    return Table.of(rows, shown, [words], "What differs, place by place")


# ---- from codings to feedback ----


def feedback(
    gold: Any,
    person: Any = None,
    *,
    reference: str | None = None,
    coder: str | None = None,
    n_t: int = 2,
    ignore_text: bool = False,
) -> Feedback:
    """Show how one person's boundaries differ from a reference: matches, near misses (earlier and
    later), missed and extra boundaries, by document and by place.

    Only documents that both sides have are judged; the result names the documents left out.
    `ss.report(feedback, "page.html")` writes a page for the person.

    gold: the reference: a path, a Corpus, or a mapping from document to Segmentation. Without
        `person` it holds both sides, and its consensus is the reference unless `reference` names a
        coder.
    person: the person's codings, in one of the same forms.
    reference: the coder of `gold` who is the reference, if it holds several; `consensus:0.5` is
        what half of the coders mark.
    coder: the name of the person, if `person` holds several.
    n_t: a boundary less than `n_t` positions away is a near miss; 2 allows one unit.
    ignore_text: compare boundaries even if the texts of the two sides differ.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> found = ss.coders.feedback({"d": cut([3, 4, 5, 8])}, {"d": cut([3, 5, 8, 4])})
    >>> found.counts
    {'match': 1, 'earlier': 0, 'later': 1, 'missed': 1, 'extra': 1}
    >>> [(place.verdict, place.reference, place.marked)
    ...  for place in found.places if place.distance != 0]
    [('later', 7, 8), ('missed', 12, None), ('extra', None, 16)]
    """
    found = feedback_for_each(
        gold, person, reference=reference, coder=coder, n_t=n_t, ignore_text=ignore_text
    )
    if len(found) > 1:
        raise SegmentationError(
            f"there are {len(found)} people, {named(feedback.coder for feedback in found)}: "
            "expected one: choose them by coder="
        )
    return found[0]


def feedback_for_each(
    gold: Any,
    people: Any = None,
    *,
    reference: str | None = None,
    coder: str | None = None,
    n_t: int = 2,
    ignore_text: bool = False,
    remark: Callable[[str], None] | None = None,
) -> list[Feedback]:
    """`feedback` for each person of the second side, on the person's own documents. `remark` is
    called with the name of each person who shares no document with the reference; if nobody does,
    that is an error."""
    whole_number(n_t, "n_t", 1)
    left = corpus_of(gold, "reference")
    right = None if people is None else corpus_of(people, "hypothesis")
    side = left if right is None else right
    if right is None and reference is None:
        made = left.consensus_coders
        if len(made) != 1:
            there = f"more than one consensus, {named(made)}" if made else "no consensus"
            raise SegmentationError(
                f"the reference is not named, and there is {there}: expected one consensus, a "
                "second file (PERSON), or reference="
            )
        (reference,) = made
    wanted = _judged(left, right, reference) if coder is None else [coder]
    if coder is not None and coder not in side.coders:
        people = _judged(left, right, reference)
        raise SegmentationError(f"coder is {coder!r}{nearest(coder, people)}")
    if remark is not None and len(wanted) > 1:
        is_coder = reference in left.coders
        held = set(left.names_of(left.rows_of(str(reference))) if is_coder else left.documents)
        strangers = [name for name in wanted if not held & set(side.names_of(side.rows_of(name)))]
        if strangers and len(strangers) < len(wanted):
            remark(f"no document in common with the reference: {named(strangers)}: left out")
            wanted = [name for name in wanted if name not in strangers]
    rule, refs, chosen = consensus_rule(reference), left, reference
    if rule is not None:
        refs, chosen = agreed_codings(left, *rule), CODER
    other = right if refs is left else side
    found = []
    alone = left.coders[0] if len(left.coders) == 1 else "reference"
    for name in wanted:
        rules = PairingRules(chosen, name, "skip", ignore_text)
        both = paired(refs, other, rules)[name]
        found.append(_feedback(name, both, reference or alone, n_t, refs, side))
    return found


def _judged(left: Codings, right: Codings | None, reference: str | None) -> list[str]:
    """The people to judge: all coders but a consensus and the reference of the same file."""
    side = left if right is None else right
    people = [coder for coder in side.coders if coder not in side.consensus_coders]
    found = [person for person in people if right is not None or person != reference]
    if not found:
        raise SegmentationError(
            f"{side.source} holds nobody to judge: expected codings by a person beside "
            f"{named(side.coders)}"
        )
    return found


def _feedback(
    person: str, both: Paired, reference: str, n_t: int, left: Codings, right: Codings
) -> Feedback:
    pairs, made = Pairs.of_paired(both), KINDS.index("consensus")
    ties = {
        left.documents[left.document_of_rows[row]]: annotation.unsure
        for row, annotation in left.annotations.items()
        if left.kinds[row] == made
    }
    documents = []
    for row, name in enumerate(pairs.documents):
        units = left.texts.get(name) or right.texts.get(name)
        sides = pairs.reference(row), pairs.hypothesis(row)
        documents.append(_document(name, *sides, n_t, units, ties.get(name, ())))
    left_out = tuple(both.without_hypothesis), tuple(both.without_reference)
    return Feedback(person, reference, tuple(documents), n_t, *left_out)


def _document(
    name: str,
    reference: Segmentation,
    marked: Segmentation,
    n_t: int,
    units: Units | None,
    ties: Collection[int],
) -> JudgedDocument:
    n = reference.n_units
    mirror = Segmentation.from_boundaries
    # of equal pairings the leftmost is listed; what the mirrored text pairs, too, is no tie
    either_way = {
        (n - one.reference, n - one.hypothesis)
        for one in judged(
            mirror(n - reference.boundaries, n), mirror(n - marked.boundaries, n), n_t, types=False
        )
        if one.reference is not None and one.hypothesis is not None
    }
    found = []
    for kind, wanted, own, *_ in judged(reference, marked, n_t, types=False):
        tied, verdict = False, cast("Verdict", kind)
        if wanted is not None and own is not None and wanted != own:
            tied = wanted in ties or (wanted, own) not in either_way
            verdict = "earlier" if own < wanted else "later"
        place = JudgedPlace(name, verdict, wanted, own, tied=tied)
        if units is not None:
            before, after = units[place.position - 1], units[place.position]
            place = place._replace(before=before, after=after)
        found.append(place)
    found.sort(key=lambda place: place.position)
    return JudgedDocument(name, reference, marked, units, tuple(found))
