"""Whether coders differ in how finely they cut or in where, against a literal count."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles.matching import matched
from strategies import places, segmentations

masses = ss.Segmentation.from_masses


def corpus_of(**coders: list[int]) -> ss.Corpus:
    return ss.Corpus.from_dict({"d": {name: masses(lengths) for name, lengths in coders.items()}})


@st.composite
def corpora(draw: st.DrawFn) -> dict[str, dict[str, ss.Segmentation]]:
    """Two to four coders; not everyone codes everything."""
    names = ["ann", "bob", "cat", "dan"][: draw(st.integers(2, 4))]
    codings = {}
    for i, n in enumerate(draw(st.lists(st.integers(2, 25), min_size=1, max_size=3))):
        own = draw(st.sets(st.sampled_from(names), min_size=2))
        codings[f"d{i}"] = {name: draw(segmentations(n)) for name in names if name in own}
    return codings


@given(corpora(), st.integers(1, 4))
def test_containment_is_the_literal_count(codings: Any, n_t: int) -> None:
    rows = ss.coders.granularity(ss.Corpus.from_dict(codings), n_t, draws=2).records()
    whole = rows[-1]
    pairs = [row for row in rows if row["coarser"] != "all"]
    assert whole["n_fine"] == sum(row["n_fine"] for row in pairs)
    names = list(dict.fromkeys(name for document in codings.values() for name in document))
    shared = {
        frozenset(both): [document for document in codings.values() if set(both) <= set(document)]
        for both in combinations(names, 2)
    }
    assert {frozenset((row["coarser"], row["finer"])) for row in pairs} == {
        both for both, documents in shared.items() if documents
    }
    for row in pairs:
        documents = shared[frozenset((row["coarser"], row["finer"]))]
        coarse, fine = (
            [places(document[row[side]]) for document in documents] for side in ("coarser", "finer")
        )
        n_coarse = sum(map(len, coarse))
        counts = len(documents), n_coarse, sum(map(len, fine))
        assert (row["documents"], row["n_coarse"], row["n_fine"]) == counts
        assert row["n_coarse"] <= row["n_fine"]
        for key, within in (("containment", 0), ("containment_near", n_t - 1)):
            both = sum(matched(a, b, within) for a, b in zip(coarse, fine, strict=True))
            assert row[key] == (both / n_coarse if n_coarse else None)


def test_chance_is_that_of_drawn_boundaries() -> None:
    """Of n places, m random boundaries hold each of the coarser coder's with probability m/n."""
    (found,) = ss.coders.granularity(
        corpus_of(ann=[20, 21], bob=[5] * 8 + [1]), draws=4000
    ).records()
    assert (found["coarser"], found["n_fine"]) == ("ann", 8)
    assert found["chance"] == pytest.approx(8 / 40, abs=0.02)
    assert (found["containment"], found["corrected"]) == (1, 1)
    miss = 32 * 31 * 30 / (40 * 39 * 38)  # none of three places
    assert found["chance_near"] == pytest.approx(1 - miss, abs=0.02)


READINGS = [
    ({"a": [8] * 10, "b": [4] * 20}, "They differ in how finely they cut, not in where"),
    ({"a": [8] * 10, "b": [8] * 10}, "Coders cut alike"),
    ({"a": [8] * 10, "b": [8] * 7 + [12, 8, 4]}, "in where they cut more than in how"),
    ({"a": [40, 40], "b": [20, 60]}, "Coders differ in where they cut:"),
    ({"a": [8] * 10, "b": [1] * 80}, "chance alone explains everything"),
    ({"a": [80], "b": [40, 40]}, "the coarser coders have no boundary"),
]


@pytest.mark.parametrize(("coders", "words"), READINGS)
def test_the_reading(coders: Any, words: str) -> None:
    assert words in ss.coders.granularity(corpus_of(**coders), draws=200).footnotes[-1]


def test_refusals() -> None:
    with pytest.raises(ss.SegmentationError, match="n_t is 0"):
        ss.coders.granularity(corpus_of(a=[2, 3], b=[5]), 0)
    with pytest.raises(ss.SegmentationError, match="granularity needs two coders"):
        ss.coders.granularity(corpus_of(a=[2, 3]))
