"""Pair large JSON Lines files in bounded memory.

As long as all files name the same documents in the same order, they are read side by side. At the
first difference (another order, several coders, texts, types) reading starts again: the codings are
spread over files on disk by the hash of their document's name, and paired part by part. Either way,
documents that are listed twice, or that one side does not have, are found.
"""

import pickle
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from segscore.corpus.builder import CodingsBuilder, by_document
from segscore.corpus.codings import Codings
from segscore.corpus.joined_codings import joined_rows, row_by_row
from segscore.corpus.record import whereabouts
from segscore.corpus.unit_texts import UnitTexts
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.formats import jsonl
from segscore.io.formats.jsonl import file_header, may_be_annotated
from segscore.io.registry import holds_chunks
from segscore.pairing.documents import match_documents
from segscore.pairing.failures import Missing, counts_failures
from segscore.pairing.list_columns import hashes_of
from segscore.pairing.pairing import Pairing, pair
from segscore.pairing.pairs import Pairs

LARGE = 64 * 2**20  # bytes of both files; smaller ones are read at once
_ROWS = 20_000  # documents that are read at once
_PART = 8 * 2**20  # bytes of input for each part on disk
_MOST_PARTS = 256
_NOTHING = Pairs([], [0], [], [0], [])
_Placed = tuple[int, str]  # a document, and the line on which it first stands


class _OutOfStepError(Exception):
    """The files are not in the same order, or not plain."""


def is_large(reference: Path, hypotheses: Sequence[Path]) -> bool:
    """Whether all files are JSON Lines of codings, and some pair of them is large."""
    files = [reference, *hypotheses]
    if not all(file.suffix in (".jsonl", ".ndjson") and file.is_file() for file in files):
        return False
    sizes = [file.stat().st_size for file in files]
    if sizes[0] + max(sizes[1:], default=0) < LARGE:
        return False
    if any(holds_chunks(file, None) for file in files):
        return False
    # what a first line says of the units, and what annotation pages tell, is kept only by those
    # that are read at once
    sources = [Source(file, file.stem, "") for file in files]
    return not any(file_header(source) or may_be_annotated(source) for source in sources)


class Batch(NamedTuple):
    """The codings of some documents, a table per file; coders: all coders of each file."""

    codings: list[Codings]
    coders: list[Sequence[str]]


def stream_codings(files: Sequence[Path]) -> Iterator[Batch | None]:
    """Batches of documents, each with all codings of these documents in all files.

    None means that the files are not in step and that everything starts again: forget what came
    before it.
    """
    sources = _sources(files)
    try:
        for codings in _in_step(sources):
            yield Batch(codings, [coding.coders for coding in codings])
        return
    except _OutOfStepError:
        pass
    yield None
    with _parts(sources) as parts:
        for number in range(parts.n_parts):
            yield Batch(parts.read(number), parts.coders)


def stream_pairs(
    reference: Path, hypothesis: Path, missing: Missing = "error", ignore_text: bool = False
) -> Iterator[list[Pairing]]:
    """Batches of pairings, one per coder of the hypothesis, of all documents that both sides have.

    An empty batch means that the files are not in step and that everything starts again: forget
    what came before it. The last batch alone lists documents that only one side has.
    """
    if counts_failures(missing):
        raise SegmentationError(
            f"missing is {missing!r}, and {reference} is read in parts, where documents without a "
            "hypothesis are not counted: expected 'error' or 'skip'"
        )
    sources = _sources([reference, hypothesis])
    try:
        for left, right in _in_step(sources):
            yield pair(left, right)
        return
    except _OutOfStepError:
        pass
    yield []  # forget what came so far
    with _parts(sources) as parts:
        yield from _by_parts(parts, missing, ignore_text)


def _sources(files: Sequence[Path]) -> list[Source]:
    return [Source(path, path.stem, path.stem) for path in files]


# ---- side by side ----


