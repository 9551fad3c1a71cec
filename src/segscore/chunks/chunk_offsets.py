"""Chunks as half-open character offsets of the texts that they were cut from.

Any form that splitters return is accepted (`segscore.text.chunk_forms`). Offsets are used as given,
in any order. Texts without offsets are found as by `place_chunks`: in the order of the text or, if
they are in another order, each at its only occurrence. Overlaps and gaps are allowed. A chunk that
is outside the text, belongs to another text, or differs from the text at its own offsets (apart
from white space, quote marks and dashes) is an error. So are ends that are the last character
inside, so that each chunk lacks a character. Text in no chunk is reported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, array_inside, is_whole, shown
from segscore.basics.series import first_twice
from segscore.chunks.source_texts import offset_hint
from segscore.errors import SegmentationError, about, named, nearest
from segscore.io.formats.chunks import document_called, document_of
from segscore.text.chunk_finding import Found, changes_at, find_chunks, given_stretches
from segscore.text.chunk_forms import Chunk, as_chunks, first_of
from segscore.text.folding import Folded, is_blank, visible
from segscore.text.markdown_blocks import Stretch

_ADDED = (
    "; it has text of the document further on: if something was put in front of chunks, as in "
    "contextual retrieval, give offsets alone"
)
_LEAST, _RECOGNISED = 5, 30  # characters by which text is known again: at least, and at most
_IDS = ("chunk_id", "id", "id_", "node_id")
_DEFAULT_NAME = "chunks"
Missing = Literal["error", "skip"]
"""What to do about documents that have chunks or questions and no text, or a text and no chunks."""


class DocumentOffsets(NamedTuple):
    """The chunks of a document: the start and end of each in characters, and its id, if chunks have
    ids; otherwise its position in the list identifies it."""

    starts: Int64Array
    ends: Int64Array
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class ChunkOffsets(Mapping[str, DocumentOffsets]):
    """The chunks of each document, as cut by a chunker.

    by_document: the offsets of each document. name: the name of the chunker. remarks: remarks on
    how chunks were found, summed up over documents.
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

    def only(self, documents: Iterable[str]) -> "ChunkOffsets":
        """The chunks of these documents, in their order."""
        kept = {name: self.by_document[name] for name in documents if name in self.by_document}
        return replace(self, by_document=kept)

    @property
    def n_chunks(self) -> int:
        """The number of chunks in all documents."""
        return sum(len(offsets.starts) for offsets in self.by_document.values())


def chunk_offsets(
    chunks: Any,
    texts: Mapping[str, str],
    name: str = _DEFAULT_NAME,
    where: str = "",
    missing: Missing = "error",
) -> ChunkOffsets:
    """The offsets of the chunks of a chunker in their texts, in the order of the texts.

    chunks: a mapping from documents to chunks; or a list of chunks, of a single text or each naming
    its document (`document`, or `source`, `file_path`, `file_name` in the metadata).
    texts: the result of `source_texts`; each text must have chunks, perhaps an empty list.
    name: the name of the chunker. where: the file, for messages.
    missing: "skip" leaves out texts without chunks, and chunks of documents without a text.

    >>> found = chunk_offsets(["One. Two", "Two now."], {"d": "One. Two now."})
    >>> found["d"].starts.tolist(), found["d"].ends.tolist()
    ([0, 5], [8, 13])
    """
    skips = missing == "skip"
    if isinstance(chunks, ChunkOffsets):
        _check_against(chunks, texts, skips)
        return chunks.only(texts)
    with about(where) if where else about(f"chunker {name!r}"):
        given = _by_document(chunks, texts, skips)
        found: dict[str, DocumentOffsets] = {}
        placed: list[Found] = []
        for document in (text for text in texts if text in given):
            with about(f"document {document!r}"):
                hint = offset_hint(texts, document)
                found[document], placement = _placed(texts[document], given[document], hint)
            placed.append(placement)
    covered = _uncovered({document: (texts[document], own) for document, own in found.items()})
    return ChunkOffsets(found, name, (*_told(placed), *covered))


def _check_against(chunks: ChunkOffsets, texts: Mapping[str, str], skips: bool) -> None:
    """Raise for offsets that were made for other texts."""
    for document, text in texts.items():
        if document not in chunks:
            if skips:
                continue
            raise SegmentationError(f"chunker {chunks.name!r}: {_no_chunks(document)}")
        ends = chunks[document].ends
        if len(ends) and ends.max() > len(text):
            raise SegmentationError(
                f"chunker {chunks.name!r}: document {document!r}: chunks[{int(ends.argmax())}] "
                f"ends at {int(ends.max())}, and the text has {len(text)} characters: expected "
                "chunks of the text that was given"
            )


