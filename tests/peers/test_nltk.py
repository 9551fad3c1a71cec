"""Against NLTK, with each of its deviations named."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

import segscore as ss
from needs import needs
from strategies import pairs, places

pytestmark = needs("peers")


def gaps(coding: ss.Segmentation) -> str:
    """The form that NLTK wants: N-1 symbols."""
    return "".join("01"[p in places(coding)] for p in range(1, coding.n_units))


@given(pairs(min_units=2), st.integers(1, 12), st.booleans())
def test_equal_for_gap_strings_and_a_given_k(pair: Any, k: int, weighted: bool) -> None:
    ref, hyp = pair
    assume(k < ref.n_units)
    theirs = nltk_windowdiff(gaps(ref), gaps(hyp), k, weighted=weighted)
    assert ss.WindowDiff(k=k, weighted=weighted)(ref, hyp) == pytest.approx(theirs)
    assert ss.Pk(k=k)(ref, hyp) == pytest.approx(nltk_pk(gaps(ref), gaps(hyp), k))


def test_deviation_default_k_counts_gaps_and_boundaries() -> None:
    """NLTK takes N-1 for N and boundaries for segments, so its k is too large (their #3102)."""
    ref, hyp = ss.Segmentation.from_masses([6, 3, 4]), ss.Segmentation.from_masses([4, 4, 5])
    assert nltk_pk(gaps(ref), gaps(hyp)) == pytest.approx(0.4)
    assert ss.Pk(k=3)(ref, hyp) == pytest.approx(0.4)
    assert ss.Pk()(ref, hyp) == pytest.approx(6 / 11)
