"""π, κ and bias: oracle, published values, intervals, holes, local names, edges."""

import math
from collections.abc import Callable
from functools import partial
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


def small(**coders: list[int]) -> ss.Corpus:
    return ss.Corpus.from_dict({"d": {name: masses(m) for name, m in coders.items()}})


# ---- against the equations ----


@given(codings())
def test_equal_to_the_equations(given: dict[str, dict[str, ss.Segmentation]]) -> None:
    made = ss.agreement(ss.Corpus.from_dict(given), n_resamples=10)
    assert made.observed == pytest.approx(oracle.observed_b(given))
    assert made.expected_pi == pytest.approx(oracle.expected_pi(given))
    assert made.expected_kappa == pytest.approx(oracle.expected_kappa(given))
    assert made.pi == pytest.approx(oracle.pi(given), nan_ok=True)
    assert made.kappa == pytest.approx(oracle.kappa(given), nan_ok=True)
    assert made.bias == pytest.approx(oracle.expected_pi(given) - oracle.expected_kappa(given))
    for name, document in made.documents.items():
        if len(given[name]) > 1:
            alone = {name: given[name]}
            assert document.pi == pytest.approx(oracle.pi(alone), nan_ok=True)
            assert document.kappa == pytest.approx(oracle.kappa(alone), nan_ok=True)
        else:
            assert math.isnan(document.pi)


@given(codings())
def test_a_document_among_others_is_as_by_itself(
    given: dict[str, dict[str, ss.Segmentation]],
) -> None:
    """Documents are rows of one table; each is what a corpus of it alone gives."""
    corpus = ss.Corpus.from_dict(given)
    measures = (partial(ss.agreement, draws=0), ss.coders.fleiss_kappa)
    for measure in measures:
        whole = measure(corpus, n_resamples=2)
        for name, coders in given.items():
            if len(coders) < 2:
                continue
            result, alone = whole.documents[name], measure(ss.Corpus.from_dict({name: coders}))
            assert result.basis == alone.basis
            for field in ("ci", "kappa_ci") if isinstance(result, ss.Agreement) else ("ci",):
                ours, theirs = getattr(result, field), getattr(alone, field)
                assert ours.method == theirs.method
                assert ours[:2] == pytest.approx(theirs[:2], nan_ok=True)


def test_types_are_categories() -> None:
    seg = ss.Segmentation.from_boundaries
    first = seg([2, 5], 11, types=[{1}, {1, 2}])
    second = seg([2, 7], 11, types=[{1}, {2}])
    made = ss.agreement(ss.Corpus.from_dict({"d": {"a": first, "b": second}}))
    ones, twos = 3 / 20, 2 / 20  # type 1: two and one; type 2: one and one
    assert made.expected_pi == pytest.approx(ones**2 + twos**2)
    assert made.expected_kappa == pytest.approx(2 / 10 * 1 / 10 + 1 / 10 * 1 / 10)
    assert made.observed == pytest.approx(float(ss.BoundarySimilarity()(first, second)))


# ---- published, corrected ----


def test_stargazer() -> None:
    made = ss.agreement(STAR)
    assert made.observed == pytest.approx(0.5301, abs=5e-5)
    assert made.pi == pytest.approx(0.4644, abs=5e-5)
    assert made.kappa == pytest.approx(0.4653, abs=5e-5)
    by_s = ss.agreement(STAR, ss.SegmentationSimilarity(cost="span"))
    assert by_s.pi == pytest.approx(0.7667, abs=5e-5)


def test_moonstone(data: Path) -> None:
    chapters = moonstone(data / "moonstone")
    by_s = ss.agreement(chapters, "s", n_resamples=10)
    assert by_s.documents["1"].pi == pytest.approx(0.7553, abs=5e-5)
    made = ss.agreement(chapters)
    groups = {"3": 0.215, "5": 0.183, "2": 0.411, "4": 0.384, "1": 0.241}
    assert {g: round(agreement.pi, 3) for g, agreement in made.groups.items()} == groups
    assert (made.basis.n_documents, made.basis.n_codings) == (20, 108)
    assert ss.agreement(chapters["20"], "s").basis.n_coders == 6


def test_kubla_khan() -> None:
    assert ss.agreement(ss.datasets.load("kubla_khan")).pi == pytest.approx(0.3880, abs=5e-5)


# ---- intervals ----


def test_no_interval_exceeds_complete_agreement() -> None:
    """One coder of six is apart; estimate ± t · s.e. would go far beyond 1: too few, not cut."""
    masses = [[4, 4, 4, 4]] * 5 + [[1, 1, 1, 13]]
    codings = {str(i): ss.Segmentation.from_masses(lengths) for i, lengths in enumerate(masses)}
    corpus = ss.Corpus.from_dict({"d": codings})
    made = ss.agreement(corpus)
    others = (ss.coders.fleiss_kappa(corpus), ss.coders.krippendorff_alpha(corpus))
    intervals = [made.ci, made.kappa_ci, made.corrected_ci, *(one.ci for one in others)]
    for interval in intervals:
        upper = float(interval.method.partition(", ")[2].partition("]")[0])
        assert upper > 1.1  # where the upper end of ± would be
        assert math.isnan(interval.high)
        assert interval.method.startswith("too few: [")


def test_two_coders_and_few_documents_have_no_interval() -> None:
    made = ss.agreement(small(a=[2, 3, 6], b=[5, 6]))
    assert math.isnan(made.ci.low)
    assert "no interval: a jackknife needs at least 3 coders" in made.ci.method


