"""Specs and signatures: every metric can be written down and read back."""

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given

import segscore as ss
from labelled_pairs import Pair, labelled_pairs
from segscore import metrics
from segscore.metrics import METRICS, names
from segscore.metrics.hierarchy import hierarchical_name
from segscore.metrics.names import HOMES

WINDOWDIFF = (
    "windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|v:0.1.0"
)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_name_gives_a_metric_that_reads_back(name: str) -> None:
    metric = ss.metric(name)
    assert ss.metric(metric.signature()) == metric
    assert ss.metric(metric.signature("micro")) == metric
    assert ss.metric(str(metric)) == metric
    assert isinstance(metric.higher_is_better, bool)
    assert isinstance(metric.symmetric, bool)
    assert hash(metric) == hash(ss.metric(name))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("windowdiff", ss.WindowDiff()),
        ("wd(k=3)", ss.WindowDiff(k=3)),
        (" windowdiff( k = 3 , edges = wrap ) ", ss.WindowDiff(k=3, edges="wrap")),
        ("windowdiff()", ss.WindowDiff()),
        ("wd(weighted=yes)", ss.WindowDiff(weighted=True)),
        ("pk(fp_weight=1.5)", ss.Pk(fp_weight=1.5)),
        ("f1(tolerance=2,beta=0.5)", ss.BoundaryMatch(tolerance=2, beta=0.5)),
        (WINDOWDIFF, ss.WindowDiff()),
        (WINDOWDIFF.replace("v:0.1.0", "avg:macro|v:9.9"), ss.WindowDiff()),
    ],
)
def test_reading(text: str, expected: ss.Metric) -> None:
    assert ss.metric(text) == expected


def test_signature_is_the_contract() -> None:
    assert ss.WindowDiff().signature() == WINDOWDIFF
    ref = ss.Segmentation.from_masses([2, 3, 6])
    assert ss.WindowDiff()(ref, ref).signature == WINDOWDIFF
    assert ss.Pk(fp_weight=2.0).signature() == ss.Pk(fp_weight=2).signature()
    assert str(ss.Pk(k=3, fp_weight=2)) == "pk(k=3,fp_weight=2)"


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("WindowDiff", "windowdiff"), ("Pk", "pk"), ("B", "b"), ("WD(k=3)", "wd(k=3)"),
        ("WinPR.recall", "winpr.recall"), ("Pk-Prime", "pk-prime"), ("E-Pk", "e-pk"),
    ],
)  # fmt: skip
def test_names_may_be_written_in_any_case(written: str, ours: str) -> None:
    assert ss.metric(written) == ss.metric(ours)
    assert ss.metric(written).signature() == ss.metric(ours).signature()


