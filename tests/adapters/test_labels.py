"""Batches of labels: padding, lengths, shapes; and as a scorer of scikit-learn."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from adapters.label_batches import batches, segmentations
from segscore.adapters.labels import label_score, pairs_from_labels

labels = st.lists(st.integers(0, 1), min_size=1, max_size=12)


@given(
    st.lists(labels, min_size=1, max_size=6),
    st.sampled_from(["end", "start"]),
    st.randoms(use_true_random=False),
)
def test_labels_are_read_as_one_by_one(refs: list[list[int]], marks: Any, random: Any) -> None:
    hyps = [[random.randint(0, 1) for _ in ref] for ref in refs]
    read = ss.Segmentation.from_labels
    for padded in (False, True):
        sides: list[Any] = [refs, hyps]
        if padded:
            most = max(map(len, refs))
            sides[0] = np.array([ref + [-100] * (most - len(ref)) for ref in refs])
            sides[1] = np.array([hyp + [1] * (most - len(hyp)) for hyp in hyps])
        found = pairs_from_labels(*sides, marks=marks)
        for row, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
            assert found.reference(row) == read(ref, marks=marks)
            assert found.hypothesis(row) == read(hyp, marks=marks)
        assert len(found) == len(refs)


def test_ignored_labels_inside_are_no_units() -> None:
    found = pairs_from_labels([[-100, 0, -100, 1, 0, -100]], [[1, 0, 1, 0, 1, 1]], marks="end")
    assert found.reference(0).masses.tolist() == [2, 1]
    assert found.hypothesis(0).masses.tolist() == [3]


def test_lengths_cut_off_padding_without_a_label() -> None:
    refs, hyps = np.array([[0, 1, 0, 0], [1, 0, 0, 0]]), np.array([[1, 0, 0, 1], [1, 0, 0, 0]])
    found = pairs_from_labels(refs, hyps, marks="end", lengths=[3, 2], ignore_index=None)
    assert [found.reference(i).masses.tolist() for i in (0, 1)] == [[2, 1], [1, 1]]
    assert found.hypothesis(0).masses.tolist() == [1, 2]


def test_scores_are_those_of_segmentations() -> None:
    listed = batches(1, 30)
    hyp, ref = listed[0]
    expected = ss.score(*segmentations(listed), ["b", "pk"])
    assert label_score(ref, hyp, metric="b", marks="end") == expected["b"].micro
    assert label_score(ref, hyp, metric="pk", marks="end", average="macro") == expected["pk"].macro
    ref_labels, hyp_labels = ref[0][ref[0] != -100], hyp[0][ref[0] != -100]
    assert label_score(ref_labels, hyp_labels, metric="b", marks="end") == expected["b"].values[0]


WRONG: list[tuple[Any, Any, dict[str, Any], str]] = [
    ([[0, 2]], [[0, 1]], {}, "document 0.*batch.*unit 2.*refs is 2"),
    ([[0, 1]], [[0, -100]], {}, "unit 2.*label.*hyps is -100"),
    ([[0, 1]], [[0, 1], [1, 0]], {}, "refs has 1 documents, hyps 2"),
    ([[0, 1], [0]], [[0, 1], [0, 1]], {}, "document 1.*batch has 1.*2"),
    ([[0, 1], [-100, -100]], [[0, 1], [0, 1]], {}, "document 1.*batch has no unit"),
    ([[0, 1]], [[0.5, 0.1]], {}, r"hyps\[0\] is .*threshold"),
    ([[0, 1]], [[[0, 1], [1, 0]]], {}, r"hyps\[0\] is .*argmax"),
    ("01", "01", {}, r"refs\[0\] is '01'"),
    ([], [], {}, "refs has no document"),
    ([[0, 1], "ab"], [[0, 1], [0, 1]], {}, r"refs\[1\] is 'ab'"),
    ([[0, 1]], [[0, 1]], {"lengths": [3]}, r"lengths\[0\] is 3: expected 1 … 2"),
    ([[0, 1]], [[0, 1]], {"lengths": [1, 1]}, "1 numbers.*per document"),
    ([[0, 1]], [[0, 1]], {"marks": "both"}, "marks is 'both'"),
    ([[0, 1]], [[0, 1]], {"ignore_index": 0.5}, "ignore_index is 0.5"),
]


@pytest.mark.parametrize(("refs", "hyps", "options", "message"), WRONG)
def test_wrong_batches_are_refused(refs: Any, hyps: Any, options: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        pairs_from_labels(refs, hyps, **{"marks": "end", **options})


def test_marks_have_one_rule() -> None:
    """Functions refuse labels without `marks`, as the constructors do."""
    for call in (
        lambda: label_score([0, 1, 0], [0, 1, 0]),
        lambda: pairs_from_labels([0, 1, 0], [0, 1, 0], marks=None),  # type: ignore[arg-type]
        lambda: ss.Segmentation.from_labels([0, 1, 0]),
        lambda: ss.ScoredBoundaries.from_units([0.1, 0.2], None),  # type: ignore[arg-type]
    ):
        with pytest.raises(ss.SegmentationError, match='marks is missing: expected marks="end"'):
            call()
