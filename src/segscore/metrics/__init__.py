"""All metrics, and the names by which the command line and `ss.metric` know them."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from segscore.basics.arguments import shown
from segscore.basics.on_demand import names_on_demand
from segscore.basics.plugins import load_plugins
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric as Metric
from segscore.metrics.base import in_any_case, read_metric
from segscore.metrics.makers import HOMES
from segscore.metrics.makers import METRICS as METRICS
from segscore.metrics.parts import ScorePart as ScorePart
from segscore.metrics.parts import split_part

if TYPE_CHECKING:
    from segscore.metrics.distance import GHD as GHD
    from segscore.metrics.distance import BoundaryDeviation as BoundaryDeviation
    from segscore.metrics.distance import CountMAE as CountMAE
    from segscore.metrics.distance import Hausdorff as Hausdorff
    from segscore.metrics.edit_distance import BoundaryEdits as BoundaryEdits
    from segscore.metrics.edit_distance import ConfusionMatrix as ConfusionMatrix
    from segscore.metrics.edit_distance import boundary_edits as boundary_edits
    from segscore.metrics.edits import BoundarySimilarity as BoundarySimilarity
    from segscore.metrics.edits import SegmentationSimilarity as SegmentationSimilarity
    from segscore.metrics.hierarchy import Hierarchical as Hierarchical
    from segscore.metrics.label_agreement import LabelAgreement as LabelAgreement
    from segscore.metrics.label_agreement import LabelEdit as LabelEdit
    from segscore.metrics.level_measures import LMeasure as LMeasure
    from segscore.metrics.level_measures import TMeasure as TMeasure
    from segscore.metrics.many_references import MultiBoundaryMatch as MultiBoundaryMatch
    from segscore.metrics.many_references import MultiWindowDiff as MultiWindowDiff
    from segscore.metrics.matching import BoundaryMatch as BoundaryMatch
    from segscore.metrics.overlap import Covering as Covering
    from segscore.metrics.overlap import MisplacedUnits as MisplacedUnits
    from segscore.metrics.overlap import PurityCoverage as PurityCoverage
    from segscore.metrics.overlap import RandIndex as RandIndex
    from segscore.metrics.probability import PD as PD
    from segscore.metrics.probability import CSeg as CSeg
    from segscore.metrics.segment_matching import SegmentMatch as SegmentMatch
    from segscore.metrics.statistics import Score as Score
    from segscore.metrics.statistics import Statistics as Statistics
    from segscore.metrics.titles import TitleMatch as TitleMatch
    from segscore.metrics.window import Pk as Pk
    from segscore.metrics.window import WindowDiff as WindowDiff
    from segscore.metrics.window import WinPR as WinPR
    from segscore.metrics.window_runs import windows as windows

DEFAULT_METRICS = ("pk", "windowdiff", "b")
_INSIDE = {
    "BoundaryEdits": "edit_distance", "ConfusionMatrix": "edit_distance", "Score": "statistics",
    "Statistics": "statistics", "boundary_edits": "edit_distance", "windows": "window_runs",
}  # fmt: skip
__getattr__ = names_on_demand(__name__, {**HOMES, **_INSIDE})

__all__ = ["METRICS", "Metric", "ScorePart", "all_metrics", "metric"]
__all__ += list({**HOMES, **_INSIDE})


@cache
def all_metrics() -> Mapping[str, Callable[..., Metric]]:
    """Our metrics and those of other packages (see `segscore.basics.plugins`), by name."""
    found = load_plugins("segscore.metrics", METRICS, _check_plugin)
    return {**METRICS, **{name: plugin.value for name, plugin in found.items()}}


def _check_plugin(name: str, make: Any) -> None:
    """Raise if a plug-in metric is registered under another name than its own: signatures are read
    back by name."""
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
    """The metric that a spec such as `windowdiff(k=3,edges=wrap)`, or a signature, names.

    A dot selects a part of its score: `b.precision`, `winpr(k=3).recall`. Names may be written in
    any case: `WindowDiff`, `Pk`, `B`.

    text: a name, with parameters in parentheses, or a signature; a metric object is returned
        unchanged.

    >>> metric("wd(k=3,edges=wrap)")
    WindowDiff(k=3, rounding='half-even', min_k=1, k_offset=0, edges='wrap', weighted=False)
    >>> metric(metric("pk-prime").signature()).fp_weight
    2
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
    ours = in_any_case(name, METRICS) in METRICS
    found = _built_in(whole) if ours else read_metric(whole, all_metrics())
    return found if part is None else ScorePart(found, part)


def same_metric(text: "str | Metric") -> Metric | None:
    """The metric that a name stands for, for look-ups by another of its names; None if none."""
    try:
        return metric(text)
    except SegmentationError:
        return None


@lru_cache(maxsize=256)  # metrics do not change, and loops name the same ones again and again
def _built_in(text: str) -> Metric:
    return read_metric(text, METRICS)


def addable_metrics(metrics: Any) -> dict[str | Metric, Metric]:
    """Like `distinct_metrics`, but refuses metrics that need all documents at once."""
    found = distinct_metrics(metrics)
    for chosen in found.values():
        if chosen.batch_bound:
            raise SegmentationError(
                f"{chosen} maps the labels of all documents at once, and cannot be added up in "
                "parts: expected scope=document, or ss.score"
            )
    return found


def distinct_metrics(metrics: Any) -> dict[str | Metric, Metric]:
    """The metrics by the keys under which the caller finds them."""
    if isinstance(metrics, str | Metric | type) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    found: dict[str | Metric, Metric] = {}
    for key in metrics:
        chosen = metric(key)
        if chosen in found.values():
            raise SegmentationError(f"metric {str(key)!r} is listed twice: expected each once")
        found[key] = chosen
    if not found:
        raise SegmentationError("metrics is empty: expected at least one")
    return found
