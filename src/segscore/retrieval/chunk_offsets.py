"""Chunks as half-open character offsets of the texts that they were cut from.

Any form that splitters return is taken (`segscore.text.chunk_forms`). Offsets stand as they are
given, in any order. Texts without offsets are found as `place_chunks` finds them: in the order of
the text, or, if they are in another order, each where it stands, provided that it stands there
only. Overlaps and gaps are fine. What is outside the text, belongs to another text, or differs from
the text at its own offsets (white space, quote marks and dashes aside) is an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, array_inside, is_whole, shown
from segscore.basics.series import first_twice
from segscore.errors import SegmentationError, about, named
from segscore.io.formats.chunks import document_called, document_of
from segscore.text.chunk_finding import Found, changes_at, find_chunks
from segscore.text.chunk_forms import Chunk, as_chunks, first_of
from segscore.text.folding import Folded

_IDS = ("chunk_id", "id", "id_", "node_id")
_DEFAULT_NAME = "chunks"


class DocumentOffsets(NamedTuple):
    """The chunks of a document: where each starts and ends, in characters, and its id, if chunks
    have ids; otherwise the position in the list is what tells one from another."""

    starts: Int64Array
    ends: Int64Array
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class ChunkOffsets(Mapping[str, DocumentOffsets]):
    """The chunks of each document, as one chunker cut them.

    by_document: the offsets of each. name: what the chunker is called. remarks: what is worth
    knowing about how chunks were found, a line per document.
    """

    by_document: Mapping[str, DocumentOffsets]
    name: str = _DEFAULT_NAME
    remarks: tuple[str, ...] = ()

    def __getitem__(self, document: str) -> DocumentOffsets:
        return self.by_document[document]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_document)

    def __len__(self) -> int:
        return len(self.by_document)

    @property
    def n_chunks(self) -> int:
        """How many chunks there are in all documents."""
        return sum(len(one.starts) for one in self.by_document.values())


def chunk_offsets(
    chunks: Any, texts: Mapping[str, str], name: str = _DEFAULT_NAME, where: str = ""
) -> ChunkOffsets:
    """Where the chunks of a chunker stand in their texts, in the order of the texts.

    chunks: a mapping from documents to chunks; or a list of chunks, of the one text or each naming
    its document (`document`, or `source`, `file_path`, `file_name` in the metadata).
    texts: as `source_texts` gives them; each must have its chunks, perhaps an empty list.
    name: what the chunker is called. where: the file, for messages.

    >>> found = chunk_offsets(["One. Two", "Two now."], {"d": "One. Two now."})
    >>> found["d"].starts.tolist(), found["d"].ends.tolist()
    ([0, 5], [8, 13])
    """
    if isinstance(chunks, ChunkOffsets):
        _check_against(chunks, texts)
        return chunks
    with about(where) if where else about(f"chunker {name!r}"):
        given = _by_document(chunks, texts)
        found: dict[str, DocumentOffsets] = {}
        remarks: list[str] = []
        for document, text in texts.items():
            with about(f"document {document!r}"):
                found[document], remark = _placed(text, given[document])
            if remark:
                remarks.append(f"document {document!r}: {remark}")
    return ChunkOffsets(found, name, tuple(remarks))


def _check_against(chunks: ChunkOffsets, texts: Mapping[str, str]) -> None:
    """Refuse offsets that were made for other texts."""
    for document, text in texts.items():
        if document not in chunks:
            raise SegmentationError(
                f"chunker {chunks.name!r}: document {document!r} has no chunks: expected chunks of "
                "each text"
            )
        ends = chunks[document].ends
        if len(ends) and ends.max() > len(text):
            raise SegmentationError(
                f"chunker {chunks.name!r}: document {document!r}: chunks[{int(ends.argmax())}] "
                f"ends at {int(ends.max())}, and the text has {len(text)} characters: expected "
                "chunks of the text that was given"
            )


# ---- which document they belong to ----


def _by_document(chunks: Any, texts: Mapping[str, str]) -> dict[str, Any]:
    """The chunks of each text, which has some, or an empty list."""
    if isinstance(chunks, Mapping):
        given = _by_known_name(chunks.items(), texts)
    elif len(texts) == 1:
        given = dict.fromkeys(texts, chunks)
        _check_one_document(chunks, next(iter(texts)))
    else:
        given = _grouped(chunks, texts)
    for document in texts:
        if document not in given:
            raise SegmentationError(
                f"document {document!r} has no chunks: expected chunks of each text; an empty list "
                "says that a text has none"
            )
    return given


def _by_known_name(chunks: Iterable[tuple[Any, Any]], texts: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, ones in chunks:
        known = document_called(name, texts) if isinstance(name, str) and name else None
        if known is None:
            raise SegmentationError(
                f"document {shown(name)} has chunks and no text: expected one of {named(texts)}"
            )
        if known in given:
            raise SegmentationError(f"document {known!r} has chunks twice: expected them once")
        given[known] = ones
    return given


def _check_one_document(chunks: Any, document: str) -> None:
    """Refuse chunks that name several documents where one text is given."""
    if isinstance(chunks, list | tuple):
        names = dict.fromkeys(shown(one) for one in map(_name_of, chunks) if one is not None)
        if len(names) > 1:
            raise SegmentationError(
                f"chunks name {len(names)} documents, {', '.join([*names][:3])} …, and there is "
                f"one text, {document!r}: expected a mapping from documents to texts"
            )


def _grouped(chunks: Any, texts: Mapping[str, str]) -> dict[str, list[Any]]:
    """Chunks in one list, by the document that each names."""
    listed = array_inside(chunks, "chunks", "a list of chunks")
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        raise SegmentationError(f"chunks is {shown(chunks)}: expected chunks of each text")
    given: dict[str, list[Any]] = {}
    for index, one in enumerate(listed):
        name = _name_of(one)
        known = document_called(name, texts) if isinstance(name, str) and name else None
        if known is None:
            what = "names no document" if name is None else f"is of document {shown(name)}"
            raise SegmentationError(
                f"chunks[{index}] {what}, and there are texts of {named(texts)}: expected a "
                "mapping from documents to chunks, or the document in each chunk ('document', or "
                "'source' in its metadata)"
            )
        given.setdefault(known, []).append(one)
    return given


def _name_of(chunk: Any) -> Any:
    plain = isinstance(chunk, str | bytes | Sequence) or is_whole(chunk)
    return None if plain else document_of(chunk)


# ---- where they stand ----


def _placed(text: str, given: Any) -> tuple[DocumentOffsets, str]:
    """The offsets of the chunks of a document, and what is worth knowing about them."""
    listed = array_inside(given, "chunks", "a list of chunks")
    if not isinstance(listed, str | bytes | Mapping) and isinstance(listed, Iterable):
        listed = list(listed)
        if not listed:
            none = np.zeros(0, np.int64)
            return DocumentOffsets(none, none), ""
    chunks = as_chunks(listed)
    known = all(chunk.start is not None for chunk in chunks)
    found = _by_offsets(text, chunks) if known else _by_texts(text, chunks)
    edges = np.array(found.stretches, np.int64).reshape(-1, 2)
    return DocumentOffsets(
        edges[:, 0].copy(), edges[:, 1].copy(), _ids(listed, len(chunks))
    ), _told(found)


def _by_offsets(text: str, chunks: list[Chunk]) -> Found:
    """Chunks where they say; each must be in the text, and be what it is there."""
    starts = [chunk.start or 0 for chunk in chunks]
    ends = [
        following if chunk.end is None else chunk.end
        for chunk, following in zip(chunks, [*starts[1:], len(text)], strict=True)
    ]
    changed = 0
    for index, (chunk, start, end) in enumerate(zip(chunks, starts, ends, strict=True)):
        if end > len(text) or start >= end:
            raise SegmentationError(
                f"chunks[{index}] goes from {shown(start)} to {shown(end)}, "
                f"and the text has {len(text)} "
                "characters: expected a start before an end inside of the text; offsets count "
                "characters (code points), not bytes"
            )
        if chunk.text is not None and chunk.text != text[start:end]:
            changed += changes_at(text, start, end, chunk.text, f"chunks[{index}]")
    ascending = all(one <= other for one, other in pairwise(starts))
    if ascending and all(chunk.text is not None for chunk in chunks):
        return find_chunks(text, chunks)  # LangChain may name the place of another chunk
    return Found(list(zip(starts, ends, strict=True)), changed)


def _by_texts(text: str, chunks: list[Chunk]) -> Found:
    """Texts in the order of the text; or each where it stands, if that is one place only."""
    try:
        return find_chunks(text, chunks)
    except SegmentationError:
        found = _one_by_one(text, chunks)
        if found is None:
            raise
        return found


def _one_by_one(text: str, chunks: list[Chunk]) -> Found | None:
    """Each chunk at the only place that has its text; None if one has no such place."""
    whole = Folded(text)
    stretches: list[tuple[int, int]] = []
    for chunk in chunks:
        piece = Folded(chunk.text or "")
        at = whole.text.find(piece.text) if len(piece) else -1
        if at < 0 or whole.text.find(piece.text, at + 1) >= 0:
            return None
        stretches.append((int(whole.at[at]), int(whole.at[at + len(piece) - 1]) + 1))
    return Found(stretches)


def _ids(listed: Any, n_chunks: int) -> tuple[str, ...] | None:
    """The ids of chunks, if all of them have one."""
    if len(listed) != n_chunks:  # a list of texts and one of offsets
        return None
    plain = (isinstance(one, str | bytes | Sequence) or is_whole(one) for one in listed)
    ids = [None if bare else first_of(one, _IDS) for one, bare in zip(listed, plain, strict=True)]
    if any(one is None for one in ids):
        return None
    names = [str(one) for one in ids]
    if len(set(names)) < len(names):
        raise SegmentationError(
            f"two chunks have the id {first_twice(names)!r}: expected each id once in a document"
        )
    return tuple(names)


def _told(found: Found) -> str:
    """What is worth knowing about chunks that were found."""
    told = {
        "changes of white space or marks": found.changed,
        "chunks that fit elsewhere, too": found.ambiguous,
        "chunks that stand elsewhere than their offsets say": found.wrong_offsets,
    }
    return ", ".join(f"{what}: {count}" for what, count in told.items() if count)
