"""Pairs: malformed columns never reach a kernel; threads change nothing."""

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import segscore as ss
from segscore.corpus.lists import Lists
from segscore.metrics import METRICS
from segscore.pairing import pairs as pairs_module
from strategies import pairs as drawn_pairs

masses = ss.Segmentation.from_masses
GOOD: dict[str, Any] = {
    "n_units": [11, 4],
    "ref_offsets": [0, 2, 3],
    "ref_positions": [2, 5, 2],
    "hyp_offsets": [0, 1, 1],
    "hyp_positions": [5],
}

MALFORMED = [
    ({"n_units": [11, 0]}, r"n_units\[1\] is 0"),
    ({"n_units": [11, 2**53 + 1]}, r"n_units\[1\] is 9007199254740993"),
    ({"n_units": [11.0, 4.0]}, "n_units is 1-dimensional of float64"),
    ({"ref_offsets": [0, 3]}, "ref_offsets has 2 entries: expected 3"),
    ({"ref_offsets": [1, 2, 3]}, r"ref_offsets\[0\] is 1"),
    ({"ref_offsets": [0, 3, 2]}, r"ref_offsets\[2\] is 2"),
    ({"ref_offsets": [0, 1, 2]}, r"ref_offsets\[2\] is 2: .* end at 3"),
    ({"ref_positions": [2, 5]}, "ref_offsets"),
    ({"ref_positions": [5, 2, 2]}, r"document 0: ref_positions\[1\] is 2: expected ascending"),
    ({"ref_positions": [0, 5, 2]}, r"document 0: ref_positions\[0\] is 0"),
    ({"ref_positions": [2, 5, 4]}, r"document 1: ref_positions\[2\] is 4: .* 1 … 3"),
    ({"hyp_positions": [11]}, r"document 0: hyp_positions\[0\] is 11"),
    ({"hyp_positions": np.array([2**63], np.uint64)}, "hyp_positions holds 9223372036854775808"),
    ({"documents": ["a"]}, "documents has 1 names: expected 2"),
    ({"ref_ranks": [1, 2]}, "ref_ranks has 2 entries: expected 3"),
    ({"ref_ranks": [1, 0, 1]}, "each at least 1"),
    ({"hyp_types": ([0, 1], [0])}, "hyp_types holds codes 0 … 0: expected 0 … -1"),
    ({"hyp_types": ([0, 2], [0]), "type_names": ["a"]}, "hyp_types offsets"),
    ({"ref_candidates": ([0, 1, 2], [3, 4])}, "ref_candidates, row 1: 4"),
    ({"groups": [0, 0, 2]}, "document 0 has no reference"),
    ({"groups": [0, 1, 4]}, "ref_offsets has 3 entries: expected 5"),
]


@pytest.mark.parametrize(("change", "message"), MALFORMED)
def test_malformed_columns_are_refused(change: dict[str, Any], message: str) -> None:
    assert len(ss.Pairs(**GOOD)) == 2
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Pairs(**{**GOOD, **change})


def test_arrays_of_32_bits_are_kept_and_give_the_same() -> None:
    narrow = {k: np.array(v, np.int32 if "positions" in k else np.int64) for k, v in GOOD.items()}
    pairs = ss.Pairs(**narrow)
    assert pairs.ref_positions.dtype == np.int32
    for name in METRICS:
        metric = ss.metric(name)
        if not metric.many_references:
            assert np.array_equal(metric.rows(pairs), metric.rows(ss.Pairs(**GOOD)), equal_nan=True)
    mixed = ss.Pairs(**{**GOOD, "ref_positions": narrow["ref_positions"]})
    assert mixed.ref_positions.dtype == mixed.hyp_positions.dtype == np.int64


@settings(max_examples=30)
@drawn(st.lists(drawn_pairs(min_units=2), min_size=1, max_size=12), st.integers(2, 5))
def test_threads_change_nothing(several: Any, threads: int) -> None:
    pairs = ss.Pairs.from_segmentations(*zip(*several, strict=True))
    for metric in (ss.Pk(edges="pad"), ss.WindowDiff(edges="wrap"), ss.WinPR()):
        single = metric.rows(pairs, threads=1)
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr(pairs_module, "_WORTH_A_THREAD", 1)
            many = metric.rows(pairs, threads=threads)
        assert np.array_equal(single, many)


