"""Of very many cases buckets are drawn: all numbers are those of documents, but for intervals and
the p of tests that draw."""

import json
import random
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from needs import needs
from segscore.comparison import measuring
from segscore.significance.drawing import buckets_of
from strategies import random_documents

N = 300
METRICS = ["windowdiff", "b", "f1"]
CUT = ss.Segmentation.from_masses


def many_are(number: int, patch: pytest.MonkeyPatch) -> None:
    for module in ("significance.drawing", "comparison.measuring"):
        patch.setattr(f"segscore.{module}.MANY", number)


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty cases are many, and whatever is done to some at a time is done to few."""
    many_are(50, monkeypatch)
    monkeypatch.setattr(
        "segscore.significance.drawing.buckets_of", lambda names: buckets_of(names, 128)
    )
    monkeypatch.setattr("segscore.comparison.measuring._AT_ONCE", 37)
    monkeypatch.setattr("segscore.significance.drawing._AT_ONCE", 41)
    monkeypatch.setattr("segscore.simulate.baselines._AT_ONCE", 43)
    monkeypatch.setattr("segscore.io.files.BLOCK", 1000)


def rows(side: list[ss.Segmentation], coder: str) -> list[dict[str, Any]]:
    return [
        {"document": f"d{i}", "coder": coder, "masses": coding.masses.tolist()}
        for i, coding in enumerate(side)
    ]


def write(path: Path, *sides: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for side in sides for row in side))
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A reference, a system that is often right, and one that is not."""
    refs, hyps = random_documents(N)
    near = [ref if i % 3 else hyp for i, (ref, hyp) in enumerate(zip(refs, hyps, strict=True))]
    return [
        write(tmp_path / f"{name}.jsonl", rows(side, name))
        for name, side in (("gold", refs), ("near", near), ("far", hyps))
    ]


def rewritten(path: Path, change: Any) -> None:
    given = [json.loads(line) for line in path.read_text().splitlines()]
    write(path, change(given) or given)


def both(corpus: Any, systems: Any, **options: Any) -> tuple[ss.Comparison, ss.Comparison]:
    """The comparison over buckets, and over documents."""
    options = {"metrics": METRICS, "n_resamples": 3000, **options}
    found = ss.compare(corpus, systems=systems, **options)
    with pytest.MonkeyPatch.context() as patch:
        many_are(20_000, patch)
        return found, ss.compare(corpus, systems=systems, **options)


def assert_alike(found: Any, expected: Any, words: str = "documents") -> None:
    """All numbers are the same, but for what chance drew."""
    assert f"buckets of {words}" in found.describe()
    assert "buckets" not in expected.describe()
    assert (found.rows, found.n_documents) == (expected.rows, expected.n_documents)
    assert found.skipped == expected.skipped
    for entry, other in zip(found.entries, expected.entries, strict=True):
        fields = "system", "kind", "metric", "rank", "wins", "ties", "losses", "letters"
        assert [getattr(entry, name) for name in fields] == [
            getattr(other, name) for name in fields
        ]
        assert (entry.n_documents, entry.n_undefined) == (other.n_documents, other.n_undefined)
        if entry.system.startswith("random"):
            assert entry.value == pytest.approx(other.value, abs=0.05, nan_ok=True)
            continue
        assert entry.value == pytest.approx(other.value, rel=1e-14, nan_ok=True)
        if np.isnan(entry.value):
            continue
        assert entry.high - entry.low == pytest.approx(other.high - other.low, abs=0.03)
        assert entry.sd == pytest.approx(other.sd)
        assert entry.mean_rank == other.mean_rank
    for pair, other in zip(found.pairs, expected.pairs, strict=True):
        assert pair.effect == pytest.approx(other.effect, nan_ok=True)
        assert pair.p == pytest.approx(other.p, abs=0.06, nan_ok=True)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("order", ["in step", "shuffled"])
def test_the_numbers_are_those_of_documents(files: list[Path], order: str, average: Any) -> None:
    if order == "shuffled":
        rewritten(files[2], random.Random(1).shuffle)
    found, expected = both(files[0], files[1:], average=average)
    assert found.rows == ["near", "far", "none", "random", "uniform"]
    assert_alike(found, expected)
    assert "one draw" in str(found)
    assert "mean of 10 draws" in str(expected)
    again = (path.with_name(f"again-{path.name}") for path in files)
    shuffled = [write(path, sorted(
        (json.loads(line) for line in old.read_text().splitlines()), key=lambda row: row["document"]
    )) for path, old in zip(again, files, strict=True)]  # fmt: skip
    systems = dict(zip(["near", "far"], shuffled[1:], strict=True))
    assert str(both(shuffled[0], systems, average=average)[0]) == str(found)


