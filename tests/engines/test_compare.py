"""`ss.compare` of accumulators and of clusters."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import segscore as ss
from arrow_columns import table
from needs import needs
from segscore.engines.arrow import Layout, accumulate
from segscore.scoring.accumulator import Accumulator
from segscore.scoring.accumulator_sums import FEW
from strategies import random_documents

pytestmark = needs("arrow", "polars")

METRICS = ["windowdiff", "b"]


def three_systems(n: int, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    """References, and systems that copy the reference in one, two or three documents out of four."""
    refs, others = random_documents(n, seed)
    rng = np.random.default_rng(seed)
    names = [f"doc {i}" for i in range(n)]
    systems = {}
    for number, name in enumerate("abc"):
        copied = rng.random(n) < (number + 1) / 4
        chosen = [r if c else h for r, h, c in zip(refs, others, copied, strict=True)]
        systems[name] = dict(zip(names, chosen, strict=True))
    return dict(zip(names, refs, strict=True)), systems


def accumulated(refs: Any, systems: Any, together: bool = True, **options: Any) -> Accumulator:
    total = Accumulator(METRICS, **options)
    if together:
        total.update_systems(refs, systems)
    else:
        for name, hyps in systems.items():
            total.update(refs, hyps, system=name)
    return total


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_few_documents_are_compared_one_by_one(average: Any, together: bool) -> None:
    refs, systems = three_systems(40)
    found = ss.compare(accumulated(refs, systems, together, buckets=256), average=average)
    expected = ss.compare(refs, systems=systems, metrics=METRICS, average=average, baselines=())
    assert found.drawn == "documents"
    assert found.n_documents == 40
    for entry, other in zip(found.entries, expected.entries, strict=True):
        assert (entry.system, entry.metric, entry.rank, entry.letters) == (
            other.system, other.metric, other.rank, other.letters,
        )  # fmt: skip
        assert entry.value == pytest.approx(other.value, rel=1e-15)
        assert (entry.wins, entry.ties, entry.losses) == (other.wins, other.ties, other.losses)
        assert entry.low == pytest.approx(other.low, abs=0.03)  # documents in another order
    for pair, other in zip(found.pairs, expected.pairs, strict=True):
        assert pair.effect == pytest.approx(other.effect)
        assert pair.p == pytest.approx(other.p, abs=0.02)
    friedman = ss.compare(accumulated(refs, systems, buckets=256), test="friedman")
    assert friedman.overall["b"].p == pytest.approx(
        ss.compare(refs, systems=systems, metrics=METRICS, test="friedman").overall["b"].p
    )
    with pytest.raises(ss.SegmentationError, match="were added up"):
        found.most_different("a", "b")


def test_buckets() -> None:
    refs, systems = three_systems(FEW + 2000)
    found = ss.compare(accumulated(refs, systems, buckets=256), n_resamples=2000)
    expected = ss.compare(refs, systems=systems, metrics=METRICS, baselines=(), n_resamples=2000)
    assert found.drawn == "256 buckets of documents"
    assert "bootstrap over 256 buckets" in found.describe()
    assert found.n_documents == FEW + 2000
    for entry, other in zip(found.entries, expected.entries, strict=True):
        assert entry.value == pytest.approx(other.value, rel=1e-15)
        assert (entry.n_documents, entry.n_undefined) == (other.n_documents, other.n_undefined)
        assert entry.high - entry.low == pytest.approx(other.high - other.low, rel=0.15)
        assert (entry.wins, entry.ties, entry.losses) == (other.wins, other.ties, other.losses)
        assert entry.letters == other.letters
    for pair, other in zip(found.pairs, expected.pairs, strict=True):
        assert pair.effect == pytest.approx(other.effect)
    by_t = ss.compare(accumulated(refs, systems, buckets=256), test="t", n_resamples=200)
    usual = ss.compare(refs, systems=systems, metrics=METRICS, test="t", n_resamples=200)
    for pair, other in zip(by_t.pairs, usual.pairs, strict=True):
        assert pair.p == pytest.approx(other.p, rel=1e-6)
    apart = accumulated(refs, systems, together=False, buckets=256)
    assert ss.compare(apart, n_resamples=200).pairs[0].wins is None
    with pytest.raises(ss.SegmentationError, match="takes documents one by one"):
        ss.compare(apart, test="t")
    with pytest.raises(ss.SegmentationError, match="a plan needs documents"):
        found.plan(0.1)
    assert "windowdiff" in str(found)
    assert "p" in str(found.pairs_table())


def test_systems_must_have_done_the_same_documents() -> None:
    refs, systems = three_systems(30)
    total = Accumulator("pk", buckets=64)
    total.update(refs, systems["a"], system="a")
    fewer = dict(list(refs.items())[1:])
    total.update(fewer, {name: systems["b"][name] for name in fewer}, system="b")
    with pytest.raises(ss.SegmentationError, match="'b' has 29 documents, system 'a' 30"):
        ss.compare(total)
    total.update({"other": refs["doc 0"]}, {"other": refs["doc 0"]}, system="b")
    with pytest.raises(ss.SegmentationError, match="but not the same: their names differ"):
        ss.compare(total)


def test_what_cannot_be_compared() -> None:
    refs, systems = three_systems(10)
    with pytest.raises(ss.SegmentationError, match="has no buckets"):
        ss.compare(accumulated(refs, systems))
    with pytest.raises(ss.SegmentationError, match="is empty"):
        ss.compare(Accumulator("pk", buckets=64))
    with pytest.raises(ss.SegmentationError, match="group is 'news'"):
        ss.compare(accumulated(refs, systems, buckets=64), group="news")
    twice = Accumulator("pk", buckets=64)
    for _ in range(2):
        twice.update_systems(refs, systems)
    with pytest.raises(ss.SegmentationError, match="10 documents are listed twice"):
        ss.compare(twice)


def test_groups_are_compared_one_at_a_time() -> None:
    refs, hyps = random_documents(60)
    frame = pl.from_arrow(table(refs, hyps)).with_columns(
        other="ref", genre=pl.Series(["x", "y"] * 30)
    )
    total = Accumulator("pk", by="genre", buckets=64)
    systems = {"a": "hyp", "b": "other"}
    accumulate(total, frame, Layout("ref", "hyp", "n", "doc"), systems=systems)
    found = ss.compare(total, group="y")
    assert found.n_documents == 30
    assert found["b", "pk"].value == 0
    assert found["a", "pk"].value == ss.score(refs[1::2], hyps[1::2], "pk")["pk"].micro


# ---- clusters ----


def test_clusters_are_drawn_as_a_whole() -> None:
    """Ten copies of each document tell no more than one: the interval must not shrink."""
    refs, systems = three_systems(30)
    copies = range(10)
    many = {f"{name}/{i}": ref for name, ref in refs.items() for i in copies}
    outputs = {
        system: {f"{name}/{i}": hyp for name, hyp in hyps.items() for i in copies}
        for system, hyps in systems.items()
    }
    options: Any = {"metrics": METRICS, "baselines": (), "n_resamples": 2000}
    once = ss.compare(refs, systems=systems, **options)
    found = ss.compare(many, systems=outputs, cluster=lambda name: name.split("/")[0], **options)
    naive = ss.compare(many, systems=outputs, **options)
    assert "30 clusters of documents" in found.describe()
    for entry, other, wrong in zip(found.entries, once.entries, naive.entries, strict=True):
        assert (entry.value, entry.low, entry.high) == pytest.approx(
            (other.value, other.low, other.high)
        )
        assert wrong.high - wrong.low < 0.5 * (entry.high - entry.low)
    for pair, other in zip(found.pairs, once.pairs, strict=True):
        assert pair.p == pytest.approx(other.p)
    total = Accumulator(METRICS, buckets=256)
    books = [name.split("/")[0] for name in many]
    total.update_systems(many, outputs, clusters=books)
    summed = ss.compare(total, n_resamples=2000)
    assert summed.drawn == "clusters"
    for entry, other in zip(summed.entries, once.entries, strict=True):
        assert entry.high - entry.low == pytest.approx(other.high - other.low, rel=0.15)


def test_few_clusters_of_many_documents_are_few() -> None:
    """Words, intervals and the power of tests depend on the number of what is resampled."""
    many = {f"b{i % 4}/{i}": ss.Segmentation.from_masses([3, 4 + i % 5, 5]) for i in range(80)}
    near = {name: ss.Segmentation.from_masses([4, ref.masses[1] - 1, 5])
            for name, ref in many.items()}  # fmt: skip
    systems = {"a": near, "b": many}
    options: Any = {"systems": systems, "metrics": "wd", "baselines": (), "n_resamples": 200}
    found = ss.compare(many, cluster=lambda name: name.split("/")[0], **options)
    assert found.n_drawn == 4
    assert any("With 4 clusters of documents, 95 % intervals are too narrow" in warning
               for warning in found.warnings)  # fmt: skip
    assert any(
        "With 4 clusters of documents no difference" in warning for warning in found.warnings
    )
    assert found.worse("b", "a").smallest_p == 2**-4
    apart = ss.compare(many, **options)
    assert apart.n_drawn == 80
    assert not any("too narrow" in warning for warning in apart.warnings)
    assert "expanded percentile bootstrap over documents" in apart.describe()
    alone = ss.compare(many, cluster=lambda _: "all", **options)
    assert any("There is one cluster of documents" in warning for warning in alone.warnings)
    assert "intervals" not in alone.describe()


def test_bad_clusters() -> None:
    refs, systems = three_systems(6)
    with pytest.raises(ss.SegmentationError, match="does not name what 'doc 1'"):
        ss.compare(refs, systems=systems, cluster={"doc 0": "x"})
    with pytest.raises(ss.SegmentationError, match="cluster is 3"):
        ss.compare(refs, systems=systems, cluster=3)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="takes documents one by one"):
        ss.compare(refs, systems=systems, cluster=dict.fromkeys(refs, "x"), test="t")


@pytest.mark.slow
def test_intervals_over_buckets_hold() -> None:
    """95 % intervals over 128 buckets cover the truth as often as those over documents do."""
    metric, truth = ss.metric("windowdiff"), []
    refs, hyps = random_documents(60_000, 5)
    rows = metric.rows(ss.Pairs.from_segmentations(refs, hyps))
    truth = metric.values(rows.sum(axis=0, keepdims=True))[0]
    from segscore.pairing.list_columns import hashes_of
    from segscore.scoring.accumulator_sums import BucketSums
    from segscore.significance.resampling import bootstrap_interval

    rng, covered = np.random.default_rng(0), 0
    for trial in range(400):
        picked = rng.integers(0, len(rows), 3000)
        sums = BucketSums(3, 128)
        sample = np.column_stack([rows[picked], np.ones(3000)])
        sums.add(sample, hashes_of([f"{trial}/{i}" for i in range(3000)]))
        units = sums.units()[1][:, :2]
        low, high, *_ = bootstrap_interval(units, metric.values, n_resamples=500, seed=trial)
        covered += low <= truth <= high
    assert 0.92 < covered / 400 < 0.98
