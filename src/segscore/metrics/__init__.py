"""All metrics, and the names by which the command line and `ss.metric` know them."""

from collections.abc import Callable
from functools import partial

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, read_metric
from segscore.metrics.edits import BoundarySimilarity, SegmentationSimilarity
from segscore.metrics.hierarchy import Hierarchical, hierarchical_names
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.window import Pk, WindowDiff, WinPR

METRICS: dict[str, Callable[..., Metric]] = {
    "pk": Pk,
    "pk-prime": partial(Pk, fp_weight=2),
    "windowdiff": WindowDiff,
    "wd": WindowDiff,
    "winpr": WinPR,
    "f1": BoundaryMatch,
    "s": SegmentationSimilarity,
    "b": BoundarySimilarity,
}
METRICS |= hierarchical_names(METRICS.values())

__all__ = [
    "METRICS",
    "BoundaryMatch",
    "BoundarySimilarity",
    "Hierarchical",
    "Metric",
    "Pk",
    "SegmentationSimilarity",
    "WinPR",
    "WindowDiff",
    "metric",
]


def metric(text: "str | Metric") -> Metric:
    """The metric that a spec such as `windowdiff(k=3,edges=wrap)` or a signature names.

    >>> metric("wd(k=3,edges=wrap)")
    WindowDiff(k=3, rounding='half-even', min_k=1, k_offset=0, edges='wrap', weighted=False)
    >>> metric(metric("pk-prime").signature()) == Pk(fp_weight=2)
    True
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise SegmentationError(f"metric is {shown(text)}: expected a name or a metric")
    return read_metric(text, METRICS)
