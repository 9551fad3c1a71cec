"""The texts of an annotation page: files, corpora, or units in memory, as one kind of document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError, about
from segscore.io.read_options import ReadOptions
from segscore.io.texts import SpokenUnits, units_by_document

MOST_DOCUMENTS = 5_000
MOST_UNITS = 100_000  # of a document
MOST_CHARACTERS = 20_000_000
_LATEST = 1e9  # seconds

_EXPECTED_UNIT = 'a text, or {"text": …, "speaker": …, "start": seconds}'


@dataclass(frozen=True)
class TextToAnnotate:
    """A document: its units, their speakers and times (in seconds) where these are known, and its
    group."""

    name: str
    units: tuple[str, ...]
    speakers: tuple[str | None, ...] | None = None
    starts: tuple[float | None, ...] | None = None
    group: str | None = None


def texts_to_annotate(texts: Any, options: ReadOptions) -> tuple[list[TextToAnnotate], Provenance]:
    """The documents in their order, and how a reader formed their units."""
    if isinstance(texts, Corpus):
        _refuse_rule(options.units, "a corpus has")
        return [document_to_annotate(text) for text in texts.values()], texts.provenance
    spoken: dict[str, SpokenUnits] = {}
    if isinstance(texts, Mapping):
        spoken = {
            name: _with_details(name, given) for name, given in texts.items() if _has_details(given)
        }
        if any(not isinstance(text, str) for text in texts.values()):
            _refuse_rule(options.units, "lists of units have")
        texts = {name: spoken.get(name, given) for name, given in texts.items()}
    found = units_by_document(texts, options, spoken=True)
    return [_document(name, spoken.get(name, given)) for name, given in found.items()], PLAIN


def _refuse_rule(units: str | None, what: str) -> None:
    if units is not None:
        raise SegmentationError(f"units is {units!r}, and {what} units of their own: leave it out")


def document_to_annotate(document: Document) -> TextToAnnotate:
    """A document of a corpus, which must have its text."""
    if document.units is None:
        raise SegmentationError(
            f"document {document.name!r} has no text: expected units, because people read them; "
            "corpus.with_details(units=…) adds them"
        )
    return TextToAnnotate(document.name, tuple(document.units), group=document.group)


def _document(name: str, units: Sequence[str]) -> TextToAnnotate:
    if not isinstance(units, SpokenUnits):
        return TextToAnnotate(name, tuple(units))
    speakers = None if units.speakers is None else tuple(units.speakers)
    starts = None if units.starts is None else tuple(units.starts)
    return TextToAnnotate(name, tuple(units), speakers, starts)


def _has_details(given: Any) -> bool:
    return isinstance(given, list | tuple) and any(isinstance(unit, Mapping) for unit in given)


def _with_details(name: Any, given: Sequence[Any]) -> SpokenUnits:
    with about(f"document {name!r}"):
        rows = [_details(unit, i) for i, unit in enumerate(given, 1)]
    return SpokenUnits(*zip(*rows, strict=True))


def _details(unit: Any, number: int) -> tuple[str, str | None, float | None]:
    """Text, speaker and start of a unit."""
    if isinstance(unit, str):
        return unit, None, None
    known = isinstance(unit, Mapping) and set(unit) <= {"text", "speaker", "start"}
    if not known or not isinstance(unit.get("text"), str):
        raise SegmentationError(f"unit {number} is {shown(unit)}: expected {_EXPECTED_UNIT}")
    speaker, start = unit.get("speaker"), unit.get("start")
    if speaker is not None:
        check_name(speaker, f"unit {number}: speaker")
    is_number = isinstance(start, int | float) and not isinstance(start, bool)
    if start is not None and not (is_number and 0 <= start < _LATEST):
        raise SegmentationError(f"unit {number}: start is {shown(start)}: expected seconds")
    return unit["text"], speaker, None if start is None else float(start)


def check_sizes(documents: Sequence[TextToAnnotate]) -> None:
    """Refuse texts that a page cannot hold, or a browser cannot show."""
    if len(documents) > MOST_DOCUMENTS:
        raise SegmentationError(
            f"{len(documents):,} documents: expected at most {MOST_DOCUMENTS:,} on a page; write "
            "several pages"
        )
    characters = 0
    for document in documents:
        if len(document.units) > MOST_UNITS:
            raise SegmentationError(
                f"document {document.name!r} has {len(document.units):,} units: expected at most "
                f"{MOST_UNITS:,}; take larger units, or cut the document into several"
            )
        characters += sum(map(len, document.units))
    if characters > MOST_CHARACTERS:
        raise SegmentationError(
            f"the texts have {characters:,} characters: expected at most {MOST_CHARACTERS:,} on a "
            "page; write several pages"
        )