def test_no_two_names_differ_in_case_only() -> None:
    assert len({name.casefold() for name in METRICS}) == len(METRICS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "windodiff",
            "'windodiff'.*'windowdiff'",
        ),
        ("bleu", "metric is called 'bleu'"),
        ("", "cannot read metric"),
        ("wd(k=3", "cannot read metric 'wd.k=3'"),
        (
            "wd(3)",
            "'wd.3.'.*cannot read '3'",
        ),
        ("wd(k=3,k=4)", "'wd.k=3,k=4.'.*cannot read 'k=4'"),
        ("wd(size=3)", "'wd.size=3.'.*'size'"),
        ("wd(k=0)", "k is 0"),
        ("wd(k=x)", "k is 'x'"),
        ("windowdiff|k", "cannot read metric"),
        ("windowdiff|k:2|k:3", "cannot read metric"),
        ("s|cost:custom", "custom function cannot"),
        (3, "metric is 3"),
    ],
)
def test_what_cannot_be_read(text: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.metric(text)


@pytest.mark.parametrize("wrong", [None, [2, 3, 6], "0100", 3])
def test_what_is_no_segmentation_is_refused(wrong: Any) -> None:
    ref = ss.Segmentation.from_masses([2, 3, 6])
    with pytest.raises(ss.SegmentationError, match="Segmentations.*reference first"):
        ss.WindowDiff()(ref, wrong)
    with pytest.raises(ss.SegmentationError, match="windowdiff got"):
        ss.WindowDiff()(wrong, ref)
    with pytest.raises(ss.SegmentationError, match="got 2 references: expected one"):
        ss.WindowDiff()([ref, ref], ref)
    with pytest.raises(ss.SegmentationError, match="on_undefined is 'skip'"):
        ss.WindowDiff()(ref, ref, on_undefined="skip")  # type: ignore[arg-type]


# segments and their labels are there in a document of one unit, too
OF_SEGMENTS = {"segment-f1", "f1@10", "f1@25", "f1@50", "titles", "count-mae", "label-edit"}
OF_SEGMENTS |= {"pairwise-f", "nce", "v-measure", "mof", "mapped-mof"}


@pytest.mark.parametrize("name", sorted(set(METRICS) - OF_SEGMENTS))
def test_one_unit_is_undefined(name: str) -> None:
    metric = ss.metric(name)
    coding = ss.Segmentation.from_masses([1], segment_labels=["x"])
    refs: Any = [coding] if metric.many_references else coding
    with pytest.raises(ss.SegmentationError, match="undefined.*document has 1 unit"):
        metric(refs, coding)
    assert math.isnan(metric(refs, coding, on_undefined="nan"))


# the others draw choices among ties, for which a mirrored text is another text
MIRRORED = [name for name in METRICS if not name.startswith("e-") or name in ("e-pk", "e-wd")]


@given(labelled_pairs(none=False))
def test_identity_mirror_symmetry_and_range(pair: Pair) -> None:
    for name in MIRRORED:
        metric = ss.metric(name)

        def value(ref: ss.Segmentation, hyp: ss.Segmentation, metric: Any = metric) -> float:
            refs = [ref] if metric.many_references else ref
            return float(metric(refs, hyp, on_undefined="nan"))

        def close(found: float) -> Any:
            return pytest.approx(found, abs=1e-9, nan_ok=True)

        ref, hyp = pair
        found = value(ref, hyp)
        assert value(ref.mirror(), hyp.mirror()) == close(found), name
        if metric.symmetric:
            assert value(hyp, ref) == close(found), name
        low, high = (0, 2) if name == "pk-prime" else metric.value_range
        assert math.isnan(found) or low - 1e-12 <= found <= high + 1e-12, name
        same = value(ref, ref)
        assert math.isnan(same) or metric.perfect is None or same == close(metric.perfect), name


DISTANCES = {"count-mae", "deviation", "hausdorff", "ghd"}  # in units or costs: they have no scale


@pytest.mark.parametrize("name", sorted(METRICS))
def test_a_perfect_hypothesis_has_the_perfect_value(name: str) -> None:
    metric = ss.metric(name)
    if metric.name.removeprefix("e-") in DISTANCES:
        assert metric.perfect is None
        return
    ref = ss.Segmentation.from_boundaries(
        [4, 9, 14], 20, ranks=[1, 2, 1], segment_labels=["a", "b", "a", "c"]
    )
    assert metric(ref, ref) == metric.perfect
    assert metric.perfect == (1 if metric.higher_is_better else 0)


def test_what_follows_the_version_is_not_read_back() -> None:
    assert ss.metric(f"{WINDOWDIFF}|null:positions|draws:1000|seed:0") == ss.WindowDiff()


def test_a_plug_in_without_values_or_statistics_is_refused() -> None:
    """The mean that our metrics share would otherwise be its value, without a word."""

    @dataclass(frozen=True)
    class Forgetful(ss.Metric):
        name = "forgetful"
        higher_is_better = True
        statistic_names = ("a", "b")

    @dataclass(frozen=True)
    class WithValues(Forgetful):
        def values(self, rows: Any) -> Any:
            return rows[:, 0]

    for kind in (Forgetful, WithValues):
        with pytest.raises(ValueError, match="neither rows nor"):
            names._check_plugin("forgetful", kind)


def test_metrics_of_boundaries_have_a_hierarchical_form() -> None:
    for name in names._FOR_LEVELS:
        inner = ss.metric(name)
        form = ss.metric(hierarchical_name(inner))
        assert isinstance(form, ss.Hierarchical)
        assert type(form.metric) is type(inner)


def test_metrics_are_imported_by_their_names() -> None:
    assert {name for name in metrics.__all__ if hasattr(metrics, name)} == set(metrics.__all__)
    classes = {name for name in metrics.__all__ if isinstance(getattr(metrics, name), type)}
    kinds = {name for name in classes if issubclass(getattr(metrics, name), ss.Metric)}
    assert set(HOMES) == kinds - {"Metric", "ScorePart"}
    with pytest.raises(AttributeError, match="has no attribute 'Kp'"):
        metrics.Kp  # type: ignore[attr-defined]  # noqa: B018
