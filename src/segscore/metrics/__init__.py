"""All metrics, and the names by which the command line and `ss.metric` know them."""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand
from segscore.metrics.base import Metric as Metric
from segscore.metrics.names import DEFAULT_METRICS as DEFAULT_METRICS
from segscore.metrics.names import HOMES
from segscore.metrics.names import METRICS as METRICS
from segscore.metrics.names import addable_metrics as addable_metrics
from segscore.metrics.names import all_metrics as all_metrics
from segscore.metrics.names import distinct_metrics as distinct_metrics
from segscore.metrics.names import metric as metric
from segscore.metrics.names import same_metric as same_metric
from segscore.metrics.parts import ScorePart as ScorePart

if TYPE_CHECKING:
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
    from segscore.metrics.matching import BoundaryMatch as BoundaryMatch
    from segscore.metrics.matching import MultiBoundaryMatch as MultiBoundaryMatch
    from segscore.metrics.matching import MultiWindowDiff as MultiWindowDiff
    from segscore.metrics.overlap import GHD as GHD
    from segscore.metrics.overlap import PD as PD
    from segscore.metrics.overlap import AlignmentIndex as AlignmentIndex
    from segscore.metrics.overlap import BoundaryDeviation as BoundaryDeviation
    from segscore.metrics.overlap import CountMAE as CountMAE
    from segscore.metrics.overlap import Covering as Covering
    from segscore.metrics.overlap import CSeg as CSeg
    from segscore.metrics.overlap import Hausdorff as Hausdorff
    from segscore.metrics.overlap import MisplacedUnits as MisplacedUnits
    from segscore.metrics.overlap import PurityCoverage as PurityCoverage
    from segscore.metrics.overlap import RandIndex as RandIndex
    from segscore.metrics.segment_matching import SegmentMatch as SegmentMatch
    from segscore.metrics.segment_matching import TitleMatch as TitleMatch
    from segscore.metrics.statistics import Score as Score
    from segscore.metrics.statistics import Statistics as Statistics
    from segscore.metrics.window import Pk as Pk
    from segscore.metrics.window import WindowDiff as WindowDiff
    from segscore.metrics.window import WinPR as WinPR
    from segscore.metrics.window_runs import windows as windows

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
