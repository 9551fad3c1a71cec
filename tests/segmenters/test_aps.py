"""APS: messages against the equations by the letter, contiguity, exemplars, convergence."""

import warnings
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from mit_originals import N_DOCUMENTS, originals
from oracles import aps as oracle
from oracles import mincut as mincut_oracle
from oracles.segmenters import cheapest_total
from segscore._kernels.affinity import exchange
from segscore.segmenters import APS, ConvergenceWarning, MinCutSeg, tune
from segscore.segmenters.graphs import (
    Exemplars,
    best_exemplars,
    cosine_table,
    cut_costs,
    edges,
    forward_smoothed,
    propagate,
    smoothed_weights,
    weighted,
)
from segscore.segmenters.preprocessing import CLASSIC, MIT, count_words

CATS, STARS = "the cat chased another cat", "a star shines on other stars"


@st.composite
def tables(draw: st.DrawFn, most: int = 7) -> Any:
    """Similarities of a few units, with a preference on the diagonal."""
    n = draw(st.integers(2, most))
    cells = st.lists(st.integers(-20, 40), min_size=n, max_size=n)
    return np.array(draw(st.lists(cells, min_size=n, max_size=n))) / 10


def out_of_reach(table: Any, reach: int) -> Any:
    places = np.arange(len(table))
    return np.abs(places[:, None] - places) > reach


# ---- messages ----


@given(
    table=tables(),
    reach=st.integers(1, 7),
    damping=st.sampled_from([0.5, 0.9]),
    n_rounds=st.integers(1, 6),
)
def test_messages_by_the_letter(table: Any, reach: int, damping: float, n_rounds: int) -> None:
    far = out_of_reach(table, reach)
    expected = oracle.rounds(np.where(far, -np.inf, table).tolist(), damping, n_rounds)
    responsibilities, availabilities = np.zeros_like(table), np.zeros_like(table)
    for _ in range(n_rounds):
        exchange(table, reach, damping, responsibilities, availabilities)
    assert responsibilities[~far] == pytest.approx(np.array(expected[0])[~far])
    assert availabilities[~far] == pytest.approx(np.array(expected[1])[~far])
    assert not responsibilities[far].any()
    assert not availabilities[far].any()


# ---- segments ----


def check_clusters(found: Exemplars, n_units: int) -> None:
    """Contiguous segments that cover the text, each with its exemplar inside."""
    ends = [0, *found.segmentation.boundaries.tolist(), n_units]
    assert ends == sorted(set(ends))
    assert len(found.exemplars) == len(ends) - 1
    for exemplar, (start, end) in zip(found.exemplars, pairwise(ends), strict=True):
        assert start <= exemplar < end


@given(
    table=tables(14),
    preference=st.floats(-5, 3),
    reach=st.integers(1, 14),
    rounds=st.sampled_from([1, 7, 300]),
)
def test_segments_are_contiguous_whatever_comes(
    table: Any, preference: float, reach: int, rounds: int
) -> None:
    found = propagate(table, preference, reach, patience=20, max_iterations=rounds)
    check_clusters(found, len(table))
    assert found.iterations <= rounds


@given(table=tables(), data=st.data())
def test_a_known_number_is_solved_exactly(table: Any, data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, len(table)))
    found = best_exemplars(table, len(table), wanted)
    check_clusters(found, len(table))
    assert len(found.exemplars) == wanted
    plain = table.copy()
    np.fill_diagonal(plain, 0)
    ends = [0, *found.segmentation.boundaries.tolist(), len(table)]
    total = sum(
        plain[a:b, exemplar].sum()
        for exemplar, (a, b) in zip(found.exemplars, pairwise(ends), strict=True)
    )
    assert total == pytest.approx(oracle.best_net_similarity(plain.tolist(), wanted))


def test_a_known_number_that_the_window_does_not_allow() -> None:
    """Two segments of ten units, and nobody sees further than one: still two segments."""
    found = best_exemplars(np.ones((10, 10)), 1, 2)
    check_clusters(found, 10)
    assert 3 <= found.segmentation.boundaries[0] <= 7  # both exemplars have a unit on either side


