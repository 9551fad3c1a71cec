"""Hypergeometric probabilities: against whole numbers, on small tables and on vast ones."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from segscore._kernels.hierarchy import hypergeometric


def probability(total: int, chosen: int, given_: int, x: int) -> Fraction:
    """P(X = x) in whole numbers."""
    if not (0 <= x <= given_ and 0 <= chosen - x <= total - given_):
        return Fraction(0)
    return Fraction(comb(given_, x) * comb(total - given_, chosen - x), comb(total, chosen))


@st.composite
def tables(draw: st.DrawFn, largest: int) -> tuple[int, int, int, int]:
    """Places, chosen, given, and a count that is often likely."""
    total = draw(st.integers(1, largest))
    chosen, given_ = draw(st.integers(0, total)), draw(st.integers(0, total))
    likely = chosen * given_ // total
    return total, chosen, given_, max(0, likely + draw(st.integers(-30, 30)))


@given(tables(largest=3000))
def test_probabilities_are_right_to_the_last_digits(table: tuple[int, int, int, int]) -> None:
    expected = probability(*table)
    assume(expected == 0 or expected > Fraction(1, 10**280))
    assert hypergeometric(*table)[0] == pytest.approx(float(expected), rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("total", "chosen", "given_", "x"),
    [
        (10**6, 12, 500_000, 6),
        (10**6, 2000, 300_000, 600),
        (10**9, 40, 10**8, 3),
        (10**12, 40, 10**11, 3),
        (10**12, 40, 10**11, 39),
        (2**53 - 1, 7, 2**52, 3),
    ],
)
def test_vast_tables(total: int, chosen: int, given_: int, x: int) -> None:
    """The binomials of the few chosen are small enough for exact arithmetic."""
    ways = Fraction(comb(chosen, x))
    for i in range(x):
        ways *= Fraction(given_ - i, total - i)
    for i in range(chosen - x):
        ways *= Fraction(total - given_ - i, total - x - i)
    assert hypergeometric(total, chosen, given_, x)[0] == pytest.approx(float(ways), rel=1e-13)
