"""Batches of labels, and the same documents as segmentations."""

from typing import Any

import numpy as np

import segscore as ss

IGNORED = -100


def batches(n: int = 6, size: int = 5, seed: int = 0, longest: int = 24) -> list[Any]:
    """(labels of hypotheses, labels of references), padded with -100 in the references."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        lengths = rng.integers(6, longest, size)
        refs = np.full((size, lengths.max()), IGNORED, np.int64)
        hyps = rng.integers(0, 2, refs.shape)  # whatever stands where there is no unit
        for row, length in enumerate(lengths):
            refs[row, :length] = rng.random(length) < 0.3
            hyps[row, :length] = np.where(
                rng.random(length) < 0.8, refs[row, :length], 1 - refs[row, :length]
            )
        found.append((hyps, refs))
    return found


def segmentations(listed: list[Any], marks: Any = "end") -> tuple[list[Any], list[Any]]:
    """The references and hypotheses of such batches, one by one."""
    read = ss.Segmentation.from_labels
    refs: list[Any] = []
    hyps: list[Any] = []
    for hyp, ref in listed:
        for ref_labels, hyp_labels in zip(ref, hyp, strict=True):
            used = ref_labels != IGNORED
            refs.append(read(ref_labels[used].tolist(), marks=marks))
            hyps.append(read(hyp_labels[used].tolist(), marks=marks))
    return refs, hyps
