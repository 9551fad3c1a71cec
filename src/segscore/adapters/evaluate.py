"""Metrics of segmentations for Hugging Face `evaluate`: this file is what `evaluate.load` takes.

    import evaluate
    import segscore.adapters.evaluate as ours

    windowdiff = evaluate.load(ours.__file__, "windowdiff")
    windowdiff.compute(predictions=[[0, 1, 0, 0]], references=[[0, 0, 1, 0]], marks="end")

Nothing is fetched from the network. The name after the file is any metric that `segscore.metric`
reads; `marks`, `ignore_index` and `average` are options of `compute`.
"""

from typing import Any

from segscore.adapters import labels
from segscore.errors import needing
from segscore.metrics import metric as as_metric

with needing("adapters", "this adapter"):
    import evaluate

    import datasets

_DESCRIPTION = """Scores of text segmentations: WindowDiff, Pk, boundary similarity and others."""
_INPUTS = """
Args:
    predictions: for each document a list of labels, 0 or 1 for each unit.
    references: the same; units labelled with `ignore_index` are left out on both sides.
    marks: 'end' if a 1 stands at the last unit of a segment, 'start' if at the first (required).
    ignore_index: the label of what is no unit, by default -100.
    average: 'micro' (the default) or 'macro'.
Returns:
    A dict: the value by the name of the metric, and the signature that says how it was computed.
"""


class SegmentationScore(evaluate.Metric):  # type: ignore[misc]
    """Any metric of segscore; the name of the configuration is that of the metric."""

    config_name: str

    def _info(self) -> Any:
        if self.config_name == "default":
            self.config_name = "windowdiff"
        self.segmentation_metric = as_metric(self.config_name)
        sequence = datasets.Sequence(datasets.Value("int64"))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": sequence, "references": sequence}),
        )

    def _compute(
        self,
        predictions: Any,
        references: Any,
        marks: labels.Marks | None = None,
        ignore_index: int | None = labels.IGNORED,
        average: Any = "micro",
    ) -> dict[str, Any]:
        found = labels.label_score(
            list(references), list(predictions), metric=self.segmentation_metric, marks=marks,
            ignore_index=ignore_index, average=average,
        )  # fmt: skip
        return {self.config_name: float(found), "signature": found.signature}
