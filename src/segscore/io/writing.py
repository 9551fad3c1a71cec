"""Write a corpus, or a stream of records, in any format that can hold it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.cleaning import check_all_met
from segscore.io.compressed import stem_of, suffix_of
from segscore.io.files import as_path, folder_file, is_stream, replacing, replacing_folder
from segscore.io.format import Format, fitting
from segscore.io.formats import jsonl
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions
from segscore.io.reading import read_chosen
from segscore.io.registry import to_write
from segscore.io.source_files import PathLike


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
        corpus = _corpus_of(corpus, stem_of(as_path(path)))
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
    by_coder = {}
    for name, coding in given.items():
        by_coder[name] = coding if isinstance(coding, Mapping) else {coder: coding}
        for one in by_coder[name].values():
            if not isinstance(one, Segmentation):
                raise SegmentationError(f"document {name!r}: {not_segmentation(one)}")
    return Corpus.from_dict(by_coder)


def convert(
    source: PathLike | Sequence[PathLike],
    target: PathLike,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    choices: ReadOptions = DEFAULT_OPTIONS,
    lossy: bool = False,
) -> None:
    """Read a file in one format and write it in another.

    A source without any record is an error, and the target does not change. `read` and `write`
    explain the parameters.

    source, target: the file or folder to read, or several, and the file to write.
    from_format, to_format: names of formats; None: suffix and content decide.
    choices: how to read files of spans, times and labels, as in `read`.
    lossy: True leaves out what the target cannot hold.
    """
    choices = ReadOptions() if choices is DEFAULT_OPTIONS else choices  # notes of its own
    kind = _format(target, to_format)
    corpus = read_chosen(source, from_format, choices)
    check_all_met(choices)
    if not corpus and not corpus.failures:
        given = source if isinstance(source, list | tuple) else [source]
        named = ", ".join(map(str, given))
        raise SegmentationError(f"{named} holds no coding: expected at least one to convert")
    _write(fitting(corpus.records(), kind, lossy), target, kind, lossy, corpus.provenance)


def _format(target: PathLike, name: str | None) -> Format:
    """The format to write; a pipe without a suffix gets JSON Lines."""
    path = as_path(target)
    return to_write(path, "jsonl" if name is None and not path.suffix and is_stream(path) else name)


def _write(
    records: Iterable[Record], path: PathLike, kind: Format, lossy: bool, provenance: Provenance
) -> None:
    if kind.save is not None:
        kind.save(Corpus.from_rows(records), path)
        return
    if kind.write is not None:
        with replacing(path) as stream:
            if kind.name == "jsonl":
                jsonl.write(records, stream, provenance)
            else:
                kind.write(records, stream)
        return
    assert kind.files is not None  # noqa: S101  # a format has one or the other
    corpus = Corpus.from_rows(records)
    if not corpus:
        raise SegmentationError(f"{path}: nothing to write: expected at least one document")
    target = Path(path)
    if is_stream(target) or (suffix_of(target) in kind.suffixes and not target.is_dir()):
        _write_one(corpus, target, kind, lossy)
        return
    with replacing_folder(path) as folder:
        for name, text in kind.files(corpus, lossy):
            with folder_file(folder, name, kind.suffixes[0]).open(
                "x", encoding="utf-8", newline=""
            ) as stream:
                stream.writelines(text)


def _write_one(corpus: Corpus, target: Path, kind: Format, lossy: bool) -> None:
    """Write the single file of a format whose file names name the document (or document and
    coder)."""
    assert kind.files is not None  # noqa: S101
    named_texts = kind.files(corpus, lossy)
    name, text = next(named_texts)
    if next(named_texts, None) is not None:
        raise SegmentationError(
            f"{target}: {kind.title} ({kind.name}) holds one document per file, and there are "
            "several: expected a folder"
        )
    expected = name.rpartition("/")[2] if kind.name == "levels" else name
    if stem_of(target) != expected and not lossy:
        raise SegmentationError(
            f"{target}: the file name names the document in {kind.title} ({kind.name}): expected "
            f"{expected}{kind.suffixes[0]}, a folder, or lossy=True"
        )
    with replacing(target) as stream:
        stream.writelines(text)
