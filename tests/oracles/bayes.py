"""Bayesian segmenters by the letter: sums over every word of the lexicon, every segmentation."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import comb, lgamma, log

Weighted = Sequence[dict[str, float]]  # of each unit how often each word occurs, or is expected
Gain = Callable[[int, int], float]  # of a segment start … end


def dcm(units: Weighted, start: int, end: int, prior: float, n_words: int) -> float:
    """The Dirichlet-compound-multinomial log-likelihood of one segment."""
    counts: Counter[str] = Counter()
    for unit in units[start:end]:
        counts.update(unit)
    present = [counts[word] for word in counts]
    every = present + [0.0] * (n_words - len(present))
    total = lgamma(n_words * prior) - lgamma(sum(every) + n_words * prior)
    return total + sum(lgamma(count + prior) - lgamma(prior) for count in every)


def geometric(length: int, mean: float) -> float:
    """Logarithm of p of a length: it goes on length-1 times, then ends."""
    return (length - 1) * log(1 - 1 / mean) + log(1 / mean)


def negative_binomial(length: int, mean: float, dispersion: float) -> float:
    """Logarithm of p by the usual parameters r = mk (a whole number here) and p = k/(k+1)."""
    r, p = round(mean * dispersion), dispersion / (dispersion + 1)
    return log(comb(length + r - 1, length) * p**r * (1 - p) ** length)


def segmentations(n: int, n_segments: int | None, inside: Sequence[int]) -> Iterator[list[int]]:
    """All boundaries that hold those of `inside`."""
    for number in range(1, n + 1) if n_segments is None else [n_segments]:
        for cut in combinations(range(1, n), number - 1):
            if set(inside) <= set(cut):
                yield list(cut)


def total(cut: Sequence[int], n: int, gain: Gain) -> float:
    """What the segments between these boundaries gain."""
    return sum(gain(a, b) for a, b in pairwise((0, *cut, n)))


def best_total(n: int, n_segments: int | None, gain: Gain, inside: Sequence[int] = ()) -> float:
    """The most that a segmentation can gain, by trying each."""
    return max(total(cut, n, gain) for cut in segmentations(n, n_segments, inside))


def best_nested_total(n: int, gains: Sequence[Gain]) -> float:
    """The most that segments within segments can gain, finest level first, by trying each."""

    def below(level: int, inside: Sequence[int]) -> float:
        if level < 0:
            return 0.0
        return max(
            total(cut, n, gains[level]) + below(level - 1, cut)
            for cut in segmentations(n, None, inside)
        )

    return below(len(gains) - 1, ())


def sweep(
    tokens: Sequence[tuple[int, str]],
    segments: Sequence[Sequence[int]],
    priors: Sequence[float],
    n_words: int,
    beta: float,
    shares: list[list[float]],
) -> None:
    """Share out each token (unit, word) in turn by the expected counts of all others."""
    for at, (unit, word) in enumerate(tokens):
        weights = []
        for level, prior in enumerate(priors):
            of_level = of_segment = of_word = 0.0
            for other, (its_unit, its_word) in enumerate(tokens):
                if other != at:
                    share = shares[other][level]
                    same = segments[level][its_unit] == segments[level][unit]
                    of_level += share
                    of_segment += share * same
                    of_word += share * (same and its_word == word)
            chance = (of_word + prior) / (of_segment + n_words * prior)
            weights.append((of_level + beta) * chance)
        shares[at] = [weight / sum(weights) for weight in weights]


def mit_pk_and_windowdiff(
    ref: Sequence[int], hyp: Sequence[int], words: Sequence[int]
) -> tuple[float, float]:
    """Both errors of `hyp` against `ref` (masses in units); `words` of each unit."""
    n_words = sum(words)
    k = n_words // (2 * len(ref))
    before = [0, *accumulate(words)]
    places = [[before[unit] for unit in list(accumulate(masses))[:-1]] for masses in (ref, hyp)]
    unlike = miscounted = 0
    for i in range(n_words - k):
        in_ref, in_hyp = (sum(i <= place <= i + k for place in boundaries) for boundaries in places)
        unlike += (in_ref > 0) != (in_hyp > 0)
        miscounted += in_ref != in_hyp
    return unlike / (n_words - k), miscounted / (n_words - k)
