"""EvalHDS and HAPS: literal transcriptions of their rules, and scores that the author stored."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from strategies import pairs

# What the repository of EvalHDS stores for HC99, to three decimals: with levels, and with a linear
# reference (eval/scores/wp_wal_eos and wp_walR_eos, commit 8eb804b). The mean is over 66 articles.
STORED = {
    "Aircraft": (0.439, 0.478),
    "Albert_Einstein": (0.518, 0.538),
    "Apollo": (0.476, 0.383),
    "Baseball": (0.454, 0.343),
    "Bedbug": (0.492, 0.442),
    "Trinity": (0.471, None),
    "Ulysses_S._Grant": (0.518, None),
    "United_States_Congress": (0.474, None),
}
STORED_MEANS = (0.452, 0.427)


def without_ranks(segmentation: ss.Segmentation) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(segmentation.boundaries, segmentation.n_units)


def by_evalhds(ref: ss.Segmentation, hyp: ss.Segmentation) -> float:
    """WindowDiff with the three decimals that the program prints."""
    return round(ss.audit(ref, hyp, measures=["windowdiff"])["evalhds", "windowdiff"].prints, 3)


@pytest.mark.usefixtures("data")
def test_the_scores_in_the_repository() -> None:
    corpus = ss.datasets.load("carroll2010")
    for name, (levels, linear) in STORED.items():
        ref, hyp = corpus[name]["reference"], corpus[name]["HC99"]
        assert by_evalhds(ref, hyp) == levels
        if linear is not None:
            assert by_evalhds(without_ranks(ref), hyp) == linear
    everything = ss.audit(corpus, reference="reference", hypothesis="HC99", expect="0.452")
    row = everything["evalhds", "windowdiff"]
    assert (row.average, row.documents, row.undefined) == ("mean", 66, 0)
    assert round(row.prints, 3) == STORED_MEANS[0]
    assert ("evalhds", "windowdiff") in [match.row[:2] for match in everything.matches]
    refs = {name: without_ranks(document["reference"]) for name, document in corpus.items()}
    hyps = {name: document["HC99"] for name, document in corpus.items()}
    linear_row = ss.audit(refs, hyps, measures=["windowdiff"])["evalhds", "windowdiff"]
    assert round(linear_row.prints, 3) == STORED_MEANS[1]


# ---- the rules, literally ----


def evalhds(ref: ss.Segmentation, hyp: ss.Segmentation, counted: bool) -> Fraction:
    """One level after the other, every choice among ties, windows on the ring of places."""
    n = ref.n_units
    ref_rank = ranks_of(ref)
    hyp_rank = dict.fromkeys(range(1, n), 10**6) | ranks_of(hyp)
    total = Fraction(0)
    for level in sorted(set(ref_rank.values())):
        chosen = {place for place, rank in ref_rank.items() if rank <= level}
        order = sorted(hyp_rank.values())
        last = order[len(chosen) - 1]
        sure = {place for place, rank in hyp_rank.items() if rank < last}
        tied = [place for place, rank in hyp_rank.items() if rank == last]
        draws = [sure | set(choice) for choice in combinations(tied, len(chosen) - len(sure))]
        k = int(0.5 * n / (len(chosen) + 1))
        errors = sum(ring_errors(chosen, draw, n, k, counted) for draw in draws)
        new = sum(rank == level for rank in ref_rank.values())
        total += new * Fraction(errors, (n - 1) * len(draws))
    return total / len(ref_rank)


def ranks_of(segmentation: ss.Segmentation) -> dict[int, int]:
    ranks = (
        [1] * len(segmentation.boundaries)
        if segmentation.ranks is None
        else segmentation.ranks.tolist()
    )
    return dict(zip(segmentation.boundaries.tolist(), ranks, strict=True))


def ring_errors(ref: set[int], hyp: set[int], n: int, k: int, counted: bool) -> int:
    errors = 0
    for start in range(n - 1):
        window = {(start + step) % (n - 1) + 1 for step in range(k)}
        a, b = len(ref & window), len(hyp & window)
        errors += a != b if counted else (a > 0) != (b > 0)
    return errors


@st.composite
def ranked_pairs(draw: Any) -> tuple[ss.Segmentation, ss.Segmentation]:
    n = draw(st.integers(2, 11))
    sides = []
    for least in (1, 0):
        places = draw(st.lists(st.integers(1, n - 1), min_size=least, max_size=n - 1, unique=True))
        ranks = draw(st.lists(st.integers(1, 3), min_size=len(places), max_size=len(places)))
        flat = draw(st.booleans())
        given_ranks = None if flat else ranks
        sides.append(ss.Segmentation.from_boundaries(places, n_units=n, ranks=given_ranks))
    return sides[0], sides[1]


@given(ranked_pairs())
def test_evalhds_is_the_mean_over_all_draws(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    for measure in ("pk", "windowdiff"):
        expected = evalhds(*pair, counted=measure == "windowdiff")
        found = ss.audit(*pair, measures=[measure])["evalhds", measure]
        assert found.prints == pytest.approx(float(expected), abs=1e-12)
        assert math.isnan(found.value) == (found.note is not None)


def haps(ref: ss.Segmentation, hyp: ss.Segmentation) -> float:
    """A symbol per unit, the last one 1; windows of a whole mean segment."""
    n = ref.n_units
    sides = [
        [int(u in {*segmentation.boundaries.tolist(), n}) for u in range(1, n + 1)]
        for segmentation in (ref, hyp)
    ]
    segments = sum(sides[0])
    size = n // 2 if segments <= 1 else n // segments
    errors = sum(
        sum(sides[0][at : at + size]) != sum(sides[1][at : at + size]) for at in range(n - size + 1)
    )
    return errors / (n - size)


@given(pairs(max_units=40))
def test_haps_is_the_rule_of_the_program(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    found = ss.audit(*pair, measures=["windowdiff"])["haps", "windowdiff"]
    assert found.prints == pytest.approx(haps(*pair), abs=1e-12)
    assert math.isnan(found.value) == (pair[0].n_units == 1)


def test_haps_can_exceed_one() -> None:
    ref, hyp = ss.Segmentation.from_masses([4, 4, 4]), ss.Segmentation.from_masses([1] * 12)
    row = ss.audit(ref, hyp, measures=["windowdiff"])["haps", "windowdiff"]
    assert (row.k, row.windows, row.value) == (4, 9, 9 / 8)


def test_what_evalhds_cannot_score() -> None:
    cut = ss.Segmentation.from_masses
    none = ss.audit(cut([12]), cut([6, 6]), measures=["pk"])["evalhds", "pk"]
    assert math.isnan(none.prints)
    assert none.note == "fails: division by the number of boundaries, 0"
    dense = ss.audit(cut([1, 1]), cut([2]), measures=["pk"])["evalhds", "pk"]
    assert (dense.k, dense.prints, dense.undefined) == (0, 0.0, 1)
    assert math.isnan(dense.value)
    assert dense.note == "counts no error at 1 of 1 levels, where k = 0"
