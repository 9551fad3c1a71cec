"""Score a whole corpus at once: every metric over all documents, on all cores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from segscore.arguments import shown
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.base import OnUndefined
from segscore.pairs import Pairs, Reference
from segscore.scores import Result, Scores
from segscore.segmentation import Segmentation

DEFAULT_METRICS = ("pk", "windowdiff", "b")


def score(
    refs: Sequence[Reference] | Mapping[str, Reference] | Pairs,
    hyps: Sequence[Segmentation] | Mapping[str, Segmentation] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    threads: int | None = None,
    on_undefined: OnUndefined = "raise",
) -> Result:
    """Score hypotheses against references, document by document and on average.

    `refs` and `hyps` are two sequences in the same order, or two mappings with the same names; or
    one `Pairs`. A reference may be a list of segmentations, for metrics that take many references.
    `threads=None` uses all cores. A document that cannot be scored is an error, or NaN with
    `on_undefined="nan"`.

    >>> import segscore as ss
    >>> refs = {"a": ss.Segmentation.from_masses([2, 3, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> hyps = {"a": ss.Segmentation.from_masses([5, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> result = ss.score(refs, hyps, metrics=["windowdiff", "f1(tolerance=1)"])
    >>> result["windowdiff"]
    Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
    >>> result.to_dicts()[1]
    {'document': 'b', 'windowdiff': 0.0, 'f1(tolerance=1)': 1.0}
    """  # noqa: E501
    pairs = as_pairs(refs, hyps)
    if on_undefined not in ("raise", "nan"):
        raise SegmentationError(f"on_undefined is {shown(on_undefined)}: expected 'raise' or 'nan'")
    scores: dict[str | Metric, Scores] = {}
    for key, made in distinct_metrics(metrics).items():
        if pairs.groups is not None and not made.many_references:
            raise SegmentationError(
                f"{made.name} takes one reference per document, and lists were given: use a "
                "metric for many references, or score against each reference by itself"
            )
        scores[key] = Scores(made, pairs, made.rows(pairs, threads))
        if on_undefined == "raise":
            made.check_defined(pairs, scores[key].values)
    return Result(scores, pairs)


def as_pairs(refs: Any, hyps: Any) -> Pairs:
    """The documents to score, from what `score` takes; at least one."""
    if isinstance(refs, Pairs):
        if hyps is not None:
            raise SegmentationError("hyps is given besides Pairs, which hold both sides already")
        pairs = refs
    elif isinstance(refs, Segmentation) or isinstance(hyps, Segmentation):
        raise SegmentationError(
            "score takes sequences or mappings of segmentations; for one pair call the metric: "
            "WindowDiff()(ref, hyp)"
        )
    elif hyps is None:
        raise SegmentationError("hyps is missing: expected as many segmentations as refs has")
    else:
        pairs = Pairs.from_segmentations(refs, hyps)
    if not len(pairs):
        raise SegmentationError("there is no document to score")
    return pairs


def distinct_metrics(metrics: Any) -> dict[str | Metric, Metric]:
    """The metrics by the key under which the caller will look for them."""
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    made: dict[str | Metric, Metric] = {}
    for key in metrics:
        one = as_metric(key)
        if one in made.values():
            raise SegmentationError(f"metric {str(key)!r} is asked for twice: expected each once")
        made[key] = one
    if not made:
        raise SegmentationError("metrics is empty: expected at least one")
    return made
