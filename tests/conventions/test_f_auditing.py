"""audit of F1: one pair, six numbers; averages; which program printed a given number."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import f_conventions as oracle
from segscore.conventions import audit, f_counting
from strategies import pairs

cut = ss.Segmentation.from_masses

# "F1 at 10 s": starts 0 60 180 300 600 and 0 65 170 310 400 in 900 s.
REF = ss.Segmentation.from_boundaries([60, 180, 300, 600], 900)
HYP = ss.Segmentation.from_boundaries([65, 170, 310, 400], 900)
AT_TEN = {
    "ruptures": 0.25,
    "chapter-llama": 0.25,
    "vidchapters": 0.40,
    "segscore": 0.75,
    "mir_eval-trimmed": 0.75,
    "pyannote": 0.75,
    "chunkseg-collar": 0.75,
    "tcpdbench": 0.80,
    "mir_eval": 5 / 6,
}


def test_one_pair_has_six_numbers() -> None:
    found = audit(REF, HYP, tolerance=10, measures=["f1"])
    assert {row.convention: row.prints for row in found.rows} == pytest.approx(AT_TEN)
    assert "0.2500 … 0.8333" in str(found)
    settings: dict[str, dict[str, Any]] = {
        "ruptures": {"strict": True},
        "chapter-llama": {"strict": True, "matching": "many"},
        "vidchapters": {"strict": True, "matching": "many", "ends": "start"},
        "segscore": {},
        "tcpdbench": {"ends": "start"},
        "mir_eval": {"ends": "both"},
    }
    for name, setting in settings.items():
        assert ss.BoundaryMatch(10, **setting)(REF, HYP) == pytest.approx(AT_TEN[name]), name


def test_a_tolerance_of_zero() -> None:
    found = audit(REF, REF, measures=["f1"])
    for name in ("ruptures", "vidchapters", "chapter-llama"):
        row = found[name, "f1"]
        assert math.isnan(row.value)
        assert math.isnan(row.prints)
        assert row.note == "needs a tolerance above 0 (tolerance=)"
    assert found["segscore", "f1"].value == 1


def test_what_they_print_of_nothing() -> None:
    whole, parts = cut([10]), cut([5, 5])
    found = audit(whole, whole, tolerance=2)
    assert math.isnan(found["segscore", "f1"].value)
    assert math.isnan(found["segscore", "f1"].prints)
    assert found["pyannote", "f1"].prints == 1  # nothing against nothing is perfect
    assert found["mir_eval-trimmed", "f1"].prints == 0
    assert found["ruptures", "f1"].prints == 0
    assert math.isnan(audit(whole, parts, tolerance=2)["ruptures", "f1"].prints)  # it fails


# ---- a corpus ----

REFS = [REF, cut([300, 300, 300]), cut([900])]
HYPS = [HYP, cut([290, 310, 300]), cut([450, 450])]


def test_three_averages() -> None:
    found = audit(REFS, HYPS, tolerance=10)
    ours = ss.score(REFS, HYPS, "f1(tolerance=10)")["f1(tolerance=10)"]
    assert found["segscore", "f1", "mean"].value == pytest.approx(ours.macro)
    assert found["segscore", "f1", "pooled"].value == pytest.approx(ours.micro)
    row = found["vidchapters", "f1", "mean-rates"]
    metric = ss.BoundaryMatch(10, strict=True, matching="many", ends="start")
    scores = [metric(*pair) for pair in zip(REFS, HYPS, strict=True)]
    p = sum(score.precision for score in scores) / 3
    r = sum(score.recall for score in scores) / 3
    assert row.value == pytest.approx(2 * p * r / (p + r))
    assert row.note == "how it averages documents itself"


def test_overlap_conventions_are_our_metrics() -> None:
    found = audit(REFS, HYPS, measures=["segment-f1"])

    def over(thresholds: list[float], **settings: Any) -> list[Any]:
        metrics = [
            ss.SegmentMatch(threshold, matching="any", **settings) for threshold in thresholds
        ]
        return [ss.score(REFS, HYPS, metric)[metric] for metric in metrics]

    llama = over([percent / 100 for percent in range(50, 100, 5)])
    expected = sum(result.macro for result in llama) / len(llama)
    assert found["chapter-llama-iou", "segment-f1", "mean"].value == pytest.approx(expected)
    total = 0.0
    for result in over([0.3, 0.5, 0.7, 0.9], strict=True):
        rates = [result.metric.part_values(result.statistics.rows)[name].mean()
                 for name in ("precision", "recall")]  # fmt: skip
        total += 2 * rates[0] * rates[1] / sum(rates)
    row = found["vidchapters-iou", "segment-f1", "mean-rates"]
    assert row.value == pytest.approx(total / 4)
    soda = ss.SegmentMatch(matching="soda")
    assert found["soda", "segment-f1", "mean"].value == pytest.approx(
        ss.score(REFS, HYPS, soda)[soda].macro
    )


def test_conventions_of_labels_need_labels() -> None:
    named = {row.convention for row in audit(REFS, HYPS).rows}
    assert not named & {"f1@10", "f1@50", "seqeval"}
    ref = cut([3, 2, 5], segment_labels=["background", "a", "b"])
    hyp = cut([3, 1, 1, 5], segment_labels=["background", "a", "a", "b"])
    found = audit(ref, hyp)
    # a program that sees frames takes a, a for one segment; seqeval sees two entities
    assert found["f1@50", "segment-f1"].value == 1
    assert found["f1@50-no-background", "segment-f1"].value == 1
    assert found["seqeval", "segment-f1"].value == pytest.approx(2 * 2 / 7)
    plain = [
        segmentation.with_segment_labels(["x", "a", "b", "c"][: segmentation.n_segments])
        for segmentation in (ref, hyp)
    ]
    assert "f1@50-no-background" not in {row.convention for row in audit(*plain).rows}
    several = ref.with_segment_labels([{"a", "b"}, "c", "d"])
    assert "f1@50" not in {row.convention for row in audit(several, hyp).rows}


# ---- against loops over single documents ----

COUNTED: dict[str, Any] = {  # convention: how it counts, the ends it adds, what is within reach
    "segscore": (oracle.optimal, "", 0),
    "mir_eval": (oracle.optimal, "both", 0),
    "pyannote": (oracle.nearest_first, "", 0),
    "ruptures": (oracle.takes_all, "", 1),
    "tcpdbench": (oracle.nearest_in_turn, "start", 0),
    "vidchapters": (oracle.any_near, "start", 1),
    "chapter-llama": (oracle.any_near, "", 1),
}


def placed(segmentation: ss.Segmentation, ends: str) -> list[int]:
    start, end = [0] * bool(ends), [segmentation.n_units] * (ends == "both")
    return [*start, *segmentation.boundaries.tolist(), *end]


def f_of_counts(counts: Any) -> float:
    hyp_found, n_hyp, ref_found, n_ref = counts
    if not n_hyp and not n_ref:
        return math.nan
    if not hyp_found or not ref_found:
        return 0.0
    precision, recall = hyp_found / n_hyp, ref_found / n_ref
    return 2 * precision * recall / (precision + recall)


@given(
    st.lists(pairs(min_units=2, max_units=70), min_size=2, max_size=5),
    st.integers(1, 12),
    st.sampled_from([2**20, 1]),
)
def test_boundaries_of_all_documents_at_once(documents: Any, tolerance: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f_counting, "_MOST_PAIRS", most)  # 1: each document in a stretch of its own
        found = audit(
            [ref for ref, _ in documents], [hyp for _, hyp in documents], tolerance=tolerance,
            measures=["f1"],
        )  # fmt: skip
    for name, (count, ends, less) in COUNTED.items():
        counts = [
            count(placed(ref, ends), placed(hyp, ends), tolerance - less) for ref, hyp in documents
        ]
        pooled = f_of_counts([sum(column) for column in zip(*counts, strict=True)])
        assert found[name, "f1", "pooled"].value == pytest.approx(pooled, rel=1e-14, nan_ok=True)
        each = [value for value in map(f_of_counts, counts) if not math.isnan(value)]
        mean = sum(each) / len(each) if each else math.nan
        assert found[name, "f1", "mean"].value == pytest.approx(mean, rel=1e-14, nan_ok=True)