@pytest.mark.parametrize("threads", [0, True, 1.5])
def test_wrong_number_of_threads(threads: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="threads is"):
        ss.Pk().rows(ss.Pairs(**GOOD), threads=threads)


def test_everything_a_segmentation_carries_comes_back() -> None:
    ref = ss.Segmentation.from_boundaries(
        [2, 5], 11, types=[{"a", 1}, "b"], ranks=[2, 1], candidates=[2, 5, 7]
    )
    plain = masses([4, 4])
    pairs = ss.Pairs.from_segmentations([ref, plain], [ref, plain], ["x", "y"])
    assert pairs.reference(0) == pairs.hypothesis(0) == ref
    assert pairs.type_names == (1, "a", "b")
    # Ranks are a column: where one document has them, all boundaries have one.
    assert pairs.reference(1).boundaries.tolist() == [4]
    assert pairs.reference(1).types is None
    assert pairs.reference(1).candidates is None


def test_groups_of_references() -> None:
    refs = [[masses([2, 4]), masses([3, 3])], masses([5])]
    pairs = ss.Pairs.from_segmentations(refs, [masses([1, 5]), masses([5])])
    assert pairs.groups is not None
    assert pairs.groups.tolist() == [0, 2, 3]
    assert pairs.references(0) == refs[0]
    assert pairs.references(1) == [refs[1]]
    with pytest.raises(ss.SegmentationError, match="reference per document"):
        ss.score(pairs)


@pytest.mark.parametrize(
    ("refs", "hyps", "message"),
    [
        ([masses([5])], [], "1 references and 0 hypotheses"),
        ([masses([5])], [masses([6])], "document 0: 5 units.* 6 units"),
        ({"a": masses([5])}, {"a": masses([6])}, "document 'a': 5 units"),
        (
            {"a": masses([5])},
            {"b": masses([5])},
            "common.*'a'.*'b'",
        ),
        ({}, {"b": masses([5])}, "no reference.*'b'"),
        ({"a": masses([5])}, [masses([5])], "names of documents"),
        ([[2, 3]], [masses([5])], "document 0: reference is"),
        ([[]], [masses([5])], "document 0: reference is"),
        ([masses([5])], [[2, 3]], "document 0: hypothesis is"),
    ],
)
def test_sides_that_do_not_fit(refs: Any, hyps: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Pairs.from_segmentations(refs, hyps)


# ---- nobody else's memory ----


def given() -> dict[str, Any]:
    """A batch in arrays of the caller's."""
    return {
        "n_units": np.array([11, 40]),
        "ref_offsets": np.array([0, 2, 3]),
        "ref_positions": np.array([2, 5, 7]),
        "hyp_offsets": np.array([0, 1, 3]),
        "hyp_positions": np.array([5, 8, 20]),
        "ref_types": (np.array([0, 1, 2, 3]), np.array([0, 1, 0])),
        "hyp_types": (np.array([0, 1, 2, 3]), np.array([0, 0, 1])),
        "type_names": (1, 2),
        "ref_ranks": np.array([1, 2, 1]),
        "hyp_ranks": np.array([1, 2, 1]),
        "ref_candidates": (np.array([0, 3, 4]), np.array([2, 5, 9, 7])),
        "hyp_candidates": (np.array([0, 0, 2]), np.array([8, 20])),
    }


def arrays_of(pairs: ss.Pairs) -> list[Any]:
    """Every array that Pairs hold."""
    held = [getattr(pairs, name) for name in ss.Pairs.__slots__]
    arrays = [array for array in held if isinstance(array, np.ndarray)]
    return arrays + [array for lists in held if isinstance(lists, Lists) for array in lists]


def test_pairs_do_not_change_with_what_they_were_built_from() -> None:
    """Before, `ref_offsets[1] = 10**7` behind their back was a segmentation fault in b."""
    arrays = given()
    pairs = ss.Pairs(**arrays)
    metrics = [ss.WindowDiff(), ss.BoundarySimilarity(4), ss.GHD(), ss.Hierarchical(ss.Pk())]
    before = [metric.rows(pairs) for metric in metrics if metric.name != "e-pk"]
    for column in arrays.values():
        for array in column if isinstance(column, tuple) else (column,):
            if isinstance(array, np.ndarray):
                array[:] = 10**7
    after = [metric.rows(pairs) for metric in metrics if metric.name != "e-pk"]
    assert all(np.array_equal(rows, other) for rows, other in zip(before, after, strict=True))


def test_columns_cannot_be_made_writeable() -> None:
    for pairs in (
        ss.Pairs(**given()),
        pickle.loads(pickle.dumps(ss.Pairs(**given()))),  # noqa: S301
        copy.deepcopy(ss.Pairs(**given())),
        copy.copy(ss.Pairs(**given())),
    ):
        assert len(arrays_of(pairs)) == 15
        for array in arrays_of(pairs):
            while isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="WRITEABLE"):
                    array.flags.writeable = True
                array = array.base  # noqa: PLW2901
            assert type(array) is bytes


