"""GreedyBayes and HierBayes: nested segmentations, levels of tokens, planted structure."""

import re
import warnings
from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from oracles import bayes as oracle
from segscore.datasets.loading import moonstone
from segscore.segmenters import C99, BayesSeg, GreedyBayes, HierBayes, Preprocessing
from segscore.segmenters.bayesseg import WordCounts, log_likelihood
from segscore.segmenters.hier_bayes import TokenLevels, best_nested, numbers_for
from segscore.simulate import baselines

LETTERS = Preprocessing(str.split, None, None)
UNITS = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=5).map(" ".join), min_size=2, max_size=9
)


def planted(seed: int, n_topics: int = 4, n_parts: int = 3, n_units: int = 6) -> list[str]:
    """Topics of 25 words with parts of 12 words more; every unit has 8 of each, and 4 of the text.

    Nothing but the words tells where a topic or a part ends.
    """
    rng = np.random.default_rng(seed)
    common = [f"common{i}" for i in range(100)]
    units = []
    for topic in range(n_topics):
        for part in range(n_parts):
            of_topic = [f"topic{topic}.{i}" for i in range(25)]
            of_part = [f"part{topic}.{part}.{i}" for i in range(12)]
            for _ in range(n_units):
                words = [rng.choice(of_topic, 8), rng.choice(of_part, 8), rng.choice(common, 4)]
                units.append(" ".join(np.concatenate(words)))
    return units


def boundaries(segmentation: ss.Segmentation, rank: int) -> list[int]:
    assert segmentation.ranks is not None
    return segmentation.boundaries[segmentation.ranks <= rank].tolist()


# ---- both ----


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("known", [None, 12])
def test_planted_levels_are_found(seed: int, known: int | None) -> None:
    """Greedily only with a number."""
    for method in (HierBayes, GreedyBayes) if known else (HierBayes,):
        found = method(LETTERS, levels=2, expected_lengths=(6, 18))(planted(seed), known)
        assert boundaries(found, 1) == [18, 36, 54]
        assert boundaries(found, 2) == list(range(6, 72, 6))


@given(UNITS, st.floats(1.2, 5), st.booleans())
def test_one_level_is_bayesseg_with_geometric_durations(
    units: list[str], mean: float, known: bool
) -> None:
    wanted = len(units) // 2 if known else None
    flat = BayesSeg(LETTERS, 0.3, "geometric", mean)(units, wanted)
    for segmenter in (
        GreedyBayes(LETTERS, 1, (mean,), 0.3, learn=False),
        HierBayes(LETTERS, 1, (mean,), 0.3),
    ):
        segmentation = segmenter(units, wanted)
        assert segmentation.boundaries.tolist() == flat.boundaries.tolist()
        assert segmentation.ranks is None or set(segmentation.ranks.tolist()) == {1}


@settings(max_examples=15)
@given(UNITS, st.integers(1, 4), st.data())
def test_ranks_are_levels(units: list[str], levels: int, data: st.DataObject) -> None:
    wanted = data.draw(st.none() | st.integers(1, len(units)))
    for segmenter in (
        GreedyBayes(LETTERS, levels),
        HierBayes(LETTERS, levels, document_level=True),
    ):
        segmentation = segmenter(units, wanted)
        if segmentation.ranks is not None:
            assert set(segmentation.ranks.tolist()) <= set(range(1, levels + 1))
        if wanted is not None:
            assert segmentation.n_segments == wanted
            numbers = numbers_for(wanted, None, levels)
            for rank, number in enumerate(reversed(numbers), 1):
                assert wanted == 1 or len(boundaries(segmentation, rank)) == number - 1


# ---- the nested dynamic program ----


@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 10**6))
def test_no_nested_segmentation_gains_more(n: int, n_levels: int, seed: int) -> None:
    tables = np.random.default_rng(seed).normal(size=(n_levels, n + 1, n + 1))
    rows = [[table[:end, end] for end in range(1, n + 1)] for table in tables]
    found = best_nested(rows, n)
    for fine, coarse in pairwise(found):
        assert set(coarse) <= set(fine)
    gains: list[oracle.Gain] = [lambda a, b, t=table: float(t[a, b]) for table in tables]
    value = sum(oracle.total(cut, n, gain) for cut, gain in zip(found, gains, strict=True))
    assert value == pytest.approx(oracle.best_nested_total(n, gains))


# ---- levels of tokens ----


