"""`compare` of files that are added up gives what `compare` of files read at once gives; only
intervals and tests are drawn over buckets."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from command_line import segscore
from needs import needs
from segscore.pairing import streams
from segscore.scoring import accumulator_sums
from strategies import random_documents

N = 300
METRICS = ["windowdiff", "b", "f1"]
CUT = ss.Segmentation.from_masses


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large and read in many pieces; few documents make buckets."""
    monkeypatch.setattr(streams, "LARGE", 0)
    monkeypatch.setattr(streams, "_ROWS", 37)
    monkeypatch.setattr(streams, "_PART", 4096)
    monkeypatch.setattr("segscore.io.files.BLOCK", 1000)
    monkeypatch.setattr(accumulator_sums, "FEW", 50)


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


def both(
    corpus: Path, systems: Any, **options: Any
) -> tuple[ss.comparison.Comparison, ss.comparison.Comparison]:
    """The comparison of files that are added up, and of files that are read at once."""
    options = {"metrics": METRICS, "n_resamples": 3000, **options}
    found = ss.compare(corpus, systems=systems, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "LARGE", 2**60)
        return found, ss.compare(corpus, systems=systems, **options)


def assert_alike(found: Any, expected: Any) -> None:
    """All numbers are the same, but for what chance drew."""
    assert "buckets of documents" in found.describe()
    assert "bootstrap over documents" in expected.describe()
    assert (found.rows, found.n_documents) == (expected.rows, expected.n_documents)
    assert found.skipped == expected.skipped
    for entry, other in zip(found.entries, expected.entries, strict=True):
        fields = "system", "kind", "metric", "rank", "wins", "ties", "losses", "letters"
        assert [getattr(entry, name) for name in fields] == [
            getattr(other, name) for name in fields
        ]
        assert (entry.n_documents, entry.n_undefined) == (other.n_documents, other.n_undefined)
        if entry.system.startswith("random"):
            assert entry.value == pytest.approx(other.value, abs=0.05)
            continue
        assert entry.value == pytest.approx(other.value, rel=1e-15)
        assert entry.high - entry.low == pytest.approx(other.high - other.low, abs=0.03)
    for pair, other in zip(found.pairs, expected.pairs, strict=True):
        assert pair.effect == pytest.approx(other.effect)
        assert pair.p == pytest.approx(other.p, abs=0.06)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("order", ["in step", "shuffled"])
def test_the_numbers_are_those_of_files_that_are_read_at_once(
    files: list[Path], order: str, average: Any
) -> None:
    if order == "shuffled":
        rewritten(files[2], random.Random(1).shuffle)
    found, expected = both(files[0], files[1:], average=average)
    assert found.rows == ["near", "far", "none", "random", "uniform"]
    assert_alike(found, expected)
    assert "one draw" in str(found)
    assert "mean of 10 draws" in str(expected)
    assert str(found) == str(both(files[0], files[1:], average=average)[0])


