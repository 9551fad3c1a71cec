"""Parameters at and beyond what kernels can compute with: an error, or the right number.

Every whole number and every float of every metric is set to extremes. Nothing may hang, raise
anything but SegmentationError, or find two different segmentations alike.
"""

import math
from dataclasses import fields
from itertools import product
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.metrics import METRICS

WHOLE = [0, 1, -1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), 10**400]
FLOATS = [0.0, 1e-320, 1e-200, 1e-100, 1e100, 1.1e100, 1e200, 1.7e308, math.inf, -1e200, math.nan]

REF = ss.Segmentation.from_boundaries([4, 9, 20], n_units=40)
HYP = ss.Segmentation.from_boundaries([5, 9, 30], n_units=40)
NEAR = ss.Segmentation.from_boundaries([5, 9, 20], n_units=40)  # nothing but a near miss
TYPED = [
    ss.Segmentation.from_boundaries(coding.boundaries, 40, types=[{1, 2}, {3}, {1}])
    for coding in (REF, HYP)
]
# A weight of 0 is how the user says that an error does not matter.
FORGIVEN = {"w_trp", "w_t", "w_sub", "w_s", "fn_weight", "fp_weight", "insertion", "deletion"}
FORGIVEN |= {"shift", "c_miss", "c_fa", "p_seg", "tolerance"}


def parameters() -> list[tuple[str, str, bool]]:
    """Each parameter of each metric by name, and whether it is a number."""
    found = []
    for name, make in METRICS.items():
        plain: Any = make()
        inner = plain.metric if hasattr(plain, "metric") else plain
        for field in {field.name: None for each in (plain, inner) for field in fields(each)}:
            value = getattr(plain if hasattr(plain, field) else inner, field)
            if field != "metric":
                is_number = not isinstance(value, bool | str | tuple) and field != "types"
                found.append((name, field, is_number))
    return found


PARAMETERS = parameters()


@pytest.mark.parametrize(
    "wrong", [math.nan, -2.5, object(), "nonsense"], ids=["nan", "negative", "object", "text"]
)
def test_values_of_the_wrong_kind(wrong: Any) -> None:
    for name, field, _ in PARAMETERS:
        if (field, wrong) != ("ignore", "nonsense"):  # which is a label
            with pytest.raises(ss.SegmentationError, match=field):
                METRICS[name](**{field: wrong})


def is_perfect(metric: ss.Metric, value: float) -> bool:
    return value >= 1 if metric.higher_is_better else value <= 0


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name, field, is_number in PARAMETERS if is_number]
)
def test_extreme_parameters(name: str, field: str) -> None:
    for value, (ref, hyp) in product([*WHOLE, *FLOATS], [(REF, HYP), TYPED]):
        if field == "samples" and isinstance(value, int) and 10**6 < value <= 10**7:
            continue
        try:
            metric = METRICS[name](**{field: value})
            refs = [ref] if metric.many_references else ref
            score = metric(refs, hyp, on_undefined="nan")
            batch = ss.score([refs], [hyp], metrics=[metric], on_undefined="nan")[metric].values[0]
        except ss.SegmentationError as error:
            text = str(error)
            assert field in text or "n_t" in text, text
            assert len(text) < 300
            continue
        assert score == batch or (math.isnan(score) and math.isnan(batch))
        assert math.isnan(score) or math.isfinite(score), (value, score)
        if field not in FORGIVEN:
            assert not is_perfect(metric, float(score)), (value, score)


VAST = [
    "b(n_t={})", "b(n_t={},cost=span-1)", "b(n_t={},method=greedy)", "s(n_t={},cost=span)",
    "e-b(n_t={})", "winpr(k={})", "winpr(min_k={})", "winpr(k_offset={})", "e-winpr(k={})",
    "pk(k={},edges=pad)", "wd(k={},edges=pad)", "wd(min_k={},edges=pad)", "cseg(k={},edges=pad)",
]  # fmt: skip


@pytest.mark.parametrize("spec", VAST)
def test_parameters_larger_than_the_document(spec: str) -> None:
    """A near miss is never a match: it costs something, or the parameter is refused."""
    for size in (40, 41, 1000, 10**6, 2**31 - 1):
        metric = ss.metric(spec.format(size))
        assert not is_perfect(metric, float(metric(REF, NEAR)))
        assert ss.score([REF], [NEAR], metric)[metric].micro == metric(REF, NEAR)
    for size in (2**31, 2**40, 2**53):
        metric = ss.metric(spec.format(size))
        field = next(name for name in ("n_t", "min_k", "k_offset", "k") if f"{name}=" in spec)
        message = f"document 0.*{field} is {size}.*document has 40"
        with pytest.raises(ss.SegmentationError, match=message):
            metric(REF, NEAR)
        with pytest.raises(ss.SegmentationError, match=message):
            ss.score([REF], [NEAR], metric)


@pytest.mark.parametrize("cost", ["unit", "halving"])
def test_n_t_beyond_the_document_is_any_distance_where_no_share_of_it_counts(cost: str) -> None:
    costs = [ss.BoundarySimilarity(n_t=n_t, cost=cost)(REF, NEAR) for n_t in (39, 2**53)]  # type: ignore[arg-type]
    assert costs[0] == costs[1] < 1


def test_large_and_small_costs_of_ghd_do_not_swallow_each_other() -> None:
    """A shift by one costs 1, however dear insertions are."""
    assert ss.GHD(insertion=1e100, deletion=1e100)(REF, HYP) == 1 + 10
    assert ss.GHD(insertion=1e17, deletion=1e17)(REF, HYP) == 1 + 10
    assert ss.GHD(insertion=3, deletion=3, shift=1e100)(REF, HYP) == 12


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda value: ss.WindowDiff(edges=value), "edges"),
        (lambda value: ss.WindowDiff(weighted=value), "weighted"),
        (lambda value: ss.WindowDiff(k=value), "k"),
        (lambda value: ss.BoundarySimilarity(w_t=value), "w_t"),
        (lambda value: ss.Pk()(REF, HYP, on_undefined=value), "on_undefined"),
        (lambda value: ss.score([REF], [HYP], on_undefined=value), "on_undefined"),
        (lambda value: ss.Segmentation.from_labels([0, 1], marks=value), "marks"),
    ],
)
@pytest.mark.parametrize(
    "value",
    [np.array(["drop"]), np.array(-5), np.array([1, 2]), ["drop"]],
    ids=["texts", "0-d", "numbers", "list"],
)
def test_arrays_as_options(make: Any, field: str, value: Any) -> None:
    with pytest.raises(ss.SegmentationError, match=f"{field} is"):
        make(value)


def test_a_function_as_cost_is_not_asked_for_millions_of_distances() -> None:
    far = [ss.Segmentation.from_boundaries([p], n_units=10**9) for p in (5, 9)]
    with pytest.raises(ss.SegmentationError, match="at most 1000000"):
        ss.BoundarySimilarity(2**53, cost=lambda d: d)(*far)
