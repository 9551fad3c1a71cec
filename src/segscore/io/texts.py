"""The texts of documents: given by a caller, in files of any kind, or in files beside codings.

A file of a known format is read as that format and not as text: cues of subtitles are units, a
corpus gives the texts that it holds. Files without text are refused. Subtitles have times, and
WebVTT may have voices; transcripts of recognisers have segments with times and perhaps speakers;
dialogues (QMSum, SuperDialseg) have turns with speakers: pages show them (`SpokenUnits`).

A text beside codings that hold none belongs to the document with the name of its file: text/ch1.txt
to segmentations/ch1. It is used if it has exactly as many units as the codings of that document. A
text that does not fit is left out, and a remark says so.
"""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from segscore.basics.arguments import check_name, shown
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about, named, number_of
from segscore.io.files import REFERENCE, Source, stem_of, suffix_of, unpacked, without_suffix
from segscore.io.format import Format, all_suffixes, first_lines, format_named, recognise
from segscore.io.formats.corpora import SPEAKERS, refuse_dialogues
from segscore.io.formats.recordings import spoken_texts
from segscore.io.read_options import DEFAULT_OPTIONS, DEFAULT_RULE, MICRO, ReadOptions
from segscore.io.reading import PathLike, all_files, files_of, read_chosen, skipping_file, sources
from segscore.text.unit_splitting import TEXT_RULES, text_rule, units_of

GivenTexts = PathLike | Sequence[PathLike] | Corpus | Mapping[str, str | Sequence[str]]

_MARKDOWN = (".md", ".markdown")
_TEXTS = (".txt", ".text", *_MARKDOWN, ".ref")  # what a folder is searched for, with
_SUBTITLES = ("webvtt", "srt")  # formats; a folder is searched for their files, and transcripts
_BESIDE = frozenset({".txt", ".text"})
_LONG_UNIT = 200  # words: the mean of a text whose units are no sentences
_ITSELF = ("choi", "separated-text", "tadam")  # that are the text, with a unit per line


class SpokenUnits(list[str]):
    """The texts of units, with the speaker of each, and its start in seconds: lists of the same
    length, or None if unknown.

    >>> units = SpokenUnits(["Hello."], speakers=["Ann"], starts=[1.5])
    >>> units, units.speakers, units.starts
    (['Hello.'], ['Ann'], [1.5])
    """

    def __init__(
        self,
        units: Iterable[str],
        speakers: Iterable[str | None] = (),
        starts: Iterable[float | None] = (),
    ) -> None:
        super().__init__(units)
        names, times = list(speakers), list(starts)
        self.speakers: list[str | None] | None = names if any(names) else None
        self.starts = times if any(start is not None for start in times) else None


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
    if not isinstance(texts, Mapping):  # a corpus is one
        paths: list[Any] = list(texts) if isinstance(texts, list | tuple) else [texts]
        if not paths or not all(isinstance(path, str | os.PathLike) for path in paths):
            raise SegmentationError(
                f"texts is {shown(texts)}: expected files, a corpus, or {{document: text}}"
            )
        return _units_of_files([Path(path) for path in paths], options, format, spoken)
    found: dict[str, list[str]] = {}
    for name, text in texts.items():
        check_name(name, "document")
        units: Any = text.units if isinstance(text, Document) else text
        if isinstance(text, str):
            units = units_of(text, options.units or DEFAULT_RULE) or None
        if units is None:
            lack = "is empty" if isinstance(text, str) else "has no text"
            raise SegmentationError(
                f"document {name!r} {lack}: expected text; corpus.with_details(units=…) adds it"
            )
        found[name] = list(Record(name, units=units).units or ())  # which checks them
    if not found:
        raise SegmentationError("texts is empty: expected at least one document")
    return found


# ---- files ----

Documents = Mapping[str, Sequence[str] | None]  # the units of each


def _units_of_files(
    paths: Sequence[Path], options: ReadOptions, form: str | None, spoken: bool
) -> dict[str, list[str]]:
    """The units of each document by its name: the file's, with its folder if that is needed."""
    if options.units is not None:
        text_rule(options.units)  # refuse a wrong name before anything is read
    files: list[tuple[Path, str]] = []
    for path in paths:
        if form is None and path.is_dir():
            below = _texts_below(path, options)
            files += ((file, without_suffix(file.relative_to(path)).as_posix()) for file in below)
        else:
            files.append((path, "stdin" if str(path) == "-" else stem_of(path)))
    found: dict[str, list[str]] = {}
    for path, name in files:
        with skipping_file(str(path), options):
            for document, text in _documents(path, name, options, form, spoken).items():
                called = str(path) if document in found and document == name else document
                if not text or called in found:
                    what = "there twice: expected different names" if text else "empty"
                    raise SegmentationError(f"{path}: document {document!r} is {what}")
                found[called] = text if isinstance(text, SpokenUnits) else list(text)
    if not found:
        first = [f": {each.file}: {each.reason}" for each in options.skipped[:1]]
        raise SegmentationError(f"there is no text{''.join(first)}")
    return found


