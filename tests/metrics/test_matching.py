"""BoundaryMatch: against a general bipartite matching, and where it has no answer."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles.matching import change_point_f, ends_of, found_greedily, matched, within
from strategies import pairs, places, segmentations


@given(pairs(min_units=2), st.integers(0, 8))
def test_matches_as_many_as_possible(pair: Any, tolerance: int) -> None:
    ref, hyp = pair
    score = ss.BoundaryMatch(tolerance=tolerance)(ref, hyp, on_undefined="nan")
    tp = matched(places(ref), places(hyp), tolerance)
    fp, fn = len(places(hyp)) - tp, len(places(ref)) - tp
    batch = ss.BoundaryMatch(tolerance).rows(ss.Pairs.from_segmentations([ref], [hyp]))[0]
    assert (score.tp, score.fp, score.fn) == tuple(batch) == (tp, fp, fn)
    if tp + fp + fn:
        assert score == score.f == pytest.approx(2 * tp / (2 * tp + fp + fn))


def test_beta_weighs_recall() -> None:
    ref, hyp = ss.Segmentation.from_masses([1] * 5), ss.Segmentation.from_masses([1, 4])
    score = ss.BoundaryMatch(beta=2)(ref, hyp)
    assert (score.precision, score.recall) == (1, 0.25)
    assert score == pytest.approx(5 * 1 / (5 * 1 + 4 * 3))


def test_without_a_boundary_there_is_no_f() -> None:
    none, halves = ss.Segmentation.from_masses([6]), ss.Segmentation.from_masses([3, 3])
    with pytest.raises(ss.SegmentationError, match="f1.*neither side"):
        ss.BoundaryMatch()(none, none)
    assert math.isnan(ss.BoundaryMatch()(none, none, on_undefined="nan"))
    assert ss.BoundaryMatch()(none, halves) == ss.BoundaryMatch()(halves, none) == 0
    assert math.isnan(ss.BoundaryMatch()(halves, none).precision)
    assert math.isnan(ss.BoundaryMatch()(none, halves).recall)


# ---- the ends of the text, strict, many ----

ENDS = ("none", "start", "end", "both")


@given(pairs(min_units=2), st.integers(1, 8), st.sampled_from(ENDS), st.booleans())
def test_ends_and_strict_match_as_many_as_possible(
    pair: Any, tolerance: int, ends: Any, strict: bool
) -> None:
    ref, hyp = pair
    metric = ss.BoundaryMatch(tolerance, ends=ends, strict=strict)
    left, right = (places(coding) | ends_of(coding.n_units, ends) for coding in pair)
    tp = matched(left, right, tolerance - strict)
    score = metric(ref, hyp, on_undefined="nan")
    batch = metric.rows(ss.Pairs.from_segmentations([ref], [hyp]))[0]
    assert (score.tp, score.fp, score.fn) == (tp, len(right) - tp, len(left) - tp) == tuple(batch)


@given(pairs(min_units=2), st.integers(1, 8), st.sampled_from(ENDS), st.booleans())
def test_many_counts_whatever_is_near(pair: Any, tolerance: int, ends: Any, strict: bool) -> None:
    ref, hyp = pair
    metric = ss.BoundaryMatch(tolerance, ends=ends, strict=strict, matching="many")
    left, right = (places(coding) | ends_of(coding.n_units, ends) for coding in pair)
    in_hyp, in_ref = within(left, right, tolerance - strict)
    score = metric(ref, hyp, on_undefined="nan")
    assert (score.tp, score.fp) == (in_hyp, len(right) - in_hyp)
    assert (score.found, score.fn) == (in_ref, len(left) - in_ref)
    if left and right:
        p, r = in_hyp / len(right), in_ref / len(left)
        assert (score.precision, score.recall) == (p, r)
        assert score == pytest.approx(2 * p * r / (p + r) if p + r else 0)
    else:
        assert math.isnan(score) if not left and not right else score == 0
    plain = ss.BoundaryMatch(tolerance, ends=ends, strict=strict)(ref, hyp, on_undefined="nan")
    assert not score < plain - 1e-12  # what is matched is near


STARTS = ss.Segmentation.from_boundaries([60, 180, 300, 600], 900)
GUESSES = ss.Segmentation.from_boundaries([65, 170, 310, 400], 900)


@pytest.mark.parametrize(
    ("program", "metric", "value"),
    [
        ("ruptures", "f1(tolerance=10,strict=yes)", 0.25),
        ("Chapter-Llama", "f1(tolerance=10,strict=yes,matching=many)", 0.25),
        ("VidChapters", "f1(tolerance=10,ends=start,strict=yes,matching=many)", 0.40),
        ("mir_eval trimmed, pyannote", "f1(tolerance=10)", 0.75),
        ("TCPDBench", "f1(tolerance=10,ends=start)", 0.80),
        ("TCPDBench", "multf1(tolerance=10,ends=start)", 0.80),
        ("mir_eval untrimmed", "f1(tolerance=10,ends=both)", 5 / 6),
    ],
)
def test_one_pair_and_f1_at_10_s(program: str, metric: str, value: float) -> None:
    assert ss.metric(metric)(STARTS, GUESSES) == pytest.approx(value), program
    timed = ss.metric(metric.replace("10", "10s"))
    seconds = ss.corpus.Provenance.of("seconds:1")
    pairs = ss.Pairs.of([STARTS], [GUESSES], provenance=seconds)
    assert ss.score(pairs, metrics=timed)[timed].micro == pytest.approx(value)


def test_old_signatures_stay_valid_and_new_fields_are_read_back() -> None:
    assert ss.BoundaryMatch(3).signature() == f"f1|tolerance:3|beta:1|v:{ss.__version__}"
    metric = ss.BoundaryMatch(3, ends="both", strict=True, matching="many")
    assert metric.signature() == (
        f"f1|tolerance:3|beta:1|ends:both|strict:yes|matching:many|v:{ss.__version__}"
    )
    assert ss.metric(metric.signature()) == metric == ss.metric(str(metric))


@pytest.mark.parametrize(("tolerance", "unit", "reach"), [("2.5s", "1", 2), ("2s", "1", 1)])
@pytest.mark.filterwarnings("ignore:tolerance is:segscore.errors.MetricWarning")
def test_a_strict_time_is_longer_than_every_distance(tolerance: str, unit: str, reach: int) -> None:
    """2 units of 1 s are below 2.5 s and not below 2 s."""
    metric = ss.BoundaryMatch(tolerance, strict=True)
    for distance, found in ((reach, 1), (reach + 1, 0)):
        pairs = ss.Pairs(
            [50],
            [0, 1],
            [20],
            [0, 1],
            [20 + distance],
            provenance=ss.corpus.Provenance.of(f"seconds:{unit}"),
        )
        assert ss.score(pairs, metrics=metric)[metric].micro.tp == found


def test_no_boundary_but_the_ends() -> None:
    none, single = ss.Segmentation.from_masses([6]), ss.Segmentation.from_masses([1])
    assert ss.BoundaryMatch(ends="start")(none, none) == 1  # what mir_eval prints for such a pair
    for matching in ("optimal", "many"):
        metric = ss.BoundaryMatch(ends="both", matching=matching)
        with pytest.raises(ss.SegmentationError, match="the document has 1 unit"):
            metric(single, single)
        rows = metric.rows(ss.Pairs.from_segmentations([single, none], [single, none]))
        assert rows[0].tolist() == [0] * rows.shape[1]
        assert rows[1].any()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"strict": True}, "tolerance is 0.*strict is True"),
        ({"strict": True, "tolerance": "0s"}, "tolerance is 0.*strict is True"),
    ],
)
def test_wrong_parameters(fields: Any, message: str) -> None:
    for kind in (ss.BoundaryMatch, ss.MultiBoundaryMatch):
        with pytest.raises(ss.SegmentationError, match=message):
            kind(**fields)


# ---- several annotators ----


@st.composite
def annotated(draw: Any) -> tuple[list[ss.Segmentation], ss.Segmentation]:
    n = draw(st.integers(2, 60))
    coders = draw(st.lists(segmentations(n), min_size=1, max_size=4))
    return coders, draw(segmentations(n))


@given(annotated(), st.integers(0, 6))
def test_several_annotators_as_tcpdbench_with_the_largest_matching(case: Any, margin: int) -> None:
    refs, hyp = case
    score = ss.MultiBoundaryMatch(margin, ends="start")(refs, hyp)
    expected = change_point_f([places(ref) for ref in refs], places(hyp), margin, matched)
    assert (score.precision, score.recall, score) == pytest.approx(expected)
    # Deviation of theirs: a greedy choice can lose pairs, and never finds more.
    theirs = change_point_f([places(ref) for ref in refs], places(hyp), margin, found_greedily)
    assert theirs[2] <= score + 1e-12


@pytest.mark.parametrize(
    ("annotators", "guesses", "value"),
    [  # the examples in TCPDBench's own code
        ([[10, 20], [11, 20], [10], [5]], [10, 20], 1.0),
        ([[], [10], [50]], [10], 0.9090909090909091),
        ([[], [10], [50]], [], 0.8),
    ],
)
def test_published_examples_of_several_annotators(
    annotators: Any, guesses: Any, value: float
) -> None:
    refs = [ss.Segmentation.from_boundaries(positions, 60) for positions in annotators]
    hyp = ss.Segmentation.from_boundaries(guesses, 60)
    assert ss.metric("multf1(tolerance=5,ends=start)")(refs, hyp) == pytest.approx(value)


@given(pairs(min_units=2), st.integers(1, 5), st.sampled_from(ENDS), st.booleans())
def test_one_annotator_is_boundary_match(
    pair: Any, tolerance: int, ends: Any, strict: bool
) -> None:
    many = ss.MultiBoundaryMatch(tolerance, 2, ends, strict)([pair[0]], pair[1], on_undefined="nan")
    single = ss.BoundaryMatch(tolerance, 2, ends, strict)(*pair, on_undefined="nan")
    assert many == pytest.approx(single, nan_ok=True)
    assert (many.precision, many.recall) == pytest.approx(
        (single.precision, single.recall), nan_ok=True
    )


def test_many_annotators_in_a_batch_and_those_without_a_boundary() -> None:
    make = ss.Segmentation.from_boundaries
    refs = [[make([3], 9), make([], 9)], [make([2, 5], 9)], [make([], 9), make([], 9)]]
    hyps = [make([3, 7], 9), make([5], 9), make([], 9)]
    scores = ss.score(refs, hyps, metrics="multf1")["multf1"]
    assert scores.values[:2].tolist() == pytest.approx([2 * 0.5 / 1.5, 2 * 0.5 / 1.5])
    assert math.isnan(scores.values[2])
    # precision 2 of 3 boundaries; recall 1 and a half, the mean over the two that have one
    assert (scores.micro.precision, scores.micro.recall) == pytest.approx((2 / 3, 0.75))
    with pytest.raises(ss.SegmentationError, match="multf1.*side has a boundary"):
        ss.MultiBoundaryMatch()(refs[2], hyps[2])


# ---- a tolerance as a share of the document ----


@given(pairs(min_units=2), st.sampled_from(["5%", "0.5%", "12.345%", "33%", "100%"]), st.booleans())
def test_a_share_of_the_document(pair: Any, share: str, strict: bool) -> None:
    """As a tolerance in units, floor(N · share), or the largest number of units below N · share."""
    units = Fraction(share[:-1]) / 100 * pair[0].n_units
    reach = math.ceil(units) - 1 if strict else math.floor(units)
    if reach < 0:
        return
    found = ss.BoundaryMatch(share, strict=strict)(*pair, on_undefined="nan")
    assert found == pytest.approx(ss.BoundaryMatch(reach)(*pair, on_undefined="nan"), nan_ok=True)


def test_a_share_is_that_of_each_document() -> None:
    cut = ss.Segmentation.from_boundaries
    refs, hyps = [cut([50], 100), cut([50], 1000)], [cut([55], 100), cut([101], 1000)]
    scores = ss.score(refs, hyps, ["f1(tolerance=5%)", "f1(tolerance=5.1%,matching=many)"])
    assert scores["f1(tolerance=5%)"].values.tolist() == [1, 0]
    assert scores["f1(tolerance=5.1%,matching=many)"].values.tolist() == [1, 1]
    assert str(ss.metric("F1@Rel.Dis 0.05")) == "f1(tolerance=5%)"
    with pytest.raises(ss.SegmentationError, match=r"F1@Rel\.Dis 0\.05"):
        ss.metric("Rel.Dis")
    for wrong in ("0%", "101%", "x%", "-5%"):
        with pytest.raises(ss.SegmentationError, match="share of the document"):
            ss.BoundaryMatch(wrong)


def test_boundaries_of_one_level() -> None:
    ref = ss.Segmentation.from_boundaries([2, 5, 8], 10, ranks=[1, 2, 1])
    hyp = ss.Segmentation.from_boundaries([2, 8], 10)
    levels = ss.Levels(
        [ss.Segmentation.from_masses([4, 6]), ss.Segmentation.from_masses([2, 2, 6])]
    )
    assert (ss.metric("f1(level=1)")(ref, hyp), ss.metric("f1")(ref, hyp)) == (1, 0.8)
    other = ss.Segmentation.from_masses([4, 6])
    assert (ss.metric("f1(level=1)")(levels, other), ss.metric("f1(level=2)")(levels, other)) == (
        1,
        pytest.approx(2 / 3),
    )
