"""Read files and folders of any format: into a corpus, a stream of records, or columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from segscore.corpus.codings import Codings, CodingsBuilder
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLACED, PLAIN, Provenance
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, check_keywords, named
from segscore.io.cleaning import (
    add_texts,
    begin_counting,
    check_all_met,
    cleaned,
    counted,
    tell_notes,
    tell_unfinished,
)
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats import jsonl
from segscore.io.read_options import (
    DEFAULT_OPTIONS,
    DEFAULT_RULE,
    ReadKeywords,
    ReadOptions,
)
from segscore.io.source_files import PathLike, skipping, sources_of_all
from segscore.io.zips import unpacked
from segscore.text.located_units import LocatedUnits, source_text
from segscore.text.unit_splitting import in_pieces

if TYPE_CHECKING:
    from segscore.coding.scored import ScoredBoundaries

_BY_HAND = ("table", "sheet", "wide")  # formats that people fill in


@overload
def read(  # type: ignore[overload-overlap]
    path: PathLike | Sequence[PathLike],
    format: Literal["scores"],
    **options: Unpack[ReadKeywords],
) -> "dict[str, ScoredBoundaries]": ...


@overload
def read(
    path: PathLike | Sequence[PathLike],
    format: str | None = None,
    **options: Unpack[ReadKeywords],
) -> Corpus: ...


def read(
    path: PathLike | Sequence[PathLike],
    format: str | None = None,  # noqa: A002
    **options: Unpack[ReadKeywords],
) -> "Corpus | dict[str, ScoredBoundaries]":
    """Read a file, or all files of a folder, into a corpus.

    Parameters
    ----------
    path
        A file, a folder, or a zip archive, which is read like a folder. In a folder, files with the
        suffix of a format are read, including those in subfolders; hidden files are not. Several
        paths, for instance one per coder, become a single corpus.
    format
        The name of a format (docs/formats.md); by default suffix and content decide. `scores` are
        those of a system that scores boundaries, by document, for `segscore.curve`.
    coders
        Whether coder names are `global` or `local` to a document; by default the file decides, and
        names are global if it does not say.
    coder
        The name of the coder, if a format does not name one; by default the name of the file or
        folder, and `reference` for files `….ref` and `….dev`.
    text_encoding
        The encoding of text files; by default UTF-8 (for Choi's and Carroll's formats, else
        latin-1).
    units, policy, layer
        For files of annotation tools, which hold spans or times (docs/readers.md): what a unit is
        (`lines`, `sentences`, `seconds:6` …), what to do about spans that do not fit the units
        (`error`, `snap`, `keep-start`), and which tier, layer or label holds the segments.
    remark
        Called with what the policy changed; by default a warning.
    marks
        What labels of 0 and 1 mean, in tables and JSON: `end` (1 is the last unit of a segment),
        `start` (the first unit), `gaps` (one symbol fewer than units); or that numbers are `ids`
        (the segment of each unit) or `masses`. It is never guessed.
    columns
        Which column of a table, or key of a JSON object, holds what: {"document": "doc_id"}.
    document_name
        Where Label Studio and doccano keep the document's name: `data.doc_id`.
    durations
        The duration of each recording, in seconds, by document.
    on_error
        What to do about a file of a folder that cannot be read: `raise` an error, or `skip` it.
    skipped
        A list to which skipped files are added, with reasons; without it, they cause a warning.
    text, overlap, allow_gaps, gaps, snap
        For chunks (docs/guides/chunkers.md): the file or folder with the texts that they were cut
        from; where the boundary is if two chunks overlap; whether text may be in no chunk, and to
        which chunk it then belongs; how many characters a cut inside a unit may move.
    keep_headings, each_heading
        Whether the headings of Markdown are text, as in its chunks, and units are those on which
        chunks are placed (`place_chunks`), in any format with text; and, if so, whether each
        heading starts a segment, even if another heading follows it directly.
    word_times
        A file of words with times (CTM, or a transcript in JSON): they are the units of files that
        hold times, such as chapters or speakers.
    lenient
        Leave out blank lines and empty segments of Choi's format, and in ranked text the text of
        lines that begin like a mark; `remark` is called with their number.
    large
        Read files that would take more than 2 GB of memory, and compressed files that grow more
        than 500-fold beyond 256 MB; otherwise they are refused.
    shape, base, similarity, separator
        For answers of a language model (`format="llm"`), whose units are in `text`: what was asked
        for, and how it is read; see `segscore.answers.read`.
    only_coders, without_coders
        The coders to read, or to leave out, by their names in the files.
    rename, rename_labels
        Other names for coders, and for labels of segments: {"old": "new"}.
    ignore_columns
        Columns of a sheet with a column per coder that belong to no coder: comments, times.
    empty
        What a column of a sheet means that is empty for a whole document: `not-coded`, or `none`, a
        coding without boundaries.
    duplicates
        What to do about two codings of a document by the same coder, as in exports of forms: raise
        an `error`, or keep the `first` or the `last`: by the time at which pages exported them, or
        in the order of the files.
    all_sheets
        Whether each sheet of an Excel file is a document with the name of the sheet.
    one_document
        The name of the document that all files code, each by the person after whom the file is
        named.
    ignore_sheets
        Sheets of an Excel file that are not documents, with `all_sheets`: instructions.
    ignore_text
        Whether codings of the same document may have different texts with the same number of units:
        the first text is kept, and `remark` is called with the names of these documents.
    unfinished
        Whether to read codings of annotation pages that their coder did not mark as done, and those
        of practice documents; by default they are left out, and `remark` is called with their
        number.
    """
    check_keywords(read, options, ReadKeywords.__optional_keys__)
    if format == "scores":
        from segscore.io.document_lists import read_scores

        check_keywords(read, options, ("marks", "text_encoding"))
        return read_scores(path, None, **options)  # type: ignore[arg-type, misc]
    choices = ReadOptions(**options)
    corpus = read_chosen(path, format, choices)
    finish_reading(choices, _as_paths(path), options)
    return corpus


def finish_reading(
    choices: ReadOptions, paths: Sequence[PathLike], given: Mapping[str, Any]
) -> None:
    """Report how many files were not read, unless the caller gave a list for them; raise for names
    that no file had."""
    if choices.skipped and "skipped" not in given:
        first = f"{choices.skipped[0].file}: {choices.skipped[0].reason}"
        choices.remark(f"{_called(paths)}: {len(choices.skipped)} files skipped: {first}")
    check_all_met(choices)


def read_chosen(
    path: PathLike | Sequence[PathLike],
    format: str | None,  # noqa: A002
    choices: ReadOptions,
) -> Corpus:
    """`read` with choices that were made before; the caller checks for names that no file has
    (`check_all_met`), because another file may have them."""
    codings = read_columns(path, format, choices)
    return Corpus.from_columns(codings, codings.scope, codings.provenance)


def read_columns(
    path: PathLike | Sequence[PathLike],
    format: str | None = None,  # noqa: A002
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> Codings:
    """Read a file, or all files of a folder, into a table of codings, for scoring.

    choices: how to read files of spans, times and labels, as in `read`.
    """
    choices = ReadOptions() if choices is DEFAULT_OPTIONS else choices  # notes of its own
    called = _called(_as_paths(path))
    with _sources(path, format, choices) as found:
        codings = _codings_of(found, called)
    if choices.skipped and not codings.documents:
        first = choices.skipped[0]
        raise SegmentationError(
            f"{called}: no file could be read: the first is {first.file}: {first.reason}"
        )
    return codings


def read_records(
    path: PathLike | Sequence[PathLike],
    format: str | None = None,  # noqa: A002
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> Iterator[Record]:
    """Read a file, or all files of a folder, as a stream of records, with little in memory at a
    time.

    choices: how to read files of spans, times and labels, as in `read`.
    """
    choices = ReadOptions() if choices is DEFAULT_OPTIONS else choices  # notes of its own
    with _sources(path, format, choices) as found:
        begin_counting(choices.notes)
        people: set[str] = set()
        for record in _records_of(found, []):
            if record.coder is not None:
                people.add(record.coder)
            yield record
        tell_notes(_called(_as_paths(path)), choices, _rule_of(found))
        tell_unfinished(_called(_as_paths(path)), choices, people)


def _as_paths(path: PathLike | Sequence[PathLike]) -> list[PathLike]:
    paths: list[Any] = [*path] if isinstance(path, list | tuple) else [path]
    if not paths:
        raise SegmentationError("path is an empty list: expected a file, a folder, or several")
    return paths


def _called(paths: Sequence[PathLike]) -> str:
    """The name of several paths together in messages."""
    return ", ".join(map(str, paths))


Found = list[tuple[Source, Format]]  # the files to read
Headers = list[tuple[Source, Provenance]]  # what files of JSON Lines say about their units


@contextmanager
def _sources(
    path: PathLike | Sequence[PathLike],
    format: str | None,  # noqa: A002
    choices: ReadOptions,
) -> Iterator[Found]:
    """The files to read, unpacked."""
    paths = _as_paths(path)
    with ExitStack() as archives:
        tops = [archives.enter_context(unpacked(each, large=choices.large)) for each in paths]
        yield sources_of_all(tops, format, choices, paths)


def _codings_of(found: Found, called: str) -> Codings:
    """The codings of some files in a single table; `called` is their name in messages."""
    choices = found[0][0].choices
    builder = CodingsBuilder(ignore_text=choices.ignore_text)
    begin_counting(choices.notes)
    headers: Headers = []
    by_record = choices.on_error == "skip" or choices.changes_people
    if by_record or any(kind.name != "jsonl" for _, kind in found):
        builder.add_all(_records_of(found, headers))
        tell_notes(called, choices, _rule_of(found))
    else:
        headers = [(source, jsonl.read_rows(source, builder)) for source, _ in found]
    add_texts(builder, choices)
    codings = builder.codings(choices.coders, called, _provenance(found, headers))
    if choices.keep_headings and all(kind.name != "chunks" for _, kind in found):
        codings = _with_pieces(codings, choices.snap)
    tell_unfinished(called, choices, codings.coders)
    if builder.differing:
        choices.remark(
            f"{called}: the texts of {len(builder.differing)} of {len(codings.documents)} "
            f"documents differ, and the first is kept: {named(list(builder.differing))}"
        )
    return codings


def _with_pieces(codings: Codings, snap: int) -> Codings:
    """Codings with long units in pieces, on which chunks are placed. Readers of text files have
    done it already: their units know their offsets."""
    builder = CodingsBuilder()
    changed = False
    for document in Corpus.from_columns(codings, codings.scope, codings.provenance).values():
        records = document.records(local=codings.scope == "local")
        if document.units is None or isinstance(document.units, LocatedUnits):
            builder.add_all(records)
            continue
        whole = source_text(document.units)
        pieces = in_pieces(whole.text, whole.units, snap)
        lengths = np.bincount(np.cumsum([at not in pieces.inner for at in range(pieces.n)]) - 1)
        changed = changed or bool(pieces.inner)
        for record in records:
            coding = record.segmentation
            if coding is not None:
                coding = coding.expand(lengths, candidates=coding.candidates is not None)
            units = None if record.units is None else pieces.texts
            builder.add(replace(record, segmentation=coding, units=units, labels=None))
    if not changed:
        return codings
    made = builder.codings(codings.scope, codings.source, codings.provenance)
    return replace(made, failures=codings.failures)


def _rule_of(found: Found) -> str | None:
    """The rule of units, if the caller chose it for files without units of their own."""
    source, kind = found[0]
    return source.choices.units if kind.chooses else None


def _provenance(found: Found, headers: Headers) -> Provenance:
    """How the units of these files are formed; formats with units of their own have no options."""
    kind, choices = found[0][1], found[0][0].choices
    if kind.name == "jsonl":
        made = PLAIN
        for number, (line, told) in enumerate(headers):
            what = f"cannot read {line.at()} together with others"
            made = made.joined(told, what) if number else told
        return made
    if not kind.chooses:
        return PLAIN
    kept = choices.keep_headings and kind.name == "markdown"
    more: dict[str, str | None] = {}
    if kept:
        more = {"headings": "each" if choices.each_heading else "kept", "snap": str(choices.snap)}
    elif kind.name == "chunks":
        from segscore.text.chunk_placing import placing_told

        placed = choices.notes.placed
        more = dict(placing_told(choices.overlap, choices.allow_gaps, choices.gaps, choices.snap))
        more |= {name: str(placed[name]) for name in PLACED if placed[name]}
    rule = choices.units or (DEFAULT_RULE if kept else None)
    units = rule if choices.word_times is None else "words"
    return Provenance.of(units, choices.policy, choices.layer, **more)


def _records_of(found: Found, headers: Headers) -> Iterator[Record]:
    """The records of the requested coders in all files; they are counted unless they come from our
    own JSON Lines, whose streams may be long."""
    (first, _), choices = found[0], found[0][0].choices
    records = cleaned(_all_records(found, headers), choices, first.at())
    if choices.notes.receipt == "always" or any(kind.name in _BY_HAND for _, kind in found):
        records = counted(records, choices.notes)
    return records


def _all_records(found: Found, headers: Headers) -> Iterator[Record]:
    """The records of all files; if files may be skipped, each is read completely before any of its
    records is returned."""
    noted = len(found) > 1 and any(kind.name == "table" for _, kind in found)
    for source, kind in found:
        records: Iterable[Record] = ()
        with skipping(source):
            is_lines = kind.name == "jsonl"
            records = jsonl.read(source, headers) if is_lines else kind.read(source)
            records = records if source.choices.on_error == "raise" else list(records)
        for record in records:
            if noted and (record.segmentation is not None or record.units is not None):
                source.choices.notes.read_before[record.document] = record.n_units
            yield record
