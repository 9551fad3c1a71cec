"""Several chunkers of the same texts, by their names: objects in memory, or files of chunks.

A file is JSON Lines, JSON, Parquet or Excel, as `segscore.io.formats.chunks` describes it: an
object (a row) holds a chunk, or all chunks of a document. A file that names coders holds the chunks
of several chunkers. A folder holds the files of a single chunker, which has its name; a file in it
that names no document holds the chunks of the document with its name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.chunks.chunk_offsets import ChunkOffsets, Missing, chunk_offsets
from segscore.chunks.source_texts import stored_source
from segscore.errors import SegmentationError
from segscore.io.files import READABLE, Source, as_path, naming_file
from segscore.io.formats.chunks import chunked_documents, document_called
from segscore.io.source_files import files_of

_SUFFIXES = frozenset((".jsonl", ".ndjson", ".json", ".parquet", ".pq", ".xlsx", ".xlsm"))


class _Reading(NamedTuple):
    """How chunks are read: the texts that they may belong to, and what is accepted."""

    known: Mapping[str, str]
    large: bool
    missing: Missing


def chunkers_of(
    chunks: Any,
    texts: Any,
    known: Mapping[str, str],
    large: bool = False,
    missing: Missing = "error",
) -> dict[str, ChunkOffsets]:
    """The chunks of each chunker, by its name.

    chunks: the chunks of a chunker in any form of `chunk_offsets`; the path of a file, or several;
    or a mapping from names of chunkers to any of these.
    texts: as the caller gave them: with a single text (a str), a mapping names chunkers; otherwise
    a mapping whose values are lists names documents.
    known: the texts by their documents (`source_texts`).
    large: lift the limits on memory and growth for trusted files.
    missing: "skip" leaves out texts without chunks, and chunks of documents without a text.
    """
    reading = _Reading(known, large, missing)
    if _are_paths(chunks):
        found: dict[str, ChunkOffsets] = {}
        for path in chunks:
            _add(found, _from_path(as_path(path), reading), str(path))
        return found
    if not isinstance(chunks, Mapping) or isinstance(chunks, ChunkOffsets):
        return _of_one(chunks, reading)
    if not chunks:
        raise SegmentationError("chunks is empty: expected at least one chunker")
    if not isinstance(texts, str) and not any(map(_is_whole_chunker, chunks.values())):
        return _of_one(chunks, reading)
    found = {}
    for name, own_chunks in chunks.items():
        if not isinstance(name, str) or not name:
            raise SegmentationError(f"chunks names a chunker {shown(name)}: expected a str")
        if isinstance(own_chunks, str | PathLike):
            (offsets,) = _only(_from_path(as_path(own_chunks), reading), own_chunks)
        else:
            offsets = chunk_offsets(own_chunks, known, name, missing=missing)
        found[name] = ChunkOffsets(offsets.by_document, name, offsets.remarks)
    return found


def chunked_by_all(texts: Iterable[str], chunkers: Mapping[str, ChunkOffsets]) -> set[str]:
    """The documents for which each chunker has chunks; at least one."""
    found = {name for name in texts if all(name in chunker for chunker in chunkers.values())}
    if not found:
        raise SegmentationError(
            "no text has chunks of each chunker: expected chunks of the texts that were given"
        )
    return found


def _are_paths(chunks: Any) -> bool:
    return (
        isinstance(chunks, Sequence)
        and not isinstance(chunks, str | bytes)
        and bool(chunks)
        and all(isinstance(chunk, PathLike) for chunk in chunks)
    )


def _is_whole_chunker(chunks: Any) -> bool:
    """Whether a value has the form of all chunks of a chunker: a mapping, or a file."""
    return isinstance(chunks, Mapping | PathLike | str)


def _of_one(chunks: Any, reading: _Reading) -> dict[str, ChunkOffsets]:
    if isinstance(chunks, str | PathLike):
        return _from_path(as_path(chunks), reading)
    offsets = chunk_offsets(chunks, reading.known, missing=reading.missing)
    return {offsets.name: offsets}


def _only(found: dict[str, ChunkOffsets], path: object) -> tuple[ChunkOffsets]:
    """The single chunker of a file that was given a name."""
    if len(found) > 1:
        raise SegmentationError(
            f"{path} holds the chunks of {len(found)} chunkers: expected one, because it has a "
            "name already"
        )
    return (next(iter(found.values())),)


def _add(found: dict[str, ChunkOffsets], more: dict[str, ChunkOffsets], where: str) -> None:
    for name, offsets in more.items():
        if name in found:
            raise SegmentationError(
                f"{where}: there is another chunker {name!r}: expected files of different names, "
                "or a mapping that names each"
            )
        found[name] = offsets


def _from_path(path: Path, reading: _Reading) -> dict[str, ChunkOffsets]:
    """The chunkers of a file, named after it unless it names others; or the chunker of a folder."""
    chunkers: dict[str, dict[str, Any]] = {}
    with naming_file(path, READABLE):
        if path.is_dir():
            for file in files_of(path, _SUFFIXES):
                source = replace(stored_source(file, reading.large), coder=path.resolve().name)
                _read(
                    source, chunkers, reading.known, document_called(source.document, reading.known)
                )
        else:
            alone = next(iter(reading.known)) if len(reading.known) == 1 else None
            _read(stored_source(path, reading.large), chunkers, reading.known, alone)
    return {
        name: chunk_offsets(documents, reading.known, name, str(path), missing=reading.missing)
        for name, documents in chunkers.items()
    }


def _read(
    source: Source,
    chunkers: dict[str, dict[str, Any]],
    known: Mapping[str, str],
    alone: str | None,
) -> None:
    """Add the chunks of a file; `alone` is the document of chunks that name none."""
    before = sum(map(len, chunkers.values()))
    for line, name, coder, chunks, own in chunked_documents(source):
        document = name or alone
        if document is None:
            raise source.fail(
                'no document is named, and there are several texts: expected "document" in '
                "each object, or the source in its metadata",
                line,
            )
        documents = chunkers.setdefault(coder, {})
        if document in documents:
            raise source.fail(
                f"document {document!r} is there twice: expected all its chunks in one place", line
            )
        if own is not None and known.get(document, own) != own:
            raise source.fail(
                f"document {document!r} has another text than the one given: expected the same",
                line,
            )
        documents[document] = chunks
    if sum(map(len, chunkers.values())) == before:
        raise source.fail("the file is empty: expected chunks")
