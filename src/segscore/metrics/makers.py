"""Our metrics by their names on the command line and in `ss.metric`; each is imported on first
use."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from segscore.basics.on_demand import MadeOnDemand, imported
from segscore.metrics.base import Metric

HOMES = {  # each class of metrics, and its module here
    "BoundaryDeviation": "distance",
    "BoundaryMatch": "matching",
    "BoundarySimilarity": "edits",
    "CSeg": "probability",
    "CountMAE": "distance",
    "Covering": "overlap",
    "GHD": "distance",
    "Hausdorff": "distance",
    "Hierarchical": "hierarchy",
    "LMeasure": "level_measures",
    "LabelAgreement": "label_agreement",
    "LabelEdit": "label_agreement",
    "MisplacedUnits": "overlap",
    "MultiBoundaryMatch": "many_references",
    "MultiWindowDiff": "many_references",
    "PD": "probability",
    "Pk": "window",
    "PurityCoverage": "overlap",
    "RandIndex": "overlap",
    "SegmentMatch": "segment_matching",
    "SegmentationSimilarity": "edits",
    "TMeasure": "level_measures",
    "TitleMatch": "titles",
    "WinPR": "window",
    "WindowDiff": "window",
}
_LINEAR: dict[str, tuple[str, dict[str, Any]]] = {  # the class, and parameters that are not usual
    "pk": ("Pk", {}),
    "pk-prime": ("Pk", {"fp_weight": 2}),
    "windowdiff": ("WindowDiff", {}),
    "wd": ("WindowDiff", {}),
    "winpr": ("WinPR", {}),
    "f1": ("BoundaryMatch", {}),
    "s": ("SegmentationSimilarity", {}),
    "b": ("BoundarySimilarity", {}),
    "multwindowdiff": ("MultiWindowDiff", {}),
    "multf1": ("MultiBoundaryMatch", {}),
    "cseg": ("CSeg", {}),
    "pd": ("PD", {}),
    "ghd": ("GHD", {}),
    "misplaced-units": ("MisplacedUnits", {}),
    "r-fn": ("MisplacedUnits", {}),
    "r-fp": ("MisplacedUnits", {"side": "fp"}),
    "purity-coverage": ("PurityCoverage", {}),
    "covering": ("Covering", {}),
    "rand": ("RandIndex", {}),
    "ari": ("RandIndex", {"adjusted": True}),
    "deviation": ("BoundaryDeviation", {}),
    "hausdorff": ("Hausdorff", {}),
}
_WITH_LEVELS = (  # those with a hierarchical form: each that takes one reference
    "pk", "wd", "winpr", "f1", "s", "b", "cseg", "pd", "ghd", "misplaced-units",
    "purity-coverage", "covering", "rand", "deviation", "hausdorff",
)  # fmt: skip
_LABELLED: dict[str, tuple[str, dict[str, Any]]] = {  # levels have other segments: no such form
    "l-measure": ("LMeasure", {}),
    "t-measure": ("TMeasure", {}),
    "segment-f1": ("SegmentMatch", {}),
    **{  # of temporal action segmentation
        f"f1@{percent}": ("SegmentMatch", {"iou": percent / 100, "matching": "argmax"})
        for percent in (10, 25, 50)
    },
    "titles": ("TitleMatch", {}),
    "count-mae": ("CountMAE", {}),
    "label-edit": ("LabelEdit", {}),
    "pairwise-f": ("LabelAgreement", {"kind": "pairwise"}),
    "nce": ("LabelAgreement", {"kind": "nce"}),
    "v-measure": ("LabelAgreement", {"kind": "v"}),
    "mof": ("LabelAgreement", {"kind": "accuracy"}),
    "mapped-mof": ("LabelAgreement", {"kind": "mapped-accuracy"}),
}
_HIERARCHICAL = {f"e-{name}": name for name in _WITH_LEVELS}


def _maker(name: str) -> Callable[..., Metric]:
    if name in _HIERARCHICAL:
        make = imported("segscore.metrics.hierarchy:hierarchical")
        return partial(make, METRICS[_HIERARCHICAL[name]])
    kind, values = (_LINEAR | _LABELLED)[name]
    found: Callable[..., Metric] = imported(f"segscore.metrics.{HOMES[kind]}:{kind}")
    return partial(found, **values) if values else found


_NAMES = (*_LINEAR, *_HIERARCHICAL, *_LABELLED)
METRICS: Mapping[str, Callable[..., Metric]] = MadeOnDemand(
    _NAMES, lambda index: _maker(_NAMES[index])
)


def how_to_call(name: str, public: Collection[str]) -> str:
    """The end of a message about a name that the package lacks: how the metric of that name is
    called.

    >>> how_to_call("pk", ["Pk"]), how_to_call("e_pk", ["Pk"]), how_to_call("Windowdif", ["Pk"])
    (': the metric is called as ss.Pk()(ref, hyp)', ": the metric is called as \
ss.metric('e-pk')(ref, hyp)", '')
    """
    classes = {kind.casefold(): kind for kind in public if kind[0].isupper()}
    spelt = name.casefold().replace("_", "-")
    kind, values = {**_LINEAR, **_LABELLED}.get(spelt, ("", {}))
    kind = classes.get(spelt.replace("-", ""), kind)
    if kind in public and not values:
        return f": the metric is called as ss.{kind}()(ref, hyp)"
    if spelt in _NAMES:
        return f": the metric is called as ss.metric({spelt!r})(ref, hyp)"
    return ""
