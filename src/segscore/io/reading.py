"""Read files and folders of any format: into a corpus, a stream of records, or columns.

What stands under a path is found first: files with their formats, and what must be read before them
(the texts that chunks were cut from, words with times). Their records become one table of codings.
Codings that annotation pages exported unfinished, and those of practice documents, are left out and
counted, unless the caller wants them; the text beside such a coding goes to the next coding of its
document. People are chosen and renamed in what was read (`Corpus.select`, `Corpus.rename`). A name
that no file has is a mistake; it is refused once everything is read (`check_all_met`).
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from segscore.corpus import Codings, CodingsBuilder, Corpus
from segscore.corpus.provenance import PLACED, PLAIN, Provenance
from segscore.corpus.record import Record, spelt_alike
from segscore.errors import SegmentationError, check_keywords, first_of, named, nearest, number_of
from segscore.io import files
from segscore.io import format as formats
from segscore.io.files import REFERENCE, Source, suffix_of, unpacked
from segscore.io.formats import jsonl
from segscore.io.read_options import (
    DEFAULT_OPTIONS,
    DEFAULT_RULE,
    ReadKeywords,
    ReadOptions,
    Skipped,
)
from segscore.io.table_columns import TableNotes
from segscore.text.unit_splitting import Stretches

if TYPE_CHECKING:
    from segscore.coding.scored import ScoredBoundaries

PathLike = str | os.PathLike[str]
Paths = PathLike | Sequence[PathLike]
Found = list[tuple[Source, formats.Format]]  # the files to read, with their formats
Headers = list[tuple[Source, Provenance]]  # what files of JSON Lines say about their units

# formats that need the texts of documents, of which all but chunks take their number of units
_ABOUT_TEXTS = ("chunks", "llm", "table")
_BY_HAND = ("table", "sheet", "wide")  # formats that people fill in
_MOST_DOCUMENTS = 10**5  # whose names are compared


@overload
def read(  # type: ignore[overload-overlap]
    path: Paths, format: Literal["scores"], **options: Unpack[ReadKeywords]
) -> "dict[str, ScoredBoundaries]": ...


@overload
def read(path: Paths, format: str | None = None, **options: Unpack[ReadKeywords]) -> Corpus: ...


def read(
    path: Paths,
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
        from segscore.io.read_keys import read_scores

        check_keywords(read, options, ("marks", "text_encoding"))
        return read_scores(path, None, **options)  # type: ignore[arg-type, misc]
    choices = ReadOptions(**options)
    corpus = read_chosen(path, format, choices)
    finish_reading(choices, path, options)
    return corpus


def finish_reading(choices: ReadOptions, path: Paths, given: Mapping[str, Any]) -> None:
    """Report how many files were not read, unless the caller gave a list for them; raise for names
    that no file had."""
    if choices.skipped and "skipped" not in given:
        called, first = ", ".join(map(str, _as_paths(path))), ": ".join(choices.skipped[0])
        choices.remark(f"{called}: {len(choices.skipped)} files skipped: {first}")
    check_all_met(choices)


def read_chosen(path: Paths, name: str | None, choices: ReadOptions) -> Corpus:
    """`read` with choices that were made before; the caller checks for names that no file has
    (`check_all_met`), because another file may have them."""
    codings = read_columns(path, name, choices)
    return Corpus.from_columns(codings, codings.scope, codings.provenance)


def read_columns(
    path: Paths,
    format: str | None = None,  # noqa: A002
    choices: ReadOptions = DEFAULT_OPTIONS,
    known: Sequence[str] = (),
) -> Codings:
    """Read a file, or all files of a folder, into a table of codings, for scoring.

    choices: how to read files of spans, times and labels, as in `read`.
    known: the documents of the other side, whose names are shared if they are the same.
    """
    called = ", ".join(map(str, _as_paths(path)))
    choices = replace(choices, notes=choices.notes.fresh())
    notes, builder = choices.notes, CodingsBuilder(ignore_text=choices.ignore_text, known=known)
    headers: Headers = []
    each = choices.on_error == "skip" or choices.duplicates != "error" or choices.one_document
    with _sources(path, format, choices) as found:
        choices = found[0][0].choices
        plain = not each and all(kind.name == "jsonl" for _, kind in found)
        if plain:
            headers = [(source, jsonl.read_rows(source, builder)) for source, _ in found]
        else:
            records = formats.finished_records(_all_records(found, headers), choices)
            builder.add_all(records if choices.duplicates == "error" else _once(records, choices))
        if notes.unfinished_texts:
            lacking = notes.unfinished_texts.keys() - builder.texts.keys()
            for name in lacking & {*builder.rows.documents}:
                builder.add(Record(name, units=notes.unfinished_texts[name]))
        codings = builder.codings(choices.coders, called, _provenance(found, headers))
    if choices.keep_headings and all(kind.name != "chunks" for _, kind in found):
        from segscore.io.formats.text_files import codings_in_pieces

        codings = codings_in_pieces(codings, choices.snap)
    if choices.skipped and not codings.documents:
        first = ": ".join(choices.skipped[0])
        raise SegmentationError(f"{called}: no file could be read: the first is {first}")
    messages = [*notes.remarks()]
    by_hand = any(kind.name in _BY_HAND for _, kind in found)
    if by_hand or (notes.receipt == "always" and not plain):
        messages += _receipt(codings, notes, choices.units if found[0][1].chooses else None)
    if notes.unfinished:
        messages.append(_left_out(notes.unfinished, codings.coders, called))
    if differing := list(builder.differing):
        count = f"the texts of {len(differing)} of {len(codings.documents)} documents differ"
        messages.append(f"{count}, and the first is kept: {named(differing)}")
    for message in messages:
        choices.remark(f"{called}: {message}")
    return codings


def read_records(
    path: Paths,
    format: str | None = None,  # noqa: A002
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> Iterator[Record]:
    """The records of files one by one; `choices` are those of `read`."""
    yield from read_chosen(path, format, choices).records()


def _as_paths(path: Paths) -> list[PathLike]:
    paths: list[Any] = [*path] if isinstance(path, list | tuple) else [path]
    if not paths:
        raise SegmentationError("path is an empty list: expected a file, a folder, or several")
    for each in paths:
        files.as_path(each)
    return paths


@contextmanager
def _sources(path: Paths, name: str | None, choices: ReadOptions) -> Iterator[Found]:
    """The files under some paths, unpacked. If folders have files that would be the reference of
    the same document, each folder belongs to a person."""
    paths = _as_paths(path)
    with ExitStack() as archives:
        tops = [archives.enter_context(unpacked(each, large=choices.large)) for each in paths]
        parts = [sources(top, name, choices, each) for top, each in zip(tops, paths, strict=True)]
        unnamed = Counter(
            source.document for part in parts for source, _ in part if source.coder == REFERENCE
        )
        several = choices.coder is None and max(unnamed.values(), default=0) > 1
        for part, top, each in zip(parts, tops, paths, strict=True):
            if several and top.is_dir() and all(source.coder == REFERENCE for source, _ in part):
                coder = Path(each).name or REFERENCE
                part[:] = [(replace(source, coder=coder), kind) for source, kind in part]
        yield [pair for part in parts for pair in part]


def _provenance(found: Found, headers: Headers) -> Provenance:
    """How the units of these files are formed; formats with units of their own have no options."""
    kind, choices = found[0][1], found[0][0].choices
    if headers:
        (_, made), *others = headers
        for line, told in others:
            made = made.joined(told, f"cannot read {line.at()} together with others")
        return made
    if not kind.chooses:
        return PLAIN
    kept = choices.keep_headings and kind.name == "markdown"
    more: dict[str, str | None] = {}
    if kept:
        more = {"headings": "each" if choices.each_heading else "kept", "snap": str(choices.snap)}
    elif kind.name == "chunks":
        from segscore.text.chunk_placing import placing_fields

        placed = choices.notes.placed
        more = dict(placing_fields(choices.overlap, choices.allow_gaps, choices.gaps, choices.snap))
        more |= {name: str(placed[name]) for name in PLACED if placed[name]}
    rule = choices.units or (DEFAULT_RULE if kept else None)
    units = rule if choices.word_times is None else "words"
    return Provenance.of(units, choices.policy, choices.layer, **more)


def _all_records(found: Found, headers: Headers) -> Iterator[Record]:
    """The records of all files; if files may be skipped, each is read completely before any of its
    records is returned."""
    noted = len(found) > 1 and any(kind.name == "table" for _, kind in found)
    for source, kind in found:
        choices = source.choices
        records: Iterable[Record] = ()
        with skipping_file(source.at(), source.choices):
            is_lines = kind.name == "jsonl"
            records = jsonl.read_jsonl(source, headers) if is_lines else kind.read(source)
            records = records if choices.on_error == "raise" else list(records)
        for record in records:
            if choices.one_document not in (None, record.document):
                raise SegmentationError(
                    f"{record.place}: document {record.document!r} is named there: expected no "
                    f"one_document ({choices.one_document!r}), or files that name none"
                )
            if noted and (record.segmentation is not None or record.units is not None):
                choices.notes.read_before[record.document] = record.n_units
            yield record


def _once(records: Iterable[Record], choices: ReadOptions) -> Iterable[Record]:
    """A single coding of each document by each coder: the first or the last, by the time at which
    pages exported them, or else in the order of the files."""
    found: dict[tuple[str, str | int], Record] = {}
    for number, record in enumerate(records):
        key = record.document, number if record.coder is None else record.coder
        before = found.setdefault(key, record)
        if before is record:
            continue
        pair = [before, record]
        texts = [each.annotation and each.annotation.exported for each in pair]
        times = [datetime.fromisoformat(text) for text in texts if text]
        times = [time.replace(tzinfo=time.tzinfo or UTC) for time in times]
        if all(texts) and times[1] < times[0]:
            pair.reverse()
        found[key], dropped = reversed(pair) if choices.duplicates == "last" else pair
        choices.notes.left_out.append(
            f"{key[0]!r} by {key[1]!r}, {dropped.place} (kept: {found[key].place})"
        )
    return found.values()


# ---- what is said ----


def _receipt(codings: Codings, notes: TableNotes, rule: str | None) -> Iterator[str]:
    """How much was read, and which names may be the same; rule: what a unit is, if the caller chose
    it."""
    if len(codings.documents) > _MOST_DOCUMENTS:
        return
    for names in spelt_alike(codings.coders):
        yield (
            f"coders {named(names)} are read as different people: if they are one, rename "
            f"({names[1]}={names[0]}) joins them"
        )
    for names in spelt_alike(codings.documents)[:3]:
        yield f"documents {named(names)} are read as different: if they are one, correct the files"
    wanted = notes.receipt == "always" or (notes.receipt != "never" and notes.sheets)
    if wanted and codings.documents:
        n_units = sum(map(codings.n_units_of, range(len(codings.documents))))
        people = number_of(len(codings.coders), "coder")
        people += f" ({first_of(codings.coders, 8)})" if codings.coders else ""
        counts = f"{number_of(len(codings.documents), 'document')}, {people}"
        yield f"{counts}, {number_of(n_units, 'unit')}" + (f" ({rule})" if rule else "")


def _left_out(unfinished: Mapping[tuple[str, str], int], people: Sequence[str], called: str) -> str:
    """How many codings were left out, and why; raise if nothing that counts is left."""
    by_reason, by_coder = Counter[str](), Counter[str]()
    for (coder, reason), n in unfinished.items():
        by_reason[reason] += n
        by_coder[coder] += n
    reasons = " and ".join(f"{n:,} {reason}" for reason, n in sorted(by_reason.items())[::-1])
    if not people:
        raise SegmentationError(
            f"{called}: nothing is left: all codings are unfinished or practice ({reasons}): "
            "expected documents that the coder marked as done; unfinished=True reads them"
        )
    lost = [coder for coder in by_coder if coder not in people]
    return (
        f"{number_of(by_reason.total(), 'coding')} left out, {reasons} "
        f"({first_of([f'{coder} {n:,}' for coder, n in by_coder.most_common()], 8)})"
        f"{f'; nothing is left of {named(lost)}' if lost else ''}; unfinished=True reads them"
    )


def check_all_met(choices: ReadOptions) -> None:
    """Raise for names that no file had, and for choices that no format of the files uses."""
    notes = choices.notes
    used = frozenset[str]().union(*(keys for _, keys in notes.keys.values()))
    for name in (key.replace("-", "_") for key in formats.KEYS if notes.keys and key not in used):
        if getattr(choices, name) != getattr(DEFAULT_OPTIONS, name):
            read = ", ".join(f"{first} ({kind})" for kind, (first, _) in notes.keys.items())
            own = sorted(key.replace("-", "_") for key in used - {"keep-headings", "snap"})
            end = nearest(name, own) if own else ": expected none"
            raise SegmentationError(f"{read}: {name} is given, and not used{end}")
    for what in ("column", "sheet"):
        for name in getattr(choices, f"ignore_{what}s"):
            wrong = f"ignore_{what}s: no {what} is called {name!r}: expected a {what} of the files"
            files.expect((what, name) in notes.met, wrong)


# ---- the files under a path ----


def sources(
    path: PathLike,
    name: str | None,
    choices: ReadOptions = DEFAULT_OPTIONS,
    called: PathLike | None = None,
) -> Found:
    """The files to read under a path, with their formats; `called` is the name of the path in
    messages."""
    top = Path(path)
    shown_top = top if called is None else Path(called)
    name, listed = _files_under(top, name, choices)
    named_by = top if top.is_dir() and choices.one_document is None else None
    everything = [
        Source(
            file,
            choices.one_document or document,
            choices.coder or coder or _usual_coder(file, named_by or file),
            choices.text_encoding,
            choices.coder is not None,
            choices,
            str(shown_top / file.relative_to(top)) if shown_top != top else None,
        )
        for file, document, coder in listed
    ]
    if choices.all_sheets:
        from segscore.io.table_files import each_sheet

        everything = [sheet for source in everything for sheet in each_sheet(source)]
    if name is None and top.is_dir():
        return _prepared(_of_one_format(everything, shown_top, choices), shown_top)
    kind = None if name is None else formats.format_named(name)
    return _prepared([(each, kind or formats.recognise(each)) for each in everything], shown_top)


def _files_under(
    top: Path, name: str | None, choices: ReadOptions
) -> tuple[str | None, list[tuple[Path, str, str | None]]]:
    """The format, if it is clear, and the files with their documents and coders."""
    if not top.is_dir():
        return name, [(top, files.stem_of(top), None)]
    prose = formats.suffixes_of(formats.format_named("markdown"))
    kind = None if name is None else formats.format_named(name)
    suffixes = formats.suffixes_of(kind) if kind else prose | formats.all_suffixes()
    labels = choices.marks is not None and name in (None, "gaps")
    if labels and not any(suffix_of(file) in suffixes for file in all_files(top)):
        suffixes = frozenset({".txt"})
    listed = files.project_files(top) or [
        (file, files.without_suffix(file.relative_to(top)).as_posix(), None)
        for file in files_of(top, suffixes)
    ]
    if name is not None:
        return name, listed
    # Markdown beside other files is mostly documentation
    others = [file for file in listed if suffix_of(file[0]) not in prose]
    return (None, others) if others else ("markdown", listed)


def _usual_coder(file: Path, named_by: Path) -> str:
    """The coder of a file that names none; named_by: the file or folder that is named after it."""
    if suffix_of(file) in (".ref", ".dev"):
        return REFERENCE
    stem = named_by.stem if named_by.is_dir() else files.stem_of(named_by)
    return stem or named_by.resolve().name


def _prepared(found: Found, called: Path) -> Found:
    """The files with what must be read before them: the texts that chunks were cut from, or words
    with times. Unused choices are reported."""
    choices, kind = found[0][0].choices, found[0][1]
    for file, each in found:
        choices.notes.keys.setdefault(each.name, (file.at(), each.used_keys))
    if choices.units is not None and not kind.chooses:
        choices.remark(f"{called}: units={choices.units!r} is not used: {kind.name} has its own")
    prepared, text = choices, choices.text
    if isinstance(choices.word_times, str | os.PathLike) and kind.chooses:
        prepared = replace(choices, word_times=_words_from(choices.word_times, choices))
    elif text is None and kind.name == "chunks":  # else its reader says what is lacking
        prepared = replace(choices, units=choices.units or DEFAULT_RULE)
    elif isinstance(text, str | os.PathLike) and kind.name in _ABOUT_TEXTS:
        chunked = replace(choices, keep_headings=choices.keep_headings or kind.name == "chunks")
        prepared = texts_from(text, None, chunked, counted=kind.name != "chunks")
    elif isinstance(text, str | os.PathLike):
        what = f"text={os.fspath(text)!r} is not used for it: text is for chunks"
        choices.remark(f"{called}: {what}, and {kind.name} holds none")
    return [(replace(file, choices=prepared), kind) for file, kind in found]


def _words_from(path: PathLike, choices: ReadOptions) -> dict[str, Stretches]:
    """The words of each recording, with their times."""
    from segscore.io.formats.recordings import words_with_times

    with unpacked(path) as top:
        found = sources(top, None, ReadOptions(text_encoding=choices.text_encoding), path)
        return {
            name: words
            for source, kind in found
            for name, words in words_with_times(source, kind).items()
        }


def texts_from(
    path: PathLike, name: str | None, choices: ReadOptions, counted: bool = False
) -> ReadOptions:
    """The choices with the texts of a file or folder; existing units are used."""
    from segscore.io.formats.text_files import WHOLE_TEXTS, texts_of_files

    with unpacked(path, large=choices.large) as top:
        suffixes = {suffix_of(file) for file in (top.rglob("*") if top.is_dir() else [top])}
        name = name or next((WHOLE_TEXTS[each] for each in WHOLE_TEXTS if each in suffixes), None)
        found = sources(top, name, replace(choices, text={}, coder=None), path)
        rule = choices.units or DEFAULT_RULE
        units = rule if found[0][1].name in WHOLE_TEXTS.values() else None
        return replace(choices, text=texts_of_files(found, rule, counted), units=units)


def for_chunks(
    reference: PathLike,
    hypotheses: Sequence[PathLike],
    format_names: tuple[str | None, str | None],
    choices: ReadOptions,
) -> ReadOptions:
    """The choices for both sides, if hypotheses are chunks of the reference's text: headings are
    text, and units are sentences unless the caller says otherwise.

    hypotheses: the files to score.
    format_names: those of the reference and of the hypotheses; None: suffix and content decide.
    choices: how to read files of spans, times and labels, as in `read`.
    """
    own, others = format_names
    if choices.text is None and others == "llm" and own != "llm":
        return texts_from(reference, own, choices, counted=True)
    chunked = any(formats.holds_chunks(each, others) for each in hypotheses)
    if choices.text is not None or not chunked or formats.holds_chunks(reference, own):
        return choices
    return texts_from(reference, own, replace(choices, keep_headings=True))


def _of_one_format(everything: list[Source], top: Path, choices: ReadOptions) -> Found:
    """The files of a folder with their common format."""
    found: Found = []
    for source in everything:
        with skipping_file(source.at(), source.choices):
            found.append((source, formats.recognise(source)))
    kinds = Counter(kind.name for _, kind in found)
    if not kinds:
        raise SegmentationError(f"{top} holds no file that could be read: expected some")
    if len(kinds) > 1 and choices.on_error == "raise":
        first = {kind.name: source.at() for source, kind in reversed(found)}
        seen = ", ".join(f"{first[kind]} ({kind})" for kind in kinds)
        raise SegmentationError(
            f"{top} holds files of several formats: {seen}: expected one, or format= to choose"
        )
    most = kinds.most_common(1)[0][0]
    for source, kind in found:
        if kind.name != most:
            reason = f"looks like {kind.name}, where most files are {most}: expected one format"
            choices.skipped.append(Skipped(source.at(), reason))
    return [(source, kind) for source, kind in found if kind.name == most]


@contextmanager
def skipping_file(called: str, choices: ReadOptions) -> Iterator[None]:
    """Continue after a file that cannot be read, if the caller allows it, and note it."""
    try:
        yield
    except SegmentationError as error:
        if choices.on_error == "raise":
            raise
        choices.skipped.append(Skipped(called, str(error).removeprefix(called).lstrip(":, ")))


def files_of(top: Path, suffixes: frozenset[str]) -> list[Path]:
    """The files of a folder and its subfolders with one of the suffixes, ch2 before ch10."""
    everything = all_files(top)
    found = [file for file in everything if suffix_of(file) in suffixes]
    if not found:
        texts = any(file.suffix.lower() == ".txt" for file in everything)
        also = "; .txt is read if format= says what it holds: 'text', 'youtube' …" if texts else ""
        raise SegmentationError(
            f"{top} has no file with suffix {', '.join(sorted(suffixes))}: expected some; there is "
            f"{named((file.name for file in everything), most=3)}{also}"
        )
    return found


def all_files(top: Path) -> list[Path]:
    """The files of a folder and its subfolders, without hidden ones, ch2 before ch10."""
    found: list[Path] = []

    def refuse(error: OSError) -> None:  # by default os.walk passes over such folders
        raise error

    def natural(name: str) -> list[tuple[int, str]]:  # digits by their value
        parts = [part.lstrip("0") for part in re.split("([0-9]+)", name)]
        return [(len(part) if index % 2 else 0, part) for index, part in enumerate(parts)]

    for folder, folders, names in os.walk(top, onerror=refuse):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural)
        visible = sorted((name for name in names if not name.startswith(".")), key=natural)
        found += [Path(folder, name) for name in visible]
    return found
