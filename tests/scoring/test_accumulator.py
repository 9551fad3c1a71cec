"""Sums that do not depend on order or batches; accumulators that give what `ss.score` gives."""

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.metrics.statistics import ExactSum, exact_sum
from segscore.scoring.accumulator import Accumulator
from segscore.significance.drawing import hashes_of
from strategies import random_documents

METRICS = ["windowdiff", "b(n_t=5)", "winpr", "pd", "covering", "f1"]
INTEGRAL = {"windowdiff", "f1"}


# ---- sums ----

numbers = st.floats(-1e12, 1e12, allow_nan=False, allow_subnormal=False)


@given(
    st.lists(numbers, min_size=1, max_size=200),
    st.randoms(use_true_random=False),
    st.integers(1, 9),
)
def test_sums_in_any_order_and_any_pieces(values: list[float], random: Any, pieces: int) -> None:
    exact = float(sum(map(Fraction, values)))
    random.shuffle(values)
    whole = exact_sum(np.array(values)[:, np.newaxis])
    parts = [
        exact_sum(np.array(part)[:, np.newaxis])
        for part in np.array_split(values, pieces)
        if len(part)
    ]
    total = ExactSum(np.zeros(1), np.zeros(1))
    for part in parts:
        total = total.plus(part)
    for found in (float(whole.high[0]), float(total.high[0])):
        assert abs(found - exact) <= max(math.ulp(exact), 1e-20 * sum(map(abs, values)))


# ---- hashes ----


def oracle_hash(name: bytes) -> int:
    """The hash as its definition says, in plain integers."""
    mask, step = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(z: int) -> int:
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    state = mix(step) ^ (len(name) * step & mask)
    for start in range(0, len(name), 8):
        word = int.from_bytes(name[start : start + 8], "little")
        state = (mix(state ^ word) + step) & mask
    return mix(state)


@given(st.lists(st.text(max_size=30), max_size=8))
def test_hashes(names: list[str]) -> None:
    expected = [oracle_hash(name.encode("utf-8", "surrogatepass")) for name in names]
    assert hashes_of(names).tolist() == expected


# ---- accumulators ----


def test_any_order_any_batches_any_merge() -> None:
    n = 500
    refs, hyps = random_documents(n)
    names = [f"d{i}" for i in range(n)]
    expected = ss.score(
        dict(zip(names, refs, strict=True)), dict(zip(names, hyps, strict=True)), METRICS
    )
    order = np.random.default_rng(2).permutation(n)
    parts = []
    for piece in np.array_split(order, 7):
        part = Accumulator(METRICS)
        for indices in np.array_split(piece, 3):
            part.update({names[i]: refs[i] for i in indices}, {names[i]: hyps[i] for i in indices})
        parts.append(pickle.loads(pickle.dumps(part)))  # noqa: S301
    total = Accumulator(METRICS)
    for part in reversed(parts):
        total += part
    for metric in METRICS:
        average = total.result()[metric]
        assert average.n_documents == n
        if metric in INTEGRAL:
            assert average.micro == expected[metric].micro
            assert average.micro.statistics == expected[metric].micro.statistics
        assert average.micro == pytest.approx(expected[metric].micro, rel=1e-15)
        assert average.macro == pytest.approx(expected[metric].macro, rel=4e-16)
        assert average.micro.signature == expected[metric].micro.signature


def test_undefined_documents_count_in_no_average() -> None:
    cut = ss.Segmentation.from_masses
    total = Accumulator(["windowdiff", "f1"])
    total.update([cut([1]), cut([2, 3])], [cut([1]), cut([5])])
    average = total.result()["windowdiff"]
    assert (average.n_documents, average.n_undefined) == (2, 1)
    assert average.macro == ss.WindowDiff()(cut([2, 3]), cut([5]))
    nothing = Accumulator("windowdiff")
    nothing.update([cut([1])], [cut([1])])
    assert math.isnan(nothing.result()["windowdiff"].macro)
    assert math.isnan(nothing.result()["windowdiff"].micro)


def test_what_does_not_fit_is_refused() -> None:
    refs, _ = random_documents(3)
    plain = Accumulator("pk")
    for other, what in (
        (Accumulator("b"), "metrics is"),
        (3, "expected an Accumulator"),
    ):
        with pytest.raises(ss.SegmentationError, match=what):
            plain.merge(other)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="no document to score"):
        plain.result()
    with pytest.raises(ss.SegmentationError, match="one reference per document"):
        Accumulator("pk").update([[refs[0], refs[0]]], [refs[0]])
    with pytest.raises(ss.SegmentationError, match="listed twice"):
        Accumulator(["pk", ss.Pk()])
    custom = Accumulator(ss.BoundarySimilarity(cost=lambda *_: 1.0))
    with pytest.raises(ss.SegmentationError, match="no lambda"):
        pickle.dumps(custom)


# ---- state ----


def parts_and_whole() -> tuple[list[Accumulator], Accumulator]:
    refs, hyps = random_documents(40)
    parts = [Accumulator(METRICS), Accumulator(METRICS)]
    for part, places in zip(parts, (slice(25), slice(25, None)), strict=True):
        part.update(refs[places], hyps[places])
    whole = Accumulator(METRICS)
    whole.update(refs, hyps)
    return parts, whole


def test_states_of_two_processes_give_what_one_gives() -> None:
    (first, second), whole = parts_and_whole()
    merged = Accumulator(METRICS)
    merged.load_state(first.state() + second.state())
    assert merged.n_documents == 40
    for metric in METRICS:
        found, expected = merged.result()[metric], whole.result()[metric]
        assert found.micro == pytest.approx(expected.micro, rel=1e-14)
        assert found.macro == pytest.approx(expected.macro, rel=1e-14)
        assert (found.n_documents, found.n_undefined) == (
            expected.n_documents,
            expected.n_undefined,
        )
        if metric in INTEGRAL:
            assert found.micro.statistics == expected.micro.statistics


def test_a_state_is_floats_and_comes_back_unchanged() -> None:
    _, acc = parts_and_whole()
    state = acc.state()
    assert (state.dtype, state.ndim) == (np.float64, 1)
    again = Accumulator(METRICS)
    again.load_state(state)
    again.load_state(again.state().tolist())  # a second one takes the place of the first
    assert again.state().tolist() == state.tolist()
    assert again.result()["pd"].micro.statistics == acc.result()["pd"].micro.statistics
    again.reset()
    again.load_state(again.state())
    assert again.n_documents == 0


@pytest.mark.parametrize(
    ("state", "token"),
    [
        ("x", "'x'"), ([1.0], r"\(1,\)"), (np.zeros((2, 2)), r"\(2, 2\)"), (None, "shape"),
        ([np.nan] * 12, "NaN"), ([0.0] * 5 + [0.5] + [0.0] * 6, "0.5"),
        ([0.0] * 5 + [-1.0] + [0.0] * 6, "-1"),
    ],
)  # fmt: skip
def test_states_that_are_refused(state: Any, token: str) -> None:
    acc = Accumulator("pk")
    assert len(acc.state()) == 12
    with pytest.raises(ss.SegmentationError, match=token):
        acc.load_state(state)
