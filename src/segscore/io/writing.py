"""Write a corpus, or a stream of records, in any format that can hold it; and sheets for people.

Sheets for people have a row per unit with its text, a column per coder, x where a segment starts.

    segscore:start | unit | text (x in a row: …) | ann     | bob
    ch1            | 1    | It was a bright day. | (start) | (start)
    ch1            | 2    | Nobody spoke.        |         | x

The first cell says what the marks mean, so that such a sheet is read without an option. The first
unit of each document always starts a segment: its cells hold `(start)`, and need no answer. A
coding without boundaries has 0 in its column, because an empty column was not coded. The kind of a
coder follows the name: `gold [consensus]`. Where the speakers of a text are known, a column
`speaker` stands before the text.

Excel is written with XlsxWriter (`segscore[excel]`), CSV in UTF-8 with a byte order mark, without
which spreadsheets misread it. Texts that begin with =, +, - or @ are texts, not formulas.
"""

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from segscore.basics.arguments import check_name, check_unicode
from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, PLAIN, Corpus, Provenance, Record
from segscore.errors import SegmentationError, check_keywords, needing
from segscore.io import files
from segscore.io.format import FORMATS, Format, fitting, format_named
from segscore.io.formats import jsonl
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions, TextKeywords
from segscore.io.reading import PathLike, Paths, check_all_met, read_chosen
from segscore.io.table_columns import UNANSWERABLE
from segscore.io.table_files import OWN_SHEET, row_text
from segscore.io.texts import GivenTexts, units_by_document
from segscore.io.workbooks import LONGEST, WIDEST


def write(
    corpus: Corpus | Mapping[str, Any] | Segmentation | Iterable[Record | Segmentation],
    path: PathLike,
    format: str | None = None,  # noqa: A002
    *,
    lossy: bool = False,
) -> None:
    """Write a corpus (or records) to a file; without `format`, the suffix decides.

    Segmentations in a list, or by document in a mapping, are written as the coder who has the name
    of the file.

    The file is written beside its target and then moved there, so it is never half written. An
    error names what the format cannot hold; with `lossy` it is left out instead. Formats with a
    document per file write into a folder, or into a file with the name of the document.
    """
    kind = _format(path, format)
    records: Any = corpus
    if isinstance(corpus, Segmentation | Mapping | list | tuple):
        corpus = _corpus_of(corpus, files.stem_of(files.as_path(path)))
    if isinstance(corpus, Corpus):
        records = corpus.records()
    provenance = corpus.provenance if isinstance(corpus, Corpus) else PLAIN
    _write(fitting(records, kind, lossy), path, kind, lossy, provenance)


def _corpus_of(given: Any, coder: str) -> Any:
    """The corpus of segmentations by document (and coder), or in a list; a corpus and records stay
    as they are."""
    if isinstance(given, Corpus):
        return given
    if not isinstance(given, Mapping):
        codings = [given] if isinstance(given, Segmentation) else given
        if all(isinstance(record, Record) for record in codings):
            return given
        given = {str(place): coding for place, coding in enumerate(codings)}
    named = {
        name: coding if isinstance(coding, Mapping) else {coder: coding}
        for name, coding in given.items()
    }
    return Corpus.from_dict(named)


def convert(
    source: Paths,
    target: PathLike,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    choices: ReadOptions = DEFAULT_OPTIONS,
    lossy: bool = False,
    clean: Callable[[Corpus], Corpus] | None = None,
) -> None:
    """Read a file in one format and write it in another.

    A source without any record is an error, and the target does not change. `read` and `write`
    explain the parameters.

    source, target: the file or folder to read, or several, and the file to write.
    from_format, to_format: names of formats; None: suffix and content decide.
    choices: how to read files of spans, times and labels, as in `read`.
    lossy: True leaves out what the target cannot hold.
    clean: makes what is written of what was read: `lambda corpus: corpus.select(coders=["ann"])`.
    """
    choices = ReadOptions() if choices is DEFAULT_OPTIONS else choices  # notes of its own
    kind = _format(target, to_format)
    corpus = read_chosen(source, from_format, choices)
    check_all_met(choices)
    corpus = corpus if clean is None else clean(corpus)
    named = ", ".join(map(str, source if isinstance(source, list | tuple) else [source]))
    what = f"{named} holds no coding: expected at least one to convert"
    files.expect(corpus or corpus.failures, what)
    _write(fitting(corpus.records(), kind, lossy), target, kind, lossy, corpus.provenance)


def _format(target: PathLike, name: str | None) -> Format:
    """The format to write, by its name or the suffix; a pipe without one gets JSON Lines."""
    path = files.as_path(target)
    written = {each.name: each for each in FORMATS.values() if each.is_written}
    if name is None and not path.suffix and files.is_stream(path):
        return written["jsonl"]
    if name is None:
        suffix = files.suffix_of(path)
        kind = next((each for each in written.values() if suffix in each.suffixes), None)
    else:
        kind = format_named(name)
    if kind is None or not kind.is_written:
        fault = f"{name} can be read, but not written"
        fault = f"{path}: the suffix does not say the format" if name is None else fault
        raise SegmentationError(f"{fault}: expected format=, one of {', '.join(written)}")
    return kind


