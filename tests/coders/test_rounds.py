"""Two rounds: the difference of corrected agreement, its interval and its test."""

import math

import numpy as np
import pytest
from scipy import stats

import segscore as ss
from oracles.agreement import LiteralAgreement
from panels import joined, panel


def renamed(corpus: ss.Corpus, kept: int) -> ss.Corpus:
    """All documents but the first `kept` under other names."""
    names = (name if i < kept else f"new {name}" for i, name in enumerate(corpus))
    return ss.Corpus.from_dict(dict(zip(names, map(dict, corpus.values()), strict=True)))


@pytest.mark.parametrize("n_common", [0, 3, 6])
def test_by_the_letter(n_common: int) -> None:
    """Documents of both rounds are drawn with replacement, each with what it has in each round."""
    first, second = panel(1, 6, 3, seen=0.5), renamed(panel(2, 6, 3, seen=0.8), n_common)
    found = ss.coders.compare_rounds(first, second, draws=20, n_resamples=60, rng=5, level=0.7)
    literal_first, literal_second = LiteralAgreement(first, 20, 5), LiteralAgreement(second, 20, 5)
    assert found.difference == pytest.approx(literal_second.corrected() - literal_first.corrected())
    assert found.n_common == n_common
    names = list(dict.fromkeys([*first, *second]))
    drawn = np.random.default_rng(5).integers(0, len(names), (60, len(names)))
    differences = []
    for draw in drawn.tolist():
        listed = [names[i] for i in draw]
        before = literal_first.corrected([name for name in listed if name in first])
        after = literal_second.corrected([name for name in listed if name in second])
        differences.append(after - before)
    distances = np.abs(np.array(differences) - found.difference)

    def p_of(value: float) -> float:  # of the six of each round
        plain = (1 + (distances >= abs(value - found.difference) - 1e-10).sum()) / 61
        return float(2 * stats.t.cdf(stats.norm.ppf(plain / 2) * math.sqrt(5 / 6), 5))

    assert found.p == pytest.approx(p_of(0))
    for end, inside in ((found.ci.low, 1e-6), (found.ci.high, -1e-6)):
        assert p_of(end + inside) >= 0.3 > p_of(end - inside)
    pairing = {0: "none paired", 3: "3 paired, 6 not", 6: "all paired"}[n_common]
    assert f"for these coders, over documents ({pairing}), by expanded symmetric" in found.ci.method


def test_rounds_are_the_agreements_of_their_own() -> None:
    first, second = panel(1, 8, 4), panel(2, 7, 3)
    found = ss.coders.compare_rounds(first, second, draws=20, n_resamples=200)
    for found_round, corpus in ((found.first, first), (found.second, second)):
        alone = ss.agreement(corpus, draws=20, n_resamples=200)
        ours = found_round.corrected, found_round.ci, found_round.chance, found_round.basis
        assert ours == (alone.corrected, alone.corrected_ci, alone.chance, alone.basis)
    assert "in round 1 only: 1" in found.notes[0]
    back = ss.coders.compare_rounds(second, first, draws=20, n_resamples=200)
    assert back.difference == pytest.approx(-found.difference)


def test_pairing_helps_where_documents_differ() -> None:
    """Round 2 repeats round 1, a little better; if paired, easy and hard documents cancel out."""
    easy, hard = panel(1, 10, 4, seen=0.95, own=0.01), panel(2, 10, 4, seen=0.3, prefix="h")
    first = joined(easy, hard)
    better = {
        name: {**document, "bob": document["ann"]} for name, document in first.items()
    }  # two of four are now the same
    second = ss.Corpus.from_dict(better)
    again = ss.Corpus.from_dict(
        {d: {c: first[d][c] for c in [*first[d]][::-1]} for d in [*first][::-1]}
    )
    same = ss.coders.compare_rounds(first, again, draws=20, n_resamples=100)
    assert (round(same.difference, 9), same.p, "are identical" in same.notes[0]) == (0, 1, True)
    paired = ss.coders.compare_rounds(first, second, draws=20, n_resamples=1000)
    unpaired = ss.coders.compare_rounds(first, renamed(second, 0), draws=20, n_resamples=1000)
    assert paired.difference == pytest.approx(unpaired.difference, abs=0.01)
    assert paired.p < 0.01 < unpaired.p
    assert (paired.ci.high - paired.ci.low) < 0.6 * (unpaired.ci.high - unpaired.ci.low)
    assert "agreement rose" in paired.reading
    assert "these documents show no change" in unpaired.reading


def test_interval_and_p_do_not_contradict_each_other() -> None:
    for seed in range(30):
        first, second = panel([seed, 1], 5, 4), panel([seed, 2], 5, 4, seen=0.5 + seed / 60)
        found = ss.coders.compare_rounds(first, second, draws=20, n_resamples=1000, rng=seed)
        assert (found.p < 0.05) == (not found.ci.low <= 0 <= found.ci.high)


