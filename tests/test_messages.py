"""What people write first, and what they are told: each message names the way out."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss

S = ss.Segmentation
REF, HYP = S.from_masses([2, 3, 6]), S.from_masses([5, 6])


@pytest.mark.parametrize("metrics", [ss.Pk, [ss.Pk], ["b", ss.Pk]])
def test_a_class_is_no_metric(metrics: Any) -> None:
    expected = "metric.*class Pk"
    with pytest.raises(ss.SegmentationError, match=expected):
        ss.score([REF], [HYP], metrics)
    with pytest.raises(ss.SegmentationError, match=expected):
        ss.compare([REF], systems={"x": [HYP]}, metrics=metrics)


@pytest.mark.parametrize(
    "metric", [ss.Pk, ss.WindowDiff, ss.WinPR, ss.BoundarySimilarity, ss.BoundaryMatch]
)
def test_a_class_takes_parameters_not_segmentations(metric: Any) -> None:
    expected = "Segmentation.*parameter"
    for given in ((REF, HYP), (REF,)):
        with pytest.raises(ss.SegmentationError, match=expected):
            metric(*given)


def test_a_file_of_systems_is_no_reference(tmp_path: Path) -> None:
    for name in ("reference", "ours"):
        line = f'{{"document": "d", "coder": "{name}", "masses": [2, 3, 6]}}'
        (tmp_path / f"{name}.jsonl").write_text(line)
    refs, ours = str(tmp_path / "reference.jsonl"), str(tmp_path / "ours.jsonl")
    with pytest.raises(
        ss.SegmentationError, match=r"given as compare\(refs, systems='.*ours.jsonl'"
    ):
        ss.compare(refs, ours)
    with pytest.raises(
        ss.SegmentationError, match=r"by reference 'nobody': there are 'reference'$"
    ):
        ss.compare(refs, "nobody")
    assert ss.compare(refs, systems=ours, baselines=()).systems


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("iou", "segment-f1"),
        ("mIoU", "segment-f1"),
        ("precision", "f1.precision"),
        ("recall(tolerance=2)", "f1.recall"),
        ("boundary_similarity", "b"),
        ("BoundarySimilarity", "b"),
        ("segmentation-similarity", "s"),
        ("f-score", "f1"),
        ("window_diff", "windowdiff"),
        ("rand_index", "rand"),
        ("windowdif", "windowdiff"),
        ("coverage", "purity-coverage.coverage"),
        ("purity", "purity-coverage.purity"),
        ("f1@5s", "f1(tolerance=5s)"),
        ("F1@3min", "f1(tolerance=3min)"),
    ],
)
def test_other_names_of_metrics_are_known(name: str, meant: str) -> None:
    with pytest.raises(ss.SegmentationError, match=rf"\(did you mean '{re.escape(meant)}'\?\)"):
        ss.metric(name)
    ss.metric(meant)  # it exists


@pytest.mark.parametrize("hyps", [[HYP], {"0": HYP}, {"x": {"0": HYP}}, 5])
def test_compare_of_references_and_hypotheses_is_told(hyps: Any) -> None:
    with pytest.raises(ss.SegmentationError, match=r"compare\(refs, systems={'name': hyps}\)"):
        ss.compare([REF], hyps)


@pytest.mark.parametrize(
    ("metric", "spec"),
    [
        (ss.Pk(fn_weight=np.float64(0.5)), "pk(fn_weight=0.5)"),
        (ss.CSeg(c_fa=np.float64(0.25)), "cseg(c_fa=0.25)"),
        (ss.BoundaryMatch(beta=np.float32(0.5)), "f1(beta=0.5)"),
        (ss.SegmentMatch(iou=np.float64(0.75)), "segment-f1(iou=0.75)"),
        (ss.BoundarySimilarity(w_sub=np.float64(0.25)), "b(w_sub=0.25)"),
        (ss.GHD(shift=np.float64(1.5)), "ghd(shift=1.5)"),
        (ss.PD(mu=np.float64(2.5)), "pd(mu=2.5)"),
        (ss.WinPR(beta=np.float64(0.5)), "winpr(beta=0.5)"),
        (ss.PurityCoverage(beta=np.float64(0.5)), "purity-coverage(beta=0.5)"),
    ],
)
def test_numbers_of_numpy_are_plain_in_reprs_and_signatures(metric: Any, spec: str) -> None:
    assert str(metric) == spec
    assert "np." not in repr(metric)
    assert ss.metric(metric.signature()) == metric
