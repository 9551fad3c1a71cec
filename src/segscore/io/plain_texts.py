"""Texts to be segmented or marked: files, folders and standard input, or corpora with their texts.

A file of a known format is read as that format and not as text: cues of subtitles are units, a
corpus gives the texts that it holds. Files without text are refused.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any, Unpack

from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, named
from segscore.io.compressed import stem_of, suffix_of, without_suffix
from segscore.io.files import REFERENCE, Source
from segscore.io.format import Format
from segscore.io.formats import choi
from segscore.io.formats.dialogue_texts import SEPARATED, TADAM, tell_counters
from segscore.io.formats.speech import TRANSCRIPT
from segscore.io.formats.subtitles import SRT, VTT, cue_texts
from segscore.io.read_options import Policy, ReadKeywords, ReadOptions
from segscore.io.reading import read, read_chosen
from segscore.io.registry import all_suffixes, first_lines, format_named, recognise
from segscore.io.source_files import all_files, files_of, skipping_file
from segscore.io.spoken_texts import SpokenUnits, spoken_documents
from segscore.io.zips import unpacked
from segscore.text.unit_splitting import text_rule, units_of

_TEXTS = (".txt", ".text", ".md", ".markdown", ".ref")  # what a folder is searched for, with
_SPOKEN = (*VTT.suffixes, *SRT.suffixes)  # subtitles, and JSON if it is a transcript
_JSON = ".json"
_MARKDOWN = (".md", ".markdown")
_CHOI = (".ref", ".dev")
_SUBTITLES = (VTT.name, SRT.name)
_ITSELF = (choi.FORMAT, TADAM, SEPARATED)  # formats that are the text, with a unit per line
_STARTS: Policy = "keep-start"  # which takes spans of any kind
_ENOUGH_WORDS = 200  # of a text, to say something about its units
_LONG_UNIT = 200  # words: the mean of a text whose units are no sentences
_NEARLY_ALL = 0.9
_SENTENCES = (None, "sentence", "sentences")  # the rule that may join lines
_LINE = re.compile(r"[^\r\n]+")


@dataclass(frozen=True)
class TextReading:
    """How to read texts: a corpus in a format, or plain text by a rule of units.

    spoken: whether the units of recordings and dialogues keep speakers and times (`SpokenUnits`),
        if the file has them; a unit is then a turn of one speaker.
    """

    options: ReadOptions
    source: str | None = None
    spoken: bool = False

    def documents(self, paths: Sequence[Path]) -> dict[str, list[str]]:
        """The units of each document by its name: the file's, with its folder if that is needed."""
        if self.options.units is not None:
            text_rule(self.options.units)  # refuse a wrong name before anything is read
        found: dict[str, list[str]] = {}
        for path, name in self._files(paths):
            with skipping_file(str(path), self.options):
                for document, text in self._read(path, name):
                    if not text:
                        raise SegmentationError(
                            f"{path}: document {document!r} is empty: expected text"
                        )
                    called = str(path) if document in found and document == name else document
                    if called in found:
                        raise SegmentationError(
                            f"{path}: document {document!r} is there twice: expected different "
                            "names"
                        )
                    found[called] = text if isinstance(text, SpokenUnits) else list(text)
        if not found:
            first = self.options.skipped[0] if self.options.skipped else None
            raise SegmentationError(
                "there is no text"
                + (f": the first file is {first.file}: {first.reason}" if first else "")
            )
        return found

    def _files(self, paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
        """The files, those in folders too, each with the name of its document."""
        for path in paths:
            if self.source is None and path.is_dir():
                for file in texts_below(path, self.options.remark):
                    yield file, without_suffix(file.relative_to(path)).as_posix()
            else:
                yield path, "stdin" if str(path) == "-" else stem_of(path)

    def _read(self, path: Path, name: str) -> Iterator[tuple[str, Sequence[str] | None]]:
        """The documents of a file, with their units."""
        if self.source is not None and self.source not in _SUBTITLES:
            corpus = self._corpus(path, self.source)
            yield from ((name, document.units) for name, document in corpus.items())
            return
        if suffix_of(path) in _MARKDOWN:  # as the other commands read it: headings are no units
            (document,) = self._corpus(path, "markdown").values()
            yield name, document.units
            return
        with unpacked(path, large=self.options.large) as kept:
            source = Source(
                kept,
                name,
                REFERENCE,
                self.options.text_encoding,
                choices=self.options,
                called=str(path),
            )
            kind = self._known_format(source)
            text = source.read_text() if kind is None else ""
            if kind is None and _is_json(text):
                kind = recognise(source)
            spoken = self._spoken(source, kind)
            if spoken is not None:
                yield from spoken.items()
            elif kind is None:
                tell_counters(source, text)
                yield name, self._units(name, text)
            elif kind.name in _SUBTITLES:
                cues = cue_texts(source, kind)
                whole = self.options.units is None
                yield name, cues if whole else units_of("\n".join(cues), self.options.units)
            elif kind in _ITSELF:
                for record in kind.read(source):
                    yield record.document, record.units
            else:
                yield from self._of_format(path, kept, kind)

    def _spoken(self, source: Source, kind: Format | None) -> dict[str, SpokenUnits] | None:
        """The units with speakers and times, if these are wanted and the file has them."""
        if not self.spoken or self.options.units is not None or kind is None:
            return None
        return spoken_documents(source, kind)

    def _units(self, name: str, text: str) -> Sequence[str]:
        """The units of plain text."""
        units = units_of(text, self.options.units or "sentences")
        if not _tell_long_units(name, text, units, self.options.units, self.options.remark):
            _tell_joined_lines(name, text, units, self.options.units, self.options.remark)
        return units

    def _known_format(self, source: Source) -> Format | None:
        """The format of a file that is not plain text: by its suffix or, whatever its name, if it
        begins like subtitles, JSON Lines or a text in segments."""
        if self.source is not None:
            return format_named(self.source)
        if source.suffix in _CHOI or choi.matches(_first_line(source)):
            return choi.FORMAT
        lines = first_lines(source)
        known = next((kind for kind in (VTT, SRT, TADAM, SEPARATED) if kind.matches(lines)), None)
        if known is not None:
            return known
        if source.suffix in all_suffixes() or _is_json_lines(lines):
            return recognise(source)
        return None

    def _of_format(
        self, path: Path, kept: Path, kind: Format
    ) -> Iterator[tuple[str, Sequence[str] | None]]:
        """The documents of a file of codings, if it has their texts."""
        try:
            corpus = self._corpus(kept, kind.name) if "units" in kind.holds else None
        except SegmentationError as error:
            raise SegmentationError(
                f"{error}; texts are expected, and this is {kind.title} ({kind.name})"
            ) from None
        if corpus is None or all(document.units is None for document in corpus.values()):
            raise SegmentationError(
                f"{path} is {kind.title} ({kind.name}) without a text to cut: expected a text, or "
                "a file that holds the text of its units"
            )
        yield from ((name, document.units) for name, document in corpus.items())

    def _corpus(self, path: Path, source: str) -> Corpus:
        choices = replace(
            self.options, policy=_STARTS, remark=self._pass_on,
            unfinished=True,  # of codings only the text is used
        )  # fmt: skip
        return read_chosen(path, source, choices)

    def _pass_on(self, message: str) -> None:
        """Pass a remark on, unless it is about spans: only the text is used here."""
        if f": {_STARTS}: " not in message:
            self.options.remark(message)


def texts_below(top: Path, remark: Callable[[str], None]) -> list[Path]:
    """The texts, subtitles and transcripts of a folder; a remark names the files that are left out.

    Subtitles and transcripts with the name of a text are mostly of the same talk: the text is read.
    """
    found: list[Path] = []
    others: list[Path] = []
    for file in all_files(top):
        suffix = suffix_of(file)
        fits = suffix in (*_TEXTS, *_SPOKEN) or (suffix == _JSON and _is_transcript(file))
        (found if fits else others).append(file)
    if not found:
        return files_of(top, frozenset((*_TEXTS, *_SPOKEN)))  # which says what is there
    texts = {without_suffix(file) for file in found if suffix_of(file) in _TEXTS}
    doubles = [
        file for file in found if suffix_of(file) not in _TEXTS and without_suffix(file) in texts
    ]

    def left_out(files: Sequence[Path]) -> str:
        return f"{top}: left out {named(file.relative_to(top).as_posix() for file in files)}"

    if doubles:
        remark(f"{left_out(doubles)}: there is a text with the same name")
    if others:
        remark(
            f"{left_out(others)}: expected texts, subtitles or transcripts in a folder; a file in "
            "another format that holds texts is read if it is named"
        )
    return [file for file in found if file not in doubles]


def _is_transcript(file: Path) -> bool:
    try:
        return recognise(file).name == TRANSCRIPT.name
    except SegmentationError:
        return False


def _is_json(text: str) -> bool:
    """Whether a text is JSON, or JSON Lines, and not a text that begins with a bracket."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    return _parsed(text) is not None or _is_json_lines(match[0] for match in _LINE.finditer(text))


def _is_json_lines(lines: Iterable[str]) -> bool:
    """Whether the first line is a non-empty object, and the second is JSON, too."""
    both = [_parsed(line) for line in islice((line for line in lines if line.strip()), 2)]
    return len(both) == 2 and isinstance(both[0], dict) and bool(both[0]) and both[1] is not None


def _parsed(text: str) -> Any:
    """The value of a JSON text; None if it is not JSON, or null."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _first_line(source: Source) -> list[str]:
    """The first line of a file that is not blank, if it is short enough to be a separator."""
    with source.open() as stream:
        head = stream.read(200)
    return head.decode("utf-8", errors="replace").lstrip("\ufeff").split("\n")[:1]


def _tell_long_units(
    name: str, text: str, units: Sequence[str], rule: str | None, remark: Callable[[str], None]
) -> bool:
    """Remark on a text that the rule hardly divides, so that its segments mean little; whether
    there was a remark."""
    lengths = [len(unit.split()) for unit in units]
    total = sum(lengths)
    if total < _ENOUGH_WORDS or rule == "paragraphs":
        return False
    longest = max(lengths)
    if longest < _NEARLY_ALL * total and total < _LONG_UNIT * len(units):
        return False
    what = "unit" if len(units) == 1 else "units"
    lines = sum(bool(line.strip()) for line in text.splitlines())
    advice = "units='lines'" if rule in _SENTENCES and lines > len(units) else ""
    remark(
        f"document {name!r}: {total} words in {len(units)} {what}, the longest of {longest} words: "
        + (
            f"perhaps a transcript without punctuation; {advice} makes each of its {lines} lines a "
            "unit"
            if advice
            else "a segmenter cuts only between units; cut the text into sentences, one per line, "
            "and use units='lines'"
        )
    )
    return True


def _tell_joined_lines(
    name: str, text: str, units: Sequence[str], rule: str | None, remark: Callable[[str], None]
) -> None:
    """Remark on sentences that go on in the next line, though lines were not wrapped: in a third of
    them the next word had room."""
    if rule not in _SENTENCES or not units:
        return
    lines = [" ".join(line.split()) for line in text.splitlines()]
    ends = {*accumulate(len("".join(unit.split())) for unit in units)}
    width = sorted(map(len, filter(None, lines)))[-1 - sum(map(bool, lines)) // 10]
    joined = at = 0
    has_room: list[bool] = []
    for line, after in pairwise(lines):
        at += len(line.replace(" ", ""))
        if line and after:
            joined += at not in ends
            has_room.append(len(line) + 1 + len(after.partition(" ")[0]) <= width)
    if joined and 3 * sum(has_room) > len(has_room):
        remark(
            f"document {name!r}: {joined} of {len(has_room) + 1} lines end inside a sentence: if "
            "lines are utterances, units='lines' makes each of them a unit"
        )


def read_documents(
    paths: Sequence[Path], source: str | None = None, **options: Unpack[ReadKeywords]
) -> dict[str, Document]:
    """The documents of corpora, in all files and folders, by their names."""
    found: dict[str, Document] = {}
    for path in paths:
        for name, document in read(path, source, **options).items():
            if name in found:
                raise SegmentationError(
                    f"{path}: there is another document {name!r}: expected each once"
                )
            found[name] = document
    return found
