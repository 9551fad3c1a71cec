"""What a report is about: a comparison, agreement, or both, and the documents behind them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from segscore.coders.coefficients import Agreement, agreement
from segscore.coders.consensus_coding import consensus
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Kind, Units
from segscore.errors import SegmentationError
from segscore.pairing.consensus_rule import consensus_rule

CONSENSUS = "consensus:0.5"  # what at least half of the people mark
OF_CONSENSUS = "consensus"  # the kind of such a row


class ShownCoding(NamedTuple):
    """A row of a document: who, what they are (person, system, consensus), and where they cut."""

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
    """Everything that the page shows. `people` are the codings that agreement is about."""

    comparison: Comparison | None
    agreement: Agreement | None
    people: Corpus | None
    documents: tuple[ShownDocument, ...]
    left_out: int = 0
    why_these: str = ""
    anonymous: bool = False

    @property
    def names(self) -> dict[str, str]:
        """Every row by name, and what it is; people first."""
        found: dict[str, str] = {}
        for kind in ("person", OF_CONSENSUS, "system"):
            for document in self.documents:
                found |= {one.coder: kind for one in document.codings if one.kind == kind}
        return found

    def only(self, documents: tuple[ShownDocument, ...], why: str) -> "Subject":
        """The same with some of the documents."""
        return replace(
            self, documents=documents, left_out=len(self.documents) - len(documents), why_these=why
        )


def subject_of(given: Any) -> Subject:
    """What there is to show of a comparison, an agreement, a benchmark or a corpus."""
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
    raise SegmentationError(
        f"a report of {type(given).__name__}: expected a comparison (segscore.compare), an "
        "agreement (segscore.agreement), a benchmark, or a corpus"
    )


def _result_of(corpus: Corpus) -> Comparison | Agreement:
    """Systems are compared with people where a corpus says who is a system; else people agree."""
    kinds = {kind for document in corpus.values() for kind in document.kinds.values()}
    return compare(corpus) if "system" in kinds else agreement(corpus)


# ---- from a comparison ----


def documents_of(result: Comparison | Agreement) -> tuple[ShownDocument, ...]:
    """The documents of a comparison, or of an agreement that holds its codings."""
    if isinstance(result, Comparison):
        if not result.background:  # documents that were only added up
            return ()
        outputs = {name: result.hypotheses(name) for name in result.systems}
        return tuple(_compared_document(name, result, outputs) for name in result.background)
    coded = result.corpus.values() if result.corpus is not None else ()
    return tuple(_coded_document(one) for one in coded if one)


def _of_comparison(comparison: Comparison) -> Subject:
    documents = documents_of(comparison)
    people = _people_of(comparison, documents)
    agreed = agreement(people, seed=comparison.settings.seed) if people is not None else None
    return Subject(comparison, agreed, people, documents)


def _compared_document(
    name: str, comparison: Comparison, outputs: Mapping[str, Mapping[str, Segmentation]]
) -> ShownDocument:
    known = comparison.background[name]
    document = known.codings if isinstance(known.codings, Document) else None
    kinds: Mapping[str, Kind] = document.kinds if document else {}
    rows = [
        ShownCoding(coder, "person", coding)
        for coder, coding in known.codings.items()
        if coder not in comparison.systems and kinds.get(coder) != "system"
    ]
    agreed = _consensus_of(rows, [one for one in known.coders if consensus_rule(one)])
    systems = [
        ShownCoding(system, "system", done[name])
        for system, done in outputs.items()
        if name in done
    ]
    reference = known.coders[0] if len(known.coders) == 1 else CONSENSUS
    group = document.group if document else None
    return ShownDocument(name, known.units, group, (*rows, *agreed, *systems), reference)


def _consensus_of(rows: list[ShownCoding], rules: list[str]) -> list[ShownCoding]:
    """What half of several people mark, and what a comparison took as its reference."""
    codings = [one.segmentation for one in rows]
    wanted = dict.fromkeys([*rules, *([CONSENSUS] if len(codings) > 1 else [])])
    found = []
    for name in wanted:
        rule = consensus_rule(name)
        if rule is not None and codings:
            found.append(ShownCoding(name, OF_CONSENSUS, consensus(codings, *rule)))
    return found


def _people_of(comparison: Comparison, documents: tuple[ShownDocument, ...]) -> Corpus | None:
    """The documents of a comparison that two people or more coded, as a corpus of people.

    Cases that are codings (`unit="coding"`) show each document several times: none then.
    """
    several = {id(one.codings) for one in comparison.background.values()}
    if len(several) < len(documents):
        return None
    people = {
        document.name: {
            one.coder: one.segmentation for one in document.codings if one.kind == "person"
        }
        for document in documents
    }
    people = {name: codings for name, codings in people.items() if len(codings) > 1}
    if not people:
        return None
    texts = {one.name: one.units for one in documents if one.units and one.name in people}
    groups = {one.name: one.group for one in documents if one.group and one.name in people}
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
    agreed = _consensus_of([one for one in rows if one.kind == "person"], [])
    return ShownDocument(document.name, document.units, document.group, (*rows, *agreed), None)
