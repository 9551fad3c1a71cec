"""MinCutSeg: against the description by the letter, by trying everything, and the original."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mit_originals import N_DOCUMENTS, originals
from oracles import mincut as oracle
from oracles.segmenters import cheapest_total
from segscore.segmenters import MinCutSeg
from segscore.segmenters.graphs import cut_costs, edges, forward_smoothed, weighted
from segscore.segmenters.preprocessing import CLASSIC, MIT, count_words

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
    bags = oracle.smoothed(
        oracle.weighted(units, segmenter.chunks), segmenter.horizon, segmenter.alpha
    )
    for (start, end), cost in costs_of(units, segmenter).items():
        expected = oracle.cut(bags, start, end, segmenter.cutoff, segmenter.skip_adjacent)
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
