"""Sheets in which people mark texts: a row per unit, a column per coder, nothing marked yet."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Unpack

from segscore.basics.arguments import check_name, check_unicode, shown
from segscore.errors import SegmentationError, check_keywords
from segscore.io.compressed import suffix_of
from segscore.io.files import Source, as_path
from segscore.io.formats.table_formats import check_sheet_names
from segscore.io.read_options import ReadOptions, TextKeywords
from segscore.io.sheet_writing import SheetDocument, save_sheet
from segscore.io.texts import GivenTexts, units_by_document

_SUFFIXES = (".xlsx", ".csv")


def write_sheet(
    texts: GivenTexts,
    path: str | os.PathLike[str],
    *,
    coders: Sequence[str],
    guidelines: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002
    counted: Callable[[int, int], None] | None = None,
    **options: Unpack[TextKeywords],
) -> Path:
    """Write a sheet in which people mark the starts of segments: Excel, or CSV.

    It has a row per unit and a column per coder; an x in a row means that a segment starts there,
    as the sheet itself explains. A column shows the speakers where texts name them. A completed
    sheet is read without any options: `segscore.read`, `segscore agree`.

    texts: a file or folder of texts, or several; a corpus with its texts; or {document: its text,
        or the list of its units}.
    path: the file to write: .xlsx, which needs `segscore[excel]`, or .csv.
    coders: the names of the people, a column for each.
    guidelines: instructions for a second sheet: the text, or a `Path` to a text file.
    units: what a unit is (`sentences`, `lines` …) in texts that are not in units yet; by default
        sentences, paragraphs in Markdown, and what is said at a time in recordings.
    format, text_encoding: the format and encoding of text files; by default suffix and content
        decide, and UTF-8.
    remark: called with each remark on the texts; by default a warning.
    large: read files that would otherwise be refused as too large.
    counted: called with the number of documents and the number of units in the sheet.

    Returns the path.

    >>> import segscore as ss
    >>> folder = getfixture("tmp_path")
    >>> path = ss.pages.sheet({"d": "One. Two."}, folder / "sheet.csv", coders=["ann", "bob"])
    >>> print(path.read_text("utf-8-sig"))
    segscore:start,unit,text (x in a row: a new segment starts there),ann,bob
    d,1,One.,(start),(start)
    d,2,Two.,,
    <BLANKLINE>
    """
    suffix = suffix_of(as_path(path))
    if suffix not in _SUFFIXES:
        raise SegmentationError(f"{path}: expected a file {' or '.join(_SUFFIXES)}")
    names = _names(coders)
    check_keywords(write_sheet, options, TextKeywords.__optional_keys__)
    documents = units_by_document(texts, ReadOptions(**options), format=format, spoken=True)
    check_sheet_names(names, documents)
    instructions = _guidelines(guidelines)
    rows = [
        SheetDocument(name, document, speakers=getattr(document, "speakers", None))
        for name, document in documents.items()
    ]
    save_sheet(rows, names, path, guidelines=instructions)
    if counted is not None:
        counted(len(documents), sum(map(len, documents.values())))
    return Path(path)


def _names(coders: Any) -> list[str]:
    """The names of coders, checked: at least one, each once."""
    if isinstance(coders, str) or not isinstance(coders, Sequence) or not coders:
        raise SegmentationError(
            f"coders is {shown(coders)}: expected a list of names, a column for each"
        )
    for coder in coders:
        check_name(coder, "coders: a name")
        if list(coders).count(coder) > 1:
            raise SegmentationError(f"coders has {coder!r} twice: expected each name once")
    return list(coders)


def _guidelines(given: str | os.PathLike[str] | None) -> str | None:
    if given is None:
        return None
    text = given if isinstance(given, str) else Source(Path(given), "", "").read_text()
    if not text.strip():
        raise SegmentationError("the guidelines are empty: expected some, or leave them out")
    check_unicode(text, "guidelines")
    return text
