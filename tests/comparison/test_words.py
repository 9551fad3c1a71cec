"""What may be said after a comparison: sentences that claim no more than the tests allow."""

from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from segscore.comparison.estimates import ComparisonSettings, Test, letters
from segscore.comparison.measuring import RANDOM, RANDOM_RUNS, scale
from segscore.comparison.most_different import trials
from segscore.comparison.systems import find_cases, system_path, system_runs
from segscore.comparison.words import limits
from segscore.pairing.inputs import Reader
from segscore.simulate import baselines

Codings = dict[str, ss.Segmentation]


def codings(errors: float, seed: int, n: int = 20) -> Codings:
    """Documents whose gaps are turned over with this probability."""
    truth, rng = np.random.default_rng(0), np.random.default_rng(seed)
    found = {}
    for i in range(n):
        gaps = truth.random(39) < 0.15
        gaps ^= rng.random(39) < errors
        found[f"d{i}"] = ss.Segmentation.from_boundaries(np.flatnonzero(gaps) + 1, 40)
    return found


def compared(systems: dict[str, Codings], n: int = 20, **options: Any) -> ss.Comparison:
    options = {"n_resamples": 400, "baselines": (), **options}
    return ss.compare(codings(0, 0, n), systems=systems, **options)


def test_the_verdict_stands_above_the_table_in_every_format_for_people() -> None:
    found = compared({"good": codings(0.03, 1), "<b>&": codings(0.3, 2)}, metrics="b")
    (sentence,) = found.verdict
    start = "good is significantly better than "
    assert str(found).startswith(sentence)
    assert found.render("markdown").startswith(start)
    assert found.render("html").startswith(f"<p>{start}&lt;b&gt;&amp; in b")
    assert found.render("latex").splitlines()[1] == f"% {sentence}"
    assert start not in found.render("csv") + found.render("json")
    assert found.pairs_table().render("text", 60).startswith(start)


# ---- what a sample cannot show: only what helps is recommended ----


def limited(test: Test, n: int, n_pairs: int, n_resamples: int) -> list[str]:
    chosen = ComparisonSettings("micro", test, "holm", 0.95, n_resamples, 0)
    found: Any = SimpleNamespace(
        settings=chosen,
        n_drawn=n,
        drawn="documents",
        terms={"system": "system", "more": "documents"},
        family=n_pairs,
        systems=[],
    )
    return limits(found)


@pytest.mark.parametrize(
    ("n", "n_pairs", "n_resamples", "smallest", "remedy"),
    [
        (3, 1, 10_000, "0.25 (two-sided)", "Take more documents."),
        (5, 1, 10_000, "0.0625 (two-sided)", "Take more documents."),
        (6, 3, 10_000, "0.0938 (two-sided, after correction)",
         "Take more documents or compare fewer systems."),
        (30, 1, 10, "0.0909 (two-sided)",
         "Take more resamples (n_resamples=)."),
        (3, 1, 10, "0.25 (two-sided)", "Take more documents and more resamples."),
    ],
)  # fmt: skip
def test_the_remedy_is_what_helps(
    n: int, n_pairs: int, n_resamples: int, smallest: str, remedy: str
) -> None:
    warning = limited("randomisation", n, n_pairs, n_resamples)[0]
    assert f"the smallest possible p is {smallest}. {remedy}" in warning
    assert ("resamples" in warning.partition("however")[0]) == remedy.startswith(
        "Take more resamples"
    )


# ---- letters: two systems share one if and only if they do not differ ----


@settings(max_examples=2 * settings.default.max_examples)
@given(st.integers(1, 6), st.data())
def test_sharing_a_letter_means_no_difference(n: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(n)))
    pairs = list(combinations(range(n), 2))
    different = [pair for pair in pairs if data.draw(st.booleans())]
    made = letters(order, different)
    assert all(made.values())
    assert "a" in made[order[0]]
    for system, other in pairs:
        assert bool(set(made[system]) & set(made[other])) == ((system, other) not in different)


# ---- systems as files ----


CUT = ss.Segmentation.from_masses


def test_names_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, coder in (("one.jsonl", "ours"), ("two.jsonl", "ours"), ("a=b.jsonl", "other")):
        ss.write(ss.Corpus.from_dict({"d": {coder: CUT([2, 3])}}), file)
    files = ["one.jsonl", "new=one.jsonl", "new=two.jsonl", "a=b.jsonl", "two.jsonl"]
    runs = system_runs(files, Reader())
    assert {name: len(found) for name, found in runs.items()} == {
        "ours": 1, "new": 2, "other": 1, "ours (two.jsonl)": 1,
    }  # fmt: skip
    assert runs["new"][0].segmentation(0) == CUT([2, 3])
    assert (system_path("new=one.jsonl"), system_path("a=b.jsonl")) == ("one.jsonl", "a=b.jsonl")


# ---- statistics of runs, held against loops over their trials ----


def drawn_codings(n: int, seed: int, **more: Any) -> list[ss.Segmentation]:
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        places = (np.flatnonzero(rng.random(8 + i) < 0.3) + 1).tolist()
        extra = {
            name: [make(rng) for _ in (places if name != "segment_labels" else [0, *places])]
            for name, make in more.items()
        }
        made.append(ss.Segmentation.from_boundaries(places, 9 + i, **extra))
    return made


def references(n: int, several: int, **more: Any) -> dict[str, list[ss.Segmentation]]:
    sides = [drawn_codings(n, seed, **more) for seed in range(several)]
    return {f"d{i}": [side[i] for side in sides] for i in range(n)}


def run_of(refs: Any, seed: int, kept: slice = slice(None), **more: Any) -> dict[str, Any]:
    return dict(list(zip(refs, drawn_codings(len(refs), seed, **more), strict=True))[kept])


def test_metrics_of_the_whole_batch_are_those_of_scores() -> None:
    more = {"segment_labels": lambda rng: "xyz"[int(rng.integers(0, 3))]}
    refs = {name: several[0] for name, several in references(12, 1, **more).items()}
    systems = {"a": run_of(refs, 4, **more), "b": run_of(refs, 5, **more)}
    made = ss.compare(refs, systems=systems, metrics="mapped-mof", n_resamples=9)
    for name, system in systems.items():
        alone = ss.score(refs, system, "mapped-mof")["mapped-mof"].micro
        assert made[name, "mapped-mof"].value == pytest.approx(alone)


@pytest.mark.parametrize("name", RANDOM)
def test_random_baselines_are_those_of_single_documents(name: str) -> None:
    refs = references(9, 1)
    cases = find_cases(refs, {"it": run_of(refs, 1)})
    ((made,), _) = scale(cases, [name], False, 4, False)
    assert len(made) == RANDOM_RUNS
    more = name == "random-ks12"
    for seed, run in enumerate(made, start=4):
        chance = np.random.default_rng(seed)
        for number, (reference,) in enumerate(refs.values()):
            n, k = reference.n_units, reference.n_segments
            k = min(k, n - 1) + 1 if more else k
            expected = baselines.random(n, n_segments=k, rng=chance)
            assert trials(run, number, cases) == [([reference], expected)]