def corpus_of(rng: np.random.Generator, n_documents: int, n_coders: int = 3) -> ss.Corpus:
    """People who find two thirds of the boundaries, and sometimes miss by one or add one."""
    made = {}
    for index in range(n_documents):
        n = int(rng.integers(15, 45))
        true = np.flatnonzero(rng.random(n - 1) < 0.2) + 1
        coders = {}
        for coder in range(n_coders):
            kept = true[rng.random(len(true)) < 0.67]
            moved = np.clip(kept + rng.choice([-1, 0, 0, 0, 1], len(kept)), 1, n - 1)
            extra = np.flatnonzero(rng.random(n - 1) < 0.05) + 1
            coders[f"c{coder}"] = ss.Segmentation.from_boundaries({*moved, *extra}, n)
        made[f"d{index}"] = coders
    return ss.Corpus.from_dict(made)


def test_seeds_reproduce() -> None:
    corpus = corpus_of(np.random.default_rng(1), 12)
    first, again = ss.agreement(corpus, rng=7), ss.agreement(corpus, rng=7)
    other = ss.agreement(corpus, rng=8)
    assert first.ci == again.ci
    assert first.kappa_ci == again.kappa_ci
    assert first.ci[:2] != other.ci[:2]
    assert "bootstrap over 12 documents, 10000 resamples, seed 7" in first.ci.method
    assert first.ci.low < first.pi < first.ci.high
    narrow = ss.agreement(corpus, level=0.5)
    assert narrow.ci.high - narrow.ci.low < first.ci.high - first.ci.low


# ---- coverage, names, edges ----


def test_holes_are_used_and_reported() -> None:
    codings = {
        "full": {"a": masses([2, 3, 6]), "b": masses([5, 6]), "c": masses([2, 9])},
        "half": {"a": masses([3, 3]), "b": masses([2, 4])},
        "alone": {"c": masses([4, 4])},
    }
    made = ss.agreement(ss.Corpus.from_dict(codings))
    assert made.basis == (3, 3, 6, 4, 7)
    assert any("1 of 3 documents have fewer than two coders" in note for note in made.notes)
    assert any("6 of 9 codings exist, and the 4 pairs" in note for note in made.notes)
    assert math.isnan(made.documents["alone"].pi)
    assert not math.isnan(made.documents["half"].kappa)


def test_local_names_are_not_joined() -> None:
    documents = {
        "x": {"an1": masses([2, 3, 6]), "an2": masses([5, 6]), "an3": masses([2, 9])},
        "y": {"an1": masses([3, 3]), "an2": masses([2, 4])},
    }
    local = ss.agreement(ss.Corpus.from_dict(documents, coders="local"))
    joined = ss.agreement(ss.Corpus.from_dict(documents))
    assert local.pi == joined.pi
    assert math.isnan(local.kappa)
    assert math.isnan(local.bias)
    assert "local" in local.kappa_ci.method
    assert local.basis.n_coders == 5
    assert joined.basis.n_coders == 3
    assert local.documents["x"].kappa == joined.documents["x"].kappa
    assert "jackknife over 5 coders" in local.ci.method
    assert any("not joined" in note for note in local.notes)
    corpus = ss.Corpus.from_dict({"x": documents["x"]}, coders="local")
    assert ss.agreement(corpus).kappa == local.documents["x"].kappa


def test_one_coder_is_an_error_that_names_him() -> None:
    with pytest.raises(ss.SegmentationError, match=r"two coders.*document 'd' has coder 'a' alone"):
        ss.agreement(small(a=[2, 3, 6]))
    text = ss.Corpus.from_dict({"d": {}}, units={"d": ["x", "y"]})
    with pytest.raises(ss.SegmentationError, match="the corpus has none"):
        ss.agreement(text)


def test_no_boundary_at_all() -> None:
    made = ss.agreement(small(a=[11], b=[11], c=[11]))
    assert (made.pi, made.observed, made.expected_pi) == (1, 1, 0)
    assert "nobody placed a boundary" in made.notes[0]


def test_every_boundary() -> None:
    made = ss.agreement(small(a=[1] * 5, b=[1] * 5))
    assert math.isnan(made.pi)
    assert made.expected_pi == 1
    assert "chance explains everything" in made.notes[0]


def test_a_document_of_one_unit_does_no_harm() -> None:
    documents = {"d": {"a": masses([2, 3]), "b": masses([1, 4])}}
    alone = ss.agreement(ss.Corpus.from_dict(documents))
    both = ss.agreement(
        ss.Corpus.from_dict({**documents, "e": {"a": masses([1]), "b": masses([1])}})
    )
    assert both.pi == alone.pi
    assert math.isnan(both.documents["e"].pi)
    assert any("one unit" in note for note in both.notes)


def test_identical_coders_agree_completely() -> None:
    made = ss.agreement(small(a=[2, 3, 6], b=[2, 3, 6], c=[2, 3, 6]))
    assert (made.pi, made.kappa, made.bias) == (1, 1, 0)
    assert (made.ci.low, made.ci.high) == (1, 1)


@pytest.mark.parametrize("metric", ["windowdiff", "f1"])
def test_the_metric_must_be_a_symmetric_similarity(metric: str) -> None:
    with pytest.raises(ss.SegmentationError, match="symmetric similarity such"):
        ss.agreement(STAR, metric)


def test_a_document_will_do_and_nothing_else() -> None:
    assert ss.agreement(STAR["stargazer"]).pi == ss.agreement(STAR).pi
    with pytest.raises(ss.SegmentationError, match="expected a Corpus"):
        ss.agreement({"d": {}})  # type: ignore[arg-type]


# ---- fleiss's κ, Krippendorff's α and the majority ----


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
def test_equal_to_the_equations_of_decisions(given: Given) -> None:
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


def test_moonstone_of_decisions(data: Path) -> None:
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