def test_refusals_and_few_documents() -> None:
    alone = ss.Corpus.from_dict({"d": {"a": ss.Segmentation.from_masses([2, 3])}})
    with pytest.raises(ss.SegmentationError, match="agreement of round 2 needs"):
        ss.coders.compare_rounds(panel(1, 3, 3), alone)
    with pytest.raises(ss.SegmentationError, match="draws is 0"):
        ss.coders.compare_rounds(panel(1, 3, 3), panel(1, 3, 3), draws=0)
    full = ss.Corpus.from_dict({"d": {c: ss.Segmentation.from_masses([1, 1]) for c in "ab"}})
    with pytest.raises(ss.SegmentationError, match="1.*corrected agreement"):
        ss.coders.compare_rounds(full, panel(1, 3, 3))
    comparison = ss.coders.compare_rounds(panel(1, 1, 3), panel(2, 1, 3), draws=20, n_resamples=100)
    assert math.isnan(comparison.ci.low)
    assert comparison.p == 1
    assert "fewer than 5 documents with a pair of coders in round 1 and round 2" in comparison.notes
    gold = joined(panel(1, 5, 3), ss.consensus(panel(1, 5, 3)))
    found = ss.coders.compare_rounds(gold, panel(2, 5, 3), draws=20, n_resamples=100)
    assert found.first.basis.n_coders == 3
    assert "left out: 'consensus'" in str(found)


# ---- how many documents until the interval has a certain half-width ----


PILOT = panel(7, 12, 4)
FOUND = ss.agreement(PILOT, draws=20, rng=2)
HALF = (FOUND.corrected_ci.high - FOUND.corrected_ci.low) / 2


def test_by_the_letter_of_planning() -> None:
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
    with pytest.raises(ss.SegmentationError, match="takes more than 10,000,000 documents"):
        FOUND.plan_width(1e-7)
    with pytest.raises(ss.SegmentationError, match="4 documents.*two coders"):
        ss.agreement(panel(1, 4, 3), draws=20).plan_width(0.1)
    for part in (FOUND.documents["d0"], ss.agreement(PILOT, draws=0)):
        with pytest.raises(ss.SegmentationError, match="is a part|draws is 0"):
            part.plan_width(0.1)


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


# ---- what intervals are about ----


def test_each_interval_says_what_it_is_about() -> None:
    made = ss.agreement(panel(1, 8, 6), draws=20, n_resamples=200)
    two = panel(1, 2, 6)
    local = ss.Corpus.from_rows(panel(1, 8, 6).records(), coders="local")
    single = ss.agreement(two["d0"], draws=20)
    for interval, words in (
        (made.ci, "for these 6 coders, over documents"),
        (made.kappa_ci, "for these 6 coders, over documents"),
        (made.corrected_ci, "for these 6 coders, over documents"),
        (made.documents["d0"].ci, "for this document, over coders"),
        (ss.agreement(two, draws=20).ci, "for these documents, over coders"),
        (single.ci, "for this document, over coders"),
        (single.over_coders, "for this document, over coders"),
        (ss.agreement(local, draws=20).ci, "for these coders, over documents"),
    ):
        assert interval.method.startswith(f"{words}, by ")
    assert "each document alone: jackknife over its coders" in " ".join(str(made).split())
    groups = panel(1, 12, 6).with_details(groups={f"d{i}": "x" for i in range(6)})
    assert "bootstrap over 6 documents" in ss.agreement(groups, draws=20).groups["x"].ci.method


def test_the_interval_over_coders_is_a_jackknife_by_the_letter() -> None:
    people = panel(4, 6, 6)
    made = ss.agreement(people, draws=20, rng=3, n_resamples=200)
    literal = LiteralAgreement(people, 20, 3)
    assert made.corrected == pytest.approx(literal.corrected())
    left_out = np.array([literal.corrected(without=[coder]) for coder in people.coders])
    error = math.sqrt(5 / 6 * ((left_out - left_out.mean()) ** 2).sum())
    half = stats.t.ppf(0.975, 5) * error
    assert made.over_coders[:2] == pytest.approx((made.corrected - half, made.corrected + half))
    low, high = made.over_coders[:2]
    sentence = (
        f"corrected agreement of all: [{low:.3f}, {high:.3f}] for these documents, over coders, by "
    )
    assert sentence in made.to_table().footnotes[1]
    assert "rough with so few" in made.over_coders.method
    (row,) = [row for row in made.to_table().records() if row["level"] == "whole"]
    assert (row["coders_low"], row["coders_high"]) == made.over_coders[:2]
