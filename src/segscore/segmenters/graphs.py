"""Units as a graph of their similarities: MinCutSeg cuts it, APS gives segments an exemplar.

MinCutSeg (Malioutov & Barzilay 2006, "Minimum cut model for spoken lecture segmentation").

Units are the nodes of a graph, their similarities its edges; in a good segment units are more
similar to each other than to the rest of the text.

1. Words are weighted by chunks of the text, x_t(w) = c_t(w) · tf(w, chunk of t) · ln(S / df(w)), S
   chunks. A text is cut into chunks of equal size; tf is how often a word occurs in a chunk, df in
   how many chunks: a word that is everywhere says nothing about where a topic ends. A text with
   fewer units than chunks has one chunk per unit, and counts as that many chunks.
2. Units are smoothed by those that follow: y_t = Σ_{d < horizon} e^(−α·d) · x_{t+d}.
3. w(i, j) = exp(cosine of y_i and y_j) if they share anything (y_i · y_j > 10⁻⁶) and are at most
   `cutoff` apart, else 0; w(i, i) = e.
4. The normalised cut of a segment is (vol − assoc) / vol: vol is the weight of all edges of its
   units, assoc of those that stay inside, both directions and the diagonal counted. K segments with
   the least sum are found by dynamic programming.

In the authors' program the edge between neighbours never counts as inside, though it counts in
vol. The paper probably does not mean that, but its results come from this program and they are
better: on clinical texts WindowDiff is .382 with it and .408 without. So it is our default, too;
`skip_adjacent=False` gives the cut as the paper defines it.

For any text the cut is lower with fewer segments: it cannot find the number of segments, so K must
be given. Single units at the ends of a text are cheap to cut off, so segments of one unit are
common there.

APS: affinity propagation for segmentation (Kazantseva & Szpakowicz 2011, "Linear text
segmentation using affinity propagation").

1. Word counts of units, smoothed by those that follow: Σ_{d ≤ smoothing} e^(−α·d) · c_{t+d}.
2. Weighted by chunks of the text (as in MinCutSeg): (1 + log2(tf + 1)) · log2(S / df).
3. Cosines s_ij of units at most `window` · N apart; others cannot share a segment's exemplar.
4. Messages until the units agree on exemplars.

Each segment has an exemplar, one of its units. We look for the segmentation with the largest net
similarity: the sum over units of their similarity with the exemplar of their segment, plus the
preference p for each exemplar, in place of its similarity with itself.

The preference is the cost of an exemplar, so it decides how many segments there are. The right
value depends on the similarities: the authors report −14 … −4 for sentences of long texts and
−2 … 0.5 for paragraphs. Our default is −N/3 times the mean similarity within the window: a third of
what a unit has in common with all others. On such texts it is between the values of the authors,
and the result does not change if all similarities are scaled. `segscore benchmark DATA --tune
--method aps` finds a better value.

Messages pass between units i and candidates j until they agree; λ damps them (new = λ·old +
(1−λ)·update):

    R_ij = s_ij − max_{k≠j}(s_ik + A_ik)     how much better j is for i than any other candidate
    A_ij: how much better the best contiguous segment around j is with i than without it

With r_k = R_kj, P_i the most that a run of units ending just before i can add, Q_i the same for a
run that begins just after i (0 for no run):

    A_jj = P_j + Q_j
    i < j:  A_ij = P_i + min(r_{i+1} + … + r_j + Q_j, m_i),  m_i = least r_{i+1} + … + r_k, k < j
    i > j:  A_ij = Q_i + min(r_j + … + r_{i−1} + P_j, n_i),  n_i = least r_k + … + r_{i−1}, k > j

where the minima m_i and n_i include the empty sum, 0.

If the number of segments is given, the sum of preferences is the same for all segmentations. Then
the segments with the largest net similarity are found exactly, without messages.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.affinity import exchange
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.segmenters import contract
from segscore.segmenters.preprocessing import CLASSIC, Counts, Preprocessing

_LEAST_PRODUCT = 1e-6
_BLOCK = 256  # units whose similarities are computed at once


# ---- words by chunks of the text ----


def chunk_of_units(n_units: int, n_chunks: int) -> NDArray[np.int64]:
    """The chunk of each unit: N // chunks units each, and the last takes the rest.

    >>> chunk_of_units(7, 3), chunk_of_units(2, 3)
    (array([0, 0, 1, 1, 2, 2, 2]), array([0, 1]))
    """
    n_chunks = min(n_chunks, n_units)
    return np.minimum(np.arange(n_units) // (n_units // n_chunks), n_chunks - 1)


def chunk_frequencies(
    counts: Counts, chunks: NDArray[np.int64]
) -> tuple[Counts, NDArray[np.int64]]:
    """tf, a row per chunk and a column per word; and df of each word (1 at least)."""
    from scipy.sparse import csr_array

    n_units = len(chunks)
    n_chunks = int(chunks[-1]) + 1
    members = csr_array((np.ones(n_units), (chunks, np.arange(n_units))), shape=(n_chunks, n_units))
    tf = members @ counts
    df = np.bincount(tf.indices, minlength=tf.shape[1])
    return tf, np.maximum(df, 1)


def forward_smoothed(vectors: Counts, reach: int, alpha: float) -> Counts:
    """Each row plus the next `reach` rows, where the row d further on has the weight e^(−α·d).

    >>> from scipy.sparse import csr_array
    >>> forward_smoothed(csr_array(np.array([[1.0], [0.0], [4.0]])), 1, np.log(2)).toarray()
    array([[1.],
           [2.],
           [4.]])
    """
    from scipy.sparse import dia_array

    n_units = vectors.shape[0]
    shifts = np.arange(min(reach, n_units - 1) + 1)
    weights: Floats = np.repeat(np.exp(-alpha * shifts)[:, None], n_units, axis=1)
    smoothing = dia_array((weights, shifts), shape=(n_units, n_units)).tocsr()
    return smoothing @ vectors


def weighted(counts: Counts, n_chunks: int) -> Counts:
    """WordCounts times tf · ln(S / df) of the unit's chunk."""
    chunks = chunk_of_units(counts.shape[0], n_chunks)
    tf, df = chunk_frequencies(counts, chunks)
    rarity = np.log((int(chunks[-1]) + 1) / df)
    return counts.multiply(tf.multiply(rarity[None, :]).tocsr()[chunks]).tocsr()


