"""What a report is about: a comparison, agreement, or both, and the documents behind them.

Three steps lead to it: `subject_of` takes a result or a corpus, `chosen` the documents that the
page holds, and `anonymous` replaces names.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Any, NamedTuple

from segscore.basics.arguments import LARGEST, cached_property, shown, whole_number
from segscore.coders import Feedback, contested, differences, estimators, places
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import Agreement, agreement
from segscore.coders.gold import consensus
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus import Corpus, Document, Kind, Record, Units
from segscore.errors import SegmentationError, nearest, number_of
from segscore.pairing.rules import consensus_rule
from segscore.significance.drawing import by_name

CONSENSUS = "consensus:0.5"  # what at least half of the people mark
OF_CONSENSUS = "consensus"  # the kind of such a row


class ShownCoding(NamedTuple):
    """A row of a document: its coder, the kind of coder (person, system, consensus), and the
    boundaries."""

    coder: str
    kind: str
    segmentation: Segmentation


class ShownDocument(NamedTuple):
    """A document with everyone's codings; `reference` is the row to compare with at first."""

    name: str
    units: Units | None
    group: str | None
    codings: tuple[ShownCoding, ...]
    reference: str | None

    @property
    def n_units(self) -> int:
        """The number of units."""
        return self.codings[0].segmentation.n_units

    @property
    def text_size(self) -> int:
        """The number of characters of its text."""
        return sum(map(len, self.units or ()))


@dataclass(frozen=True)
class Subject:
    """Everything that the page shows. `people` are the codings that agreement is about; a page for
    one person has `feedback`, and neither comparison nor agreement."""

    comparison: Comparison | None
    agreement: Agreement | None
    people: Corpus | None
    documents: tuple[ShownDocument, ...]
    left_out: int = 0
    why_these: str = ""
    anonymous: bool = False
    feedback: Feedback | None = None

    @cached_property
    def names(self) -> dict[str, str]:
        """Every row by name, and what it is; people first."""
        rows = [(coding.coder, coding.kind) for each in self.documents for coding in each.codings]
        kinds = ("person", OF_CONSENSUS, "system")
        return {coder: kind for wanted in kinds for coder, kind in rows if kind == wanted}

    @cached_property
    def held(self) -> frozenset[str]:
        """The names of the documents that the page holds."""
        return frozenset(document.name for document in self.documents)

    @property
    def names_are_local(self) -> bool:
        """Whether nobody is known in more than one document."""
        return (
            self.people is not None and self.people.coder_scope == "local" and len(self.people) > 1
        )

    @property
    def seconds(self) -> float | None:
        """The length of a unit in seconds, if units have a duration."""
        found = self.comparison or self.agreement
        length = found.provenance.unit_length if found is not None else None
        return None if length is None else length / 1_000_000

    @cached_property
    def deviation(self) -> differences.Deviation:
        """How much each person lowers agreement; an error if no person can be left out of all
        documents."""
        found, corpus = self.agreement, self.people
        assert found is not None and corpus is not None  # noqa: S101, PT018
        if self.names_are_local:
            raise SegmentationError(
                "Coder names are local to each document, so nobody can be left out of all of them"
            )
        which: estimators.Coefficient = "corrected" if found.draws else "pi"
        chance: Any = {"null": found.null, "draws": found.draws or None, "rng": found.seed}
        return differences.who_deviates(corpus, found.metric, coefficient=which, **chance)

    @cached_property
    def contested(self) -> places.ContestedPlaces:
        """All contested places of the people."""
        return (
            contested(self.people, LARGEST) if self.people is not None else places.ContestedPlaces()
        )

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def about(self, *names: str) -> str:
        """The rows of these people and systems by number, as the script knows them; "" for others.

        The script hides what is about rows that are not ticked. Names would not work, because they
        may be shown in another form.
        """
        return " ".join(f"{self._places[name]}" for name in names if name in self._places)


def subject_of(given: Any) -> Subject:
    """The subject of a page about a comparison, an agreement, a benchmark or a corpus."""
    inner = getattr(given, "comparison", None)  # of a benchmark
    given = inner if isinstance(inner, Comparison) else given
    if isinstance(given, Document):
        given = Corpus.from_rows(given.records(), provenance=given.provenance)
    if isinstance(given, Corpus):
        given = compare(given) if given.columns.names_systems else agreement(given)
    if isinstance(given, Comparison):
        documents = documents_of(given)
        people = _people_of(given, documents)
        agreed = agreement(people, rng=given.settings.seed) if people is not None else None
        return Subject(given, agreed, people, documents)
    if isinstance(given, Agreement):
        if given.corpus is None:
            raise SegmentationError(
                f"agreement {given.name!r} is a part, which does not hold its codings: expected "
                "the whole, as segscore.agreement gives it"
            )
        return Subject(None, given, given.corpus, documents_of(given))
    if isinstance(given, Feedback):
        return Subject(None, None, None, documents_of(given), feedback=given)
    raise SegmentationError(
        f"a report of {type(given).__name__}: expected a comparison (segscore.compare), an "
        "agreement (segscore.agreement), feedback (segscore.coders.feedback), a benchmark, a "
        "corpus, or a result about chunks (segscore.chunks.evidence, segscore.chunks.describe)"
    )