def _in_step(sources: Sequence[Source]) -> Iterator[list[Codings]]:
    readers = [_Reader(source) for source in sources]
    hashes: list[Any] = []
    while True:
        available = [reader.available() for reader in readers]
        n = min(available)
        if n == 0:
            if any(available):
                raise _OutOfStepError
            break
        first, *others = codings = [reader.take(n) for reader in readers]
        if any(other.documents != first.documents for other in others):
            raise _OutOfStepError
        hashes.append(hashes_of(first.documents))
        yield codings
    every = np.sort(np.concatenate([np.empty(0, np.uint64), *hashes]))
    if (every[1:] == every[:-1]).any():
        raise _OutOfStepError  # a name stands twice, far apart: the parts will say which


class _Reader:
    """The plain codings of a file, in parts."""

    def __init__(self, source: Source) -> None:
        self._chunks = jsonl.read_parts(source, _ROWS)
        self._chunk: Codings | None = None
        self._at = 0
        self._coders: set[str] = set()

    def available(self) -> int:
        """The number of rows that can be taken; 0 at the end."""
        while self._chunk is None or self._at == len(self._chunk):
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._coders.update(chunk.coders)
            if chunk.details or chunk.texts or len(self._coders) > 1 or not chunk.one_each:
                raise _OutOfStepError
            self._chunk, self._at = chunk, 0
        return len(self._chunk) - self._at

    def take(self, n: int) -> Codings:
        """The next rows."""
        chunk = self._chunk
        assert chunk is not None  # noqa: S101  # `available` said so
        rows = np.arange(self._at, self._at + n)
        self._at += n
        return chunk.part(rows)


# ---- part by part ----


class _SpreadFiles(NamedTuple):
    """The codings of files, spread over files in a folder; coders: the coders of each file, in
    order."""

    sources: Sequence[Source]
    places: Sequence[Path]
    n_parts: int
    coders: list[Sequence[str]]

    def read(self, number: int) -> list[Codings]:
        """A part of each file."""
        both = zip(self.sources, self.places, strict=True)
        return [_read_part(source, place, number) for source, place in both]