def test_slots_cannot_be_assigned() -> None:
    pairs = ss.Pairs(**given())
    for name in ss.Pairs.__slots__:
        with pytest.raises(AttributeError, match="not change"):
            setattr(pairs, name, np.array([10**7]))
        with pytest.raises(AttributeError, match="not change"):
            delattr(pairs, name)
    with pytest.raises(AttributeError):
        pairs.__init__(**given())  # type: ignore[misc]
    names = ["a", "b"]
    named = ss.Pairs(**given(), documents=names)
    names.clear()
    assert list(named.documents) == ["a", "b"]


@pytest.mark.parametrize("column", ["n_units", "ref_offsets", "ref_positions", "hyp_positions"])
@pytest.mark.parametrize(
    "value",
    [
        np.ma.array([2, 5, 2], mask=[False, True, False]),
        np.array(5),
        np.array([2, 5, 2], "m8[ns]"),
        5,
        None,
        "abc",
        [[2], [5, 2]],
        [2**70],
    ],
    ids=lambda value: re.sub(" at 0x.*", "", str(value)),
)
def test_what_is_no_column(column: str, value: Any) -> None:
    with pytest.raises(ss.SegmentationError, match=column):
        ss.Pairs(**{**GOOD, column: value})


# ---- labels of segments ----


def test_labels_of_segments_stand_in_columns() -> None:
    refs = [
        ss.Segmentation.from_masses([2, 3], segment_labels=["b", None]),
        ss.Segmentation.from_masses([4]),
        ss.Segmentation.from_masses([1, 1], segment_labels=["a", {"c", "b"}]),
    ]
    hyps = [ref.with_segment_labels(None) for ref in refs]
    pairs = ss.Pairs.from_segmentations(refs, hyps)
    assert pairs.label_names == ("a", "b", "c")
    assert pairs.hyp_labels is None
    assert pairs.ref_labels is not None
    assert pairs.ref_labels.offsets.tolist() == [0, 1, 1, 1, 2, 4]
    assert pairs.ref_labels.values.tolist() == [1, 0, 1, 2]
    assert [pairs.reference(row) for row in range(3)] == refs
    assert [pairs.hypothesis(row) for row in range(3)] == hyps
    assert copy.deepcopy(pairs).reference(2) == refs[2]


def test_wrong_columns_of_labels_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match=r"ref_labels holds codes 0 … 2: expected 0 … 1"):
        ss.Pairs([4], [0, 1], [2], [0, 0], [], ref_labels=([0, 1, 2], [0, 2]), label_names="ab")
    with pytest.raises(ss.SegmentationError, match="hyp_labels offsets has 3 entries: expected 2"):
        ss.Pairs([4], [0, 1], [2], [0, 0], [], hyp_labels=([0, 1, 2], [0, 1]), label_names="ab")


@pytest.fixture(scope="module")
def several() -> ss.Pairs:
    rng = np.random.default_rng(5)

    def coding(n: int) -> ss.Segmentation:
        return ss.Segmentation.from_boundaries(np.flatnonzero(rng.random(n - 1) < 0.1) + 1, n)

    sizes = rng.integers(2, 90, 700).tolist()
    return ss.Pairs.from_segmentations([coding(n) for n in sizes], [coding(n) for n in sizes])


def test_a_thread_starts_where_it_pays(several: ss.Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(threads: int, tasks: Any) -> Any:
        raise AssertionError(f"{threads} threads for {len(several)} documents")

    monkeypatch.setattr(pairs_module, "run_in_threads", started)
    ss.score(several, metrics=["pk", "windowdiff", "b"], threads=2)
    ss.score(several, metrics=["pk", "windowdiff", "b"], threads=None)
    monkeypatch.setattr(pairs_module, "_WORTH_A_THREAD", 1)
    with pytest.raises(AssertionError, match="2 threads for 700"):
        ss.score(several, metrics=["pk", "windowdiff", "b"], threads=2)
