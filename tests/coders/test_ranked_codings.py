"""Ranked codings by people (The Moonstone): read, scored by pairs, level by level."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from segscore.ranked import at_level, corpus_levels


def test_moonstone_hierarchical_is_read_and_scored_pairwise(data: Path) -> None:
    corpus = ss.read(data / "moonstone_hierarchical" / "annots", coders="local")
    assert sorted(corpus) == [f"ch{n}" for n in (1, 10, 2, 4, 5, 6, 7, 8, 9)]
    assert corpus.n_codings == 45
    first = corpus["ch1"]["an1"]
    assert first.n_units == 13
    assert at_level(first, 1).boundaries.tolist() == [3, 8, 10]
    assert at_level(first, 2).n_segments == 13


def test_agreement_on_ranked_codings(data: Path) -> None:
    """Pairwise E_WD both ways round, and π*_B level by level, through the general functions."""
    corpus = ss.read(data / "moonstone_hierarchical" / "annots", coders="local")
    values = [
        float(ss.metric("e-wd")(ref, hyp))
        for document in corpus.values()
        for ref, hyp in permutations(document.values(), 2)
    ]
    made = ss.coders.pairwise(corpus, "e-wd")
    assert (made.mean, made.n_pairs) == (pytest.approx(np.mean(values)), len(values))
    for level in corpus_levels(corpus):
        flat = {
            name: {c: ss.Segmentation.from_masses(s.masses.tolist()) for c, s in document.items()}
            for name, document in level.items()
        }
        expected = ss.agreement(ss.Corpus.from_dict(flat, coders="local")).pi
        assert ss.agreement(level, metric=ss.BoundarySimilarity()).pi == expected
        assert 0 < expected < 1
