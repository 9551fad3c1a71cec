"""Anything with `__array__` is taken where lists of numbers are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import segscore as ss
from array_likes import ArrayLike, OnAnotherDevice

S = ss.Segmentation
TEXT = "It rains. It pours. So."

CONSTRUCTORS: dict[str, tuple[Callable[..., Any], Any]] = {
    "masses": (S.from_masses, [2, 3, 6]),
    "boundaries": (lambda x: S.from_boundaries(x, 11), [2, 5]),
    "ranks": (lambda x: S.from_boundaries([2, 5], 11, ranks=x), [2, 1]),
    "types": (lambda x: S.from_boundaries([2, 5], 11, types=x), [1, 2]),
    "candidates": (lambda x: S.from_boundaries([2], 11, candidates=x), [2, 5]),
    "n_units": (lambda x: S.from_boundaries([2], x), 11),
    "gaps": (S.from_gaps, [0, 1, 0, 0]),
    "labels": (lambda x: S.from_labels(x, "end"), [0, 1, 0]),
    "padded labels": (lambda x: S.from_labels(x, "end", ignore_index=-100), [0, 1, 0, -100]),
    "ids": (S.from_segment_ids, [0, 0, 1]),
    "spans": (S.from_spans, [[0, 2], [2, 5]]),
    "starts": (lambda x: S.from_times(x, 10.0), [0.0, 2.5]),
    "duration": (lambda x: S.from_times([0, 2.5], x), 10.0),
    "offsets": (lambda x: S.from_offsets(TEXT, x), [[0, 9], [10, 23]]),
    "expanded": (lambda x: S.from_masses([1, 2]).expand(x), [7, 4, 9]),
    "scores": (ss.ScoredBoundaries, [0.1, 0.9]),
    "scores of units": (lambda x: ss.ScoredBoundaries.from_units(x, "end"), [0.1, 0.9, 0.2]),
    "positions": (lambda x: ss.ScoredBoundaries([0.1], positions=x, n_units=5), [2]),
    "threshold": (lambda x: ss.ScoredBoundaries([0.1, 0.9]).at(x), 0.5),
}


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_constructors_take_what_has_an_array(name: str) -> None:
    make, given = CONSTRUCTORS[name]
    assert make(ArrayLike(given)) == make(given)


@pytest.mark.parametrize(
    "name", ["masses", "boundaries", "gaps", "labels", "ids", "starts", "scores", "spans"]
)
def test_lists_of_tensors_are_lists_of_what_they_hold(name: str) -> None:
    make, given = CONSTRUCTORS[name]
    assert make([ArrayLike(value) for value in given]) == make(given)


@pytest.mark.parametrize("name", [name for name in CONSTRUCTORS if name != "types"])
def test_what_cannot_be_read_is_told_with_the_remedy(name: str) -> None:
    make, _ = CONSTRUCTORS[name]
    expected = r"OnAnotherDevice.*can't.*cuda:0.*cpu\(\)"
    with pytest.raises(ss.SegmentationError, match=expected):
        make(OnAnotherDevice())


def test_score_takes_tensors_of_a_known_encoding() -> None:
    refs, hyps = [[0, 1, 0, 0], [0, 0, 1, 0]], [[0, 0, 1, 0], [0, 0, 1, 0]]
    expected = [2 / 3, 0.0]  # k = 1: of 3 windows 2 differ, where each side has its boundary
    for left, right in (
        (ArrayLike(refs), ArrayLike(hyps)),
        ([ArrayLike(labels) for labels in refs], [ArrayLike(labels) for labels in hyps]),
        (np.array(refs, bool), np.array(hyps, bool)),
        (refs, hyps),
    ):
        found = ss.score(left, right, "pk", encoding="labels-end")["pk"]
        assert found.values.tolist() == expected
    named = ss.score(
        {"a": ArrayLike([2, 3]), "b": [5]}, {"a": [3, 2]}, "pk", encoding="masses", missing="skip"
    )
    assert named.documents == ("a",)
    assert named.skipped == ("b",)


def test_pairs_and_masks_take_tensors() -> None:
    made = ss.Pairs(*(ArrayLike(column) for column in ([11], [0, 1], [2], [0, 1], [5])))
    assert (made.reference(0), made.hypothesis(0)) == (S.from_masses([2, 9]), S.from_masses([5, 6]))
    lists = ss.Pairs.from_lists(ArrayLike([[2]]), ArrayLike([[5]]), ArrayLike([11]))
    assert lists.reference(0) == made.reference(0)
    left = ss.corpus.cut_out(S.from_masses([2, 3, 6]), ArrayLike([[3, 6]]))
    assert left == S.from_masses([2, 1, 5])
