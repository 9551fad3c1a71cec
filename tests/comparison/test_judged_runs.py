"""Runs that make what is asked for on demand, and are scored one by one."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.comparison import systems as who
from segscore.comparison.judged_runs import JudgedRun
from segscore.simulate import baselines

cut = ss.Segmentation.from_masses


def codings(n: int, seed: int, **more: Any) -> list[ss.Segmentation]:
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        places = (np.flatnonzero(rng.random(8 + i) < 0.3) + 1).tolist()
        extra = {name: [make(rng) for _ in places] for name, make in more.items()}
        made.append(ss.Segmentation.from_boundaries(places, 9 + i, **extra))
    return made


def references(n: int, several: int, **more: Any) -> dict[str, list[ss.Segmentation]]:
    sides = [codings(n, seed, **more) for seed in range(several)]
    return {f"d{i}": [side[i] for side in sides] for i in range(n)}


def run_of(refs: Any, seed: int, kept: slice = slice(None), **more: Any) -> JudgedRun:
    named = list(zip(refs, codings(len(refs), seed, **more), strict=True))
    return JudgedRun(refs, dict(named[kept]))


CASES: dict[str, tuple[Any, Any, Any]] = {
    "one reference": (1, {}, ["pk", "windowdiff", "b", "f1"]),
    "several references": (3, {}, ["pk", "multwindowdiff", "b"]),
    "types": (1, {"types": lambda rng: {int(rng.integers(1, 3))}}, ["b", "f1"]),
    "ranks": (1, {"ranks": lambda rng: int(rng.integers(1, 3))}, ["e-pk"]),
}


@pytest.mark.parametrize("case", CASES)
def test_run_by_run_is_all_in_one_batch(case: str) -> None:
    several, more, names = CASES[case]
    refs = references(12, several, **more)
    contestants = [
        who.Contestant("all", "system", [run_of(refs, 10, **more)]),
        who.Contestant(
            "folds",
            "system",
            [run_of(refs, 11, slice(5), **more), run_of(refs, 12, slice(5, None), **more)],
        ),
    ]
    if not more:
        contestants += [who.baseline(name, refs, 3) for name in who.ALL_BASELINES]
    people = who.human(refs)
    contestants += [people] if people else []
    metrics = [ss.metric(name) for name in names]
    given: Any = (metrics, refs, contestants, 1, "nan", who.PLAIN)
    by_run, at_once = who._measure_runs(*given), who._measure(*given)
    for one, other in zip(by_run, at_once, strict=True):
        assert one.metric == other.metric
        assert np.array_equal(one.rows, other.rows)
        assert np.array_equal(one.covered, other.covered)
        assert one.covered.sum() < one.covered.size  # the folds


@pytest.mark.parametrize("name", who.RANDOM)
def test_random_baselines_are_those_of_single_documents(name: str) -> None:
    refs = references(9, 1)
    made = who.baseline(name, refs, seed=4)
    assert len(made.runs) == who.RANDOM_RUNS
    more = name == "random-ks12"
    for seed, run in enumerate(made.runs, start=4):
        chance = np.random.default_rng(seed)
        for document, (reference,) in refs.items():
            n, k = reference.n_units, reference.n_segments
            k = min(k, n - 1) + 1 if more else k
            expected = baselines.random(n, n_segments=k, seed=chance)
            (judged,) = run[document]
            assert judged.hypothesis == expected
            assert judged.references == [reference]
    run = made.runs[0]
    assert isinstance(run, JudgedRun)
    assert list(run) == list(refs)
    assert len(run) == 9
    assert "d3" in run
    assert "other" not in run
    with pytest.raises(KeyError):
        run["other"]


def test_an_undefined_document_is_named_among_all() -> None:
    refs = {"d0": cut([2, 3]), "d1": cut([1])}
    systems = {"a": refs, "b": {"d0": cut([1, 4]), "d1": cut([1])}}
    with pytest.raises(ss.SegmentationError, match=r"d1 \(a\).*pk is undefined.*and 1 more doc"):
        ss.compare(refs, systems=systems, metrics=["pk"], baselines=[])


def test_other_numbers_of_units_are_named() -> None:
    refs = {"d0": cut([2, 3]), "d1": cut([5, 1])}
    with pytest.raises(ss.SegmentationError, match=r"d1 \(a\).* 6 units, the hypothesis 5"):
        ss.compare(refs, systems={"a": refs | {"d1": cut([4, 1])}}, metrics=["pk"])


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_files_are_compared_as_objects_are(order: slice, tmp_path: Any) -> None:
    refs = {name: several[0] for name, several in references(12, 1).items()}
    systems = {name: dict(run_of(refs, seed).hypotheses) for name, seed in (("a", 5), ("b", 6))}
    for name, side in {"ref": refs, **systems}.items():
        listed = list(side.items())[order if name == "b" else slice(None)]
        corpus = ss.Corpus.from_dict({document: {name: one} for document, one in listed})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
    read = {name: tmp_path / f"{name}.jsonl" for name in systems}
    made = ss.compare(tmp_path / "ref.jsonl", systems=read, n_resamples=200)
    expected = ss.compare(refs, systems=systems, n_resamples=200)
    assert made.to_dicts() == expected.to_dicts()
    assert made.pairs == expected.pairs
    assert made.hypotheses("b") == expected.hypotheses("b")
    one, other = (x.most_different("a", "b", n=3) for x in (made, expected))
    assert [str(gap) for gap in one] == [str(gap) for gap in other]
