"""Resamples are NumPy's, and their sums are those of a plain product, by both programs."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from segscore._kernels import drawing as kernel
from segscore._kernels.batch import Stop
from segscore.significance import drawing

has_wide = pytest.mark.skipif(not kernel.wide_in_use(), reason="needs AVX2")
SIZES = [1, 2, 63, 64, 255, 256, 257, 1000]


@contextmanager
def wide(on: bool) -> Iterator[None]:
    before = kernel.wide_in_use()
    kernel.wide_in_use(on)
    try:
        yield
    finally:
        kernel.wide_in_use(before)


def sums(weights: np.ndarray, *tables: np.ndarray) -> list[np.ndarray]:
    def draw(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, np.ndarray]]:
        assert (n_draws, n_rows) == weights.shape
        yield slice(0, n_draws), weights

    ((_, found),) = drawing.sums_of_draws(tables, draw, len(weights), 0, threads=1)
    return found


@pytest.mark.parametrize("n_documents", SIZES)
@pytest.mark.parametrize("n_draws", [1, 5, 6, 7, 13])
@pytest.mark.parametrize("on", [pytest.param(True, marks=has_wide), False])
def test_sums_are_those_of_a_loop(n_documents: int, n_draws: int, on: bool) -> None:
    rng = np.random.default_rng(n_documents)
    for width in (1, 7, 8, 9, 20):
        weights = rng.integers(0, 256, (n_draws, n_documents), dtype=np.uint8)
        whole = rng.integers(-1000, 1000, (n_documents, width)).astype(float)
        with wide(on):
            exact, close = sums(weights, whole, whole / 3)
        assert np.array_equal(exact, weights @ whole)
        np.testing.assert_allclose(close, weights @ (whole / 3), rtol=1e-12, atol=1e-9)


def test_what_is_not_finite_stays_in_its_column() -> None:
    table = np.array([[1.0, np.nan, 2], [3, 4, np.inf], [5, 6, 7]])
    (found,) = sums(np.array([[1, 1, 2], [0, 0, 1]], np.uint8), table)
    assert found[0, 0] == 14
    assert np.isnan(found[0, 1])
    assert found[0, 2] == np.inf
    assert found[1, 0] == 5


@pytest.mark.parametrize("n_rows", [1, 2, 3, 1000, 99_999])
def test_draws_are_numpys(n_rows: int) -> None:
    drawn = np.random.default_rng(11).integers(0, n_rows, (7, n_rows))
    found = np.concatenate([part for _, part in drawing.resamples(n_rows, 7, seed=11)])
    assert np.array_equal(found, [np.bincount(draw, minlength=n_rows) for draw in drawn])


def test_rejected_halves_give_no_draw() -> None:
    """Of 2**32 halves 2**32 mod n are rejected: those whose product's low word is too small."""
    counts = np.zeros((2, 3), np.uint8)
    halves = np.array([0, 1, 2**31, 2**32 - 1], np.uint32)  # 0 · 3 mod 2**32 = 0 < 1
    assert kernel.count_draws(halves, 0, counts) == (3, 4)
    assert counts.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert kernel.count_draws(np.full(9, 7, np.uint32), 3, counts) == (6, 3)  # stops when done
    assert counts.tolist() == [[1, 1, 1], [3, 0, 0]]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_blocks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    table = np.random.default_rng(0).normal(size=(40, 3, 2))

    def all_sums(draw: drawing.Draw) -> np.ndarray:
        parts = drawing.sums_of_draws([table], draw, 101, 5, threads)
        blocks, found = zip(*parts, strict=True)
        assert [block.start for block in blocks] == [0, *(block.stop for block in blocks[:-1])]
        return np.concatenate([totals for (totals,) in found])

    for draw in (drawing.resamples, drawing.swaps, drawing.all_swaps):
        whole = all_sums(draw)
        with monkeypatch.context() as patch:
            patch.setattr(drawing, "_BLOCK", 330)
            assert np.array_equal(all_sums(draw), whole)
            patch.setattr(drawing, "_BLOCK", 1)
            patch.setattr(drawing, "_IN_CACHE", 1)
            assert np.array_equal(all_sums(draw), whole)


@pytest.mark.parametrize(
    ("weights", "panels", "out"),
    [
        ((6, 9), (1, 8, 8), (6, 8)),  # other documents
        ((6, 9), (1, 9, 7), (6, 8)),  # no panel
        ((7, 9), (1, 9, 8), (7, 8)),  # no room for a whole tile
        ((6, 9), (2, 9, 8), (6, 8)),  # nor for a panel
    ],
)
def test_wrong_shapes_are_refused(weights: tuple, panels: tuple, out: tuple) -> None:
    with pytest.raises(IndexError):
        kernel.add_weighted(np.zeros(weights, np.uint8), np.zeros(panels), np.zeros(out))


def test_a_flag_stops_it() -> None:
    halt = Stop()
    halt.set()
    weights, panels = np.ones((600, 5000), np.uint8), np.ones((20, 5000, 8))
    with pytest.raises(KeyboardInterrupt):
        kernel.add_weighted(weights, panels, np.zeros((600, 160)), halt)
