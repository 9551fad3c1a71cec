"""The names of metrics: on the command line, in `ss.metric("windowdiff(k=3)")` and in signatures.

Each metric stands once in `_NAMES`, with its class, which is imported on first use. What else is
known about a metric (how to read it, its papers, its parameters) is on the class.

A part of a score is a metric of its own: `b.precision`, `winpr(k=3).recall`, `pk.windows`. It is
another value of the same statistics, so that it has averages, intervals and tests like any metric,
and costs nothing but its name. Where the metric has no value, its parts have none either.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, shown
from segscore.basics.on_demand import MadeOnDemand
from segscore.basics.specs import parameter_value, parse_spec, unknown_name, unknown_parameter
from segscore.basics.user_functions import load_plugins
from segscore.corpus.provenance import FIELDS, PLAIN, Provenance
from segscore.errors import SegmentationError, nearest
from segscore.metrics.base import Metric
from segscore.pairing.pairs import Pairs

Maker = Callable[..., Metric]
DEFAULT_METRICS = ("pk", "windowdiff", "b")


# What each name stands for: a class, as `module:Class`, and the full name, for readers who do not
# know the short one.
_FOR_LEVELS = {  # each has a form that measures all levels of a ranked reference: `e-pk`
    "pk": ("window:Pk", "Pk error"),
    "windowdiff": ("window:WindowDiff", "WindowDiff error"),
    "wd": ("window:WindowDiff", "WindowDiff error"),
    "winpr": ("window:WinPR", "WinPR F-measure"),
    "f1": ("matching:BoundaryMatch", "F1 of boundaries"),
    "s": ("edits:SegmentationSimilarity", "segmentation similarity S"),
    "b": ("edits:BoundarySimilarity", "boundary similarity B"),
    "cseg": ("overlap:CSeg", "segmentation cost"),
    "pd": ("overlap:PD", "probability of disagreement"),
    "ghd": ("overlap:GHD", "generalized Hamming distance"),
    "misplaced-units": ("overlap:MisplacedUnits", "units in the wrong segment"),
    "purity-coverage": ("overlap:PurityCoverage", "F-measure of purity and coverage"),
    "covering": ("overlap:Covering", "covering of segments"),
    "a": ("overlap:AlignmentIndex", "alignment index A"),
    "rand": ("overlap:RandIndex", "Rand index"),
    "deviation": ("overlap:BoundaryDeviation", "distance to the nearest boundary"),
    "hausdorff": ("overlap:Hausdorff", "Hausdorff distance"),
}
_LABELS = "label_agreement:LabelAgreement"
_NAMES = {
    **_FOR_LEVELS,
    "pk-prime": ("window:Pk", "Pk′ error, extra boundaries count twice"),
    "r-fn": ("overlap:MisplacedUnits", "units missing from a unit's segment"),
    "r-fp": ("overlap:MisplacedUnits", "units extra in a unit's segment"),
    "ari": ("overlap:RandIndex", "adjusted Rand index"),
    "multwindowdiff": ("matching:MultiWindowDiff", "WindowDiff error against all references"),
    "multf1": ("matching:MultiBoundaryMatch", "F1 of boundaries against all references"),
    "l-measure": ("level_measures:LMeasure", "L-measure of levels"),
    "t-measure": ("level_measures:TMeasure", "T-measure of levels"),
    "segment-f1": ("segment_matching:SegmentMatch", "F1 of segments"),
    "f1@10": ("segment_matching:SegmentMatch", "F1 of segments that overlap by 10 %"),
    "f1@25": ("segment_matching:SegmentMatch", "F1 of segments that overlap by 25 %"),
    "f1@50": ("segment_matching:SegmentMatch", "F1 of segments that overlap by 50 %"),
    "titles": ("segment_matching:TitleMatch", "similarity of titles"),
    "count-mae": ("overlap:CountMAE", "difference in the number of segments"),
    "label-edit": ("label_agreement:LabelEdit", "edit distance of labels"),
    "pairwise-f": (_LABELS, "F-measure of pairs of units with one label"),
    "nce": (_LABELS, "normalised conditional entropy"),
    "v-measure": (_LABELS, "V-measure of labels"),
    "mof": (_LABELS, "share of units with the right label"),
    "mapped-mof": (_LABELS, "share of units with the right label, labels mapped first"),
}
_PARAMETERS: Mapping[str, Mapping[str, Any]] = {  # those that are not the defaults of the class
    "pk-prime": {"fp_weight": 2},
    "r-fp": {"side": "fp"},
    "ari": {"adjusted": True},
    "f1@10": {"iou": 0.1, "matching": "argmax"},  # of temporal action segmentation
    "f1@25": {"iou": 0.25, "matching": "argmax"},
    "f1@50": {"iou": 0.5, "matching": "argmax"},
    "pairwise-f": {"kind": "pairwise"},
    "nce": {"kind": "nce"},
    "v-measure": {"kind": "v"},
    "mof": {"kind": "accuracy"},
    "mapped-mof": {"kind": "mapped-accuracy"},
}
_HIERARCHICAL = {f"e-{name}": name for name in _FOR_LEVELS if name != "windowdiff"}
_PLACES = [place.split(":") for place, _ in _NAMES.values()]
HOMES = {"Hierarchical": "hierarchy", **{kind: module for module, kind in _PLACES}}
"""Each class of metrics, and its module here."""


def _maker(name: str) -> Maker:
    if name in _HIERARCHICAL:
        hierarchical = import_module("segscore.metrics.hierarchy").hierarchical
        return partial(hierarchical, METRICS[_HIERARCHICAL[name]])
    module, kind = _NAMES[name][0].split(":")
    make: Maker = getattr(import_module(f"segscore.metrics.{module}"), kind)
    return partial(make, **_PARAMETERS[name]) if name in _PARAMETERS else make


_ALL = (*_NAMES, *_HIERARCHICAL)
METRICS: Mapping[str, Maker] = MadeOnDemand(_ALL, lambda index: _maker(_ALL[index]))


@cache
def all_metrics() -> Mapping[str, Maker]:
    """Our metrics and those of other packages (see `segscore.basics.user_functions`), by name."""
    found = load_plugins("segscore.metrics", METRICS, _check_plugin)
    return {**METRICS, **{name: value for name, (_, value) in found.items()}}


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


# ---- from text to metric ----


def metric(text: str | Metric) -> Metric:
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
    return _read(text)


def same_metric(text: str | Metric) -> Metric | None:
    """The metric that a name stands for, for look-ups by another of its names; None if none."""
    try:
        return metric(text)
    except SegmentationError:
        return None


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


_EXAMPLE = "windowdiff(k=3,edges=wrap)"
_NOT_READ = ("v", "avg", *FIELDS)  # of a signature: they are no parameters


@lru_cache(maxsize=256)  # metrics do not change, and loops name the same ones again and again
def _read(text: str) -> Metric:
    """The metric that a spec or a signature names. As papers write, W-F1 is F1 within one unit, and
    F1@Rel.Dis 0.05 is F1 within 5 % of the document's length."""
    short = "".join(text.split())
    within = _WITHIN_SHARE.fullmatch(short)
    if short.casefold() == "w-f1":
        text = "f1(tolerance=1)"
    elif within is not None:
        if within[1] is None:
            raise SegmentationError(f"{text!r} has no distance: expected 'F1@Rel.Dis 0.05'")
        text = f"f1(tolerance={(Decimal(within[1]) * 100).normalize():f}%)"
    whole, part = split_part(text) if "." in text else (text, None)
    if part is not None:
        return ScorePart(_read(whole), part)
    name, cells = _signature(text) if "|" in text else parse_spec(text, "metric", _EXAMPLE)
    known = name if name in _ALL else in_any_case(name, _ALL)
    make = _maker(known) if known in _ALL else all_metrics().get(in_any_case(name, all_metrics()))
    if make is None:
        raise _unknown_metric(name)
    if "custom" in cells.values():
        raise SegmentationError("a custom function cannot be read back from a text")
    values = {key: parameter_value(cell) for key, cell in cells.items()}
    try:
        return make(**values)
    except TypeError:
        for key, value in values.items():
            if not _takes(make, key, value):
                fields = make().signature_fields()
                raise unknown_parameter("metric", text, key, fields) from None
        raise