def _texts_below(top: Path, options: ReadOptions) -> list[Path]:
    """The texts, subtitles and transcripts of a folder; a remark names the files that are left out.

    Subtitles and transcripts with the name of a text are mostly of the same talk: the text is read.
    """
    everything = all_files(top)
    texts = {file for file in everything if suffix_of(file) in _TEXTS}
    spoken = {file for file in everything if _is_spoken(file)}
    if not texts and not spoken:
        return files_of(top, frozenset((*_TEXTS, ".vtt", ".srt")))  # which says what is there
    known = {without_suffix(file) for file in texts}
    taken = texts | {file for file in spoken if without_suffix(file) not in known}
    left = [file.relative_to(top).as_posix() for file in everything if file not in taken]
    if left:
        options.remark(
            f"{top}: left out {named(left)}: expected texts, or subtitles or transcripts of which "
            "there is no text with the same name"
        )
    return [file for file in everything if file in taken]


def _is_spoken(file: Path) -> bool:
    with suppress(SegmentationError):
        spoken = suffix_of(file) == ".json" and recognise(file).name == "transcript"
        return spoken or suffix_of(file) in (".vtt", ".srt")
    return False


def _documents(
    path: Path, name: str, options: ReadOptions, form: str | None, spoken: bool
) -> Documents:
    """The documents of a file, with their units."""
    with unpacked(path, large=options.large) as kept:
        source = Source(
            kept, name, REFERENCE, options.text_encoding, choices=options, called=str(path)
        )
        kind = _known_format(source) if form is None else format_named(form)
        if kind is None:
            text = source.read_text()
            if not _is_json(text):
                refuse_dialogues(source, text)
                return {name: _units_of_text(name, text, options)}
            kind = recognise(source)
        if form is not None and kind.name not in _SUBTITLES:
            return {each.name: each.units for each in _corpus(kept, kind, options).values()}
        heard = spoken_documents(source, kind) if spoken and options.units is None else None
        if heard is not None:
            return heard
        if kind.name in _SUBTITLES:
            cues = [text for _, text, _ in spoken_texts(source, kind)]
            return {name: units_of("\n".join(cues), options.units) if options.units else cues}
        if kind.name in _ITSELF:
            return {record.document: record.units for record in kind.read(source)}
        try:
            corpus = _corpus(kept, kind, options) if "units" in kind.holds else {}
        except SegmentationError as error:
            raise SegmentationError(
                f"{error}; texts are expected, and this is {kind.title} ({kind.name})"
            ) from None
        found = {each: document.units for each, document in corpus.items()}
        if not any(units is not None for units in found.values()):
            raise SegmentationError(
                f"{path} is {kind.title} ({kind.name}) without a text to cut: expected a text, or "
                "a file that holds the text of its units"
            )
        return dict.fromkeys([name], *found.values()) if kind.name == "markdown" else found


def _known_format(source: Source) -> Format | None:
    """The format of a file that is not plain text: by its suffix or, whatever its name, if it
    begins like subtitles or a text in segments."""
    if source.suffix in _MARKDOWN:  # as the other commands read it: headings are no units
        return format_named("markdown")
    if source.suffix in (".ref", ".dev"):
        return format_named("choi")
    lines = first_lines(source)
    likely = map(format_named, (*_ITSELF, *_SUBTITLES))
    known = next((kind for kind in likely if kind.matches(lines)), None)
    return recognise(source) if known is None and source.suffix in all_suffixes() else known


def _corpus(path: Path, kind: Format, options: ReadOptions) -> Corpus:
    """A corpus of which only the text is used: spans of any kind are taken, and not spoken of."""

    def remark(message: str) -> None:
        if ": keep-start: " not in message:
            options.remark(message)

    choices = replace(options, policy="keep-start", remark=remark, unfinished=True)
    return read_chosen(path, kind.name, choices)


