"""Parts that are not scored, cut out of both sides; times as positions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.cli import run
from segscore.corpus.provenance import Provenance
from segscore.pairing.masks import cut_out, read_uem, uem_mask
from strategies import segmentations

masses = ss.Segmentation.from_masses


@given(segmentations(max_units=30), st.data())
def test_to_cut_out_is_to_take_units_away(coding: ss.Segmentation, data: st.DataObject) -> None:
    n = coding.n_units
    part = st.tuples(st.integers(0, n - 1), st.integers(1, n)).filter(
        lambda span: span[0] < span[1]
    )
    mask = data.draw(st.lists(part, max_size=3))
    labelled = coding.with_segment_labels([f"s{i}" for i in range(coding.n_segments)])
    ids = np.repeat(np.arange(coding.n_segments), coding.masses)
    kept = np.ones(n, bool)
    for start, end in mask:
        kept[start:end] = False
    if not kept.any():
        with pytest.raises(ss.SegmentationError, match="covers all"):
            cut_out(labelled, mask)
        return
    left = ids[kept].tolist()
    names = [f"s{segment_id}" for segment_id in dict.fromkeys(left)]
    assert cut_out(labelled, mask) == ss.Segmentation.from_segment_ids(left, segment_labels=names)


def test_ranks_types_and_candidates() -> None:
    coding = ss.Segmentation.from_boundaries(
        [2, 4, 5, 8], 10, ranks=[3, 2, 1, 4], types=["a", "b", "c", "d"],
        candidates=[1, 2, 4, 5, 6, 8, 9],
    )  # fmt: skip
    assert cut_out(coding, [(3, 6), (9, 10)]) == ss.Segmentation.from_boundaries(
        [2, 3, 5], 6, ranks=[3, 1, 4], types=["a", {"b", "c"}, "d"], candidates=[1, 2, 3, 5]
    )


def test_a_difference_inside_the_mask_does_not_count() -> None:
    refs = {"a": masses([4, 2, 4]), "b": masses([5, 5])}
    hyps = {"a": masses([4, 1, 1, 4]), "b": masses([5, 5])}
    assert ss.score(refs, hyps, "b")["b"].values[0] < 1
    result = ss.score(refs, hyps, "b", mask={"a": [(4, 6)]})
    assert result["b"].values.tolist() == [1, 1]
    assert "|mask:1 parts 2 units|" in result["b"].micro.signature
    assert ss.metric(result["b"].micro.signature) == ss.metric("b")
    both = ss.score(refs, hyps, "b", mask=[(4, 6), (0, 1)])
    assert "|mask:4 parts 6 units|" in both["b"].micro.signature
    assert both["b"].values.tolist() == [1, 1]


def test_many_references() -> None:
    pairs = ss.Pairs.from_segmentations([[masses([4, 6]), masses([5, 5])]], [masses([4, 6])])
    cut = pairs.masked([(0, 2)])
    assert [reference.masses.tolist() for reference in cut.references(0)] == [[2, 6], [3, 5]]


# ---- UEM ----


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, middle in (("ref", 40), ("hyp", 45)):
        (tmp_path / name).mkdir()
        lines = f"0 {middle} a\n{middle} 60 b\n60 100 c\n"
        (tmp_path / name / "talk.lab").write_text(lines)
    return tmp_path


def test_uem_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.uem").write_text(";; scored\ntalk 1 0.0 38.5\n\ntalk 1 50 100\n")
    command = ["score", "ref", "hyp", "--units", "seconds:1", "-m", "b", "-f", "json"]
    assert run([*command, "--mask", "38.5s:49.5s"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["micro"] == 1
    assert "|mask:1 parts 12 units|" in row["signature"]
    for more, error in (
        (["--mask", "x.uem", "--mask", "1:2"], "UEM file alone"),
        (["--mask", "5"], "--mask is '5'"),
        (["--mask", "5:x"], "--mask is '5:x'"),
    ):
        assert run([*command, *more]) == 2
        assert error in capsys.readouterr().err


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=4))
def test_uem_is_the_rest(parts: list[tuple[int, int]]) -> None:
    n = 40
    known = Provenance.of("seconds:1")
    regions = {"d": [(start * 10**6, (start + length) * 10**6) for start, length in parts]}
    scored = {unit for start, length in parts for unit in range(start, start + length)}
    (mask,) = uem_mask(regions, {"d": n}, known).values()
    cut: list[int] = [unit for a, b in mask for unit in range(int(a), int(b))]
    assert sorted(cut) == cut == sorted(set(range(n)) - scored)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("talk 1 0\n", "line 1.*'talk 1 0'.*RECORDING CHANNEL"),
        ("talk 1 5 5\n", "line 1.*end after the start"),
        ("talk 1 x 5\n", "line 1: 'x'"),
        (";; no\n", "no part is scored"),
    ],
)
def test_uem_files_that_are_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.uem").write_text(content)
    with pytest.raises(ss.SegmentationError, match=message):
        read_uem(tmp_path / "x.uem")


def test_uem_needs_times_and_all_documents() -> None:
    with pytest.raises(ss.SegmentationError, match="no known duration"):
        uem_mask({"d": [(0, 1)]}, {"d": 4}, Provenance.of("sentences"))
    with pytest.raises(ss.SegmentationError, match="document 'd'.*UEM file"):
        uem_mask({"e": [(0, 1)]}, {"d": 4}, Provenance.of("seconds:1"))


def test_corpora_lose_their_text_too() -> None:
    corpus = ss.Corpus.from_dict(
        {"d": {"a": masses([2, 3])}}, units={"d": list("vwxyz")}, labels={"d": {"a": ["p", "q"]}}
    )
    cut = cut_out(corpus, {"d": [(1, 3)]})
    assert cut["d"].units == ("v", "y", "z")
    assert cut["d"]["a"] == masses([1, 2]).with_segment_labels(["p", "q"])
    with pytest.raises(ss.SegmentationError, match="mask names the document 'e'"):
        cut_out(corpus, {"e": [(1, 3)]})
    with pytest.raises(ss.SegmentationError, match="document 'd'.*mask covers"):
        cut_out(corpus, [(0, 5)])


# ---- the same everywhere ----


@given(
    st.lists(st.sampled_from([None, 0.1, 0.2, 0.5, 0.5, 0.9]), min_size=1, max_size=20), st.data()
)
def test_scores_without_some_parts(scores: list[float | None], data: st.DataObject) -> None:
    """At each threshold, masked scores give the masked segmentation."""
    scored = ss.ScoredBoundaries(scores)
    n = scored.n_units
    part = st.tuples(st.integers(0, n - 1), st.integers(1, n)).filter(
        lambda span: span[0] < span[1]
    )
    mask = data.draw(st.lists(part, max_size=3))
    kept = set(range(n)) - {unit for start, end in mask for unit in range(start, end)}
    if not kept:
        with pytest.raises(ss.SegmentationError, match="covers all"):
            ss.corpus.cut_out(scored, mask)
        return
    cut = ss.corpus.cut_out(scored, mask)
    for threshold in (0.1, 0.2, 0.5, 0.9, 1):
        assert cut.at(threshold) == ss.corpus.cut_out(scored.at(threshold), mask)


def corpora() -> tuple[ss.Corpus, ss.Corpus]:
    refs = {"a": {"ann": masses([4, 2, 4]), "bob": masses([4, 6])}, "b": {"ann": masses([5, 5])}}
    hyps = {"a": {"c99": masses([4, 1, 1, 4])}, "b": {"c99": masses([3, 2, 5])}}
    texts = {"a": list("abcdefghij"), "b": list("klmnopqrst")}
    return ss.Corpus.from_dict(refs, units=texts), ss.Corpus.from_dict(hyps, units=texts)


@pytest.mark.parametrize("mask", [[(4, 6)], {"a": [(4, 6)], "b": [(2, 3)]}, {"b": [(0, 4)]}])
def test_compare_cuts_out_what_score_cuts_out(mask: Any) -> None:
    refs, hyps = corpora()
    asked: dict[str, Any] = {"metrics": ["b", "windowdiff"], "mask": mask}
    found = ss.compare(refs, "ann", {"c99": hyps}, baselines=(), **asked)
    expected = ss.score(refs, hyps, reference="ann", **asked)
    for name in asked["metrics"]:
        assert found["c99", name].value == expected[name].micro
        assert found.values(name)["c99"].tolist() == expected[name].values.tolist()
        assert found.signatures[name] == expected[name].micro.signature
    compared = ss.compare(refs, "ann", ["bob"], missing="skip", baselines=(), **asked)
    assert compared["bob", "b"].value == ss.score(
        refs, reference="ann", hypothesis="bob", missing="skip", **asked
    )["b"].micro  # fmt: skip
    background = found.background["a"]
    n_units = ss.corpus.cut_out(refs, mask)["a"].n_units
    assert {coding.n_units for coding in background.codings.values()} == {n_units}
    assert background.units is not None
    assert len(background.units) == n_units


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ("4:5", "document 'a': mask is '4:5'"),
        ([(1,)], r"document 'a': mask\[0\] is \(1,\)"),
        ([(5, 4)], "document 'a'.*goes from 5 to 4"),
        ([("x", "y")], "document 'a'.*no known duration"),
        ([(0, 11)], "document 'a'.*part of the document's 10 units"),
        ({"z": [(0, 1)]}, "mask names the document 'z'"),
        ([(0, 10)], "document 'a'.*mask covers.*10 units"),
    ],
)
def test_what_compare_and_others_refuse(mask: Any, message: str) -> None:
    refs, hyps = corpora()
    refs = refs.select(coders=["ann"])
    scores = {"a": [0.5] * 9, "b": [0.5] * 9}
    for call in (
        lambda: ss.score(refs, hyps, mask=mask),
        lambda: ss.compare(refs, "ann", {"c99": hyps}, mask=mask),
        lambda: ss.audit(refs, hyps, mask=mask),
        lambda: ss.check(refs, hyps, mask=mask),
        lambda: ss.curve(refs, scores, mask=mask),
        lambda: ss.corpus.cut_out(refs, mask),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            call()
    with pytest.raises(ss.SegmentationError, match="expected a Segmentation, ScoredBoundaries"):
        ss.corpus.cut_out("abc", mask)  # type: ignore[type-var]


def test_other_lengths_are_an_error_with_a_mask() -> None:
    """It is an error even if both sides have the same length without the masked part."""
    refs, hyps = {"a": masses([4, 6])}, {"a": masses([4, 5])}
    with pytest.raises(ss.SegmentationError, match="10 units.* 9 units.*system 'x'"):
        ss.compare(refs, systems={"x": hyps}, mask={"a": [(0, 10 - 1)]})
    assert [finding.kind for finding in ss.check(refs, hyps, mask=[(0, 1)])] == ["one-unit-more"]


def test_audit_and_curve_without_some_parts() -> None:
    refs, hyps = corpora()
    refs = refs.select(coders=["ann"])
    audited = ss.audit(refs, hyps, mask=[(4, 6)])
    paper = audited["paper", "windowdiff", "windows"]
    assert paper.value == ss.score(refs, hyps, "windowdiff", mask=[(4, 6)])["windowdiff"].micro
    assert audited.provenance.fields == {"mask": "2 parts 4 units"}
    scores = {"a": np.arange(9) / 10, "b": np.arange(9)[::-1] / 10}
    made = ss.curve(refs, scores, ["b"], n_resamples=9, mask={"a": [(4, 6)]},
                    development=({"c": masses([2, 3])}, {"c": [0.1, 0.2, 0.3, 0.4]}))  # fmt: skip
    at = {name: ss.ScoredBoundaries(values).at(0.4) for name, values in scores.items()}
    expected = ss.score(refs, at, "b", mask={"a": [(4, 6)]})["b"].micro
    assert made.values("b")[list(made.thresholds).index(0.4)] == expected
    assert made.provenance.fields == {"mask": "1 parts 2 units"}


def test_commands_without_some_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.uem").write_text("talk 1 0.0 38.5\ntalk 1 50 100\n")
    (folder / "s.jsonl").write_text(json.dumps({"document": "talk", "scores": [0.5] * 99}) + "\n")
    times = ["--units", "seconds:1"]
    both = ["ref", "hyp", *times]
    for command in (
        ["compare", *both, "--resamples", "20", "-f", "json"],
        ["audit", *both],
        ["agree", "ref", "hyp", *times, "--show", "pairwise"],
        ["agree", "ref", "hyp", *times],
        ["curve", "ref", "s.jsonl", *times, "--resamples", "9"],
    ):
        seen = set()
        for more in (["--mask", "38:50"], ["--mask", "x.uem"], []):
            assert run([*command, *more]) == 0, command
            shown = capsys.readouterr().out
            assert ("mask" in shown and "1 parts 12 units" in " ".join(shown.split())) is bool(more)
            seen.add(shown)
        assert len(seen) == 2
    assert run(["check", *both, "--mask", "x.uem", "-f", "json"]) == 0
    assert capsys.readouterr().out == "[]\n"


# ---- from_times ----


def test_times_become_positions() -> None:
    from_times = ss.Segmentation.from_times
    assert from_times([0, 62.5, 130], 300).boundaries.tolist() == [62500, 130000]
    assert from_times(np.array([0, 62.5, 130.0]), 300.0004).n_units == 300000
    assert from_times([0, 0.1 + 0.2], 1, 0.1).boundaries.tolist() == [3]
    assert from_times([], 5, 1) == masses([5])
    named = from_times([0, 10], 30, 1, segment_labels=["intro", "rest"])
    assert named.segment_labels == ("intro", "rest")
    hours = from_times([3600 * i for i in range(1000)], 3600 * 1000, 1e-6)
    assert hours.n_units == 36 * 10**14 // 1000
    assert ss.WindowDiff()(hours, hours) == 0  # in as little time as any


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (([5, 5], 10, 1), r"starts\[1\] is 5"),
        (([0.2], 10, 1), "least half a unit"),
        (([-1], 10, 1), r"starts\[0\] is -1: expected seconds"),
        ((["5"], 10, 1), r"starts\[0\] is '5'"),
        (([], 1, 0), "resolution is 0"),
        (([], 1, 5), "least one unit"),
    ],
)
def test_times_that_are_refused(given_: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Segmentation.from_times(*given_)
