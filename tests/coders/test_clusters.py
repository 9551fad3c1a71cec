"""Clusters of coders."""

import math

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import segscore as ss
from segscore.simulate.sample_codings import STARGAZER

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
    assert [branches for _, branches in made.dendrogram(5)] == ["─────┐", *["─────┤"] * 2, "─────┘"]


def test_dendrogram_is_to_scale() -> None:
    codings = {"a": [2, 3, 6], "b": [2, 3, 6], "c": [5, 6], "d": [11], "e": [11]}
    made = ss.coders.coder_clusters(
        ss.Corpus.from_dict({"x": {name: masses(m) for name, m in codings.items()}})
    )
    lines = dict(made.dendrogram(20))
    assert lines["b"] == "┘"
    assert {len(line) for line in lines.values()} == {1, 11, 21}


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
