"""Letters: two systems share one if and only if they do not differ."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from segscore.comparison.comparison_entries import letters


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


def test_nothing_and_everything_different() -> None:
    assert letters([1, 0], []) == {1: "a", 0: "a"}
    assert letters([1, 0, 2], combinations(range(3), 2)) == {1: "a", 0: "b", 2: "c"}


def test_more_groups_than_letters() -> None:
    made = letters(range(30), combinations(range(30), 2))
    assert len(set(made.values())) == 30
    assert not any("q" in text for text in made.values())
