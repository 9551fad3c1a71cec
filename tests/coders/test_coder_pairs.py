"""Averages over pairs of coders."""

import math

import numpy as np
import pytest
from hypothesis import given

import segscore as ss
from strategies import codings

masses = ss.Segmentation.from_masses
CODERS = {"a": masses([2, 3, 6]), "b": masses([5, 6]), "c": masses([2, 2, 7])}


@given(codings())
def test_equal_to_calling_the_metric(given: dict[str, dict[str, ss.Segmentation]]) -> None:
    corpus = ss.Corpus.from_dict(given)
    for metric in (ss.WindowDiff(), ss.BoundarySimilarity()):
        values = {
            name: [
                float(metric(x, y, on_undefined="nan"))
                for i, x in enumerate(coders.values())
                for j, y in enumerate(coders.values())
                if (i < j if metric.symmetric else i != j)
            ]
            for name, coders in given.items()
        }
        made = ss.coders.pairwise(corpus, metric, on_undefined="nan")
        flat = np.array([value for found in values.values() for value in found])
        defined = flat[~np.isnan(flat)]
        assert made.n_pairs == len(flat)
        assert made.n_undefined == len(flat) - len(defined)
        if len(defined):
            assert (made.mean, made.sd) == pytest.approx((defined.mean(), defined.std()))
        for name, found in values.items():
            assert made.documents[name].n_pairs == len(found)


def test_a_system_against_everyone() -> None:
    corpus = ss.Corpus.from_dict({"d": CODERS}, groups={"d": "g"})
    made = ss.coders.pairwise(corpus, "windowdiff", system="c")
    expected = [float(ss.WindowDiff()(CODERS[name], CODERS["c"])) for name in "ab"]
    assert made.mean == pytest.approx(np.mean(expected))
    assert made.sd == pytest.approx(np.std(expected))
    assert made.groups["g"].mean == made.mean
    with pytest.raises(ss.SegmentationError, match=r"system is 'x'.*expected a coder"):
        ss.coders.pairwise(corpus, "windowdiff", system="x")


def test_what_cannot_be_scored() -> None:
    short = ss.Corpus.from_dict({"d": {"a": masses([1]), "b": masses([1])}})
    with pytest.raises(ss.SegmentationError, match="document 'd .a, b.': windowdiff is undefined"):
        ss.coders.pairwise(short, "windowdiff")
    made = ss.coders.pairwise(short, "windowdiff", on_undefined="nan")
    assert math.isnan(made.mean)
    assert made.n_undefined == 2
    with pytest.raises(ss.SegmentationError, match="needs two coders"):
        ss.coders.pairwise(ss.Corpus.from_dict({"d": {"a": masses([2, 3])}}), "windowdiff")
