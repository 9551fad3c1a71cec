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
from needs import needs
from segscore.basics.exact_sums import ExactSum, exact_sum
from segscore.engines.arrow import Layout, accumulate
from segscore.pairing.list_columns import hashes_of
from segscore.scoring.accumulator import Accumulator
from segscore.scoring.accumulator_sums import FEW, BucketSums
from segscore.scoring.merged_parts import MergeWarning
from strategies import random_documents

METRICS = ["windowdiff", "b(n_t=5)", "winpr", "pd", "covering", "f1"]
INTEGRAL = {"windowdiff", "f1"}


def one_ulp(found: float, expected: float) -> bool:
    return abs(found - expected) <= math.ulp(expected)


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


def test_sums_keep_infinity_and_nan() -> None:
    rows = np.array([[1.0, np.inf, np.nan], [2.0, 1.0, 1.0]])
    assert exact_sum(rows).high[:2].tolist() == [3.0, np.inf]
    assert math.isnan(exact_sum(rows).high[2])
    assert exact_sum(np.zeros((0, 2))).high.tolist() == [0, 0]


def test_score_in_one_piece_and_in_a_thousand() -> None:
    refs, hyps = random_documents(3000)
    order = np.random.default_rng(1).permutation(3000)
    whole = ss.score(refs, hyps, METRICS)
    for metric in METRICS:
        statistics = whole[metric].statistics.sum()
        parts = []
        for piece in np.array_split(order, 1000):
            result = ss.score(
                [refs[i] for i in piece], [hyps[i] for i in piece], metric, on_undefined="nan"
            )
            parts.append(result[metric].micro.statistics)
        pieces = sum(parts)
        exact = [math.fsum(column) for column in whole[metric].statistics.rows.T]
        for found in (statistics.rows, pieces.rows):
            if metric in INTEGRAL:
                assert found.tolist() == exact
            assert all(map(one_ulp, found.tolist(), exact))
        values = whole[metric].values[~np.isnan(whole[metric].values)]
        assert one_ulp(whole[metric].macro, math.fsum(values) / len(values))


# ---- hashes and buckets ----


def oracle_hash(name: bytes, seed: int) -> int:
    """The hash as its definition says, in plain integers."""
    mask, step = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(z: int) -> int:
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    state = mix((seed + step) & mask) ^ (len(name) * step & mask)
    for start in range(0, len(name), 8):
        word = int.from_bytes(name[start : start + 8], "little")
        state = (mix(state ^ word) + step) & mask
    return mix(state)


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 2**53))
def test_hashes(names: list[str], seed: int) -> None:
    expected = [oracle_hash(name.encode("utf-8", "surrogatepass"), seed) for name in names]
    assert hashes_of(names, seed).tolist() == expected


def test_buckets_nest() -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(0, 9, (5000, 3)), np.ones(5000)]).astype(float)
    hashes = hashes_of([str(i) for i in range(5000)])
    large, small = BucketSums(4, 256), BucketSums(4, 64)
    large.add(rows, hashes)
    small.add(rows, hashes)
    large.fold(64)
    assert np.array_equal(large.folded()[1], small.folded()[1])
    assert large.total().high.tolist() == rows.sum(axis=0).tolist()


# ---- accumulators ----


@pytest.mark.parametrize("n", [60, FEW + 500])
@pytest.mark.parametrize("buckets", [None, 64])
def test_any_order_any_batches_any_merge(n: int, buckets: int | None) -> None:
    refs, hyps = random_documents(n)
    names = [f"d{i}" for i in range(n)]
    expected = ss.score(
        dict(zip(names, refs, strict=True)), dict(zip(names, hyps, strict=True)), METRICS
    )
    order = np.random.default_rng(2).permutation(n)
    parts = []
    for piece in np.array_split(order, 7):
        part = Accumulator(METRICS, buckets=buckets)
        for indices in np.array_split(piece, 3):
            part.update({names[i]: refs[i] for i in indices}, {names[i]: hyps[i] for i in indices})
        parts.append(pickle.loads(pickle.dumps(part)))  # noqa: S301
    total = Accumulator(METRICS, buckets=buckets)
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


def test_groups_systems_and_tables() -> None:
    refs, hyps = random_documents(50)
    total = Accumulator("pk", systems=["a", "b"], by="genre")
    total.update_systems(refs, {"a": hyps, "b": refs}, group="news")
    total.update(refs, hyps, system="a", group=["talk"])
    found = total.result()
    assert found.groups == [("news",), ("talk",)]
    assert found.group("news").system("b")["pk"].micro == 0
    assert found.group("talk")["pk"].micro == ss.score(refs, hyps, "pk")["pk"].micro
    assert [row["genre"] for row in found.records()] == ["news", "news", "talk"]
    with pytest.raises(ss.SegmentationError, match="pick one"):
        found["pk"]
    with pytest.raises(KeyError, match="no metric 'b'"):
        found["b"]
    assert total.tallies(("talk",)) is None
    tallies = total.tallies(("news",))
    assert tallies is not None
    a, b = ss.score(refs, hyps, "pk")["pk"].values, np.zeros(50)
    assert tallies.counts[0, 0].tolist() == [(a < b).sum(), (a == b).sum(), (a > b).sum()]
    assert tallies.differences[0, 0, 0] == pytest.approx(a.sum())


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
    refs, hyps = random_documents(3)
    plain = Accumulator("pk")
    for other, what in (
        (Accumulator("b"), "metrics is"),
        (Accumulator("pk", by="x"), "by is"),
        (Accumulator("pk", buckets=64), "buckets is"),
        (Accumulator("pk", seed=1), "seed is"),
        (3, "expected an Accumulator"),
    ):
        with pytest.raises(ss.SegmentationError, match=what):
            plain.merge(other)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="no document to score"):
        plain.result()
    with pytest.raises(ss.SegmentationError, match="have no names"):
        Accumulator("pk", buckets=64).update(refs, hyps)
    with pytest.raises(ss.SegmentationError, match="no system 'c'"):
        Accumulator("pk", systems=["a"]).update(refs, hyps, system="c")
    with pytest.raises(ss.SegmentationError, match="group is"):
        Accumulator("pk", by="genre").update(refs, hyps)
    with pytest.raises(ss.SegmentationError, match="takes one reference per document"):
        Accumulator("pk").update([[refs[0], refs[0]]], [refs[0]])
    for buckets in (3, 0, 2**21):
        with pytest.raises(ss.SegmentationError, match="buckets is"):
            Accumulator("pk", buckets=buckets)
    with pytest.raises(ss.SegmentationError, match="listed twice"):
        Accumulator(["pk", ss.Pk()])
    custom = Accumulator(ss.BoundarySimilarity(cost=lambda *_: 1.0))
    with pytest.raises(ss.SegmentationError, match="no lambda"):
        pickle.dumps(custom)


