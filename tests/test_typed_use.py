"""What users write, with the types that checkers see: mypy reads this file, too (`make lint`)."""

from typing import assert_type

import segscore as ss
from segscore.scoring.scoring import Scores

REF = ss.Segmentation.from_masses([2, 3, 6], segment_labels=["a", "b", "a"])
HYP = ss.Segmentation.from_masses([5, 6], segment_labels=["a", "b"])


def test_names_of_metrics_are_keys() -> None:
    result = ss.score([REF], [HYP], metrics=["pk", ss.BoundarySimilarity()])
    assert_type(result, ss.Result)
    assert_type(result["pk"], Scores)
    assert_type(result[ss.BoundarySimilarity()].micro, ss.Score)
    assert list(result) == ["pk", ss.BoundarySimilarity()]


def test_parts_of_scores_are_attributes() -> None:
    score = ss.BoundarySimilarity()(REF, HYP)
    assert (score.precision, score.recall, score.n_pairs) == (1.0, 0.5, 2)
    assert score.parts["precision"] == score.precision
    window = ss.WindowDiff()(REF, HYP)
    assert window.k == 2
    assert not hasattr(window, "precision")
