"""Checks of the coders of a corpus: a person under two names, gold or systems among people, swapped
names.

Find a coder who equals the majority of the others in every document: gold under a person's
name.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.checking.findings import Finding, in_order
from segscore.checking.names import looks_like, spellings
from segscore.checking.one_side import same_places
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import KINDS
from segscore.errors import named

_FEWEST_OTHERS = 3  # others in a document: two are no majority
_SURE_OF_SIDES = 4  # -log10 of the chance that a person always sides with the majority
_LEAST_USUAL = 0.7  # how often a person sides with it at least, whatever few places show


class _Marks(NamedTuple):
    """Each marked position: its document, the coders who marked it, and the coders of its
    document."""

    document: Int64Array
    marked: NDArray[np.bool_]  # (places, coders)
    coded: NDArray[np.bool_]

    @classmethod
    def of(cls, codings: Codings) -> "_Marks":
        """All marked positions of these codings, whose coders have global names."""
        offsets, positions = codings.boundaries(np.arange(len(codings)))
        rows = np.repeat(np.arange(len(codings)), np.diff(offsets))
        both = np.stack([codings.document_of_rows[rows], positions])
        places, place = np.unique(both, axis=1, return_inverse=True)
        marked = np.zeros((places.shape[1], len(codings.coders)), np.bool_)
        marked[place.reshape(-1), codings.codes[rows]] = True
        coded = np.zeros((len(codings.documents), len(codings.coders)), np.bool_)
        coded[codings.document_of_rows, codings.codes] = True
        return cls(places[0], marked, coded[places[0]])

    def others(self, coder: int) -> tuple[NDArray[np.bool_], Int64Array, Int64Array]:
        """For each marked position in documents that the coder and enough others coded: whether the
        coder marked it, how many others did, and the number of others."""
        n = self.coded.sum(axis=1) - 1
        there = self.coded[:, coder] & (n >= _FEWEST_OTHERS)
        own = self.marked[there, coder]
        return own, self.marked[there].sum(axis=1) - own, n[there]


def made_from_others(codings: Codings) -> Iterator[Finding]:
    """A coder who equals the majority of the others, or what at least half of them mark, in all
    documents, although the others are divided so often that no person would always side with
    most."""
    if codings.scope != "global" or not _FEWEST_OTHERS < len(codings.coders) <= _MOST_CODERS:
        return
    marks = _Marks.of(codings)
    seen = [marks.others(coder) for coder in range(len(codings.coders))]
    for coder, (own, votes, n) in enumerate(seen):
        divided = int(((votes > 0) & (votes < n)).sum())
        if not (np.array_equal(own, 2 * votes > n) or np.array_equal(own, 2 * votes >= n)):
            continue
        usual = max(_LEAST_USUAL, _siding(seen[:coder] + seen[coder + 1 :]))
        if -divided * np.log10(usual) >= _SURE_OF_SIDES:
            name = codings.coders[coder]
            yield Finding(
                "made-from-others",
                "warning",
                f"{name!r} has what most of the others mark, and nothing else, also at the "
                f"{divided} places on which they are divided.",
                {"divided": divided, "usual": usual},
                (),
                "It is probably a consensus, not a person, and makes agreement too high: leave "
                f"it out, or say what it is (with_details(kinds={{{name!r}: 'consensus'}}), or "
                '"kind": "consensus" in JSON Lines).',
            )


def _siding(seen: list[tuple[NDArray[np.bool_], Int64Array, Int64Array]]) -> float:
    """How often people side with the majority where the others are divided, but not in half."""
    sided = places = 0
    for own, votes, n in seen:
        divided = (votes > 0) & (votes < n) & (2 * votes != n)
        sided += int((own == (2 * votes > n))[divided].sum())
        places += int(divided.sum())
    return (sided + 1) / (places + 2)


_BOUNDARIES = 20  # in documents that two share: so many are not all the same by luck
_MOST_CODERS = 30  # pairs of whom are looked at
_SURE = 4  # -log10 of the chance that two people agree so far
_CLEARLY = 2.0  # standard deviations by which one marks more than the other, in nearly all
_SURELY = 3.5  # standard deviations the other way round
_FACTOR = 0.5  # of the usual ratio, in logarithms, that the other way round has at least
_NEARLY_ALL = 0.75  # of the documents show a habit
_FEWEST = 5  # documents that show it


def check_coders(corpus: Corpus) -> list[Finding]:
    """What is probably wrong with the coders of a corpus, as `agree` uses them; a consensus is left
    out."""
    codings = corpus.columns.without_consensus()
    found = [*spellings(corpus), *_no_people(codings), *made_from_others(codings)]
    found += same_places(codings)
    if corpus.coder_scope == "global":
        pairs = [_Pair.of(codings, a, b) for a, b in _pairs(codings)]
        found += [*_twice(pairs), *_swapped(pairs)]
    return in_order(found)


def _pairs(codings: Codings) -> list[tuple[int, int]]:
    return list(combinations(range(min(len(codings.coders), _MOST_CODERS)), 2))


class _Pair(NamedTuple):
    """Two coders, the documents that both coded, and their boundaries there."""

    coders: tuple[str, str]
    documents: list[str]
    counts: tuple[Int64Array, Int64Array]
    common: Int64Array
    n_places: int  # of all documents

    @classmethod
    def of(cls, codings: Codings, a: int, b: int) -> "_Pair":
        """The pair of two coders, by their numbers."""
        rows = [codings.rows_of(codings.coders[coder]) for coder in (a, b)]
        owners = [codings.document_of_rows[row] for row in rows]
        both, at_a, at_b = np.intersect1d(owners[0], owners[1], return_indices=True)
        chosen = rows[0][at_a], rows[1][at_b]
        marks = [_keys(codings, taken) for taken in chosen]
        shared = np.intersect1d(marks[0], marks[1], assume_unique=True) // _WIDTH
        lengths = np.diff(codings.offsets)
        return cls(
            (codings.coders[a], codings.coders[b]),
            [codings.documents[number] for number in both.tolist()],
            (lengths[chosen[0]], lengths[chosen[1]]),
            np.bincount(shared, minlength=len(both)),
            int((codings.n_units[chosen[0]] - 1).sum()),
        )

    @property
    def overlap(self) -> tuple[int, int]:
        """The number of boundaries that both have, and that at least one has."""
        common = int(self.common.sum())
        return common, int(self.counts[0].sum() + self.counts[1].sum()) - common


_WIDTH = 2**40  # units; keys of positions over 2**20 documents then fit 64 bits


def _keys(codings: Codings, rows: Int64Array) -> Int64Array:
    """A number for each boundary of these rows, made from its row and its position."""
    lengths = np.diff(codings.offsets)[rows]
    starts = np.repeat(codings.offsets[rows] - np.cumsum(lengths) + lengths, lengths)
    held = codings.positions[starts + np.arange(lengths.sum())].astype(np.int64)
    places = np.repeat(np.arange(len(rows)), lengths) * _WIDTH
    return np.asarray(places + np.minimum(held, _WIDTH - 1))


# ---- one person twice ----


def _twice(pairs: list[_Pair]) -> Iterator[Finding]:
    """Two coders whose codings are all the same, unlike those of other pairs."""
    overlaps = [pair.overlap for pair in pairs]
    same = [
        common == every and min(common, pair.n_places - common) >= _BOUNDARIES
        for pair, (common, every) in zip(pairs, overlaps, strict=True)
    ]
    others = [overlap for overlap, equal in zip(overlaps, same, strict=True) if not equal]
    common, every = np.sum(others, axis=0).tolist() if others else (0, 1)
    usual = (common + 1) / (every + 2) if others else 0.0  # a boundary is shared so often
    for pair, equal, (shared, _) in zip(pairs, same, overlaps, strict=True):
        if equal and -shared * np.log10(max(usual, 1e-9)) >= _SURE:
            a, b = pair.coders
            yield Finding(
                "one-coder-twice",
                "warning",
                f"{a!r} and {b!r} have the same {shared} boundaries in all {len(pair.documents)} "
                "documents that both coded.",
                {"boundaries": shared, "documents": len(pair.documents), "usual": usual},
                tuple(pair.documents),
                "One person probably has two names, which makes agreement too high: leave "
                f"one out, or merge the names ({named(pair.coders)}).",
            )


# ---- gold and systems ----


def _no_people(codings: Codings) -> Iterator[Finding]:
    """Coders whose kind or name says that they are systems, or made from the others."""
    people, systems = (
        set(codings.codes[codings.kinds == KINDS.index(kind)].tolist())
        for kind in ("person", "system")
    )
    for kind, what, known in (
        ("system", "a system", systems),
        ("gold", "a reference that was made from others", set[int]()),
    ):
        odd = [
            coder
            for code, coder in enumerate(codings.coders)
            if code in known or (code not in people and looks_like(coder, kind))
        ]
        if odd and len(codings.coders) - len(odd) >= 2:
            yield Finding(
                "no-people",
                "note",
                f"{named(odd)} looks like {what}, among {len(codings.coders)} coders.",
                {"coders": len(odd)},
                (),
                "Agreement is about people: take the others only, by "
                "Corpus.select(coders=…), or name the one that is a system (system=).",
            )


# ---- names swapped in some documents ----


def _swapped(pairs: list[_Pair]) -> Iterator[Finding]:
    """Two coders of whom one marks far more than the other in nearly all documents, and far less in
    a few."""
    for pair in pairs:
        z, ratio = _leads(*pair.counts)
        if z.sum() < 0:
            z, ratio = -z, -ratio
        usual = z >= _CLEARLY
        if usual.sum() < max(_FEWEST, _NEARLY_ALL * len(z)):
            continue
        against = (z <= -_SURELY) & (ratio <= -_FACTOR * np.median(ratio[usual]))
        if against.any():
            a, b = pair.coders
            where = [pair.documents[i] for i in np.flatnonzero(against).tolist()]
            yield Finding(
                "swapped-coders",
                "note",
                f"One of {a!r} and {b!r} marks far more boundaries in {int(usual.sum())} of "
                f"{len(z)} documents, and far fewer in {named(where)}.",
                {"usual": int(usual.sum()), "against": len(where)},
                tuple(where),
                "Their names are probably swapped in these documents: check who coded them.",
            )


def _leads(first: Int64Array, second: Int64Array) -> tuple[Floats, Floats]:
    """How many more boundaries the first coder has: in standard deviations, and as the logarithm of
    a ratio."""
    total = np.maximum(1, first + second)
    return (first - second) / np.sqrt(total), np.log((first + 0.5) / (second + 0.5))
