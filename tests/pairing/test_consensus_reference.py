"""A consensus of coders as the reference: the same wherever it is asked for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora

cut = ss.Segmentation.from_masses
PEOPLE = ss.Corpus.from_dict(
    {
        "a": {"x": cut([2, 3, 6]), "y": cut([2, 4, 5]), "z": cut([5, 6])},
        "b": {"x": cut([4, 4]), "y": cut([3, 5])},
    }
)
SYSTEM = {"a": cut([2, 9]), "b": cut([4, 4])}


@given(corpora(), st.sampled_from([0.3, 0.5, 1, "majority", "union"]), st.integers(0, 2))
def test_of_a_corpus_it_is_that_of_each_document(
    corpus: ss.Corpus, at_least: Any, within: int
) -> None:
    agreed = ss.consensus(corpus, at_least, within)
    assert list(agreed) == list(corpus)
    for name, document in corpus.items():
        assert agreed[name]["consensus"] == ss.consensus(document, at_least, within)


@pytest.mark.parametrize("rule", ["consensus:0.5", "consensus:majority", "consensus:union:1"])
def test_every_function_takes_it(rule: str) -> None:
    _, share, *near = rule.split(":")
    at_least: Any = share if share.isalpha() else float(share)
    agreed = ss.consensus(PEOPLE, at_least, int(near[0]) if near else 0)
    refs = {name: document["consensus"] for name, document in agreed.items()}
    scored = ss.score(PEOPLE, SYSTEM, reference=rule)
    assert scored.to_dicts() == ss.score(refs, SYSTEM).to_dicts()
    audited = ss.audit(PEOPLE, SYSTEM, reference=rule)
    assert str(audited) == str(ss.audit(refs, SYSTEM))
    scores = {name: [0.1 * i for i in range(coding.n_units - 1)] for name, coding in SYSTEM.items()}
    made, expected = (
        ss.curve(given, scores, "f1", reference=reference, n_resamples=9)
        for given, reference in ((PEOPLE, rule), (refs, None))
    )
    assert made.values("f1").tolist() == expected.values("f1").tolist()
    compared = ss.compare(PEOPLE, reference=rule, systems={"s": SYSTEM}, n_resamples=9)
    assert compared["s", "pk"].value == pytest.approx(scored["pk"].micro)


def test_one_corpus_may_hold_both_sides() -> None:
    against = ss.score(PEOPLE, reference="consensus:0.5", hypothesis="x", metrics="pk")
    agreed = {name: document["consensus"] for name, document in ss.consensus(PEOPLE).items()}
    ours = {name: document["x"] for name, document in PEOPLE.items()}
    assert against.to_dicts() == ss.score(agreed, ours, "pk").to_dicts()


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="consensus is .*expected SHARE"):
        ss.score(PEOPLE, SYSTEM, reference="consensus:half")
    with pytest.raises(ss.SegmentationError, match="share above 0.*1"):
        ss.score(PEOPLE, SYSTEM, reference="consensus:2")