@given(UNITS.filter(any), st.integers(0, 99))
def test_a_sweep_by_the_letter(units: list[str], seed: int) -> None:
    from segscore._kernels import levels as kernel
    from segscore.segmenters.hier_bayes import expected_totals, pair_numbers, segments_of

    counts = WordCounts.of(units, LETTERS)
    token_levels = TokenLevels(counts, 2, 1.0, seed)
    half = len(units) // 2
    segments = [np.arange(len(units)), np.array([0] * half + [1] * (len(units) - half))]
    pairs, places = pair_numbers(counts, segments), segments_of(counts, segments)

    def expected_counts() -> list[np.ndarray]:
        shares, entries = token_levels.shares, token_levels._entries
        by_pair, by_segment = (
            expected_totals(numbers, len(levels), entries, shares)
            for numbers, levels in (pairs, places)
        )
        return [by_pair, by_segment, shares.sum(axis=0)]

    priors = np.array([0.3, 0.7])
    tokens = [(int(counts.units[e]), str(counts.words[e])) for e in token_levels._entries]
    expected = token_levels.shares.tolist()
    totals = expected_counts()
    for _ in range(2):
        numbers = token_levels._entries, pairs[0], places[0]
        kernel.sweep(*numbers, priors, counts.n_words, 1.0, token_levels.shares, *totals)
        listed = [places.tolist() for places in segments]
        oracle.sweep(tokens, listed, [0.3, 0.7], counts.n_words, 1.0, expected)
    assert token_levels.shares == pytest.approx(np.array(expected), abs=1e-9)
    again = expected_counts()
    for kept, anew in zip(totals, again, strict=True):
        assert kept == pytest.approx(anew, abs=1e-9)


# ---- HierBayes itself ----


@pytest.mark.parametrize("shared", [True, False])
def test_priors_are_learned_under_a_gamma(shared: bool) -> None:
    units = planted(0)
    counts = WordCounts.of(units, LETTERS)
    segmenter = HierBayes(LETTERS, 2, (6, 18), learn=True, shared_prior=shared)
    tokens = TokenLevels(counts, 2, 1.0, seed=0)
    cuts = [list(range(6, 72, 6)), [18, 36, 54]]
    priors = segmenter._learned(tokens, cuts, np.array([0.2, 0.2]))
    bags = [tokens.expected(level).bags(cut) for level, cut in enumerate(cuts)]
    if shared:
        assert priors[0] == priors[1]
        slopes = [log_likelihood(bag, priors[0], of_slope=True) for bag in bags]
        assert sum(slopes) == pytest.approx(1, abs=0.5)
    else:
        for bag, prior in zip(bags, priors, strict=True):
            assert log_likelihood(bag, prior, of_slope=True) == pytest.approx(1, abs=0.5)
    assert segmenter(units).n_segments > 1


def test_long_work_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segscore.segmenters.hier_bayes.LONG", 1e-3)
    with pytest.warns(UserWarning, match="72 units.*2 levels"):
        HierBayes(LETTERS, 2)(planted(0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HierBayes(LETTERS, 2, progress=lambda now: None)(planted(0))


# ---- levels on real text ----


METRIC = ss.metric("e-wd")


@pytest.fixture(scope="module")
def errors(data: Path) -> dict[str, float]:
    texts = {
        f"ch{chapter}": list(document.units or ())
        for chapter, document in moonstone(data / "moonstone").items()
    }
    read = ss.read(data / "moonstone_hierarchical" / "annots", coders="local")
    corpus = {name: document for name, document in read.items() if name in texts}
    assert len(corpus) == 8  # of nine: the text of chapter 6 is not there
    systems: dict[str, Callable[[list[str]], ss.Segmentation]] = {
        "none": lambda units: baselines.none(len(units)),
        "bisect": lambda units: baselines.bisect(len(units)),
        "hc99": C99(hierarchical=True),
        "greedy-bayes": GreedyBayes(levels=3),
        "hier-bayes": HierBayes(levels=3),
    }
    means = {}
    for system, segmenter in systems.items():
        hyps = {name: segmenter(list(texts[name])) for name in corpus}
        pairs = [
            (ref, hyps[name]) for name, document in corpus.items() for ref in document.values()
        ]
        means[system] = mean_error(pairs)
    people = [pair for document in corpus.values() for pair in permutations(document.values(), 2)]
    return {**means, "human": mean_error(people)}


def mean_error(pairs: list[tuple[ss.Segmentation, ss.Segmentation]]) -> float:
    refs, hyps = zip(*pairs, strict=True)
    return float(ss.score(refs, hyps, metrics=METRIC)[METRIC].macro)


def test_what_the_documentation_says(errors: dict[str, float]) -> None:
    docs = Path(__file__).parents[2] / "docs" / "segmenters.md"
    part = docs.read_text("utf-8").partition("Levels on real text")[2]
    documented = {
        name: float(value) for name, value in re.findall(r"([a-z][a-z0-9-]+)\s(\.\d{3})", part)
    }
    assert documented == pytest.approx(errors, abs=0.002)
