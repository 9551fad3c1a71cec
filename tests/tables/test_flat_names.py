"""Results as flat dicts of floats, with names that experiment trackers take."""

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.tables.tabular import flat_name, flat_numbers

cut = ss.Segmentation.from_masses
REFS = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
HYPS = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
ALLOWED = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")  # MLflow, W&B and TensorBoard


def comparison() -> ss.Comparison:
    return ss.compare(
        REFS,
        systems={"mine (v2)": HYPS, "old": REFS},
        metrics=["windowdiff(k=3,edges=wrap)", "b"],
        baselines=["none"],
        n_resamples=100,
    )


def agreement(codings: Any, draws: int) -> ss.Agreement:
    return ss.agreement(ss.Corpus.from_dict(codings), draws=draws)


def accumulated() -> Any:
    made = ss.Accumulator(["b", "f1"], systems=["x", "y"], by="genre")
    for system in ("x", "y"):
        made.update(REFS, HYPS, system=system, group="Q & A")
    return made.result()


MADE = {
    "result": lambda: ss.score(
        REFS, HYPS, metrics=["windowdiff(k=3,edges=wrap)", "b.recall", ss.WinPR(k=3)]
    ),
    "comparison": comparison,
    "agreement": lambda: agreement({"d": {"a": cut([2, 3]), "b": cut([3, 2])}}, draws=20),
    "accumulated": accumulated,
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_names_are_allowed_and_values_are_floats(make: Any) -> None:
    found = make().to_metrics("epoch/")
    assert found
    for name, value in found.items():
        assert ALLOWED.fullmatch(name), name
        assert name.startswith("epoch/")
        assert type(value) is float


def test_a_result_says_its_averages_and_parts() -> None:
    result = ss.score(REFS, HYPS, metrics=["wd(k=3)", ss.BoundaryMatch(tolerance=1)])
    found = result.to_metrics()
    assert found["wd.k_3/micro"] == result["wd(k=3)"].micro
    assert found["f1.tolerance_1/macro"] == result[ss.BoundaryMatch(tolerance=1)].macro
    assert found["documents"] == 8
    assert "f1.tolerance_1/parts/precision" not in found
    parts = result.to_metrics(parts=True)
    assert parts["f1.tolerance_1/parts/precision"] == 1
    assert found.items() <= parts.items()


def test_what_is_undefined_is_nan_and_has_its_name() -> None:
    nothing = cut([4])
    found = ss.score([nothing], [nothing], "f1", on_undefined="nan").to_metrics()
    assert math.isnan(found["f1/micro"])
    assert found["f1/undefined"] == 1


def test_a_comparison_says_values_intervals_and_tests() -> None:
    compared = comparison()
    found = compared.to_metrics()
    assert found["mine.v2/b/value"] == compared["mine (v2)", "b"].value
    assert found["old/windowdiff.k_3.edges_wrap/rank"] == 1
    assert found["mine.v2-vs-old/b/p"] == compared.pairs[-1].p_corrected
    assert "none/b/rank" not in found  # baselines are not ranked


def test_agreement_says_coefficients_and_intervals() -> None:
    agreed = agreement({"d": {"a": cut([2, 3]), "b": cut([3, 2]), "c": cut([5])}}, draws=20)
    found = agreed.to_metrics()
    assert found["b/pi"] == agreed.pi
    assert found["b/pi_low"] == pytest.approx(agreed.ci.low, nan_ok=True)
    assert found["b/corrected"] == agreed.corrected
    assert (
        "b/corrected"
        not in agreement({"d": {"a": cut([2, 3]), "b": cut([3, 2])}}, draws=0).to_metrics()
    )


def test_groups_and_systems_are_levels() -> None:
    assert {name.rsplit("/", 1)[0] for name in accumulated().to_metrics()} == {
        "Q___A/x/b", "Q___A/x/f1", "Q___A/y/b", "Q___A/y/f1",
    }  # fmt: skip


def test_two_numbers_of_one_name_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="numbers would.*'a_b/b/micro'"):
        flat_numbers([(("a b", "b", "micro"), 1.0), (("a/b", "b", "micro"), 2.0)])


@given(st.text())
def test_any_text_makes_a_name(text: str) -> None:
    assert ALLOWED.fullmatch(flat_name(text))
    assert flat_name(flat_name(text)) == flat_name(text)
