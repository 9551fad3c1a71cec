"""Baselines, and people, as segmenters: what other segmenters are compared with.

They ignore the text and use only the number of units. `segscore.simulate.baselines` defines them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore.basics.arguments import whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.contract import Segmenter, needed_segments
from segscore.simulate import baselines


@dataclass(frozen=True)
class Nothing(Segmenter):
    """No boundary at all (Choi's Bn); any number of segments other than 1 is an error."""

    name: ClassVar[str] = "none"
    takes_n_segments: ClassVar[bool] = False

    def _always(self, _n_units: int) -> int:
        return 1

    def _segment(self, units: list[str], _n_segments: int | None) -> Segmentation:
        return baselines.none(len(units))


@dataclass(frozen=True)
class Everything(Segmenter):
    """A boundary between any two units (Choi's Ba); any other number of segments is an error."""

    name: ClassVar[str] = "all"
    takes_n_segments: ClassVar[bool] = False

    def _always(self, n_units: int) -> int:
        return n_units

    def _segment(self, units: list[str], _n_segments: int | None) -> Segmentation:
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
    """Boundaries at random positions: as many as the number of segments needs, or by probability.

    The same document always has the same result.

    Parameters
    ----------
    probability: the probability of a boundary at each position, used if no number of segments is
        given.
    seed: random seed; the result also depends on the lengths of the units.
    """

    name: ClassVar[str] = "random"
    needs_n_segments: ClassVar[bool] = True

    probability: float | None = None
    seed: int = 0

    def needs_number(self) -> bool:
        """Whether the number of segments must be given."""
        return self.probability is None

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        seed = np.random.default_rng(
            [whole_number(self.seed, "seed", 0), len(units), *map(len, units)]
        )
        if n_segments is None and self.probability is not None:
            return baselines.random(len(units), probability=self.probability, rng=seed)
        return baselines.random(
            len(units), n_segments=needed_segments(n_segments, self.name), rng=seed
        )


@dataclass(frozen=True)
class Bisect(Segmenter):
    """Cut into halves, and these into halves, and so on; ranked by depth (Carroll's BIN).

    If a number of segments is given, boundaries of equal depth are taken from left to right.

    Parameters
    ----------
    depth: the number of cuts, if no number of segments is given. None: until nothing can be cut.
    """

    name: ClassVar[str] = "bisect"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (1, 2, 3, 4)}

    depth: int | None = None

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        halves = baselines.bisect(len(units), None if n_segments else self.depth)
        if n_segments is None or halves.ranks is None:
            return halves
        first = np.argsort(halves.ranks, kind="stable")[: n_segments - 1]
        return Segmentation.from_boundaries(
            halves.boundaries[first], len(units), ranks=halves.ranks[first]
        )


@dataclass(frozen=True)
class Human(Segmenter):
    """The segmentation of another coder of the same document, chosen at random.

    Parameters
    ----------
    codings: the segmentation of each coder, by name.
    reference: the coder who is the reference and is not chosen.
    seed: random seed.

    >>> cut = Segmentation.from_masses
    >>> Human({"ann": cut([2, 1]), "bob": cut([1, 2])}, reference="ann")(["a", "b", "c"])
    Segmentation(masses=[1, 2])
    """

    name: ClassVar[str] = "human"
    takes_n_segments: ClassVar[bool] = False

    codings: Mapping[str, Segmentation]
    reference: str
    seed: int = 0

    def _segment(self, units: list[str], _n_segments: int | None) -> Segmentation:
        others = [name for name in self.codings if name != self.reference]
        if not others:
            raise SegmentationError(
                f"{self.reference!r} is the only coder: expected another coder beside the reference"
            )
        chosen = np.random.default_rng(whole_number(self.seed, "seed", 0)).integers(len(others))
        coding = self.codings[others[int(chosen)]]
        if coding.n_units != len(units):
            raise SegmentationError(
                f"coder {others[int(chosen)]!r} has {coding.n_units} units: expected {len(units)}"
            )
        return coding
