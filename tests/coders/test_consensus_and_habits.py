"""Support, consensus, habits, labels."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from panels import panel
from segscore.datasets.loading import moonstone
from segscore.simulate.sample_codings import STARGAZER
from strategies import places, segmentations

masses = ss.Segmentation.from_masses
STAR = ss.Corpus.from_dict({"stargazer": {name: masses(m) for name, m in STARGAZER.items()}})


@st.composite
def documents(draw: st.DrawFn) -> list[ss.Segmentation]:
    n = draw(st.integers(2, 25))
    return draw(st.lists(segmentations(n), min_size=1, max_size=6))


# ---- support ----


@given(documents(), st.integers(0, 4))
def test_support_is_the_share_of_coders_within_reach(
    codings: list[ss.Segmentation], within: int
) -> None:
    made = ss.coders.support(codings, within)
    marked = sorted(set().union(*map(places, codings)))
    assert made.positions.tolist() == marked
    for position, share in made:
        near = [any(abs(p - position) <= within for p in places(coding)) for coding in codings]
        assert share == sum(near) / len(codings)
    dense = made.per_position()
    assert len(dense) == codings[0].n_units - 1
    assert dense[[p - 1 for p in marked]].tolist() == made.shares.tolist()
    assert np.count_nonzero(dense) == len(marked)


@given(documents().filter(lambda codings: len(codings) > 1), st.integers(0, 4))
def test_support_of_peers_leaves_the_marker_out(
    codings: list[ss.Segmentation], within: int
) -> None:
    """By the letter: for each boundary of each coder, the other coders who mark one near it."""
    made = ss.coders.support(codings, within, peers=True)
    literal = []
    for own, coding in enumerate(codings):
        others = [places(other) for i, other in enumerate(codings) if i != own]
        for boundary in places(coding):
            near = [any(abs(p - boundary) <= within for p in positions) for positions in others]
            literal.append(sum(near) / len(others))
            assert dict(made)[boundary] == literal[-1]
    assert sorted(made.of_boundaries) == sorted(literal)
    if literal:
        once = list(dict(made).values())
        assert made.quartiles == tuple(np.quantile(once, [0.25, 0.5, 0.75]))
    everyone = ss.coders.support(codings, within)
    assert (made.counts == everyone.counts - 1).all()
    assert len(made.per_position()) == codings[0].n_units - 1


def test_support_of_peers_in_the_moonstone(data: Path) -> None:
    """Kazantseva & Szpakowicz (2012), fig. 3: the third quartile is 80 %, the first 33 % with half a
    window rounded up. With the marker counted they are others."""
    found = []
    for codings in moonstone(data / "moonstone").values():
        k = ss.MultiWindowDiff().window_size(list(codings.values()))
        found += dict(ss.coders.support(codings.values(), (k + 1) // 2, peers=True)).values()
    first, _, third = np.quantile(found, [0.25, 0.5, 0.75])
    assert third == 0.8
    assert round(first, 2) == 0.33


# ---- consensus ----


@given(documents(), st.sampled_from([0.3, 0.5, 0.75, 1, "majority", "union"]))
def test_consensus_without_tolerance(codings: list[ss.Segmentation], at_least: object) -> None:
    made = places(ss.consensus(codings, at_least))  # type: ignore[arg-type]
    for position in range(1, codings[0].n_units):
        votes = sum(position in places(coding) for coding in codings)
        if at_least == "union":
            wanted = votes > 0
        elif at_least == "majority":
            wanted = 2 * votes > len(codings)
        else:
            wanted = votes > 0 and votes / len(codings) >= at_least - 1e-9  # type: ignore[operator]
        assert (position in made) == wanted


@given(documents(), st.integers(1, 3), st.sampled_from([0.3, 0.5, 1, "union"]))
def test_consensus_with_tolerance(
    codings: list[ss.Segmentation], within: int, at_least: float
) -> None:
    made = sorted(places(ss.consensus(codings, at_least, within)))
    exact = places(ss.consensus(codings, at_least))
    shares = dict(ss.coders.support(codings, within))
    # each is marked by someone and supported by enough; without a merge none of the exact is lost
    needed = 0 if at_least == "union" else at_least - 1e-9
    assert all(shares[position] >= needed for position in made)
    assert len(made) <= len(places(ss.consensus(codings, "union")))
    for position in exact:
        assert any(abs(position - other) <= within for other in made)


def test_near_misses_merge_onto_the_best_supported_position() -> None:
    def coding(*boundaries: int) -> ss.Segmentation:
        return ss.Segmentation.from_boundaries(boundaries, 30)

    codings = [coding(10), coding(11), coding(11), coding(12), coding(25)]
    assert places(ss.consensus(codings, 0.8, within=1)) == {11}
    assert places(ss.consensus(codings, 0.8)) == set()
    assert places(ss.consensus(codings, "union", within=1)) == {11, 25}
    # each boundary counts once: two pairs of neighbours are two boundaries
    twice = [coding(10, 12), coding(11, 13)]
    assert places(ss.consensus(twice, 1, within=1)) == {10, 12}
    assert places(ss.consensus([coding(10, 11), coding(10)], 1, within=2)) == {10}


def test_ties_are_drawn_and_marked_unsure() -> None:
    """Two people who differ by a unit everywhere, each as often early as late."""
    marks = [[10 * i + (i % 2) for i in range(1, 100)], [10 * i + 1 - i % 2 for i in range(1, 100)]]
    people = {f"c{j}": ss.Segmentation.from_boundaries(own, 1000) for j, own in enumerate(marks)}
    gold = ss.consensus(ss.Corpus.from_dict({"d": people}), 0.5, within=1)["d"]
    drawn = gold["consensus"].boundaries
    assert 35 < int((drawn % 10 == 0).sum()) < 65  # of 99
    assert gold.annotations["consensus"].unsure == tuple(drawn.tolist())


@pytest.mark.parametrize("at_least", [0, -0.1, 1.01, "most", True, None, math.nan])
def test_consensus_refuses(at_least: object) -> None:
    with pytest.raises(ss.SegmentationError, match="share above 0.*1"):
        ss.consensus(STAR["stargazer"], at_least)  # type: ignore[arg-type]
    for wrong, words in (
        ([], "Segmentations"),
        ([masses([2, 3]), masses([6])], "5 units, another 6"),
    ):
        with pytest.raises(ss.SegmentationError, match=words):
            ss.coders.support(wrong)


def test_shares_are_exact() -> None:
    ten = [ss.Segmentation.from_boundaries([1] * (i < 3), 4) for i in range(10)]
    assert places(ss.consensus(ten, 0.3)) == {1}
    assert places(ss.consensus(ten, 0.31)) == set()
    marks = [ss.Segmentation.from_boundaries([1] * (i < 7), 4) for i in range(25)]
    assert 0.28 * 25 > 7  # as floats have it
    for within in (0, 1):
        assert places(ss.consensus(marks, 0.28, within)) == {1}
        assert places(ss.consensus(marks, 0.281, within)) == set()


# ---- habits ----


def test_boundaries_per_coder() -> None:
    codings = {"x": {"a": masses([2, 3, 6]), "b": masses([5, 6])}, "y": {"a": masses([3, 3])}}
    corpus = ss.Corpus.from_dict(codings)
    made = ss.coders.boundaries_per_coder(corpus)
    assert [tuple(habits)[:4] for habits in made.coders] == [("a", 2, 3, 15), ("b", 1, 1, 10)]
    assert (made.mean, made.sd) == pytest.approx((0.15, 0.05))
    assert made.to_table().records()[0]["density"] == 0.2
    local = ss.Corpus.from_rows(corpus.records(), coders="local")
    found = ss.coders.boundaries_per_coder(local).coders
    assert [habits.coder for habits in found] == ["x: a", "x: b", "y: a"]


# ---- labels ----


def test_label_similarity_unit_by_unit() -> None:
    codings = {"a": masses([2, 2]), "b": masses([1, 3]), "c": masses([4])}
    labels = {"a": ["x", ["x", "y"]], "b": [[], "y"], "c": [[]]}
    document = ss.Corpus.from_dict({"d": codings}, labels={"d": labels})["d"]
    units = {
        "a": [{"x"}, {"x"}, {"x", "y"}, {"x", "y"}],
        "b": [set(), {"y"}, {"y"}, {"y"}],
        "c": [set()] * 4,
    }
    values = [
        len(p & q) / len(p | q)
        for m, n in combinations("abc", 2)
        for p, q in zip(units[m], units[n], strict=True)
        if p | q
    ]
    made = ss.coders.label_similarity(document)
    assert made.n == len(values) == 11
    assert (made.mean, made.sd) == pytest.approx((np.mean(values), np.std(values)))
    assert ss.coders.label_similarity(document, ["b", "c"]).n == 3
    assert math.isnan(ss.coders.label_similarity(document, ["b", "c"]).per_unit[0])


def test_labels_that_are_missing() -> None:
    document = STAR["stargazer"]
    with pytest.raises(ss.SegmentationError, match="labels: 0 coders"):
        ss.coders.label_similarity(document)
    with pytest.raises(ss.SegmentationError, match="labels: coder '1' gave none"):
        ss.coders.label_similarity(document, ["1", "2"])
    with pytest.raises(ss.SegmentationError, match="expected a document"):
        ss.coders.label_similarity(STAR)  # type: ignore[arg-type]


# ---- who stands out by the number of their boundaries ----


def outliers(corpus: ss.Corpus) -> list[str]:
    return [habits.coder for habits in ss.coders.boundaries_per_coder(corpus).outliers]


def crossed(**counts: int) -> ss.Corpus:
    """Coders with so many boundaries in one document of 1000 units."""
    return ss.Corpus.from_dict({
        "d": {name: ss.Segmentation.from_boundaries(np.arange(1, n + 1), 1000)
              for name, n in counts.items()}
    })  # fmt: skip


@pytest.mark.parametrize("n_coders", [3, 5, 10])
def test_three_times_as_many_stands_out(n_coders: int) -> None:
    for seed in range(8):
        people = panel(seed, 10, n_coders, seen=0.3, own=0.03, times={"bob": 3})
        assert outliers(people) == ["bob"], seed
        few = panel(seed, 20, n_coders, seen=0.6, own=0.06, times={"cem": 1 / 3})
        assert outliers(few) == ["cem"], seed


@pytest.mark.parametrize("n_coders", [3, 5, 10])
def test_equal_coders_raise_no_alarm(n_coders: int) -> None:
    alarms = [outliers(panel([seed, 4], 4, n_coders, seen=0.3, own=0.03)) for seed in range(60)]
    assert sum(map(bool, alarms)) <= 3


def test_by_the_letter() -> None:
    """One document: the median of the others, three spreads and three standard errors."""
    made = {
        habits.coder: habits
        for habits in ss.coders.boundaries_per_coder(crossed(a=90, b=100, c=120, d=400)).coders
    }
    assert made["d"].ratio == pytest.approx(4, rel=0.01)
    assert made["d"].others == pytest.approx(100 / 999, rel=0.01)
    differences = np.log([90.5 / 100.5, 1, 120.5 / 100.5])
    spread = 1.4826 * np.median(np.abs(differences))
    reach = max(2, math.exp(3 * math.sqrt((3 * spread**2 + 4 * 0.2**2) / 7)))
    assert made["d"].usual[1] == pytest.approx(reach, rel=0.01)
    assert made["d"].stands_out
    assert not made["a"].stands_out
    rare = {
        habits.coder: habits
        for habits in ss.coders.boundaries_per_coder(crossed(a=4, b=4, c=4, d=9)).coders
    }
    expected = rare["d"].others * 999
    assert expected == pytest.approx(4, abs=0.2)
    most = (math.sqrt(expected + 0.375) + 1.5 * math.sqrt(4 / 3)) ** 2 - 0.375
    assert rare["d"].usual[1] == pytest.approx(most / expected)
    assert not rare["d"].stands_out  # 9 for 4 is what chance may do


def test_others_who_are_all_alike_have_a_spread_of_zero() -> None:
    assert outliers(crossed(a=50, b=50, c=50, d=150)) == ["d"]
    assert outliers(crossed(a=50, b=50, c=50, d=60)) == []
    assert outliers(crossed(a=50, b=50, c=50)) == []
    assert outliers(crossed(a=50, b=50, c=0)) == ["c"]
    assert outliers(crossed(a=0, b=0, c=0)) == []


def test_half_of_the_documents_is_not_lazy() -> None:
    """A coder who did only documents with few boundaries is compared with the others on these."""
    loud, quiet = (panel(seed, 10, 4, seen=seen, own=seen / 10, prefix=prefix)
                   for seed, seen, prefix in ((1, 0.9, "loud"), (2, 0.25, "quiet")))  # fmt: skip
    rows = [record for record in loud.records() if record.coder != "dee"]
    both = ss.Corpus.from_rows([*rows, *quiet.records()])
    dee = next(
        habits for habits in ss.coders.boundaries_per_coder(both).coders if habits.coder == "dee"
    )
    assert dee.density < 0.5 * ss.coders.boundaries_per_coder(both).densities[0]
    assert dee.ratio == pytest.approx(1, abs=0.35)
    assert outliers(both) == []


def test_nobody_else_did_the_documents() -> None:
    alone = ss.Corpus.from_dict({
        name: {coder: ss.Segmentation.from_masses([2, 3])} for name, coder in zip("xyz", "abc", strict=True)
    })  # fmt: skip
    found = ss.coders.boundaries_per_coder(alone)
    assert all(math.isnan(habits.ratio) for habits in found.coders)
    assert found.outliers == ()
