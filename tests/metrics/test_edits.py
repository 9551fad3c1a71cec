"""S and B: values from the oracle's edits, batches, published values, types, edge cases."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from oracles import edits as oracle
from strategies import pairs, typed_points, with_types, without_types

masses = ss.Segmentation.from_masses
S, B = ss.SegmentationSimilarity, ss.BoundarySimilarity

MODELS = {
    "unit": lambda _, __: 1.0,
    "halving": lambda d, _: 2 - 2.0 ** (1 - d),
    "span": lambda d, n_t: d / n_t,
    "span-1": lambda d, n_t: d / (n_t - 1),
}


def both(places: tuple[Any, Any], n_units: int = 30, **options: Any) -> list[ss.Segmentation]:
    """Two segmentations, with types where given as [(position, type), …]."""
    return [ss.Segmentation.from_boundaries(side, n_units, **options) for side in places]


def _all_of_type(coding: ss.Segmentation, kind: str) -> ss.Segmentation:
    places = coding.boundaries
    return ss.Segmentation.from_boundaries(places, coding.n_units, types=[kind] * len(places))


# ---- values ----


@given(
    typed_points(12, 1, most_alone=6),
    st.integers(1, 8),
    st.sampled_from(sorted(MODELS)),
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    st.sampled_from([0.0, 0.25]),
    st.sampled_from([0.0, 0.5, 1, 1.5]),
)
def test_one_type_from_the_optimal_edits(
    case: Any, n_t: int, model: Any, w_trp: float, w_t: float, w_ad: float
) -> None:
    n, ref, hyp = case
    a, b = without_types(n, ref), without_types(n, hyp)
    best = oracle.optimal(ref, hyp, n_t)
    prices = {d: w_trp * MODELS[model](d, n_t) + w_t for d in range(1, n_t)}
    alone = len(ref ^ hyp) - 2 * len(best)
    cost = w_ad * alone + sum(prices[q - p] for (p, _), (q, _) in best)
    weights = {"w_trp": w_trp, "w_t": w_t, "w_ad": w_ad}
    options: Any = {"n_t": n_t, "cost": model, **weights}
    expected = oracle.boundary_similarity(ref, hyp, best, prices, None, w_ad)
    for typed in ({}, {"types": ("boundary",)}):  # both kernels
        pair = (a, b) if not typed else [_all_of_type(coding, "boundary") for coding in (a, b)]
        assert S(**options, **typed)(*pair) == pytest.approx(1 - cost / (n - 1))
        score = B(**options, **typed)(*pair)
        assert score == pytest.approx(expected)
        assert (score.fn, score.fp) == (len(ref - hyp) - len(best), len(hyp - ref) - len(best))
    assert ss.boundary_edits(a, b, n_t).cost(model, **weights) == pytest.approx(cost)


@given(
    typed_points(10, 4, most_alone=5),
    st.integers(1, 6),
    st.sampled_from(["ordinal", "unit"]),
    st.booleans(),
    st.sampled_from(["weight", "one"]),
    st.sampled_from([0.5, 1, 2]),
)
def test_several_types_from_the_optimal_edits(
    case: Any, n_t: int, substitution: Any, declared: bool, credit: Any, w_ad: float
) -> None:
    n, ref, hyp = case
    a, b = with_types(n, ref), with_types(n, hyp)
    kinds = {1, 2, 3, 4} if declared else {kind for _, kind in ref | hyp}
    width = max(kinds, default=1) - min(kinds, default=0) or 1
    scale = None if substitution == "unit" else width
    best = oracle.optimal(ref, hyp, n_t, scale)
    prices = {d: d / n_t for d in range(1, n_t)}
    options: Any = {
        "n_t": n_t,
        "cost": "span",
        "substitution": substitution,
        "types": (1, 2, 3, 4) if declared else None,
        "w_ad": w_ad,
    }
    score = B(**options, substitution_credit=credit)(a, b)
    assert score == pytest.approx(oracle.boundary_similarity(ref, hyp, best, prices, scale, w_ad))
    cells = oracle.confusion(ref, hyp, best, prices, scale, credit == "one")
    wrong = {cell: entry for cell, entry in cells.items() if cell[0] != cell[1]}
    assert score.fp == pytest.approx(sum(entry for (_, y), entry in wrong.items() if y))
    assert score.fn == pytest.approx(sum(entry for (x, _), entry in wrong.items() if x))
    for x in (*sorted(kinds), None):
        for y in (*sorted(kinds), None):
            if x is not None or y is not None:
                assert score.confusion[x, y] == pytest.approx(cells.get((x, y), 0))
    worth = oracle.correctness(best, prices, scale)
    cost = w_ad * (len(ref ^ hyp) - 2 * len(best)) + sum(1 - correctness for correctness in worth)
    t = max(1, len(kinds))
    assert S(**options)(a, b) == pytest.approx(1 - cost / (t * (n - 1)))


@given(st.lists(pairs(max_units=70), min_size=1, max_size=8), st.integers(1, 12))
def test_batch_equals_single_calls(many: Any, n_t: int) -> None:
    refs, hyps = zip(*many, strict=True)
    for metric in (S(n_t), B(n_t, w_ad=0.5), B(n_t, method="greedy"), S(n_t, cost=lambda d: d / 9)):
        result = ss.score(refs, hyps, metric, threads=1, on_undefined="nan")[metric]
        twice = ss.score(refs, hyps, metric, threads=2, on_undefined="nan")[metric]
        assert np.array_equal(result.statistics.rows, twice.statistics.rows)
        for row, pair in enumerate(many):
            single = metric(*pair, on_undefined="nan")
            assert result.values[row] == pytest.approx(single, nan_ok=True)
            assert np.array_equal(single.statistics.rows, result.statistics.rows[row])


# ---- parts ----


@given(pairs(min_units=2), st.integers(2, 6))
def test_error_and_interval_are_those_of_the_mean(pair: Any, n_t: int) -> None:
    score = B(n_t)(*pair)
    edits = ss.boundary_edits(*pair, n_t)
    worth = [1.0] * len(edits.matches) + [0.0] * len(edits.additions)
    worth += [1 - abs(edit.a - edit.b) / n_t for edit in edits.transpositions]
    assert score.n_pairs == len(worth)
    if len(worth) < 2:
        assert math.isnan(score.standard_error)
        assert all(map(math.isnan, score.ci))
        return
    assert score.standard_error == pytest.approx(stats.sem(worth), abs=1e-9)
    if score.standard_error > 1e-6:
        expected = stats.t.interval(0.95, len(worth) - 1, np.mean(worth), stats.sem(worth))
        assert score.ci == pytest.approx(expected)


def test_what_a_near_miss_loses_is_neither_fp_nor_fn() -> None:
    ref, hyp = both(([5, 9], [8]))
    score = B(4)(ref, hyp)
    assert (score.tp, score.fp, score.fn) == (0.75, 0, 1)
    assert (score.precision, score.recall) == (1, 0.75 / 1.75)
    assert B(4)(*both(([5], [8]))).tp == 0.25  # the farther, the less


def test_micro_average_of_documents() -> None:
    refs = [masses([2, 3, 6]), masses([9]), masses([4, 4])]
    hyps = [masses([2, 2, 7]), masses([9]), masses([2, 6])]
    scores = ss.score(refs, hyps, "b")["b"]
    assert scores.values.tolist() == [0.75, 1, 0]
    assert scores.macro == pytest.approx(1.75 / 3)
    assert scores.micro == pytest.approx(1.5 / 4)  # the document without boundaries adds nothing
    assert scores.micro.n_pairs == 4
    assert scores.micro.confusion["boundary", "boundary"] == 1.5
    assert scores.micro.confusion.positions == 10 + 8 + 7


def test_matrices_of_declared_types_add_up() -> None:
    a = ss.Segmentation.from_boundaries([2, 5], 8, types=["x", "y"])
    b = ss.Segmentation.from_boundaries([2, 6], 8, types=["y", "y"])
    metric = B(types=("x", "y"))
    micro = ss.score([a, a], [b, a], metric)[metric].micro
    assert micro.confusion["x", "y"] == 1
    assert micro.confusion["y", "y"] == 0.5 + 1
    assert micro.confusion["x", "x"] == 1
    assert micro.confusion.positions == 14
    pooled = ss.score([a, a], [b, a], B(substitution="unit"))
    assert next(iter(pooled.values())).micro.confusion.types == ("boundary",)


# ---- published values (docs/definitions.md §4.2) ----


@pytest.mark.parametrize(
    ("hyp", "s", "b"),
    [((5, 6), 0.9, 0.5), ((2, 2, 7), 0.9, 0.75), ((2, 3, 3, 3), 0.9, 2 / 3),
     ((1, 1, 3, 1, 5), 0.8, 0.5)],
)  # fmt: skip
def test_fournier_2013_figures_5_to_8(hyp: tuple[int, ...], s: float, b: float) -> None:
    ref = masses([2, 3, 6])
    assert S()(ref, masses(hyp)) == pytest.approx(s)
    assert B()(ref, masses(hyp)) == pytest.approx(b)


def test_fournier_2013_equation_5_as_printed_gives_another_figure_6() -> None:
    assert B(cost="span-1")(masses([2, 3, 6]), masses([2, 2, 7])) == 0.5


@pytest.mark.parametrize(
    ("a", "b", "s"),
    [
        ((1, 2, 2, 3, 3, 1, 2), (1, 2, 1, 2, 6, 2), 9 / 13),
        ((14,), (1,) * 14, 0),
        ((1, 2, 2, 2, 4, 2, 1), (1, 2, 8, 2, 1), 11 / 13),
        ((6, 8), (7, 7), 12 / 13),
    ],
)
def test_fournier_inkpen_2012_figures(a: tuple[int, ...], b: tuple[int, ...], s: float) -> None:
    assert S()(masses(a), masses(b)) == pytest.approx(s)


# ---- settings ----


def test_added_fields_stand_in_signatures_only_if_they_differ() -> None:
    """Signatures printed before a field existed stay valid and equal."""
    old = "b|n_t:2|cost:span|method:optimal|w_trp:1|w_t:0|w_sub:1|w_s:0|substitution:ordinal"
    assert B().signature() == f"{old}|types:auto|v:0.1.0"
    changed = B(w_ad=0.5, substitution_credit="one")
    assert "|types:auto|w_ad:0.5|substitution_credit:one|v:" in changed.signature()
    assert "|w_ad:2|" in S(w_ad=2).signature()
    assert str(changed) == "b(w_ad=0.5,substitution_credit=one)"
    for metric in (B(), S(), changed, S(w_ad=2), ss.metric("e-b"), ss.metric("e-b(w_ad=0.5)")):
        assert ss.metric(metric.signature()) == ss.metric(str(metric)) == metric
    assert "w_ad" not in ss.metric("e-b").signature()
    assert "|w_ad:0.5|" in ss.metric("e-b(w_ad=0.5)").signature()


def test_a_substitution_enters_the_matrix_with_its_ordinal_weight() -> None:
    """Fournier (2013), eq. 6 and 7: types 1 and 2 of a scale 1 … 5 are a quarter of it apart."""
    ref = ss.Segmentation.from_boundaries([2, 5, 8], 11, types=[1, 5, 3])
    hyp = ss.Segmentation.from_boundaries([2, 5, 8], 11, types=[2, 5, 3])
    assert B(w_sub=0, w_s=0.5)(ref, hyp).confusion[1, 2] == 0.5
    assert B(w_sub=9)(ref, hyp).confusion[1, 2] == 1  # never more than a full miss
    assert ss.boundary_edits(ref, hyp).confusion()[1, 2] == 0.25
    assert ss.boundary_edits(ref, hyp).confusion(substitution_credit="one")[1, 2] == 1


def test_a_function_as_cost() -> None:
    ref, hyp = both(([5], [8]))
    assert B(5, cost=lambda d: d / 10)(ref, hyp) == pytest.approx(0.7)
    assert B(5, cost=lambda d: d)(ref, hyp) == 0  # correctness is never negative
    assert S(5, cost=lambda d: d)(ref, hyp) == pytest.approx(1 - 3 / 29)
    asked: list[int] = []
    B(10**9, cost=lambda d: asked.append(d) or 0.5)(ref, hyp)  # type: ignore[func-returns-value]
    assert asked == list(range(1, 30))  # no distance that cannot occur
    for answer, message in ((float("nan"), "is nan"), (-1, "is -1"), ("1", "is '1'")):
        with pytest.raises(ss.SegmentationError, match=r"cost\(1\) " + message):
            B(5, cost=lambda _, answer=answer: answer)(ref, hyp)


@pytest.mark.parametrize("cost", sorted(MODELS))
def test_prices_beyond_the_table(cost: Any) -> None:
    """A distance of 5000, looked up in no table."""
    ref, hyp = both(([5], [5005]), n_units=10**6)
    n_t = 10**5
    expected = max(0, 1 - MODELS[cost](5000, n_t))
    assert B(n_t, cost=cost)(ref, hyp) == pytest.approx(expected)
    edits = ss.boundary_edits(ref, hyp, n_t)
    assert 1 - edits.cost(cost) == pytest.approx(1 - MODELS[cost](5000, n_t))


# ---- edges (docs/definitions.md §11) ----


def test_no_boundary_on_either_side() -> None:
    none = masses([6])
    assert S()(none, none) == B()(none, none) == 1
    score = B()(none, none)
    assert score.n_pairs == 0
    assert math.isnan(score.precision)
    assert math.isnan(score.recall)
    assert math.isnan(score.f)
    micro = ss.score([none, masses([2, 4])], [none, masses([6])], "b")["b"]
    assert (micro.micro, micro.macro) == (0, 0.5)


def test_a_boundary_everywhere() -> None:
    full, none = masses([1] * 6), masses([6])
    assert S()(full, none) == B()(full, none) == 0
    assert S()(full, full) == B()(full, full) == 1


def test_vast_documents_cost_nothing() -> None:
    far = 10**12
    ref, hyp = both(([5, far - 7], [6, far - 7]), n_units=far)
    assert B()(ref, hyp) == 0.75
    assert B(far)(*both(([1], [far - 1]), n_units=far)) == pytest.approx(2 / far)
    assert S()(ref, hyp) == pytest.approx(1 - 1 / (far - 1))


# ---- boundary types in S and B ----


def typed(*points: tuple[int, Any], n_units: int = 12) -> ss.Segmentation:
    places, kinds = zip(*points, strict=True)
    return ss.Segmentation.from_boundaries(places, n_units, types=kinds)


def test_ordinal_and_nominal_substitutions() -> None:
    a, b = typed((3, 1), (6, 2), (9, 5)), typed((3, 2), (6, 2), (9, 5))
    assert B()(a, b) == pytest.approx((2 + 1 - 1 / 4) / 3)  # |1-2| / (5-1)
    assert B(types=(1, 2, 5))(a, b) == pytest.approx((2 + 1 - 1 / 2) / 3)  # neighbours of three
    assert B(substitution="unit")(a, b) == pytest.approx(2 / 3)
    assert B(w_sub=0.5, w_s=0.25)(a, b) == pytest.approx((2 + 1 - 0.5 / 4 - 0.25) / 3)
    assert S()(a, b) == pytest.approx(1 - (1 / 4) / (3 * 11))
    assert S(types=(1, 2, 3, 4, 5))(a, b) == pytest.approx(1 - (1 / 4) / (5 * 11))


def test_undeclared_names_need_no_order_until_two_occur() -> None:
    coding, other = typed((3, "x")), typed((4, "x"))
    assert B()(coding, other) == 0.5
    mixed = typed((3, "x"), (6, "y"))
    message = "'x'.*'y'.*types=….*substitution='unit'"
    for metric in (B(), S(), B(method="greedy")):
        with pytest.raises(ss.SegmentationError, match=message):
            metric(mixed, mixed)
        with pytest.raises(ss.SegmentationError, match="document 'd2'.*" + message):
            ss.score({"d1": coding, "d2": mixed}, {"d1": other, "d2": mixed}, metric)
    assert B(substitution="unit")(mixed, mixed) == B(types=("y", "x"))(mixed, mixed) == 1
    number = typed((3, 1), (6, "1"))
    with pytest.raises(ss.SegmentationError, match="1.*'1'.*no order"):
        B()(number, number)


def test_documents_of_one_batch_may_use_other_names() -> None:
    refs = [typed((3, "x")), typed((3, "y")), typed((3, 1), (5, 2)), masses([3, 9])]
    hyps = [typed((4, "x")), typed((3, "y")), typed((3, 2), (5, 2)), masses([4, 8])]
    scores = ss.score(refs, hyps, "b")["b"]
    assert scores.values.tolist() == [0.5, 1, 0.5, 0.5]
    assert scores.statistics["places"].tolist() == [11, 11, 22, 11]


def test_typed_against_untyped_is_refused() -> None:
    with_type, without = typed((3, "x")), masses([3, 9])
    for pair in ((with_type, without), (without, with_type)):
        for metric in (B(), S(), B(types=("x",))):
            with pytest.raises(ss.SegmentationError, match="boundaries without a type"):
                metric(*pair)
    with pytest.raises(ss.SegmentationError, match=r"the reference .* types=\('x',\) is given"):
        B(types=("x",))(without, without)
    with pytest.raises(ss.SegmentationError, match="document 'b'.*hypothesis has boundaries"):
        ss.score({"a": with_type, "b": with_type}, {"a": with_type, "b": without}, "b")


def test_a_side_without_boundaries_goes_with_either() -> None:
    none = masses([12])
    assert B()(typed((3, "x")), none) == B()(none, typed((3, 1))) == 0
    assert B(types=("x",))(none, none) == S(types=("x", "y"))(none, none) == 1


def test_undeclared_type_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="document 0.*type 'z'"):
        B(types=("x", "y"))(typed((3, "x")), typed((3, "z")))


def test_types_of_pairs_are_checked() -> None:
    def batch(lists: Any, names: Any = ("x", "y")) -> ss.Pairs:
        return ss.Pairs(
            [9], [0, 1], [3], [0, 1], [3],
            ref_types=lists, hyp_types=([0, 1], [0]), type_names=names,
        )  # fmt: skip

    unsorted = B(types=("x", "y")).rows(batch(([0, 2], [1, 0])))
    assert unsorted[0, :3].tolist() == [1, 1, 2]
    with pytest.raises(ss.SegmentationError, match="the same type twice"):
        B(types=("x", "y")).rows(batch(([0, 2], [1, 1])))
    with pytest.raises(ss.SegmentationError, match="the same type twice"):
        B(types=("x",)).rows(batch(([0, 2], [0, 1]), ("x", "x")))


def test_vast_integers_as_types() -> None:
    a, b = typed((3, 10**17), (5, 1)), typed((3, 1), (5, 1))
    with pytest.raises(ss.SegmentationError, match="type 100000000000000000: expected integers"):
        B()(a, b)
    assert B(substitution="unit", types=(1, 10**17))(a, b) == 0.5


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ((), r"types is \(\)"),
        ({"a", "b"}, "types is"),
        ((True,), r"types\[0\] is True"),
        (("a", "b", "a"), r"types\[2\] is 'a' .*listed twice"),
    ],
)
def test_wrong_types(types: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        B(types=types)


# ---- the confusion matrix ----


MATRIX = ss.metrics.ConfusionMatrix(["x", "y"], [[3, 1, 0], [0, 1.5, 1], [2, 0, 0]], 20)


def test_one_type_against_the_rest() -> None:
    assert MATRIX.counts("x") == (3, 2, 1, 14)
    assert MATRIX.counts("y") == (1.5, 1, 1, 16.5)
    assert MATRIX.precision("x") == 3 / 5
    assert MATRIX.recall("y") == 1.5 / 2.5
    assert MATRIX.f("x", beta=2) == pytest.approx(5 * 3 / (5 * 3 + 4 * 1 + 2))


def test_pooled() -> None:
    assert MATRIX.counts() == (4.5, 3, 2, 2 * 20 - 4.5 - 3 - 2)
    assert MATRIX.precision() == 4.5 / 7.5
    assert MATRIX.recall() == 4.5 / 6.5
    assert MATRIX.f() == pytest.approx(2 * 4.5 / (2 * 4.5 + 2 + 3))


def test_averaged_over_types() -> None:
    assert MATRIX.precision(average="macro") == pytest.approx((3 / 5 + 1.5 / 2.5) / 2)
    unused = ss.metrics.ConfusionMatrix(["x", "y"], [[3, 0, 0], [0, 0, 0], [1, 0, 0]], 20)
    assert unused.precision(average="macro") == 3 / 4  # y has no precision to average
    assert math.isnan(unused.precision("y"))
    empty = ss.metrics.ConfusionMatrix(["x"], [[0, 0], [0, 0]], 20)
    assert math.isnan(empty.f(average="macro"))


def test_equality_and_text() -> None:
    same = ss.metrics.ConfusionMatrix(["x", "y"], MATRIX.cells, 20)
    assert same == MATRIX != ss.metrics.ConfusionMatrix(["x", "z"], MATRIX.cells, 20)
    assert MATRIX != "matrix"
    with pytest.raises(ValueError, match="read-only"):
        MATRIX.cells[0, 0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(MATRIX)


def test_what_it_refuses() -> None:
    with pytest.raises(KeyError, match="'z' .*is not among x, y"):
        MATRIX["x", "z"]
    with pytest.raises(ss.SegmentationError, match="average is 'mean'"):
        MATRIX.precision(average="mean")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="beta is 0"):
        MATRIX.f(beta=0)
    with pytest.raises(ss.SegmentationError, match="expected 3 rows and columns"):
        ss.metrics.ConfusionMatrix(["x", "y"], np.zeros((2, 2)), 9)