def test_small_files_are_read_at_once(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LARGE", 64 * 2**20)
    found = ss.compare(files[0], systems=files[1:], metrics=METRICS, n_resamples=300)
    expected = ss.compare(
        ss.read(files[0]),
        systems={path.stem: ss.read(path) for path in files[1:]},
        metrics=METRICS,
        n_resamples=300,
    )
    assert found.to_dicts() == expected.to_dicts()
    assert str(found) == str(expected)


def test_a_corpus_in_memory_is_compared_document_by_document(files: list[Path]) -> None:
    found = ss.compare(ss.read(files[0]), systems={"near": files[1]}, metrics="pk")
    assert found.drawn == "documents"


def test_the_seed_decides_what_chance_draws(files: list[Path]) -> None:
    first, again, other = (
        ss.compare(files[0], systems=files[1:], metrics="pk", n_resamples=50, seed=seed)
        for seed in (3, 3, 4)
    )
    assert str(first) == str(again)
    assert first["random", "pk"].value != other["random", "pk"].value
    assert first["uniform", "pk"].value == other["uniform", "pk"].value


def test_baselines_and_people_as_they_are_asked_for(files: list[Path]) -> None:
    found, expected = both(files[0], files[1:], baselines=["random-ks12", "uniform"])
    assert found.rows == ["near", "far", "random-ks12", "uniform"]
    assert_alike(found, expected)
    assert both(files[0], files[1:], baselines=())[0].rows == ["near", "far"]
    with pytest.raises(ss.SegmentationError, match="baseline is 'randon' .*expected one of none"):
        ss.compare(files[0], systems=files[1:], baselines=["randon"])
    with pytest.raises(ss.SegmentationError, match="human is True, but no document has more"):
        ss.compare(files[0], systems=files[1:], human=True, n_resamples=50)


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


@pytest.mark.parametrize("given", ["names", "coders", "same"])
def test_names_of_systems(files: list[Path], given: str, tmp_path: Path) -> None:
    systems: Any = files[1:]
    if given == "names":
        systems = {"the best": files[1], "the other": str(files[2])}
    elif given == "coders":  # two systems in one file, of which one lacks most parts
        texts = [path.read_text() for path in files[1:]]
        (tmp_path / "both.jsonl").write_text("".join(texts))
        systems = [tmp_path / "both.jsonl"]
    else:
        rewritten(files[2], lambda given: [{**row, "coder": "near"} for row in given])
    found, expected = both(files[0], systems)
    wanted = {
        "names": ["the best", "the other"],
        "coders": ["near", "far"],
        "same": ["near", f"near ({files[2]})"],
    }
    assert found.systems == wanted[given]
    assert_alike(found, expected)


def test_missing_documents_are_skipped_for_everybody(files: list[Path]) -> None:
    rewritten(files[1], lambda given: given[:-7])
    rewritten(files[2], lambda given: [*given[3:], {**given[0], "document": "new"}])
    with pytest.raises(ss.SegmentationError, match=r"no hypothesis \(system '(near|far)'\) for 'd"):
        ss.compare(files[0], systems=files[1:])
    found, expected = both(files[0], files[1:], missing="skip")
    assert found.n_documents == N - 10
    assert len(found.skipped) == 11
    assert_alike(found, expected)


def test_a_system_that_did_few_documents(files: list[Path]) -> None:
    """Most parts hold no document of that system."""
    rewritten(files[2], lambda given: given[:60])
    found, expected = both(files[0], files[1:], missing="skip")
    assert found.n_documents == 60
    assert_alike(found, expected)
    with pytest.raises(ss.SegmentationError, match=r"no hypothesis \(system 'far'\)"):
        ss.compare(files[0], systems=files[1:])


def test_nothing_in_common(files: list[Path]) -> None:
    rewritten(files[1], lambda given: [{**row, "document": f"x{row['document']}"} for row in given])
    with pytest.raises(ss.SegmentationError, match="have no document in common"):
        ss.compare(files[0], systems=files[1:2], missing="skip")


def test_documents_listed_twice_and_lines_that_are_wrong(files: list[Path]) -> None:
    for path in files:
        rewritten(path, lambda given: [*given, given[0]])
    with pytest.raises(ss.SegmentationError, match="'d0'"):
        ss.compare(files[0], systems=files[1:])
    for path in files:
        rewritten(path, lambda given: given[:-1])
    rewritten(files[2], lambda given: [*given[:200], {**given[200], "masses": [0]}])
    with pytest.raises(ss.SegmentationError, match=r"far.jsonl, line 201"):
        ss.compare(files[0], systems=files[1:])


def test_undefined_documents(files: list[Path]) -> None:
    one_unit = {"document": "one", "masses": [1]}
    for path in files:
        rewritten(path, lambda given: [{**one_unit, "coder": given[0]["coder"]}, *given])
    with pytest.raises(ss.SegmentationError, match=r"document 'one \(near\)': .*undefined"):
        ss.compare(files[0], systems=files[1:])
    found, expected = both(files[0], files[1:], on_undefined="nan")
    assert found["near", "windowdiff"].n_undefined == 1
    assert_alike(found, expected)


def test_an_average_that_does_not_exist(tmp_path: Path) -> None:
    """One batch without a boundary is no error; all batches without one are."""
    sides = [write(tmp_path / f"{name}.jsonl", rows([CUT([5])] * 80, name)) for name in "ab"]
    with pytest.raises(ss.SegmentationError, match="system 'b', all 80 documents together: f1 is"):
        ss.compare(sides[0], systems=sides[1:], metrics="f1")
    rewritten(sides[0], lambda given: [*given[:-1], {**given[-1], "masses": [2, 3]}])
    found, expected = both(sides[0], sides[1:], metrics="f1")
    assert found["b", "f1"].value == expected["b", "f1"].value == 0


def test_labels_leave_no_baselines(files: list[Path]) -> None:
    def labelled(given: list[Any]) -> None:
        for row in given[200:]:
            row["segment_labels"] = ["x"] * len(row["masses"])

    for path in files:
        rewritten(path, labelled)
    found, expected = both(files[0], files[1:], metrics=["mof"], on_undefined="nan")
    assert found.rows == expected.rows == ["near", "far"]
    warning = "No baselines: the references have segment labels, and chance has none."
    assert warning in found.warnings
    assert warning in expected.warnings


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            {"test": "friedman", "systems": ["near", "far", "gold"]}, marks=needs("stats")
        ),
        {"reference": "gold"},
        {"systems": {"x": ["near", "far"]}},  # two runs
        {"unit": "coding"},
        {"chance": "positions", "draws": 20},
        {"cluster": len},
        {"mask": [(0, 1)]},
        {"metrics": ["mapped-mof"], "on_undefined": "nan"},
    ],
)
def test_what_needs_documents_one_by_one_is_read_at_once(
    files: list[Path], options: dict[str, Any]
) -> None:
    paths = {path.stem: path for path in files}
    options = dict(options)
    given = options.pop("systems", ["near", "far"])
    systems: Any = (
        {name: [paths[stem] for stem in several] for name, several in given.items()}
        if isinstance(given, dict)
        else [paths[stem] for stem in given]
    )
    found, expected = both(files[0], systems, **options)
    assert "buckets" not in found.drawn
    assert str(found) == str(expected)


