"""Clusters of coders."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage

import segscore as ss
from oracles.matching import matched
from segscore.simulate.sample_codings import STARGAZER
from strategies import codings, places, segmentations

masses = ss.Segmentation.from_masses
STAR = ss.Corpus.from_dict({"stargazer": {name: masses(m) for name, m in STARGAZER.items()}})


def test_distances_and_linkage() -> None:
    made = ss.coders.coder_clusters(STAR, method="average")
    people = list(STAR["stargazer"].values())
    wanted = np.array(
        [[1 - ss.BoundarySimilarity()(a, b) for b in people] for a in people], np.float64
    )
    assert made.distances == pytest.approx(wanted)
    theirs = linkage(wanted[np.triu_indices(7, 1)], "average")
    assert made.linkage == pytest.approx(theirs)
    assert made.clusters[-1].members == tuple(STARGAZER)
    assert made.clusters[-1].pi == pytest.approx(ss.agreement(STAR).pi)
    for cluster in made:
        inside = STAR.select(coders=cluster.members)
        assert cluster.pi == pytest.approx(ss.agreement(inside).pi)
        both = ss.coders.pairwise(inside, "b")
        assert (cluster.mean, cluster.sd, cluster.n_pairs) == pytest.approx(
            (both.mean, both.sd, both.n_pairs)
        )


def test_several_documents_are_compared_together() -> None:
    first = {"a": masses([2, 3, 6]), "b": masses([5, 6]), "c": masses([2, 9])}
    second = {"a": masses([3, 3]), "b": masses([3, 3]), "c": masses([2, 4])}
    made = ss.coders.coder_clusters(ss.Corpus.from_dict({"x": first, "y": second}))
    assert made.distances[0, 1] == pytest.approx(1 - 2 / 3)  # a match and a miss; a match


def test_who_cannot_be_clustered() -> None:
    cuts = masses([2, 3]), masses([1, 4])
    both = {
        name: dict(zip(people, cuts, strict=True))
        for name, people in {"x": "ab", "y": "bc"}.items()
    }
    apart = ss.Corpus.from_dict(both)
    with pytest.raises(ss.SegmentationError, match="'a'.*'c' share no document"):
        ss.coders.coder_clusters(apart)
    local = ss.Corpus.from_rows(apart.records(), coders="local")
    with pytest.raises(ss.SegmentationError, match="local to each document"):
        ss.coders.coder_clusters(local)
    assert len(ss.coders.coder_clusters(local["x"]).clusters) == 1
    with pytest.raises(ss.SegmentationError, match="method is 'ward'"):
        ss.coders.coder_clusters(STAR, method="ward")  # type: ignore[arg-type]


def test_merges_at_the_same_height_meet_in_one_line() -> None:
    codings = {"a": [1, 5], "b": [2, 4], "c": [3, 3], "d": [4, 2]}
    corpus = ss.Corpus.from_dict({"x": {name: masses(m) for name, m in codings.items()}})
    made = ss.coders.coder_clusters(corpus, ss.BoundarySimilarity(n_t=1))
    assert [cluster.height for cluster in made] == [1, 1, 1]
    for width, drawn in ((5, 5), (1, 3)):  # there is room for all merges
        lines = [branches for _, branches in made.dendrogram(width)]
        assert lines == ["─" * drawn + "┐", *["─" * drawn + "┤"] * 2, "─" * drawn + "┘"]


def test_kubla_khan_and_tables() -> None:
    made = ss.coders.coder_clusters(ss.datasets.load("kubla_khan"))
    found = {frozenset(cluster.members) for cluster in made}
    assert found == {
        frozenset(names.split())
        for names in ("0 2", "6 8", "0 1 2", "4 7", "5 6 8", "3 5 6 8", "0 1 2 4 7",
                      "0 1 2 3 4 5 6 7 8")
    }  # fmt: skip
    rows = made.to_table().records()
    assert len(rows) == 8
    assert not any(math.isnan(row["pi"]) for row in rows)


def test_corrected_agreement_of_each_cluster() -> None:
    """Each cluster has what `agreement` of its members gives, but for random draws."""
    made = ss.coders.coder_clusters(STAR, draws=1000)
    assert (made.draws, made.seed) == (1000, 0)
    for cluster in made:
        alone = ss.agreement(STAR.select(coders=cluster.members), draws=1000)
        assert cluster.chance == pytest.approx(alone.chance, abs=4 * alone.chance_error + 1e-9)
        expected = (alone.observed - cluster.chance) / (1 - cluster.chance)
        assert cluster.corrected == pytest.approx(expected)
    other = ss.coders.coder_clusters(STAR, draws=50, rng=3)
    assert other.clusters[0].chance != made.clusters[0].chance
    assert all(math.isnan(cluster.corrected) for cluster in ss.coders.coder_clusters(STAR, draws=0))
    nobody = ss.Corpus.from_dict({"d": {"a": masses([5]), "b": masses([5])}})
    assert math.isnan(ss.coders.coder_clusters(nobody).clusters[0].corrected)


def test_labels_of_each_cluster() -> None:
    """One document gives what `label_similarity` gives; several are taken over all their units."""
    (poem,) = ss.datasets.load("kubla_khan").values()
    for cluster in ss.coders.coder_clusters(poem, draws=0):
        alone = ss.coders.label_similarity(poem, cluster.members)
        assert (cluster.label_mean, cluster.label_sd) == pytest.approx((alone.mean, alone.sd))
        assert cluster.n_labels == alone.n
    cuts = {"a": masses([2, 2]), "b": masses([3, 1]), "c": masses([4])}
    labels = {
        "x": {"a": ["x", "y"], "b": ["x", ["y", "z"]]},
        "y": {"a": ["x", "x"], "b": ["y", "x"]},
    }
    corpus = ss.Corpus.from_dict({"x": cuts, "y": cuts}, labels=labels)
    clusters = {cluster.members: cluster for cluster in ss.coders.coder_clusters(corpus, draws=0)}
    values = [1, 1, 0, 0.5, 0, 0, 0, 1]
    cluster = clusters["a", "b", "c"]
    assert (cluster.label_mean, cluster.label_sd) == pytest.approx(
        (np.mean(values), np.std(values))
    )
    assert cluster.n_labels == 8
    assert "labels within" in str(ss.coders.coder_clusters(corpus))
    assert "labels within" not in str(ss.coders.coder_clusters(STAR))


# ---- averages over pairs of coders ----


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
