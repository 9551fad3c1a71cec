"""What a cut may break in a text: words, sentences, paragraphs, blocks and headings; and cohesion,
how much more similar neighbouring sentences are inside chunks than across their cuts.

White space does not count: a place is the number of characters before it that are not white space.
So two chunks with only white space between them meet at the same place, and stripping white space
does not change whether a place is inside a sentence.

cohesion = mean similarity of neighbouring sentences in one chunk − mean similarity of neighbours
with a cut between them. Chunks start at the sentence edge that is nearer to where they are cut, as
in `place_chunks`. Statistics are sums per chunk: similarities inside and their number, across and
their number. The interval is a bootstrap over documents or, with fewer than five documents, over
chunks. Chance: the same chunks, counted in sentences, in random order in each document (`lengths`
of docs/chance.md): what the sizes alone give. p is the share of random orders that are as cohesive,
with the actual order counted as one of them; orders without a value are left out.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, cached_property
from segscore.basics.user_functions import calling, checked_vectors, unit_length
from segscore.errors import about
from segscore.metrics.base import ratio
from segscore.significance import resampling
from segscore.significance.drawing import Lots
from segscore.text.chunk_placing import cuts_inside_words, cuts_of
from segscore.text.folding import Folded, neighbour_cosines
from segscore.text.markdown_blocks import Stretch, markdown_structure
from segscore.text.unit_splitting import lined_units

_LINE_END = re.compile(r"\r\n?|\n")
_WORD = re.compile(r"\S+")
CUT = "‖"  # shows where a cut is; a bar would end a cell in Markdown
_AROUND = 25  # characters on each side of a cut that are shown
Encode = Callable[[list[str]], Any]
_MOST_DRAWS, _FEWEST_DRAWS, _CHUNKS_DRAWN = 1000, 20, 2 * 10**7
_EXACTLY = 1e-12  # smaller differences come from the rounding of sums
_AT_ONCE = 10**6  # chunks that are put into random order at a time


class BreakPlace(NamedTuple):
    """The place of a break: the offset of the first character after the cut, its line from 1, and
    the text around it, with `‖` at the cut."""

    document: str
    offset: int
    line: int
    around: str


class TextMap:
    """A text, and where everything is in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences = lined_units(text, "sentences")  # a row of a table or a line of code is one
        self._at = Folded(text).at  # the characters that are no white space
        self.n_places: int = len(self._at)
        structure = markdown_structure(text)
        self._headings = structure.headings
        paragraphs = lined_units(text, "paragraphs")
        stretches: dict[str, Iterable[Stretch]] = {
            "word": (match.span() for match in _WORD.finditer(text)),
            "sentence": zip(self.sentences.starts, self.sentences.ends, strict=True),
            "paragraph": zip(paragraphs.starts, paragraphs.ends, strict=True),
            "list": structure.lists,
            "table": structure.tables,
            "code": structure.code,
            "link": structure.links,
            "heading": ((heading.start, heading.end) for heading in structure.headings),
        }
        # what a cut should not break, by kind: starts and ends of stretches, in order, as places
        self.blocks: dict[str, tuple[Int64Array, Int64Array]] = {}
        for kind, found in stretches.items():
            edges = np.array(list(found), np.int64).reshape(-1, 2)
            self.blocks[kind] = self.places(edges[:, 0]), self.places(edges[:, 1])

    def places(self, offsets: Sequence[int] | Int64Array) -> Int64Array:
        """The number of characters, without white space, before each offset."""
        return np.searchsorted(self._at, np.asarray(offsets, np.int64), "left").astype(np.int64)

    def n_shared(self, kind: str, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """The number of blocks that share a character with each of these stretches; with one of
        white space alone, none."""
        starts, ends, (firsts, lasts) = self.places(starts), self.places(ends), self.blocks[kind]
        before = np.searchsorted(lasts, starts, "right")
        found: Int64Array = np.searchsorted(firsts, ends, "left") - before
        return np.where(starts < ends, np.maximum(found, 0), 0)

    def breaks(
        self, kind: str, starts: Int64Array, ends: Int64Array
    ) -> tuple[Int64Array, Int64Array]:
        """The places inside the text at which a chunk starts or ends, each once, and the index of
        the block that each is inside of, or -1. Of headings: the ends of chunks, and the heading
        that each is in or at the end of, while text follows. Words are not numbered."""
        firsts, lasts = self.blocks[kind]
        if kind == "heading":
            cuts = self.places(ends)
            index = np.searchsorted(firsts, cuts, "left") - 1
            left = (cuts <= np.append(lasts, -1)[index]) & (cuts < self.n_places)
            return cuts, np.where(left, index, -1)
        cuts = cuts_of(self._at, [starts, ends])
        if kind != "word":
            index = np.searchsorted(firsts, cuts, "left") - 1
            return cuts, np.where(cuts < np.append(lasts, 0)[index], index, -1)
        return cuts, np.where(np.isin(cuts, cuts_inside_words(self.text, self._at, cuts)), 0, -1)

    def heading_paths(
        self, starts: Int64Array, ends: Int64Array
    ) -> list[tuple[tuple[str, ...], tuple[bool, ...]]]:
        r"""The headings above each chunk, outermost first, and which of them it holds: those above
        its first text, including those at the start of the chunk.

        >>> text = TextMap("# A\n\n## B\nText. More.")
        >>> text.heading_paths(np.array([0, 16]), np.array([16, 21]))
        [(('# A', '## B'), (True, True)), (('# A', '## B'), (False, False))]
        """
        headings, (firsts, lasts) = self._headings, self.blocks["heading"]
        above: list[list[int]] = []  # for each heading: those above it, and itself
        for index, heading in enumerate(headings):
            outer = above[-1] if above else []
            above.append([i for i in outer if headings[i].rank < heading.rank] + [index])
        paths = []
        for first, last in np.stack([self.places(starts), self.places(ends)], axis=1).tolist():
            index = int(np.searchsorted(firsts, first, "right")) - 1
            place = first
            while index >= 0 and firsts[index] <= place < lasts[index]:
                place = int(lasts[index])  # a heading at the start of the chunk
                follows = index + 1 < len(headings) and firsts[index + 1] <= place < last
                index += follows
            path = above[index] if index >= 0 else []
            titles = tuple(f"{'#' * headings[i].rank} {headings[i].title}" for i in path)
            held = (bool(first <= firsts[i] and lasts[i] <= last) for i in path)
            paths.append((titles, tuple(held)))
        return paths

    def break_place(self, document: str, cut: int) -> BreakPlace:
        """Where a cut is, in words."""
        offset = int(self._at[cut]) if cut < self.n_places else len(self.text)
        before = self.text[max(0, offset - _AROUND) : offset]
        after = self.text[offset : offset + _AROUND]
        gap = " " if before[-1:].isspace() else ""
        around = f"{' '.join(before.split())}{gap}{CUT}{gap}{' '.join(after.split())}"
        return BreakPlace(document, offset, bisect_right(self._line_starts, offset), around)

    @cached_property
    def _line_starts(self) -> list[int]:
        """The starts of lines, after a line feed, a carriage return, or both."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]


# ---- cohesion ----


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
    ci: resampling.Interval
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
    firsts, lasts = text.blocks["sentence"]
    cuts = text.places(starts)
    index = np.searchsorted(lasts, cuts, "right")
    last = np.minimum(index, len(lasts) - 1)
    before, after = cuts - firsts[last], lasts[last] - cuts
    found = np.unique(np.where((index < len(lasts)) & (before > after), index + 1, index))
    return found[(found > 0) & (found < len(firsts))]


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
    # of each document: similarities (0 where there is none) and which exist; sentences of chunks
    both = [np.stack([np.nan_to_num(cosines), ~np.isnan(cosines)]) for cosines in alike]
    masses = [
        np.diff(own, prepend=0, append=len(cosines) + 1)
        for own, cosines in zip(boundaries, alike, strict=True)
    ]
    by_document = [_chunk_rows(*each) for each in zip(both, masses, strict=True)]
    by_chunk = np.concatenate([np.zeros((0, 4)), *by_document])
    sums = by_chunk.sum(axis=0)
    inside, across = (float(ratio(sums[i : i + 1], sums[i + 1 : i + 2])[0]) for i in (0, 2))
    counts = int(sums[1]), int(sums[3])
    if not all(counts):
        what = "no two sentences in one chunk" if not counts[0] else "no cut between two sentences"
        ends = np.nan, np.nan, resampling.checked_level(level)
        ci = resampling.Interval(*ends, f"no interval: {what}")
        return Cohesion(inside, across, *counts, ci, reason=what)
    enough = len(alike) >= resampling.TOO_FEW_DOCUMENTS
    rows = np.stack([own.sum(axis=0) for own in by_document]) if enough else by_chunk
    drawn = lots if enough else Lots.of(range(len(rows)), "chunks")
    ci = resampling.bootstrap_interval(
        rows, _cohesion_values, level=level, n_resamples=n_resamples, seed=seed, lots=drawn
    )
    if all(len(np.unique(own)) < 2 for own in masses):  # each order has the same boundaries
        why = "no chance to compare with: all chunks of a document have as many sentences"
        return Cohesion(inside, across, *counts, ci, reason=why)
    draws = min(_MOST_DRAWS, max(_FEWEST_DRAWS, _CHUNKS_DRAWN // len(by_chunk)))
    rng = np.random.default_rng(seed)
    random = np.zeros((draws, 4))
    for each in zip(both, masses, strict=True):
        random += _random_orders(*each, draws, rng)
    values = _cohesion_values(random)
    values = values[~np.isnan(values)]  # an order may have no pair inside, or none across
    if not len(values):
        return Cohesion(inside, across, *counts, ci, reason="no random order has a value")
    as_high = int((values >= inside - across - _EXACTLY).sum())
    p = (1 + as_high) / (1 + len(values))
    return Cohesion(inside, across, *counts, ci, float(values.mean()), p, len(values))


def _cohesion_values(rows: Floats) -> Floats:
    """The values of summed rows: mean inside minus mean across."""
    return ratio(rows[:, 0], rows[:, 1]) - ratio(rows[:, 2], rows[:, 3])


def _chunk_rows(both: Floats, masses: Int64Array) -> Floats:
    """A row per chunk: similarity inside, pairs inside, across the cut at its end, pairs."""
    rows = np.zeros((len(masses), 4))
    ends = np.cumsum(masses)
    for column, numbers in enumerate(both):
        sums = np.concatenate([[0.0], np.cumsum(numbers)])
        rows[:, column] = sums[ends - 1] - sums[ends - masses]
        rows[:-1, column + 2] = numbers[ends[:-1] - 1]
    return rows


def _random_orders(
    both: Floats, masses: Int64Array, draws: int, rng: np.random.Generator
) -> Floats:
    """Summed rows of the chunks in random orders."""
    sums = np.empty((draws, 4))
    step = max(1, _AT_ONCE // len(masses))
    for first in range(0, draws, step):
        n = min(step, draws - first)
        orders = rng.permuted(np.broadcast_to(masses, (n, len(masses))), axis=1)
        places = orders.cumsum(axis=1)[:, :-1] - 1
        across = np.stack([numbers[places].sum(axis=1) for numbers in both], axis=1)
        sums[first : first + n] = np.concatenate([both.sum(axis=1) - across, across], axis=1)
    return sums
