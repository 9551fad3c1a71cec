"""What is given, as texts and offsets: the texts that were cut, and the chunks of each chunker.

The text of a file is complete, with Python's line ends and without a byte order mark; headings,
code and tables stay in place, because offsets count them. In a folder each text is a document with
the name of its file without the suffix. JSON Lines and tables hold a text per row: `document` and
`text`.

Chunks are in any form that splitters return (`segscore.text.chunk_finding`), in memory or in files
(`segscore.io.formats.chunks`). A file that names coders holds the chunks of several chunkers. A
folder holds the files of a single chunker, which has its name. Offsets are used as given, in any
order. Texts without offsets are found as by `ss.chunks.place` or, if they are in another order,
each at its only occurrence. Overlaps and gaps are allowed, and text in no chunk is reported. A
chunk that is outside the text, or differs from the text at its own offsets, is an error. So are
ends that are the last character inside, so that each chunk lacks a character.

A function that splits a text into tokens returns their texts in order, their places as pairs
(start, end) of characters, or what tokenizers of Hugging Face return (`offsets` of the package
tokenizers, `offset_mapping` and `input_ids` of transformers). Where only their number matters, it
may also return anything else that can be counted, or the number itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from segscore.basics import arguments
from segscore.basics.arguments import Int64Array, is_whole, shown
from segscore.basics.user_functions import calling
from segscore.errors import SegmentationError, about, named, nearest
from segscore.io import files
from segscore.io.formats import chunks as chunk_files
from segscore.io.read_options import DEFAULT_OPTIONS
from segscore.io.reading import files_of
from segscore.text.chunk_finding import Found, as_chunks, find_chunks, first_field
from segscore.text.folding import Folded, is_white

_TEXT_SUFFIXES = frozenset(
    (".txt", ".text", ".md", ".markdown", ".mdx", ".rst", ".html", ".htm", ".tex", ".adoc")
)  # what a folder of texts is searched for
_CHUNK_SUFFIXES = frozenset((".jsonl", ".ndjson", ".json", ".parquet", ".pq", ".xlsx", ".xlsm"))
_LONGEST_NAME = 250  # of a file; a longer text is none
_TEXT_ROW = 'an object with "document" and "text" per line'
_IDS = ("chunk_id", "id", "id_", "node_id")

Texts = str | PathLike[str] | Mapping[str, str]
Tokens = Callable[[str], Any]
"""From a text to its tokens, their places, or, where that is enough, their number."""
Missing = Literal["error", "skip"]
"""What to do about documents that have chunks or questions and no text, or a text and no chunks."""


class DocumentOffsets(NamedTuple):
    """The chunks of a document: the start and end of each in characters, and its id, if chunks have
    ids; otherwise its position in the list identifies it."""

    starts: Int64Array
    ends: Int64Array
    ids: tuple[str, ...] | None = None


ChunkOffsets = tuple[dict[str, DocumentOffsets], tuple[str, ...]]
"""The chunks of a chunker by document, and remarks on how they were found."""


def stored_source(path: Path, large: bool = False, encoding: str | None = None) -> files.Source:
    """A file of texts, chunks, questions or retrievals; `large` lifts the limits on its size."""
    choices = replace(
        DEFAULT_OPTIONS, large=arguments.truth(large, "large"), text_encoding=encoding
    )
    return files.Source(path, files.stem_of(path), files.stem_of(path), encoding, choices=choices)


# ---- texts ----


def source_texts(texts: Any, large: bool = False, encoding: str | None = None) -> dict[str, str]:
    """The texts by the names of their documents.

    texts: a single text; a mapping from documents to texts; or a path (not a str, which is a text)
    of a file or a folder. large: lift the limits on memory and growth for trusted files. encoding:
    the encoding of text files; None is UTF-8.

    >>> source_texts("It rains.")
    {'text': 'It rains.'}
    """
    where = ""
    if isinstance(texts, str):
        if len(texts) < _LONGEST_NAME and texts.isprintable() and Path(texts).exists():
            raise SegmentationError(
                f"texts is {texts!r}, which is the name of a file or a folder: expected the text "
                f"itself, or pathlib.Path({texts!r})"
            )
        texts = {"text": texts}
    elif isinstance(texts, PathLike):
        where = f"{texts}: "
        texts = _texts_of(files.as_path(texts), large, encoding)
    if not isinstance(texts, Mapping) or not texts:
        raise SegmentationError(
            f"{where}texts is {shown(texts)}: expected a text, a mapping from documents to texts, "
            "or the Path of a file or a folder"
        )
    for name, text in texts.items():
        if not (isinstance(name, str) and name and isinstance(text, str) and text.strip()):
            what = "empty" if isinstance(text, str) else shown(text)
            raise SegmentationError(f"{where}document {name!r} is {what}: expected its text")
    return dict(texts)


def _texts_of(path: Path, large: bool, encoding: str | None) -> dict[Any, Any]:
    """The texts of a file or a folder."""
    found: dict[Any, Any] = {}
    is_folder = path.is_dir()
    if not is_folder and files.suffix_of(path) in {*_CHUNK_SUFFIXES, *files.TABLES}:
        source = stored_source(path, large)
        with files.naming_file(path, files.READABLE):
            for line, fields in chunk_files.stored_objects(source, _TEXT_ROW):
                if not isinstance(fields, dict) or not {"document", "text"} <= fields.keys():
                    raise source.fail(f"{shown(fields)}: expected {_TEXT_ROW}", line)
                if fields["document"] in found:
                    message = f"document {fields['document']!r} is there twice: expected it once"
                    raise source.fail(message, line)
                found[fields["document"]] = fields["text"]
        return found
    for file in files_of(path, _TEXT_SUFFIXES) if is_folder else [path]:
        below = file.relative_to(path if is_folder else path.parent)
        name = files.without_suffix(below).as_posix()
        with files.naming_file(file, files.READABLE):
            found[name] = files.with_line_ends(stored_source(file, large, encoding).read_text())
    return found


# ---- chunkers ----


def chunkers_of(
    chunks: Any, texts: Any, known: Mapping[str, str], large: bool = False, missing: str = "error"
) -> dict[str, ChunkOffsets]:
    """The offsets of the chunks of each chunker, by its name.

    chunks: the chunks of a chunker: by document, or in a list, of a single text or each naming its
    document (`document`, or `source`, `file_path`, `file_name` in the metadata); the path of a
    file, or several; or a mapping from names of chunkers to any of these.
    texts: as the caller gave them: with a single text (a str), a mapping names chunkers; otherwise
    a mapping whose values are lists names documents.
    known: the texts by their documents (`source_texts`); each must have chunks, perhaps none.
    missing: "skip" leaves out texts without chunks, and chunks of documents without a text.

    >>> found, _ = chunkers_of(["One. Two", "Two now."], "", {"d": "One. Two now."})["chunks"]
    >>> found["d"].starts.tolist(), found["d"].ends.tolist()
    ([0, 5], [8, 13])
    """
    found: dict[str, ChunkOffsets] = {}
    for name, own, where in _named_chunkers(chunks, texts, known, large):
        if name in found:
            raise SegmentationError(
                f"{where}: there is another chunker {name!r}: expected files of different names, "
                "or a mapping that names each"
            )
        with about(where or f"chunker {name!r}"):
            found[name] = _chunk_offsets(own, known, missing == "skip")
    return found


def chunks_in_texts(
    chunks: Any,
    texts: Any,
    *,
    tokens: Tokens | None = None,
    missing: Missing = "error",
    text_encoding: str | None = None,
    large: bool = False,
) -> tuple[dict[str, str], dict[str, ChunkOffsets], dict[str, str]]:
    """All that is given: the texts, the chunks of each chunker, and the texts that have chunks of
    each; at least one."""
    arguments.check_choice(missing, "missing", get_args(Missing))
    if tokens is not None and not callable(tokens):
        raise SegmentationError(f"tokens is {shown(tokens)}: expected a function of a text")
    known = source_texts(texts, large, text_encoding)
    chunkers = chunkers_of(chunks, texts, known, large, missing)
    by_all = set.intersection(set(known), *(documents for documents, _ in chunkers.values()))
    if not by_all:
        raise SegmentationError(
            "no text has chunks of each chunker: expected chunks of the texts that were given"
        )
    return known, chunkers, {name: text for name, text in known.items() if name in by_all}


def _named_chunkers(
    chunks: Any, texts: Any, known: Mapping[str, str], large: bool
) -> Iterator[tuple[str, Any, str]]:
    """The name of each chunker, its chunks in memory, and the file that they were in."""
    if isinstance(chunks, str | PathLike):
        chunks = [files.as_path(chunks)]
    if isinstance(chunks, list | tuple) and chunks and all(isinstance(p, PathLike) for p in chunks):
        for path in map(files.as_path, chunks):
            stored = _stored_chunks(path, known, large)
            yield from ((name, own, str(path)) for name, own in stored.items())
        return
    inside = chunks.values() if isinstance(chunks, Mapping) else ()
    of_documents = not isinstance(texts, str) and not any(
        isinstance(own, Mapping | PathLike | str) for own in inside
    )
    if not isinstance(chunks, Mapping) or (chunks and of_documents):
        yield "chunks", chunks, ""
        return
    if not chunks:
        raise SegmentationError("chunks is empty: expected at least one chunker")
    for name, own in chunks.items():
        if not isinstance(name, str) or not name:
            raise SegmentationError(f"chunks names a chunker {shown(name)}: expected a str")
        if not isinstance(own, str | PathLike):
            yield name, own, ""
            continue
        stored = _stored_chunks(files.as_path(own), known, large)
        if len(stored) > 1:
            raise SegmentationError(
                f"{own} holds the chunks of {len(stored)} chunkers: expected one, because it has a "
                "name already"
            )
        yield name, next(iter(stored.values())), str(own)


def _stored_chunks(path: Path, known: Mapping[str, str], large: bool) -> dict[str, dict[str, Any]]:
    """The chunks of a file or a folder, by chunker and document.

    A file is the chunker of its name unless it names coders. Chunks that name no document are of
    the only text or, in a folder, of the text with the name of their file.
    """
    chunkers: dict[str, dict[str, Any]] = {}
    is_folder = path.is_dir()
    with files.naming_file(path, files.READABLE):
        for file in files_of(path, _CHUNK_SUFFIXES) if is_folder else [path]:
            source = stored_source(file, large)
            alone = next(iter(known)) if len(known) == 1 else None
            if is_folder:
                source = replace(source, coder=path.resolve().name)
                alone = chunk_files.document_called(source.document, known)
            stored = list(chunk_files.chunked_documents(source))
            if not stored:
                raise source.fail("the file is empty: expected chunks")
            for line, named_document, coder, chunks, own in stored:
                document = named_document or alone
                if document is None:
                    raise source.fail(
                        'no document is named, and there are several texts: expected "document" '
                        "in each object, or the source in its metadata",
                        line,
                    )
                documents = chunkers.setdefault(coder, {})
                if document in documents:
                    raise source.fail(f"document {document!r} is there twice: expected once", line)
                if own is not None and known.get(document, own) != own:
                    message = f"document {document!r} has another text: expected the one given"
                    raise source.fail(message, line)
                documents[document] = chunks
    return chunkers


# ---- the chunks of a chunker ----


def _chunk_offsets(chunks: Any, texts: Mapping[str, str], skips: bool) -> ChunkOffsets:
    """The offsets of chunks in the texts, in the order of the texts."""
    by_document = _by_document(chunks, texts, skips)
    documents: dict[str, DocumentOffsets] = {}
    placed: list[Found] = []
    for document, text in texts.items():
        if document in by_document:
            with about(f"document {document!r}"):
                documents[document], found = _placed(text, by_document[document])
            placed.append(found)
        elif not skips:
            raise SegmentationError(
                f"document {document!r} has no chunks: expected chunks of each text; an empty list "
                "says that a text has none, a folder holds the files of one chunker, and "
                'missing="skip" leaves the text out'
            )
    return documents, (*_found_how(placed), *_uncovered(documents, texts))


def _by_document(chunks: Any, texts: Mapping[str, str], skips: bool) -> dict[str | None, Any]:
    """The chunks of each document; under None what is left out."""

    def known_document(name: Any, what: str) -> str | None:
        """The document that a name is of; None if it is left out."""
        known = chunk_files.document_called(name, texts) if isinstance(name, str) and name else None
        if known is None and not (skips and isinstance(name, str)):
            raise SegmentationError(
                f"{what} no text{nearest(str(name), texts)}; there are texts of {named(texts)}"
            )
        return known

    found: dict[str | None, Any] = {}
    if isinstance(chunks, Mapping):
        for name, own in chunks.items():
            known = known_document(name, f"document {shown(name)} has chunks and")
            if known is not None and known in found:
                raise SegmentationError(f"document {known!r} has chunks twice: expected them once")
            found[known] = own
        return found
    if len(texts) == 1:
        listed = chunks if isinstance(chunks, list | tuple) else ()
        names = dict.fromkeys(shown(name) for name in map(_name_of, listed) if name is not None)
        (document,) = texts
        if len(names) > 1:
            raise SegmentationError(
                f"chunks name {len(names)} documents, {', '.join([*names][:3])} …, and there is "
                f"one text, {document!r}: expected a mapping from documents to texts"
            )
        return {document: chunks}
    listed = arguments.array_inside(chunks, "chunks", "a list of chunks")
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        raise SegmentationError(f"chunks is {shown(chunks)}: expected chunks of each text")
    for index, chunk in enumerate(listed):
        name = _name_of(chunk)
        what = "names no document" if name is None else f"is of document {shown(name)}"
        known = known_document(name, f"chunks[{index}] {what}, which has")
        found.setdefault(known, []).append(chunk)
    return found


def _name_of(chunk: Any) -> Any:
    return None if _is_bare(chunk) else chunk_files.document_of(chunk)


def _is_bare(chunk: Any) -> bool:
    """Whether a chunk is a text, a pair or an offset, without fields."""
    return isinstance(chunk, str | bytes | Sequence) or is_whole(chunk)


def _placed(text: str, chunks: Any) -> tuple[DocumentOffsets, Found]:
    """The offsets of the chunks of a document, and how they were found."""
    if isinstance(chunks, DocumentOffsets):
        return chunks, Found([])
    listed = arguments.array_inside(chunks, "chunks", "a list of chunks")
    if not isinstance(listed, str | bytes | Mapping) and isinstance(listed, Iterable):
        listed = list(listed)
        if not listed:
            return DocumentOffsets(np.zeros(0, np.int64), np.zeros(0, np.int64)), Found([])
    pieces = as_chunks(listed)
    found = find_chunks(text, pieces, in_order=False)
    if all(piece.end is not None and piece.text is None for piece in pieces):
        _refuse_inclusive(text, found.stretches)
    edges = np.array(found.stretches, np.int64).reshape(-1, 2)
    names = None
    if len(listed) == len(pieces):  # not a list of texts and of offsets
        ids = [None if _is_bare(chunk) else first_field(chunk, _IDS) for chunk in listed]
        names = None if any(own is None for own in ids) else tuple(map(str, ids))
    if names is not None and len(set(names)) < len(names):
        raise SegmentationError(
            f"two chunks have the id {arguments.first_twice(names)!r}: expected each id once in a "
            "document"
        )
    return DocumentOffsets(edges[:, 0].copy(), edges[:, 1].copy(), names), found


def _refuse_inclusive(text: str, stretches: Sequence[tuple[int, int]]) -> None:
    """Raise if each of several chunks lacks one character, that at its end."""
    following = [*(start for start, _ in stretches[1:]), len(text)]
    left_out = [text[end:after] for (_, end), after in zip(stretches, following, strict=True)]
    if len(stretches) > 1 and all(
        piece and not is_white(piece[0]) and is_white(piece[1:]) for piece in left_out
    ):
        raise SegmentationError(
            f"each chunk ends one character early: {left_out[0][0]!r} at {stretches[0][1]} is in "
            "no chunk, nor is that after any other: expected pairs (start, end) whose end is after "
            "the last character, as in text[start:end]"
        )


def _found_how(placed: Sequence[Found]) -> Iterator[str]:
    """A remark, in one line, on how chunks of all documents were found, if there is any."""
    counts = [(found.changed, found.ambiguous, found.wrong_offsets) for found in placed]
    words = (
        "changes of white space or marks",
        "chunks that fit elsewhere, too",
        "chunks that are not where their offsets say",
    )
    totals = zip(words, map(sum, zip(*counts, strict=True)), strict=False)
    remarks = [f"{what}: {total}" for what, total in totals if total]
    if remarks:
        many = f" (in {sum(map(any, counts))} of {len(placed)} documents)"
        yield ", ".join(remarks) + (many if len(placed) > 1 else "")


def _uncovered(documents: Mapping[str, DocumentOffsets], texts: Mapping[str, str]) -> Iterator[str]:
    """A remark on text in no chunk, white space aside, if there is any."""
    left = size = 0
    first = ""
    for document, own in documents.items():
        text = texts[document]
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


# ---- tokens ----


def n_tokens(tokens: Tokens, text: str, what: str) -> int:
    """The number of tokens of a text; what: the name of the text in messages.

    >>> n_tokens(str.split, "so it is", "text"), n_tokens(len, "so it is", "text")
    (3, 8)
    """
    with calling(tokens, f"tokens of {what}"):
        made: Any = tokens(text)
        if isinstance(made, Mapping):  # of transformers
            made = made.get("input_ids", made)
        if isinstance(made, Iterable) and not isinstance(made, Sized):
            made = list(made)
    if is_whole(made) and made >= 0:
        return int(made)
    if isinstance(made, Sized) and not isinstance(made, str | bytes):
        return len(made)
    raise SegmentationError(
        f"tokens gave {shown(made)} for {what}: expected a list of tokens, or their number"
    )


def token_starts(tokens: Tokens, text: str, document: str) -> Int64Array:
    """The start of each token of a text, in order; a number of tokens is not enough."""
    with calling(tokens, f"tokens of document {document!r}"):
        made: Any = tokens(text)
        if isinstance(made, Mapping):
            made = made.get("offset_mapping", made)
        made = getattr(made, "offsets", made)  # of the package tokenizers
        if isinstance(made, str | bytes | Mapping) or not isinstance(made, Iterable):
            listed: list[Any] = [made]  # which is no place
        else:
            listed = list(made)
    are_texts = not isinstance(made, str) and all(isinstance(token, str) for token in listed)
    starts, reached = [], 0
    for token in listed:
        if are_texts:
            start = text.find(token, reached)
            if start < 0:
                raise SegmentationError(
                    f"tokens: document {document!r} does not have the token {token!r} after "
                    f"character {reached}: expected tokens exactly as in the text, or their offsets"
                )
            reached = start + len(token)
        else:
            pair = token if isinstance(token, Sequence) else ()
            whole = len(pair) == 2 and all(map(is_whole, pair))
            if not whole or not 0 <= pair[0] <= pair[1] <= len(text):
                more = "; a number is enough for sizes of chunks only" if is_whole(token) else ""
                raise SegmentationError(
                    f"tokens gave {shown(token)} for document {document!r}: expected the position "
                    "of each token, as pairs (start, end) of characters, or the texts of the "
                    f"tokens in order{more}"
                )
            start = int(pair[0])
        starts.append(start)
    return np.sort(np.array(starts, np.int64))
