"""What a stream of records must satisfy as a whole, checked without keeping the stream.

A corpus of millions of documents is converted in little memory, so names cannot be kept. Hashes
are: three 64-bit numbers per record, of (document, coder), of the document, and of (document, N).
If all is well, the first are distinct, and there are as many of the second as of the third. If not,
or if two hashes happen to collide, the stream is read again, and only the suspects are looked at.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record


def checked(read: Callable[[], Iterable[Record]]) -> Iterator[Record]:
    """The records, and at their end an error if they make no corpus: a coder who codes a document
    twice, or codings of a document that differ in their units."""
    codings, documents, lengths = array("q"), array("q"), array("q")
    for record in read():
        if record.coder is not None:
            codings.append(hash((record.document, record.coder)))
        documents.append(hash(record.document))
        lengths.append(hash((record.document, record.n_units)))
        yield record
    twice = _repeated(_sorted(codings))
    if twice:
        Corpus.from_rows(one for one in read() if hash((one.document, one.coder)) in twice)
    names = _sorted(documents)
    if _distinct(names) != _distinct(_sorted(lengths)):
        several = _repeated(names)
        Corpus.from_rows(one for one in read() if hash(one.document) in several)


def _sorted(hashes: "array[int]") -> NDArray[np.int64]:
    """In place: an array shares its memory."""
    numbers = np.frombuffer(hashes, np.int64)
    numbers.sort()
    return numbers


def _repeated(numbers: NDArray[np.int64]) -> set[int]:
    return set(numbers[1:][numbers[1:] == numbers[:-1]].tolist())


def _distinct(numbers: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(numbers[1:] != numbers[:-1])) + bool(numbers.size)


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that was there before.

    >>> first_repeated(["a", "b", "a", "b"])
    'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
