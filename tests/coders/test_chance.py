"""The corrected coefficient: oracle, exact values, the spec's table, intervals, edges, simulations."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import segscore as ss
from oracles import chance as oracle
from segscore.coders import coder_pairs as random
from segscore.coders.coder_pairs import NULLS, CoderPairs, Null, RandomCodings, random_pairs
from segscore.coders.estimators import chance_errors, chance_sums
from segscore.corpus.codings import Codings
from segscore.datasets.loading import moonstone
from segscore.simulate.sample_codings import STARGAZER
from strategies import segmentations

masses = ss.Segmentation.from_masses
seg = ss.Segmentation.from_boundaries
STAR = ss.Corpus.from_dict({"stargazer": {name: masses(m) for name, m in STARGAZER.items()}})
METRICS = (ss.BoundarySimilarity(), ss.SegmentationSimilarity())

# spec/chance.md: observed, then expected and corrected by positions, by lengths, then π*
TABLE = {
    ("stargazer", "b"): (0.5301, 0.326, 0.302, 0.420, 0.190, 0.464),
    ("stargazer", "s"): (0.7619, 0.624, 0.367, 0.676, 0.265, 0.729),
    ("moonstone", "b"): (0.3144, 0.101, 0.238, 0.115, 0.225, 0.309),
    ("moonstone", "s"): (0.9030, 0.853, 0.340, 0.857, 0.322, 0.902),
}


def small(**coders: list[int]) -> ss.Corpus:
    return ss.Corpus.from_dict({"d": {name: masses(m) for name, m in coders.items()}})


@pytest.fixture(scope="module")
def corpora(data: Path) -> dict[str, ss.Corpus]:
    return {"stargazer": STAR, "moonstone": moonstone(data / "moonstone")}


# ---- the numbers ----


def exactly(coding: ss.Segmentation, other: ss.Segmentation, metric: ss.Metric) -> float:
    """A_e of two coders under `positions`: all choices of places, one by one."""
    sides = [
        [seg(places, a.n_units) for places in combinations(range(1, a.n_units), len(a.boundaries))]
        for a in (coding, other)
    ]
    rows = [metric.score_pair(a, b)[0] for a, b in product(*sides)]
    return float(metric.values(np.mean(rows, axis=0)[np.newaxis])[0])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("pair", [([2, 3, 2], [1, 6]), ([1, 1, 5], [3, 3, 1]), ([1, 6], [6, 1])])
def test_expected_agreement_is_the_mean_over_all_choices(
    metric: ss.Metric, pair: tuple[list[int], list[int]]
) -> None:
    coding, other = map(masses, pair)
    made = ss.agreement(small(a=pair[0], b=pair[1]), metric, draws=20_000, n_resamples=10)
    exact = exactly(coding, other, metric)
    assert abs(made.chance - exact) < 5 * made.chance_error + 1e-12
    assert 0 < made.chance_error < 0.01
    assert made.corrected == pytest.approx((made.observed - made.chance) / (1 - made.chance))


@pytest.mark.parametrize("null", NULLS)
def test_types_and_candidates_against_the_oracle(null: Null) -> None:
    listed = [2, 3, 5, 7, 8, 11, 12]
    coders = {
        "a": seg([2, 5, 11], 14, types=["x", "y", {"x", "y"}], candidates=listed),
        "b": seg([3, 5], 14, types=["x", "x"], candidates=listed),
        "c": seg([2, 8, 12], 14, types=["y", "x", "z"], candidates=listed),
    }
    metric = ss.BoundarySimilarity(substitution="unit")
    made = ss.agreement(ss.Corpus.from_dict({"d": coders}), metric, null=null, draws=4000)
    expected = oracle.expected({"d": coders}, metric, null, draws=500)
    assert made.chance == pytest.approx(expected, abs=6 * made.chance_error * 2)
    free = {name: seg(coding.boundaries, 14, types=coding.types) for name, coding in coders.items()}
    wider = ss.agreement(ss.Corpus.from_dict({"d": free}), metric, null="positions", draws=4000)
    if null == "positions":
        assert made.chance > wider.chance + 0.02  # fewer places: chance finds them more often


def test_the_error_of_drawing_is_what_it_says() -> None:
    pairs = CoderPairs(STAR)
    documents = np.array([0])
    made = [
        chance_sums(pairs, ss.BoundarySimilarity(), "positions", 60, seed) for seed in range(200)
    ]
    spread = np.std([drawn.expected(drawn.total(documents)) for drawn, _ in made], ddof=1)
    mean_error = np.mean([chance_errors(ss.BoundarySimilarity(), batches) for _, batches in made])
    assert mean_error == pytest.approx(spread, rel=0.15)


# ---- parts and words ----


def test_documents_and_groups_are_sums_of_the_same_draws() -> None:
    people = dict(STAR["stargazer"])
    few = {name: people[name] for name in "123"}
    corpus = ss.Corpus.from_dict(
        {"x": people, "y": few, "z": {"1": people["1"]}}, groups={"x": "1", "y": "1"}
    )
    made = ss.agreement(corpus, draws=50)
    assert made.groups["1"].chance == made.chance  # z has no pair
    assert made.documents["x"].chance == ss.agreement(corpus["x"], draws=50).chance
    assert math.isnan(made.documents["z"].chance)
    assert math.isnan(made.documents["z"].corrected)
    assert "no two coders" in made.documents["z"].corrected_ci.method
    low, high = sorted(made.documents[name].chance for name in "xy")
    assert low <= made.chance <= high


def test_seed_draws_and_null_are_said() -> None:
    first, again = (ss.agreement(STAR, draws=30, rng=4) for _ in range(2))
    assert first.chance == again.chance
    assert first.chance != ss.agreement(STAR, draws=30, rng=5).chance
    assert first.signature.endswith("|avg:micro|v:0.1.0|null:positions|draws:30|seed:4")
    assert ss.metric(first.signature) == ss.BoundarySimilarity()
    row = first.to_table().records()[-1]
    assert (row["corrected"], row["chance"]) == (first.corrected, first.chance)
    assert (row["null"], row["draws"], row["seed"]) == ("positions", 30, 4)
    assert row["signature"] == first.signature
    assert ss.agreement(STAR).draws == 1000


def test_draws_can_be_left_out() -> None:
    made = ss.agreement(STAR, draws=0)
    assert math.isnan(made.chance)
    assert math.isnan(made.corrected)
    assert made.pi == ss.agreement(STAR).pi
    assert "random coders" not in str(made).splitlines()[1]


@pytest.mark.parametrize(
    ("coders", "null", "why"),
    [
        ({"a": [11], "b": [11]}, "positions", "every place is a boundary, or none"),
        ({"a": [1] * 5, "b": [1] * 5}, "positions", "every place is a boundary, or none"),
        ({"a": [1] * 5, "b": [5]}, "positions", "no coder has a boundary that could be elsewhere"),
        ({"a": [3, 3, 3], "b": [9]}, "lengths", "segments are equally long"),
        ({"a": [3, 3], "b": [2, 2, 2]}, "lengths", "segments are equally long"),
    ],
)
def test_undefined_with_the_reason(coders: dict[str, list[int]], null: Any, why: str) -> None:
    made = ss.agreement(small(**coders), null=null, draws=20)
    assert math.isnan(made.corrected)
    assert math.isnan(made.corrected_ci.low)
    assert why in made.corrected_ci.method
    assert any(why in note for note in made.notes)
    if null == "lengths":
        assert not math.isnan(ss.agreement(small(**coders), draws=20).corrected)
        two = small(a=[2, 3], b=[4, 1])  # of which there is another order
        assert not math.isnan(ss.agreement(two, null=null, draws=20).corrected)


# ---- intervals ----


def test_one_bootstrap_of_observed_and_expected() -> None:
    from oracles.resampling import bootstrap

    corpus = random_corpus(np.random.default_rng(3), 0.2, 3, 25, 30)
    made = ss.agreement(corpus, draws=40, rng=2)
    rows = chance_sums(CoderPairs(corpus), ss.BoundarySimilarity(), "positions", 40, 2)[0]
    again = bootstrap(rows.rows, rows.value, n_resamples=10_000, seed=2).interval()
    assert made.corrected_ci[:2] == pytest.approx(again)
    assert made.corrected_ci.method == (
        "for these 3 coders, over documents, by expanded percentile bootstrap over 25 documents, "
        "10000 resamples, seed 2"
    )


def test_no_interval_that_says_nothing(corpora: dict[str, ss.Corpus]) -> None:
    """Chapter 7 had π* = .319 [-1.594, 1.000]."""
    chapters = corpora["moonstone"]
    agreed = ss.agreement(chapters, draws=50)
    decided = ss.coders.fleiss_kappa(chapters)
    shown = [one.ci for one in (*agreed.documents.values(), *decided.documents.values())]
    for document in agreed.documents.values():
        shown += [document.kappa_ci, document.corrected_ci]
    assert any("too few" in interval.method for interval in shown)
    for interval in shown:
        if math.isnan(interval.low):
            assert interval.method.startswith(("too few", "no interval"))
        else:
            assert -1 <= interval.low <= interval.high <= 1
            assert interval.high - interval.low <= 1
    assert "too few coders or documents for an interval" in str(agreed)


# ---- simulations ----


def random_corpus(
    rng: np.random.Generator, density: float, n_coders: int, n_documents: int, n_units: int = 100
) -> ss.Corpus:
    """Coders who place a boundary at each place with the same probability, and no regard."""
    return ss.Corpus.from_dict(
        {
            f"d{d}": {
                f"c{c}": seg(np.flatnonzero(rng.random(n_units - 1) < density) + 1, n_units)
                for c in range(n_coders)
            }
            for d in range(n_documents)
        }
    )


# ---- docs/chance.md ----


PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text("utf-8")
DENSITIES = (0.05, 0.16, 0.5)
# spec/chance.md, of one such corpus: π* by B and by S
RANDOM_PI = {"B": (0.04, 0.14, 0.29), "S": (0.91, 0.76, 0.47)}


def table(title: str) -> Iterator[tuple[list[str], list[float]]]:
    """The rows of a table whose head starts with a word: texts, and numbers."""
    lines = PAGE.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {title}"))
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return
        cells = [cell.strip().replace("−", "-") for cell in line.strip("|").split("|")]
        texts = [cell for cell in cells if not cell.lstrip("-").startswith(".")]
        yield texts, [float(cell) for cell in cells[len(texts) :]]


def check_two_corpora(given: dict[str, ss.Corpus], draws: int, within: float) -> None:
    rows = list(table("data"))
    assert len(rows) == 4
    for ((name, metric), spec), (texts, (observed, *numbers, pi)) in zip(
        TABLE.items(), rows, strict=True
    ):
        assert name in texts[0].lower()
        assert metric == texts[1].lower()
        assert (observed, *numbers, pi) == pytest.approx(spec, abs=0.005)
        for null, expected, corrected in zip(NULLS, numbers[::2], numbers[1::2], strict=True):
            made = ss.agreement(given[name], metric, null=null, draws=draws, n_resamples=10)
            assert made.observed == pytest.approx(observed, abs=5e-4)
            assert made.pi == pytest.approx(pi, abs=5e-4)
            assert made.chance == pytest.approx(expected, abs=within)
            assert made.corrected == pytest.approx(corrected, abs=within)


def test_two_corpora(corpora: dict[str, ss.Corpus]) -> None:
    check_two_corpora(corpora, draws=300, within=0.005)


def check_random_coders(n_corpora: int, within: float) -> None:
    rows = {texts[0]: numbers for texts, numbers in table("coefficient")}
    for metric, spec in RANDOM_PI.items():
        assert rows[f"π* by {metric}, as published"] == pytest.approx(spec, abs=0.015)
    for column, density in enumerate(DENSITIES):
        rng = np.random.default_rng(round(100 * density))
        drawn = [random_corpus(rng, density, 4, 40) for _ in range(n_corpora)]
        found = {
            "Fleiss's κ on decisions": [
                float(ss.coders.fleiss_kappa(o, n_resamples=1)) for o in drawn
            ]
        }
        for metric in ("B", "S"):
            made = [ss.agreement(o, metric.lower(), draws=20, n_resamples=1) for o in drawn]
            found[f"π* by {metric}, as published"] = [agreement.pi for agreement in made]
            found[f"corrected, by {metric}"] = [agreement.corrected for agreement in made]
        for name, values in found.items():
            assert np.mean(values) == pytest.approx(rows[name][column], abs=within), name


def test_random_coders() -> None:
    check_random_coders(n_corpora=2, within=0.02)


# ---- random codings ----


DRAWS = 20_000


def random_codings(codings: list[ss.Segmentation], null: Any, seed: int) -> RandomCodings:
    names = [str(number) for number in range(len(codings))]
    return RandomCodings(Codings.of_segmentations(names, "it", codings), null, seed)


def counted(coding: ss.Segmentation, null: Null, draws: int = DRAWS, seed: int = 0) -> Counter:
    made = random_codings([coding], null, seed).drawn(0, draws)[0]
    return Counter(map(tuple, made.tolist()))


def p_of_equal(counts: Counter, n: int) -> float:
    """χ² of "all n outcomes are equally likely"."""
    assert len(counts) <= n
    return float(chisquare([*counts.values(), *[0] * (n - len(counts))]).pvalue)


# ---- uniform ----


@pytest.mark.parametrize(
    ("n_units", "n_boundaries"), [(9, 1), (9, 3), (9, 4), (9, 5), (9, 7), (6, 5), (40, 2), (30, 27)]
)
def test_each_choice_of_positions_is_equally_likely(n_units: int, n_boundaries: int) -> None:
    counts = counted(seg(range(1, n_boundaries + 1), n_units), "positions")
    assert all(list(positions) == sorted(set(positions)) for positions in counts)
    assert all(positions[0] >= 1 and positions[-1] < n_units for positions in counts)
    places = comb(n_units - 1, n_boundaries)
    assert places == 1 or p_of_equal(counts, places) > 1e-3


@pytest.mark.parametrize("n_units", [100, 10**6, 2**32 - 1, 2**32 + 1, 10**12, 2**53])
def test_positions_are_spread_evenly_over_any_number_of_places(n_units: int) -> None:
    coding = seg(range(1, 6), n_units)
    made = random_codings([coding], "positions", 3).drawn(0, 4000)[0]
    assert (np.diff(made, axis=1) > 0).all()
    assert made.min() >= 1
    assert made.max() <= n_units - 1
    tenth = np.bincount((made.ravel() - 1) * 10 // (n_units - 1), minlength=10)
    expected = np.diff(np.ceil(np.arange(11) * (n_units - 1) / 10)) * made.size / (n_units - 1)
    assert chisquare(tenth, expected).pvalue > 1e-3


@pytest.mark.parametrize("masses", [[1, 2, 3], [1, 1, 2, 3], [1, 2, 3, 4], [5, 1]])
def test_each_order_of_lengths_is_equally_likely(masses: list[int]) -> None:
    counts = counted(ss.Segmentation.from_masses(masses), "lengths")
    orders = {tuple(np.cumsum(order)[:-1].tolist()) for order in permutations(masses)}
    assert set(counts) == orders
    assert p_of_equal(counts, len(orders)) > 1e-3


@pytest.mark.parametrize("null", NULLS)
def test_types_are_shuffled_over_the_boundaries(null: Null) -> None:
    types = [{"a"}, {"b"}, {"a", "c"}]
    typed = seg([2, 5, 6], 11, types=types)
    positions, order = random_codings([typed], null, 1).drawn(0, DRAWS)
    counts = Counter(map(tuple, order.tolist()))
    assert set(counts) == set(permutations(range(3)))
    assert p_of_equal(counts, factorial(3)) > 1e-3
    # where a boundary goes says nothing about whose types it gets
    first = positions[order[:, 0] == 0, 0].mean()
    assert first == pytest.approx(positions[:, 0].mean(), abs=0.15)


# ---- what is kept ----


@pytest.mark.parametrize("null", NULLS)
def test_candidates_are_the_only_places(null: Null) -> None:
    coding = seg([3, 9], 20, candidates=[3, 4, 9, 15, 16])
    counts = counted(coding, null)
    if null == "positions":
        assert set(counts) == set(combinations([3, 4, 9, 15, 16], 2))
        assert p_of_equal(counts, 10) > 1e-3
    else:  # pieces: 1, 2 and 3 long
        ends = {(1, 3), (1, 4), (2, 3), (2, 5), (3, 4), (3, 5)}
        named = {0: 0, 1: 3, 2: 4, 3: 9, 4: 15, 5: 16}
        assert set(counts) == {tuple(named[i] for i in pair) for pair in ends}
        assert p_of_equal(counts, 6) > 1e-3


@given(st.integers(1, 30).flatmap(segmentations), st.sampled_from(NULLS), st.integers(0, 99))
def test_counts_and_lengths_are_kept(one: ss.Segmentation, null: Null, seed: int) -> None:
    codings = random_codings([one], null, seed)
    for row in codings.drawn(0, 5)[0]:
        made = seg(row, one.n_units)  # refuses what is no segmentation
        assert made.n_segments == one.n_segments
        if null == "lengths":
            assert sorted(made.masses) == sorted(one.masses)
    if not codings.can_move[0]:
        assert {tuple(row) for row in codings.drawn(0, 5)[0]} == {tuple(one.boundaries)}


# ---- what draws depend on ----


def test_a_draw_depends_on_seed_coding_and_number_alone() -> None:
    codings = [seg([2, 5, 9], 30), seg([1], 30), seg([4, 8, 12, 16], 30)]
    made = random_codings(codings, "positions", 5)
    ten = made.drawn(0, 10)[0]
    assert (made.drawn(7, 3)[0] == ten[7:]).all()
    assert (random_codings(codings[:2], "positions", 5).drawn(0, 10)[0] == ten[:, :4]).all()
    assert not (random_codings(codings, "positions", 6).drawn(0, 10)[0] == ten).all()
    assert len({tuple(row) for row in ten}) == 10


def test_batches_hold_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [seg([2, 5], 9, types=["a", "b"]), seg([], 4), seg([1, 2], 4, types=["a", "a"])]
    right = [seg([3], 9, types=["b"]), seg([2], 4), seg([3], 4, types=["c"])]
    left[1], right[1] = seg([], 4, types=[]), seg([2], 4, types=["a"])
    base = ss.Pairs.from_segmentations(left, right)
    codings = random_codings([*left, *right], "positions", 0)
    sides = np.array([3, 4, 5]), np.array([0, 1, 2])
    ((_, _, whole),) = random_pairs(base, codings, 7, *sides)
    monkeypatch.setattr(random, "_CELLS", 100)
    parts = list(random_pairs(base, codings, 7, *sides))
    assert len(parts) > 1
    assert sum(count for _, count, _ in parts) == 7
    rows = [batch.reference(i) for _, _, batch in parts for i in range(len(batch))]
    assert rows == [whole.reference(i) for i in range(21)]
    for i, coding in enumerate(rows):
        source = left[i % 3]
        assert coding.n_units == source.n_units
        assert sorted(map(sorted, coding.types or ())) == sorted(map(sorted, source.types or ()))


def test_only_hypotheses_move_where_references_are_fixed() -> None:
    refs = [[seg([2, 5], 9, ranks=[2, 1]), seg([3], 9)], [seg([2], 4)]]
    base = ss.Pairs.from_segmentations(refs, [seg([4], 9, ranks=[2]), seg([1], 4)])
    codings = random_codings([base.hypothesis(0), base.hypothesis(1)], "positions", 0)
    ((_, _, made),) = random_pairs(base, codings, 5, np.array([0, 1]))
    assert len(made) == 10
    for i in range(10):
        assert made.references(i) == base.references(i % 2)
        assert made.hypothesis(i).n_segments == 2
        assert made.hypothesis(i).ranks.tolist() == [2 if i % 2 == 0 else 1]


def test_ranks_are_shuffled_over_the_drawn_boundaries() -> None:
    """Ranks were dropped once. Positions are those of the same coding without ranks."""
    coding = seg([2, 5, 9, 11], 14, ranks=[1, 2, 2, 3])
    plain = random_codings([seg([2, 5, 9, 11], 14)], "positions", 3)
    base = ss.Pairs.from_segmentations([coding], [coding])
    codings = random_codings([coding], "positions", 3)
    both = np.array([0])
    ((_, _, made),) = random_pairs(base, codings, 600, both, both)
    assert made.hyp_positions.reshape(600, 4).tolist() == plain.drawn(0, 600)[0].tolist()
    ranks = made.hyp_ranks.reshape(600, 4)
    assert (np.sort(ranks, axis=1) == [1, 2, 2, 3]).all()
    assert made.ref_ranks.tolist() == made.hyp_ranks.tolist()  # one coding is the same in all pairs
    orders = Counter(map(tuple, ranks.tolist()))
    assert len(orders) == 12
    assert p_of_equal(orders, 12) > 1e-3
    full = seg([1, 2], 3, ranks=[1, 2])  # no place is left, and yet ranks can move
    assert random_codings([full], "positions", 0).can_move.tolist() == [True]
    assert random_codings([seg([1, 2], 3, ranks=[1, 1])], "positions", 0).can_move.tolist() == [
        False
    ]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="null is 'places'"):
        random_codings([], "places", 0)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="seed is -1"):
        random_codings([], "positions", -1)
    with pytest.raises(ss.SegmentationError, match="draws is 1: expected 2"):
        random.checked_draws(1, 10)
    assert random.checked_draws(None, 10**9) == 20
