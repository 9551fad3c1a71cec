"""The sizes of chunks: in characters, words, sentences, or tokens by any function; how much they
overlap, and what is in no chunk."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.chunks.text_map import TextMap
from segscore.chunks.token_functions import Tokens, n_tokens

SizeUnit = Literal["characters", "words", "sentences", "tokens"]
SIZE_UNITS: tuple[str, ...] = get_args(SizeUnit)


@dataclass(frozen=True)
class ChunkSizes:
    """The sizes of all chunks in a unit.

    values: the size of each chunk. over, under: the number of chunks above the given largest size,
    or below the given smallest size; None if no limit was given.
    """

    unit: str
    values: Int64Array
    over: int | None = None
    under: int | None = None

    @property
    def quartiles(self) -> tuple[float, float, float, float, float]:
        """The smallest size, lower quartile, median, upper quartile and largest size, interpolated
        linearly; NaN without chunks."""
        if not len(self.values):
            nan = float("nan")
            return nan, nan, nan, nan, nan
        low, first, middle, third, high = np.quantile(self.values, [0, 0.25, 0.5, 0.75, 1])
        return float(low), float(first), float(middle), float(third), float(high)

    @property
    def mean(self) -> float:
        """The mean size; NaN without chunks."""
        return float(self.values.mean()) if len(self.values) else float("nan")

    @property
    def variation(self) -> float:
        """The coefficient of variation: the standard deviation over the mean; NaN without
        chunks."""
        return float(self.values.std() / self.values.mean()) if len(self.values) else float("nan")


def sizes_in(
    unit: str, text: TextMap, starts: Int64Array, ends: Int64Array, tokens: Tokens | None
) -> Int64Array:
    """The size of each chunk of a document. A word or a sentence counts in each chunk that has a
    part of it."""
    if unit == "characters":
        return ends - starts
    if tokens is not None and unit == "tokens":
        texts = (text.text[start:end] for start, end in zip(starts, ends, strict=True))
        counted = [n_tokens(tokens, chunk, f"chunks[{index}]") for index, chunk in enumerate(texts)]
        return np.array(counted, np.int64)
    blocks = text.words if unit == "words" else text.blocks["sentence"]
    return blocks.shared(text.places(starts), text.places(ends))


def characters_held(starts: Int64Array, ends: Int64Array) -> int:
    """The number of characters that are in some chunk.

    >>> characters_held(np.array([5, 0]), np.array([9, 6]))
    9
    """
    order = np.argsort(starts, kind="stable")
    firsts, lasts = starts[order], np.maximum.accumulate(ends[order])
    reached = np.concatenate([[0], lasts[:-1]]) if len(lasts) else lasts
    return int(np.maximum(lasts - np.maximum(firsts, reached), 0).sum())


def places_held(text: TextMap, starts: Int64Array, ends: Int64Array) -> int:
    """The number of characters, without white space, that are in some chunk."""
    return characters_held(text.places(starts), text.places(ends))


def share(part: float, whole: float) -> float:
    """The share of a part in a whole; NaN if the whole is 0."""
    return part / whole if whole else float("nan")