# ---- people and documents ----


def documents_of(result: Comparison | Agreement | Feedback) -> tuple[ShownDocument, ...]:
    """The documents behind a result, with everyone's codings; none of a comparison of sums."""
    if isinstance(result, Feedback):
        gold = result.reference
        gold = f"{gold} (reference)" if gold == result.coder else gold
        found = []
        for each in result.documents:
            own = ShownCoding(result.coder, "person", each.marked)
            both = ShownCoding(gold, "reference", each.reference), own
            found.append(ShownDocument(each.name, each.units, None, both, gold))
        return tuple(found)
    if isinstance(result, Agreement):
        coded = result.corpus.values() if result.corpus is not None else ()
        return tuple(
            _document(each.name, each.units, each.group, each.items(), each.kinds)
            for each in coded
            if each
        )
    outputs = {name: result.hypotheses(name) for name in result.systems if result.background}
    found = []
    for name, known in result.background.items():
        kinds = _kinds(known.codings)
        codings = [
            (coder, coding)
            for coder, coding in known.codings.items()
            if coder not in result.systems and kinds.get(coder) != "system"
        ]
        group = known.codings.group if isinstance(known.codings, Document) else None
        shown = _document(name, known.units, group, codings, kinds, known.coders)
        systems = (
            ShownCoding(system, "system", done[name])
            for system, done in outputs.items()
            if name in done
        )
        reference = known.coders[0] if len(known.coders) == 1 else CONSENSUS
        found.append(shown._replace(codings=(*shown.codings, *systems), reference=reference))
    return tuple(found)


def _document(
    name: str,
    units: Units | None,
    group: str | None,
    codings: Iterable[tuple[str, Segmentation]],
    kinds: Mapping[str, Kind],
    references: Sequence[str] = (),
) -> ShownDocument:
    """A document with its coders, what half of them mark, and the consensus that is a reference."""
    rows = [ShownCoding(coder, kinds.get(coder, "person"), coding) for coder, coding in codings]
    people = [row.segmentation for row in rows if row.kind == "person"]
    names = dict.fromkeys([*references, *([CONSENSUS] if len(people) > 1 else [])])
    rules = {name: rule for name in names if people and (rule := consensus_rule(name))}
    agreed = (
        ShownCoding(name, OF_CONSENSUS, consensus(people, *rule)) for name, rule in rules.items()
    )
    return ShownDocument(name, units, group, (*rows, *agreed), None)


def _kinds(codings: Mapping[str, Segmentation]) -> Mapping[str, Kind]:
    return codings.kinds if isinstance(codings, Document) else {}


def _people_of(comparison: Comparison, documents: tuple[ShownDocument, ...]) -> Corpus | None:
    """The documents of a comparison that two people or more coded, as a corpus of people.

    There is none if cases are codings (`unit="coding"`), because documents then occur repeatedly.
    """
    several = {id(background.codings) for background in comparison.background.values()}
    if len(several) < len(documents):
        return None
    codings = {
        document.name: {r.coder: r.segmentation for r in document.codings if r.kind == "person"}
        for document in documents
    }
    codings = {name: people for name, people in codings.items() if len(people) > 1}
    if not codings:
        return None
    kept = [document for document in documents if document.name in codings]
    units = {document.name: document.units for document in kept if document.units}
    groups = {document.name: document.group for document in kept if document.group}
    return Corpus.from_dict(codings, comparison.coder_scope, units=units, groups=groups)


# ---- which documents: all, as long as a browser opens the file at once ----

MOST_DOCUMENTS = 10_000
MOST_TEXT = 20_000_000  # characters
USUAL = 200  # documents where there are too many


def chosen(subject: Subject, wanted: int | Sequence[str] | None) -> Subject:
    """The requested documents: a number, starting with the worst, or by name; None: all that
    fit."""
    everything = subject.documents
    if wanted is None:
        size = sum(document.text_size for document in everything)
        if len(everything) <= MOST_DOCUMENTS and size <= MOST_TEXT:
            return subject
        wanted = USUAL
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        most = whole_number(wanted, "documents", 1)
        if most >= len(everything):
            return subject
        badness, why = _badness(subject)
        kept = sorted(everything, key=lambda each: badness.get(each.name, math.inf))[:most]
        why = f"the {most} {why}"
    else:
        known = {document.name: document for document in everything}
        names = wanted if isinstance(wanted, Sequence) and not isinstance(wanted, str) else ()
        strange = [name for name in names if name not in known]
        if not names or strange:
            hint = nearest(str(strange[0]), list(known)[:20]) if strange else ""
            raise SegmentationError(
                f"documents is {shown(wanted)}: expected a number, or names of documents{hint}"
            )
        kept = [known[name] for name in dict.fromkeys(names)]
        why = f"{number_of(len(kept), 'document')} that were asked for by name"
    return replace(
        subject, documents=tuple(kept), left_out=len(everything) - len(kept), why_these=why
    )


