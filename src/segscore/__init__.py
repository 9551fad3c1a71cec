"""segscore measures how well a text (or a stream of anything) was cut into segments.

>>> import segscore as ss
>>> ref = ss.Segmentation.from_masses([2, 3, 6])
>>> hyp = ss.Segmentation.from_masses([5, 6])
>>> round(ss.WindowDiff()(ref, hyp), 4)
0.2222
"""

# Rooms that are used by name: ss.baselines.none(…), ss.ranked.from_nested_masses(…).
from segscore import baselines as baselines
from segscore import ranked as ranked
from segscore import segmenters as segmenters  # ss.segmenters.C99(…), the same
from segscore._version import __version__
from segscore.comparison import Comparison, compare
from segscore.corpus import Corpus, Document
from segscore.display import outline, rank_bars
from segscore.edit_distance import BoundaryEdits, boundary_edits
from segscore.errors import SegmentationError
from segscore.io import read, write
from segscore.metrics import (
    BoundaryMatch,
    BoundarySimilarity,
    Hierarchical,
    Metric,
    Pk,
    SegmentationSimilarity,
    WindowDiff,
    WinPR,
    metric,
)
from segscore.metrics.confusion import ConfusionMatrix
from segscore.pairs import Pairs
from segscore.scores import Result, Score, Scores, Statistics
from segscore.scoring import score
from segscore.segmentation import Segmentation

__all__ = [
    "BoundaryEdits",
    "BoundaryMatch",
    "BoundarySimilarity",
    "Comparison",
    "ConfusionMatrix",
    "Corpus",
    "Document",
    "Hierarchical",
    "Metric",
    "Pairs",
    "Pk",
    "Result",
    "Score",
    "Scores",
    "Segmentation",
    "SegmentationError",
    "SegmentationSimilarity",
    "Statistics",
    "WinPR",
    "WindowDiff",
    "__version__",
    "boundary_edits",
    "compare",
    "metric",
    "outline",
    "rank_bars",
    "read",
    "score",
    "write",
]