def _write(
    records: Iterable[Record], path: PathLike, kind: Format, lossy: bool, provenance: Provenance
) -> None:
    if kind.save is not None:
        kind.save(Corpus.from_rows(records), path)
        return
    if kind.write is not None:
        with files.replacing(path) as stream:
            if kind.name == "jsonl":
                jsonl.write_jsonl(records, stream, provenance)
            else:
                kind.write(records, stream)
        return
    assert kind.files is not None  # noqa: S101  # a format has one or the other
    corpus = Corpus.from_rows(records)
    files.expect(corpus, f"{path}: nothing to write: expected at least one document")
    target = Path(path)
    texts = kind.files(corpus, lossy)
    if not files.is_stream(target) and (
        files.suffix_of(target) not in kind.suffixes or target.is_dir()
    ):
        with files.replacing_folder(path) as folder:
            for name, text in texts:
                file = files.folder_file(folder, name, kind.suffixes[0])
                with file.open("x", encoding="utf-8", newline="") as stream:
                    stream.writelines(text)
        return
    name, text = next(texts)
    expected = name.rpartition("/")[2] if kind.name == "levels" else name
    fits = next(texts, None) is None and (lossy or files.stem_of(target) == expected)
    what = f"{target}: in {kind.title} ({kind.name}) a file holds one document and has its name"
    file_name = f"{expected}{kind.suffixes[0]}"
    files.expect(fits, f"{what}: expected a folder; or for one document {file_name}, or lossy=True")
    with files.replacing(target) as stream:
        stream.writelines(text)


# ---- sheets for people ----

TEXT_HEADER = "text (x in a row: a new segment starts there)"
MARK, NO_MARK = "x", "0"
_LONGEST_CELL = 32_767  # characters, as Excel has it
_EXPLAINED = (
    "Put an x into your column, in each row where a new segment starts.",
    "The first unit of a document always starts a segment: leave (start) unchanged.",
    "Leave all other cells empty. If a whole document has no boundary, put 0 into its rows.",
    "A column that is empty for a whole document counts as not coded.",
)
WITH_KIND = re.compile(r"(.+) \[(\w+)\]")  # how a header names the kind of a coder
_UNWRITABLE = frozenset("\0\ufffe\uffff")
_WRITTEN = datetime(2000, 1, 1)  # so that the same sheet is the same file


class SheetDocument(NamedTuple):
    """A document of a sheet: its name, its units (or their number, if no text is known), its
    existing codings, by coder, and the speaker of each unit, if known."""

    name: str
    units: Sequence[str] | int
    codings: Mapping[str, Segmentation] = {}
    speakers: Sequence[str | None] | None = None

    @property
    def n_units(self) -> int:
        """The number of rows that it takes."""
        return self.units if isinstance(self.units, int) else len(self.units)


def save_sheet_documents(
    documents: Iterable[SheetDocument],
    coders: Sequence[str],
    path: str | os.PathLike[str],
    *,
    guidelines: str | None = None,
) -> None:
    """Write a sheet: Excel if the suffix says so, else CSV.

    coders: the headers of the columns, in their order; `guidelines` go onto a second sheet.
    """
    kept = list(documents)
    spoken = any(document.speakers is not None for document in kept)
    header = [OWN_SHEET, "unit", *["speaker"] * spoken, TEXT_HEADER, *coders]
    rows = (row for document in kept for row in _rows(document, coders, spoken))
    if files.suffix_of(files.as_path(path)) in files.EXCEL:
        n_rows = sum(document.n_units for document in kept) + 1
        what = f"{path}: {n_rows:,} rows and {len(header):,} columns"
        most = f"expected at most {LONGEST:,} and {WIDEST:,}, as Excel has them, or CSV"
        files.expect(n_rows <= LONGEST and len(header) <= WIDEST, f"{what}: {most}")
        _save_workbook(header, rows, path, guidelines, len(coders))
        return
    what = f"{path}: guidelines are given, and CSV has one sheet: expected a file .xlsx"
    files.expect(guidelines is None, what)
    with files.replacing(path) as stream:
        stream.write("\ufeff" + row_text(header))
        stream.writelines(map(row_text, rows))


def _rows(document: SheetDocument, coders: Sequence[str], spoken: bool) -> Iterator[list[Any]]:
    """A row per unit; `spoken`: with a cell for the speaker. The cells of a coder are empty if the
    coder did not code the document."""
    columns = []
    for coding in map(document.codings.get, coders):
        blank = NO_MARK if coding is not None and coding.n_segments == 1 else ""
        cells = [blank or UNANSWERABLE, *[blank] * (document.n_units - 1)]
        for position in () if coding is None else coding.boundaries.tolist():
            cells[position] = MARK
        columns.append(cells)
    texts = [""] * document.units if isinstance(document.units, int) else document.units
    speakers = document.speakers or [None] * document.n_units
    for number, (text, speaker) in enumerate(zip(texts, speakers, strict=True)):
        said = [speaker or ""] * spoken
        yield [document.name, number + 1, *said, text, *(column[number] for column in columns)]


