"""Files that are read in parts print what files that are read at once print, to the letter."""

import json
import random
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from arrow_columns import table
from command_line import segscore
from needs import needs
from segscore.pairing import streams
from segscore.scoring import accumulator_sums, large_files
from strategies import random_documents

pytestmark = needs("arrow")

CUT = ss.Segmentation.from_masses
FORMS = ["text", "json", "csv", "latex", "markdown", "html"]
LOOKS = [["--percent"], ["--digits", "7"]]  # of tables for people
WAYS = [[], ["--average", "micro"], ["--average", "macro"], *LOOKS]


def takes(form: str, way: list[str]) -> bool:
    """Whether a format takes these options: files for machines have numbers as they are."""
    return form not in ("json", "csv") or way not in LOOKS


METRICS = ["-m", "pk", "-m", "windowdiff(k=3)", "-m", "b(n_t=5)", "-m", "f1", "-m", "covering"]


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_ROWS", 37)
    monkeypatch.setattr(streams, "_PART", 4096)
    monkeypatch.setattr("segscore.io.files.BLOCK", 1000)


def write(path: Path, side: dict[str, ss.Segmentation], coders: tuple[str, ...] = ()) -> Path:
    rows: Iterator[dict[str, Any]] = (
        {"document": name, **coder, "masses": coding.masses.tolist()}
        for name, coding in side.items()
        for coder in ([{"coder": coder} for coder in coders] or [{}])
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def sides() -> tuple[dict[str, Any], dict[str, Any]]:
    refs, hyps = random_documents(120)
    names = [f"d{i}" for i in range(120)]
    return dict(zip(names, refs, strict=True)), dict(zip(names, hyps, strict=True))


def printed(monkeypatch: pytest.MonkeyPatch, large: bool, *arguments: Any) -> tuple[Any, ...]:
    monkeypatch.setattr(streams, "LARGE", 0 if large else 2**60)
    done = segscore("score", *arguments, "--no-check")
    return done.returncode, done.stdout, done.stderr


def assert_alike(monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> str:
    read_at_once = printed(monkeypatch, False, *arguments)
    assert printed(monkeypatch, True, *arguments) == read_at_once
    assert read_at_once[0] == 0, read_at_once
    return str(read_at_once[1])


def shuffled(side: dict[str, Any]) -> dict[str, Any]:
    items = list(side.items())
    random.Random(1).shuffle(items)
    return dict(items)


@pytest.mark.parametrize(
    ("form", "way"), [(form, way) for way in WAYS for form in FORMS if takes(form, way)]
)
def test_tables_are_the_same(
    sides: Any, tmp_path: Path, form: str, way: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", hyps)
    found = assert_alike(monkeypatch, *paths, *METRICS, *way, "-f", form)
    assert ("$P_k$" in found) == (form == "latex")
    assert (" (%)" in found or "(\\%)" in found) == (way == ["--percent"])


@pytest.mark.parametrize("form", ["text", "json", "latex"])
def test_several_hypotheses_and_coders(
    sides: Any, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    (tmp_path / "other").mkdir()
    paths = [
        write(tmp_path / "ref.jsonl", refs),
        write(tmp_path / "hyp.jsonl", hyps),
        write(tmp_path / "other" / "hyp.jsonl", shuffled(refs)),  # the same name
        write(tmp_path / "people.jsonl", shuffled(hyps), ("zoe", "ann", "max")),
    ]
    found = assert_alike(monkeypatch, *paths, *METRICS, "-f", form)
    if form == "json":
        systems = list(dict.fromkeys(row["system"] for row in json.loads(found)))
        assert systems == [f"hyp ({paths[1]})", f"hyp ({paths[2]})", "zoe", "ann", "max"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", [dict, shuffled])
def test_skipped_documents(
    sides: Any, tmp_path: Path, form: str, order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    kept = order({name: hyp for i, (name, hyp) in enumerate(hyps.items()) if i % 9})
    new = {f"new{i}": CUT([2, 3]) for i in range(12)}
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", kept | new)
    assert_alike(monkeypatch, *paths, *METRICS, "-f", form, "--missing", "skip")
    monkeypatch.setattr(streams, "_PART", 100)  # parts that only one side has
    found = printed(monkeypatch, True, *paths, *METRICS, "-f", form, "--missing", "skip")
    assert "skipped (missing on one side): d0, d9, d18" in found[1] + found[2]
    assert found == printed(monkeypatch, False, *paths, *METRICS, "-f", form, "--missing", "skip")


def test_a_coder_who_did_few_documents(
    sides: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    path = write(tmp_path / "hyp.jsonl", hyps, ("ann",))
    few = write(tmp_path / "few.jsonl", {"d7": hyps["d7"]}, ("bob",))
    path.write_text(path.read_text() + few.read_text())
    reference = write(tmp_path / "ref.jsonl", refs)
    found = assert_alike(monkeypatch, reference, path, "--missing", "skip", "--width", "2000")
    assert "bob: skipped (missing on one side): d0, d1," in found


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_undefined_documents(
    sides: Any, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    refs["d50"] = hyps["d50"] = CUT([1])
    refs["d60"] = hyps["d60"] = CUT([9])  # has no F, and is no error
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", hyps)
    assert_alike(monkeypatch, *paths, *METRICS, "-f", form, "--on-undefined", "nan")
    for large in (False, True):
        code, _, stderr = printed(monkeypatch, large, *paths, *METRICS, "-f", form)
        assert code == 2
        assert "document 'd50': pk is undefined: " in stderr


def test_an_average_that_does_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {f"d{i}": CUT([9]) for i in range(100)}
    paths = write(tmp_path / "ref.jsonl", nothing), write(tmp_path / "hyp.jsonl", nothing)
    refused = printed(monkeypatch, False, *paths, "-m", "f1")
    assert refused[0] == 2
    assert "all 100 documents together: f1 is undefined" in refused[2]
    assert printed(monkeypatch, True, *paths, "-m", "f1") == refused
    assert_alike(monkeypatch, *paths, "-m", "f1", "--on-undefined", "nan")


@pytest.mark.parametrize("on_undefined", ["raise", "nan"])
def test_every_document_is_scored_once(
    sides: Any, tmp_path: Path, on_undefined: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", hyps)
    seen: list[str] = []
    original = accumulator_sums.rows_of_metrics

    def counted(metrics: Any, pairs: Any, threads: Any = 1) -> Any:
        seen.extend(pairs.documents)
        return original(metrics, pairs, threads)

    monkeypatch.setattr(accumulator_sums, "rows_of_metrics", counted)
    monkeypatch.setattr("segscore.metrics.base.rows_of_metrics", counted)
    monkeypatch.setattr("segscore.metrics.measured_rows.rows_of_metrics", counted)
    found = large_files.score_large(
        paths[0], [paths[1]], ["pk", "b"], on_undefined=on_undefined, threads=1
    )
    assert seen == list(refs)
    assert found["hyp"]["pk"].micro == ss.score(refs, hyps, "pk", threads=1)["pk"].micro


def test_columns_of_parquet_print_the_same(
    sides: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = import_module("pyarrow.parquet")
    refs, hyps = sides
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", hyps)
    parquet.write_table(table(list(refs.values()), list(hyps.values())), tmp_path / "x.parquet")
    columns = ["--reference-column", "ref", "--hypothesis-column", "hyp", "--n-units", "n"]
    metrics = METRICS[:6]  # without F, which some documents do not have
    for way in WAYS:
        for form in [form for form in FORMS if takes(form, way)]:
            options = [*metrics, *way, "-f", form]
            code, lines, stderr = printed(monkeypatch, False, *paths, *options)
            done = segscore("score", tmp_path / "x.parquet", *columns, *options)
            assert (done.returncode, done.stderr) == (code, stderr) == (0, "")
            if form == "json":  # a column has no name of a system
                lines = lines.replace('"system": "hyp"', '"system": ""')
            elif form == "csv":
                lines = lines.replace("\nhyp,", "\n,")
            assert done.stdout == lines


def test_a_gate_needs_averages_alone(
    sides: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = sides
    paths = write(tmp_path / "ref.jsonl", refs), write(tmp_path / "hyp.jsonl", hyps)
    read = []
    monkeypatch.setattr("segscore.cli.score.read_pairs", lambda *a, **b: read.append(a) or [])
    limit = [*paths, "-m", "pk", "--fail-over", "pk=0.001"]
    code, _, stderr = printed(monkeypatch, True, *limit)
    assert code == 1
    assert "pk (micro) is" in stderr
    assert not read
