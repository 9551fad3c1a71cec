"""Texts in files beside codings, for formats that hold no text, such as CSV with a column per
coder.

A text belongs to the document with the name of its file: text/ch1.txt to segmentations/ch1. It is
used if it has exactly as many units as the codings of that document, by the caller's rule, or else
by lines. Nothing is guessed: a text that does not fit is left out, and a remark says why, and which
option would help.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, about, named
from segscore.io import compressed
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.read_options import ReadOptions
from segscore.io.reading import read_chosen
from segscore.io.source_files import PathLike, files_of, sources
from segscore.text.unit_splitting import TEXT_RULES, units_of

SUFFIXES = frozenset({".txt", ".text"})
USUAL = "lines"
_TRIED = ("lines", "paragraphs", "sentences")  # rules that a message may recommend


_TextFile = tuple[str, Path, str]  # a document, the file of its text, and the text


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
    first, alone = Path(paths[0]), len(paths) == 1
    wanted = choices.text if choices.text is not None or not alone else first
    if isinstance(choices.text, str | Path) and not Path(choices.text).exists():
        raise SegmentationError(
            f"{choices.text} does not exist: expected a text, or a folder of texts"
        )
    searched = not alone or first.is_dir() or (choices.text and first.is_file())
    if not isinstance(wanted, str | Path) or not searched:
        return read_chosen(paths, format, choices)
    plain = replace(choices, units=None, text=None)
    silent = replace(plain, skipped=[])
    found = [pair for path in paths for pair in sources(path, format, silent)]
    if any(kind.chooses for _, kind in found):
        return read_chosen(paths, format, choices)
    corpus = read_chosen(paths, format, plain)
    if any(document.units is not None for document in corpus.values()):
        return corpus
    files = _text_files(Path(wanted), {source.path for source, _ in found})
    if choices.text is not None and not files:
        raise SegmentationError(
            f"{wanted} has no file with suffix {', '.join(sorted(SUFFIXES))}: expected the text of "
            "each document in a file of its name"
        )
    rule = _rule(choices, first, found[0][1])
    return _with_texts(corpus, Path(wanted), files, rule, choices.text_encoding, known, choices)


def _rule(choices: ReadOptions, path: Path, kind: Format) -> str:
    if choices.units is None or choices.units in TEXT_RULES:
        return choices.units or USUAL
    choices.remark(f"{path}: units={choices.units!r} is not used: {kind.name} has its own")
    return USUAL


def _text_files(top: Path, taken: Collection[Path]) -> list[Path]:
    """The texts below a folder, or the file itself, without those that were read as codings."""
    if not top.is_dir():
        return [top]
    try:
        return [file for file in files_of(top, SUFFIXES) if file not in taken]
    except SegmentationError:  # none: most folders hold codings alone
        return []


def _with_texts(
    corpus: Corpus,
    top: Path,
    files: Iterable[Path],
    rule: str,
    encoding: str | None,
    known: Collection[str],
    choices: ReadOptions,
) -> Corpus:
    """The corpus with the texts that fit; a remark says what was used, and what was not."""
    documents = {name: document.n_units for name, document in corpus.items() if name not in known}
    found_files = list(files)
    if not found_files or not documents:
        return corpus
    belongs = _belongs(top, found_files, documents)
    if not belongs:
        choices.remark(
            f"no text is shown: {found_files[0]} has the name of no document: expected that of "
            f"one, {named(documents)}"
        )
        return corpus
    texts, wrong = _read_texts(belongs, encoding)
    units: dict[str, list[str]] = {}
    unfit: list[_TextFile] = []
    for document, file, text in texts:
        found = units_of(text, rule)
        if len(found) == documents[document]:
            units[document] = found
        else:
            wrong.append(
                f"{file} has {len(found):,} {rule}, its codings {documents[document]:,} units"
            )
            unfit.append((document, file, text))
    advice = _advice(unfit, documents, rule)
    choices.remark(_told(len(units), len(documents), rule, wrong, advice))
    if not units:
        return corpus
    with about(str(top)):  # codings of annotation pages know whether it is their text
        return corpus.with_details(units=units)


def _read_texts(
    belongs: Mapping[str, Path], encoding: str | None
) -> tuple[list[_TextFile], list[str]]:
    """The texts, and why some could not be read."""
    texts: list[_TextFile] = []
    wrong: list[str] = []
    for document, file in belongs.items():
        try:
            content = Source(file, document, "", encoding).read_text()
        except SegmentationError as error:
            reason = str(error).partition(": expected")[0]
            if "byte 0x" in reason:
                reason += " (text_encoding= names another, such as cp1252)"
            wrong.append(reason)
            continue
        texts.append((document, file, content))
    return texts, wrong


def _belongs(top: Path, files: list[Path], documents: Collection[str]) -> dict[str, Path]:
    """The file of each document: with the same name, ignoring folders if no other file has it; or
    the requested file, if there is only one document."""
    if files == [top] and len(documents) == 1:
        return dict.fromkeys(documents, top)

    def name(file: Path) -> str:
        inside = file.relative_to(top) if file != top else Path(file.name)
        return compressed.without_suffix(inside).as_posix()

    def last(full_name: str) -> str:
        return full_name.rpartition("/")[2]

    whole = {name(file): file for file in files}
    of_files, of_documents = (Counter(map(last, names)) for names in (whole, documents))
    short = {
        last(full_name): file for full_name, file in whole.items() if of_files[last(full_name)] == 1
    }
    found = {}
    for document in documents:
        file = whole.get(document)
        if file is None and of_documents[last(document)] == 1:
            file = short.get(last(document))
        if file is not None:
            found[document] = file
    return found


def _advice(unfit: list[_TextFile], documents: dict[str, int], rule: str) -> str:
    """The rule by which most of the texts would fit that do not fit now."""
    fitting = {
        other: sum(len(units_of(text, other)) == documents[document] for document, _, text in unfit)
        for other in _TRIED
        if other != rule
    }
    best = max(fitting, key=lambda other: fitting[other])
    return f"units={best!r} fits {fitting[best]:,} of {len(unfit):,}" if fitting[best] else ""


def _told(taken: int, documents: int, rule: str, wrong: list[str], advice: str) -> str:
    """A line that says what was used, the first reason why a text was not, and what would help."""
    which = f"all {documents:,}" if taken == documents else f"{taken:,} of {documents:,}"
    message = "no text is shown"
    if taken:
        unit = f"a unit is a {rule.removesuffix('s')}"
        texts = f"texts of {which} documents" if documents > 1 else "text"
        message = f"took the {texts}, {unit}"
    if wrong:
        more = f" (and {len(wrong) - 1:,} more)" if wrong[1:] else ""
        message += f"{'; left out' if taken else ''}: {wrong[0]}{more}"
    return message + (f"; {advice}" if advice else "")