def _signature(text: str) -> tuple[str, dict[str, str]]:
    """The name in a signature, and its parameters as written; the rest is ignored."""
    name, *cells = text.strip().split("|")
    pairs = [cell.partition(":") for cell in cells]
    version = [i for i, (key, _, _) in enumerate(pairs) if key == "v"]
    pairs = pairs[: version[0] + 1] if version else pairs  # what stands after it is no parameter
    if not all(mark for _, mark, _ in pairs) or len({key for key, _, _ in pairs}) < len(pairs):
        raise SegmentationError(f"cannot read metric {text!r}: expected for instance {_EXAMPLE}")
    return name, {key: value for key, _, value in pairs if key not in _NOT_READ}


def _takes(make: Maker, key: str, value: Any) -> bool:
    """Whether there is such a parameter; its value does not matter."""
    try:
        make(**{key: value})
    except TypeError:
        return False
    except SegmentationError:
        pass
    return True


def in_any_case(name: str, known: Collection[str]) -> str:
    """The name of a metric as we write it: papers write WindowDiff, Pk and B.

    >>> in_any_case("WindowDiff", ["pk", "windowdiff"]), in_any_case("Kappa", ["pk"])
    ('windowdiff', 'Kappa')
    """
    if name in known:
        return name
    folded = name.casefold()
    return next((each for each in known if each.casefold() == folded), name)


