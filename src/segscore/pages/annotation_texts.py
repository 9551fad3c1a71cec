"""The texts of an annotation page: files, corpora, or units in memory, as one kind of document."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import check_name, check_unicode
from segscore.errors import SegmentationError, about
from segscore.io.plain_texts import TextReading
from segscore.io.read_options import ReadOptions
from segscore.io.spoken_texts import SpokenUnits
from segscore.text.unit_splitting import units_of

MOST_DOCUMENTS = 5_000
MOST_UNITS = 100_000  # of a document
MOST_CHARACTERS = 20_000_000

_EXPECTED = (
    "paths of texts, a corpus with units, or {name of a document: its text, or a list of its units}"
)
_EXPECTED_UNIT = 'a text, or {"text": …, "speaker": …, "start": seconds}'


@dataclass(frozen=True)
class TextToAnnotate:
    """A document: its units, who says each and when (seconds), where that is known, its group."""

    name: str
    units: tuple[str, ...]
    speakers: tuple[str | None, ...] | None = None
    starts: tuple[float | None, ...] | None = None
    group: str | None = None


@dataclass(frozen=True)
class TextChoices:
    """How texts are read: the rule of units, the encoding of files, and who is told remarks."""

    units: str | None
    encoding: str | None
    remark: Callable[[str], None]
    large: bool = False


def texts_to_annotate(
    texts: Any, choices: TextChoices
) -> tuple[list[TextToAnnotate], Provenance]:
    """The documents in their order, and how a reader formed their units."""
    provenance = PLAIN
    if isinstance(texts, Corpus):
        _refuse_rule(choices, "a corpus")
        found = [document_to_annotate(one) for one in texts.values()]
        provenance = texts.provenance
    elif isinstance(texts, Mapping):
        found = [_from_memory(name, given, choices) for name, given in texts.items()]
    else:
        found = _from_files(texts, choices)
    return found, provenance


def _refuse_rule(choices: TextChoices, what: str) -> None:
    if choices.units is not None:
        raise SegmentationError(
            f"units is {choices.units!r}, and {what} has its own units: leave units out"
        )


def document_to_annotate(document: Document) -> TextToAnnotate:
    """A document of a corpus, which must have its text."""
    if document.units is None:
        raise SegmentationError(
            f"document {document.name!r} has no text: expected units, because people read them; "
            "corpus.with_details(units=…) adds them"
        )
    return TextToAnnotate(document.name, tuple(document.units), group=document.group)


def _from_memory(name: Any, given: Any, choices: TextChoices) -> TextToAnnotate:
    check_name(name, "document")
    with about(f"document {name!r}"):
        if isinstance(given, str):
            check_unicode(given, "the text")
            return TextToAnnotate(name, tuple(units_of(given, choices.units or "sentences")))
        if isinstance(given, Mapping) or not isinstance(given, Sequence):
            raise SegmentationError(f"{shown(given)}: expected its text, or a list of its units")
        _refuse_rule(choices, "a list of units")
        if isinstance(given, SpokenUnits):
            return _spoken(name, given)
        if not any(isinstance(one, Mapping) for one in given):
            return TextToAnnotate(name, tuple(_text_of(one, i) for i, one in enumerate(given, 1)))
        rows = [_details(one, i) for i, one in enumerate(given, 1)]
        said = SpokenUnits(*map(list, zip(*rows, strict=True)))
        return _spoken(name, said)


def _text_of(unit: Any, number: int) -> str:
    if not isinstance(unit, str):
        raise SegmentationError(f"unit {number} is {shown(unit)}: expected {_EXPECTED_UNIT}")
    return unit


def _details(unit: Any, number: int) -> tuple[str, str | None, float | None]:
    """Text, speaker and start of a unit."""
    if not isinstance(unit, Mapping):
        return _text_of(unit, number), None, None
    unknown = [one for one in unit if one not in ("text", "speaker", "start")]
    if unknown:
        raise SegmentationError(f"unit {number} has {unknown[0]!r}: expected {_EXPECTED_UNIT}")
    speaker, start = unit.get("speaker"), unit.get("start")
    if speaker is not None and not isinstance(speaker, str):
        raise SegmentationError(f"unit {number}: speaker is {shown(speaker)}: expected a name")
    number_given = isinstance(start, int | float) and not isinstance(start, bool)
    if start is not None and not (number_given and 0 <= start < 1e9):
        raise SegmentationError(f"unit {number}: start is {shown(start)}: expected seconds")
    return _text_of(unit.get("text"), number), speaker, None if start is None else float(start)


def _spoken(name: str, said: SpokenUnits) -> TextToAnnotate:
    speakers = None if said.speakers is None else tuple(said.speakers)
    starts = None if said.starts is None else tuple(said.starts)
    return TextToAnnotate(name, tuple(said), speakers, starts)


def _from_files(texts: Any, choices: TextChoices) -> list[TextToAnnotate]:
    paths = [texts] if isinstance(texts, str | os.PathLike) else texts
    if isinstance(paths, bytes) or not isinstance(paths, Sequence):
        raise SegmentationError(f"texts is {shown(texts)}: expected {_EXPECTED}")
    wrong = next((one for one in paths if not isinstance(one, str | os.PathLike)), None)
    if wrong is not None:
        raise SegmentationError(f"texts has {shown(wrong)}: expected {_EXPECTED}")
    options = ReadOptions(remark=choices.remark, large=choices.large)
    reading = TextReading(options, units=choices.units, encoding=choices.encoding, spoken=True)
    found = reading.documents([Path(one) for one in paths])
    return [
        _spoken(name, units) if isinstance(units, SpokenUnits) else TextToAnnotate(name, tuple(units))
        for name, units in found.items()
    ]


def check_sizes(documents: Sequence[TextToAnnotate]) -> None:
    """Refuse what one page cannot hold, or a browser cannot show."""
    if not documents:
        raise SegmentationError(f"there is no text to annotate: expected {_EXPECTED}")
    if len(documents) > MOST_DOCUMENTS:
        raise SegmentationError(
            f"{len(documents):,} documents: expected at most {MOST_DOCUMENTS:,} on a page; write "
            "several pages"
        )
    characters = 0
    for one in documents:
        if not one.units:
            raise SegmentationError(f"document {one.name!r} is empty: expected text")
        if len(one.units) > MOST_UNITS:
            raise SegmentationError(
                f"document {one.name!r} has {len(one.units):,} units: expected at most "
                f"{MOST_UNITS:,}; take larger units (--units), or cut the document into several"
            )
        characters += sum(map(len, one.units))
    if characters > MOST_CHARACTERS:
        raise SegmentationError(
            f"the texts have {characters:,} characters: expected at most {MOST_CHARACTERS:,} on a "
            "page; write several pages"
        )
