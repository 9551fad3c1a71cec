"""Who stands out by the number of their boundaries: each against the others, however few they are."""

import math

import numpy as np
import pytest

import segscore as ss
from panels import NAMES, panel


def outliers(corpus: ss.Corpus) -> list[str]:
    return [habits.coder for habits in ss.coders.boundaries_per_coder(corpus).outliers]


def crossed(**counts: int) -> ss.Corpus:
    """Coders with so many boundaries in one document of 1000 units."""
    return ss.Corpus.from_dict({
        "d": {name: ss.Segmentation.from_boundaries(np.arange(1, n + 1), 1000)
              for name, n in counts.items()}
    })  # fmt: skip


@pytest.mark.parametrize("n_coders", [3, 5, 10])
def test_three_times_as_many_stands_out(n_coders: int) -> None:
    for seed in range(8):
        people = panel(seed, 10, n_coders, seen=0.3, own=0.03, times={"bob": 3})
        assert outliers(people) == ["bob"], seed
        few = panel(seed, 20, n_coders, seen=0.6, own=0.06, times={"cem": 1 / 3})
        assert outliers(few) == ["cem"], seed


@pytest.mark.parametrize("n_coders", [3, 5, 10])
def test_equal_coders_raise_no_alarm(n_coders: int) -> None:
    alarms = [outliers(panel([seed, 4], 4, n_coders, seen=0.3, own=0.03)) for seed in range(60)]
    assert sum(map(bool, alarms)) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("n_coders", [3, 5, 10])
@pytest.mark.parametrize("spread", [0.0, 0.2])
@pytest.mark.parametrize("n_documents", [2, 10, 30])
def test_at_most_a_tenth_of_panels_raise_an_alarm(
    n_coders: int, spread: float, n_documents: int
) -> None:
    """Coders are equal, or habits differ by a fifth; a coder who marks three times as many is found."""
    alarms = found = 0
    for seed in range(200):
        rng = np.random.default_rng([seed, n_coders])
        habits = dict(zip(NAMES, np.exp(spread * rng.normal(size=n_coders)), strict=False))
        people = panel([seed, 1], n_documents, n_coders, seen=0.3, own=0.03, times=habits)
        alarms += bool(outliers(people))
        habits["ann"] *= 3
        people = panel([seed, 2], n_documents, n_coders, seen=0.3, own=0.03, times=habits)
        found += "ann" in outliers(people)
    assert alarms <= (0.02 if spread == 0 else 0.12) * 200
    if n_documents > 2:
        assert found >= (0.99 if spread == 0 else 0.83) * 200


def test_by_the_letter() -> None:
    """One document: the median of the others, three spreads and three standard errors."""
    made = {
        habits.coder: habits
        for habits in ss.coders.boundaries_per_coder(crossed(a=90, b=100, c=120, d=400)).coders
    }
    assert made["d"].ratio == pytest.approx(4, rel=0.01)
    assert made["d"].others == pytest.approx(100 / 999, rel=0.01)
    differences = np.log([90.5 / 100.5, 1, 120.5 / 100.5])
    spread = 1.4826 * np.median(np.abs(differences))
    reach = max(2, math.exp(3 * math.sqrt((3 * spread**2 + 4 * 0.2**2) / 7)))
    assert made["d"].usual[1] == pytest.approx(reach, rel=0.01)
    assert made["d"].stands_out
    assert not made["a"].stands_out
    rare = {
        habits.coder: habits
        for habits in ss.coders.boundaries_per_coder(crossed(a=4, b=4, c=4, d=9)).coders
    }
    expected = rare["d"].others * 999
    assert expected == pytest.approx(4, abs=0.2)
    most = (math.sqrt(expected + 0.375) + 1.5 * math.sqrt(4 / 3)) ** 2 - 0.375
    assert rare["d"].usual[1] == pytest.approx(most / expected)
    assert not rare["d"].stands_out  # 9 for 4 is what chance may do


def test_others_who_are_all_alike_have_a_spread_of_zero() -> None:
    assert outliers(crossed(a=50, b=50, c=50, d=150)) == ["d"]
    assert outliers(crossed(a=50, b=50, c=50, d=60)) == []
    assert outliers(crossed(a=50, b=50, c=50)) == []
    assert outliers(crossed(a=50, b=50, c=0)) == ["c"]
    assert outliers(crossed(a=0, b=0, c=0)) == []


def test_half_of_the_documents_is_not_lazy() -> None:
    """A coder who did only documents with few boundaries is compared with the others on these."""
    loud, quiet = (panel(seed, 10, 4, seen=seen, own=seen / 10, prefix=prefix)
                   for seed, seen, prefix in ((1, 0.9, "loud"), (2, 0.25, "quiet")))  # fmt: skip
    rows = [record for record in loud.records() if record.coder != "dee"]
    both = ss.Corpus.from_rows([*rows, *quiet.records()])
    dee = next(
        habits for habits in ss.coders.boundaries_per_coder(both).coders if habits.coder == "dee"
    )
    assert dee.density < 0.5 * ss.coders.boundaries_per_coder(both).densities[0]
    assert dee.ratio == pytest.approx(1, abs=0.35)
    assert outliers(both) == []


def test_nobody_else_did_the_documents() -> None:
    alone = ss.Corpus.from_dict({
        name: {coder: ss.Segmentation.from_masses([2, 3])} for name, coder in zip("xyz", "abc", strict=True)
    })  # fmt: skip
    found = ss.coders.boundaries_per_coder(alone)
    assert all(math.isnan(habits.ratio) for habits in found.coders)
    assert found.outliers == ()