def _lengths(vectors: Counts) -> Floats:
    """The length of each row."""
    return np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1), np.float64).ravel())


def edges(vectors: Counts, cutoff: int) -> Floats:
    """w(i, i−d) in row i and column d, d = 0 … cutoff; 0 where there is no such unit."""
    n_units = vectors.shape[0]
    distances = np.arange(min(cutoff, n_units - 1) + 1)
    lengths = _lengths(vectors)
    graph = np.zeros((n_units, len(distances)))
    for start in range(0, n_units, _BLOCK):
        units = np.arange(start, min(start + _BLOCK, n_units))
        low = max(0, start - len(distances) + 1)
        products = (vectors[start : units[-1] + 1] @ vectors[low : units[-1] + 1].T).toarray()
        others = units[:, None] - distances
        dots = products[units[:, None] - start, np.maximum(others - low, 0)]
        tied = (others >= 0) & (dots > _LEAST_PRODUCT)
        norms = lengths[units][:, None] * lengths[np.maximum(others, 0)]
        graph[units] = np.exp(np.divide(dots, norms, out=dots, where=tied), where=tied, out=dots)
        graph[units] *= tied
    graph[:, 0] = np.e
    return graph


def cut_costs(graph: Floats, skip_adjacent: bool) -> Iterator[Floats]:
    """For each end 1 … N the normalised cuts of the segments start … end, start = 0 … end-1.

    graph: the result of `edges`.
    """
    n_units, width = graph.shape
    volume = graph.sum(axis=1)
    for distance in range(1, width):
        volume[:-distance] += graph[distance:, distance]
    volume_before = np.concatenate(([0.0], np.cumsum(volume)))
    ties = 2 * graph  # both directions
    ties[:, 0] = graph[:, 0]
    if skip_adjacent:
        ties[:, 1:2] = 0
    # What a unit adds to a segment that starts d units before it: its ties to these units.
    brought = np.cumsum(ties, axis=1)
    inside = np.zeros(n_units)
    for end in range(1, n_units + 1):
        near = min(width, end)
        inside[end - near : end] += brought[end - 1, near - 1 :: -1]
        inside[: end - near] += brought[end - 1, -1]
        volumes = volume_before[end] - volume_before[:end]
        yield (volumes - inside[:end]) / volumes


