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
from segscore._version import __version__
from segscore.comparison import Comparison, compare
from segscore.conventions import audit
from segscore.corpus import Corpus, Document
from segscore.display import outline, rank_bars
from segscore.edit_distance import BoundaryEdits, boundary_edits
from segscore.errors import SegmentationError
from segscore.io import read, write
from segscore.metrics import (
    GHD,
    PD,
    BoundaryDeviation,
    BoundaryMatch,
    BoundarySimilarity,
    Covering,
    CSeg,
    Hausdorff,
    Hierarchical,
    Metric,
    MisplacedUnits,
    MultiWindowDiff,
    Pk,
    PurityCoverage,
    RandIndex,
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
    "GHD",
    "PD",
    "BoundaryDeviation",
    "BoundaryEdits",
    "BoundaryMatch",
    "BoundarySimilarity",
    "CSeg",
    "Comparison",
    "ConfusionMatrix",
    "Corpus",
    "Covering",
    "Document",
    "Hausdorff",
    "Hierarchical",
    "Metric",
    "MisplacedUnits",
    "MultiWindowDiff",
    "Pairs",
    "Pk",
    "PurityCoverage",
    "RandIndex",
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
    "audit",
    "boundary_edits",
    "compare",
    "metric",
    "outline",
    "rank_bars",
    "read",
    "score",
    "write",
]
