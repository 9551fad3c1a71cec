"""Several chunkers of the same texts, by their names: objects in memory, or files of chunks.

A file is JSON Lines, JSON, Parquet or Excel, as `segscore.io.formats.chunks` describes it: an
object (a row) holds a chunk, or all chunks of a document. One that names coders holds the chunks of
several chunkers.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.io.files import READABLE, as_path, naming_file
from segscore.io.formats.chunks import chunked_documents
from segscore.retrieval.chunk_offsets import ChunkOffsets, chunk_offsets
from segscore.retrieval.source_texts import stored_source


def chunkers_of(
    chunks: Any, texts: Any, known: Mapping[str, str], large: bool = False
) -> dict[str, ChunkOffsets]:
    """The chunks of each chunker, by its name.

    chunks: chunks of one chunker in any form of `chunk_offsets`; the path of a file, or several; or
    a mapping from names of chunkers to any of these.
    texts: as the caller gave them: if that is one text (a str), a mapping names chunkers; if it is
    anything else, one whose values are lists names documents.
    known: the texts by their documents (`source_texts`).
    large: lift the limits on memory and growth of files that one trusts.
    """
    if _are_paths(chunks):
        found: dict[str, ChunkOffsets] = {}
        for path in chunks:
            _add(found, _from_file(as_path(path), known, large), str(path))
        return found
    if not isinstance(chunks, Mapping) or isinstance(chunks, ChunkOffsets):
        return _of_one(chunks, known, large)
    if not chunks:
        raise SegmentationError("chunks is empty: expected at least one chunker")
    if not isinstance(texts, str) and not any(map(_is_whole_chunker, chunks.values())):
        return _of_one(chunks, known, large)
    found = {}
    for name, ones in chunks.items():
        if not isinstance(name, str) or not name:
            raise SegmentationError(f"chunks names a chunker {shown(name)}: expected a str")
        if isinstance(ones, str | PathLike):
            (one,) = _only(_from_file(as_path(ones), known, large), ones)
        else:
            one = chunk_offsets(ones, known, name)
        found[name] = ChunkOffsets(one.by_document, name, one.remarks)
    return found


def _are_paths(chunks: Any) -> bool:
    return (
        isinstance(chunks, Sequence)
        and not isinstance(chunks, str | bytes)
        and bool(chunks)
        and all(isinstance(one, PathLike) for one in chunks)
    )


def _is_whole_chunker(one: Any) -> bool:
    """Whether it holds the chunks of all documents."""
    return isinstance(one, Mapping | PathLike | str)


def _of_one(chunks: Any, known: Mapping[str, str], large: bool) -> dict[str, ChunkOffsets]:
    if isinstance(chunks, str | PathLike):
        return _from_file(as_path(chunks), known, large)
    one = chunk_offsets(chunks, known)
    return {one.name: one}


def _only(found: dict[str, ChunkOffsets], path: object) -> tuple[ChunkOffsets]:
    """The one chunker of a file that was given a name."""
    if len(found) > 1:
        raise SegmentationError(
            f"{path} holds the chunks of {len(found)} chunkers: expected one, because it has a "
            "name already"
        )
    return (next(iter(found.values())),)


def _add(found: dict[str, ChunkOffsets], more: dict[str, ChunkOffsets], where: str) -> None:
    for name, one in more.items():
        if name in found:
            raise SegmentationError(
                f"{where}: there is another chunker {name!r}: expected files of different names, "
                "or a mapping that names each"
            )
        found[name] = one


def _from_file(path: Path, known: Mapping[str, str], large: bool) -> dict[str, ChunkOffsets]:
    """The chunkers of a file: one called like it, unless it names others."""
    source = stored_source(path, large)
    alone = next(iter(known)) if len(known) == 1 else None
    chunkers: dict[str, dict[str, Any]] = {}
    with naming_file(path, READABLE):
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
                raise source.fail(f"document {document!r} is there twice: expected it once", line)
            if own is not None and known.get(document, own) != own:
                raise source.fail(
                    f"document {document!r} has another text than the one given: expected the same",
                    line,
                )
            documents[document] = chunks
    if not chunkers:
        raise source.fail("the file is empty: expected chunks")
    return {
        name: chunk_offsets(documents, known, name, where=source.at())
        for name, documents in chunkers.items()
    }
