"""What people guess works, or tells how it is done."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss

A, B = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
CORPUS = ss.Corpus.from_dict(
    {f"d{n}": {"gold": A, "one": B, "two": A} for n in range(4)}, kinds={"one": "system"}
)


@pytest.mark.parametrize(
    "result",
    [
        ss.score([A], [B]),
        ss.compare([A], systems={"x": [B]}),
        ss.agreement(CORPUS),
        ss.curve([A], [ss.ScoredBoundaries([0.1, 0.9, 0.2, 0, 0.8, 0, 0, 0, 0, 0])], "f1"),
        ss.boundary_edits(A, B),
    ],
    ids=["result", "comparison", "agreement", "curve", "edits"],
)
def test_every_result_exports_its_table(result: Any) -> None:
    assert result.to_latex() == result.render("latex")
    assert r"\begin{tabular}" in result.to_latex()
    assert result.to_markdown() == result.render("markdown")
    assert result.to_csv().splitlines()[0] == result.render("csv").splitlines()[0]


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


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("pk", "ss.Pk()(ref, hyp)"), ("wd", "ss.WindowDiff()(ref, hyp)"),
        ("window_diff", "ss.WindowDiff()(ref, hyp)"), ("f1", "ss.BoundaryMatch()(ref, hyp)"),
        ("boundary_similarity", "ss.BoundarySimilarity()(ref, hyp)"),
        ("e_pk", "ss.metric('e-pk')(ref, hyp)"), ("WindowDif", "'WindowDiff'"),
        ("Segmentations", "'Segmentation'"),
    ],
)  # fmt: skip
def test_names_of_metrics_show_the_call(name: str, says: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'") as raised:
        getattr(ss, name)
    assert says in str(raised.value)


@pytest.mark.parametrize("name", ["pk", "windowdiff", "f1", "b", "s", "winpr", "e-pk", "ari"])
def test_the_call_that_is_shown_works(name: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(ss, name.replace("-", "_"))
    call = str(raised.value).rpartition("called as ")[2]
    assert eval(call, {"ss": ss, "ref": A, "hyp": B}) == ss.metric(name)(A, B)  # noqa: S307


def test_names_complete_in_notebooks() -> None:
    assert CORPUS._ipython_key_completions_() == ["d0", "d1", "d2", "d3"]
    assert ss.score([A], [B], "pk")._ipython_key_completions_() == ["pk"]


# ---- lists of numbers ----

MASSES = [[2, 3, 6], [4, 4]], [[5, 6], [4, 4]]
BOUNDARIES = [[2, 5], [4]], [[5], [4]]


def test_lists_of_numbers_mean_the_same_in_score_compare_and_audit() -> None:
    refs, hyps = ([ss.Segmentation.from_masses(row) for row in side] for side in MASSES)
    given: list[tuple[Any, Any, dict[str, Any]]] = [
        (*MASSES, {"encoding": "masses"}),
        (*BOUNDARIES, {"encoding": "boundaries", "n_units": [11, 8]}),
    ]
    for left, right, how in given:
        assert ss.score(left, right, **how)["b"].micro == ss.score(refs, hyps)["b"].micro
        compared = ss.compare(left, systems={"x": right}, baselines=False, **how)
        plain = ss.compare(refs, systems={"x": hyps}, baselines=False)
        assert compared.to_dicts() == plain.to_dicts()
        assert ss.audit(left, right, **how).rows == ss.audit(refs, hyps).rows
    named = [dict(zip("ab", side, strict=True)) for side in BOUNDARIES]
    found = ss.score(*named, encoding="boundaries", n_units={"b": 8, "a": 11})
    assert found["b"].values.tolist() == ss.score(refs, hyps)["b"].values.tolist()


def test_compare_takes_runs_references_and_missing_hypotheses_in_numbers() -> None:
    cut = ss.Segmentation.from_masses
    runs = ss.compare(
        np.array([[0, 1, 0, 0], [1, 0, 0, 0]]),
        systems={"x": [["0100", "1000"], ["0010", "0000"]]},
        encoding="labels-end",
        baselines=(),
    )
    assert runs.n_runs("x") == 2
    assert runs["x", "pk"].sd is not None
    several = ss.compare({"d": [[2, 2], [1, 3]]}, systems={"x": {"d": [2, 2]}}, encoding="masses")
    same = ss.compare({"d": [cut([2, 2]), cut([1, 3])]}, systems={"x": {"d": cut([2, 2])}})
    assert several.to_csv() == same.to_csv()
    missing = ss.compare(
        [[2, 2], [1, 3]], systems={"x": [None, [2, 2]]}, encoding="masses", missing="none"
    )
    assert missing["x", "b"].n_failed == 1


def test_what_lists_of_numbers_lack_is_said() -> None:
    for call in (
        lambda: ss.score([[2, 3]], [[5]]),
        lambda: ss.audit([[2, 3]], [[5]]),
        lambda: ss.compare([[2, 3]], systems={"x": [[5]]}),
        lambda: ss.compare([A], systems={"x": [[5, 6]]}),
    ):
        with pytest.raises(ss.SegmentationError, match="encoding="):
            call()
    with pytest.raises(ss.SegmentationError, match="n_units is given without encoding"):
        ss.score([A], [B], n_units=11)
    with pytest.raises(ss.SegmentationError, match="n_units lacks document 'b'"):
        ss.score({"b": [2]}, {"b": [2]}, encoding="boundaries", n_units={"a": 3})
    with pytest.raises(ss.SegmentationError, match=r"d0 \(system 'x'\)"):
        ss.compare({"d0": [2, 2]}, systems={"x": {"d0": [0, 4]}}, encoding="masses")
    with pytest.raises(ss.SegmentationError, match="systems is"):
        ss.compare([[2, 2]], systems=[[2, 2]], encoding="masses")
    with pytest.raises(ss.SegmentationError, match="none for files"):
        ss.compare(CORPUS, systems={"x": [[2, 2]]}, encoding="masses")


def test_baselines_are_the_usual_ones_or_none() -> None:
    rows = [ss.compare([A], systems={"x": [B]}, baselines=which).rows for which in (True, False)]
    assert rows == [["x", "none", "random", "uniform"], ["x"]]


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
