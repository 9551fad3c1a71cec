"""Boundary types in S and B: scales, declared or not, and what cannot be compared."""

from typing import Any

import pytest

import segscore as ss

masses = ss.Segmentation.from_masses
S, B = ss.SegmentationSimilarity, ss.BoundarySimilarity


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