@dataclass(frozen=True)
class MinCutSeg(contract.Segmenter):
    """Normalised minimum cuts of the graph of units; the number of segments must be given.

    Parameters
    ----------
    cutoff: units that are further apart than this are not compared.
    alpha: how fast the weight of following units falls with their distance d: e^(−alpha · d).
    horizon: a unit is smoothed by the units before this distance; 1: no smoothing.
    chunks: number of parts of the text that count as documents for tf-idf; a text with fewer units
        has one chunk per unit.
    skip_adjacent: True counts the edge between neighbours as in the authors' program, False as the
        paper defines it.
    max_gigabytes: a text and a number of segments that need more memory are an error.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> MinCutSeg()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5])
    """

    name: ClassVar[str] = "mincutseg"
    needs_n_segments: ClassVar[bool] = True
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "cutoff": (70, 95, 150, 200, 300),
        "alpha": (0.0, 0.5, 1.1, 1.5, 2.0),
        "horizon": (1, 2, 3, 5),
        "chunks": (10, 15, 20, 30),
    }

    cutoff: contract.Natural = 95
    alpha: contract.NotNegative = 1.1
    horizon: contract.Natural = 5
    chunks: contract.Natural = 15
    skip_adjacent: bool = True
    max_gigabytes: contract.NotNegative = 2.0
    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        wanted = contract.needed_segments(n_segments, self.name)
        # bytes of the edges within the cutoff, their sums, and the best plans
        needed = len(units) * (24 * (min(self.cutoff, len(units)) + 1) + 20 * wanted)
        what = f"{self.name} on {len(units)} units and {wanted} segments"
        limit = f"max_gigabytes={self.max_gigabytes:g}"
        contract.check_memory(what, needed, self.max_gigabytes * 1e9, limit)
        vectors = weighted(self.preprocessing.counts(units), self.chunks)
        graph = edges(forward_smoothed(vectors, self.horizon - 1, self.alpha), self.cutoff)
        boundaries = contract.cheapest(cut_costs(graph, self.skip_adjacent), len(units), wanted)
        return Segmentation.from_boundaries(boundaries, len(units))


# ---- APS ----


class ConvergenceWarning(UserWarning):
    """Messages were still changing after `max_iterations` rounds."""


class Exemplars(NamedTuple):
    """The result of APS: segments, their exemplars as indices of units, and how messages ended."""

    segmentation: Segmentation
    exemplars: list[int]
    converged: bool = True
    iterations: int = 0
    preference: float | None = None


def smoothed_weights(counts: Counts, smoothing: int, alpha: float, n_chunks: int) -> Counts:
    """Smoothed counts times (1 + log2(tf + 1)) · log2(S / df) of the unit's chunk."""
    chunks = chunk_of_units(counts.shape[0], n_chunks)
    tf, df = chunk_frequencies(counts, chunks)
    tf.data = np.log2(tf.data + 1)
    smoothed = forward_smoothed(counts, smoothing, alpha)
    rarity = np.log2((int(chunks[-1]) + 1) / df)
    raised = smoothed + smoothed.multiply(tf[chunks])
    return raised.multiply(rarity[None, :]).tocsr()


def cosine_table(vectors: Counts) -> Floats:
    """Cosine of every pair of rows; 0 where a row is empty."""
    lengths = _lengths(vectors)
    scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scaled = vectors.multiply(scale[:, None]).tocsr()
    table: Floats = (scaled @ scaled.T).toarray()
    return table


def natural_preference(similarities: Floats, reach: int) -> float:
    """−N/3 times the mean similarity of two units within reach.

    >>> round(natural_preference(np.full((6, 6), 0.5), 3), 6)
    -1.0
    """
    pairs = [np.diagonal(similarities, distance) for distance in range(1, reach + 1)]
    return -len(similarities) / 3 * float(np.concatenate(pairs).mean())


_BYTES_PER_PAIR = 32  # similarities, the same with preferences, and two kinds of messages


