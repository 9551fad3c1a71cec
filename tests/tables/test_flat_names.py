"""Results as flat dicts of floats, with names that experiment trackers take."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.tables.tabular import flat_name, flat_numbers
from summed_documents import summed_result

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
    both = [*REFS.values()], [*HYPS.values()]
    parts = {(("Q & A",), system): both for system in ("x", "y")}
    return summed_result(parts, ["b", "f1"], by=["genre"])


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


def test_a_comparison_says_values_intervals_and_tests() -> None:
    compared = comparison()
    found = compared.to_metrics()
    assert found["mine.v2/b/value"] == compared["mine (v2)", "b"].value
    assert found["old/windowdiff.k_3.edges_wrap/rank"] == 1
    assert found["mine.v2-vs-old/b/p"] == compared.pairs[-1].p_corrected
    assert "none/b/rank" not in found  # baselines are not ranked


def test_two_numbers_of_one_name_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="numbers would.*'a_b/b/micro'"):
        flat_numbers([(("a b", "b", "micro"), 1.0), (("a/b", "b", "micro"), 2.0)])


@given(st.text())
def test_any_text_makes_a_name(text: str) -> None:
    assert ALLOWED.fullmatch(flat_name(text))
    assert flat_name(flat_name(text)) == flat_name(text)
