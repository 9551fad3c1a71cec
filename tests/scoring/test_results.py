"""Scores, averages, results: built once, on statistics."""

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
from strategies import pairs as drawn_pairs
from strategies import random_documents

masses = ss.Segmentation.from_masses
REFS = {"a": masses([2, 3, 6]), "b": masses([4, 4]), "c": masses([2])}
HYPS = {"a": masses([5, 6]), "b": masses([3, 5]), "c": masses([1, 1])}


@given(st.lists(drawn_pairs(min_units=2), min_size=1, max_size=8))
def test_micro_and_macro_are_what_they_say(several: Any) -> None:
    refs, hyps = zip(*several, strict=True)
    metrics = [ss.Pk(edges="pad"), ss.WindowDiff(), ss.WinPR(), ss.BoundaryMatch(tolerance=1)]
    result = ss.score(refs, hyps, metrics, on_undefined="nan")
    for metric in metrics:
        singles = [metric(r, h, on_undefined="nan") for r, h in several]
        scores = result[metric]
        assert scores.values == pytest.approx(np.array(singles), nan_ok=True)
        defined = [s for s in singles if not math.isnan(s)]
        assert scores.n_undefined == len(singles) - len(defined)
        if defined:
            assert scores.macro == pytest.approx(sum(defined) / len(defined))
        total = singles[0].statistics
        for single in singles[1:]:
            assert single.statistics is not None
            assert total is not None
            total += single.statistics
        assert total is not None
        assert scores.micro == pytest.approx(total.value, nan_ok=True)


def test_averages_carry_their_signature() -> None:
    scores = ss.score(REFS, HYPS, "windowdiff")["windowdiff"]
    assert scores.micro.signature.endswith("|avg:micro|v:0.1.0")
    assert scores.macro.signature.endswith("|avg:macro|v:0.1.0")
    assert ss.metric(scores.macro.signature) == scores.metric
    assert scores.macro.statistics is None
    assert scores.macro.parts == {}
    assert scores.micro.statistics == scores.statistics.sum()


def test_one_document_of_many() -> None:
    scores = ss.score(REFS, HYPS, "windowdiff")["windowdiff"]
    assert scores["a"] == scores[0] == ss.WindowDiff()(REFS["a"], HYPS["a"])
    assert scores["a"].k == 2
    assert [*scores] == list(scores.values)
    with pytest.raises(KeyError, match="no document 'z'"):
        scores["z"]
    with pytest.raises(IndexError):
        scores[3]


