"""Hypotheses that are missing: an error, left out, one segment, or wrong throughout."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss

cut = ss.Segmentation.from_masses
REFS = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
HYPS = {name: cut([3, 5, coding.n_units - 8]) for name, coding in list(REFS.items())[:5]}
LOST = ["d5", "d6", "d7"]
FILLED = HYPS | {name: cut([REFS[name].n_units]) for name in LOST}
ALL = ("pk", "windowdiff", "f1", "segment-f1", "s", "b")


def as_corpus(codings: dict[str, ss.Segmentation], coder: str) -> ss.Corpus:
    return ss.Corpus.from_dict({name: {coder: coding} for name, coding in codings.items()})


def sides() -> list[tuple[Any, Any]]:
    """The same documents in every way that score takes them."""
    in_order = [HYPS.get(name) for name in REFS]
    return [
        (REFS, HYPS),
        (REFS, {name: HYPS.get(name) for name in REFS}),
        (as_corpus(REFS, "r"), as_corpus(HYPS, "h")),
        (as_corpus(REFS, "r"), HYPS),
        (list(REFS.values()), in_order),
    ]


@pytest.mark.parametrize("given_as", range(5))
def test_a_missing_hypothesis_counts_as_one_segment(given_as: int) -> None:
    refs, hyps = sides()[given_as]
    metrics = [*ALL, "winpr", "ghd", "ari", "covering"]
    found = ss.score(refs, hyps, metrics, missing="none")
    expected = ss.score(REFS, FILLED, metrics)
    for key in metrics:
        assert np.array_equal(found[key].statistics.rows, expected[key].statistics.rows)
        assert "|missing:none|" in found[key].signature
        assert ss.metric(found[key].signature) == ss.metric(key)
    assert found.failures is not None
    assert (len(found.failures), found.failures.share) == (3, 3 / 8)


def test_lists_of_numbers() -> None:
    found = ss.score([[2, 3], [4, 4]], [[3, 2], None], "pk", encoding="masses", missing="none")
    assert found["pk"].values.tolist() == [0.5, ss.Pk()(cut([4, 4]), cut([8])).value]
    left = ss.score([[2, 3], [4, 4]], [[3, 2], None], "pk", encoding="masses", missing="skip")
    assert left.documents == ("0",)


def test_worst_statistics() -> None:
    rows = {
        key: scores.statistics.rows[5]
        for key, scores in ss.score(REFS, HYPS, [*ALL, "f1(ends=both)"], missing="worst").items()
    }
    windows = ss.Pk()(REFS["d5"], cut([14])).windows
    assert rows["pk"].tolist() == [windows, 0, windows]
    assert rows["windowdiff"].tolist() == [windows, windows, windows]
    assert rows["f1"].tolist() == [0, 0, 2]
    assert rows["f1(ends=both)"].tolist() == [0, 0, 4]  # the ends are of the reference
    assert rows["segment-f1"].tolist() == [0, 3, 0]
    assert rows["s"].tolist() == [13, 13]
    assert rows["b"].tolist() == [0, 0, 2, 0, 0, 2, 13]


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.sampled_from(ALL))
def test_worst_is_never_better_than_any_hypothesis(masses: list[int], key: str) -> None:
    ref = cut(masses)
    metric = ss.metric(key)
    worst = ss.score([ref], [None], key, missing="worst", on_undefined="nan")[key].values[0]
    assert worst == metric.value_range[0 if metric.higher_is_better else 1] or np.isnan(worst)


def test_worst_of_a_reference_without_boundaries() -> None:
    found = ss.score({"a": cut([5])}, {}, ["b", "s", "pk", "segment-f1"], missing="worst")
    assert [float(scores.values[0]) for scores in found.values()] == [0, 0, 1, 0]
    with pytest.raises(ss.SegmentationError, match="neither side"):
        ss.score({"a": cut([5])}, {}, "f1", missing="worst")


@pytest.mark.parametrize(
    "key", ["ari", "winpr", "ghd", "multwindowdiff", "windowdiff(weighted=yes)"]
)
def test_metrics_without_a_worst_name_none(key: str) -> None:
    with pytest.raises(ss.SegmentationError, match="no worst value .* missing='none'"):
        ss.score(REFS, HYPS, key, missing="worst")


def test_labels_of_what_is_missing() -> None:
    ref = {"a": cut([2, 3], segment_labels=["x", "y"])}
    with pytest.raises(ss.SegmentationError, match="undefined"):  # one segment has no label
        ss.score(ref, {}, "segment-f1(labels=yes)", missing="none")
    found = ss.score(ref, {}, "segment-f1(labels=yes)", missing="worst")
    assert found["segment-f1(labels=yes)"].micro == 0


def test_levels_and_ranks_of_what_is_missing() -> None:
    levels = ss.Levels([cut([4, 4]), cut([2, 2, 4])])
    refs, uncut = {"a": levels, "b": levels}, ss.Levels([cut([8])])
    found = ss.score(refs, {"a": levels}, "t-measure", missing="none")["t-measure"]
    assert (
        found.values.tolist()
        == ss.score(refs, {"a": levels, "b": uncut}, "t-measure")["t-measure"].values.tolist()
    )
    ranked = {"a": ss.Segmentation.from_boundaries([2, 4], 8, ranks=[2, 1]), "b": cut([4, 4])}
    result = ss.score(ranked, {"a": ranked["a"]}, "e-pk", missing="none")
    assert result["e-pk"].n_documents == 2


def test_skip_warns_and_gives_a_row_with_the_reason() -> None:
    found = ss.score(REFS, HYPS, "pk", missing="skip")
    assert found["pk"].n_documents == 5
    table = found.to_table()
    assert re.search(r"3.*8 hypotheses.*37\.5", table.warnings[0])
    assert found.to_dicts()[5]["failure"] == "no hypothesis"
    assert np.isnan(found.to_dicts()[5]["pk"])
    assert "|missing:skip|" in found["pk"].signature
    assert [row["failed"] for row in table.records()] == [3]
    assert not ss.score(REFS, FILLED, "pk", missing="skip").to_table().warnings


def test_a_missing_reference_stays_an_error() -> None:
    for missing in ("none", "worst"):
        with pytest.raises(ss.SegmentationError, match="no reference .*'new'"):
            ss.score(as_corpus(REFS, "r"), HYPS | {"new": cut([3])}, missing=missing)
        with pytest.raises(ss.SegmentationError, match="no reference for 'new'"):
            ss.compare(REFS, systems={"s": HYPS | {"new": cut([3])}}, missing=missing)


# ---- compare ----


@pytest.mark.parametrize("missing", ["none", "worst"])
def test_compare_counts_what_score_counts(missing: Any) -> None:
    systems = {"all": FILLED, "some": HYPS}
    metrics = ["pk", "b", "f1"]
    found = ss.compare(REFS, systems=systems, metrics=metrics, missing=missing, n_resamples=20)
    for key in metrics:
        expected = ss.score(REFS, HYPS, key, missing=missing)[key].micro
        assert found["some", key].value == pytest.approx(float(expected))
        assert f"|missing:{missing}|" in found.signature("some", key)
        assert "missing" not in found.signature("all", key)
    assert found["some", "pk"].n_failed == 3
    assert found["all", "pk"].n_failed == 0
    assert any(re.search("3.*8 hypotheses", warning) for warning in found.warnings)
    records = found.to_table().records()
    assert [row["failed_share"] for row in records[:3]] == [0, 0.375, None]


def test_runs_that_share_out_documents_did_them() -> None:
    names = list(REFS)
    folds = [{name: FILLED[name] for name in part} for part in (names[:4], names[4:7])]
    found = ss.compare(REFS, systems={"s": folds}, metrics="pk", missing="none", n_resamples=20)
    assert found.failures["s"].reasons == {"d7": "no hypothesis"}
    folds[0]["d7"] = FILLED["d7"]
    expected = ss.compare(REFS, systems={"s": folds}, metrics="pk", n_resamples=20)
    assert found["s", "pk"].value == expected["s", "pk"].value


# ---- curve and audit ----


def test_missing_scores_are_below_every_threshold() -> None:
    refs = [cut([2, 3, 1]), cut([4, 2])]
    scores = [[0.1, 0.9, 0.3, 0.2, 0.4], None]
    found = ss.curve(refs, scores, ["f1", "pk"], missing="none", n_resamples=9)
    assert found.n_documents == 2
    for place, threshold in enumerate(found.thresholds):
        hyps = [ss.ScoredBoundaries(scores[0]).at(threshold), cut([6])]  # type: ignore[arg-type]
        for key in ("f1", "pk"):
            value = ss.score(refs, hyps, key)[key].micro
            assert found.values(key)[place] == pytest.approx(float(value))
    assert "1 of 2 hypotheses is missing (50 %), counted as one segment" in str(found)
    with pytest.raises(ss.SegmentationError, match="curve has no worst"):
        ss.curve(refs, scores, missing="worst")


def test_audit_counts_one_segment() -> None:
    found = ss.audit(REFS, HYPS, missing="none")
    assert found.to_dicts() == ss.audit(REFS, FILLED).to_dicts()
    assert "3 of 8 hypotheses are missing" in str(found)
    with pytest.raises(ss.SegmentationError, match="missing='none'"):
        ss.audit(REFS, HYPS, missing="worst")


# ---- files and the command line ----
