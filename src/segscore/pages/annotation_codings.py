"""Codings that an annotation page begins with (prefill), and the gold of its practice documents."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.coding.levels import Levels
from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, named
from segscore.pages.annotation_texts import TextToAnnotate, document_to_annotate


class MarkRules(NamedTuple):
    """What coders may give: how many levels, which labels, or free titles."""

    levels: int = 1
    labels: tuple[str, ...] = ()
    titles: bool = False


def mark_rules(levels: Any, labels: Any, titles: Any) -> MarkRules:
    """Check the rules and return them."""
    if not isinstance(levels, int) or isinstance(levels, bool) or not 1 <= levels <= 6:
        raise SegmentationError(f"levels is {shown(levels)}: expected a whole number from 1 to 6")
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise SegmentationError(f"labels is {shown(labels)}: expected a list of labels")
    found: list[str] = []
    for label in labels:
        if not isinstance(label, str) or not label.strip():
            raise SegmentationError(f"labels has {shown(label)}: expected a text that is not blank")
        if label.strip() in found:
            raise SegmentationError(f"label {label.strip()!r} is listed twice: expected each once")
        found.append(label.strip())
    if found and titles:
        raise SegmentationError(
            "labels and titles are both given: expected a list to choose from, or free titles"
        )
    return MarkRules(levels, tuple(found), bool(titles))


def given_coding(document: Document, what: str) -> tuple[str, Segmentation] | None:
    """The only coder of a document, and their coding; None if it has only a text."""
    if not len(document):
        return None
    if len(document) > 1:
        raise SegmentationError(
            f"{what}: document {document.name!r} is coded by {named(document)}: expected one "
            "coding; segscore convert with only_coders writes those of one coder"
        )
    (coding,) = document.items()
    return coding


def check_fits(text: TextToAnnotate, document: Document, what: str) -> None:
    """Refuse a coding of another text."""
    if document.n_units != len(text.units):
        raise SegmentationError(
            f"{what}: document {text.name!r} has {document.n_units:,} units, and the text has "
            f"{len(text.units):,}: expected a coding of the same units"
        )
    if document.units is not None and tuple(document.units) != text.units:
        place = next(
            i for i, (a, b) in enumerate(zip(document.units, text.units, strict=True), 1) if a != b
        )
        raise SegmentationError(
            f"{what}: unit {place} of document {text.name!r} is "
            f"{document.units[place - 1][:60]!r}, and the text has {text.units[place - 1][:60]!r}: "
            "expected a coding of the same text"
        )


def prefilled_codings(
    texts: Sequence[TextToAnnotate],
    corpus: Corpus,
    rules: MarkRules,
    remark: Callable[[str], None],
) -> dict[str, dict[str, Any]]:
    """The boundaries that each document begins with, and their coder, by document."""
    found: dict[str, dict[str, Any]] = {}
    ignored = False
    for text in texts:
        document = corpus.get(text.name)
        given = None if document is None else given_coding(document, "prefill")
        if document is None or given is None:
            continue
        check_fits(text, document, "prefill")
        coder, coding = given
        if isinstance(coding, Levels):
            raise SegmentationError(
                f"prefill: document {text.name!r} has several levels, each with segments of its "
                "own: expected one segmentation, whose boundaries may have ranks"
            )
        labels = _labels_of(coding, rules, text.name)
        ignored |= labels is None and coding.segment_labels is not None
        found[text.name] = {
            "by": coder,
            "boundaries": coding.boundaries.tolist(),
            "levels": _levels_of(coding, rules, text.name),
            "labels": labels,
        }
    if not found:
        raise SegmentationError(
            f"prefill has {named(corpus)}, and the texts are "
            f"{named([text.name for text in texts])}: expected codings of the same documents"
        )
    if len(found) < len(texts):
        remark(
            f"prefill has no coding of {len(texts) - len(found)} of {len(texts)} documents: they "
            "begin without boundaries"
        )
    names = {text.name for text in texts}
    others = [name for name in corpus if name not in names]
    if others:
        remark(f"prefill has codings of documents that are not to be annotated: {named(others)}")
    if ignored:
        remark("prefill has labels, and the page asks for none: they are left out")
    return found


def _levels_of(given: Segmentation, rules: MarkRules, name: str) -> list[int] | None:
    if rules.levels == 1 or given.ranks is None:  # many systems rank boundaries by their strength
        return None
    ranks: list[int] = given.ranks.tolist()
    if max(ranks, default=1) > rules.levels:
        raise SegmentationError(
            f"prefill: document {name!r} has a boundary of level {max(ranks)}: expected at most "
            f"{rules.levels}, as levels= says"
        )
    return ranks


def _labels_of(given: Segmentation, rules: MarkRules, name: str) -> list[str | None] | None:
    if given.segment_labels is None or not (rules.labels or rules.titles):
        return None
    found: list[str | None] = []
    for labels in label_sets(given.segment_labels):
        if len(labels) > 1:
            raise SegmentationError(
                f"prefill: document {name!r} has a segment with {len(labels)} labels: expected one"
            )
        label = next(iter(labels), None)
        if label is not None and rules.labels and label not in rules.labels:
            raise SegmentationError(
                f"prefill: document {name!r} has the label {label!r}: expected one of "
                f"{named(rules.labels)}, as labels= says"
            )
        found.append(label)
    return found


def practice_documents(
    texts: Sequence[TextToAnnotate], gold: Corpus
) -> tuple[list[TextToAnnotate], dict[str, list[int]]]:
    """The documents, those for practice first, and the boundaries of their gold. Documents of the
    gold that are not among the texts are added, with the text that the gold has."""
    known: Mapping[str, TextToAnnotate] = {text.name: text for text in texts}
    practice: list[TextToAnnotate] = []
    answers: dict[str, list[int]] = {}
    for name, document in gold.items():
        given = given_coding(document, "practice")
        if given is None:
            continue
        if name not in known and document.units is None:
            raise SegmentationError(
                f"practice: document {name!r} has no text, and is not among the texts: expected "
                "its units in the file, or its text among the texts"
            )
        text = known[name] if name in known else document_to_annotate(document)
        check_fits(text, document, "practice")
        practice.append(text)
        answers[name] = given[1].boundaries.tolist()
    if not answers:
        raise SegmentationError("practice holds no coding: expected gold of some documents")
    return [*practice, *(text for text in texts if text.name not in answers)], answers
