"""BayesSeg (Eisenstein & Barzilay 2008, "Bayesian unsupervised topic segmentation").

A segment is likely if it repeats its words: each segment is a draw from its own word distribution
(`bayes_model.py`). The most likely segmentation is found exactly, by dynamic programming. Without
an assumption about lengths, more segments are always more likely; so if their number is not given,
their lengths follow a negative binomial or geometric distribution.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from segscore.basics.arguments import shown, truth
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.bayes_model import Duration, Text, WordCounts, learn
from segscore.segmenters.contract import (
    Segmenter,
    checked_segments,
    checked_units,
    finite_number,
)
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

DurationName = Literal["negative-binomial", "geometric"]


MOST = 1e9  # of parameters; above it, and below 1 / MOST, log-gammas would lose all their digits


def positive(value: Any, name: str, least: float = 1 / MOST) -> float:
    """The parameter, if it is a number above 0 within the range of floats, and at least `least`."""
    return finite_number(value, name, least, MOST)


@dataclass(frozen=True)
class BayesSeg(Segmenter):
    """Segments that repeat their words.

    If no unit has a word that counts and the number of segments is not given, there is no boundary.
    Time grows with the square of the number of units, memory with units × segments (20 bytes each,
    2 GB at most).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    prior: the prior of each word in each segment; small values expect few different words in a
        segment.
    duration: distribution of segment lengths, "negative-binomial" or "geometric". None: lengths do
        not count if the number of segments is given; else negative binomial.
    expected_length: mean number of units in a segment, m. None: N / n_segments, or √N if the number
        is not given (a rule of thumb: as many units in a segment as there are segments).
    dispersion: the dispersion of the negative binomial; lengths have the variance
        m · (1 + 1/dispersion).
    learn: True fits prior and dispersion to each document before it is segmented; `fit` does so for
        many documents together.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> BayesSeg()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5])
    >>> BayesSeg(expected_length=4)([cats] * 4 + [stars] * 5)
    Segmentation(masses=[4, 5])
    """

    name: ClassVar[str] = "bayesseg"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "prior": (0.01, 0.05, 0.1, 0.2, 0.5, 1.0),
        "expected_length": (None, 3.0, 5.0, 10.0, 20.0, 40.0),
        "dispersion": (0.1, 1.0, 10.0),
    }

    preprocessing: Preprocessing = CLASSIC
    prior: float = 0.2
    duration: DurationName | None = None
    expected_length: float | None = None
    dispersion: float = 1.0
    learn: bool = False

    def __post_init__(self) -> None:
        positive(self.prior, "prior")
        positive(self.dispersion, "dispersion")
        if self.expected_length is not None:
            positive(self.expected_length, "expected_length", 1)
        if self.duration not in (None, "negative-binomial", "geometric"):
            raise SegmentationError(
                f"duration is {shown(self.duration)}: expected 'negative-binomial', 'geometric' or "
                "None"
            )
        truth(self.learn, "learn")

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        counts = WordCounts.of(units, self.preprocessing)
        text = Text(counts, n_segments, self._duration(len(units), n_segments))
        if n_segments is None and not len(counts.counts):
            boundaries: list[int] = []
        elif self.learn:
            boundaries = learn([text], self.prior).boundaries[0]
        else:
            boundaries = text.boundaries(self.prior)
        return Segmentation.from_boundaries(boundaries, len(units))

    def _duration(self, n_units: float, n_segments: float | None) -> Duration | None:
        if n_segments is not None and self.duration is None:
            return None
        mean = self.expected_length or n_units / (n_segments or np.sqrt(n_units))
        return Duration(mean, None if self.duration == "geometric" else self.dispersion)

    def fit(
        self,
        documents: Iterable[Sequence[str]],
        n_segments: Iterable[int] | int | None = None,
    ) -> "BayesSeg":
        """A segmenter like this one, with the prior and dispersion that fit these documents best.

        documents: the units of each document; no reference is needed.
        n_segments: the number of segments of each document, a number for all, or None. If None,
            documents share an expected length: units over expected segments, both of all documents
            together.

        >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
        >>> learned = BayesSeg().fit([[cats] * 4 + [stars] * 5, [stars] * 3 + [cats] * 3], 2)
        >>> learned.prior < 0.2
        True
        """
        if isinstance(documents, Mapping):  # its keys would be names
            raise SegmentationError(
                f"documents is a {type(documents).__name__}: expected the units of each document; "
                "for a corpus, [document.units for document in corpus.values()]"
            )
        units = [checked_units(document) for document in documents]
        if not units:
            raise SegmentationError("documents is empty: expected at least one")
        wanted = _numbers(n_segments, units)
        start = self
        if n_segments is None and self.expected_length is None:
            lengths = np.array([len(unit) for unit in units])
            start = replace(self, expected_length=float(lengths.sum() / np.sqrt(lengths).sum()))
        texts = [
            Text(
                WordCounts.of(unit, self.preprocessing), number, start._duration(len(unit), number)
            )
            for unit, number in zip(units, wanted, strict=True)
        ]
        found = learn(texts, self.prior)
        learned = (text.dispersion for text in found.texts)
        dispersion = next((k for k in learned if k is not None), self.dispersion)
        return replace(start, prior=found.prior, dispersion=dispersion)


def _numbers(n_segments: Any, documents: list[list[str]]) -> list[int | None]:
    """The number of segments of each document, if there is one for each."""
    listed = list(n_segments) if isinstance(n_segments, Iterable) else [n_segments] * len(documents)
    if len(listed) != len(documents):
        raise SegmentationError(
            f"n_segments has {len(listed)} numbers: expected {len(documents)}, one per document"
        )
    checked: list[int | None] = []
    for index, (number, units) in enumerate(zip(listed, documents, strict=True)):
        try:
            checked.append(checked_segments(number, len(units)))
        except SegmentationError as error:
            raise SegmentationError(f"documents[{index}]: {error}") from None
    return checked
