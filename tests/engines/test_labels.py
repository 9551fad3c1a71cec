"""Labels and levels in Arrow columns: the same numbers as from JSON Lines, and nothing unchecked."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import segscore as ss
from arrow_columns import ENCODINGS, encoded
from needs import needs
from segscore.cli import run

pytestmark = needs("arrow", "dataframes")

METRICS = ["segment-f1", "segment-f1(ignore=x)", "nce", "mof", "label-edit", "windowdiff"]
LABELLED = {"ref_labels": "rl", "hyp_labels": "hl"}
NAMES = {"reference": "ref", "hypothesis": "hyp", "n_units": "n", **LABELLED}


def random_labelled(
    n: int, seed: int = 0
) -> tuple[dict[str, ss.Segmentation], dict[str, ss.Segmentation]]:
    rng = np.random.default_rng(seed)
    names = ["pour", "stir", "x", "ä", None]
    sides: tuple[dict[str, ss.Segmentation], dict[str, ss.Segmentation]] = {}, {}
    for i in range(n):
        units = int(rng.integers(8, 50))
        for side in sides:
            cuts = 1 + np.flatnonzero(rng.random(units - 1) < 0.2)
            labels = [names[code] for code in rng.integers(0, 5, len(cuts) + 1)]
            coding = ss.Segmentation.from_boundaries(cuts, units)
            side[f"d{i}"] = coding.with_segment_labels(None if i % 11 == 0 else labels)
    return sides


def labels_of(segmentation: ss.Segmentation) -> list[Any] | None:
    return None if segmentation.segment_labels is None else list(segmentation.segment_labels)


def table_of(refs: Any, hyps: Any, words: Any = None) -> Any:
    """Documents with positions and labels, which are texts of the type `words`."""
    frame: dict[str, Any] = {"n": [ref.n_units for ref in refs.values()], "doc": list(refs)}
    for side, codings in (("ref", refs), ("hyp", hyps)):
        frame[side] = pa.array([coding.boundaries.tolist() for coding in codings.values()])
        labels = [labels_of(coding) for coding in codings.values()]
        frame[f"{side[0]}l"] = pa.array(labels, pa.list_(words or pa.string()))
    return pa.table(frame)


def test_the_same_numbers_as_from_json_lines(tmp_path: Path) -> None:
    refs, hyps = random_labelled(200)
    paths = [tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"]
    for path, side in zip(paths, (refs, hyps), strict=True):
        ss.write(ss.Corpus.from_dict({doc: {"x": coding} for doc, coding in side.items()}), path)
    expected = ss.score(*paths, METRICS, on_undefined="nan")
    table = table_of(refs, hyps)
    columns: dict[str, Any] = {**LABELLED, "metrics": METRICS}
    words = pl.col("rl", "hl").cast(pl.List(pl.Categorical))
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=17))
    polars = pl.from_arrow(table)
    for frame in (table, polars, polars.with_columns(words), table.to_pandas(), batches):
        found = ss.score_frame(frame, "ref", "hyp", "n", "doc", **columns)
        for metric in METRICS:
            values = np.array(found[metric].to_numpy(), float)
            assert np.array_equal(values, expected[metric].values, equal_nan=True), metric
    rows = ss.score_frame(
        table.append_column("g", [["g"] * 200]), "ref", "hyp", "n", statistics=True, **columns
    )
    groups = ss.Result.from_sums(rows, "g")
    for metric in METRICS:
        assert groups.group("g")[metric].micro == expected[metric].micro
        assert groups.group("g")[metric].macro == pytest.approx(expected[metric].macro, rel=1e-14)


def test_parquet_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs, hyps = random_labelled(80)
    table = table_of(refs, hyps, pa.dictionary(pa.int8(), pa.string()))
    path = tmp_path / "data.parquet"
    parquet.write_table(table, path, row_group_size=30)
    columns = ["--read", "reference=ref", "--read", "n-units=n", "--read", "reference-labels=rl"]
    options = ["-m", "mof", "-m", "segment-f1(labels=yes)", "-f", "json", "--on-undefined", "nan"]
    alone = ["--read", "hypothesis=hyp", "--read", "hypothesis-labels=hl"]
    assert run(["score", str(path), *columns, *alone, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = ss.score(refs, hyps, ["mof", "segment-f1(labels=yes)"], on_undefined="nan")
    assert [row["micro"] for row in found] == [score.micro for score in expected.values()]
    several = ["--read", "systems=hyp,ref", "--read", "document=doc"]
    both = ["--read", "system-labels=hl,rl"]
    command = ["compare", str(path), *columns, *several, "-m", "mof", "-f", "json"]
    assert run([*command, *both, "--resamples", "20"]) == 0
    systems = {row["system"]: row["mof"] for row in json.loads(capsys.readouterr().out)}
    assert systems["hyp"] == expected["mof"].micro
    assert systems["ref"] == ss.score(refs, refs, "mof", on_undefined="nan")["mof"].micro
    assert run([*command, "--read", "system-labels=hl"]) == 2
    assert "system-labels has 1 columns: expected 2" in capsys.readouterr().err
    assert run(["score", "a.jsonl", "b.jsonl", "--read", "hypothesis-labels=x"]) == 2
    assert "no Parquet or Arrow file" in capsys.readouterr().err


# ---- levels ----


@st.composite
def leveled(draw: st.DrawFn) -> tuple[ss.Levels, ss.Levels]:
    n = draw(st.integers(1, 12))

    def levels() -> ss.Levels:
        found = []
        for _ in range(draw(st.integers(1, 3))):
            cuts = draw(st.sets(st.integers(1, max(1, n - 1)))) if n > 1 else set()
            segmentation = ss.Segmentation.from_boundaries(sorted(cuts), n)
            label = st.sampled_from(["A", "B", "c", None])
            n_segments = segmentation.n_segments
            labels = st.lists(label, min_size=n_segments, max_size=n_segments)
            found.append(segmentation.with_segment_labels(draw(st.none() | labels)))
        return ss.Levels(found)

    return levels(), levels()


def level_table(refs: list[ss.Levels], hyps: list[ss.Levels], encoding: str) -> Any:
    frame: dict[str, Any] = {"n": [ref.n_units for ref in refs]}
    for side, codings in (("ref", refs), ("hyp", hyps)):
        lists = [[encoded(level, encoding) for level in coding.levels] for coding in codings]
        frame[side] = pa.array(lists, pa.list_(pa.list_(pa.int16())))
        labels = [[labels_of(level) for level in coding.levels] for coding in codings]
        frame[f"{side[0]}l"] = pa.array(labels, pa.list_(pa.list_(pa.string())))
    return pa.table(frame)


several = st.lists(leveled(), min_size=1, max_size=5)


@given(several, st.sampled_from(ENCODINGS), st.integers(1, 5), st.data())
def test_levels(documents: list[Any], encoding: str, size: int, data: st.DataObject) -> None:
    refs, hyps = [pair[0] for pair in documents], [pair[1] for pair in documents]
    start = data.draw(st.integers(0, len(refs) - 1))
    table = level_table(refs, hyps, encoding).slice(start)
    cut = pa.Table.from_batches(table.to_batches(max_chunksize=size))
    found = ss.Pairs.from_arrow(cut, **NAMES, encoding=encoding)
    expected = ss.Pairs.from_segmentations(refs[start:], hyps[start:])
    assert found.label_names == expected.label_names
    for side in ("ref", "hyp"):
        for name in ("levels", "level_labels"):
            column, other = getattr(found, f"{side}_{name}"), getattr(expected, f"{side}_{name}")
            assert np.array_equal(column.offsets, other.offsets)
            assert np.array_equal(column.values, other.values)
    metrics = ["l-measure", "t-measure"]
    columns: Any = {"encoding": encoding, **LABELLED}
    frame = ss.score_frame(cut, "ref", "hyp", "n", metrics=metrics, **columns)
    scores = ss.score(refs[start:], hyps[start:], metrics, on_undefined="nan")
    for name in metrics:
        values = np.array(frame[name].to_pylist(), float)
        assert np.array_equal(values, scores[name].values, equal_nan=True)


# ---- what is refused ----

LABELS = {"ref": [[2], [2]], "hyp": [[1], [1]], "n": [4, 4], "hl": [["a", "b"], None]}
LEVELS = {"ref": [[[2], [1, 2]]], "hyp": [[[2]]], "n": [4]}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({**LABELS, "rl": [["a", None], ["a"]]}, "row 1: .*labels that do not fit"),
    ({**LABELS, "rl": [["a", None], []]}, "row 1: .*labels that do not fit"),
    ({**LABELS, "rl": [["a", None], ["a", ""]]}, "row 1: .*empty text"),
    ({**LABELS, "rl": [[1.5, 2.5]] * 2}, "column 'rl' .* lists of texts"),
    ({**LABELS, "rl": ["text"] * 2}, "column 'rl' .* lists of texts"),
    (LABELS, "no column 'rl'"),
    ({**LEVELS, "ref": [[[2], [2, 1]]]}, "row 0: the reference: level 2: .*do not ascend"),
    ({**LEVELS, "ref": [[[2], [9]]]}, "row 0: the reference: level 2: boundar"),
    ({**LEVELS, "ref": [[[2], [None]]]}, "level 2: it is null, or holds a null"),
    ({**LEVELS, "hyp": [[2]]}, "column 'hyp' holds lists of integers"),
    ({**LEVELS, "rl": [[["A", "B"]]], "hl": [[["A", "B"]]]}, "2 levels, and labels of 1"),
]


@pytest.mark.parametrize(("columns", "token"), REFUSED)
def test_labels_and_levels_that_are_refused(columns: dict[str, Any], token: str) -> None:
    frame = pl.DataFrame(columns, strict=False)
    names = NAMES if "rl" in columns or "hl" in columns else dict(list(NAMES.items())[:3])
    with pytest.raises(ss.SegmentationError, match=token):
        ss.Pairs.from_arrow(frame, **names)