@contextmanager
def _parts(sources: Sequence[Source]) -> Iterator[_SpreadFiles]:
    """Spread the codings of files over a folder that is removed at the end."""
    size = sum(source.path.stat().st_size for source in sources)
    count = min(_MOST_PARTS, 1 + size // _PART)
    with tempfile.TemporaryDirectory(prefix="segscore-") as folder:
        places = [Path(folder) / str(side) for side in range(len(sources))]
        both = zip(sources, places, strict=True)
        coders: list[Sequence[str]] = [
            _spread(*source_and_place, count) for source_and_place in both
        ]
        yield _SpreadFiles(sources, places, count, coders)


def _by_parts(parts: _SpreadFiles, missing: Missing, ignore_text: bool) -> Iterator[list[Pairing]]:
    reference, hypothesis = parts.sources
    coders = parts.coders[1]
    n_reference = 0
    n_done = dict.fromkeys(coders, 0)
    lost: dict[str, tuple[list[_Placed], list[_Placed]]] = {coder: ([], []) for coder in coders}
    for number in range(parts.n_parts):
        left, right = parts.read(number)
        n_reference += len(_coded(left))
        found = _paired(left, right, coders, missing, ignore_text)
        for pairing in found:
            n_done[pairing.hypothesis] += len(pairing.pairs)
            without_hypothesis, without_reference = lost[pairing.hypothesis]
            without_hypothesis += _placed(left, pairing.without_hypothesis)
            without_reference += _placed(right, pairing.without_reference)
        yield [pairing._replace(without_hypothesis=[], without_reference=[]) for pairing in found]
    _check_complete(n_done, n_reference, reference, hypothesis, missing)
    yield [
        Pairing(coder, _NOTHING, *([name for _, name in sorted(side)] for side in sides))
        for coder, sides in lost.items()
    ]


def _coded(codings: Codings) -> list[str]:
    """The documents that have a coding."""
    return list(dict.fromkeys(codings.names_of(np.arange(len(codings)))))


def _placed(codings: Codings, names: Sequence[str]) -> list[_Placed]:
    """Some documents with the lines on which they first occur."""
    rows = [int(codings.starts[codings.numbers[name]]) for name in names]
    return [(int(codings.lines[row]), name) for row, name in zip(rows, names, strict=True)]


def _paired(
    left: Codings, right: Codings, coders: Sequence[str], missing: Missing, ignore_text: bool
) -> list[Pairing]:
    """The pairings of a part, one per coder; a coder without documents in it lacks all of them."""
    found = {}
    if len(left) and len(right):
        made = pair(left, right, missing=missing, ignore_text=ignore_text, whole=False)
        found = {pairing.hypothesis: pairing for pairing in made}
    else:
        match_documents(
            _coded(left), _coded(right), missing,
            reference=left.source, hypothesis=right.source, whole=False,
        )  # fmt: skip
    return [found.get(coder) or _unpaired(left, right, coder) for coder in coders]


def _unpaired(left: Codings, right: Codings, coder: str) -> Pairing:
    """The pairing of a part in which this coder and the reference share no document."""
    done = right.names_of(right.rows_of(coder)) if coder in right.coders else []
    return Pairing(coder, _NOTHING, _coded(left), list(done))


def _check_complete(
    n_done: Mapping[str, int],
    n_reference: int,
    reference: Source,
    hypothesis: Source,
    missing: Missing,
) -> None:
    """Raise if a coder has no documents, or lacks some when none may be missing."""
    for coder, n in n_done.items():
        if not n:
            raise SegmentationError(
                f"coder {coder!r} of {hypothesis.at()} and {reference.at()} have no document in "
                "common: expected the same names"
            )
        if missing == "error" and n != n_reference:
            raise SegmentationError(
                f"coder {coder!r} of {hypothesis.at()} has {n} of the {n_reference} documents of "
                f"{reference.at()}: expected all of them (missing=skip leaves the others out)"
            )


def _spread(source: Source, place: Path, n_parts: int) -> list[str]:
    """Write the codings of a file to a file per part, as columns; return the coders, in order."""
    coders: dict[str, None] = {}
    with ExitStack() as open_files:
        files = [
            open_files.enter_context(Path(f"{place}-{part}").open("wb")) for part in range(n_parts)
        ]
        for chunk in jsonl.read_parts(source, _ROWS):
            coders |= dict.fromkeys(chunk.coders)
            numbers = _part_numbers(chunk.documents, n_parts)
            of_rows = numbers[chunk.document_of_rows]
            for part in np.unique(numbers).tolist():
                rows, documents = np.flatnonzero(of_rows == part), np.flatnonzero(numbers == part)
                pickle.dump(chunk.part(rows, documents), files[part], pickle.HIGHEST_PROTOCOL)
    return list(coders)


def _part_numbers(names: Any, n_parts: int) -> Any:
    return (hashes_of(names) % np.uint64(n_parts)).astype(np.int64)


def _read_part(source: Source, place: Path, part: int) -> Codings:
    """Read a part of a file, which only we have written."""
    path = Path(f"{place}-{part}")
    chunks: list[Codings] = []
    texts = UnitTexts()
    with path.open("rb") as file:
        while file.tell() < path.stat().st_size:
            chunks.append(pickle.load(file))  # noqa: S301
            _join_texts(texts, chunks[-1].texts, source)
    if not chunks:
        return CodingsBuilder().codings(None, source.at())
    rows = replace(joined_rows(chunks), texts=texts, source=source.at())

    def refuse(row: int, what: str) -> NoReturn:
        where = whereabouts(rows.document(row), rows.coder(row))
        raise SegmentationError(f"{source.at(int(rows.lines[row]))}: {where}: {what}")

    found = by_document(row_by_row(rows), refuse)
    units = zip(rows.names_of(np.arange(len(rows))), rows.n_units.tolist(), strict=True)
    for row, (name, n) in enumerate(units if texts else ()):
        if name in texts and texts.n_units(name) != n:
            conflict = f"{n} units, where the text has {texts.n_units(name)}"
            refuse(row, f"{conflict}: expected the same number in all codings of a document")
    return found


def _join_texts(texts: UnitTexts, more: UnitTexts, source: Source) -> None:
    for name in more:
        unit = texts.take(name, more)
        if unit is not None:
            raise SegmentationError(
                f"{source.at()}: document {name!r}: the text differs from that given before, at "
                f"unit {unit + 1}: expected the same units"
            )