def _no_chunks(document: str) -> str:
    return (
        f"document {document!r} has no chunks: expected chunks of each text; an empty list says "
        "that a text has none, a folder holds the files of one chunker, and "
        'missing="skip" leaves the text out'
    )


# ---- which document they belong to ----


def _by_document(chunks: Any, texts: Mapping[str, str], skips: bool) -> dict[str, Any]:
    """The chunks of each text, perhaps an empty list."""
    if isinstance(chunks, Mapping):
        given = _by_known_name(chunks.items(), texts, skips)
    elif len(texts) == 1:
        given = dict.fromkeys(texts, chunks)
        _check_one_document(chunks, next(iter(texts)))
    else:
        given = _grouped(chunks, texts, skips)
    for document in texts:
        if document not in given and not skips:
            raise SegmentationError(_no_chunks(document))
    return given


def _by_known_name(
    chunks: Iterable[tuple[Any, Any]], texts: Mapping[str, str], skips: bool
) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, own_chunks in chunks:
        known = document_called(name, texts) if isinstance(name, str) and name else None
        if known is None:
            if skips and isinstance(name, str):
                continue
            raise SegmentationError(
                f"document {shown(name)} has chunks and no text{nearest(str(name), texts)}"
            )
        if known in given:
            raise SegmentationError(f"document {known!r} has chunks twice: expected them once")
        given[known] = own_chunks
    return given


def _check_one_document(chunks: Any, document: str) -> None:
    """Raise if chunks name several documents but there is a single text."""
    if isinstance(chunks, list | tuple):
        names = dict.fromkeys(shown(name) for name in map(_name_of, chunks) if name is not None)
        if len(names) > 1:
            raise SegmentationError(
                f"chunks name {len(names)} documents, {', '.join([*names][:3])} …, and there is "
                f"one text, {document!r}: expected a mapping from documents to texts"
            )


def _grouped(chunks: Any, texts: Mapping[str, str], skips: bool) -> dict[str, list[Any]]:
    """The chunks of a list, by the document that each names."""
    listed = array_inside(chunks, "chunks", "a list of chunks")
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        raise SegmentationError(f"chunks is {shown(chunks)}: expected chunks of each text")
    given: dict[str, list[Any]] = {}
    for index, chunk in enumerate(listed):
        name = _name_of(chunk)
        known = document_called(name, texts) if isinstance(name, str) and name else None
        if known is None:
            if skips and isinstance(name, str):
                continue
            what = "names no document"
            if name is not None:
                meant = nearest(str(name), texts).partition(":")[0]
                what = f"is of document {shown(name)}{meant}"
            raise SegmentationError(
                f"chunks[{index}] {what}, and there are texts of {named(texts)}: expected a "
                "mapping from documents to chunks, or the document in each chunk ('document', or "
                "'source' in its metadata)"
            )
        given.setdefault(known, []).append(chunk)
    return given


def _name_of(chunk: Any) -> Any:
    plain = isinstance(chunk, str | bytes | Sequence) or is_whole(chunk)
    return None if plain else document_of(chunk)


# ---- where they stand ----


def _placed(text: str, given: Any, hint: str) -> tuple[DocumentOffsets, Found]:
    """The offsets of the chunks of a document, and how they were found.

    hint: the end of messages about offsets that do not fit.
    """
    listed = array_inside(given, "chunks", "a list of chunks")
    if not isinstance(listed, str | bytes | Mapping) and isinstance(listed, Iterable):
        listed = list(listed)
        if not listed:
            none = np.zeros(0, np.int64)
            return DocumentOffsets(none, none), Found([])
    chunks = as_chunks(listed)
    known = all(chunk.start is not None for chunk in chunks)
    found = _by_offsets(text, chunks, hint) if known else _by_texts(text, chunks)
    edges = np.array(found.stretches, np.int64).reshape(-1, 2)
    ids = _ids(listed, len(chunks))
    return DocumentOffsets(edges[:, 0].copy(), edges[:, 1].copy(), ids), found


def _by_offsets(text: str, chunks: list[Chunk], hint: str) -> Found:
    """The chunks at their own offsets; each must be in the text, and equal the text there."""
    stretches = given_stretches(text, chunks)
    changed = 0
    for index, (chunk, (start, end)) in enumerate(zip(chunks, stretches, strict=True)):
        if end > len(text) or start >= end:
            raise SegmentationError(
                f"chunks[{index}] goes from {shown(start)} to {shown(end)}, "
                f"and the text has {len(text)} "
                "characters: expected a start before an end inside of the text; offsets count "
                f"characters (code points), not bytes{hint}{_added(text[start:end], chunk.text)}"
            )
        if chunk.text is not None and chunk.text != text[start:end]:
            changed += _changes_there(text, (start, end), chunk.text, f"chunks[{index}]", hint)
    if all(chunk.end is not None for chunk in chunks):
        _refuse_inclusive(text, stretches)
    ascending = all(before <= after for (before, _), (after, _) in pairwise(stretches))
    if ascending and all(chunk.text is not None for chunk in chunks):
        return find_chunks(text, chunks)  # LangChain may name the place of another chunk
    return Found(stretches, changed)


