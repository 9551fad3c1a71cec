"""What may be said after a comparison: sentences that claim no more than the tests allow."""

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from segscore.comparison.estimates import Test
from segscore.comparison.leaderboard import ComparisonSettings, letters
from segscore.comparison.words import limits

Codings = dict[str, ss.Segmentation]


def codings(errors: float, seed: int, n: int = 20) -> Codings:
    """Documents whose gaps are turned over with this probability."""
    truth, rng = np.random.default_rng(0), np.random.default_rng(seed)
    found = {}
    for i in range(n):
        gaps = truth.random(39) < 0.15
        gaps ^= rng.random(39) < errors
        found[f"d{i}"] = ss.Segmentation.from_boundaries(np.flatnonzero(gaps) + 1, 40)
    return found


def compared(systems: dict[str, Codings], n: int = 20, **options: Any) -> ss.Comparison:
    options = {"n_resamples": 400, "baselines": (), **options}
    return ss.compare(codings(0, 0, n), systems=systems, **options)


def test_a_better_system_is_named_with_all_metrics_in_one_sentence() -> None:
    found = compared({"poor": codings(0.3, 2), "good": codings(0.03, 1)}, metrics=["wd", "b"])
    (sentence,) = found.verdict
    gaps = [abs(pair.difference) for pair in found.pairs]
    assert sentence.startswith(
        f"good is significantly better than poor in wd (by {gaps[0]:.3f} [0."
    )
    assert f" and b (by {gaps[1]:.3f} [0." in sentence


@pytest.mark.parametrize("n", [1, 20])
def test_nothing_is_claimed_where_nothing_is_tested(n: int) -> None:
    single = compared({"only": codings(0.1, 1, n)}, n, metrics="b").verdict
    assert single[0].startswith("only reaches 0.")
    assert single[0].endswith(" in b. With one system there is nothing to test.")
    if n == 1:
        two = compared({"x": codings(0.1, 1, 1), "y": codings(0.4, 2, 1)}, 1, metrics="b").verdict
        assert "nothing could be tested, so this says nothing about other documents" in two[0]
        assert "better than" not in two[0]


def test_the_verdict_stands_above_the_table_in_every_format_for_people() -> None:
    found = compared({"good": codings(0.03, 1), "<b>&": codings(0.3, 2)}, metrics="b")
    (sentence,) = found.verdict
    start = "good is significantly better than "
    assert str(found).startswith(sentence)
    assert found.render("markdown").startswith(start)
    assert found.render("html").startswith(f"<p>{start}&lt;b&gt;&amp; in b")
    assert found.render("latex").splitlines()[1] == f"% {sentence}"
    assert start not in found.render("csv") + found.render("json")
    assert found.pairs_table().render("text", 60).startswith(start)


# ---- what a sample cannot show: only what helps is recommended ----


def limited(test: Test, n: int, n_pairs: int, n_resamples: int) -> list[str]:
    chosen = ComparisonSettings("micro", test, "holm", 0.95, n_resamples, 0)
    found: Any = SimpleNamespace(
        settings=chosen, n_drawn=n, drawn="documents", family=n_pairs, systems=[]
    )
    return limits(found)


@pytest.mark.parametrize(
    ("n", "n_pairs", "n_resamples", "smallest", "remedy"),
    [
        (3, 1, 10_000, "0.25 (two-sided)", "Take more documents."),
        (5, 1, 10_000, "0.0625 (two-sided)", "Take more documents."),
        (6, 3, 10_000, "0.0938 (two-sided, after correction)",
         "Take more documents or compare fewer systems."),
        (30, 1, 10, "0.0909 (two-sided)",
         "Take more resamples (n_resamples=)."),
        (3, 1, 10, "0.25 (two-sided)", "Take more documents and more resamples."),
    ],
)  # fmt: skip
def test_the_remedy_is_what_helps(
    n: int, n_pairs: int, n_resamples: int, smallest: str, remedy: str
) -> None:
    warning = limited("randomisation", n, n_pairs, n_resamples)[0]
    assert f"the smallest possible p is {smallest}. {remedy}" in warning
    assert ("resamples" in warning.partition("however")[0]) == remedy.startswith(
        "Take more resamples"
    )


# ---- letters: two systems share one if and only if they do not differ ----


@settings(max_examples=2 * settings.default.max_examples)
@given(st.integers(1, 6), st.data())
def test_sharing_a_letter_means_no_difference(n: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(n)))
    pairs = list(combinations(range(n), 2))
    different = [pair for pair in pairs if data.draw(st.booleans())]
    made = letters(order, different)
    assert all(made.values())
    assert "a" in made[order[0]]
    for system, other in pairs:
        assert bool(set(made[system]) & set(made[other])) == ((system, other) not in different)
