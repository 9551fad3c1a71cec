"""Any metric of ours as a torchmetrics Metric: batches of labels, several processes, Lightning.

The state is that of an `Accumulator`: sums that add up over batches and processes. PyTorch adds
plain doubles, so several processes give the same result as one up to rounding, and to the last bit
where statistics are whole numbers (Pk, WindowDiff, F1).

The name of the state holds the signature, because `MetricCollection` treats two metrics as the same
if their states are equal after the first batch, and from then on updates only one of them.
"""

import re
from typing import Any

import numpy as np

from segscore.adapters.labels import IGNORED, Marks, pairs_from_labels
from segscore.basics.arguments import check_choice
from segscore.coding.constructor_checks import checked_marks
from segscore.errors import needing
from segscore.metrics import Average, Metric
from segscore.metrics import metric as as_metric
from segscore.scoring.accumulator import Accumulator

with needing("adapters", "this adapter"):
    import torch
    import torchmetrics


class SegmentationMetric(torchmetrics.Metric):  # type: ignore[misc]
    """A metric of segmentations over batches of labels.

    Parameters
    ----------
    metric: a metric, or its name.
    marks: which unit a 1 marks: the last of a segment (`end`) or the first (`start`); this must be
        given.
    ignore_index: the label, in `target`, of what is not a unit (padding, special tokens); None:
        every label is a unit.
    average: `micro` adds up all documents, `macro` is the mean of the documents' values.
    **options: for torchmetrics.Metric, such as `sync_on_compute`.

    >>> windowdiff = SegmentationMetric("windowdiff", marks="end")
    >>> target = torch.tensor([[0, 1, 0, 0, 0, 1], [0, 0, 1, 0, -100, -100]])
    >>> preds = torch.tensor([[0, 0, 1, 0, 0, 1], [0, 0, 1, 0, 0, 0]])
    >>> windowdiff.update(preds, target)
    >>> round(windowdiff.compute().item(), 4)
    0.2857
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self,
        metric: str | Metric = "windowdiff",
        *,
        marks: Marks | None = None,
        ignore_index: int | None = IGNORED,
        average: Average = "micro",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        check_choice(average, "average", ("micro", "macro"))
        self.segmentation_metric: Metric = as_metric(metric)
        self.marks: Marks = checked_marks(marks)
        self.ignore_index: int | None = ignore_index
        self.average: Average = average
        # two metrics share a name only if they do the same with a batch
        signature = self.segmentation_metric.signature().rpartition("|v:")[0]
        text = f"{signature}|marks:{marks}|ignore:{ignore_index}"
        self._state_name = re.sub(r"\W", lambda sign: f"_{ord(sign[0]):x}_", text)
        empty = torch.from_numpy(Accumulator(self.segmentation_metric).state())
        self.add_state(self._state_name, default=empty, dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """Whether higher values are better, for trackers and early stopping."""
        return self.segmentation_metric.higher_is_better

    @property
    def signature(self) -> str:
        """Everything that determines the number, to be cited with it."""
        return self.segmentation_metric.signature(self.average)

    def update(self, preds: Any, target: Any, lengths: Any = None) -> None:
        """Add a batch of labels (document × unit); `lengths` where padding has no label."""
        how = {"marks": self.marks, "ignore_index": self.ignore_index, "lengths": lengths}
        pairs = pairs_from_labels(target, preds, **how)
        batch = Accumulator(self.segmentation_metric)
        batch.update(pairs)
        sums = self._held()
        setattr(self, self._state_name, sums + torch.from_numpy(batch.state()).to(sums.device))

    def compute(self) -> torch.Tensor:
        """The average over all documents of all batches and processes; NaN if there are none."""
        accumulator = self._accumulator()
        value = float("nan")
        if accumulator.n_documents:
            found = accumulator.result()[self.segmentation_metric]
            value = float(found.micro if self.average == "micro" else found.macro)
        return torch.tensor(value, dtype=torch.float64, device=self._held().device)

    def accumulator(self) -> Accumulator:
        """All documents of all processes, for other averages."""
        alone = not self._is_synced
        with self.sync_context(self.dist_sync_fn, should_sync=alone, should_unsync=alone):
            return self._accumulator()

    def _accumulator(self) -> Accumulator:
        found = Accumulator(self.segmentation_metric)
        found.load_state(self._held().detach().cpu().numpy().astype(np.float64))
        return found

    def _held(self) -> torch.Tensor:
        """The state."""
        held: torch.Tensor = getattr(self, self._state_name)
        return held

    def _apply(self, fn: Any, exclude_state: Any = "") -> Any:
        """Moving to a device without doubles (Apple's MPS) leaves the state where it is."""
        try:
            fn(torch.zeros(1, dtype=torch.float64))
        except TypeError:
            exclude_state = [*exclude_state, self._state_name]
            self._computed = self._forward_cache = None  # doubles, too
        return super()._apply(fn, exclude_state)
