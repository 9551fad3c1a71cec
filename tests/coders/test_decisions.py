"""Fleiss's κ, Krippendorff's α and the majority: oracle, published values, edges."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import segscore as ss
from oracles import agreement as oracle
from segscore.datasets.loading import moonstone
from segscore.simulate.sample_codings import STARGAZER
from strategies import codings

masses = ss.Segmentation.from_masses
STAR = ss.Corpus.from_dict({"stargazer": {name: masses(m) for name, m in STARGAZER.items()}})
Given = dict[str, dict[str, ss.Segmentation]]

FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
    "fleiss": (ss.coders.fleiss_kappa, oracle.fleiss_kappa),
    "alpha": (
        ss.coders.krippendorff_alpha,
        lambda c, **options: oracle.alpha(_paired(c), **options),
    ),
    "majority": (ss.coders.percentage_agreement, lambda c: oracle.majority(_paired(c))),
}


def _paired(given: Given) -> Given:
    return {name: coders for name, coders in given.items() if len(coders) > 1}


@given(codings())
def test_equal_to_the_equations(given: Given) -> None:
    corpus = ss.Corpus.from_dict(given)
    for name, (ours, theirs) in FUNCTIONS.items():
        for options in [{}] if name == "majority" else [{}, {"count_end": True}]:
            made = ours(corpus, n_resamples=5, **options)
            assert made.value == pytest.approx(theirs(given, **options), nan_ok=True)
            for document, result in made.documents.items():
                if len(given[document]) > 1:
                    alone = {document: given[document]}
                    assert result.value == pytest.approx(theirs(alone, **options), nan_ok=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_intervals_are_those_of_coders_left_out(name: str) -> None:
    ours, theirs = FUNCTIONS[name]
    people = dict(STAR["stargazer"])
    made = ours(STAR)
    left_out = [
        theirs({"d": {c: coding for c, coding in people.items() if c != gone}}) for gone in people
    ]
    error = math.sqrt(6 / 7 * sum((x - np.mean(left_out)) ** 2 for x in left_out))
    half = 2.4469118511449692 * error
    assert (made.ci.low, made.ci.high) == pytest.approx((made - half, made + half))
    assert made.ci.method.startswith("for this document, over coders, by jackknife over 7 coders")


def test_moonstone(data: Path) -> None:
    corpus = moonstone(data / "moonstone")
    plain = ss.coders.fleiss_kappa(corpus)
    ended = ss.coders.fleiss_kappa(corpus, count_end=True)
    assert plain.documents["1"] == pytest.approx(0.043, abs=5e-4)
    assert np.mean(list(plain.documents.values())) == pytest.approx(0.2433, abs=5e-5)
    assert ended.documents["1"] == pytest.approx(0.282, abs=5e-4)
    assert np.mean(list(ended.documents.values())) == pytest.approx(0.386, abs=5e-4)
    assert np.mean(list(ended.groups.values())) == pytest.approx(0.388, abs=5e-4)
    assert np.std(list(ended.groups.values()), ddof=1) == pytest.approx(0.092, abs=5e-4)
    assert plain.ci.low < plain < plain.ci.high
    assert "bootstrap over 20 documents" in plain.ci.method


def test_all_decisions_alike_have_no_coefficient() -> None:
    corpus = ss.Corpus.from_dict({"d": {"a": masses([5]), "b": masses([5]), "c": masses([5])}})
    assert math.isnan(ss.coders.fleiss_kappa(corpus))
    assert math.isnan(ss.coders.krippendorff_alpha(corpus))
    assert ss.coders.percentage_agreement(corpus) == 1
    assert ss.coders.fleiss_kappa(corpus, count_end=True) == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_coder_and_seeds(name: str) -> None:
    ours, _ = FUNCTIONS[name]
    with pytest.raises(ss.SegmentationError, match="needs two coders"):
        ours(ss.Corpus.from_dict({"d": {"a": masses([2, 3])}}))
    documents = {f"d{i}": {"a": masses([i, 3]), "b": masses([1, i + 2])} for i in range(1, 7)}
    corpus = ss.Corpus.from_dict(documents, groups={"d1": "g", "d2": "g"})
    assert ours(corpus, rng=3).ci == ours(corpus, rng=3).ci
    made = ours(corpus)
    assert set(made.groups) == {"g"}
    assert math.isnan(made.groups["g"].ci.low)
    assert made.to_table().records()[-1]["value"] == made.value
    assert "boundaries" in made.reading
    assert "<table" in made._repr_html_()
