"""Chunks without a reference, character by character."""

from collections import Counter
from itertools import permutations
from math import log, sqrt
from statistics import mean, pstdev

Stretch = tuple[int, int]


def seen(text: str) -> list[int]:
    """The offsets of characters that are no white space."""
    return [at for at, sign in enumerate(text) if not sign.isspace()]


def cuts(text: str, chunks: list[Stretch]) -> list[int]:
    """A cut k stands between the characters k - 1 and k of those that are seen."""
    places = seen(text)
    found = {sum(at < edge for at in places) for chunk in chunks for edge in chunk}
    return sorted(k for k in found if 0 < k < len(places))


def cuts_inside(text: str, chunks: list[Stretch], blocks: list[Stretch]) -> tuple[int, int]:
    """How many cuts have a character of one block on either side, and how many such blocks."""
    places = seen(text)
    count, broken = 0, set()
    for k in cuts(text, chunks):
        before, after = places[k - 1], places[k]
        for start, end in blocks:
            if start <= before < end and start <= after < end:
                count += 1
                broken.add((start, end))
                break
    return count, len(broken)


def cuts_inside_words(text: str, chunks: list[Stretch]) -> int:
    places = seen(text)
    return sum(places[k] == places[k - 1] + 1 for k in cuts(text, chunks))


def headings_left(text: str, chunks: list[Stretch], headings: list[Stretch]) -> int:
    """How many chunks end with a heading, or in one, while text follows."""
    places = seen(text)
    count = 0
    for _, end in chunks:
        before = [at for at in places if at < end]
        if before and len(before) < len(places):
            count += any(start <= before[-1] < stop for start, stop in headings)
    return count


def n_shared(text: str, chunk: Stretch, blocks: list[Stretch]) -> int:
    """How many blocks have a character that is seen in a chunk."""
    places = seen(text)
    return sum(
        any(start <= at < end and chunk[0] <= at < chunk[1] for at in places)
        for start, end in blocks
    )


def overlap(chunks: list[Stretch]) -> int:
    held = Counter(at for start, end in chunks for at in range(start, end))
    return sum(count - 1 for count in held.values())


def gaps(text: str, chunks: list[Stretch]) -> int:
    held = {at for start, end in chunks for at in range(start, end)}
    return sum(at not in held for at in seen(text))


def variation(sizes: list[int]) -> float:
    return pstdev(sizes) / mean(sizes)


def cosines(texts: list[list[str]]) -> list[list[float | None]]:
    """Cosines between the words of each text and the next; blanks separate words."""
    every = [text.split() for group in texts for text in group]
    n = len(every)

    def weights(words: list[str]) -> dict[str, float]:
        return {
            word: words.count(word) * log(n / sum(word in other for other in every))
            for word in words
        }

    def cosine(words: list[str], other: list[str]) -> float | None:
        a, b = weights(words), weights(other)
        length = sqrt(sum(x * x for x in a.values())) * sqrt(sum(x * x for x in b.values()))
        return sum(a[word] * b.get(word, 0) for word in a) / length if length else None

    return [
        [
            cosine(group[i].split(), group[i + 1].split())
            for i in range(len(group) - 1)
        ]
        for group in texts
    ]  # fmt: skip


def cohesion(alike: list[list[float | None]], masses: list[list[int]]) -> float | None:
    """Mean similarity inside segments minus across their boundaries."""
    inside: list[float] = []
    across: list[float] = []
    for values, lengths in zip(alike, masses, strict=True):
        segment = [index for index, length in enumerate(lengths) for _ in range(length)]
        for i, value in enumerate(values):
            if value is not None:
                (inside if segment[i] == segment[i + 1] else across).append(value)
    return mean(inside) - mean(across) if inside and across else None


def chance(alike: list[float | None], lengths: list[int]) -> list[float]:
    """The cohesion of all orders of the segments of one document."""
    found = [cohesion([alike], [list(order)]) for order in permutations(lengths)]
    return [value for value in found if value is not None]
