"""MultiWindowDiff: against enumeration, against WindowDiff, and where it has no answer."""

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import window as window_oracle
from segscore.metrics.window import EDGES, ROUNDINGS
from strategies import places, segmentations

masses = ss.Segmentation.from_masses


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[ss.Segmentation], ss.Segmentation]:
    """One to seven references and a hypothesis; short documents often, where opinions run out."""
    n = draw(st.one_of(st.integers(1, 8), st.integers(1, 40)))
    refs = draw(st.lists(segmentations(n), min_size=1, max_size=7))
    return refs, draw(segmentations(n))


@given(groups(), st.sampled_from(EDGES), st.sampled_from(ROUNDINGS), st.integers(-1, 2))
def test_equals_enumeration(group: Any, edges: Any, rounding: Any, offset: int) -> None:
    refs, hyp = group
    metric = ss.MultiWindowDiff(edges=edges, rounding=rounding, k_offset=offset)
    pooled = sum(ref.n_segments for ref in refs)
    k = window_oracle.window_size(len(refs) * hyp.n_units, pooled, rounding, 1, offset)
    expected = window_oracle.multiple_window_diff(
        [*map(places, refs)], places(hyp), hyp.n_units, k, edges
    )
    score = metric(refs, hyp, on_undefined="nan")
    assert score.k == k
    assert tuple(score.statistics.rows) == expected  # type: ignore[union-attr]
    errors, best, worst, total, missed = expected
    if worst > best:
        assert score == pytest.approx((errors - best) / (worst - best))
        assert score.mean == pytest.approx(errors / total)
        assert score.missed == pytest.approx(missed / total)
        assert score.missed + score.extra == pytest.approx(score.mean)
        assert 0 <= score <= 1
    else:
        assert math.isnan(score)


@given(groups(), st.sampled_from(EDGES), st.randoms())
def test_mirror_and_order_of_references(group: Any, edges: Any, random: Any) -> None:
    refs, hyp = group
    metric = ss.MultiWindowDiff(edges=edges)
    score = metric(refs, hyp, on_undefined="nan")
    mirrored = metric([ref.mirror() for ref in refs], hyp.mirror(), on_undefined="nan")
    shuffled = metric(random.sample(refs, len(refs)), hyp, on_undefined="nan")
    assert score.statistics == mirrored.statistics == shuffled.statistics


def test_a_batch_with_groups_of_any_size() -> None:
    refs = [[masses([4, 4, 4]), masses([4, 8])], masses([2, 2]), [masses([5, 5])] * 3]
    hyps = [masses([6, 6]), masses([4]), masses([5, 5])]
    scores = ss.score(refs, hyps, metrics="multwindowdiff")["multwindowdiff"]
    singles = [ss.MultiWindowDiff()(ref, hyp) for ref, hyp in zip(refs, hyps, strict=True)]
    assert scores.values.tolist() == singles
    assert scores[0].parts == singles[0].parts
    total = sum(s.statistics.rows for s in singles)  # type: ignore[union-attr]
    assert scores.micro == pytest.approx((total[0] - total[1]) / (total[2] - total[1]))


def test_vast_documents_are_instant() -> None:
    n = 10**12
    refs = [ss.Segmentation.from_boundaries([n // 2 + i], n) for i in range(3)]
    score = ss.MultiWindowDiff()(refs, refs[0])
    assert score.k == n // 4
    assert score.mean == pytest.approx(2 * (1 + 2) / (3 * (n - score.k)))


@pytest.mark.parametrize(
    ("refs", "hyp", "why", "k"),
    [
        ([[1]], [1], "the document has 1 unit", None),
        ([[2]], [1, 1], "k = 2 needs more than 2 units, but the document has 2", 2),
        ([[1, 1], [2]], [2], ".*differ so much", None),  # one place, a vote each
    ],
)
def test_undefined(refs: Any, hyp: Any, why: str, k: int | None) -> None:
    metric = ss.MultiWindowDiff(k=k)
    with pytest.raises(ss.SegmentationError, match=f"multwindowdiff is undefined: {why}"):
        metric([masses(ref) for ref in refs], masses(hyp))


def test_a_document_without_references_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="multwindowdiff got"):
        ss.MultiWindowDiff()([], masses([2, 2]))
    with pytest.raises(ss.SegmentationError, match="document 0: reference"):
        ss.score([[]], [masses([2, 2])], metrics="multwindowdiff")


def test_bounds_of_kazantseva_and_szpakowicz(data: Path) -> None:
    """KS12 report 0.21 and 1.0 over the corpus; chapter 1 has 52 units in 13 segments: k = 2."""
    refs = {}
    for path in sorted((data / "moonstone" / "segmentations").glob("ch*.csv")):
        with path.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        coders = [name for name in rows[0] if name != "paragraph"]
        refs[path.stem] = [
            ss.Segmentation.from_segment_ids([row[coder] for row in rows]) for coder in coders
        ]
    hyps = {name: several[0] for name, several in refs.items()}
    scores = ss.score(refs, hyps, metrics="multwindowdiff")["multwindowdiff"]
    assert scores["ch1"].k == 2
    assert scores.micro.best == pytest.approx(0.214, abs=5e-4)
    assert scores.micro.worst == pytest.approx(1, abs=0.005)


@given(st.lists(groups(), min_size=1, max_size=3), st.sampled_from([0, 1, "10%"]))
def test_the_best_annotator(documents: Any, tolerance: int | str) -> None:
    """The counts against the annotator with the largest F in each document (Shou et al. 2021)."""
    metric = ss.BoundaryMatch(tolerance)
    expected = []
    for refs, hyp in documents:
        counts = [metric(ref, hyp, on_undefined="nan") for ref in refs]
        best = max(
            counts,
            key=lambda score: (2 if math.isnan(score) else float(score), score.tp, -score.fn),
        )
        expected.append([best.tp, best.fp, best.fn])
    found = ss.score(
        [refs for refs, _ in documents], [hyp for _, hyp in documents],
        ss.MultiBoundaryMatch(tolerance, rule="best"), on_undefined="nan",
    )  # fmt: skip
    (scores,) = found.values()
    assert scores.statistics.rows.tolist() == expected
