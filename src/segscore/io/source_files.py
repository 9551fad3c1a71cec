"""The files to read under a path, with their formats, and with what must be read before them."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from segscore.errors import SegmentationError, named
from segscore.io import compressed
from segscore.io.files import REFERENCE, Source
from segscore.io.format import Format
from segscore.io.read_options import DEFAULT_OPTIONS, DEFAULT_RULE, ReadOptions, Skipped
from segscore.io.registry import all_suffixes, format_named, holds_chunks, recognise, suffixes_of
from segscore.io.zips import is_project, project_files, unpacked
from segscore.text.unit_splitting import Stretches

PathLike = str | os.PathLike[str]
_ABOUT_TEXTS = ("chunks", "llm", "table")  # formats that need the texts of documents,
_COUNTED = ("llm", "table")  # or whose readers say so, and to which the number of units is enough


Found = list[tuple[Source, Format]]  # the files to read, with their formats


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
    files = _files(top, name)
    if name is None and top.is_dir():  # Markdown beside other files is mostly documentation
        suffixes = format_named("markdown").suffixes
        others = [file for file in files if compressed.suffix_of(file[0]) not in suffixes]
        name, files = (None, others) if others else ("markdown", files)
    everything = [source for file in files for source in _as_sources(file, top, shown_top, choices)]
    if name is not None:
        found = [(source, format_named(name)) for source in everything]
    elif top.is_dir():
        found = _of_one_format(everything, shown_top, choices)
    else:
        found = [(source, recognise(source)) for source in everything]
    return _prepared(found, shown_top)


_File = tuple[Path, str, str | None]  # with its document, and perhaps its coder


def _as_sources(found: _File, top: Path, shown_top: Path, choices: ReadOptions) -> Iterator[Source]:
    """A file with what is known about it; each sheet separately if all are requested."""
    file, document, own_coder = found
    source = Source(
        file,
        choices.one_document or document,
        choices.coder or own_coder or _coder(file, top if choices.one_document is None else file),
        choices.text_encoding,
        choices.coder is not None,
        choices,
        str(shown_top / file.relative_to(top)) if shown_top != top else None,
    )
    if choices.all_sheets:
        from segscore.io.table_files import each_sheet

        return iter(each_sheet(source))
    return iter([source])


def sources_of_all(
    tops: Sequence[Path],
    name: str | None,
    choices: ReadOptions,
    called: Sequence[PathLike],
) -> Found:
    """The files under several paths, which are read together. If folders have files that would be
    the reference of the same document, each folder belongs to a person."""
    parts = [sources(top, name, choices, path) for top, path in zip(tops, called, strict=True)]
    unnamed = Counter(
        source.document for part in parts for source, _ in part if source.coder == REFERENCE
    )
    if choices.coder is None and max(unnamed.values(), default=0) > 1:
        for number, (top, path) in enumerate(zip(tops, called, strict=True)):
            if top.is_dir() and all(source.coder == REFERENCE for source, _ in parts[number]):
                parts[number] = [
                    (replace(source, coder=Path(path).name or source.coder), kind)
                    for source, kind in parts[number]
                ]
    return [pair for part in parts for pair in part]


def _files(top: Path, name: str | None) -> Sequence[_File]:
    """The files under a path: each with the name of its document, and of its coder if the path
    gives it."""
    if not top.is_dir():
        return [(top, compressed.stem_of(top), None)]
    if is_project(top):
        return project_files(top)
    suffixes = suffixes_of(format_named(name or "markdown"))
    suffixes |= all_suffixes() if name is None else frozenset()
    return [
        (file, compressed.without_suffix(file.relative_to(top)).as_posix(), None)
        for file in files_of(top, suffixes)
    ]


def _prepared(found: Found, called: Path) -> Found:
    """The files with what must be read before them: the texts that chunks were cut from, or words
    with times. Unused choices are reported."""
    choices, kind = found[0][0].choices, found[0][1]
    for file, each in found:
        choices.notes.keys.setdefault(each.name, (file.at(), each.used_keys))
    if choices.units is not None and not kind.chooses:
        choices.remark(f"{called}: units={choices.units!r} is not used: {kind.name} has its own")
    prepared = choices
    if isinstance(choices.word_times, str | os.PathLike) and kind.chooses:
        prepared = replace(choices, word_times=_words_from(choices.word_times, choices))
    elif kind.name in _ABOUT_TEXTS:
        counted = kind.name in _COUNTED
        if choices.text is None and not counted:  # else its reader says what is lacking
            prepared = replace(choices, units=choices.units or DEFAULT_RULE)
        elif isinstance(choices.text, str | os.PathLike):
            kept = choices.keep_headings or kind.name == "chunks"
            chunked = replace(choices, keep_headings=kept)
            prepared = texts_from(choices.text, None, chunked, counted=counted)
    elif isinstance(choices.text, str | os.PathLike):
        choices.remark(
            f"{called}: text={os.fspath(choices.text)!r} is not used for it: text is for chunks, "
            f"and {kind.name} holds none"
        )
    return [(replace(file, choices=prepared), kind) for file, kind in found]


def _words_from(path: PathLike, choices: ReadOptions) -> dict[str, Stretches]:
    """The words of each recording, with their times."""
    from segscore.io.formats.speech import words_with_times

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
    from segscore.io.formats.text_files import is_whole_text, source_texts, text_format

    with unpacked(path, large=choices.large) as top:
        name = name or text_format(top)
        found = sources(top, name, replace(choices, text={}, coder=None), path)
        rule = choices.units or DEFAULT_RULE
        units = rule if is_whole_text(found[0][1]) else None
        return replace(choices, text=source_texts(found, rule, counted), units=units)


def for_chunks(
    reference: PathLike,
    hypotheses: Sequence[PathLike],
    formats: tuple[str | None, str | None],
    choices: ReadOptions,
) -> ReadOptions:
    """The choices for both sides, if hypotheses are chunks of the reference's text: headings are
    text, and units are sentences unless the caller says otherwise.

    hypotheses: the files to score.
    formats: the formats of the reference and of the hypotheses; None: suffix and content decide.
    choices: how to read files of spans, times and labels, as in `read`.
    """
    if choices.text is None and formats[1] == "llm" and formats[0] != "llm":
        return texts_from(reference, formats[0], choices, counted=True)
    if choices.text is not None or not any(
        holds_chunks(hypothese, formats[1]) for hypothese in hypotheses
    ):
        return choices
    if holds_chunks(reference, formats[0]):
        return choices
    return texts_from(reference, formats[0], replace(choices, keep_headings=True))


def _of_one_format(everything: list[Source], top: Path, choices: ReadOptions) -> Found:
    """The files of a folder with their common format."""
    found: Found = []
    for source in everything:
        with skipping(source):
            found.append((source, recognise(source)))
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
    choices.skipped.extend(
        Skipped(
            source.at(),
            f"looks like {kind.name}, where most files are {most}: expected one format",
        )
        for source, kind in found
        if kind.name != most
    )
    return [(source, kind) for source, kind in found if kind.name == most]


@contextmanager
def skipping_file(called: str, choices: ReadOptions) -> Iterator[None]:
    """Continue after a file that cannot be read, if the caller allows it, and note it."""
    try:
        yield
    except SegmentationError as error:
        if choices.on_error == "raise":
            raise
        reason = str(error).removeprefix(called).lstrip(":, ")
        choices.skipped.append(Skipped(called, reason))


def skipping(source: Source) -> AbstractContextManager[None]:
    """Continue after a source that cannot be read, if the caller allows it, and note it."""
    return skipping_file(source.at(), source.choices)


def _coder(file: Path, top: Path) -> str:
    """The name of the coder of a file that names none."""
    if compressed.suffix_of(file) in (".ref", ".dev"):
        return REFERENCE
    return (top.stem if top.is_dir() else compressed.stem_of(top)) or top.resolve().name


def files_of(top: Path, suffixes: frozenset[str]) -> list[Path]:
    """The files of a folder and its subfolders with one of the suffixes, ch2 before ch10."""
    everything = all_files(top)
    found = [file for file in everything if compressed.suffix_of(file) in suffixes]
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
    for folder, folders, names in os.walk(top, onerror=_raise):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_natural)
        shown = sorted((name for name in names if not name.startswith(".")), key=_natural)
        found += [Path(folder, name) for name in shown]
    return found


def _raise(error: OSError) -> None:
    """Raise the error; by default os.walk passes over folders that it cannot read."""
    raise error


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts digits by their value: shorter numbers first."""
    digits = re.split("([0-9]+)", name)
    return [
        (len(part.lstrip("0")), part.lstrip("0")) if index % 2 else (0, part)
        for index, part in enumerate(digits)
    ]
