"""Find a coder who equals the majority of the others in every document: gold under a person's
name."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding
from segscore.corpus.codings import Codings

_FEWEST = 3  # others in a document: two are no majority
_SURE = 4  # -log10 of the chance that a person sides with the majority at each divided place
_LEAST_USUAL = 0.7  # how often a person sides with it at least, whatever few places show
_MOST_CODERS = 30  # that are looked at


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
        there = self.coded[:, coder] & (n >= _FEWEST)
        own = self.marked[there, coder]
        return own, self.marked[there].sum(axis=1) - own, n[there]


def made_from_others(codings: Codings) -> Iterator[Finding]:
    """A coder who equals the majority of the others, or what at least half of them mark, in all
    documents, although the others are divided so often that no person would always side with
    most."""
    if codings.scope != "global" or not _FEWEST < len(codings.coders) <= _MOST_CODERS:
        return
    marks = _Marks.of(codings)
    seen = [marks.others(coder) for coder in range(len(codings.coders))]
    for coder, (own, votes, n) in enumerate(seen):
        divided = int(((votes > 0) & (votes < n)).sum())
        if not (np.array_equal(own, 2 * votes > n) or np.array_equal(own, 2 * votes >= n)):
            continue
        usual = max(_LEAST_USUAL, _siding(seen[:coder] + seen[coder + 1 :]))
        if -divided * np.log10(usual) >= _SURE:
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
