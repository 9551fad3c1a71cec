"""segscore measures how well a text (or a stream of anything) was cut into segments.

>>> import segscore as ss
>>> ref = ss.Segmentation.from_masses([2, 3, 6])
>>> hyp = ss.Segmentation.from_masses([5, 6])
>>> round(ss.WindowDiff()(ref, hyp), 4)
0.2222

Segmentations, metrics and `score` come with the import; everything else is imported on first use.
Type checkers see all names in `__init__.pyi`.
"""

from importlib import import_module
from typing import Any

from segscore._version import __version__
from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
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
from segscore.metrics.statistics import Score, Statistics
from segscore.pairing.pairs import Pairs
from segscore.scoring.results import Result, Scores
from segscore.scoring.scoring import score

_LATER = {  # module: the names that are fetched from it when they are first asked for
    "scoring.accumulator": ("Accumulator",),
    "coding.word_alignment": ("Alignment", "align"),
    "checking": ("Finding", "check"),
    "coders.clusters": ("coder_clusters",),
    "coders.coefficients": ("Agreement", "agreement"),
    "coders.competitiveness": ("human_competitiveness", "who_deviates"),
    "coders.decisions": ("fleiss_kappa", "krippendorff_alpha", "percentage_agreement"),
    "coders.differences": ("contested", "edit_totals", "label_similarity", "side_by_side"),
    "coders.habits": ("boundaries_per_coder", "segment_counts"),
    "coders.pairwise": ("pairwise",),
    "coders.support": ("consensus", "support"),
    "comparison": ("Comparison", "compare"),
    "conventions": ("audit",),
    "corpus.corpus": ("Corpus", "Document"),
    "curves": ("Curve", "curve"),
    "engines.score_frame": ("score_frame",),
    "io": ("read", "write"),
    "io.document_lists": ("read_scores",),
    "pairing.masks": ("cut_out",),
    "metrics.confusion": ("ConfusionMatrix",),
    "metrics.edit_distance": ("BoundaryEdits", "boundary_edits"),
    "metrics.window_runs": ("windows",),
    "coding.chunks_on_units": ("Placement", "place_chunks"),
    "coding.outline": ("outline", "rank_bars"),
    "pages": ("report",),
    "coding.scored": ("ScoredBoundaries",),
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
    "BoundaryDeviation",
    "BoundaryMatch",
    "BoundarySimilarity",
    "CSeg",
    "Covering",
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
    "Provenance",
    "PurityCoverage",
    "RandIndex",
    "Result",
    "Score",
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
    "metric",
    "score",
]
__all__ += list(_HOME)
