"""The baselines, and people, as segmenters: what every other segmenter is compared with.

They look at no text, only at the number of units. See `segscore.baselines` for their definitions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore import baselines
from segscore.arguments import whole_number
from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Segmenter, needed_segments


@dataclass(frozen=True)
class Nothing(Segmenter):
    """No boundary at all (Choi's Bn), whatever number of segments is asked for."""

    name: ClassVar[str] = "none"

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        del n_segments
        return baselines.none(len(units))


@dataclass(frozen=True)
class Everything(Segmenter):
    """A boundary between any two units (Choi's Ba), whatever number is asked for."""

    name: ClassVar[str] = "all"

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        del n_segments
        return baselines.all(len(units))


@dataclass(frozen=True)
class Uniform(Segmenter):
    """Segments of equal size; their number must be given (Choi's Be).

    >>> Uniform()(["one", "two", "three", "four"], n_segments=2)
    Segmentation(masses=[2, 2])
    """

    name: ClassVar[str] = "uniform"
    needs_n_segments: ClassVar[bool] = True

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return baselines.uniform(len(units), needed_segments(n_segments, self.name))


@dataclass(frozen=True)
class Random(Segmenter):
    """As many segments as asked for, anywhere; or a boundary anywhere with a `probability`.

    Chance depends on `seed` and the lengths of the units: the same document, the same result.
    """

    name: ClassVar[str] = "random"
    needs_n_segments: ClassVar[bool] = True

    probability: float | None = None
    seed: int = 0

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        seed = np.random.default_rng(
            [whole_number(self.seed, "seed", 0), len(units), *map(len, units)]
        )
        if n_segments is None and self.probability is not None:
            return baselines.random(len(units), probability=self.probability, seed=seed)
        return baselines.random(
            len(units), n_segments=needed_segments(n_segments, self.name), seed=seed
        )


@dataclass(frozen=True)
class Bisect(Segmenter):
    """Recursive bisection, ranked by depth (Carroll's BIN); of equal depth the leftmost first."""

    name: ClassVar[str] = "bisect"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (1, 2, 3, 4)}

    depth: int | None = None

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        made = baselines.bisect(len(units), None if n_segments else self.depth)
        if n_segments is None or made.ranks is None:
            return made
        first = np.argsort(made.ranks, kind="stable")[: n_segments - 1]
        return Segmentation.from_boundaries(
            made.boundaries[first], len(units), ranks=made.ranks[first]
        )


@dataclass(frozen=True)
class Human(Segmenter):
    """Another person who coded the same document: one of its coders but the reference, by chance.

    >>> cut = Segmentation.from_masses
    >>> Human({"ann": cut([2, 1]), "bob": cut([1, 2])}, reference="ann")(["a", "b", "c"])
    Segmentation(masses=[1, 2])
    """

    name: ClassVar[str] = "human"

    codings: Mapping[str, Segmentation]
    reference: str
    seed: int = 0

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        del n_segments
        others = [name for name in self.codings if name != self.reference]
        if not others:
            raise SegmentationError(
                f"there is no coder but {self.reference!r}: expected another one to stand for human"
            )
        chosen = np.random.default_rng(whole_number(self.seed, "seed", 0)).integers(len(others))
        coding = self.codings[others[int(chosen)]]
        if coding.n_units != len(units):
            raise SegmentationError(
                f"coder {others[int(chosen)]!r} has {coding.n_units} units: expected {len(units)}"
            )
        return coding
