"""CWM (Choi, Wiemer-Hastings & Moore 2001, "Latent semantic analysis for text segmentation").

C99 with the cosines of sums of LSA word vectors instead of word counts. With such vectors density
rises most after the first few splits, so that the steep rises at the start, which C99 counts, are
often none: so the default is another rule (`stop`). HCWM uses the order of the splits as ranks,
like HC99. Bestgen (2006) shows that the gain is smaller if the texts to segment
were not in the training corpus.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.segmenters.c99 import RankedSplits
from segscore.segmenters.lsa import LSASpace
from segscore.segmenters.similarity import Stop
from segscore.segmenters.vectors import checked_vectors


@dataclass(frozen=True)
class CWM(RankedSplits):
    """C99 in a space of word vectors by latent semantic analysis (LSA).

    Parameters
    ----------
    space: an `LSASpace`, the file of one, a pair (vocabulary, matrix), or a function from texts to
        vectors.
    radius: of the square around each cell in which similarities are ranked; 5 means 11 × 11 cells.
    c: where to stop, if no number of segments is given: the higher, the fewer segments.
    stop: the rule for it: "excess" stops where density, less a price for each boundary, is
        highest; "start" counts steep rises of density from the start, as C99 does it.
    hierarchical: if no number of segments is given, split until each unit is a segment, so that
        each boundary has a rank.
    max_units: documents with more units are an error, because memory grows with their square.

    >>> texts = ["cats and dogs", "dogs chase cats", "stars and planets", "planets circle stars"]
    >>> CWM(LSASpace.train(texts, dimensions=2))(
    ...     ["a cat", "some dogs", "the cats", "planets", "stars"], n_segments=2
    ... )
    Segmentation(masses=[3, 2], ranks=[1])
    """

    name: ClassVar[str] = "cwm"

    space: LSASpace | str | Path | tuple[Any, Any] | Callable[[list[str]], Any]
    c: float = field(default=1.3, kw_only=True)
    stop: Stop = field(default="excess", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.space, tuple) and len(self.space) == 2:
            object.__setattr__(self, "space", LSASpace(*self.space))
        elif isinstance(self.space, str | Path):
            object.__setattr__(self, "space", LSASpace.load(self.space))
        elif not (isinstance(self.space, LSASpace) or callable(self.space)):
            raise SegmentationError(
                f"space is {shown(self.space)}: expected an LSASpace, the file of one, a pair "
                "(vocabulary, matrix), or a function from texts to vectors"
            )

    def _vectors(self, units: list[str]) -> Any:
        encode: Any = self.space.encode if isinstance(self.space, LSASpace) else self.space
        return checked_vectors(encode(units), len(units))
