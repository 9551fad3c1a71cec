"""Our metrics in torchmetrics and Lightning, with the real packages."""

import doctest
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from adapters.label_batches import batches, segmentations

torch = pytest.importorskip("torch", reason="needs torch: runs with --adapters")
torchmetrics = pytest.importorskip(
    "torchmetrics", reason="needs torchmetrics: runs with --adapters"
)
pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("default")]

from segscore.adapters import torchmetrics as ours  # noqa: E402
from segscore.adapters.torchmetrics import SegmentationMetric  # noqa: E402

METRICS = ["windowdiff", "pk", "b", "f1(tolerance=1)", "winpr"]


def tensors(listed: list[Any]) -> list[tuple[Any, Any]]:
    return [(torch.from_numpy(hyp), torch.from_numpy(ref)) for hyp, ref in listed]


def test_the_example_of_the_docstring() -> None:
    assert doctest.testmod(ours).failed == 0


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_batches_give_what_score_gives(metric: str, average: Any) -> None:
    listed = batches()
    made = SegmentationMetric(metric, marks="end", average=average)
    for preds, target in tensors(listed):
        made.update(preds, target)
    expected = ss.score(*segmentations(listed), metric, on_undefined="nan")[metric]
    value = expected.micro if average == "micro" else expected.macro
    assert made.compute().item() == pytest.approx(float(value), rel=1e-13)
    assert made.compute().dtype == torch.float64
    assert made.higher_is_better == expected.metric.higher_is_better
    assert made.signature == value.signature


def test_forward_gives_the_batch_and_goes_on() -> None:
    listed = batches()
    made = SegmentationMetric("b", marks="end")
    for batch, (preds, target) in zip(listed, tensors(listed), strict=True):
        alone = ss.score(*segmentations([batch]), "b")["b"].micro
        assert made(preds, target).item() == pytest.approx(float(alone))
    assert made.compute().item() == pytest.approx(
        float(ss.score(*segmentations(listed), "b")["b"].micro)
    )
    made.reset()
    with pytest.warns(UserWarning, match="before"):
        assert math.isnan(made.compute().item())


def test_marks_lengths_and_ignored_labels() -> None:
    target = torch.tensor([[1, 0, 0, 1, 7, 7]])
    preds = torch.tensor([[1, 0, 1, 0, 1, 1]])
    expected = ss.WindowDiff()(
        ss.Segmentation.from_masses([3, 1]), ss.Segmentation.from_masses([2, 2])
    )
    for options, lengths in (
        ({"ignore_index": 7}, None),
        ({"ignore_index": None}, torch.tensor([4])),
    ):
        made = SegmentationMetric("windowdiff", marks="start", **options)
        made.update(preds, target, lengths)
        assert made.compute().item() == expected


def test_collections_do_not_take_two_metrics_for_one() -> None:
    """Both are perfect in the first batch, so their states are equal there."""
    first = (torch.tensor([[0, 1, 0, 0, 0, 1]]),) * 2
    second = (torch.tensor([[0, 0, 1, 0, 0, 1]] * 3), torch.tensor([[0, 1, 0, 0, 0, 1]] * 3))
    both = torchmetrics.MetricCollection(
        {name: SegmentationMetric(name, marks="end") for name in ("f1", "f1(tolerance=1)")}
    )
    for batch in (first, second):
        both.update(*batch)
    found = {name: value.item() for name, value in both.compute().items()}
    assert found == {"f1": 0.25, "f1(tolerance=1)": 1.0}


def test_metrics_can_be_copied_sent_and_saved() -> None:
    listed = tensors(batches())
    made = SegmentationMetric("windowdiff", marks="end")
    for batch in listed:
        made.update(*batch)
    made.persistent(True)
    again = SegmentationMetric("windowdiff", marks="end")
    again.persistent(True)
    again.load_state_dict(made.state_dict())
    again._update_count = 1
    for copied in (made.clone(), pickle.loads(pickle.dumps(made)), again):  # noqa: S301
        assert copied.compute() == made.compute()
    assert made.half().compute().dtype == torch.float64  # a model in half precision loses nothing
    assert made.compute() == again.compute()


def test_a_device_without_doubles_leaves_the_state_alone() -> None:
    """Apple's MPS refuses to take doubles, with a TypeError."""

    def to_mps(tensor: Any) -> Any:
        if tensor.dtype == torch.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return tensor

    preds, target = tensors(batches(1))[0]
    made = SegmentationMetric("b", marks="end")
    made.update(preds, target)
    value = made.compute()
    made._apply(to_mps)
    made.update(preds, target)
    assert made.compute() == value
    made.reset()
    made.update(preds, target)
    assert made.compute() == value


def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    script = Path(__file__).with_name("two_processes.py")
    paths = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    running = [
        subprocess.Popen(
            [sys.executable, script, str(rank), tmp_path / "meet"],
            stdout=subprocess.PIPE, text=True, env=paths,
        )
        for rank in range(2)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    expected = ss.score(*segmentations(batches()), METRICS, on_undefined="nan")
    for output in outputs:
        found = json.loads(output)
        assert found["documents"] == 30
        for metric in METRICS:
            micro = expected[metric].micro
            assert found[metric] == pytest.approx(float(micro), rel=1e-14)
            if metric in ("windowdiff", "pk", "f1(tolerance=1)"):
                assert found[metric] == micro  # whole numbers add up to the last bit
