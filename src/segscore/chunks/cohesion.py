"""Cohesion: how much more similar neighbouring sentences are inside chunks than across their cuts.

cohesion = mean similarity of neighbours in one chunk − mean similarity of neighbours with a cut
between them. Chunks start at the sentence edge that is nearer to where they are cut, as in
`place_chunks`. Statistics are sums per chunk: similarities inside and their number, across and
their number. The interval is a bootstrap over documents or, with fewer than five documents, over
chunks.

Chance: the same chunks, counted in sentences, in random order in each document (`lengths` of
docs/chance.md): what the sizes alone give. p is the share of random orders that are as cohesive,
with the actual order counted as one of them; orders without a value are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.user_functions import calling, checked_vectors, unit_length
from segscore.chunks.text_map import TextMap
from segscore.errors import about
from segscore.metrics.ratios import ratio
from segscore.significance.drawing import Lots
from segscore.significance.resampling import (
    TOO_FEW_DOCUMENTS,
    Interval,
    bootstrap_interval,
    checked_level,
)
from segscore.text.letter_words import neighbour_cosines

Encode = Callable[[list[str]], Any]
_MOST_DRAWS, _FEWEST_DRAWS, _CHUNKS_DRAWN = 1000, 20, 2 * 10**7
_EXACTLY = 1e-12  # smaller differences come from the rounding of sums
_BLOCK = 10**6  # chunks that are put into random order at a time


@dataclass(frozen=True)
class Cohesion:
    """The cohesion of chunks beside that of random chunks.

    value: similarity inside chunks minus that across cuts, of which there are n_inside and n_across
    pairs of sentences. ci: its interval. chance: the mean of `draws` random orders of the chunks,
    those with a value; p: the share of them that are as cohesive. reason: why a number is NaN.
    """

    inside: float
    across: float
    n_inside: int
    n_across: int
    ci: Interval
    chance: float = float("nan")
    p: float = float("nan")
    draws: int = 0
    reason: str = ""

    @property
    def value(self) -> float:
        """Similarity inside chunks minus that across cuts; NaN if there is no such pair."""
        return self.inside - self.across

    @property
    def above_chance(self) -> bool | None:
        """Whether the chunks are significantly more cohesive than chance; None if that is
        unknown."""
        return None if np.isnan(self.p) else bool(self.p <= 1 - self.ci.level)

    @property
    def said(self) -> str:
        """A note on the value: why there is none, or that chance gives as much."""
        return "not above chance" if self.above_chance is False else self.reason


def similarities(texts: Mapping[str, TextMap], encode: Encode | None) -> dict[str, Floats]:
    """The similarity of each sentence of a document to the next, by TF-IDF or by vectors of an
    encoder; NaN where a sentence has no word, or no direction."""
    units = {name: list(text.sentences.texts or ()) for name, text in texts.items()}
    if encode is None:
        return dict(zip(units, neighbour_cosines(list(units.values())), strict=True))
    found: dict[str, Floats] = {}
    for name, sentences in units.items():
        with about(f"document {name!r}"):
            with calling(encode, "encode"):
                made = encode(sentences)
            vectors = unit_length(checked_vectors(made, len(sentences)))
        cosines = np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
        known = np.asarray(vectors.any(axis=1))
        found[name] = np.where(known[:-1] & known[1:], cosines, np.nan)
    return found


def sentence_boundaries(text: TextMap, starts: Int64Array) -> Int64Array:
    """The numbers of sentences before the starts of chunks, each once; a cut inside a sentence
    counts at its nearer edge."""
    units = text.blocks["sentence"]
    cuts = text.places(starts)
    index = np.searchsorted(units.ends, cuts, "right")
    held = np.minimum(index, len(units.ends) - 1)
    before, after = cuts - units.starts[held], units.ends[held] - cuts
    found = np.unique(np.where((index < len(units.ends)) & (before > after), index + 1, index))
    return found[(found > 0) & (found < len(units.starts))]


class _Pairs:
    """The neighbours of a document: their similarities, 0 where there is none, and which of them
    exist; in chunks of n sentences.

    boundaries: the numbers of sentences before the starts of chunks.
    """

    def __init__(self, cosines: Floats, boundaries: Int64Array) -> None:
        self.both = np.stack([np.nan_to_num(cosines), (~np.isnan(cosines)).astype(np.float64)])
        self.boundaries = boundaries
        self.masses = np.diff(boundaries, prepend=0, append=len(cosines) + 1)

    @property
    def rows(self) -> Floats:
        """A row per chunk: similarity inside, pairs inside, across the cut at its end, pairs."""
        rows = np.zeros((len(self.masses), 4))
        ends = np.cumsum(self.masses)
        for column, numbers in enumerate(self.both):
            sums = np.concatenate([[0.0], np.cumsum(numbers)])
            rows[:, column] = sums[ends - 1] - sums[ends - self.masses]
            rows[:-1, column + 2] = numbers[self.boundaries - 1]
        return rows

    def drawn(self, draws: int, rng: np.random.Generator) -> Floats:
        """Summed rows of the chunks in random orders."""
        sums = np.empty((draws, 4))
        step = max(1, _BLOCK // len(self.masses))
        for first in range(0, draws, step):
            n = min(step, draws - first)
            orders = rng.permuted(np.broadcast_to(self.masses, (n, len(self.masses))), axis=1)
            places = orders.cumsum(axis=1)[:, :-1] - 1
            across = np.stack([numbers[places].sum(axis=1) for numbers in self.both], axis=1)
            total = self.both.sum(axis=1)
            sums[first : first + n] = np.concatenate([total - across, across], axis=1)
        return sums

    @property
    def can_move(self) -> bool:
        """Whether another order of the chunks has other boundaries."""
        return len(np.unique(self.masses)) > 1


def cohesion_value(rows: Floats) -> Floats:
    """The value of summed rows: mean inside minus mean across."""
    return ratio(rows[:, 0], rows[:, 1]) - ratio(rows[:, 2], rows[:, 3])


def cohesion_of(
    alike: Sequence[Floats],
    boundaries: Sequence[Int64Array],
    *,
    lots: Lots,
    level: float,
    n_resamples: int,
    seed: int,
) -> Cohesion:
    """The cohesion of chunks whose documents have these similarities of neighbours.

    boundaries: the numbers of sentences before the starts of chunks, document by document. lots:
    what is drawn of these documents.
    """
    pairs = [_Pairs(*each) for each in zip(alike, boundaries, strict=True)]
    by_document = [pair.rows for pair in pairs]
    by_chunk = np.concatenate([np.zeros((0, 4)), *by_document])
    sums = by_chunk.sum(axis=0)
    inside, across = (float(ratio(sums[i : i + 1], sums[i + 1 : i + 2])[0]) for i in (0, 2))
    counts = int(sums[1]), int(sums[3])
    if not all(counts):
        what = "no two sentences in one chunk" if not counts[0] else "no cut between two sentences"
        none = Interval(np.nan, np.nan, checked_level(level), f"no interval: {what}")
        return Cohesion(inside, across, *counts, none, reason=what)
    enough = len(pairs) >= TOO_FEW_DOCUMENTS
    rows = np.stack([chunk_rows.sum(axis=0) for chunk_rows in by_document]) if enough else by_chunk
    drawn = lots if enough else Lots.of(range(len(rows)), "chunks")
    ci = bootstrap_interval(
        rows, cohesion_value, level=level, n_resamples=n_resamples, seed=seed, lots=drawn
    )
    if not any(pair.can_move for pair in pairs):
        why = "no chance to compare with: all chunks of a document have as many sentences"
        return Cohesion(inside, across, *counts, ci, reason=why)
    draws = min(_MOST_DRAWS, max(_FEWEST_DRAWS, _CHUNKS_DRAWN // len(by_chunk)))
    rng = np.random.default_rng(seed)
    random = np.zeros((draws, 4))
    for pair in pairs:
        random += pair.drawn(draws, rng)
    values = cohesion_value(random)
    values = values[~np.isnan(values)]  # an order may have no pair inside, or none across
    if not len(values):
        return Cohesion(inside, across, *counts, ci, reason="no random order has a value")
    as_high = int((values >= inside - across - _EXACTLY).sum())
    p = (1 + as_high) / (1 + len(values))
    return Cohesion(inside, across, *counts, ci, float(values.mean()), p, len(values))
