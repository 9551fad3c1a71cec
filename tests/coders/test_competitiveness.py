"""A system among people."""

import math

import numpy as np
import pytest

import segscore as ss
from segscore.simulate.sample_codings import STARGAZER

masses = ss.Segmentation.from_masses
PEOPLE = {name: masses(m) for name, m in STARGAZER.items()}


def one_document(**systems: ss.Segmentation) -> ss.Corpus:
    return ss.Corpus.from_dict({"d": {**PEOPLE, **systems}})


def pi(*coders: str, corpus: ss.Corpus) -> float:
    return ss.agreement(corpus.select(coders=coders), n_resamples=5).pi


def test_one_document() -> None:
    corpus = one_document(all=ss.baselines.all(21))
    made = ss.human_competitiveness(corpus, "all")
    assert made.system.without == pytest.approx(pi(*PEOPLE, corpus=corpus))
    assert made.system.joined == pytest.approx(pi(*PEOPLE, "all", corpus=corpus))
    assert made.system.drop == pytest.approx(made.system.without - made.system.joined)
    for one in made.people:
        others = [name for name in PEOPLE if name != one.name]
        assert one.without == pytest.approx(pi(*others, corpus=corpus))
        assert one.joined == pytest.approx(made.system.without)
    left_out = [
        pi(*rest, corpus=corpus) - pi(*rest, "all", corpus=corpus)
        for rest in ([n for n in PEOPLE if n != gone] for gone in PEOPLE)
    ]
    error = math.sqrt(6 / 7 * sum((x - np.mean(left_out)) ** 2 for x in left_out))
    assert made.system.ci.high - made.system.drop == pytest.approx(2.4469118511449692 * error)
    first = made.people[0]
    others = [name for name in PEOPLE if name != first.name]
    left_out = [
        pi(*(n for n in others if n != gone), corpus=corpus)
        - pi(*(n for n in PEOPLE if n != gone), corpus=corpus)
        for gone in others
    ]
    error = math.sqrt(5 / 6 * sum((x - np.mean(left_out)) ** 2 for x in left_out))
    assert first.ci.high - first.drop == pytest.approx(2.5705818366147395 * error)


def test_a_copy_of_a_person_raises_agreement_and_nonsense_lowers_it() -> None:
    good = ss.human_competitiveness(one_document(copy=PEOPLE["6"]), "copy")
    bad = ss.human_competitiveness(one_document(none=ss.baselines.none(21)), "none")
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
        documents[f"d{index}"] = {
            **coders,
            "sys": ss.baselines.random(30, n_segments=7, seed=index),
        }
    documents["d6"] = {name: documents["d0"][name] for name in "ab"}
    return ss.Corpus.from_dict(documents, coders=scope)  # type: ignore[arg-type]


def test_several_documents() -> None:
    corpus = several()
    for coefficient in ("pi", "kappa"):
        made = ss.human_competitiveness(corpus, "sys", coefficient=coefficient, seed=3)  # type: ignore[arg-type]
        six = corpus.select(documents=made.documents)
        people = six.select(coders=[*"abcd"])
        assert made.left_out == ("d6",)
        assert made.system.without == pytest.approx(getattr(ss.agreement(people), coefficient))
        assert made.system.joined == pytest.approx(getattr(ss.agreement(six), coefficient))
        without_b = getattr(ss.agreement(six.select(coders=[*"acd"])), coefficient)
        assert made.people[1].without == pytest.approx(without_b)
        assert made.system.ci.low <= made.system.drop <= made.system.ci.high
        assert "bootstrap over 6 documents" in made.system.ci.method
        again = ss.human_competitiveness(corpus, "sys", coefficient=coefficient, seed=3)  # type: ignore[arg-type]
        assert again.system.ci == made.system.ci


def test_local_names_draw_a_person_of_each_document() -> None:
    made = ss.human_competitiveness(several("local"), "sys")
    (somebody,) = made.people
    assert made.system.drop == pytest.approx(ss.human_competitiveness(several(), "sys").system.drop)
    assert somebody.ci.low <= somebody.drop <= somebody.ci.high
    assert somebody.joined == pytest.approx(made.system.without)
    assert somebody.drop < made.system.drop
    with pytest.raises(ss.SegmentationError, match="coder names are local"):
        ss.human_competitiveness(several("local"), "sys", coefficient="kappa")


def test_other_systems_are_no_people() -> None:
    corpus = one_document(all=ss.baselines.all(21), none=ss.baselines.none(21))
    known = corpus.with_details(kinds={"all": "system", "none": "system"})
    assert [one.name for one in ss.human_competitiveness(known, "all").people] == list(PEOPLE)
    assert len(ss.human_competitiveness(corpus, "all").people) == 8


def test_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="system is 'x'"):
        ss.human_competitiveness(one_document(), "x")
    with pytest.raises(ss.SegmentationError, match="coefficient is 'alpha'"):
        ss.human_competitiveness(one_document(), "1", coefficient="alpha")  # type: ignore[arg-type]
    lonely = ss.Corpus.from_dict({"d": {"a": masses([2, 3]), "s": masses([1, 4])}})
    with pytest.raises(ss.SegmentationError, match="two other people"):
        ss.human_competitiveness(lonely, "s")


def test_table() -> None:
    made = ss.human_competitiveness(one_document(all=ss.baselines.all(21)), "all")
    rows = made.to_table().records()
    assert rows[0]["coder"] == "all"
    assert [row["kind"] for row in rows] == ["system"] + ["person"] * 7
    drops = [row["drop"] for row in rows[1:]]
    assert drops == sorted(drops, reverse=True)


@pytest.mark.filterwarnings("error")
def test_two_local_coders_in_each_document() -> None:
    """Without one of them nobody is left to agree with."""
    cut = ss.Segmentation.from_masses
    documents = {
        f"d{i}": {f"an{2 * i}": cut([2, 3, 6]), f"an{2 * i + 1}": cut([5, 6])} for i in range(3)
    }
    with pytest.raises(ss.SegmentationError, match="no document has three"):
        ss.who_deviates(ss.Corpus.from_dict(documents, coders="local"))
    joined = {name: {**one, "c99": cut([4, 7])} for name, one in documents.items()}
    found = ss.human_competitiveness(ss.Corpus.from_dict(joined, coders="local"), "c99")
    assert math.isnan(found.people[0].drop)
    assert "no two people are left" in found.people[0].ci.method
