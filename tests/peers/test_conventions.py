"""Presets of `audit` against the installed NLTK and segeval, crashes and silent zeros included."""

import math
from decimal import InvalidOperation
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

import segscore as ss
from needs import needs
from segscore.conventions import audit
from strategies import pairs, places, segmentations

pytestmark = needs("peers")

masses = ss.Segmentation.from_masses


def test_versions_are_those_that_are_named() -> None:
    assert version("nltk").startswith("3.10.")
    assert version("segeval") == "2.0.11"


def by_nltk(measure: str, ref: str, hyp: str, k: int | None = None) -> float:
    """What NLTK prints; NaN if it fails."""
    if k is None:
        k = round(len(ref) / (max(ref.count("1"), 1) * 2.0))  # as its pk does
        if measure == "pk":
            assert nltk_pk(ref, hyp) == nltk_pk(ref, hyp, k)
    try:
        return float((nltk_pk if measure == "pk" else nltk_windowdiff)(ref, hyp, k))
    except (ZeroDivisionError, ValueError):
        return math.nan


def by_segeval(measure: str, ref: Any, hyp: Any, **options: Any) -> float:
    """What segeval prints; NaN if it fails."""
    metric = segeval.pk if measure == "pk" else segeval.window_diff
    try:
        sides = (tuple(coding.masses.tolist()) for coding in (hyp, ref))
        return float(metric(*sides, **options))
    except (AssertionError, InvalidOperation):
        return math.nan


def gaps(coding: ss.Segmentation) -> str:
    return "".join("01"[p in places(coding)] for p in range(1, coding.n_units))


def same(found: float, theirs: float) -> bool:
    return found == pytest.approx(theirs, nan_ok=True)


@given(pairs())
def test_nltk_on_gaps_and_on_labels(pair: Any) -> None:
    found = audit(*pair)
    for measure in ("pk", "windowdiff"):
        assert same(found["nltk", measure].prints, by_nltk(measure, *map(gaps, pair)))
        labels = [gaps(coding) + "1" for coding in pair]
        assert same(found["nltk-labels", measure].prints, by_nltk(measure, *labels))
        names = [row.convention for row in found.rows if row.measure == measure]
        name = "nltk-labels-last-0" if "nltk-labels-last-0" in names else "solbiati"
        labels = [gaps(coding) + "0" for coding in pair]  # shown only where it is another number
        assert same(found[name, measure].prints, by_nltk(measure, *labels))


@given(pairs())
def test_segeval_and_its_lamprier(pair: Any) -> None:
    found = audit(*pair)
    for measure in ("pk", "windowdiff"):
        assert same(found["segeval", measure].prints, by_segeval(measure, *pair))
    theirs = by_segeval("windowdiff", *pair, lamprier_et_al_2007_fix=True)
    assert same(found["lamprier", "windowdiff"].prints, theirs)


@given(st.lists(st.integers(1, 12).flatmap(lambda n: st.tuples(segmentations(n), segmentations(n))),
                min_size=2, max_size=5), st.sampled_from(["pk", "windowdiff"]))  # fmt: skip
def test_averages_as_one_would_make_them(documents: Any, measure: str) -> None:
    """Means and one k for all, around the packages; NaN as soon as one document fails."""
    refs, hyps = zip(*documents, strict=True)
    found = audit(refs, hyps)
    n_documents = len(documents)
    each = [by_segeval(measure, *pair) for pair in documents]
    assert same(found["segeval", measure, "mean"].prints, sum(each) / n_documents)
    k = segeval.compute_window_size([mass for ref in refs for mass in ref.masses.tolist()])
    row = found["segeval", measure, "global-k"]
    assert row.k == k
    each = [by_segeval(measure, *pair, window_size=k) for pair in documents]
    assert same(row.prints, sum(each) / n_documents)
    joined = [
        masses([m for coding in side for m in coding.masses.tolist()]) for side in (refs, hyps)
    ]
    theirs = by_segeval(measure, *joined)
    assert same(found["segeval", measure, "concatenated"].prints, theirs)

    strings = [tuple(map(gaps, pair)) for pair in documents]
    ones, symbols = (sum(map(count, refs)) for count in (lambda r: r.n_segments - 1, len_of_gaps))
    k = round(symbols / (max(ones, 1) * 2.0))
    row = found["nltk", measure, "global-k"]
    assert row.k == k
    each = [by_nltk(measure, *pair, k=k) for pair in strings]
    assert same(row.prints, sum(each) / n_documents)
    assert same(found["nltk", measure, "concatenated"].prints, by_nltk(measure, *map(gaps, joined)))


def len_of_gaps(coding: ss.Segmentation) -> int:
    return coding.n_units - 1


# ---- audit's F1 against the programs themselves ----


tolerances = st.integers(1, 8)


def f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def printed(pair: Any, tolerance: int, name: str) -> float:
    return audit(*pair, tolerance=tolerance, measures=["f1"])[name, "f1"].prints


def ends(coding: Any) -> list[int]:
    return [*coding.boundaries.tolist(), coding.n_units]


@given(pairs(min_units=2), tolerances)
def test_ruptures(pair: Any, tolerance: int) -> None:
    metrics = pytest.importorskip("ruptures.metrics")
    ours = printed(pair, tolerance, "ruptures")
    try:
        theirs = f(*metrics.precision_recall(*map(ends, pair), margin=tolerance))
    except ZeroDivisionError:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.* intervals are empty")
@given(pairs(min_units=2), tolerances, st.booleans())
def test_mir_eval(pair: Any, tolerance: int, trim: bool) -> None:
    segment = pytest.importorskip("mir_eval.segment")
    intervals = []
    for coding in pair:
        edges = [0, *ends(coding)]
        intervals.append(np.array([edges[:-1], edges[1:]], float).T)
    theirs = segment.detection(*intervals, window=tolerance, trim=trim)[2]
    name = "mir_eval-trimmed" if trim else "mir_eval"
    assert printed(pair, tolerance, name) == pytest.approx(theirs, abs=1e-12)


@given(pairs(min_units=2), tolerances)
def test_pyannote(pair: Any, tolerance: int) -> None:
    core = pytest.importorskip("pyannote.core")
    segmentation = pytest.importorskip("pyannote.metrics.segmentation")
    timelines = []
    for coding in pair:
        edges = [0, *ends(coding)]
        timelines.append(core.Timeline(map(core.Segment, edges[:-1], edges[1:])))
    rates = [
        made(tolerance=tolerance)(*timelines)
        for made in (segmentation.SegmentationPrecision, segmentation.SegmentationRecall)
    ]
    assert printed(pair, tolerance, "pyannote") == pytest.approx(f(*rates), abs=1e-12)
