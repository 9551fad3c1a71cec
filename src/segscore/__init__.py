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
    "coders.coefficients": ("Agreement", "agreement"),
    "coders.gold": ("consensus",),
    "coding.levels": ("Levels",),
    "coding.scored": ("ScoredBoundaries",),
    "coding.segmentation": ("Segmentation",),
    "comparison": ("Comparison", "compare"),
    "conventions": ("audit",),
    "corpus.corpus": ("Corpus", "Document"),
    "curves": ("Curve", "curve"),
    "engines.score_frame": ("score_frame",),
    "errors": ("SegmentationError",),
    "io": ("read", "write"),
    "metrics": (
        "GHD",
        "PD",
        "BoundaryMatch",
        "BoundarySimilarity",
        "Covering",
        "CSeg",
        "Hausdorff",
        "Hierarchical",
        "LabelAgreement",
        "LMeasure",
        "Metric",
        "MultiBoundaryMatch",
        "MultiWindowDiff",
        "Pk",
        "PurityCoverage",
        "RandIndex",
        "SegmentationSimilarity",
        "SegmentMatch",
        "WindowDiff",
        "WinPR",
        "metric",
    ),
    "metrics.edit_distance": ("boundary_edits",),
    "metrics.statistics": ("Score",),
    "pages": ("report",),
    "pairing.pairs": ("Pairs",),
    "scoring.accumulator": ("Accumulator",),
    "scoring.scoring": ("Result", "score"),
}
_AT_ONCE = (  # what nearly everybody uses; the other modules are loaded when they are needed
    "coding.levels",
    "coding.segmentation",
    "errors",
    "metrics.statistics",
    "pairing.pairs",
    "scoring.scoring",
)
_HOME = {name: module for module, names in _NAMES.items() for name in names}
_ROOMS = (  # modules by task, used by name: ss.coders.fleiss_kappa(…)
    "answers", "baselines", "chunks", "coders", "corpus", "curves", "datasets", "io", "metrics",
    "pages", "plot", "ranked", "segmenters", "simulate",
)  # fmt: skip
__all__ = ["__version__"]
__all__ += list(_HOME)


_look_up = names_on_demand("segscore", _HOME, _ROOMS)


def __getattr__(name: str) -> object:
    try:
        return _look_up(name)
    except AttributeError:
        if name.startswith("_") or name in _HOME or name in _ROOMS:
            raise
    from segscore.basics.on_demand import other_name
    from segscore.metrics.names import how_to_call

    constructors = vars(_look_up("Segmentation"))
    meant = how_to_call(name, _HOME) or other_name(name, _HOME, _ROOMS, constructors)
    raise AttributeError(f"module 'segscore' has no attribute {name!r}{meant}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})


for _name in [name for module in _AT_ONCE for name in _NAMES[module]]:
    __getattr__(_name)