def test_undefined_documents_are_an_error_or_nan() -> None:
    metric = ss.WindowDiff(k=4)
    with pytest.raises(
        ss.SegmentationError,
        match="document 'c'.*4 needs.*4 units.*has 2",
    ):
        ss.score(REFS, HYPS, metric)
    scores = ss.score(REFS, HYPS, metric, on_undefined="nan")[metric]
    assert scores.n_undefined == 1
    assert math.isnan(scores.values[2])
    assert scores.macro == scores.values[:2].mean()
    assert scores.statistics.rows[2].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((REFS, HYPS, ["wd", "windowdiff"]), "metric 'windowdiff' is listed twice"),
        (([], []), "no document to score"),
        ((REFS,), "hyps is missing"),
        ((REFS["a"], HYPS["a"]), "pair call the metric"),
        ((ss.Pairs.from_segmentations(REFS, HYPS), HYPS), "no hyps"),
    ],
)
def test_wrong_calls(arguments: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.score(*arguments)
    with pytest.raises(ss.SegmentationError, match="on_undefined is 'x'"):
        ss.score(REFS, HYPS, on_undefined="x")  # type: ignore[arg-type]


def test_a_score_is_a_float() -> None:
    score = ss.WindowDiff()(REFS["a"], HYPS["a"])
    assert isinstance(score, float)
    assert score + 1 == score.value + 1
    assert type(score.value) is float
    assert score.parts == {
        "missed": 2 / 9, "extra": 0.0, "errors": 2.0, "missed_errors": 2.0, "windows": 9.0, "k": 2,
    }  # fmt: skip
    assert "windows" in dir(score)
    again = pickle.loads(pickle.dumps(score))  # noqa: S301 ours
    assert (again, again.metric, again.k) == (score, score.metric, 2)
    with pytest.raises(AttributeError, match="score of windowdiff.*'precision'"):
        score.precision  # noqa: B018


def test_statistics_add_only_to_their_kind() -> None:
    a, b = ss.Pk()(REFS["a"], HYPS["a"]), ss.Pk(k=1)(REFS["a"], HYPS["a"])
    assert a.statistics is not None
    assert b.statistics is not None
    with pytest.raises(ss.SegmentationError, match="add statistics.*pk.k=1"):
        a.statistics + b.statistics
    with pytest.raises(KeyError, match="is not among false_negatives"):
        a.statistics["errors"]
    assert "3 rows of errors, windows, missed_errors" in repr(
        ss.score(REFS, HYPS, "wd")["wd"].statistics
    )


# ---- adding statistics (issue 16, item 1) ----


def _f1_of(*documents: tuple[int, int]) -> ss.metrics.Statistics:
    """Statistics of documents with so many matches, and so many boundaries only one side has."""
    refs, hyps = [], []
    for matched, alone in documents:
        places = list(range(1, matched + 1))
        extra = list(range(50, 50 + alone))
        refs.append(ss.Segmentation.from_boundaries(places + extra[::2], 99))
        hyps.append(ss.Segmentation.from_boundaries(places + extra[1::2], 99))
    return ss.score(refs, hyps, "f1")["f1"].statistics


def test_sum_of_statistics() -> None:
    batches = [_f1_of(*[(1, 0)] * 8), _f1_of((0, 4)), _f1_of((3, 1), (0, 0))]
    assert sum(batches) == batches[0] + batches[1] + batches[2]
    assert sum(batches[:1]) == batches[0].sum()
    for wrong in (1, 0.5, "0"):
        with pytest.raises(TypeError):
            wrong + batches[0]  # type: ignore[operator]
        with pytest.raises(TypeError):
            batches[0] + wrong  # type: ignore[operator]
    with pytest.raises(ss.SegmentationError, match="cannot add statistics of f1"):
        sum([ss.score(REFS, HYPS, "wd")["wd"].statistics, *batches])


# ---- what has no value (docs/definitions.md §2) ----

NOTHING = masses([9])


@pytest.mark.parametrize("name", ["f1", "f1(tolerance=2)", "winpr"])
def test_a_score_that_does_not_exist_is_an_error_unless_asked_for(name: str) -> None:
    metric = ss.metric(name)
    with pytest.raises(ss.SegmentationError, match="neither side.*on_"):
        metric(NOTHING, NOTHING)
    assert math.isnan(metric(NOTHING, NOTHING, on_undefined="nan"))
    with pytest.raises(ss.SegmentationError, match="document 0.*neither side"):
        ss.score([NOTHING], [NOTHING], name)
    with pytest.raises(ss.SegmentationError, match="3 documents together"):
        ss.score([NOTHING] * 3, [NOTHING] * 3, name)
    scores = ss.score([NOTHING] * 3, [NOTHING] * 3, name, on_undefined="nan")[name]
    assert math.isnan(scores.micro)
    assert math.isnan(scores.macro)


@pytest.mark.parametrize("name", ["f1", "winpr"])
def test_one_such_document_among_others_is_counted_and_no_error(name: str) -> None:
    scores = ss.score([NOTHING, REFS["a"]], [NOTHING, HYPS["a"]], name)[name]
    assert scores.n_undefined == 1
    assert scores.micro == scores.macro == scores.values[1]


# ---- documents that were added up ----


def test_sums_have_averages_and_no_documents() -> None:
    total = ss.Accumulator(["windowdiff", ss.BoundaryMatch(tolerance=1)])
    total.update(REFS, HYPS)
    summed, scored = total.result(), ss.score(REFS, HYPS, ["windowdiff", "f1(tolerance=1)"])
    assert isinstance(summed, ss.Result)
    assert repr(summed["windowdiff"]) == repr(scored["windowdiff"])
    for average, other in zip(summed.averages, scored.averages, strict=True):
        assert (average.micro, average.macro) == (other.micro, other.macro)
        assert (average.signature, average.n_undefined) == (other.signature, other.n_undefined)
        assert (average.has_documents, other.has_documents) == (False, True)
        assert average._repr_html_() == other._repr_html_()
    assert summed.summary() == scored.summary()
    for ask in (
        lambda: summed["windowdiff"].values,
        lambda: summed["windowdiff"].statistics,
        lambda: summed["windowdiff"]["a"],
        lambda: list(summed["windowdiff"]),
        lambda: summed.documents,
        summed.to_dicts,
        lambda: summed.to_table(per_document=True),
    ):
        with pytest.raises(ss.SegmentationError, match="these documents were"):
            ask()


def test_a_document_without_a_value_may_be_an_error_while_adding_up() -> None:
    total = ss.Accumulator(ss.WindowDiff(k=4))
    with pytest.raises(ss.SegmentationError, match="document 'c': windowdiff is undefined"):
        total.update(REFS, HYPS, on_undefined="raise")
    assert total.n_documents == 0
    with pytest.raises(ss.SegmentationError, match="on_undefined is 'x'"):
        total.update(REFS, HYPS, on_undefined="x")  # type: ignore[arg-type]
    total.update(REFS, HYPS)
    assert total.result()[ss.WindowDiff(k=4)].n_undefined == 1


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
