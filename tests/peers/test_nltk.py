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


def test_deviation_silent_zero_for_integers() -> None:
    """Integer symbols never equal the default boundary "1": the worst hypothesis scores 0."""
    assert nltk_windowdiff([0, 1, 0, 0], [1, 1, 1, 1], k=2) == 0
    ref, hyp = ss.Segmentation.from_gaps([0, 1, 0, 0]), ss.Segmentation.from_gaps([1, 1, 1, 1])
    assert ss.WindowDiff(k=2)(ref, hyp) == 1


def test_deviation_silent_zero_for_dense_references() -> None:
    """With a boundary everywhere NLTK's k is 0, and every hypothesis perfect."""
    assert nltk_pk("1" * 10, "0" * 10) == 0
    full, none = ss.Segmentation.from_gaps("1" * 10), ss.Segmentation.from_gaps("0" * 10)
    assert ss.Pk()(full, none) == 1


def test_deviation_silent_zero_for_k_beyond_the_text() -> None:
    assert nltk_pk("0100", "0010", k=9) == 0
    with pytest.raises(ss.SegmentationError, match="k.*9 needs.*9 units"):
        ss.Pk(k=9)(ss.Segmentation.from_gaps("0100"), ss.Segmentation.from_gaps("0010"))
