"""What users write, with the types that checkers see: mypy reads this file, too (`make lint`)."""

from typing import assert_type

import segscore as ss
from segscore.metrics import METRICS
from segscore.metrics.typed_parts import TypedParts

REF = ss.Segmentation.from_masses([2, 3, 6], segment_labels=["a", "b", "a"])
HYP = ss.Segmentation.from_masses([5, 6], segment_labels=["a", "b"])


def test_names_of_metrics_are_keys() -> None:
    by_name = ss.score([REF], [HYP], metrics=["pk", "b"])
    assert_type(by_name, ss.Result[str])
    for name, scores in by_name.items():
        assert_type(name, str)
        assert_type(scores, ss.Scores)
        assert name.upper() in {"PK", "B"}
    assert_type(ss.score([REF], [HYP]), ss.Result[str])
    assert_type(ss.score([REF], [HYP], "pk"), ss.Result[str])
    mixed = ss.score([REF], [HYP], metrics=["pk", ss.BoundarySimilarity()])
    assert_type(mixed, ss.Result[str | ss.Metric])
    assert_type(mixed[ss.BoundarySimilarity()].micro, ss.Score)
    assert list(mixed) == ["pk", ss.BoundarySimilarity()]


def test_parts_of_scores_are_typed_attributes() -> None:
    score = ss.BoundarySimilarity()(REF, HYP)
    assert_type(score.precision, float)
    assert_type(score.n_pairs, int)
    assert_type(score.confusion, ss.ConfusionMatrix)
    assert (score.precision, score.recall, score.n_pairs) == (1.0, 0.5, 2)
    window = ss.WindowDiff()(REF, HYP)
    assert_type(window.k, int)
    assert window.k == 2
    assert not hasattr(window, "precision")


def test_every_part_of_every_metric_has_its_type() -> None:
    kinds = {"float": float, "int": int}
    levels = [
        ss.Levels([HYP.with_segment_labels(["x", "y"]), segmentation])
        for segmentation in (REF, HYP)
    ]
    declared = TypedParts.__annotations__
    for name in METRICS:
        metric = ss.metric(name)
        ref, hyp = levels if name in ("l-measure",) else (REF, HYP)
        refs = [ref] if metric.many_references else ref
        pair = metric(refs, hyp)
        total = ss.score([[ref, ref] if metric.many_references else ref], [hyp], [metric])[metric]
        for part, value in {**pair.parts, **total.micro.parts}.items():
            assert part in declared, f"{name}.{part}"
            kind = getattr(declared[part], "__name__", declared[part])
            if kind in kinds:
                assert type(value) is kinds[kind], f"{name}.{part}"