def test_systems_may_come_in_any_iterable(files: list[Path]) -> None:
    found = ss.compare(files[0], systems=iter(files[1:]), metrics="pk", n_resamples=50)
    assert found.systems == ["near", "far"]


def test_a_name_for_a_file_of_two_coders_is_two_runs(files: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text("".join(file.read_text() for file in files[1:]))
    arguments = ["compare", files[0], f"runs={path}", "-m", "pk", "-f", "json", "--resamples", 50]
    done = segscore(*arguments)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "LARGE", 2**60)
        assert segscore(*arguments) == done
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["system"] == "runs"


def test_the_command_line_adds_up_too(files: list[Path]) -> None:
    arguments = ["compare", files[0], f"best={files[1]}", files[2], "-m", "b", "--resamples", 300]
    done = segscore(*arguments)
    assert done.returncode == 0, done.stderr
    assert "buckets of documents" in " ".join(done.stdout.split())
    found = json.loads(segscore(*arguments, "-f", "json").stdout)
    compared = ss.compare(
        files[0], systems={"best": files[1], "far": files[2]}, metrics="b", n_resamples=300
    )
    assert [row["system"] for row in found] == compared.rows
    assert [row["b"] for row in found] == [compared[name, "b"].value for name in compared.rows]
    gate = [*arguments, "--fail-if-worse", "windowdiff"]
    worse = segscore(*gate)
    assert worse.returncode == 1
    assert "far: windowdiff is" in worse.stderr
    planned = segscore(*arguments, "--plan", 0.1)  # is read at once
    assert planned.returncode == 0, planned.stderr


def test_what_is_probably_wrong_is_told(files: list[Path], tmp_path: Path) -> None:
    late = [ss.Segmentation.from_masses([6, 5, 7, 4]) for _ in range(N)]
    early = [ss.Segmentation.from_masses([5, 5, 7, 5]) for _ in range(N)]
    sides = [write(tmp_path / f"{name}.jsonl", rows(side, name)) for name, side in (("r", late), ("s", early))]  # fmt: skip
    arguments = ["compare", *sides, "-m", "b", "--resamples", 50]
    done = segscore(*arguments)
    assert done.returncode == 0, done.stderr
    assert "(--no-check silences this)" in done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "LARGE", 2**60)
        assert segscore(*arguments).stderr == done.stderr
    assert not segscore(*arguments, "--no-check").stderr