def propagate(
    similarities: Floats,
    preference: float,
    reach: int,
    damping: float = 0.9,
    patience: contract.Natural = 100,
    max_iterations: contract.Natural = 1000,
) -> Exemplars:
    """Pass messages until the set of exemplars stays the same for `patience` rounds.

    >>> table = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    >>> propagate(table, 0.1, reach=2)[:3]
    (Segmentation(masses=[2, 1]), [1, 2], True)
    """
    n_units = len(similarities)
    # the preference on the diagonal, slightly different for each candidate: else messages would
    # alternate for ever between equally good candidates
    table = np.ascontiguousarray(similarities, np.float64).copy()
    places = np.arange(n_units)
    hair = 1e-6 * max(_largest(similarities), abs(preference))
    table[places, places] = preference + hair * (places * np.sqrt(2) % 1)
    responsibilities = np.zeros_like(table)
    availabilities = np.zeros_like(table)
    before = np.zeros(n_units, bool)
    stayed = iterations = 0
    while stayed < patience and iterations < max_iterations:
        exchange(table, reach, damping, responsibilities, availabilities)
        iterations += 1
        evidence = responsibilities.diagonal() + availabilities.diagonal()
        chosen = evidence > 0
        # If there is no exemplar yet, the messages have only begun: do not count that as stable.
        stayed = stayed + 1 if chosen.any() and np.array_equal(chosen, before) else 0
        before = chosen
    exemplars = np.flatnonzero(chosen) if chosen.any() else np.array([np.argmax(evidence)])
    responsibilities += availabilities
    choices = confined(responsibilities, reach).argmax(axis=1)
    boundaries = decode(exemplars.tolist(), choices, confined(table, reach))
    segmentation = Segmentation.from_boundaries(boundaries, n_units)
    return Exemplars(segmentation, exemplars.tolist(), stayed >= patience, iterations, preference)


def _largest(table: Floats) -> float:
    """The largest absolute value."""
    return max(float(table.max()), -float(table.min()))


def confined(table: Floats, reach: int, out_of_reach: float = -np.inf) -> Floats:
    """The table with another value further than `reach` from the diagonal; changed in place."""
    for unit, row in enumerate(table):
        row[: max(0, unit - reach)] = out_of_reach
        row[unit + reach + 1 :] = out_of_reach
    return table


def decode(exemplars: list[int], choices: NDArray[np.int64], similarities: Floats) -> list[int]:
    """The boundaries: one between two exemplars, after the last unit that belongs to the left
    exemplar.

    A unit between them belongs to the exemplar that it chose; if it chose neither, to the more
    similar exemplar, or to the nearer exemplar if both are out of reach. So each segment is
    contiguous and has a single exemplar, whatever the choices.
    """
    boundaries = []
    for left, right in pairwise(exemplars):
        between = np.arange(left + 1, right)
        to_left, to_right = similarities[between, left], similarities[between, right]
        nearer = between - left <= right - between
        belongs = np.where(to_left == to_right, nearer, to_left > to_right)
        belongs |= choices[between] == left
        belongs &= choices[between] != right
        last = between[belongs][-1] if belongs.any() else left
        boundaries.append(int(last) + 1)
    return boundaries


# ---- a known number of segments ----


def exemplar_costs(similarities: Floats) -> Iterator[Floats]:
    """For each end 1 … N the costs of the segments start … end: minus the gain from their best
    exemplar.

    The exemplar's similarity with itself is part of the diagonal of the table.
    """
    n_units = len(similarities)
    # gains[start, j]: similarities of the units start … end-1 with j, from j = start on
    gains = np.full((n_units, n_units), -np.inf)
    for end in range(1, n_units + 1):
        gains[: end - 1] += similarities[end - 1]
        gains[end - 1, end - 1 :] = similarities[end - 1, end - 1 :]
        yield -gains[:end, :end].max(axis=1)


def best_exemplars(similarities: Floats, reach: int, n_segments: int) -> Exemplars:
    """The `n_segments` segments with the largest net similarity, by dynamic programming.

    Units out of reach count as very dissimilar, so that there are as few of them as possible.

    >>> table = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    >>> best_exemplars(table, 2, 2)[:2]
    (Segmentation(masses=[2, 1]), [0, 2])
    """
    worse_than_any_sum = -1 - _largest(similarities) * (2 * len(similarities) + 1)
    table = confined(similarities.copy(), reach, worse_than_any_sum)
    np.fill_diagonal(table, 0)  # the preference: the same sum in all, because K is fixed
    boundaries = contract.cheapest(exemplar_costs(table), len(table), n_segments)
    exemplars = [
        start + int(table[start:end, start:end].sum(axis=0).argmax())
        for start, end in pairwise([0, *boundaries, len(table)])
    ]
    return Exemplars(Segmentation.from_boundaries(boundaries, len(table)), exemplars)


