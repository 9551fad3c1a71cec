"""Comparing systems: against literal sums, over every kind of input, and at the edges."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import segscore as ss
from needs import needs, where_needed
from oracles import resampling as single
from segscore.significance import classical
from segscore.significance import resampling as sig

Codings = dict[str, ss.Segmentation]
FAST = 500
stats: Any = scipy_stats  # has no types


def drawn(n_units: int, rng: np.random.Generator, p: float = 0.2) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(np.flatnonzero(rng.random(n_units - 1) < p) + 1, n_units)


def noisy(ref: ss.Segmentation, errors: float, rng: np.random.Generator) -> ss.Segmentation:
    """The reference with a share of its gaps turned over."""
    gaps = np.zeros(ref.n_units - 1, bool)
    gaps[ref.boundaries - 1] = True
    gaps ^= rng.random(len(gaps)) < errors
    return ss.Segmentation.from_boundaries(np.flatnonzero(gaps) + 1, ref.n_units)


def copies(refs: Mapping[str, ss.Segmentation], errors: float, seed: int) -> Codings:
    rng = np.random.default_rng(seed)
    return {name: noisy(ref, errors, rng) for name, ref in refs.items()}


@pytest.fixture(scope="module")
def refs() -> Codings:
    rng = np.random.default_rng(0)
    return {f"d{i}": drawn(int(rng.integers(15, 50)), rng) for i in range(25)}


@pytest.fixture(scope="module")
def systems(refs: Codings) -> dict[str, Codings]:
    return {
        "good": copies(refs, 0.03, 1),
        "fair": copies(refs, 0.04, 2),
        "poor": copies(refs, 0.35, 3),
    }


@pytest.fixture(scope="module")
def made(refs: Codings, systems: dict[str, Codings]) -> ss.Comparison:
    return ss.compare(refs, systems=systems, metrics=["windowdiff", "f1"])


# ---- values ----


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_values_are_those_of_score(
    refs: Codings, systems: dict[str, Codings], average: Any
) -> None:
    made = ss.compare(
        refs, systems=systems, metrics=["pk", "winpr"], average=average, n_resamples=FAST
    )
    for system, hyps in systems.items():
        result = ss.score(refs, hyps, ["pk", "winpr"])
        for metric, scores in result.items():
            entry = made[system, str(metric)]
            assert entry.value == pytest.approx(getattr(scores, average), abs=1e-12)
            assert entry.low < entry.value < entry.high
            rows, value = single.additive(scores, average)
            alone = sig.bootstrap_interval(rows, value, n_resamples=FAST)
            assert (entry.low, entry.high) == pytest.approx(alone[:2], abs=1e-12)
            assert made.values(str(metric))[system] == pytest.approx(scores.values)


def test_pairs_are_the_tests_by_themselves(made: ss.Comparison, refs: Codings) -> None:
    for pair in made.pairs:
        scores = [
            ss.score(refs, made.hypotheses(name), pair.metric)[pair.metric]
            for name in (pair.a, pair.b)
        ]
        (a, value), (b, _) = (single.additive(score) for score in scores)
        assert pair.p == float(single.randomisation(a, b, value))
        assert pair.difference == pytest.approx(scores[0].micro - scores[1].micro)
        gap = single.paired_bootstrap(a, b, value)
        assert (pair.low, pair.high) == pytest.approx([float(end) for end in gap.interval()])
        ahead = np.round(scores[0].values - scores[1].values, 12)
        ahead = ahead if scores[0].metric.higher_is_better else -ahead
        counts = (ahead > 0).sum(), (ahead == 0).sum(), (ahead < 0).sum()
        assert (pair.wins, pair.ties, pair.losses) == counts
    corrected = sig.holm([pair.p for pair in made.pairs[:3]])
    assert [pair.p_corrected for pair in made.pairs[:3]] == pytest.approx(corrected)


def test_ranks_and_letters_go_the_right_way(made: ss.Comparison) -> None:
    for metric in made.metrics:  # lower is better for the one, higher for the other
        entries = {name: made[name, metric] for name in made.systems}
        assert entries["poor"].rank == 3
        assert entries["poor"].letters == "b"
        assert entries["good"].letters == entries["fair"].letters == "a"
        values = np.stack([made.values(metric)[name] for name in made.systems], axis=1)
        cost = -values if metric == "f1" else values
        ranks = stats.rankdata(np.round(cost, 9), axis=1).mean(axis=0)
        assert [e.mean_rank for e in entries.values()] == pytest.approx(ranks)
        assert all(
            (e.wins or 0) + (e.ties or 0) + (e.losses or 0) == 2 * len(made.documents)
            for e in entries.values()
        )


@pytest.mark.parametrize(
    "test",
    where_needed(
        ["t", "friedman", "kruskal", "bootstrap"], {"friedman": "stats", "kruskal": "stats"}
    ),
)
def test_other_tests(refs: Codings, systems: dict[str, Codings], test: Any) -> None:
    made = ss.compare(refs, systems=systems, metrics="windowdiff", test=test, n_resamples=FAST)
    values = np.stack([made.values()[name] for name in made.systems], axis=1)
    p = np.array([pair.p for pair in made.pairs])
    corrected = np.array([pair.p_corrected for pair in made.pairs])
    pairs = [(0, 1), (0, 2), (1, 2)]
    left, right = [0, 0, 1], [1, 2, 2]
    if test == "friedman":
        assert p == pytest.approx(classical.friedman_pairs(values)[left, right])
        assert corrected == pytest.approx(p)  # it holds the family's error by itself
        assert made.overall["windowdiff"] == classical.friedman(values)
    elif test == "kruskal":
        assert p == pytest.approx(classical.kruskal_pairs(values)[left, right])
        assert made.overall["windowdiff"] == classical.kruskal_wallis(values)
    elif test == "t":
        expected = [classical.paired_t(values[:, i], values[:, j]).p for i, j in pairs]
        assert p == pytest.approx(expected)
    if test != "friedman":
        assert corrected == pytest.approx(sig.holm(p))
    assert [pair.significant for pair in made.pairs] == [False, True, True]
    assert made.describe() in str(made)


def test_against_a_published_number(made: ss.Comparison) -> None:
    tests = made.against(0.1, "windowdiff")
    assert tests["poor"] == classical.one_sample_t(made.values("windowdiff")["poor"], 0.1)
    assert tests["poor"].p < 0.001


# ---- references, people, baselines ----


def test_many_references_add_up_and_people_are_left_out_in_turn(refs: Codings) -> None:
    coders = {f"c{i}": copies(refs, 0.1, 10 + i) for i in range(3)}
    system = copies(refs, 0.1, 5)
    corpus = {
        name: {**{coder: by[name] for coder, by in coders.items()}, "sys": system[name]}
        for name in refs
    }
    made = ss.compare(corpus, systems=["sys"], metrics="windowdiff", n_resamples=FAST)
    wd = ss.WindowDiff()
    rows = np.array([wd(by[n], system[n]).statistics.rows for by in coders.values() for n in refs])  # type: ignore[union-attr]
    assert made["sys", "windowdiff"].value == pytest.approx(rows[:, 0].sum() / rows[:, 1].sum())
    people = np.array([
        wd(codings[n], other[n]).statistics.rows  # type: ignore[union-attr]
        for codings in coders.values() for other in coders.values() if codings is not other
        for n in refs
    ])  # fmt: skip
    human = made["human", "windowdiff"]
    assert human.value == pytest.approx(people[:, 0].sum() / people[:, 1].sum())
    assert human.kind == "human"
    assert human.rank is None
    again = ss.compare(corpus, ["c0", "c1", "c2"], metrics="windowdiff", n_resamples=FAST)
    assert again.to_dicts() == made.to_dicts()
    assert ss.compare(corpus, "c0", "sys", n_resamples=FAST).rows == [
        "sys", "none", "random", "uniform",
    ]  # fmt: skip


def test_systems_of_a_corpus_are_no_references(refs: Codings) -> None:
    other = copies(refs, 0.3, 1)
    corpus = ss.Corpus.from_dict(
        {name: {"ann": ref, "c99": other[name]} for name, ref in refs.items()},
        kinds={"c99": "system"},
    )
    made = ss.compare(corpus, systems={"mine": refs}, metrics="pk", n_resamples=FAST)
    assert made["mine", "pk"].value == 0  # against ann alone
    assert made["mine", ss.Pk()] == made["mine", "pk"]
    partly = {**{name: dict(by) for name, by in corpus.items()}, "d0": {"c99": other["d0"]}}
    with pytest.raises(ss.SegmentationError, match="document 'd0'.*no reference.*'ann'"):
        ss.compare(partly, "ann", "c99")


def test_human_row_says_what_it_leaves_out(refs: Codings) -> None:
    corpus = {name: [ref, ref] if name != "d0" else [ref] for name, ref in refs.items()}
    made = ss.compare(corpus, systems={"s": refs}, metrics="pk", n_resamples=FAST)
    assert made["human", "pk"].value == 0
    assert made["human", "pk"].n_documents == len(refs) - 1
    assert made["human", "pk"].n_undefined == 0
    assert any("leaves out 1 document" in warning for warning in made.warnings)
    with pytest.raises(ss.SegmentationError, match="more than one reference"):
        ss.compare(refs, systems={"s": refs}, human=True)


def test_baselines_are_reproducible_and_lose(made: ss.Comparison, refs: Codings) -> None:
    assert made["random", "windowdiff"].n_runs == 10
    none = {name: ss.Segmentation.from_masses([ref.n_units]) for name, ref in refs.items()}
    expected = ss.score(refs, none, "windowdiff")["windowdiff"].micro
    assert made["none", "windowdiff"].value == pytest.approx(expected)
    assert made["good", "windowdiff"].value < made["uniform", "windowdiff"].value
    without = ss.compare(refs, systems={"s": refs}, baselines=[], n_resamples=FAST)
    assert without.rows == ["s"]


def test_baselines_keep_to_candidates() -> None:
    places = [2, 4, 7, 9]
    ref = ss.Segmentation.from_boundaries([4, 9], 12, candidates=places)
    refs = {"d": ref, "e": ref}
    made = ss.compare(refs, systems={"s": refs}, metrics="b(n_t=4)", n_resamples=9)
    uniform = ss.baselines.uniform(12, 3, candidates=places)
    assert made["uniform", "b(n_t=4)"].value == ss.BoundarySimilarity(4)(ref, uniform)


# ---- runs ----


def test_seeds_are_averaged_and_widen_the_interval(refs: Codings) -> None:
    runs = [copies(refs, errors, i) for i, errors in enumerate([0.02, 0.1, 0.2, 0.3, 0.05])]
    steady = [runs[2]] * 5
    made = ss.compare(
        refs, systems={"runs": runs, "steady": steady}, metrics="windowdiff", n_resamples=2000
    )
    values = [ss.score(refs, run, "windowdiff")["windowdiff"].micro for run in runs]
    entry = made["runs", "windowdiff"]
    assert entry.value == pytest.approx(np.mean(values))
    assert entry.sd == pytest.approx(np.std(values, ddof=1))
    assert made.settings.test == "bootstrap"
    still = made["steady", "windowdiff"]
    assert still.sd == pytest.approx(0, abs=1e-15)
    assert entry.high - entry.low > 1.5 * (still.high - still.low)


def test_folds_share_out_the_documents(refs: Codings) -> None:
    whole = copies(refs, 0.1, 7)
    names = list(refs)
    folds = [{n: whole[n] for n in names[i::5]} for i in range(5)]
    made = ss.compare(
        refs, systems={"folds": folds, "other": copies(refs, 0.3, 8)}, metrics="windowdiff",
        test="randomisation", n_resamples=FAST,
    )  # fmt: skip
    values = [
        ss.score({n: refs[n] for n in fold}, fold, "windowdiff")["windowdiff"].micro
        for fold in folds
    ]
    assert made["folds", "windowdiff"].value == pytest.approx(np.mean(values))
    assert made["folds", "windowdiff"].sd == pytest.approx(np.std(values, ddof=1))
    assert made.values()["folds"] == pytest.approx(
        ss.score(refs, whole, "windowdiff")["windowdiff"].values
    )
    assert made["folds", "windowdiff"].n_undefined == 0
    assert any("averages over the runs" in warning for warning in made.warnings)


# ---- edges ----


@needs("stats")
def test_identical_systems_are_tied(refs: Codings) -> None:
    hyps = copies(refs, 0.1, 3)
    for test in ("randomisation", "bootstrap", "t", "kruskal"):
        made = ss.compare(
            refs, systems={"a": hyps, "b": dict(hyps)}, metrics="f1", test=test, n_resamples=FAST
        )
        (pair,) = made.pairs
        assert pair.p == 1
        assert pair.effect == 0
        assert (pair.wins, pair.ties, pair.losses) == (0, len(refs), 0)
        assert made["a", "f1"].rank == made["b", "f1"].rank == 1
        assert made["a", "f1"].letters == made["b", "f1"].letters == "a"
        assert not any("differ by" in warning for warning in made.warnings)


def test_one_document_says_that_it_cannot_test(refs: Codings) -> None:
    document = {"d0": refs["d0"]}
    rng = np.random.default_rng(2)
    for test in ("randomisation", "bootstrap", "t", "friedman", "kruskal"):
        made = ss.compare(
            document, systems={s: {"d0": noisy(refs["d0"], 0.2, rng)} for s in "abc"}, test=test
        )
        assert np.isnan([made["a", "pk"].low, made["a", "pk"].high]).all()
        assert all(np.isnan(pair.p) and not pair.significant for pair in made.pairs)
        assert made["a", "pk"].letters is None
        assert "nothing can be tested" in made.warnings[0]
        assert "nothing can be tested" in str(made)
        assert "intervals:" not in made.describe()


def test_undefined_documents_are_counted() -> None:
    cut = ss.Segmentation.from_masses
    refs = {"a": cut([2, 3, 6]), "b": cut([4, 4]), "c": cut([3, 3, 3]), "d": cut([1])}
    hyps = {"a": cut([5, 6]), "b": cut([4, 4]), "c": cut([3, 6]), "d": cut([1])}
    with pytest.raises(ss.SegmentationError, match=r"d \(s\).*windowdiff is undefined"):
        ss.compare(refs, systems={"s": hyps}, metrics="windowdiff")
    made = ss.compare(
        refs, systems={"s": hyps, "t": refs}, metrics="windowdiff", on_undefined="nan"
    )
    assert made["s", "windowdiff"].n_undefined == 1
    assert any(re.search("4 documents.*1.*1", warning) for warning in made.warnings)


# ---- documents ----


def test_most_different_documents(made: ss.Comparison, refs: Codings) -> None:
    found = made.most_different("good", "poor", "windowdiff", n=3)
    values = made.values("windowdiff")
    gaps = np.abs(values["good"] - values["poor"])
    assert [abs(gap.difference) for gap in found] == pytest.approx(np.sort(gaps)[::-1][:3])
    first = found[0]
    ref = refs[first.document]
    (edits,) = first.b.edits
    hyp = edits.b
    assert edits.a == ref
    assert ss.WindowDiff()(ref, hyp) == pytest.approx(first.b.value)
    counts = first.b.counts
    assert counts["matches"] + counts["near"] + counts["missed"] == len(ref.boundaries)
    assert counts["matches"] + counts["near"] + counts["extra"] == len(hyp.boundaries)
    rows = made.documents_table("good", "poor", "windowdiff", n=3).records()
    assert [row["document"] for row in rows] == [gap.document for gap in found]
    assert rows[0]["poor: extra"] == counts["extra"]
    assert made.most_different("good", "good") == []  # nothing differs
    with pytest.raises(ss.SegmentationError, match="no row 'bad'"):
        made.most_different("good", "bad")


# ---- bad input ----


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corpus": {"d": {"x": 3}}, "reference": "x"}, "coder 'x'"),
        ({"systems": None}, "neither reference nor systems"),
        ({"systems": {"s": {}}}, "system 's'.*1"),
        ({"reference": "reference", "systems": ["reference"]}, "both reference and system"),
        ({"test": "wilcoxon"}, "test is 'wilcoxon'"),
        ({"test": "friedman"}, "at least 3 systems"),
    ],
)
def test_bad_input_is_named(refs: Codings, change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"corpus": refs, "systems": {"s": refs}, **change}
    with pytest.raises(ss.SegmentationError, match=message):
        ss.compare(**arguments)


def test_metrics_that_are_written_alike_are_refused(refs: Codings) -> None:
    class Other(ss.Pk):
        """Like a metric with a function as a parameter: its text is that of another metric."""

    with pytest.raises(ss.SegmentationError, match="written alike"):
        ss.compare(refs, systems={"s": refs}, metrics=[ss.Pk(), Other()])


def test_documents_must_match(refs: Codings) -> None:
    missing = {name: ref for name, ref in refs.items() if name != "d3"}
    with pytest.raises(ss.SegmentationError, match="no hypothesis .system 's'. for 'd3'"):
        ss.compare(refs, systems={"s": missing})
    with pytest.raises(ss.SegmentationError, match="no reference for 'd3'"):
        ss.compare(missing, systems={"s": refs})
    wrong = {**refs, "d3": ss.Segmentation.from_masses([2, 2])}
    with pytest.raises(ss.SegmentationError, match="'d3'.* 4 units .*'s'"):
        ss.compare(refs, systems={"s": wrong})
    with pytest.raises(ss.SegmentationError, match="would be called 'none'"):
        ss.compare(refs, systems={"none": refs})
    with pytest.raises(ss.SegmentationError, match="'a' has no run"):
        ss.compare(refs, systems={"a": [], "b": refs})


def test_baselines_without_labels_have_no_value_and_systems_have() -> None:
    def cut(*labels: str) -> ss.Segmentation:
        return ss.Segmentation.from_masses([4, 4], segment_labels=labels)

    codings = {"gold": cut("a", "b"), "x": cut("a", "a"), "y": cut("a", "b")}
    corpus = ss.Corpus.from_dict(dict.fromkeys("pqr", codings))
    made = ss.compare(
        corpus, reference="gold", systems=["x", "y"], metrics="label-edit", n_resamples=20
    )
    totals = made.totals("label-edit")
    assert (totals["x"], totals["y"]) == (0.5, 1)
    assert all(np.isnan(value) for name, value in totals.items() if name not in ("x", "y"))
    assert made.render("text")
    bare = {**codings, "x": ss.Segmentation.from_masses([4, 4])}
    with pytest.raises(ss.SegmentationError, match="label-edit is undefined"):
        ss.compare(
            ss.Corpus.from_dict(dict.fromkeys("pqr", bare)), reference="gold", systems=["x", "y"],
            metrics="label-edit", n_resamples=20,
        )  # fmt: skip


# ---- what is given, as it is given ----


def test_kinds_of_documents_are_their_own() -> None:
    cut = ss.Segmentation.from_masses
    rows = [
        {"document": "a", "coder": "x", "masses": [2, 3], "kind": "system"},
        {"document": "a", "coder": "y", "masses": [1, 4]},
        {"document": "b", "coder": "x", "masses": [2, 3]},
        {"document": "b", "coder": "y", "masses": [4, 1]},
    ]
    corpus = ss.Corpus.from_rows(rows)
    system = {"s": {"a": cut([2, 3]), "b": cut([2, 3])}}
    whole, parts = (
        ss.compare(given, systems=system, metrics="pk", baselines=[], n_resamples=9)
        for given in (corpus, dict(corpus))
    )
    assert whole.to_dicts() == parts.to_dicts()
    assert parts.rows == ["s", "human"]


def test_names_of_documents_may_be_numbers() -> None:
    cut = ss.Segmentation.from_masses
    refs = {1: cut([2, 3]), 2: cut([1, 4]), "1": cut([4, 1])}
    options: dict[str, Any] = {"metrics": "pk", "baselines": [], "n_resamples": 9}
    made = ss.compare(refs, systems={"s": dict(refs)}, **options)
    assert made.documents == [1, 2, "1"]
    clusters = {1: "p", 2: "q", "1": "q"}
    assert ss.compare(refs, systems={"s": dict(refs)}, cluster=clusters, **options).documents
    masked = ss.compare(refs, systems={"s": dict(refs)}, mask={1: [(0, 1)]}, **options)
    assert masked.hypotheses("s")[1] == cut([1, 3])
    with pytest.raises(ss.SegmentationError, match="no document in common.*2.*'2'"):
        ss.compare({2: cut([2, 3])}, systems={"s": {"2": cut([2, 3])}}, **options)
    with pytest.raises(ss.SegmentationError, match="no document in common"):
        ss.check({2: cut([2, 3])}, {"2": cut([2, 3])})


def test_a_document_that_a_metric_refuses_is_named() -> None:
    typed = ss.Segmentation.from_boundaries([2], 5, types=[{"x"}])
    with pytest.raises(ss.SegmentationError, match=r"document 'a \(s\)': the hypothesis has"):
        ss.compare({"a": typed}, systems={"s": {"a": ss.Segmentation.from_masses([2, 3])}},
                   metrics="b", baselines=[])  # fmt: skip


@pytest.mark.parametrize("missing", ["none", "worst"])
def test_a_system_that_failed_on_everything_is_scored_as_score_does(missing: str) -> None:
    cut = ss.Segmentation.from_masses
    refs = {"a": cut([3, 4, 5]), "b": cut([2, 2, 2])}
    made = ss.compare(refs, systems={"s": {}, "t": refs}, metrics=["pk", "b"], missing=missing)
    alone = ss.score(refs, {}, ["pk", "b"], missing=missing)
    for metric in ("pk", "b"):
        assert made.totals(metric)["s"].value == alone[metric].micro
    assert made.records()[0]["failed"] == 2
    with pytest.raises(ss.SegmentationError, match="system 's'.*1"):
        ss.compare(refs, systems={"s": {}}, missing="skip")
    with pytest.raises(ss.SegmentationError, match="system 's'.*2"):
        ss.compare(refs, systems={"s": [refs, {}]}, missing=missing)


def test_rounding_noise_counts_as_a_tie(made: ss.Comparison) -> None:
    values = np.array([[0.1 + 0.2, 0.3], [0.5, 0.4], [np.nan, 0.4]])
    assert values[0, 0] != values[0, 1]
    standing = replace(made.standings["windowdiff"], values=values)
    assert standing.counts(0, [1]) == {"wins": 0, "ties": 1, "losses": 1}