# ---- Arrow ----


@needs("arrow")
@pytest.mark.parametrize("n", [50, FEW + 300])
def test_a_table_holds_everything(n: int) -> None:
    refs, hyps = random_documents(n)
    names = [f"d{i}" for i in range(n)]
    total = Accumulator(METRICS, by="genre", buckets=128, seed=3)
    by_name = dict(zip(names, refs, strict=True))
    total.update_systems(
        by_name, {"a": dict(zip(names, hyps, strict=True)), "b": by_name}, group="news"
    )
    again = Accumulator.from_arrow(total.to_arrow())
    assert str(again.result()) == str(total.result())
    for average, other in zip(again.result().averages, total.result().averages, strict=True):
        assert average.micro.statistics == other.micro.statistics
    assert again.cell(("news",), "a").checksum == total.cell(("news",), "a").checksum
    assert np.array_equal(again.tallies(("news",)).counts, total.tallies(("news",)).counts)
    with pytest.warns(MergeWarning, match="merged twice"):
        again += total
    assert again.n_documents == 4 * n


@needs("arrow")
def test_hostile_tables_of_sums() -> None:
    import pyarrow as pa

    refs, hyps = random_documents(5)
    total = Accumulator("pk", buckets=64)
    total.update(
        {str(i): ref for i, ref in enumerate(refs)}, {str(i): hyp for i, hyp in enumerate(hyps)}
    )
    sums = total.to_arrow()
    for column, value, message in (
        ("bucket", 64, "there are 64"),
        ("bucket", -1, "no counts"),
        ("documents", -1, "no counts"),
        ("documents", 0.5, "no counts"),
        ("pk", 1.0, "expected a struct"),
        ("bucket", "x", "no numbers"),
    ):
        spoiled = sums.set_column(sums.column_names.index(column), column, [[value] * len(sums)])
        with pytest.raises(ss.SegmentationError, match=message):
            Accumulator.from_arrow(spoiled)
    with pytest.raises(ss.SegmentationError, match="no column 'pk'"):
        Accumulator.from_arrow(sums.drop_columns("pk"))
    with pytest.raises(ss.SegmentationError, match="give metrics"):
        Accumulator.from_arrow(pa.table({"a": [1]}))
    with pytest.raises(ss.SegmentationError, match="expected an Arrow table"):
        Accumulator.from_arrow(3)
    for meta in (b"{", b"{}", b'{"hash": "md5"}'):
        with pytest.raises(ss.SegmentationError, match="settings|hashed by"):
            Accumulator.from_arrow(sums.replace_schema_metadata({b"segscore": meta}))


@needs("arrow", "polars")
def test_frames_into_an_accumulator() -> None:
    import polars as pl

    from arrow_columns import table

    refs, hyps = random_documents(3000)
    frame = pl.from_arrow(table(refs, hyps)).with_columns(genre=pl.Series(["x", "y", "z"] * 1000))
    frame = frame.sample(fraction=1.0, shuffle=True, seed=0)
    total = Accumulator(METRICS, by="genre", buckets=256)
    assert accumulate(total, frame, Layout("ref", "hyp", "n", "doc")) == 0
    expected = ss.score(refs[1::3], hyps[1::3], METRICS)
    for metric in METRICS:
        found = total.result().group("y")[metric]
        assert found.micro == pytest.approx(expected[metric].micro, rel=1e-15)
        assert found.macro == pytest.approx(expected[metric].macro, rel=1e-15)


@needs("polars")
def test_bad_rows_are_left_out_for_their_system_alone() -> None:
    import polars as pl

    frame = pl.DataFrame(
        {
            "ref": [[2], [2], [2]],
            "a": [[2], [9], [3]],
            "b": [[3], [2], [2]],
            "n": [8] * 3,
            "doc": ["x", "y", "z"],
        }
    )
    total = Accumulator("pk", buckets=64)
    layout = Layout("ref", "a", "n", "doc")
    bad = accumulate(total, frame, layout, systems={"a": "a", "b": "b"}, on_error="null")
    assert bad == 1
    assert [average.n_documents for average in total.result().averages] == [2, 3]
    assert total.tallies(()) is None
