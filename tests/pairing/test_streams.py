"""Large JSON Lines files in bounded memory: side by side, or part by part."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from command_line import segscore
from segscore.pairing import streams as pairing_streams
from strategies import random_documents

N = 500


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large, and read in many pieces."""
    monkeypatch.setattr(pairing_streams, "LARGE", 0)
    monkeypatch.setattr(pairing_streams, "_ROWS", 37)
    monkeypatch.setattr(pairing_streams, "_PART", 4096)
    monkeypatch.setattr("segscore.io.files.BLOCK", 1000)


def lines(side: list[ss.Segmentation], coder: str | None = None) -> list[dict[str, Any]]:
    named = {} if coder is None else {"coder": coder}
    return [
        {"document": f"d{i}", **named, "masses": coding.masses.tolist()}
        for i, coding in enumerate(side)
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def sides(tmp_path: Path) -> tuple[list[Any], list[Any], Path]:
    refs, hyps = random_documents(N)
    return lines(refs), lines(hyps), tmp_path


def scored(folder: Path, refs: list[Any], hyps: list[Any], *options: str) -> list[dict[str, Any]]:
    """Rows of `segscore score`; streams must give what reading at once gives."""
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps)
    arguments = ["score", *paths, "-m", "windowdiff", "-m", "b(n_t=5)", "-f", "json", *options]
    done = segscore(*arguments)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing_streams, "LARGE", 2**60)
        assert segscore(*arguments).stdout == done.stdout
    return found


def paths_taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    taken: list[str] = []
    original = pairing_streams._by_parts

    def spied(*arguments: Any) -> Any:
        taken.append("parts")
        return original(*arguments)

    monkeypatch.setattr(pairing_streams, "_by_parts", spied)
    return taken


def test_the_same_order_is_read_side_by_side(sides: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = paths_taken(monkeypatch)
    refs, hyps, folder = sides
    assert scored(folder, refs, hyps)[0]["documents"] == N
    assert taken == []


@pytest.mark.parametrize("kind", ["shuffled", "late", "coders", "texts"])
def test_everything_else_goes_by_parts(
    sides: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = paths_taken(monkeypatch)
    refs, hyps, folder = sides
    if kind == "shuffled":
        random.Random(0).shuffle(hyps)
    elif kind == "late":
        hyps[-2:] = hyps[:-3:-1]
    elif kind == "coders":
        hyps = [{**row, "coder": coder} for row in hyps for coder in ("a", "b")]
    else:
        refs[7]["units"] = ["x"] * sum(refs[7]["masses"])
    scored(folder, refs, hyps)
    assert taken == ["parts"]


def test_missing_documents(sides: Any) -> None:
    refs, hyps, folder = sides
    scored(folder, refs, [*hyps[:-5], {"document": "new", "masses": [2, 3]}], "--missing", "skip")
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps[:-1])
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert f"d{N - 1}" in done.stderr
    both = [{**row, "coder": "a"} for row in hyps] + [{**hyps[0], "coder": "b"}]
    scored(folder, refs, both, "--missing", "skip")  # most parts have nothing by b
    write(folder / "hyp.jsonl", both)
    done = segscore("score", *paths)
    assert done.returncode == 2, done.stdout


def test_nothing_in_common(sides: Any) -> None:
    refs, hyps, folder = sides
    others = [{**row, "document": f"x{row['document']}"} for row in hyps]
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", others)
    done = segscore("score", *paths, "--missing", "skip")
    assert done.returncode == 2
    assert "no document in common" in done.stderr


def test_documents_listed_twice_far_apart(sides: Any) -> None:
    refs, hyps, folder = sides
    paths = (
        write(folder / "ref.jsonl", [*refs, refs[0]]),
        write(folder / "hyp.jsonl", [*hyps, hyps[0]]),
    )
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert "'d0'" in done.stderr
    assert not done.stdout


def test_errors_name_file_and_line(sides: Any) -> None:
    refs, hyps, folder = sides
    hyps[333] = {"document": "d333", "masses": [0]}
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps)
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert "hyp.jsonl, line 334" in done.stderr
    hyps[333] = {"document": "d333", "masses": [10**6]}
    write(folder / "hyp.jsonl", hyps)
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert "document 'd333'" in done.stderr
    hyps[333] = refs[333] = {"document": "d333", "masses": [1]}
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps)
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert "document 'd333': " in done.stderr
    assert "undefined" in done.stderr


@pytest.mark.parametrize("shuffled", [False, True])
def test_labels_of_segments_come_along(
    sides: tuple[list[Any], list[Any], Path], shuffled: bool
) -> None:
    refs, hyps, folder = sides
    pick = random.Random(3)
    for row in (*refs[::2], *hyps[::3]):
        row["segment_labels"] = [pick.choice(["a", "b", None]) for _ in row["masses"]]
    if shuffled:
        pick.shuffle(hyps)
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps)
    wanted = [ss.Corpus.from_rows([{"coder": "x", **row} for row in side]) for side in (refs, hyps)]
    found: dict[str, Any] = {}
    for batch in pairing_streams.stream_pairs(*paths):
        found = found if batch else {}
        for pairs in (pairing.pairs for pairing in batch):
            for row, name in enumerate(pairs.documents):
                found[name] = pairs.reference(row), pairs.hypothesis(row)
    assert len(found) == N
    for name, (ref, hyp) in found.items():
        for got, corpus in zip((ref, hyp), wanted, strict=True):
            expected = corpus[name]["x"]
            nothing = expected.segment_labels is not None and not any(expected.segment_labels)
            assert got == (expected.with_segment_labels(None) if nothing else expected)


def test_a_text_far_from_its_coding_must_fit_it(sides: Any) -> None:
    refs, hyps, folder = sides
    hyps = [{"document": "d450", "units": ["u", "v"]}, *hyps]
    paths = write(folder / "ref.jsonl", refs), write(folder / "hyp.jsonl", hyps)
    done = segscore("score", *paths)
    assert done.returncode == 2
    assert "units, where the text has 2" in done.stderr


def test_local_coders_may_be_people_here_and_systems_there(sides: Any) -> None:
    refs, hyps, folder = sides
    about = ({"coder": "x", "coders": "local", "kind": kind} for kind in ("person", "system") * N)
    hyps = [{**row, **more} for row, more in zip(hyps, about, strict=False)]
    assert scored(folder, refs, hyps[::-1])
