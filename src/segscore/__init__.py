"""segscore measures how well a text (or a stream of anything) was cut into segments.

>>> import segscore as ss
>>> ref = ss.Segmentation.from_masses([2, 3, 6])
>>> hyp = ss.Segmentation.from_masses([5, 6])
>>> round(ss.WindowDiff()(ref, hyp), 4)
0.2222

Segmentations, metrics and `score` come with the import; everything else is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from segscore._version import __version__
from segscore.errors import SegmentationError
from segscore.levels import Levels
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
    LabelAgreement,
    LabelEdit,
    LMeasure,
    Metric,
    MisplacedUnits,
    MultiBoundaryMatch,
    MultiWindowDiff,
    Pk,
    PurityCoverage,
    RandIndex,
    SegmentationSimilarity,
    SegmentMatch,
    TMeasure,
    WindowDiff,
    WinPR,
    metric,
)
from segscore.pairs import Pairs
from segscore.provenance import Provenance
from segscore.scores import Result, Score, Scores, Statistics
from segscore.scoring import score
from segscore.segmentation import Segmentation

if TYPE_CHECKING:
    from segscore import baselines as baselines
    from segscore import datasets as datasets
    from segscore import plot as plot
    from segscore import ranked as ranked
    from segscore import segmenters as segmenters
    from segscore import simulate as simulate
    from segscore.accumulator import Accumulator
    from segscore.alignment import Alignment, align
    from segscore.checking import Finding, check
    from segscore.coders.clusters import coder_clusters
    from segscore.coders.coefficients import Agreement, agreement
    from segscore.coders.competitiveness import human_competitiveness, who_deviates
    from segscore.coders.consensus import consensus
    from segscore.coders.contested import contested, side_by_side
    from segscore.coders.decisions import fleiss_kappa, krippendorff_alpha, percentage_agreement
    from segscore.coders.edit_totals import edit_totals
    from segscore.coders.habits import boundaries_per_coder, segment_counts
    from segscore.coders.labels import label_similarity
    from segscore.coders.pairwise import pairwise
    from segscore.coders.support import support
    from segscore.comparison import Comparison, compare
    from segscore.conventions import audit
    from segscore.corpus import Corpus, Document
    from segscore.curves import Curve, curve
    from segscore.engines.frames import score_frame
    from segscore.io import read, write
    from segscore.io.scores import read_scores
    from segscore.masks import cut_out
    from segscore.metrics.confusion import ConfusionMatrix
    from segscore.metrics.edit_distance import BoundaryEdits, boundary_edits
    from segscore.metrics.window_runs import windows
    from segscore.placement import Placement, place_chunks
    from segscore.ranked_text import outline, rank_bars
    from segscore.reports import report
    from segscore.scored import ScoredBoundaries

_LATER = {  # module: the names that are fetched from it when they are first asked for
    "accumulator": ("Accumulator",),
    "alignment": ("Alignment", "align"),
    "checking": ("Finding", "check"),
    "coders.clusters": ("coder_clusters",),
    "coders.coefficients": ("Agreement", "agreement"),
    "coders.competitiveness": ("human_competitiveness", "who_deviates"),
    "coders.consensus": ("consensus",),
    "coders.contested": ("contested", "side_by_side"),
    "coders.edit_totals": ("edit_totals",),
    "coders.decisions": ("fleiss_kappa", "krippendorff_alpha", "percentage_agreement"),
    "coders.habits": ("boundaries_per_coder", "segment_counts"),
    "coders.labels": ("label_similarity",),
    "coders.pairwise": ("pairwise",),
    "coders.support": ("support",),
    "comparison": ("Comparison", "compare"),
    "conventions": ("audit",),
    "corpus": ("Corpus", "Document"),
    "curves": ("Curve", "curve"),
    "engines.frames": ("score_frame",),
    "io": ("read", "write"),
    "io.scores": ("read_scores",),
    "masks": ("cut_out",),
    "metrics.confusion": ("ConfusionMatrix",),
    "metrics.edit_distance": ("BoundaryEdits", "boundary_edits"),
    "metrics.window_runs": ("windows",),
    "placement": ("Placement", "place_chunks"),
    "ranked_text": ("outline", "rank_bars"),
    "reports": ("report",),
    "scored": ("ScoredBoundaries",),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}
_ROOMS = (
    "baselines",
    "datasets",
    "plot",
    "ranked",
    "segmenters",
    "simulate",
)  # used by name: ss.baselines.none(…)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"segscore.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'segscore' has no attribute {name!r}")
    value = getattr(import_module(f"segscore.{_HOME[name]}"), name)
    globals()[name] = value  # the next look-up finds it at once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_ROOMS})


__all__ = [
    "GHD",
    "PD",
    "Accumulator",
    "Agreement",
    "Alignment",
    "BoundaryDeviation",
    "BoundaryEdits",
    "BoundaryMatch",
    "BoundarySimilarity",
    "CSeg",
    "Comparison",
    "ConfusionMatrix",
    "Corpus",
    "Covering",
    "Curve",
    "Document",
    "Finding",
    "Hausdorff",
    "Hierarchical",
    "LMeasure",
    "LabelAgreement",
    "LabelEdit",
    "Levels",
    "Metric",
    "MisplacedUnits",
    "MultiBoundaryMatch",
    "MultiWindowDiff",
    "Pairs",
    "Pk",
    "Placement",
    "Provenance",
    "PurityCoverage",
    "RandIndex",
    "Result",
    "Score",
    "ScoredBoundaries",
    "Scores",
    "SegmentMatch",
    "Segmentation",
    "SegmentationError",
    "SegmentationSimilarity",
    "Statistics",
    "TMeasure",
    "WinPR",
    "WindowDiff",
    "__version__",
    "agreement",
    "align",
    "audit",
    "boundaries_per_coder",
    "boundary_edits",
    "check",
    "coder_clusters",
    "compare",
    "consensus",
    "contested",
    "curve",
    "cut_out",
    "edit_totals",
    "fleiss_kappa",
    "human_competitiveness",
    "krippendorff_alpha",
    "label_similarity",
    "metric",
    "outline",
    "pairwise",
    "percentage_agreement",
    "place_chunks",
    "rank_bars",
    "read",
    "read_scores",
    "report",
    "score",
    "score_frame",
    "segment_counts",
    "side_by_side",
    "support",
    "who_deviates",
    "windows",
    "write",
]