def _is_json(text: str) -> bool:
    """Whether a text is JSON, or begins with two lines of JSON, the first an object; and does not
    merely begin with a bracket."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    lines = [*islice(filter(str.strip, text.splitlines()), 2)]
    for parts in ([text], lines if len(lines) == 2 else ()):
        with suppress(ValueError, RecursionError):
            found = [json.loads(part) for part in parts]
            if found and (len(found) == 1 or (found[0] and isinstance(found[0], dict))):
                return True
    return False


def _units_of_text(name: str, text: str, options: ReadOptions) -> Sequence[str]:
    """The units of plain text; a remark if the rule hardly cuts it."""
    units = units_of(text, options.units or DEFAULT_RULE)
    if len(text.split()) >= _LONG_UNIT * max(1, len(units)) and options.units != "paragraphs":
        options.remark(
            f"document {name!r} has {number_of(len(units), 'unit')} of more than {_LONG_UNIT} "
            "words: perhaps a transcript without punctuation; units='lines' makes each line a unit"
        )
    return units


# ---- who speaks, and when ----


def spoken_documents(source: Source, kind: Format) -> dict[str, SpokenUnits] | None:
    """The documents of a file, if its format names speakers or times."""
    if kind.name in (*_SUBTITLES, "transcript"):
        heard = spoken_texts(source, kind)
        if not heard:  # words alone
            return None
        starts, spoken, speakers = zip(*heard, strict=True)
        return {source.document: SpokenUnits(spoken, speakers, [start / MICRO for start in starts])}
    if kind.name in ("qmsum", "superdialseg"):
        turns = replace(source, choices=replace(source.choices, layer=SPEAKERS))
        found = {}
        for record in kind.read(turns):
            coding, labels = record.segmentation, record.labels or ()
            sizes = () if coding is None else coding.masses.tolist()
            runs = zip(labels, sizes, strict=False)
            voices = [next(iter(names), None) for names, size in runs for _ in range(size)]
            found[record.document] = SpokenUnits(record.units or (), voices)
        return found
    return None


# ---- texts beside codings ----


def read_with_texts(
    paths: Sequence[PathLike],
    format: str | None = None,  # noqa: A002
    *,
    known: Collection[str] = (),
    choices: ReadOptions,
) -> Corpus:
    """Like `read`, but with texts from files beside the codings, if these hold no text.

    Texts are files .txt of the folder, if there is one path, or of `choices.text`; `choices.remark`
    is called with what was used, and why others were not.

    paths: files, or a folder of codings and texts.
    format: as in `read`.
    known: documents whose text is already known.
    choices: how to read; `units` is the rule of the texts if the codings have units of their own.
    """
    top = choices.text
    if top is None and len(paths) == 1 and Path(paths[0]).is_dir():
        top = paths[0]
    if not isinstance(top, str | Path):
        return read_chosen(paths, format, choices)
    if not Path(top).exists():
        raise SegmentationError(f"{top} does not exist: expected a text, or a folder of texts")
    plain = replace(choices, units=None, text=None)
    silent = replace(plain, skipped=[])
    found = [pair for path in paths for pair in sources(path, format, silent)]
    if any(kind.chooses for _, kind in found):
        return read_chosen(paths, format, choices)
    corpus = read_chosen(paths, format, plain)
    if any(document.units is not None for document in corpus.values()):
        return corpus
    taken, files = {source.path for source, _ in found}, [Path(top)]
    if Path(top).is_dir():
        everything = all_files(Path(top))
        files = [file for file in everything if suffix_of(file) in _BESIDE and file not in taken]
    if choices.text is not None and not files:
        raise SegmentationError(
            f"{top} has no file with suffix {', '.join(_BESIDE)}: expected the text of each "
            "document in a file of its name"
        )
    documents = {name: document.n_units for name, document in corpus.items() if name not in known}
    if not files or not documents:
        return corpus
    units = _fitting_texts(Path(top), files, documents, choices)
    with about(str(top)):  # codings of annotation pages know whether it is their text
        return corpus.with_details(units=units) if units else corpus


def _fitting_texts(
    top: Path, files: Sequence[Path], documents: Mapping[str, int], choices: ReadOptions
) -> dict[str, list[str]]:
    """The units of the texts that fit; a remark says what was used, and the first that was not."""
    rule = choices.units if choices.units in TEXT_RULES else "lines"
    belongs = _belonging(top, files, documents)
    units: dict[str, list[str]] = {}
    wrong: list[str] = []
    for document, file in belongs.items():
        try:
            found = units_of(Source(file, document, "", choices.text_encoding).read_text(), rule)
        except SegmentationError as error:
            wrong.append(str(error))
            continue
        if len(found) == documents[document]:
            units[document] = found
        else:
            wrong.append(
                f"{file} has {len(found):,} {rule}, its codings {documents[document]:,} units: "
                "expected as many, perhaps with another units="
            )
    if not belongs:
        wrong = [f"{files[0]} has the name of no document: expected that of {named(documents)}"]
    left = f"; left out {number_of(len(wrong), 'text')}: {wrong[0]}" if wrong else ""
    taken = f"took the texts of {len(units):,} of {len(documents):,} documents, a unit is one of "
    choices.remark(f"{taken}{rule}{left}" if units else f"no text is shown{left}")
    return units


def _belonging(top: Path, files: Sequence[Path], documents: Collection[str]) -> dict[str, Path]:
    """The file of each document: with the same name, ignoring folders if no other has it; or the
    only file, if there is only one document."""
    if list(files) == [top] and len(documents) == 1:
        return dict.fromkeys(documents, top)
    place = top if top.is_dir() else top.parent
    whole = {without_suffix(file.relative_to(place)).as_posix(): file for file in files}
    last = Counter(Path(name).name for name in (*whole, *documents))
    alone = {Path(name).name: file for name, file in whole.items() if last[Path(name).name] < 3}
    return {
        name: file
        for name in documents
        if (file := whole.get(name) or alone.get(Path(name).name)) is not None
    }