@dataclass(frozen=True)
class APS(contract.Segmenter):
    """Segments around exemplars, found by messages among units.

    If the number of segments is given, no messages are needed; time then grows with the cube of the
    number of units.

    Parameters
    ----------
    preference: the preference of a unit to be an exemplar: the lower, the fewer segments. None:
        −N/3 times the mean similarity within the window.
    window: a unit and its exemplar are at most this share of the text apart, 0 … 1.
    damping: how slowly messages change, 0 … 0.999; higher values converge more safely.
    patience: stop when the exemplars have not changed for this number of rounds.
    max_iterations: stop after this number of rounds, with a `ConvergenceWarning`.
    smoothing: the number of following units that are added to each unit.
    alpha: how fast the weight of these units falls with their distance d: e^(−alpha · d).
    chunks: number of parts of the text that count as documents for tf-idf; a text with fewer units
        has one chunk per unit.
    max_units: documents with more units are an error, because memory grows with their square.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> APS()([cats] * 6 + [stars] * 7)
    Segmentation(masses=[6, 7])
    """

    name: ClassVar[str] = "aps"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "preference": (0.0, -0.25, -0.5, -1.0, -2.0, -4.0, -6.0, -8.0, -10.0, -12.0, -14.0),
        "window": (0.3, 0.5, 0.9),
    }

    preference: contract.Finite | None = None
    window: Annotated[float, 0, 1] = 0.3
    damping: Annotated[float, 0, 0.999] = 0.9
    patience: contract.Natural = 100
    max_iterations: contract.Natural = 1000
    smoothing: Annotated[int, 0] = 2
    alpha: contract.NotNegative = 1.45
    chunks: contract.Natural = 30
    max_units: contract.Natural = 8000
    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return self._exemplars(units, n_segments).segmentation

    def exemplars(self, units: Sequence[str], n_segments: int | None = None) -> Exemplars:
        """The segmentation with the exemplar of each segment, and whether messages converged.

        >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
        >>> found = APS().exemplars([cats] * 6 + [stars] * 7)
        >>> len(found.exemplars), found.converged
        (2, True)
        """
        texts = contract.checked_units(units)
        return self._exemplars(texts, contract.checked_segments(n_segments, len(texts)))

    def _exemplars(self, units: list[str], n_segments: int | None) -> Exemplars:
        n_units = len(units)
        if n_units == 1:
            alone = Segmentation.from_boundaries([], 1)
            return Exemplars(alone, [0], preference=self.preference)
        contract.check_pairs(n_units, _BYTES_PER_PAIR, self.max_units, self.name)
        counts = self.preprocessing.counts(units)
        vectors = smoothed_weights(counts, self.smoothing, self.alpha, self.chunks)
        reach = max(1, int(self.window * n_units))
        similarities = confined(cosine_table(vectors), reach, 0.0)
        if n_segments is not None:
            found = best_exemplars(similarities, reach, n_segments)
            return found._replace(preference=self.preference)
        preference = self.preference
        if preference is None:
            preference = natural_preference(similarities, reach)
        return self._messages(similarities, preference, reach)

    def _messages(self, similarities: Floats, preference: float, reach: int) -> Exemplars:
        n_units = len(similarities)
        if np.count_nonzero(similarities) == np.count_nonzero(similarities.diagonal()):
            # no two units within reach have a word in common
            exemplars = range(n_units if preference > 0 else 1)
            apart = Segmentation.from_boundaries(exemplars[1:], n_units)
            return Exemplars(apart, list(exemplars), preference=preference)
        found = propagate(
            similarities, preference, reach, self.damping, self.patience, self.max_iterations
        )
        if not found.converged:
            warnings.warn(
                f"aps: {n_units} units did not agree on exemplars in {found.iterations} rounds, so "
                "the segmentation may be poor: try a higher damping or max_iterations, or another "
                "preference",
                ConvergenceWarning,
                stacklevel=4,
            )
        return found
