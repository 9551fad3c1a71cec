"""The options that say how files are read, and what happens to files that cannot be.

Skipped files are reported at the end: on stderr, in the file of --errors, and by exit code 3.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from segscore.basics.cached import cached_property
from segscore.cli.option_groups import OptionGroup, Section, Written
from segscore.cli.output import remark, remark_all, remark_width, write_table
from segscore.cli.streams import print_error
from segscore.corpus.corpus import Corpus, Scope
from segscore.corpus.table_columns import PARTS, Empty, Marks, TableNotes
from segscore.errors import SegmentationError, nearest
from segscore.io.coder_choice import check_all_met, read_renames
from segscore.io.read_options import SIMILARITY, Duplicates, ReadOptions
from segscore.io.reading import read_chosen
from segscore.tables.table import Table
from segscore.tables.view import Column
from segscore.text.unit_splitting import SNAP, Gaps, Overlap

LargeOption = Annotated[
    bool,
    typer.Option(
        "--large",
        rich_help_panel=Section.READING,
        help="Read files that would take more than 2 GB of memory, and compressed files that grow "
        "more than 500-fold beyond 256 MB. Use it only for files that you trust.",
    ),
]
LenientOption = Annotated[
    bool,
    typer.Option(
        "--lenient",
        rich_help_panel=Section.READING,
        help="Leave out blank lines and empty segments in Choi's format, and the text of lines "
        "that begin like a mark in ranked text; say how many.",
    ),
]
TextEncodingOption = Annotated[
    str | None,
    typer.Option(
        "--text-encoding",
        rich_help_panel=Section.READING,
        metavar="NAME",
        help="Encoding of text files, such as cp1252 or utf-16; by default UTF-8.",
    ),
]


UnfinishedOption = Annotated[
    bool,
    typer.Option(
        "--unfinished",
        help="Also read codings of annotation pages that are not marked as done, and those of "
        "practice documents.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(OptionGroup):
    """How files of codings are read."""

    section = Section.READING

    units: Annotated[
        str | None,
        typer.Option(
            "--units",
            metavar="RULE",
            help="What a unit is, in files of spans or times: lines, paragraphs, sentences, words, "
            "characters, seconds:6. Also seconds:6:3600 (of 3600 s in all) and tier:NAME.",
        ),
    ] = None
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="Spans that do not fit the units: error, snap or keep-start.",
        ),
    ] = "error"
    layer: Annotated[
        str | None,
        typer.Option(
            "--layer", metavar="NAME", help="The tier, layer or label that holds the segments."
        ),
    ] = None
    marks: Annotated[
        Marks | None,
        typer.Option(
            "--marks",
            help="What labels of 0 and 1 mean: 1 is the last unit of a segment (end) or the first "
            "(start). gaps: there is one for each gap between units; ids: numbers are segments; "
            "masses: they are lengths. Required if the file does not say.",
        ),
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="PART=COLUMN,…",
            help="Which column of a table, or key of a JSON object, holds what: "
            "document=doc,coder=name,unit=n. Parts: " + ", ".join(PARTS) + ".",
        ),
    ] = None
    document_name: Annotated[
        str | None,
        typer.Option(
            "--document-name",
            metavar="PATH",
            help="Where Label Studio and doccano keep a document's name: data.doc_id.",
        ),
    ] = None
    durations: Annotated[
        Path | None,
        typer.Option(
            "--durations",
            rich_help_panel=Section.TIMES,
            metavar="FILE",
            help="A file with the duration of each recording. CSV with columns document and "
            "duration (seconds, or 1:02:45), or a JSON object with the seconds of each.",
        ),
    ] = None
    on_error: Annotated[
        str,
        typer.Option(
            "--on-error",
            metavar="raise|skip",
            help="A file of a folder that cannot be read: stop there (raise), or skip it, list it "
            "at the end and exit with 3. Rows of Parquet and Arrow files: stop, or leave them out.",
        ),
    ] = "raise"
    errors: Annotated[
        Path | None,
        typer.Option(
            "--errors",
            metavar="FILE",
            help="Write the list of skipped files, by its suffix as CSV, JSON or text.",
        ),
        Written("--errors"),
    ] = None
    text: Annotated[
        Path | None,
        typer.Option(
            "--text",
            rich_help_panel=Section.CHUNKS,
            metavar="FILE",
            help="The file or folder that chunks were cut from; by default REF.",
        ),
    ] = None
    overlap: Annotated[
        Overlap,
        typer.Option(
            "--overlap",
            rich_help_panel=Section.CHUNKS,
            help="Where the boundary is if two chunks overlap: at the start of the later chunk, in "
            "the middle of the shared text, or at the end of the earlier chunk.",
        ),
    ] = "start"
    allow_gaps: Annotated[
        bool,
        typer.Option(
            "--allow-gaps",
            rich_help_panel=Section.CHUNKS,
            help="Accept chunks that leave out some of the text.",
        ),
    ] = False
    gaps: Annotated[
        Gaps,
        typer.Option(
            "--gaps",
            rich_help_panel=Section.CHUNKS,
            help="Text in no chunk, if --allow-gaps accepts it, belongs to the chunk before or "
            "after it; text: after it if it begins with a heading, a paragraph or a block of code, "
            "else before it.",
        ),
    ] = "text"
    keep_headings: Annotated[
        bool,
        typer.Option(
            "--keep-headings",
            rich_help_panel=Section.CHUNKS,
            help="Headings of Markdown are units, as in its chunks.",
        ),
    ] = False
    each_heading: Annotated[
        bool,
        typer.Option(
            "--each-heading",
            rich_help_panel=Section.CHUNKS,
            help="Each heading starts a segment, even if another heading follows it directly; with "
            "--keep-headings, or with chunks.",
        ),
    ] = False
    snap: Annotated[
        int,
        typer.Option(
            "--snap",
            rich_help_panel=Section.CHUNKS,
            help="How many characters a cut of chunks may move, to the nearer end of the unit that "
            "it is inside. A cut further inside is an extra boundary.",
        ),
    ] = SNAP
    word_times: Annotated[
        Path | None,
        typer.Option(
            "--word-times",
            rich_help_panel=Section.TIMES,
            metavar="FILE",
            help="A file of words with times (CTM, or a transcript in JSON): the units of files "
            "that hold times, such as chapters, turns or labels.",
        ),
    ] = None
    lenient: LenientOption = False
    large: LargeOption = False
    base: Annotated[
        int | None,
        typer.Option(
            "--base",
            help="With --from llm: the number of the first unit in a model's answers, 0 or 1; "
            "required if no number in an answer decides it.",
        ),
    ] = None
    similarity: Annotated[
        float,
        typer.Option(
            "--similarity",
            help="With --from llm: how similar changed text must be to the document's own words, 0 "
            "… 1.",
        ),
    ] = SIMILARITY
    separator: Annotated[
        str | None,
        typer.Option(
            "--separator",
            metavar="TEXT",
            help="With --from llm: what separates the segments of a copied text, such as "
            r"\n\n.",
        ),
    ] = None
    text_encoding: TextEncodingOption = None
    only_coders: Annotated[
        str | None,
        typer.Option(
            "--only-coders",
            metavar="CODER,…",
            help="Read only these coders, by their names in the files: a,b,c.",
        ),
    ] = None
    without_coders: Annotated[
        str | None,
        typer.Option("--without-coders", metavar="CODER,…", help="Leave these coders out."),
    ] = None
    rename: Annotated[
        list[str] | None,
        typer.Option(
            "--rename",
            metavar="OLD=NEW",
            help="Another name for a coder; or a CSV file with a column of old names and a column "
            "of new names. May be repeated.",
        ),
    ] = None
    rename_labels: Annotated[
        list[str] | None,
        typer.Option(
            "--rename-label",
            metavar="OLD=NEW",
            help="Another name for a label of segments: Récit=narration; or such a CSV file. May "
            "be repeated.",
        ),
    ] = None
    ignore_columns: Annotated[
        str | None,
        typer.Option(
            "--ignore-columns",
            metavar="COLUMN,…",
            help="Columns of a sheet that belong to no coder. For instance comments, times.",
        ),
    ] = None
    empty: Annotated[
        Empty,
        typer.Option(
            "--empty",
            help="A coder's column that is empty for a whole document: not coded, or a coding "
            "without a boundary (none).",
        ),
    ] = "not-coded"
    duplicates: Annotated[
        Duplicates,
        typer.Option(
            "--duplicates",
            help="Two codings of a document by the same coder: an error, or keep the first or the "
            "last, by the time of export if pages made them, else in the order of files.",
        ),
    ] = "error"
    all_sheets: Annotated[
        bool,
        typer.Option(
            "--all-sheets", help="Each sheet of an Excel file is a document with the sheet's name."
        ),
    ] = False
    ignore_sheets: Annotated[
        str | None,
        typer.Option(
            "--ignore-sheets",
            metavar="SHEET,…",
            help="With --all-sheets: sheets that are not documents, such as instructions.",
        ),
    ] = None
    one_document: Annotated[
        str | None,
        typer.Option(
            "--one-document",
            metavar="NAME",
            help="All files code this one document; each file is named after its coder.",
        ),
    ] = None
    unfinished: UnfinishedOption = False

    @cached_property
    def _remarks(self) -> list[str]:
        return []

    @cached_property
    def options(self) -> ReadOptions:
        """The options as the library takes them; remarks of readers go to stderr."""
        given = {
            **vars(self),
            "columns": columns_in(self.columns) if self.columns else {},
            "durations": durations_in(self.durations),
            "remark": self._remarks.append,
            "notes": TableNotes(receipt="sheets"),
            "separator": self.separator and self.separator.replace("\\n", "\n"),
            "encoding": self.text_encoding,
            "only_coders": None if self.only_coders is None else names_in(self.only_coders),
            "without_coders": names_in(self.without_coders),
            "ignore_columns": names_in(self.ignore_columns),
            "ignore_sheets": names_in(self.ignore_sheets),
            "rename": pairs_in(self.rename, "--rename", self.text_encoding),
            "rename_labels": pairs_in(self.rename_labels, "--rename-label", self.text_encoding),
        }
        del given["errors"], given["text_encoding"]
        return ReadOptions(**given)

    def options_for(self, ignore_text: bool) -> ReadOptions:
        """The reading options, with `ignore_text` if a command has that option and it is given."""
        return replace(self.options, ignore_text=True) if ignore_text else self.options

    def read(
        self,
        path: Path | list[Path],
        form: str | None = None,
        *,
        coders: Scope | None = None,
        more_follow: bool = False,
        ignore_text: bool = False,
    ) -> Corpus:
        """The corpus in the files; names that no file has are an error, unless more files
        follow."""
        corpus = read_chosen(path, form, self.options_for(ignore_text), coders=coders)
        if not more_follow:
            self.check()
        return corpus

    def check(self) -> None:
        """Report the remarks of readers; refuse names of coders, labels and columns that no file
        had."""
        self._tell_remarks()
        check_all_met(self.options)

    def _tell_remarks(self) -> None:
        remark_all(self._remarks)
        self._remarks.clear()

    @contextmanager
    def around(self) -> Iterator[None]:
        """Report skipped files at the end."""
        options = self.options
        try:
            yield
            self.check()
        finally:
            self._tell_remarks()
            if options.on_error == "skip":
                tell_skipped(options, self.errors)
        if options.skipped:
            raise typer.Exit(SKIPPED)


def names_in(given: str | None) -> tuple[str, ...]:
    """`a,b,c` as names."""
    return () if given is None else tuple(part.strip() for part in given.split(",") if part.strip())


def pairs_in(given: list[str] | None, option: str, encoding: str | None) -> dict[str, str]:
    """{old: new} from OLD=NEW, and from CSV files with two columns."""
    found: dict[str, str] = {}
    for text in given or ():
        old, mark, new = (part.strip() for part in text.partition("="))
        if mark and (not old or not new):
            raise SegmentationError(f"{option} is {text!r}: expected OLD=NEW, or a CSV file")
        if not mark and not Path(text).is_file():
            raise SegmentationError(
                f"{option} is {text!r}, and there is no such file: expected OLD=NEW, or a CSV file"
            )
        for name, other in ({old: new} if mark else read_renames(text, encoding)).items():
            if found.setdefault(name, other) != other:
                raise SegmentationError(f"{option}: {name!r} is listed twice: expected it once")
    return found


_BETWEEN_PARTS = re.compile(r",(?=\s*\w+\s*=|\s*$)")  # the name of a column may have commas, too


def columns_in(given: list[str]) -> dict[str, str]:
    """{part: column} from `part=column,part=column`."""
    found: dict[str, str] = {}
    for pair in (part for text in given for part in _BETWEEN_PARTS.split(text)):
        part, mark, name = pair.partition("=")
        if not mark or not name.strip():
            raise SegmentationError(
                f"--map has {pair!r}: expected PART=COLUMN, PART one of {', '.join(PARTS)}"
            )
        if part.strip() not in PARTS:
            raise SegmentationError(
                f"--map has {pair!r}, and no part is called {part.strip()!r}"
                f"{nearest(part.strip(), PARTS)}"
            )
        if part.strip() in found:
            raise SegmentationError(f"--map: {part.strip()} is listed twice: expected it once")
        found[part.strip()] = name.strip()
    return found


def durations_in(path: Path | None) -> dict[str, float]:
    """The durations of recordings, by name."""
    if path is None:
        return {}
    from segscore.io.document_lists import read_durations

    return read_durations(path)


SKIPPED = 3  # exit code: done, but some files were skipped


def tell_skipped(reading: ReadOptions, errors: Path | None = None) -> None:
    """Report which files were skipped: a table on stderr, and in a file if its name is given."""
    table = _skipped_table(reading)
    if reading.skipped:
        remark(f"{len(reading.skipped)} files skipped:")
        print_error(table.render("text", remark_width()))
    if errors is not None:
        write_table(table, errors)


def _skipped_table(reading: ReadOptions) -> Table:
    seen = dict.fromkeys(reading.skipped)  # a reference is read once for each hypothesis
    reading.skipped[:] = list(seen)
    return Table([Column("file"), Column("reason")], [list(row) for row in seen])
