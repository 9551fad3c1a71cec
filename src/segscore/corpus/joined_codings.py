"""Several tables of codings joined, and rows as documents of their own."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.corpus.codings import Codings
from segscore.corpus.lists import joined_labels

Value = TypeVar("Value")


def joined_rows(parts: Sequence[Codings]) -> Codings:
    """The rows of several tables one after the other, with documents of their own in each part."""
    coders = list(dict.fromkeys(name for part in parts for name in part.coders))
    place = {name: np.int32(code) for code, name in enumerate(coders)}
    before = [0, *accumulate(len(part) for part in parts)]
    positions = [0, *accumulate(len(part.positions) for part in parts)]

    def column(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Codings(
        documents=[name for part in parts for name in part.documents],
        starts=_shifted([part.starts for part in parts], before),
        coders=coders,
        codes=np.concatenate([_recoded(part, place) for part in parts]),
        n_units=column("n_units"),
        offsets=_shifted([part.offsets for part in parts], positions),
        positions=column("positions"),
        kinds=column("kinds"),
        groups=np.full(sum(len(part.documents) for part in parts), -1, np.int32),
        lines=column("lines"),
        labels=joined_labels([(part.labels, len(part.positions) + len(part)) for part in parts]),
        details=_moved([part.details for part in parts], before),
        annotations=_moved([part.annotations for part in parts], before),
        scope=parts[0].scope,
    )


def _recoded(table: Codings, codes: Mapping[str, np.int32]) -> NDArray[np.int32]:
    """The codes of a table's rows among the coders of all."""
    return np.array([codes[name] for name in table.coders], np.int32)[table.codes]


def _shifted(offsets: Sequence[Int64Array], by: Sequence[int]) -> Int64Array:
    """Offsets of several columns one after the other."""
    ends = [offset[1:] + start for offset, start in zip(offsets, by, strict=False)]
    return np.concatenate([[0], *ends]).astype(np.int64)


def _moved(parts: Sequence[Mapping[int, Value]], before: Sequence[int]) -> dict[int, Value]:
    """What is known about rows of several tables, by their row numbers in the joined table."""
    return {
        start + row: value
        for part, start in zip(parts, before, strict=False)
        for row, value in part.items()
    }
