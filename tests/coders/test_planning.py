"""How many documents until the interval has a certain half-width."""

import math

import numpy as np
import pytest
from scipy import stats

import segscore as ss
from oracles.agreement_sums import LiteralAgreement
from panels import joined, panel

PILOT = panel(7, 12, 4)
FOUND = ss.agreement(PILOT, draws=20, rng=2)
HALF = (FOUND.corrected_ci.high - FOUND.corrected_ci.low) / 2


def test_by_the_letter() -> None:
    """The law through the interval there is, and the limits of the spread by χ²."""
    plan = FOUND.plan_width(HALF / 2)
    literal = LiteralAgreement(PILOT, 20, 2)
    left_out = np.array([literal.corrected([d for d in PILOT if d != gone]) for gone in PILOT])
    kurtosis = max(0.0, float(stats.kurtosis(left_out, bias=False)))
    freedom = 11 / (1 + kurtosis * 11 / 24)
    law = {m: stats.t.ppf(0.975, m - 1) / math.sqrt(m) for m in range(5, 400)}
    for found, share in ((plan.n_needed, None), (plan.n_safe, 0.2), (plan.n_least, 0.8)):
        times = 1.0 if share is None else math.sqrt(freedom / stats.chi2.ppf(share, freedom))
        assert found == min(m for m in law if times * HALF / law[12] * law[m] <= HALF / 2)
    assert plan.widths[6] == pytest.approx(HALF / law[12] * law[6])


@pytest.mark.parametrize("times", [1.1, 1.4, 1.9, 0.8, 0.5])
def test_rows_and_answer_are_of_one_curve(times: float) -> None:
    """Few documents that differ, most of them alike: the median of samples goes up and down."""
    found = ss.agreement(joined(PILOT, panel(3, 3, 4, seen=0.3, prefix="o")), draws=20)
    half = (found.corrected_ci.high - found.corrected_ci.low) / 2
    plan = found.plan_width(times * half)
    widths = list(plan.widths.values())
    assert widths == sorted(widths, reverse=True)
    for n, half_width in plan.widths.items():
        assert (half_width <= plan.half_width) == (n >= plan.n_needed)
    assert plan.half_width_now == pytest.approx(half)
    assert (times >= 1) == ("are already enough" in plan.reading)
    assert f"± {half:.4f}" in plan.reading


def test_what_is_not_there_is_extrapolated_and_says_so() -> None:
    plan = FOUND.plan_width(HALF / 1.5)
    assert plan.n_least <= plan.n_needed <= plan.n_safe
    assert "more than the 12 existing documents, so it is extrapolated" in str(plan)
    assert "is a guess" not in str(plan)
    far = FOUND.plan_width(HALF / 5)
    assert "for more than 4 times the existing documents it is a guess" in str(far)
    assert far.n_needed == pytest.approx(25 * 12, rel=0.25)
    assert f"needs about {far.n_needed:,} documents" in far.reading
    assert "more documents say nothing about other coders" in str(far)


def test_refusals() -> None:
    for wrong in (0, -1, 1, 2):
        with pytest.raises(ss.SegmentationError, match="half_width is"):
            FOUND.plan_width(wrong)
    with pytest.raises(ss.SegmentationError, match="half_width is 'x'"):
        FOUND.plan_width("x")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="takes more than 10,000,000 documents"):
        FOUND.plan_width(1e-7)
    with pytest.raises(ss.SegmentationError, match="4 documents.*two coders"):
        ss.agreement(panel(1, 4, 3), draws=20).plan_width(0.1)
    for part in (FOUND.documents["d0"], ss.agreement(PILOT, draws=0)):
        with pytest.raises(ss.SegmentationError, match="is a part|draws is 0"):
            part.plan_width(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("n_documents", [10, 20, 40])
def test_to_be_safe_is_enough_for_four_pilots_of_five(n_documents: int) -> None:
    def mixed(seed: list[int], n: int) -> ss.Corpus:
        rng = np.random.default_rng(seed)
        documents = {}
        for i in range(n):
            units, seen = int(rng.integers(30, 120)), float(rng.uniform(0.3, 0.95))
            corpus = panel([*seed, i], 1, 3, n_units=units, seen=seen, own=0.04)
            documents[f"d{i}"] = dict(corpus["d0"].items())
        return ss.Corpus.from_dict(documents)

    truth = ss.agreement(mixed([99], 400), draws=20).plan_width(0.04).n_needed
    pilots = (mixed([seed, n_documents], n_documents) for seed in range(60))
    plans = [ss.agreement(one, draws=20, n_resamples=1000).plan_width(0.04) for one in pilots]
    assert sum(plan.n_safe >= truth for plan in plans) >= 0.68 * 60
    assert np.median([plan.n_needed for plan in plans]) == pytest.approx(truth, rel=0.2)


def test_documents_that_do_not_differ_give_no_plan() -> None:
    cut = ss.Segmentation.from_masses
    equal = {"ann": cut([2, 3, 6]), "bob": cut([2, 3, 6])}
    none = {"ann": cut([11]), "bob": cut([11])}
    nearly_empty = {
        f"d{i}": none if i else {"ann": cut([2, 9]), "bob": cut([3, 8])} for i in range(8)
    }
    for corpus in ({f"d{i}": equal for i in range(8)}, nearly_empty):
        found = ss.agreement(ss.Corpus.from_dict(corpus), draws=20)
        with pytest.raises(ss.SegmentationError, match="expected"):
            found.plan_width(0.03)
