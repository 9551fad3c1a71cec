"""Tensors of PyTorch, the real ones."""

import numpy as np
import pytest

import segscore as ss

torch = pytest.importorskip("torch", reason="needs torch: runs with --adapters")
pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("default")]


def test_constructors_and_score() -> None:
    labels = torch.tensor([[0, 1, 0, 0], [0, 0, 1, 0]])
    made = ss.Segmentation.from_labels(labels[0], "end")
    assert made == ss.Segmentation.from_masses([2, 2])
    assert ss.Segmentation.from_labels(list(labels[0]), "end") == made
    assert ss.Segmentation.from_labels(labels[0].bool(), "end") == made
    assert ss.Segmentation.from_masses(torch.tensor([2, 2])) == made
    assert ss.Segmentation.from_boundaries([2], torch.tensor(4)) == made
    found = ss.score(labels, labels.flip(0), "pk", encoding="labels-end")["pk"]
    assert found.values.tolist() == [2 / 3, 2 / 3]  # k = 1: each boundary is missed once


def test_scores_with_gradients_are_taken() -> None:
    scores = torch.tensor([[0.1, 0.9, 0.2]], dtype=torch.float64, requires_grad=True)
    refs = [ss.Segmentation.from_masses([2, 2])]
    made = ss.curve(refs, scores.sigmoid(), "f1", n_resamples=9)
    expected = ss.curve(refs, 1 / (1 + np.exp(-scores.detach().numpy())), "f1", n_resamples=9)
    np.testing.assert_allclose(made.thresholds, expected.thresholds, rtol=1e-15)


def test_what_numpy_cannot_read_is_told() -> None:
    with pytest.raises(ss.SegmentationError, match=r"Tensor.*\.float\(\)"):
        ss.ScoredBoundaries(torch.tensor([0.5], dtype=torch.bfloat16))
    with pytest.raises(ss.SegmentationError, match=r"labels is a Tensor .*\.cpu\(\)\.numpy\(\)"):
        ss.Segmentation.from_labels(torch.zeros(3, device="meta"), "end")