@given(table=tables(), preference=st.integers(-30, 10))
def test_messages_find_no_more_than_there_is(table: Any, preference: int) -> None:
    table[np.diag_indices_from(table)] = preference / 10
    found = propagate(table, preference / 10, len(table), patience=30)
    reached = oracle.net_similarity(table.tolist(), found.segmentation.boundaries.tolist())
    best = max(oracle.best_net_similarity(table.tolist(), k) for k in range(1, len(table) + 1))
    assert reached <= best + 1e-9


# ---- the segmenter ----


def similarity_by_the_letter(units: list[list[str]], smoothing: int, alpha: float, s: int) -> Any:
    n, words = len(units), sorted({word for unit in units for word in unit})
    s = min(s, n)
    size = n // s
    chunk = [min(t // size, s - 1) for t in range(n)]
    vectors = np.zeros((n, len(words)))
    for t in range(n):
        for column, word in enumerate(words):
            count = sum(
                np.exp(-alpha * d) * units[t + d].count(word)
                for d in range(smoothing + 1)
                if t + d < n
            )
            tf = sum(units[i].count(word) for i in range(n) if chunk[i] == chunk[t])
            df = len({chunk[i] for i in range(n) if word in units[i]})
            vectors[t, column] = count * (1 + np.log2(tf + 1)) * np.log2(s / df)
    lengths = np.linalg.norm(vectors, axis=1)
    norms = np.outer(lengths, lengths)
    return np.divide(vectors @ vectors.T, norms, out=np.zeros((n, n)), where=norms > 0)


@given(
    units=st.lists(st.lists(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=9),
    smoothing=st.integers(0, 3),
    n_chunks=st.sampled_from([1, 3, 30]),
)
def test_similarities_by_the_letter(units: list[list[str]], smoothing: int, n_chunks: int) -> None:
    similarities = cosine_table(smoothed_weights(count_words(units)[0], smoothing, 1.45, n_chunks))
    expected = similarity_by_the_letter(units, smoothing, 1.45, n_chunks)
    assert similarities == pytest.approx(expected, abs=1e-9)


def test_exemplars_and_convergence() -> None:
    units = [CATS] * 6 + [STARS] * 7
    found = APS().exemplars(units)
    assert found.segmentation == APS()(units)
    assert found.converged
    assert found.preference is not None
    assert found.preference < 0
    assert [units[exemplar] for exemplar in found.exemplars] == [CATS, STARS]
    known = APS().exemplars(units, n_segments=2)
    assert known.segmentation == APS()(units, 2)
    assert known.preference is None
    assert APS().exemplars(["one"]).exemplars == [0]
    assert APS().exemplars(units, n_segments=1).segmentation.n_segments == 1


def test_a_warning_where_messages_did_not_converge() -> None:
    units = [CATS] * 6 + [STARS] * 7
    hurried = APS(max_iterations=5)
    with pytest.warns(ConvergenceWarning, match="13 units.*5 rounds"):
        found = hurried.exemplars(units)
    assert not found.converged
    assert found.iterations == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hurried(units, n_segments=2).n_segments == 2  # no messages, no warning


def test_lectures_after_tuning(data: Path) -> None:
    """Preference by the three lectures for development; WindowDiff in sentences, mean of all 19."""
    folder = data / "lectures_ai" / "manual"
    aside = {
        path.stem: next(iter(ss.read(path, format="choi").values()))
        for path in folder.glob("*.dev")
    }
    assert len(aside) == 3
    found = tune(aside, "aps", "windowdiff", grid={"preference": range(-14, -3, 2)})
    assert len(found.trials) == 7  # what it starts from, and the grid
    assert found.best.score == min(trial.score for trial in found.trials) < 0.4
    rest = ss.read(folder, format="choi")
    assert len(rest) == 19
    assert not {*aside} & {*rest}
    errors = [
        ss.WindowDiff()(document["reference"], found.best.segmenter(list(document.units or ())))
        for document in rest.values()
    ]
    assert np.mean(errors) <= 0.43


# ---- minCutSeg ----


TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=4), min_size=2, max_size=9)


def costs_of(units: list[list[str]], segmenter: MinCutSeg) -> dict[tuple[int, int], float]:
    """The cut of every segment, as the segmenter computes it."""
    vectors = weighted(count_words(units)[0], segmenter.chunks)
    graph = edges(
        forward_smoothed(vectors, segmenter.horizon - 1, segmenter.alpha), segmenter.cutoff
    )
    return {
        (start, end): float(cost)
        for end, row in enumerate(cut_costs(graph, segmenter.skip_adjacent), 1)
        for start, cost in enumerate(row)
    }


SETTINGS = st.builds(
    MinCutSeg,
    cutoff=st.sampled_from([1, 2, 4, 95]),
    alpha=st.sampled_from([0.0, 1.1]),
    horizon=st.sampled_from([1, 2, 5]),
    chunks=st.sampled_from([1, 2, 3, 15]),
    skip_adjacent=st.booleans(),
)


@given(units=TEXTS, segmenter=SETTINGS)
def test_cuts_by_the_letter(units: list[list[str]], segmenter: MinCutSeg) -> None:
    bags = mincut_oracle.smoothed(
        mincut_oracle.weighted(units, segmenter.chunks), segmenter.horizon, segmenter.alpha
    )
    for (start, end), cost in costs_of(units, segmenter).items():
        expected = mincut_oracle.cut(bags, start, end, segmenter.cutoff, segmenter.skip_adjacent)
        assert cost == pytest.approx(expected, abs=1e-9)


@given(units=TEXTS, segmenter=SETTINGS, data=st.data())
def test_no_other_segmentation_has_a_smaller_cut(
    units: list[list[str]], segmenter: MinCutSeg, data: st.DataObject
) -> None:
    wanted = data.draw(st.integers(2, len(units)))
    plain = replace(segmenter, preprocessing=replace(CLASSIC, stop_words=None, stemmer=None))
    found = plain([" ".join(unit) for unit in units], wanted)
    costs = costs_of(units, segmenter)
    ends = [0, *found.boundaries.tolist(), len(units)]
    total = sum(costs[a, b] for a, b in pairwise(ends))
    assert total == pytest.approx(cheapest_total(costs, len(units), wanted), abs=1e-9)


def test_many_units_by_blocks() -> None:
    """More units than are multiplied at once: the same edges as all at once."""
    rng = np.random.default_rng(0)
    units = [[f"w{i}" for i in rng.integers(0, 40, 6)] for _ in range(600)]
    vectors = weighted(count_words(units)[0], 15)
    table = vectors.toarray()
    lengths = np.linalg.norm(table, axis=1)
    band = edges(vectors, 95)
    for i in (0, 94, 255, 256, 511, 599):
        for d in (1, 50, 95):
            product = table[i] @ table[i - d] if i >= d else 0.0
            tied = product > 1e-6
            expected = np.exp(product / (lengths[i] * lengths[i - d])) if tied else 0
            assert band[i, d] == pytest.approx(expected)
    assert edges(vectors, 10_000).shape == (600, 600)


# ---- the original ----


@pytest.mark.parametrize(("corpus", "least_same"), [("choi", 0.95), ("lectures", 0.85)])
def test_as_the_original(data: Path, corpus: str, least_same: float) -> None:
    """Segmentations differ in the first chunk alone, where the program counts words too often."""
    segmenter = MinCutSeg(preprocessing=replace(MIT, stop_words=data / "choi" / "STOPWORD.list"))
    same, by_the_book = [], []
    for units, known in originals(data, corpus):
        same.append(segmenter(units, len(known["ref"])).masses.tolist() == known["mincut"])
        if len(by_the_book) < 10:
            segmentation = replace(segmenter, skip_adjacent=False)(units, len(known["ref"]))
            by_the_book.append(segmentation.masses.tolist() == known["mincut"])
    assert len(same) == N_DOCUMENTS[corpus]
    assert np.mean(same) >= least_same
    assert np.mean(by_the_book) < 0.5  # the switch is what makes them the same
