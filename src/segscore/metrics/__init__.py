"""All metrics, and the names by which the command line and `ss.metric` know them."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.plugins import load_plugins
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, read_metric
from segscore.metrics.counts import CountMAE
from segscore.metrics.distance import GHD, BoundaryDeviation, Hausdorff
from segscore.metrics.edits import BoundarySimilarity, SegmentationSimilarity
from segscore.metrics.hierarchy import Hierarchical, hierarchical_names
from segscore.metrics.label_agreement import KIND_NAMES, LabelAgreement, LabelEdit
from segscore.metrics.level_measures import LMeasure, TMeasure
from segscore.metrics.many_references import MultiBoundaryMatch, MultiWindowDiff
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.overlap import Covering, MisplacedUnits, PurityCoverage, RandIndex
from segscore.metrics.parts import ScorePart, split_part
from segscore.metrics.probability import PD, CSeg
from segscore.metrics.segment_matching import SegmentMatch
from segscore.metrics.titles import TitleMatch
from segscore.metrics.window import Pk, WindowDiff, WinPR

DEFAULT_METRICS = ("pk", "windowdiff", "b")
METRICS: dict[str, Callable[..., Metric]] = {
    "pk": Pk,
    "pk-prime": partial(Pk, fp_weight=2),
    "windowdiff": WindowDiff,
    "wd": WindowDiff,
    "winpr": WinPR,
    "f1": BoundaryMatch,
    "s": SegmentationSimilarity,
    "b": BoundarySimilarity,
    "multwindowdiff": MultiWindowDiff,
    "multf1": MultiBoundaryMatch,
    "cseg": CSeg,
    "pd": PD,
    "ghd": GHD,
    "misplaced-units": MisplacedUnits,
    "r-fn": MisplacedUnits,
    "r-fp": partial(MisplacedUnits, side="fp"),
    "purity-coverage": PurityCoverage,
    "covering": Covering,
    "rand": RandIndex,
    "ari": partial(RandIndex, adjusted=True),
    "deviation": BoundaryDeviation,
    "hausdorff": Hausdorff,
}
METRICS |= hierarchical_names(METRICS.values())
METRICS |= {  # of labelled segments, which have no hierarchical form: levels have other segments
    "l-measure": LMeasure,
    "t-measure": TMeasure,
    "segment-f1": SegmentMatch,
    **{  # of temporal action segmentation
        f"f1@{percent}": partial(SegmentMatch, iou=percent / 100, matching="argmax")
        for percent in (10, 25, 50)
    },
    "titles": TitleMatch,
    "count-mae": CountMAE,
    "label-edit": LabelEdit,
    **{name: partial(LabelAgreement, kind=kind) for kind, name in KIND_NAMES.items()},
}

__all__ = [
    "GHD",
    "METRICS",
    "PD",
    "BoundaryDeviation",
    "BoundaryMatch",
    "BoundarySimilarity",
    "CSeg",
    "CountMAE",
    "Covering",
    "Hausdorff",
    "Hierarchical",
    "LMeasure",
    "LabelAgreement",
    "LabelEdit",
    "Metric",
    "MisplacedUnits",
    "MultiBoundaryMatch",
    "MultiWindowDiff",
    "Pk",
    "PurityCoverage",
    "RandIndex",
    "ScorePart",
    "SegmentMatch",
    "SegmentationSimilarity",
    "TMeasure",
    "TitleMatch",
    "WinPR",
    "WindowDiff",
    "all_metrics",
    "metric",
]


@cache
def all_metrics() -> dict[str, Callable[..., Metric]]:
    """Our metrics and those of other packages (see `segscore.basics.plugins`), by name."""
    found = load_plugins("segscore.metrics", METRICS, _check_plugin)
    return {**METRICS, **{name: one.value for name, one in found.items()}}


def _check_plugin(name: str, make: Any) -> None:
    """Signatures are read back by the metric's own name, so it must be the one it is found by."""
    made = make()
    if not isinstance(made, Metric):
        raise ValueError(f"it gives {shown(made)}: expected a Metric")
    kind = type(made)
    if kind.values is Metric.values or (kind.rows is Metric.rows and kind.step is Metric.step):
        raise ValueError("it has no values, or neither rows nor a step: expected both")
    if made.name != name:
        raise ValueError(f"the metric calls itself {made.name!r}: expected {name!r}")
    if made != make() or hash(made) != hash(make()):
        raise ValueError("two of the same settings are not equal: expected a frozen dataclass")


def metric(text: "str | Metric") -> Metric:
    """The metric that a spec such as `windowdiff(k=3,edges=wrap)` or a signature names.

    A part of its score is named behind a point: `b.precision`, `winpr(k=3).recall`.

    text: a name, with parameters in parentheses, or a signature; a metric is given back as it is.

    >>> metric("wd(k=3,edges=wrap)")
    WindowDiff(k=3, rounding='half-even', min_k=1, k_offset=0, edges='wrap', weighted=False)
    >>> metric(metric("pk-prime").signature()) == Pk(fp_weight=2)
    True
    """
    if isinstance(text, Metric):
        return text
    if isinstance(text, type):
        raise SegmentationError(
            f"metric is the class {text.__name__}: expected an object of it, such as "
            f"{text.__name__}(), or a name such as 'pk'"
        )
    if not isinstance(text, str):
        raise SegmentationError(f"metric is {shown(text)}: expected a name or a metric")
    whole, part = split_part(text)
    name = whole.partition("|")[0].partition("(")[0].strip()
    found = _built_in(whole) if name in METRICS else read_metric(whole, all_metrics())
    return found if part is None else ScorePart(found, part)


@lru_cache(maxsize=256)  # metrics do not change, and loops name the same ones again and again
def _built_in(text: str) -> Metric:
    return read_metric(text, METRICS)


def addable_metrics(metrics: Any) -> dict[str | Metric, Metric]:
    """Like `distinct_metrics`, but refuses metrics that need all documents at once."""
    found = distinct_metrics(metrics)
    for one in found.values():
        if one.batch_bound:
            raise SegmentationError(
                f"{one} maps the labels of all documents at once, and cannot be added up in "
                "parts: expected scope=document, or ss.score"
            )
    return found


def distinct_metrics(metrics: Any) -> dict[str | Metric, Metric]:
    """The metrics by the key under which the caller will look for them."""
    if isinstance(metrics, str | Metric | type) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    found: dict[str | Metric, Metric] = {}
    for key in metrics:
        one = metric(key)
        if one in found.values():
            raise SegmentationError(f"metric {str(key)!r} is listed twice: expected each once")
        found[key] = one
    if not found:
        raise SegmentationError("metrics is empty: expected at least one")
    return found
