"""All metrics, and the names by which the command line and `ss.metric` know them."""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand
from segscore.metrics.base import Average as Average
from segscore.metrics.base import Metric as Metric
from segscore.metrics.base import OnUndefined as OnUndefined
from segscore.metrics.base import ratio as ratio
from segscore.metrics.base import rows_of_metrics as rows_of_metrics
from segscore.metrics.names import DEFAULT_METRICS as DEFAULT_METRICS
from segscore.metrics.names import HOMES
from segscore.metrics.names import METRICS as METRICS
from segscore.metrics.names import ScorePart as ScorePart
from segscore.metrics.names import addable_metrics as addable_metrics
from segscore.metrics.names import all_metrics as all_metrics
from segscore.metrics.names import distinct_metrics as distinct_metrics
from segscore.metrics.names import metric as metric
from segscore.metrics.names import same_metric as same_metric

# ruff: noqa: F403
if TYPE_CHECKING:  # imported when used
    from segscore.metrics.edit_distance import *
    from segscore.metrics.edits import *
    from segscore.metrics.hierarchy import *
    from segscore.metrics.label_agreement import *
    from segscore.metrics.level_measures import *
    from segscore.metrics.matching import *
    from segscore.metrics.overlap import *
    from segscore.metrics.segment_matching import *
    from segscore.metrics.statistics import *
    from segscore.metrics.window import *
    from segscore.metrics.window_runs import *

_INSIDE = {
    "BoundaryEdits": "edit_distance",
    "ConfusionMatrix": "edit_distance",
    "Score": "statistics",
    "Statistics": "statistics",
    "boundary_edits": "edit_distance",
    "windows": "window_runs",
}
__getattr__ = names_on_demand(__name__, {**HOMES, **_INSIDE})

__all__ = ["METRICS", "Metric", "ScorePart", "all_metrics", "metric"]
__all__ += list({**HOMES, **_INSIDE})
