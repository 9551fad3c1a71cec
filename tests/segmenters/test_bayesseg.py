"""BayesSeg: likelihood, optimality, durations, learning, against the equations by the letter."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from mit_originals import N_DOCUMENTS, originals
from oracles import bayes as oracle
from segscore.segmenters import BayesSeg, Preprocessing
from segscore.segmenters.bayesseg import Duration, Text, WordCounts, learn, likelihood
from segscore.segmenters.preprocessing import MIT

PLAIN = Preprocessing(stop_words={"the"}, stemmer=None)
UNITS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "dd", "the"]), max_size=6).map(" ".join),
    min_size=2,
    max_size=7,
)
PRIORS = st.floats(0.01, 5)


def bags(units: list[str]) -> list[dict[str, float]]:
    return [dict(Counter(PLAIN.words(unit))) for unit in units]


def lexicon(units: list[str]) -> int:
    return max(len({word for unit in units for word in unit.split()}), 1)


def gain(units: list[str], prior: float, duration: Any = None) -> oracle.Gain:
    words, n_words = bags(units), lexicon(units)

    def of_segment(start: int, end: int) -> float:
        value = oracle.dcm(words, start, end, prior, n_words)
        return value + (duration(end - start) if duration else 0.0)

    return of_segment


# ---- likelihood ----


@given(UNITS, PRIORS)
def test_likelihood_of_every_segment(units: list[str], prior: float) -> None:
    of_segment = gain(units, prior)
    counts = WordCounts.of(units, PLAIN)
    assert counts.n_words == lexicon(units)  # stop words count here
    for end, row in enumerate(counts.log_likelihoods(prior), 1):
        assert row == pytest.approx([of_segment(start, end) for start in range(end)], abs=1e-9)


@given(UNITS, PRIORS, st.data())
def test_likelihood_of_expected_counts(units: list[str], prior: float, data: st.DataObject) -> None:
    counts = WordCounts.of(units, PLAIN)
    shares = data.draw(
        st.lists(st.floats(0, 3), min_size=len(counts.counts), max_size=len(counts.counts))
    )
    counts = counts.expected(np.array(shares))
    words: list[dict[str, float]] = [{} for _ in units]
    entries = zip(counts.units, counts.words, counts.counts, strict=True)
    for unit, word, count in entries:
        words[unit][str(word)] = float(count)
    for end, row in enumerate(counts.log_likelihoods(prior), 1):
        expected = [oracle.dcm(words, s, end, prior, counts.n_words) for s in range(end)]
        assert row == pytest.approx(expected, abs=1e-9)


# ---- the best segmentation ----


@given(UNITS, PRIORS, st.data())
def test_no_segmentation_is_likelier(units: list[str], prior: float, data: st.DataObject) -> None:
    n = len(units)
    wanted = data.draw(st.none() | st.integers(1, n))
    kind = data.draw(st.sampled_from(["negative-binomial", "geometric"]))
    segmentation = BayesSeg(PLAIN, prior, kind, expected_length=3, dispersion=2)(units, wanted)
    duration = {
        "geometric": lambda z: oracle.geometric(z, 3),
        "negative-binomial": lambda z: oracle.negative_binomial(z, 3, 2),
    }[kind]
    if wanted is None and not any(bags(units)):
        assert segmentation.n_segments == 1
        return
    of_segment = gain(units, prior, duration)
    value = oracle.total(segmentation.boundaries.tolist(), n, of_segment)
    assert value == pytest.approx(oracle.best_total(n, wanted, of_segment), abs=1e-9)


@given(UNITS, st.data())
def test_only_between_the_boundaries_that_are_there(units: list[str], data: st.DataObject) -> None:
    n = len(units)
    inside = data.draw(st.sets(st.integers(1, n - 1), max_size=2).map(sorted))
    wanted = data.draw(st.none() | st.integers(len(inside) + 1, n))
    text = Text(WordCounts.of(units, PLAIN), wanted, Duration(3.0), tuple(inside))
    boundaries = text.boundaries(0.3)
    assert set(inside) <= set(boundaries)
    assert wanted in (None, len(boundaries) + 1)
    of_segment = gain(units, 0.3, lambda z: oracle.geometric(z, 3))
    best = oracle.best_total(n, wanted, of_segment, inside)
    assert oracle.total(boundaries, n, of_segment) == pytest.approx(best, abs=1e-9)


def test_of_equals_the_last_segment_starts_first() -> None:
    assert BayesSeg()(["12"] * 5, 2).masses.tolist() == [1, 4]
    cats, stars = "cat chases cat", "star shines"
    segmentation = BayesSeg()([cats, cats, "12", "34", stars, stars], 2)
    assert segmentation.masses.tolist() == [2, 4]  # the units without words go to the later segment


# ---- durations ----


@given(st.integers(1, 40), st.integers(2, 9), st.integers(1, 5))
def test_durations_by_their_usual_formulas(length: int, mean: int, dispersion: int) -> None:
    logarithm = float(Duration(mean, dispersion).log_probabilities(length))
    assert logarithm == pytest.approx(oracle.negative_binomial(length, mean, dispersion))
    logarithm = float(Duration(mean).log_probabilities(length))
    assert logarithm == pytest.approx(oracle.geometric(length, mean))


# ---- learning ----


@given(UNITS, UNITS, PRIORS, PRIORS)
def test_slopes_are_those_of_the_likelihood(
    one: list[str], other: list[str], prior: float, dispersion: float
) -> None:
    texts = [
        Text(WordCounts.of(units, PLAIN), None, Duration(2.5, dispersion)) for units in (one, other)
    ]
    value = likelihood(texts, [[1], list(range(1, len(other)))])
    at = np.log([prior, dispersion])
    numerical = approx_fprime(at, lambda x: value(x)[0], 1e-6)
    assert value(at)[1] == pytest.approx(numerical, rel=1e-4, abs=1e-3)


@settings(max_examples=15)
@given(UNITS, PRIORS)
def test_learning_never_makes_it_less_likely(units: list[str], prior: float) -> None:
    text = Text(WordCounts.of(units, PLAIN), None, Duration(2.0, 1.0))
    before = likelihood([text], [text.boundaries(prior)])
    learned, texts, boundaries = learn([text], prior)
    after = likelihood(texts, boundaries)
    assert (
        after(np.log([learned, texts[0].dispersion or 1]))[0]
        >= before(np.log([prior, 1.0]))[0] - 1e-9
    )


def drawn(seed: int, prior: float, sizes: list[int], n_words: int = 15) -> list[str]:
    """A document whose segments are draws from Dirichlet-multinomials over 100 words."""
    rng = np.random.default_rng(seed)
    units = []
    for size in sizes:
        chances = rng.dirichlet(np.full(100, prior))
        units += [
            " ".join(f"w{i}" for i in rng.choice(100, n_words, p=chances)) for _ in range(size)
        ]
    return units


def test_the_prior_of_drawn_texts_is_learned() -> None:
    letters = Preprocessing(str.split, None, None)
    for prior in (0.8, 2.0):  # under which almost every word is seen, and so counted in W
        documents = [drawn(seed, prior, [8, 12, 6, 10], 60) for seed in range(6)]
        learned = BayesSeg(letters, prior=5.0).fit(documents, n_segments=4)
        assert learned.prior == pytest.approx(prior, rel=0.1)
        assert learned.dispersion == 1.0  # lengths did not count
        assert [learned(document, 4).masses.tolist() for document in documents] == [
            [8, 12, 6, 10]
        ] * 6


# ---- the authors' outputs: settings of the original, prior .2, the number known, no durations ----


@pytest.mark.parametrize(("corpus", "least_same"), [("choi", 0.98), ("lectures", 0.95)])
def test_as_the_original(data: Path, corpus: str, least_same: float) -> None:
    segmenter = BayesSeg(replace(MIT, stop_words=data / "choi" / "STOPWORD.list"))
    same, ours_off, theirs_off = [], [], []
    for units, known in originals(data, corpus):
        masses = segmenter(units, len(known["ref"])).masses.tolist()
        same.append(masses == known["bayes"])
        theirs_off.append(known["bayes_pk_wd_words"])
        if same[-1]:
            ours_off.append(known["bayes_pk_wd_words"])
        else:
            words = [len(MIT.tokenise(unit)) for unit in units]
            ours_off.append(oracle.mit_pk_and_windowdiff(known["ref"], masses, words))
    assert len(same) == N_DOCUMENTS[corpus]
    assert np.mean(same) >= least_same
    assert np.mean(ours_off, axis=0) == pytest.approx(np.mean(theirs_off, axis=0), abs=0.002)
