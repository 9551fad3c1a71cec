"""The texts that chunks were cut from: a text, a mapping, a file or a folder.

The text of a file is complete, with Python's line ends and without a byte order mark; headings,
code and tables stay in place, because offsets count them. In a folder each text is a document with
the name of its file without the suffix. JSON Lines and tables hold a text per row: `document` and
`text`.
"""

from codecs import BOM_UTF8
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown, truth
from segscore.errors import SegmentationError
from segscore.io.compressed import is_table, stem_of, suffix_of, without_suffix
from segscore.io.files import READABLE, Source, as_path, naming_file, with_line_ends
from segscore.io.formats.chunks import stored_objects
from segscore.io.read_options import DEFAULT_OPTIONS
from segscore.io.source_files import files_of

ALONE = "text"  # what a text without a name is called
SUFFIXES = frozenset(
    (".txt", ".text", ".md", ".markdown", ".mdx", ".rst", ".html", ".htm", ".tex", ".adoc")
)  # what a folder is searched for
_LONGEST_NAME = 250  # of a file; a longer text is none
_EXPECTED = 'an object with "document" and "text" per line'

Texts = str | PathLike[str] | Mapping[str, str]
_ONE_LINE_END = r"line ends \r\n, each of which is one character here"
_NO_MARK = "a byte order mark, which is not a character here"


class SourceTexts(dict[str, str]):
    """Texts by document name; `shifts` says why offsets in a stored file would not fit its text, by
    document."""

    def __init__(self, texts: Mapping[str, str], shifts: Mapping[str, str] | None = None) -> None:
        super().__init__(texts)
        self.shifts: dict[str, str] = dict(shifts or {})

    def only(self, documents: Container[str]) -> "SourceTexts":
        """The texts of these documents."""
        kept = {name: text for name, text in self.items() if name in documents}
        return SourceTexts(kept, self.shifts)


def offset_hint(texts: Mapping[str, str], document: str) -> str:
    """The end of a message about offsets that do not fit: the reason, if the file of the text shows
    it."""
    why = texts.shifts.get(document) if isinstance(texts, SourceTexts) else None
    return "" if why is None else f"; its file has {why}: count in the text as Python reads it"


def stored_source(path: Path, large: bool = False, encoding: str | None = None) -> Source:
    """A file of texts, chunks, questions or retrievals; `large` lifts the limits on its size."""
    choices = replace(DEFAULT_OPTIONS, large=truth(large, "large"), text_encoding=encoding)
    return Source(path, stem_of(path), stem_of(path), encoding, choices=choices)


def source_texts(texts: Any, large: bool = False, encoding: str | None = None) -> SourceTexts:
    """The texts by the names of their documents.

    texts: a single text; a mapping from documents to texts; or a path (not a str, which is a text)
    of a file or a folder.
    large: lift the limits on memory and growth for trusted files.
    encoding: the encoding of text files; None is UTF-8.

    >>> source_texts("It rains.")
    {'text': 'It rains.'}
    """
    shifts: dict[str, str] = {}
    if isinstance(texts, str):
        _refuse_path(texts)
        found: Mapping[Any, Any] = {ALONE: texts}
    elif isinstance(texts, PathLike):
        found = dict(_from_path(as_path(texts), large, encoding, shifts))
    elif isinstance(texts, Mapping):
        found, shifts = texts, getattr(texts, "shifts", {})
    else:
        raise SegmentationError(
            f"texts is {shown(texts)}: expected a text, a mapping from documents to texts, or the "
            "Path of a file or a folder"
        )
    for name, text in found.items():
        if not isinstance(name, str) or not name:
            raise SegmentationError(f"texts names a document {shown(name)}: expected a str")
        if not isinstance(text, str):
            raise SegmentationError(f"document {name!r}: the text is {shown(text)}: expected a str")
        if not text.strip():
            raise SegmentationError(f"document {name!r} is empty: expected some text")
    if not found:
        raise SegmentationError("texts is empty: expected at least one text")
    return SourceTexts(found, shifts)


def _refuse_path(text: str) -> None:
    """Raise if a str, which is always a text, was probably meant as the name of a file."""
    if len(text) < _LONGEST_NAME and text.isprintable() and Path(text).exists():
        raise SegmentationError(
            f"texts is {text!r}, which is the name of a file or a folder: expected the text "
            f"itself, or pathlib.Path({text!r})"
        )


def _from_path(
    path: Path, large: bool, encoding: str | None, shifts: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """The texts of a path; `shifts` collects what reading removed from them."""
    if path.is_dir():
        for file in files_of(path, SUFFIXES):
            name = without_suffix(file.relative_to(path)).as_posix()
            yield name, _text_of(file, large, encoding, shifts, name)
    elif suffix_of(path) in (".jsonl", ".ndjson", ".json") or is_table(suffix_of(path)):
        yield from _stored(stored_source(path, large))
    else:
        yield stem_of(path), _text_of(path, large, encoding, shifts, stem_of(path))


def _text_of(
    file: Path, large: bool, encoding: str | None, shifts: dict[str, str], name: str
) -> str:
    with naming_file(file, READABLE):
        source = stored_source(file, large, encoding)
        marked = file.is_file() and _has_mark(source)  # a pipe can be read only once
        text = source.read_text()
    if not text.strip():
        raise source.fail("the file is empty: expected some text")
    why = [reason for reason, so in ((_NO_MARK, marked), (_ONE_LINE_END, "\r\n" in text)) if so]
    if why:
        shifts[name] = " and ".join(why)
    return with_line_ends(text)


def _has_mark(source: Source) -> bool:
    with source.open() as file:
        return file.read(len(BOM_UTF8)) == BOM_UTF8


def _stored(source: Source) -> Iterator[tuple[str, str]]:
    """The texts of a file with a text per row."""
    names: set[str] = set()
    with naming_file(source.path, READABLE):
        for line, fields in stored_objects(source, _EXPECTED):
            name = fields.get("document") if isinstance(fields, dict) else None
            text = fields.get("text") if isinstance(fields, dict) else None
            if not isinstance(name, str) or not name or not isinstance(text, str):
                raise source.fail(f"{shown(fields)}: expected {_EXPECTED}", line)
            if name in names:
                raise source.fail(f"document {name!r} is there twice: expected it once", line)
            names.add(name)
            yield name, text
