"""Against segeval 2.0.11, with each of its deviations named."""

from decimal import InvalidOperation
from typing import Any

import pytest
import segeval
from hypothesis import assume, given

import segscore as ss
from needs import needs
from strategies import pairs

pytestmark = needs("peers")

masses = ss.Segmentation.from_masses


def theirs(metric: Any, ref: ss.Segmentation, hyp: ss.Segmentation, **options: Any) -> float:
    """Their metrics take the hypothesis first."""
    return float(metric(tuple(hyp.masses.tolist()), tuple(ref.masses.tolist()), **options))


@given(pairs(min_units=4))
def test_equal_with_their_least_k(pair: Any) -> None:
    """min_k = 2 is theirs; k >= N is left to the tests below."""
    ref, hyp = pair
    pk, wd = ss.Pk(min_k=2), ss.WindowDiff(min_k=2)
    assume(pk.window_size(ref) < ref.n_units)
    assert pk(ref, hyp) == pytest.approx(theirs(segeval.pk, ref, hyp))
    assert wd(ref, hyp) == pytest.approx(theirs(segeval.window_diff, ref, hyp))


def test_deviation_least_k_is_2() -> None:
    """With two units they see no window, and say 0 where the segmentations differ."""
    ref, hyp = masses([2]), masses([1, 1])
    assert theirs(segeval.pk, ref, hyp) == 0
    assert ss.Pk()(ref, hyp) == 1


def test_deviation_crash_when_k_equals_n() -> None:
    with pytest.raises(InvalidOperation):
        theirs(segeval.window_diff, masses([1, 1]), masses([2]))
    assert ss.WindowDiff()(masses([1, 1]), masses([2])) == 1


def test_deviation_windowdiff_fails_from_k_256_on() -> None:
    """They compare integers with `is`, which holds by accident up to 256."""
    long = masses([600, 600])
    with pytest.raises(AssertionError):
        theirs(segeval.window_diff, long, long)
    assert ss.WindowDiff()(long, long) == 0


def test_deviation_zero_masses_are_accepted() -> None:
    assert float(segeval.pk((3, 0, 3), (3, 3))) == 0
    with pytest.raises(ss.SegmentationError, match=r"masses\[1\] is 0"):
        masses([3, 0, 3])


def test_deviation_lamprier_divides_by_one_window_too_many() -> None:
    """Their padded WindowDiff counts N+k windows and divides by N+k+1; ours sees each position k
    times in N+k-2 windows."""
    ref, hyp = masses([4, 4, 4]), masses([1] * 12)
    assert theirs(segeval.window_diff, ref, hyp, lamprier_et_al_2007_fix=True) == pytest.approx(0.8)
    assert ss.WindowDiff(edges="pad")(ref, hyp) == 1