def _badness(subject: Subject) -> tuple[dict[str, float], str]:
    """A number for each document that has a value, the least for the worst; and what is worst."""
    comparison, agreed = subject.comparison, subject.agreement
    if subject.feedback is not None:
        return {
            document.name: document.count("match") - len(document.places)
            for document in subject.feedback.documents
        }, "with most that differs"
    if comparison is not None:
        metric = comparison.metrics[0]
        sign = 1 if comparison.higher_is_better[metric] else -1
        columns = [comparison.values(metric)[system] for system in comparison.systems]
        values: Any = zip(comparison.documents, zip(*columns, strict=True), strict=True)
        why = f"worst, by {metric} of the system that fails most"
    else:
        sign, why = 1, "on which people agree least"
        known = agreed.documents if agreed is not None else {}
        values = [(name, [document.observed]) for name, document in known.items()]
    worst = {
        name: min((sign * float(v) for v in several if not math.isnan(v)), default=math.inf)
        for name, several in values
    }
    return worst, why


# ---- without names ----


def anonymous(subject: Subject) -> Subject:
    """People and documents numbered; texts, labels, comments and groups left out.

    People are numbered, and listed, in an order drawn anew for each page: that of the file, or one
    that follows from names, would tell who is who. Systems keep their names: they are what a
    comparison is about. Coders of the references are people even where they are compared, unless
    the file calls them systems.
    """
    if subject.feedback is not None:
        raise SegmentationError(
            "a page of feedback is for one person, by name: expected it without anonymise"
        )
    comparison, agreed = subject.comparison, subject.agreement
    whole = comparison or agreed
    assert whole is not None  # noqa: S101  # a subject has one or the other
    everything = documents_of(whole)  # more than the page may hold
    names = [document.name for document in everything]
    # in the order in which they are drawn, so that the numbers of the page stay the same
    documents = _numbered("document", [names[i] for i in by_name(names)])
    people = [row.coder for each in everything for row in each.codings if row.kind == "person"]
    if comparison is not None:  # people who are compared like systems
        people += [
            coder
            for known in comparison.background.values()
            for coder in known.codings
            if coder in comparison.systems and _kinds(known.codings).get(coder) != "system"
        ]
    shuffled = list(dict.fromkeys(people))
    SystemRandom().shuffle(shuffled)
    coders = _numbered("coder", shuffled)
    comparison = comparison and comparison.renamed(documents, coders)
    agreed = agreed and _renamed(agreed, documents, coders)
    renamed = {each.name: each for each in documents_of(comparison or agreed or whole)}
    unlabelled = []
    for each in subject.documents:
        document = renamed[documents[each.name]]
        rows = [row.segmentation.with_segment_labels(None) for row in document.codings]
        pairs = zip(document.codings, rows, strict=True)
        codings = tuple(row._replace(segmentation=coding) for row, coding in pairs)
        unlabelled.append(document._replace(codings=codings))
    new = replace(
        subject,
        comparison=comparison,
        agreement=agreed,
        people=agreed.corpus if agreed is not None else None,
        documents=tuple(unlabelled),
        anonymous=True,
    )
    if agreed is not None:
        with suppress(SegmentationError):  # nobody can be left out
            found = subject.deviation  # random coders are drawn in the order of people: once
            named = tuple(replace(each, name=coders[each.name]) for each in found.coders)
            vars(new)["deviation"] = replace(found, coders=named)
    return new


def _numbered(what: str, names: list[str]) -> dict[str, str]:
    """A number for each name, with as many digits as the largest, so that they sort well."""
    width = len(str(len(names)))
    return {name: f"{what} {number:0{width}}" for number, name in enumerate(names, 1)}


def _renamed(
    found: Agreement, documents: Mapping[str, str], coders: Mapping[str, str]
) -> Agreement:
    given = found.corpus
    assert given is not None  # noqa: S101  # a subject has the whole
    rows = [
        (documents[name], coders.get(coder, coder), coding, document.kinds.get(coder, "person"))
        for name, document in given.items()
        if name in documents
        for coder, coding in document.items()
    ]
    order = {name: i for i, name in enumerate(documents.values())}
    rows.sort(key=lambda row: (order[row[0]], row[1]))
    records = (Record(document, coder, coding, kind=kind) for document, coder, coding, kind in rows)
    corpus = Corpus.from_rows(records, coders=given.coder_scope)
    before = len(CoderPairs(given).remarks())
    return replace(
        found,
        documents={
            documents[name]: replace(document, name=documents[name])
            for name, document in found.documents.items()
        },
        groups={},
        notes=(*CoderPairs(corpus).remarks(), *found.notes[before:]),
        corpus=corpus,
    )
