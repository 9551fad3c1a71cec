"""Texts that a caller gives for people to mark: files, folders, a corpus, or the texts themselves.

In any form they become the units of each document, by its name.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError
from segscore.io.plain_texts import TextReading
from segscore.io.read_options import DEFAULT_OPTIONS, DEFAULT_RULE, ReadOptions
from segscore.text.unit_splitting import units_of

GivenTexts = (
    str
    | os.PathLike[str]
    | Sequence[str | os.PathLike[str]]
    | Corpus
    | Mapping[str, str | Sequence[str]]
)


def units_by_document(
    texts: GivenTexts,
    options: ReadOptions = DEFAULT_OPTIONS,
    *,
    format: str | None = None,  # noqa: A002
    spoken: bool = False,
) -> dict[str, list[str]]:
    """The units of each document, by its name.

    texts: a file or folder of texts, or several; a corpus with its texts; or {document: its text,
        or the list of its units}.
    options: how files are read, and the function to call with remarks; `units` is what a unit is
        (`sentences`, `lines` …) in texts that are not in units yet: by default sentences, and
        paragraphs in Markdown.
    format: the format of files; by default suffix and content decide.
    spoken: whether units of recordings and dialogues keep their speakers and times.

    >>> units_by_document({"a": "One. Two.", "b": ["x", "y"]})
    {'a': ['One.', 'Two.'], 'b': ['x', 'y']}
    """
    if isinstance(texts, Corpus):
        found = {name: _units_known(name, document.units) for name, document in texts.items()}
    elif isinstance(texts, Mapping):
        found = {name: _units_in(name, text, options.units) for name, text in texts.items()}
    else:
        return TextReading(options, format, spoken).documents(_paths(texts))
    if not found:
        raise SegmentationError("texts is empty: expected at least one document")
    return found


def _paths(texts: Any) -> list[Path]:
    """The files and folders."""
    several = [texts] if isinstance(texts, str | os.PathLike) else texts
    if not isinstance(several, list | tuple) or not several:
        raise SegmentationError(
            f"texts is {shown(texts)}: expected files, a corpus, or {{document: text}}"
        )
    for path in several:
        if not isinstance(path, str | os.PathLike):
            raise SegmentationError(f"texts has {shown(path)}: expected the name of a file")
    return [Path(path) for path in several]


def _units_known(name: str, known: Sequence[str] | None) -> list[str]:
    """The units of a document of a corpus."""
    if known is None:
        raise SegmentationError(
            f"document {name!r} has no text: expected one; corpus.with_details(units=…) adds it"
        )
    return list(known)


def _units_in(name: Any, text: Any, rule: str | None) -> list[str]:
    """The units of a text; a list of units stays unchanged."""
    check_name(name, "document")
    if isinstance(text, str):
        text = units_of(text, rule or DEFAULT_RULE)
        if not text:
            raise SegmentationError(f"document {name!r} is empty: expected text")
    return list(Record(name, units=text).units or ())  # which checks them