# ---- parts of scores ----

_WRITTEN = re.compile(r"([^.|()]+(?:\(.*\))?)\.([a-z_]+)")  # b(n_t=3).precision
_RATES = {"precision", "recall", "f", "purity", "coverage", "over", "under", "matched_similarity"}
_ON_BOTH_SIDES = {"tp", "tn", "overlap", "same", "same_in_both", "correctness"}
_MATCHED = {"ref_matched", "hyp_matched", "matched", "similarity", "tp_exact", "tn_exact", "best"}
_HIGHER = _RATES | _ON_BOTH_SIDES | _MATCHED
_SYMMETRIC = _ON_BOTH_SIDES | {"f", "n_pairs", "pairs", "places", "cost", "windows"}


@dataclass(frozen=True)
class ScorePart(Metric):
    """A part of a metric's score, as a metric.

    The micro-average adds counts over documents.

    Parameters
    ----------
    metric: the metric.
    part: the name of one of its parts (`metric.part_values`), for instance "precision".

    >>> from segscore import Segmentation
    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 1, 6])
    >>> metric("b.precision")(a, b), metric("b.recall")(a, b)
    (0.6666666666666666, 1.0)
    """

    name: ClassVar[str] = "part"  # of an object: that of its metric and part
    higher_is_better: ClassVar[bool] = True

    metric: Metric
    part: str

    def __post_init__(self) -> None:
        inner = self.metric
        known = list(inner.part_values(np.zeros((1, len(inner.statistic_names)))))
        if self.part not in known:
            raise SegmentationError(
                f"a score of {inner.name} has no part {self.part!r}{nearest(self.part, known)}"
            )
        rate = self.part in _RATES
        settled: dict[str, Any] = {
            "name": f"{inner.name}.{self.part}",
            "higher_is_better": self.part in _HIGHER,
            "symmetric": inner.symmetric and self.part in _SYMMETRIC,
            "many_references": inner.many_references,
            "uses_labels": inner.uses_labels,
            "papers": inner.papers,
            "perfect": 1.0 if rate else None,
        }
        shared = ("rows", "step", "worst_rows", "part_values", "parts", "signature_fields")
        settled |= {name: getattr(inner, name) for name in shared}
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The names of the metric's statistics."""
        return self.metric.statistic_names

    def values(self, rows: Floats) -> Floats:
        """The part; NaN where the metric has no value."""
        defined = ~np.isnan(self.metric.values(rows))
        return np.where(defined, self.metric.part_values(rows)[self.part], np.nan)

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether the metric cannot score each pair; among other documents, a rate of nothing is
        not an error."""
        if not np.isnan(values).any():
            return np.zeros(len(values), np.bool_)
        inner = self.metric
        return inner.undefined(pairs, inner.values(inner.rows(pairs)))

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The metric's reason, or that there is nothing to divide by."""
        inner = self.metric
        if np.isnan(inner.values(inner.rows(pairs))[row]):
            return inner.why_undefined(pairs, row)
        return f"there is no boundary to compute the {self.part} from"

    def in_units(self, provenance: Provenance) -> Self:
        """The part of the metric whose parameters are in units."""
        inner = self.metric.in_units(provenance)
        return self if inner is self.metric else replace(self, metric=inner)

    # ---- texts ----

    @property
    def latex_name(self) -> str | None:
        """The metric's LaTeX name, with the part."""
        from segscore.tables.markup import latex_text

        inner = self.metric.latex_name or latex_text(str(self.metric))
        return f"{inner} {latex_text(self.part)}"

    def signature(self, average: str | None = None, provenance: Provenance = PLAIN) -> str:
        """The metric's signature, with the part after its name."""
        name, bar, rest = self.metric.signature(average, provenance).partition("|")
        return f"{name}.{self.part}{bar}{rest}"

    def __str__(self) -> str:
        return f"{self.metric}.{self.part}"


