"""Agreement over levels of ranked codings: T-measure, and E_B in both directions."""

from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.ranked import at_level, corpus_levels


def random_corpus(seed: int, n_documents: int, n_units: int = 30) -> ss.Corpus:
    """Three coders who place boundaries and ranks at random."""
    rng = np.random.default_rng(seed)

    def coding(size: int) -> ss.Segmentation:
        places = np.sort(rng.choice(n_units - 1, size, replace=False)) + 1
        return ss.Segmentation.from_boundaries(places, n_units, ranks=rng.integers(1, 4, size))

    sizes = {"ann": 4, "bob": 6, "cat": 7}
    codings = [{name: coding(size) for name, size in sizes.items()} for _ in range(n_documents)]
    return ss.Corpus.from_dict({f"d{i}": document for i, document in enumerate(codings)})


def test_both_directions_are_added() -> None:
    """By the letter: each coder of a pair is the reference once."""
    corpus = random_corpus(5, 4)
    metric = ss.metric("e-b(samples=40)")
    total = np.zeros(len(metric.statistic_names))
    for document in corpus.values():
        for first, second in combinations(document.values(), 2):
            for ref, hyp in ((first, second), (second, first)):
                total += metric(ref, hyp).statistics.rows  # type: ignore[union-attr]
    found = ss.agreement(corpus, metric, draws=0, n_resamples=20)
    expected = metric.values(total[np.newaxis])[0]
    one_way = metric.values(metric.rows(_batch(corpus)).sum(axis=0, keepdims=True))[0]
    assert found.observed == pytest.approx(expected, abs=0.02)  # choices among ties are drawn
    assert abs(one_way - expected) > 1e-6
    assert found.signature.startswith("e-b|n_t:2|")
    assert "|directions:both|null:positions" in found.signature


def _batch(corpus: ss.Corpus) -> ss.Pairs:
    pairs = [pair for document in corpus.values() for pair in combinations(document.values(), 2)]
    return ss.Pairs.from_segmentations(*map(list, zip(*pairs, strict=True)))


@pytest.mark.parametrize(
    ("metric", "n_corpora", "n_documents"), [("t-measure", 10, 60), ("e-b(samples=10)", 4, 30)]
)
def test_random_coders_have_a_corrected_agreement_of_zero(
    metric: str, n_corpora: int, n_documents: int
) -> None:
    """Before, ranks were dropped for chance, which fits no coder who ranks."""
    found = [
        ss.agreement(random_corpus(seed, n_documents), metric, draws=10, n_resamples=10).corrected
        for seed in range(n_corpora)
    ]
    assert abs(np.mean(found)) <= 0.02


def test_the_same_hierarchy_agrees_completely() -> None:
    coding = next(iter(random_corpus(1, 1)["d0"].values()))
    corpus = ss.Corpus.from_dict({"d": {"ann": coding, "bob": coding}})
    assert ss.agreement(corpus, "t-measure", draws=20).corrected == 1


def test_levels_that_are_no_ranks_are_never_drawn() -> None:
    """Once, chance was computed for them as for flat segments."""
    coarse, fine = (ss.Segmentation.from_masses(m) for m in ([6, 6], [3, 3, 3, 3]))
    levels: Any = ss.Levels([coarse, fine])
    corpus = ss.Corpus.from_dict({"d": {"ann": levels, "bob": levels}})
    with pytest.raises(ss.SegmentationError, match="expected codings with ranks"):
        ss.agreement(corpus, "t-measure", draws=20)
    found = ss.agreement(corpus, "t-measure")
    assert (found.observed, found.draws) == (1, 0)
    assert any("no corrected coefficient" in note for note in found.notes)
    assert ss.agreement(corpus, "t-measure", draws=0).observed == 1
    assert ss.agreement(corpus, "b").observed == 1


@pytest.mark.parametrize("metric", ["e-wd", "e-pk", "winpr"])
def test_errors_and_one_sided_metrics_are_refused(metric: str) -> None:
    with pytest.raises(ss.SegmentationError, match="ranked codings"):
        ss.agreement(random_corpus(0, 2), metric)


# ---- ranked codings by people (The Moonstone) ----


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