def test_a_baseline_is_in_memory_only_while_it_is_measured(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, drawn = measuring._drawn, list[weakref.ref[object]]()

    def note(*given: Any) -> Any:
        assert not any(known() for known in drawn)
        drawn.append(weakref.ref(made := draw(*given)))
        return made

    monkeypatch.setattr(measuring, "_drawn", note)
    assert ss.compare(files[0], systems=files[1:], n_resamples=50).ratios["none"] == 0
    assert len(drawn) == 3


@pytest.mark.parametrize("everywhere", [True, False])
def test_several_references_and_the_human_row(files: list[Path], everywhere: bool) -> None:
    """Each system against each reference; documents of one coder are in no human row."""

    def a_second_coder(given: list[Any]) -> list[Any]:
        others = json.loads("[" + ",".join(files[2].read_text().splitlines()) + "]")
        second = [{**row, "coder": "second"} for row in others]
        return given + (second if everywhere else second[::40])

    rewritten(files[0], a_second_coder)
    found, expected = both(files[0], files[1:])
    assert found.rows[-1] == "human"
    assert_alike(found, expected)
    left = [warning for warning in found.warnings if "leaves out" in warning]
    assert left == [warning for warning in expected.warnings if "leaves out" in warning]
    assert bool(left) is not everywhere
    assert "human" not in both(files[0], files[1:], human=False)[0].rows


def test_missing_documents_are_skipped_for_everybody(files: list[Path]) -> None:
    rewritten(files[1], lambda given: given[:-7])
    rewritten(files[2], lambda given: [*given[3:], {**given[0], "document": "new"}])
    with pytest.raises(ss.SegmentationError, match=r"no hypothesis \(system '(near|far)'\) for 'd"):
        ss.compare(files[0], systems=files[1:])
    found, expected = both(files[0], files[1:], missing="skip")
    assert found.n_documents == N - 10
    assert len(found.skipped) == 11
    assert_alike(found, expected)


def test_an_average_that_does_not_exist(tmp_path: Path) -> None:
    """Some documents without a boundary are no error; all documents without one are."""
    sides = [write(tmp_path / f"{name}.jsonl", rows([CUT([5])] * 80, name)) for name in "ab"]
    with pytest.raises(ss.SegmentationError, match="system 'b', all 80 documents together: f1 is"):
        ss.compare(sides[0], systems=sides[1:], metrics="f1")
    rewritten(sides[0], lambda given: [*given[:-1], {**given[-1], "masses": [2, 3]}])
    found, expected = both(sides[0], sides[1:], metrics="f1")
    assert found["b", "f1"].value == expected["b", "f1"].value == 0


def run(path: Path, chosen: range) -> dict[str, ss.Segmentation]:
    corpus = ss.read(path)
    return {f"d{i}": corpus[f"d{i}"][path.stem] for i in chosen}


@pytest.mark.parametrize("kind", ["seeds", "folds"])
def test_runs(files: list[Path], kind: str) -> None:
    """Runs of all documents, or runs that share them out, of which a bucket has some of each."""
    whole, half = range(N), range(N // 2)
    parts = [whole, whole, whole] if kind == "seeds" else [half, range(N // 2, N)]
    near = [run(files[(1, 2, 1)[i]], part) for i, part in enumerate(parts)]
    systems = {"near": near, "far": files[2]}
    for test in ("bootstrap", "randomisation"):
        found, expected = both(files[0], systems, test=test, baselines=())
        assert found["near", "b"].sd is not None
        assert_alike(found, expected)


def test_clusters_are_never_split(files: list[Path]) -> None:
    """Clusters are drawn as they are if there are few of them; else those of a bucket together."""
    options: Any = {"cluster": lambda name: int(name[1:]) % 40, "baselines": ()}
    few, expected = both(files[0], files[1:], **options)
    assert few.drawn == expected.drawn == "40 clusters of documents"
    ours, theirs = few["near", "b"], expected["near", "b"]
    assert ours.value == pytest.approx(theirs.value)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)
    found, expected = both(files[0], files[1:], cluster=lambda name: int(name[1:]) % 140)
    assert_alike(found, expected, "clusters of documents")
    assert found.n_drawn == len(set(buckets_of([str(i) for i in range(140)], 128).tolist()))


@pytest.mark.parametrize("test", ["t", pytest.param("friedman", marks=needs("stats")), "kruskal"])
def test_tests_of_ranks_and_means_use_documents(files: list[Path], test: Any) -> None:
    pytest.importorskip("scikit_posthocs")
    found, expected = both(files[0], files, test=test, baselines=())
    assert [pair.p for pair in found.pairs] == [pair.p for pair in expected.pairs]
    assert found.pairs[0].detectable == pytest.approx(expected.pairs[0].detectable, rel=0.3)


@pytest.mark.parametrize(
    "options",
    [
        {"reference": "gold"},
        {"unit": "coding"},
        {"chance": "positions", "draws": 20},
        {"mask": [(0, 1)]},
        {"metrics": ["mapped-mof"], "on_undefined": "nan"},
    ],
)
def test_any_option_has_the_same_rule(files: list[Path], options: dict[str, Any]) -> None:
    found, expected = both(files[0], files[1:], **options)
    assert_alike(found, expected)
    ours, theirs = found.entries[0], expected.entries[0]
    assert ours.chance == pytest.approx(theirs.chance, abs=0.01)


def test_all_intervals_over_documents_have_the_same_rule(files: list[Path]) -> None:
    refs, hyps = run(files[0], range(N)), run(files[2], range(N))
    corpus = ss.Corpus.from_dict({name: {"ann": refs[name], "bob": hyps[name]} for name in refs})
    scores = {name: [float(i % 3) for i in range(hyps[name].n_units - 1)] for name in refs}

    def intervals() -> list[Any]:
        curve = ss.curve(refs, scores, ["b"], thresholds=[1.0], n_resamples=300)
        settings: Any = {"n_resamples": 300}
        return [
            ss.agreement(corpus, metric="b", draws=20, **settings).corrected_ci,
            ss.coders.compare_rounds(corpus, corpus, metric="b", draws=20, **settings).ci,
            ss.curves.sweep(refs, hyps, "b", n_t=[2, 3], **settings).points[0].ci,
            curve.chosen[0].intervals["b"],
            curve.average_precision.interval,
        ]

    found = intervals()
    with pytest.MonkeyPatch.context() as patch:
        many_are(20_000, patch)
        expected = intervals()
    for ours, theirs in zip(found, expected, strict=True):
        assert "buckets of documents" in ours.method
        assert "bootstrap over 300 documents" in theirs.method or "300" in theirs.method
        assert ours[:2] == pytest.approx(theirs[:2], abs=0.03)