def split_part(text: str) -> tuple[str, str | None]:
    """The spec or signature of a metric, and the name of its part, if any.

    >>> split_part("b(n_t=3).precision"), split_part("f1(tolerance=0.5s)")
    (('b(n_t=3)', 'precision'), ('f1(tolerance=0.5s)', None))
    >>> split_part("b.tp|n_t:2|v:0.1.0")
    ('b|n_t:2|v:0.1.0', 'tp')
    """
    name, bar, rest = text.strip().partition("|")
    found = _WRITTEN.fullmatch(name.strip())
    return (found[1] + bar + rest, found[2]) if found else (text, None)


# ---- names that others use ----

# Metrics by what others call them, without capitals, hyphens and underscores.
_OTHER_NAMES = {
    **dict.fromkeys(("iou", "miou", "jaccard", "segmentf", "segmentiou"), "segment-f1"),
    **dict.fromkeys(("f", "fscore", "f1score", "fmeasure", "boundaryf1"), "f1"),
    **{rate: f"f1.{rate}" for rate in ("precision", "recall")},
    **{share: f"purity-coverage.{share}" for share in ("purity", "coverage")},
    **dict.fromkeys(("detection", "boundarydetection"), "f1(tolerance=…)"),
    **{place.split(":")[1].casefold(): name for name, (place, _) in reversed(_NAMES.items())},
}
# Measures of what coders have in common, which are no metrics.
_AGREEMENT = frozenset(("kappa", "cohenkappa", "fleisskappa", "alpha", "krippendorffalpha"))
_WITHIN_TIME = re.compile(r"f1@([0-9]+(?:ms|s|min|h))")
_WITHIN_SHARE = re.compile(r"(?:f1@)?rel\.?dis\.?[@=]?(0?\.[0-9]{1,6})?", re.IGNORECASE)


def _unknown_metric(name: str) -> SegmentationError:
    """The error for an unknown name, with the metric that was probably meant."""
    short = re.sub(r"[\s_-]", "", name.casefold())
    if short in _AGREEMENT:
        return SegmentationError(
            f"no metric is called {name!r}: it is about the agreement of coders, which "
            "ss.agreement and ss.coders.fleiss_kappa measure (segscore agree)"
        )
    if short in ("bor", "boundaryratio"):
        return SegmentationError(
            f"no metric is called {name!r}: the ratio of hypothesis to reference boundaries, of "
            "which neither direction is better, is .ratios of ss.compare (compare --columns ratio)"
        )
    within = _WITHIN_TIME.fullmatch(short)
    meant = f"f1(tolerance={within[1]})" if within else _OTHER_NAMES.get(short)
    error = str(unknown_name("metric", name, sorted(all_metrics()), meant))
    message, hint, _ = error.partition("?)")
    return SegmentationError(message + (f"{hint}; segscore metrics lists all" if hint else ""))


def how_to_call(name: str, public: Collection[str]) -> str:
    """The end of a message about a name that the package lacks: how the metric of that name is
    called.

    >>> how_to_call("pk", ["Pk"]), how_to_call("e_pk", ["Pk"]), how_to_call("Windowdif", ["Pk"])
    (': the metric is called as ss.Pk()(ref, hyp)', ": the metric is called as \
ss.metric('e-pk')(ref, hyp)", '')
    """
    classes = {kind.casefold(): kind for kind in public if kind[0].isupper()}
    spelt = name.casefold().replace("_", "-")
    kind = classes.get(spelt.replace("-", ""), _NAMES.get(spelt, (":",))[0].split(":")[1])
    if kind in public and spelt not in _PARAMETERS:
        return f": the metric is called as ss.{kind}()(ref, hyp)"
    if spelt in METRICS:
        return f": the metric is called as ss.metric({spelt!r})(ref, hyp)"
    return ""


# ---- for readers ----


def metric_title(text: str) -> str:
    """The full name of a metric, whatever its parameters; "" if it is not known.

    >>> metric_title("b(n_t=3)"), metric_title("e-pk"), metric_title("none")
    ('boundary similarity B', 'Pk error over all levels', '')
    """
    short = text.partition("(")[0].strip().casefold()
    if short in _HIERARCHICAL:
        return f"{_NAMES[_HIERARCHICAL[short]][1]} over all levels"
    return _NAMES[short][1] if short in _NAMES else ""
