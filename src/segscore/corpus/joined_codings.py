"""Several tables of codings joined, and rows as documents of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    coders = list(dict.fromkeys(name for one in parts for name in one.coders))
    place = {name: np.int32(code) for code, name in enumerate(coders)}
    before = [0, *accumulate(len(one) for one in parts)]
    positions = [0, *accumulate(len(one.positions) for one in parts)]

    def column(name: str) -> Any:
        return np.concatenate([getattr(one, name) for one in parts])

    return Codings(
        documents=[name for one in parts for name in one.documents],
        starts=_shifted([one.starts for one in parts], before),
        coders=coders,
        codes=np.concatenate([_recoded(one, place) for one in parts]),
        n_units=column("n_units"),
        offsets=_shifted([one.offsets for one in parts], positions),
        positions=column("positions"),
        kinds=column("kinds"),
        groups=np.full(sum(len(one.documents) for one in parts), -1, np.int32),
        lines=column("lines"),
        labels=joined_labels([(one.labels, len(one.positions) + len(one)) for one in parts]),
        details=_moved([one.details for one in parts], before),
        annotations=_moved([one.annotations for one in parts], before),
        scope=parts[0].scope,
    )


def _recoded(one: Codings, codes: Mapping[str, np.int32]) -> NDArray[np.int32]:
    """The codes of a table's rows among the coders of all."""
    return np.array([codes[name] for name in one.coders], np.int32)[one.codes]


def _shifted(offsets: Sequence[Int64Array], by: Sequence[int]) -> Int64Array:
    """Offsets of several columns one after the other."""
    ends = [one[1:] + start for one, start in zip(offsets, by, strict=False)]
    return np.concatenate([[0], *ends]).astype(np.int64)


def _moved(parts: Sequence[Mapping[int, Value]], before: Sequence[int]) -> dict[int, Value]:
    """What is known about rows of several tables, by their row numbers in the joined table."""
    return {
        start + row: value
        for one, start in zip(parts, before, strict=False)
        for row, value in one.items()
    }


def row_by_row(given: Codings) -> Codings:
    """A table in which each row is a document of its own, so that a name may occur several
    times."""
    rows = np.arange(len(given))
    return replace(
        given,
        documents=given.names_of(rows),
        starts=np.arange(len(given) + 1),
        groups=given.groups[given.document_of_rows],
    )
