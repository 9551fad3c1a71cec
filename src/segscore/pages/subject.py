"""What a report is about: a comparison, agreement, or both, and the documents behind them.

Three steps lead to it: `subject_of` takes a result or a corpus, `chosen` the documents that the
page holds, and `anonymous` replaces names.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Any, NamedTuple

from segscore.basics.arguments import LARGEST, shown, whole_number
from segscore.basics.cached import cached_property
from segscore.coders.boundary_support import consensus
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import Agreement, agreement
from segscore.coders.competitiveness import Deviation, who_deviates
from segscore.coders.person_feedback import Feedback
from segscore.coders.places import ContestedPlaces, contested
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Kind
from segscore.corpus.unit_texts import Units
from segscore.errors import SegmentationError, nearest, number_of
from segscore.pairing.consensus_rule import consensus_rule
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
        found: dict[str, str] = {}
        for kind in ("person", OF_CONSENSUS, "system"):
            for document in self.documents:
                found |= {coding.coder: kind for coding in document.codings if coding.kind == kind}
        return found

    @cached_property
    def deviation(self) -> Deviation:
        """How much each person lowers agreement; an error if no person can be left out of all
        documents."""
        found, corpus = self.agreement, self.people
        assert found is not None and corpus is not None  # noqa: S101, PT018
        if corpus.coder_scope == "local" and len(corpus) > 1:
            raise SegmentationError(
                "Coder names are local to each document, so nobody can be left out of all of them"
            )
        return who_deviates(
            corpus, found.metric, coefficient="corrected" if found.draws else "pi",
            null=found.null, draws=found.draws or None, rng=found.seed,
        )  # fmt: skip

    @cached_property
    def contested(self) -> ContestedPlaces:
        """All contested places of the people."""
        return contested(self.people, LARGEST) if self.people is not None else ContestedPlaces()

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def about(self, *names: str) -> str:
        """The rows of these people and systems by number, as the script knows them; "" for others.

        The script hides what is about rows that are not ticked. Names would not work, because they
        may be shown in another form.
        """
        return " ".join(f"{self._places[name]}" for name in names if name in self._places)

    def only(self, documents: tuple[ShownDocument, ...], why: str) -> "Subject":
        """The subject with some of its documents."""
        return replace(
            self, documents=documents, left_out=len(self.documents) - len(documents), why_these=why
        )


def subject_of(given: Any) -> Subject:
    """The subject of a page about a comparison, an agreement, a benchmark or a corpus."""
    inner = getattr(given, "comparison", None)  # of a benchmark
    given = inner if isinstance(inner, Comparison) else given
    if isinstance(given, Document):
        given = Corpus.from_rows(given.records(), provenance=given.provenance)
    if isinstance(given, Corpus):
        given = _result_of(given)
    if isinstance(given, Comparison):
        return _of_comparison(given)
    if isinstance(given, Agreement):
        return _of_agreement(given)
    if isinstance(given, Feedback):
        return _of_feedback(given)
    raise SegmentationError(
        f"a report of {type(given).__name__}: expected a comparison (segscore.compare), an "
        "agreement (segscore.agreement), feedback (segscore.coders.feedback), a benchmark, a "
        "corpus, or a result about chunks (segscore.chunks.evidence, segscore.chunks.describe)"
    )


def _result_of(corpus: Corpus) -> Comparison | Agreement:
    """A comparison if the corpus says which coders are systems; otherwise the agreement of
    people."""
    return compare(corpus) if corpus.columns.names_systems else agreement(corpus)


# ---- from a comparison ----


def documents_of(result: Comparison | Agreement) -> tuple[ShownDocument, ...]:
    """The documents of a comparison, or of an agreement that holds its codings."""
    if isinstance(result, Comparison):
        if not result.background:  # documents that were only added up
            return ()
        outputs = {name: result.hypotheses(name) for name in result.systems}
        return tuple(_compared_document(name, result, outputs) for name in result.background)
    coded = result.corpus.values() if result.corpus is not None else ()
    return tuple(_coded_document(document) for document in coded if document)


def _of_comparison(comparison: Comparison) -> Subject:
    documents = documents_of(comparison)
    people = _people_of(comparison, documents)
    agreed = agreement(people, rng=comparison.settings.seed) if people is not None else None
    return Subject(comparison, agreed, people, documents)


def _compared_document(
    name: str, comparison: Comparison, outputs: Mapping[str, Mapping[str, Segmentation]]
) -> ShownDocument:
    known = comparison.background[name]
    document = known.codings if isinstance(known.codings, Document) else None
    kinds: Mapping[str, Kind] = document.kinds if document else {}
    rows = [
        ShownCoding(coder, OF_CONSENSUS if kinds.get(coder) == "consensus" else "person", coding)
        for coder, coding in known.codings.items()
        if coder not in comparison.systems and kinds.get(coder) != "system"
    ]
    people = [row for row in rows if row.kind == "person"]
    agreed = _consensus_of(people, [coder for coder in known.coders if consensus_rule(coder)])
    systems = [
        ShownCoding(system, "system", done[name])
        for system, done in outputs.items()
        if name in done
    ]
    reference = known.coders[0] if len(known.coders) == 1 else CONSENSUS
    group = document.group if document else None
    return ShownDocument(name, known.units, group, (*rows, *agreed, *systems), reference)


def _consensus_of(rows: list[ShownCoding], rules: list[str]) -> list[ShownCoding]:
    """What half of the people mark, and the consensus that a comparison used as its reference."""
    codings = [row.segmentation for row in rows]
    wanted = dict.fromkeys([*rules, *([CONSENSUS] if len(codings) > 1 else [])])
    found = []
    for name in wanted:
        rule = consensus_rule(name)
        if rule is not None and codings:
            found.append(ShownCoding(name, OF_CONSENSUS, consensus(codings, *rule)))
    return found


def _people_of(comparison: Comparison, documents: tuple[ShownDocument, ...]) -> Corpus | None:
    """The documents of a comparison that two people or more coded, as a corpus of people.

    There is none if cases are codings (`unit="coding"`), because documents then occur repeatedly.
    """
    several = {id(background.codings) for background in comparison.background.values()}
    if len(several) < len(documents):
        return None
    people = {
        document.name: {
            coding.coder: coding.segmentation
            for coding in document.codings
            if coding.kind == "person"
        }
        for document in documents
    }
    people = {name: codings for name, codings in people.items() if len(codings) > 1}
    if not people:
        return None
    texts = {
        document.name: document.units
        for document in documents
        if document.units and document.name in people
    }
    groups = {
        document.name: document.group
        for document in documents
        if document.group and document.name in people
    }
    return Corpus.from_dict(people, comparison.coder_scope, units=texts, groups=groups)


# ---- from agreement ----


def _of_agreement(found: Agreement) -> Subject:
    if found.corpus is None:
        raise SegmentationError(
            f"agreement {found.name!r} is a part, which does not hold its codings: expected the "
            "whole, as segscore.agreement gives it"
        )
    return Subject(None, found, found.corpus, documents_of(found))


def _coded_document(document: Document) -> ShownDocument:
    rows = [
        ShownCoding(coder, document.kinds.get(coder, "person"), coding)
        for coder, coding in document.items()
    ]
    agreed = _consensus_of([row for row in rows if row.kind == "person"], [])
    return ShownDocument(document.name, document.units, document.group, (*rows, *agreed), None)


# ---- from feedback ----


def _of_feedback(found: Feedback) -> Subject:
    """The person beside the reference, document by document."""
    gold = found.reference if found.reference != found.coder else f"{found.reference} (reference)"
    documents = tuple(
        ShownDocument(
            document.name, document.units, None,
            (ShownCoding(gold, "reference", document.reference),
             ShownCoding(found.coder, "person", document.marked)),
            gold,
        )
        for document in found.documents
    )  # fmt: skip
    return Subject(None, None, None, documents, feedback=found)


# ---- which documents: all, as long as a browser opens the file at once ----

MOST_DOCUMENTS = 10_000
MOST_TEXT = 20_000_000  # characters
USUAL = 200  # documents where there are too many


def chosen(subject: Subject, wanted: int | Sequence[str] | None) -> Subject:
    """The requested documents: a number, starting with the worst, or by name; None: all that
    fit."""
    everything = subject.documents
    if wanted is None:
        if _fits(everything):
            return subject
        wanted = USUAL
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        most = whole_number(wanted, "documents", 1)
        if most >= len(everything):
            return subject
        ordered = sorted(everything, key=_badness(subject))
        return subject.only(tuple(ordered[:most]), _words(subject, most))
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not wanted:
        raise SegmentationError(
            f"documents is {shown(wanted)}: expected a number, or names of documents"
        )
    known = {document.name: document for document in everything}
    for name in wanted:
        if name not in known:
            raise SegmentationError(
                f"no document is called {name!r}{nearest(name, list(known)[:20])}"
            )
    kept = tuple(known[name] for name in dict.fromkeys(wanted))
    return subject.only(kept, f"{number_of(len(kept), 'document')} that were asked for by name")


def _fits(documents: Sequence[ShownDocument]) -> bool:
    sizes = sum(document.text_size for document in documents)
    return len(documents) <= MOST_DOCUMENTS and sizes <= MOST_TEXT


def _words(subject: Subject, most: int) -> str:
    if subject.feedback is not None:
        return f"the {most} with most that differs"
    if subject.comparison is not None:
        return f"the {most} worst, by {subject.comparison.metrics[0]} of the system that fails most"
    return f"the {most} on which people agree least"


def _badness(subject: Subject) -> Any:
    """The key that sorts documents from the worst to the best; those without value come last."""
    comparison, agreement = subject.comparison, subject.agreement
    if subject.feedback is not None:
        differing = {
            document.name: -float(len(document.places) - document.count("match"))
            for document in subject.feedback.documents
        }
        return lambda document: differing[document.name]
    if comparison is not None:
        metric = comparison.metrics[0]
        sign = 1 if comparison.higher_is_better[metric] else -1
        values = comparison.values(metric)
        worst = {
            name: _least([sign * float(values[system][i]) for system in comparison.systems])
            for i, name in enumerate(comparison.documents)
        }
    else:
        known = agreement.documents if agreement is not None else {}
        worst = {name: _least([document.observed]) for name, document in known.items()}
    return lambda document: worst.get(document.name, math.inf)


def _least(values: list[float]) -> float:
    return min((value for value in values if not math.isnan(value)), default=math.inf)


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
    comparison, agreement = subject.comparison, subject.agreement
    whole = comparison or agreement
    assert whole is not None  # noqa: S101  # a subject has one or the other
    everything = documents_of(whole)  # more than the page may hold
    names = [document.name for document in everything]
    # in the order in which they are drawn, so that the numbers of the page stay the same
    documents = _numbered("document", [names[i] for i in by_name(names)])
    people = [
        coding.coder for each in everything for coding in each.codings if coding.kind == "person"
    ]
    people += _compared_people(comparison) if comparison is not None else []
    shuffled = list(dict.fromkeys(people))
    SystemRandom().shuffle(shuffled)
    coders = _numbered("coder", shuffled)
    if comparison is not None:
        comparison = comparison.renamed(documents, coders)
    if agreement is not None:
        agreement = _renamed_agreement(agreement, documents, coders)
    renamed = {
        document.name: document for document in documents_of(comparison or agreement or whole)
    }
    new = replace(
        subject,
        comparison=comparison,
        agreement=agreement,
        people=agreement.corpus if agreement is not None else None,
        documents=tuple(
            _unlabelled(renamed[documents[document.name]]) for document in subject.documents
        ),
        anonymous=True,
    )
    if agreement is not None:
        with suppress(SegmentationError):  # nobody can be left out
            found = subject.deviation  # random coders are drawn in the order of people: once
            named = tuple(replace(each, name=coders[each.name]) for each in found.coders)
            vars(new)["deviation"] = replace(found, coders=named)
    return new


def _compared_people(comparison: Comparison) -> list[str]:
    """The people who are compared like systems."""
    found = []
    for known in comparison.background.values():
        kinds = known.codings.kinds if isinstance(known.codings, Document) else {}
        found += [coder for coder in known.codings if kinds.get(coder) != "system"]
    return [coder for coder in dict.fromkeys(found) if coder in comparison.systems]


def _unlabelled(document: ShownDocument) -> ShownDocument:
    rows = (
        coding._replace(segmentation=coding.segmentation.with_segment_labels(None))
        for coding in document.codings
    )
    return document._replace(codings=tuple(rows))


def _numbered(what: str, names: list[str]) -> dict[str, str]:
    """A number for each name, with as many digits as the largest, so that they sort well."""
    width = len(str(len(names)))
    return {name: f"{what} {number:0{width}}" for number, name in enumerate(names, 1)}


def _renamed_agreement(
    found: Agreement, documents: dict[str, str], coders: dict[str, str]
) -> Agreement:
    assert found.corpus is not None  # noqa: S101  # a subject has the whole
    codings = {
        documents[name]: dict(
            sorted((coders.get(coder, coder), coding) for coder, coding in document.items())
        )
        for name, document in found.corpus.items()
        if name in documents
    }
    kinds = {
        coders.get(coder, coder): kind
        for document in found.corpus.values()
        for coder, kind in document.kinds.items()
    }
    corpus = Corpus.from_dict(codings, found.corpus.coder_scope, kinds=kinds)
    before = len(CoderPairs(found.corpus).remarks())
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
