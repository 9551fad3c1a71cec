"""segscore measures how well a text (or a stream of anything) was cut into segments.

>>> import segscore as ss
>>> ref = ss.Segmentation.from_masses([2, 3, 6])
>>> hyp = ss.Segmentation.from_masses([5, 6])
>>> round(ss.WindowDiff()(ref, hyp), 4)
0.2222

Segmentations and `score` come with the import; each metric and all else is imported on first use.
Each name is listed once below, with its module; type checkers see the names in `__init__.pyi`.
"""

from segscore._version import __version__
from segscore.basics.on_demand import names_on_demand

_NAMES = {  # module: the public names that it defines
    "checking": ("Finding", "check"),
    "coders.clusters": ("coder_clusters",),
    "coders.coefficients": ("Agreement", "agreement"),
    "coders.competitiveness": ("human_competitiveness", "who_deviates"),
    "coders.decisions": ("fleiss_kappa", "krippendorff_alpha", "percentage_agreement"),
    "coders.differences": ("edit_totals", "label_similarity", "side_by_side"),
    "coders.feedback": ("Feedback", "feedback"),
    "coders.granularity": ("Granularity", "granularity"),
    "coders.habits": ("boundaries_per_coder", "segment_counts"),
    "coders.label_reliability": ("LabelReliability", "label_reliability"),
    "coders.pairwise": ("pairwise",),
    "coders.rounds": ("compare_rounds",),
    "coders.places": ("contested",),
    "coders.support": ("consensus", "support"),
    "coding.chunks_on_units": ("Placement", "place_chunks"),
    "coding.levels": ("Levels",),
    "coding.outline": ("outline", "rank_bars"),
    "coding.scored": ("ScoredBoundaries",),
    "coding.segmentation": ("Segmentation",),
    "coding.word_alignment": ("Alignment", "align"),
    "comparison": ("Comparison", "compare"),
    "conventions": ("audit",),
    "corpus.corpus": ("Corpus", "Document"),
    "corpus.provenance": ("Provenance",),
    "curves": ("Curve", "ParameterSweep", "curve", "sweep"),
    "engines.score_frame": ("score_frame",),
    "errors": ("SegmentationError",),
    "io": ("read", "write"),
    "io.answers.model_outputs": ("ModelOutputs", "read_outputs"),
    "io.document_lists": ("read_scores",),
    "io.people_sheets": ("write_sheet",),
    "metrics": (
        "GHD",
        "PD",
        "BoundaryDeviation",
        "BoundaryMatch",
        "BoundarySimilarity",
        "CountMAE",
        "Covering",
        "CSeg",
        "Hausdorff",
        "Hierarchical",
        "LabelAgreement",
        "LabelEdit",
        "LMeasure",
        "Metric",
        "MisplacedUnits",
        "MultiBoundaryMatch",
        "MultiWindowDiff",
        "Pk",
        "PurityCoverage",
        "RandIndex",
        "SegmentationSimilarity",
        "SegmentMatch",
        "TitleMatch",
        "TMeasure",
        "WindowDiff",
        "WinPR",
        "metric",
    ),
    "metrics.edit_distance": ("BoundaryEdits", "ConfusionMatrix", "boundary_edits"),
    "metrics.statistics": ("Score", "Statistics"),
    "metrics.window_runs": ("windows",),
    "pages": ("adjudication_page", "annotation_page", "report"),
    "pairing.masks": ("cut_out",),
    "pairing.pairs": ("Pairs",),
    "chunks.chunk_description": ("ChunkDescription",),
    "chunks.describing": ("describe_chunks",),
    "chunks.evaluating": ("compare_evidence", "evidence"),
    "chunks.evidence_comparison": ("EvidenceComparison",),
    "chunks.evidence_scores": ("EvidenceScores",),
    "scoring.accumulator": ("Accumulator",),
    "scoring.results": ("Result", "Scores"),
    "scoring.scoring": ("score",),
}
_AT_ONCE = (  # what nearly everybody uses; the other modules are loaded when they are needed
    "coding.levels",
    "coding.segmentation",
    "corpus.provenance",
    "errors",
    "metrics.statistics",
    "pairing.pairs",
    "scoring.results",
    "scoring.scoring",
)
_HOME = {name: module for module, names in _NAMES.items() for name in names}
_ROOMS = ("baselines", "datasets", "plot", "ranked", "segmenters", "simulate")
# used by name: ss.baselines.none(…)
__all__ = ["__version__"]
__all__ += list(_HOME)


_look_up = names_on_demand("segscore", _HOME, _ROOMS)


def __getattr__(name: str) -> object:
    try:
        return _look_up(name)
    except AttributeError:
        if name.startswith("_") or name in _HOME or name in _ROOMS:
            raise
    from segscore.metrics.makers import how_to_call

    raise AttributeError(f"module 'segscore' has no attribute {name!r}{how_to_call(name, _HOME)}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})


for _name in [name for module in _AT_ONCE for name in _NAMES[module]]:
    __getattr__(_name)
