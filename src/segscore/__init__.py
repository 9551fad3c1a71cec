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
from segscore.annotators import (
    boundaries_per_coder,
    consensus,
    label_similarity,
    segment_counts,
    support,
)
from segscore.boundary_decisions import fleiss_kappa, krippendorff_alpha, percentage_agreement
from segscore.clustering import coder_clusters
from segscore.coder_pairs import pairwise
from segscore.coefficients import Agreement, agreement
from segscore.comparison import Comparison, compare
from segscore.competitors import human_competitiveness
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
    "Agreement",
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
    "agreement",
    "audit",
    "boundaries_per_coder",
    "boundary_edits",
    "coder_clusters",
    "compare",
    "consensus",
    "fleiss_kappa",
    "human_competitiveness",
    "krippendorff_alpha",
    "label_similarity",
    "metric",
    "outline",
    "pairwise",
    "percentage_agreement",
    "rank_bars",
    "read",
    "score",
    "segment_counts",
    "support",
    "write",
]
