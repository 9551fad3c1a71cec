"""A system among people."""

import math

import numpy as np
import pytest

import segscore as ss
from oracles.agreement import expected_of_pairs
from panels import panel
from segscore.coders.coder_pairs import CoderPairs
from segscore.simulate.sample_codings import STARGAZER

masses = ss.Segmentation.from_masses
PEOPLE = {name: masses(m) for name, m in STARGAZER.items()}


def one_document(**systems: ss.Segmentation) -> ss.Corpus:
    return ss.Corpus.from_dict({"d": {**PEOPLE, **systems}})


def test_a_copy_of_a_person_raises_agreement_and_nonsense_lowers_it() -> None:
    good = ss.coders.human_competitiveness(one_document(copy=PEOPLE["6"]), "copy")
    bad = ss.coders.human_competitiveness(one_document(none=ss.baselines.none(21)), "none")
    assert good.system.drop < 0 < bad.system.drop
    assert bad.n_worse_people == 0
    assert good.n_worse_people > 0
    assert "for 0 of 7" in bad.reading


def several(scope: str = "global") -> ss.Corpus:
    rng = np.random.default_rng(5)
    documents = {}
    for index in range(6):
        true = set(rng.choice(29, 6, replace=False) + 1)
        coders = {
            name: ss.Segmentation.from_boundaries(
                {p for p in true if rng.random() < 0.8} | {int(rng.integers(1, 30))}, 30
            )
            for name in "abcd"
        }
        documents[f"d{index}"] = {**coders, "sys": ss.baselines.random(30, n_segments=7, rng=index)}
    documents["d6"] = {name: documents["d0"][name] for name in "ab"}
    return ss.Corpus.from_dict(documents, coders=scope)  # type: ignore[arg-type]


def test_several_documents() -> None:
    corpus = several()
    for coefficient, near in (("pi", 1e-9), ("kappa", 1e-9), ("corrected", 0.01)):
        made = ss.coders.human_competitiveness(corpus, "sys", coefficient=coefficient, rng=3)  # type: ignore[arg-type]
        six = corpus.select(documents=made.documents)
        people = six.select(coders=[*"abcd"])
        assert made.left_out == ("d6",)
        without_b = six.select(coders=[*"acd"])
        (person,) = [one for one in made.coders if one.name == "b"]
        for found, corpus_of_it in (
            (made.system.without, people),
            (made.system.joined, six),
            (person.without, without_b),
        ):
            expected = getattr(ss.agreement(corpus_of_it), coefficient)
            assert found == pytest.approx(expected, abs=near)
        assert made.system.ci.low <= made.system.drop <= made.system.ci.high
        assert "bootstrap over 6 documents" in made.system.ci.method
        again = ss.coders.human_competitiveness(corpus, "sys", coefficient=coefficient, rng=3)  # type: ignore[arg-type]
        assert again.system.ci == made.system.ci


def test_local_names_draw_a_person_of_each_document() -> None:
    made = ss.coders.human_competitiveness(several("local"), "sys")
    (somebody,) = made.coders
    assert made.system.drop == pytest.approx(
        ss.coders.human_competitiveness(several(), "sys").system.drop
    )
    assert somebody.ci.low <= somebody.drop <= somebody.ci.high
    assert somebody.joined == pytest.approx(made.system.without)
    assert somebody.drop < made.system.drop
    with pytest.raises(ss.SegmentationError, match="coder names are local"):
        ss.coders.human_competitiveness(several("local"), "sys", coefficient="kappa")


def test_other_systems_are_no_people() -> None:
    corpus = one_document(all=ss.baselines.all(21), none=ss.baselines.none(21))
    known = corpus.with_details(kinds={"all": "system", "none": "system"})
    people = ss.coders.human_competitiveness(known, "all").coders
    assert {person.name for person in people} == set(PEOPLE)
    assert len(ss.coders.human_competitiveness(corpus, "all").coders) == 8


def test_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="system is 'x'"):
        ss.coders.human_competitiveness(one_document(), "x")
    lonely = ss.Corpus.from_dict({"d": {"a": masses([2, 3]), "s": masses([1, 4])}})
    with pytest.raises(ss.SegmentationError, match="two other people"):
        ss.coders.human_competitiveness(lonely, "s")


@pytest.mark.filterwarnings("error")
def test_two_local_coders_in_each_document() -> None:
    """Without one of them nobody is left to agree with."""
    cut = ss.Segmentation.from_masses
    documents = {
        f"d{i}": {f"an{2 * i}": cut([2, 3, 6]), f"an{2 * i + 1}": cut([5, 6])} for i in range(3)
    }
    with pytest.raises(ss.SegmentationError, match="three coders.*local"):
        ss.coders.who_deviates(ss.Corpus.from_dict(documents, coders="local"))
    joined = {name: {**codings, "c99": cut([4, 7])} for name, codings in documents.items()}
    found = ss.coders.human_competitiveness(ss.Corpus.from_dict(joined, coders="local"), "c99")
    assert math.isnan(found.coders[0].drop)
    assert "no two people are left" in found.coders[0].ci.method


def test_the_corrected_number_is_the_default_and_has_one_sign() -> None:
    """A lazy coder who marks at random lowers agreement: the drop is above 0, and others raise it."""
    people = panel(3, 10, 5, times={"eve": 0.1})
    found = ss.coders.who_deviates(people, draws=50, n_resamples=500)
    assert found.coefficient == "corrected"
    whole = ss.agreement(people, draws=50).corrected
    assert {coder.joined for coder in found.coders} == {whole}
    assert found.coders[0].name == "eve"
    assert found.coders[0].drop > 0.03
    for coder in found.coders:
        assert coder.drop == pytest.approx(coder.without - coder.joined)
        others = people.select(coders=[c for c in people.coders if c != coder.name])
        assert coder.without == pytest.approx(ss.agreement(others, draws=400).corrected, abs=0.01)
    assert "how much the coder lowers agreement" in str(found)


def literal_drop(corpus: ss.Corpus, coder: str, seed: int) -> float:
    """Leaving a coder out, with the same random coders: by the letter, pair by pair."""
    pairs = CoderPairs(corpus)
    metric, draws = ss.BoundarySimilarity(), 30
    by_chance = expected_of_pairs(pairs, metric, draws, seed)
    width = pairs.statistics(metric).shape[1]
    values = []
    for left_out in (coder, None):
        observed, expected = np.zeros((2, width))
        for i, (a, b) in enumerate(zip(pairs.left, pairs.right, strict=True)):
            if left_out not in (pairs.names[a], pairs.names[b]):
                observed += pairs.statistics(metric)[i]
                expected += by_chance[i]
        o, e = (metric.values(sums[None])[0] for sums in (observed, expected))
        values.append((o - e) / (1 - e))
    return float(values[0] - values[1])


@pytest.mark.parametrize("n_documents", [2, 6])
def test_drops_are_those_of_the_sums_without_the_coder(n_documents: int) -> None:
    people = panel(5, n_documents, 4)
    found = ss.coders.who_deviates(people, draws=30, rng=4, n_resamples=100)
    for coder in found.coders:
        assert coder.drop == pytest.approx(literal_drop(people, coder.name, 4))
    way = "jackknife over 3 people" if n_documents < 5 else "bootstrap over 6 documents"
    assert all(way in coder.ci.method for coder in found.coders)
