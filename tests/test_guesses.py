"""What people guess works, or tells how it is done."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss

A, B = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
CORPUS = ss.Corpus.from_dict(
    {f"d{n}": {"gold": A, "one": B, "two": A} for n in range(4)}, kinds={"one": "system"}
)


def test_any_name_of_a_metric_finds_it() -> None:
    result = ss.score([A], [B], ["windowdiff", "f1(tolerance=1)"])
    assert result["wd"] is result["windowdiff"]
    assert result[ss.WindowDiff()] is result["WindowDiff"]
    assert result["f1(tolerance=1,beta=1)"] is result["f1(tolerance=1)"]
    assert "wd" in result
    assert ss.score([A], [B], "wd")["windowdiff"].key == "wd"
    for name in ("wd(k=3)", "f1", "nothing", 5):
        with pytest.raises(KeyError, match="windowdiff"):
            result[name]  # type: ignore[index]
    compared = ss.compare([A], systems={"x": [B]}, metrics="windowdiff")
    assert compared["x", "wd"] is compared["x", "windowdiff"]
    assert compared.values("wd").keys() == compared.values("windowdiff").keys()
    with pytest.raises(KeyError, match="pk"):
        compared["x", "pk"]


def test_ci_is_the_interval_or_says_where_one_is() -> None:
    scores = ss.score([A], [B], "pk")["pk"]
    for score in (scores, scores.micro, ss.Pk()(A, B)):
        with pytest.raises(AttributeError, match=r"ss\.compare"):
            score.ci  # noqa: B018
    assert ss.score([A], [B], "pk").with_intervals([(0.1, 0.4)])["pk"].ci == (0.1, 0.4)


@pytest.mark.parametrize("name", ["pk", "windowdiff", "f1", "b", "s", "winpr", "e-pk", "ari"])
def test_the_call_that_is_shown_works(name: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(ss, name.replace("-", "_"))
    call = str(raised.value).rpartition("called as ")[2]
    assert eval(call, {"ss": ss, "ref": A, "hyp": B}) == ss.metric(name)(A, B)  # noqa: S307


# ---- writing ----


def test_write_takes_segmentations(tmp_path: Path) -> None:
    path = tmp_path / "ours.jsonl"
    for given, names in (([A, B], ["0", "1"]), ({"x": A, "y": B}, ["x", "y"]), (A, ["0"])):
        ss.write(given, path)
        read = ss.read(path)
        assert list(read) == names
        assert read.coders == ("ours",)
        assert read[names[0]]["ours"] == A
    ss.write({"x": {"ann": A, "bob": B}}, path)
    assert [json.loads(line)["coder"] for line in path.read_text().splitlines()] == ["ann", "bob"]
    for wrong in ([[2, 3, 6]], {"x": [2, 3]}, [A, 5]):
        with pytest.raises(ss.SegmentationError, match="expected a Segmentation"):
            ss.write(wrong, path)  # type: ignore[arg-type]


# ---- options ----


def test_options_for_reading_are_passed_on_or_refused(tmp_path: Path) -> None:
    ref, hyp = tmp_path / "ref.csv", tmp_path / "hyp.csv"
    rows = "document;coder;masses\nd;{};2 3 6\ne;{};4 4\n"
    for path, coder in ((ref, "Zoë"), (hyp, "Jürg")):
        path.write_bytes(rows.format(coder, coder).encode("cp1252"))
    how: dict[str, Any] = {"text_encoding": "cp1252"}
    assert ss.score(ref, hyp, "pk", **how)["pk"].micro == 0
    compared = ss.compare(ref, systems={"x": hyp}, metrics="pk", baselines=False, **how)
    assert compared["x", "pk"].value == 0
    assert ss.compare(ref, systems=[hyp], metrics="pk", **how).systems == ["Jürg"]
    assert ss.audit(ref, hyp, **how)["paper", "pk", "mean"].value == 0
    assert ss.check(ref, hyp, **how) == []
    with pytest.raises(ss.SegmentationError, match="utf-8"):
        ss.score(ref, hyp)
    with pytest.raises(ss.SegmentationError, match="no column is called 'x'"):
        ss.score(ref, hyp, ignore_columns=["x"], **how)
    for call in (
        lambda: ss.score([A], [B], **how),
        lambda: ss.compare([A], systems={"x": [B]}, **how),
        lambda: ss.audit([A], [B], **how),
        lambda: ss.check([A], [B], **how),
        lambda: ss.curve([A], [[0.1] * 10], **how),
    ):
        with pytest.raises(ss.SegmentationError, match="text_encoding.*no path"):
            call()


def test_results_have_what_the_contract_names(tmp_path: Path) -> None:
    found = ss.agreement(CORPUS, draws=20, level=0.8, rng=3)
    assert found.alpha == ss.coders.krippendorff_alpha(CORPUS, rng=3)
    assert found.pairwise().mean == ss.coders.pairwise(CORPUS, "b").mean
    settings: dict[str, Any] = {"draws": 20, "rng": 3}
    assert str(found.clusters()) == str(ss.coders.coder_clusters(CORPUS, **settings))
    settings["level"] = 0.8
    assert str(found.who_deviates()) == str(ss.coders.who_deviates(CORPUS, **settings))
    assert str(found.habits()) == str(ss.coders.boundaries_per_coder(CORPUS))
    with pytest.raises(ss.SegmentationError, match="is a part"):
        next(iter(found.documents.values())).habits()
    compared = ss.compare([A, B], systems={"x": [B, B]}, metrics="b", n_resamples=20)
    assert str(compared.table) == str(compared)
    assert compared.verdict[0] in compared.summary()
    assert CORPUS.consensus(0.5) == ss.consensus(CORPUS, 0.5)
    (tmp_path / "s.jsonl").write_text('{"document": "d", "scores": [0.1, 0.2, 0.3]}\n')
    assert ss.read(tmp_path / "s.jsonl", "scores")["d"].scores.tolist() == [0.1, 0.2, 0.3]
    with pytest.raises(TypeError, match="layer"):
        ss.read(tmp_path / "s.jsonl", "scores", layer="x")


# ---- what people write first, and what they are told ----


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