def _save_workbook(
    header: list[str],
    rows: Iterable[list[Any]],
    path: str | os.PathLike[str],
    guidelines: str | None,
    n_coders: int,
) -> None:
    """Write Excel; each document begins with a line above it."""
    with needing("excel", f"{path}: writing Excel (CSV works without it)"):
        import xlsxwriter
    kept = io.BytesIO()
    book = xlsxwriter.Workbook(kept, {"in_memory": True})
    book.set_properties({"created": _WRITTEN})
    sheet = book.add_worksheet("segments")
    text = {"valign": "top", "text_wrap": True}
    mark = {"valign": "top", "align": "center"}
    head = book.add_format({**text, "bold": True, "bottom": 1, "bg_color": "#E8EDF2"})
    grey = {"top": 2, "font_color": "#808080", "bg_color": "#E0E0E0"}
    looks = [book.add_format(each) for each in (text, mark, {**text, "top": 2}, {**mark, **grey})]
    sheet.freeze_panes(1, 0)
    first_mark = len(header) - n_coders
    for column, width in enumerate((16, 6, *[16] * (first_mark - 3), 80, *[12] * (n_coders + 1))):
        sheet.set_column(column, column, width)
    for column, name in enumerate(header):
        sheet.write_string(0, column, _fitting(name, path), head)
    for number, cells in enumerate(rows, start=1):
        for column, cell in enumerate(cells):
            look = looks[2 * (cells[1] == 1) + (column >= first_mark)]
            if isinstance(cell, int):
                sheet.write_number(number, column, cell, look)
            elif cell or column < first_mark:
                sheet.write_string(number, column, _fitting(cell, path), look)
            else:
                sheet.write_blank(number, column, None, look)
    about = book.add_worksheet("guidelines")
    about.set_column(0, 0, 100, book.add_format(text))
    for number, line in enumerate((*_EXPLAINED, "", *(guidelines or "").splitlines())):
        about.write_string(number, 0, line[:_LONGEST_CELL])
    book.close()
    with files.replacing(path) as stream:
        stream.buffer.write(kept.getvalue())


def _fitting(text: str, path: str | os.PathLike[str]) -> str:
    """A text that Excel can hold."""
    fits = len(text) <= _LONGEST_CELL and not set(text) & _UNWRITABLE
    most = f"expected at most {_LONGEST_CELL:,} in a cell, without NUL, U+FFFE or U+FFFF"
    files.expect(fits, f"{path}: a text of %s characters, %s: {most}", len(text), text)
    return text


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
    fits = files.suffix_of(files.as_path(path)) in (".xlsx", ".csv")
    files.expect(fits, f"{path}: expected a file .xlsx or .csv")
    listed = [] if isinstance(coders, str) or not isinstance(coders, Sequence) else [*coders]
    for coder in listed:
        check_name(coder, "coders: a name")
    fits = bool(listed) and len({*listed}) == len(listed)
    files.expect(fits, "coders is %s: expected a list of names, each once", coders)
    check_keywords(write_sheet, options, TextKeywords.__optional_keys__)
    documents = units_by_document(texts, ReadOptions(**options), format=format, spoken=True)
    check_sheet_names(coders, documents)
    if guidelines is not None and not isinstance(guidelines, str):
        guidelines = files.Source(Path(guidelines), "", "").read_text()
    if guidelines is not None:
        check_unicode(guidelines, "guidelines")
        files.expect(guidelines.strip(), "the guidelines are empty: expected some, or None")
    speakers = {name: getattr(units, "speakers", None) for name, units in documents.items()}
    rows = (SheetDocument(name, documents[name], {}, who) for name, who in speakers.items())
    save_sheet_documents(rows, coders, path, guidelines=guidelines)
    if counted is not None:
        counted(len(documents), sum(map(len, documents.values())))
    return Path(path)


def check_sheet_names(coders: Sequence[str], documents: Mapping[str, Sequence[str] | None]) -> None:
    """Raise for names that would be read back differently, and for documents without a word.

    documents: the units of each, where they are known.
    """
    blank = next((name for name, units in documents.items() if units and not any(units)), None)
    what = f"document {blank!r} has empty texts alone: expected some text, or none at all"
    files.expect(blank is None, what)
    for name in (*coders, *documents):
        matched = WITH_KIND.fullmatch(name) if name in coders else None
        fits = name == name.strip() and (matched is None or matched[2] not in KINDS)
        what = "expected a name without blanks around it, or [system] behind it"
        files.expect(fits, f"{'coder' if name in coders else 'document'} {name!r}: {what}")