def _refuse_inclusive(text: str, stretches: list[Stretch]) -> None:
    """Raise if each of several chunks lacks one character, that at its end."""
    following = [*(start for start, _ in stretches[1:]), len(text)]
    left_out = [text[end:after] for (_, end), after in zip(stretches, following, strict=True)]
    if len(stretches) > 1 and all(
        visible(piece) == 1 and not is_blank(piece[0]) for piece in left_out
    ):
        raise SegmentationError(
            f"each chunk ends one character early: {left_out[0][0]!r} at {stretches[0][1]} is in "
            "no chunk, nor is that after any other: expected pairs (start, end) whose end is after "
            "the last character, as in text[start:end]"
        )


def _uncovered(chunks: Mapping[str, tuple[str, DocumentOffsets]]) -> Iterator[str]:
    """A remark on text in no chunk, white space aside, if there is any."""
    left = size = 0
    first = ""
    for document, (text, own) in chunks.items():
        at = Folded(text).at
        edges = np.zeros(len(text) + 1, np.int64)
        np.add.at(edges, own.starts, 1)
        np.add.at(edges, own.ends, -1)
        lost = at[np.cumsum(edges)[at] == 0]
        if len(lost) and not first:
            start = int(lost[0])
            first = f"document {document!r} from {start}, {text[start : start + 30]!r}"
        left, size = left + len(lost), size + len(at)
    if left:
        yield f"in no chunk: {left / size:.1%} of the text, white space aside ({first})"


def _changes_there(text: str, place: Stretch, chunk: str, what: str, hint: str) -> int:
    """The number of differences between a chunk and the text at its offsets; raise if it is other
    text, and say what may have happened."""
    try:
        return changes_at(text, *place, chunk, what)
    except SegmentationError as error:
        raise SegmentationError(f"{error}{hint}{_added(text[slice(*place)], chunk)}") from None


def _added(there: str, chunk: str | None) -> str:
    """The end of a message if the text at a chunk's offsets occurs later in the chunk."""
    known = Folded(there[:_RECOGNISED]).text
    return _ADDED if len(known) >= _LEAST and Folded(chunk or "").text.find(known) > 0 else ""


def _by_texts(text: str, chunks: list[Chunk]) -> Found:
    """The places of texts in the order of the text; or each at its only occurrence."""
    try:
        return find_chunks(text, chunks)
    except SegmentationError as error:
        found = _one_by_one(text, chunks)
        if found is None:
            hint = _ADDED if _has_more_in_front(text, chunks) else ""
            raise SegmentationError(f"{error}{hint}") from None
        return found


def _has_more_in_front(text: str, chunks: list[Chunk]) -> bool:
    """Whether a chunk that is not in the text ends with something that is."""
    whole = Folded(text).text
    absent = (folded for chunk in chunks if (folded := Folded(chunk.text or "").text) not in whole)
    return any(
        absent_text[-_RECOGNISED:] in whole
        for absent_text in absent
        if len(absent_text) > _RECOGNISED
    )


def _one_by_one(text: str, chunks: list[Chunk]) -> Found | None:
    """The place of each chunk at the only occurrence of its text; None if a chunk has none."""
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
    plain = (isinstance(chunk, str | bytes | Sequence) or is_whole(chunk) for chunk in listed)
    ids = [
        None if bare else first_of(chunk, _IDS) for chunk, bare in zip(listed, plain, strict=True)
    ]
    if any(chunk_id is None for chunk_id in ids):
        return None
    names = [str(chunk_id) for chunk_id in ids]
    if len(set(names)) < len(names):
        raise SegmentationError(
            f"two chunks have the id {first_twice(names)!r}: expected each id once in a document"
        )
    return tuple(names)


def _told(found: Sequence[Found]) -> Iterator[str]:
    """A remark, in one line, on how chunks of all documents were found, if there is any."""
    counts = {
        "changes of white space or marks": [placement.changed for placement in found],
        "chunks that fit elsewhere, too": [placement.ambiguous for placement in found],
        "chunks that are not where their offsets say": [
            placement.wrong_offsets for placement in found
        ],
    }
    remarks = [f"{what}: {sum(each)}" for what, each in counts.items() if sum(each)]
    n_documents = sum(
        any(document_counts) for document_counts in zip(*counts.values(), strict=True)
    )
    if remarks and len(found) > 1:
        remarks[-1] += f" (in {n_documents} of {len(found)} documents)"
    if remarks:
        yield ", ".join(remarks)
