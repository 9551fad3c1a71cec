"""Two rounds: the difference of corrected agreement, its interval and its test."""

import math

import numpy as np
import pytest
from scipy import stats

import segscore as ss
from oracles.agreement_sums import LiteralAgreement
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_first", "n_second", "common"), [(5, 5, 0), (10, 10, 10), (10, 10, 0), (8, 30, 0)]
)
def test_equal_rounds_are_seldom_said_to_differ(n_first: int, n_second: int, common: int) -> None:
    wrong = covered = 0
    for seed in range(300):
        first = panel([seed, 1], n_first, 4)
        second = panel([seed, 2], n_second, 4, prefix="d" if common else "e")
        found = ss.coders.compare_rounds(first, second, draws=20, n_resamples=1000, rng=seed)
        wrong += found.p < 0.05
        covered += found.ci.low <= 0 <= found.ci.high
    assert wrong <= 0.08 * 300
    assert covered >= 0.92 * 300


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
