"""Labels and levels in Arrow columns: the same numbers as from JSON Lines, and nothing unchecked."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import segscore as ss
from arrow_columns import ENCODINGS, Foreign, encoded
from needs import needs
from segscore.cli import run
from strategies import pairs

pytestmark = needs("arrow", "dataframes")

METRICS = [
    "segment-f1", "segment-f1(iou=0.3,labels=yes)", "segment-f1(ignore=x)", "pairwise-f", "nce",
    "v-measure", "mof", "label-edit", "windowdiff",
]  # fmt: skip
NAMES = {
    "reference": "ref", "hypothesis": "hyp", "n_units": "n", "ref_labels": "rl", "hyp_labels": "hl",
}  # fmt: skip


@st.composite
def labelled(draw: st.DrawFn) -> tuple[ss.Segmentation, ss.Segmentation]:
    label = st.sampled_from(["a", "b", "ä long label of more than twelve bytes", "x", None])

    def with_labels(segmentation: ss.Segmentation) -> ss.Segmentation:
        label_lists = st.lists(
            label, min_size=segmentation.n_segments, max_size=segmentation.n_segments
        )
        return segmentation.with_segment_labels(draw(st.none() | label_lists))

    ref, hyp = draw(pairs(max_units=30))
    return with_labels(ref), with_labels(hyp)


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


def text_type(kind: str) -> Any:
    return {
        "string": pa.string(), "large": pa.large_string(), "view": pa.string_view(),
        "words": pa.dictionary(pa.int8(), pa.string()),
    }[kind]  # fmt: skip


def table_of(
    refs: list[ss.Segmentation], hyps: list[ss.Segmentation], encoding: str = "boundaries",
    kind: str = "string",
) -> Any:  # fmt: skip
    def labels(side: list[ss.Segmentation]) -> Any:
        return pa.array(
            [labels_of(segmentation) for segmentation in side], pa.list_(text_type(kind))
        )

    return pa.table(
        {
            "ref": pa.array([encoded(ref, encoding) for ref in refs], pa.list_(pa.int32())),
            "hyp": pa.array([encoded(hyp, encoding) for hyp in hyps], pa.list_(pa.int32())),
            "n": [ref.n_units for ref in refs],
            "rl": labels(refs),
            "hl": labels(hyps),
            "doc": [f"d{i}" for i in range(len(refs))],
        }
    )


def plain(segmentation: ss.Segmentation) -> ss.Segmentation:
    """Labels of which each is None are no labels in columns."""
    return (
        segmentation
        if any(segmentation.segment_labels or ())
        else segmentation.with_segment_labels(None)
    )


@given(
    st.lists(labelled(), min_size=1, max_size=6),
    st.sampled_from(["string", "large", "view", "words"]),
    st.sampled_from(ENCODINGS),
    st.data(),
)
def test_every_kind_of_column(
    documents: list[Any], kind: str, encoding: str, data: st.DataObject
) -> None:
    refs, hyps = [pair[0] for pair in documents], [pair[1] for pair in documents]
    start = data.draw(st.integers(0, len(refs) - 1))
    size = data.draw(st.integers(1, len(refs)))
    cut = table_of(refs, hyps, encoding, kind).slice(start)
    found = ss.Pairs.from_arrow(
        pa.Table.from_batches(cut.to_batches(max_chunksize=size)), **NAMES, encoding=encoding
    )
    expected = ss.Pairs.from_segmentations(refs[start:], hyps[start:])
    assert found.label_names == expected.label_names
    for row in range(len(expected)):
        assert found.reference(row) == plain(expected.reference(row))
        assert found.hypothesis(row) == plain(expected.hypothesis(row))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("make", ["polars", "pandas", "pandas of lists"])
def test_frames_are_read_without_pyarrow_as_with_it(
    make: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = ([*side.values()] for side in random_labelled(30))
    table = table_of(refs, hyps, encoding)
    frame = {
        "polars": lambda: pl.from_arrow(table), "pandas": table.to_pandas,
        "pandas of lists": lambda: pd.DataFrame(table.to_pydict()),
    }[make]()  # fmt: skip
    levels = level_table(
        *([ss.Levels([side, side]) for side in sides] for sides in (refs, hyps)), encoding
    )
    frames = [frame, pl.from_arrow(levels) if make == "polars" else levels.to_pandas()]
    if make == "polars":  # a bad row of each kind; in pandas, null makes other types
        bad = table.slice(0, 1).to_pydict() | {"ref": [[1, None]]}
        rows = [*table.to_pylist(), {name: bad[name][0] for name in bad}]
        rows += [rows[0] | {name: None} for name in ("ref", "hyp", "n", "rl", "doc")]
        frames.append(pl.DataFrame(rows, schema=pl.from_arrow(table).schema))
    for one in frames:
        names = {} if "doc" not in one.columns else {"document": "doc", "statistics": True}
        metrics = ["l-measure"] if not names else ["windowdiff", "mof", "label-edit"]
        columns: dict[str, Any] = {"ref_labels": "rl", "hyp_labels": "hl", "metrics": metrics}
        found = []
        for installed in (True, False):
            with monkeypatch.context() as patch:
                if not installed:
                    patch.setattr("segscore.pairing.arrow_reading.find_spec", lambda _: None)
                found.append(
                    ss.score_frame(
                        one,
                        "ref",
                        "hyp",
                        "n",
                        encoding=encoding,
                        on_error="null",
                        **columns,
                        **names,
                    )
                )
        assert found[0]["error"].to_list() == found[1]["error"].to_list()
        for name in found[0].columns:
            if name not in ("ref", "hyp", "rl", "hl", "doc", "error"):
                assert np.array_equal(
                    *(np.array(each[name].to_list(), float) for each in found), equal_nan=True
                ), name


def files(tmp_path: Path, refs: Any, hyps: Any) -> list[Path]:
    paths = []
    for name, side in (("ref", refs), ("hyp", hyps)):
        paths.append(tmp_path / f"{name}.jsonl")
        corpus = ss.Corpus.from_dict({doc: {name: coding} for doc, coding in side.items()})
        ss.write(corpus, paths[-1])
    return paths


def test_the_same_numbers_as_from_json_lines(tmp_path: Path) -> None:
    refs, hyps = random_labelled(200)
    expected = ss.score(*files(tmp_path, refs, hyps), METRICS, on_undefined="nan")
    table = table_of([*refs.values()], [*hyps.values()])
    columns: dict[str, Any] = {"ref_labels": "rl", "hyp_labels": "hl", "metrics": METRICS}
    words = pl.col("rl", "hl").cast(pl.List(pl.Categorical))
    for frame in (
        table, pl.from_arrow(table), pl.from_arrow(table).with_columns(words), table.to_pandas(),
        pa.Table.from_batches(table.to_batches(max_chunksize=17)),
    ):  # fmt: skip
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


@needs("duckdb")
def test_polars_and_duckdb() -> None:
    duckdb = import_module("duckdb")
    from segscore.engines import duckdb as seg

    refs, hyps = random_labelled(60)
    expected = ss.score(refs, hyps, METRICS, on_undefined="nan")
    frame = pl.from_arrow(table_of([*refs.values()], [*hyps.values()]))
    assert isinstance(frame, pl.DataFrame)
    columns: dict[str, Any] = {"ref_labels": "rl", "hyp_labels": "hl", "metrics": METRICS}
    lazy = ss.score_frame(frame.lazy(), "ref", "hyp", "n", **columns).collect()
    for metric in METRICS:
        values = lazy[metric]
        assert np.array_equal(values.to_numpy(), expected[metric].values, equal_nan=True)
        assert values.null_count() == expected[metric].n_undefined
    with duckdb.connect() as con:
        con.register("data", frame.to_arrow())
        seg.register(con, ["mof", "label-edit"], labels=True)
        rows = con.sql(
            'SELECT s."mof.value", s."label-edit.value" FROM '
            "(SELECT segscore(ref, hyp, n, doc, rl, hl) AS s FROM data)"
        ).fetchall()
    for index, metric in enumerate(["mof", "label-edit"]):
        values = np.array([row[index] for row in rows], float)
        assert np.array_equal(values, expected[metric].values, equal_nan=True)


def test_parquet_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs, hyps = random_labelled(80)
    table = table_of([*refs.values()], [*hyps.values()], kind="words")
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


def test_labels_that_are_refused() -> None:
    good = {"ref": [[2], [2]], "hyp": [[1], [1]], "n": [4, 4], "hl": [["a", "b"], None]}
    fit = "the reference has labels that do not fit its segments: expected one per segment"
    empty = "the reference has a label that is an empty text"
    for bad, message in ((["a"], fit), (["a", "b", "c"], fit), ([], fit), (["a", ""], empty)):
        frame = pl.DataFrame({**good, "rl": [["a", None], bad]})
        with pytest.raises(ss.SegmentationError, match=f"row 1: {message}"):
            ss.Pairs.from_arrow(frame, **NAMES)
        found = ss.score_frame(
            frame, "ref", "hyp", "n", ref_labels="rl", hyp_labels="hl", metrics="segment-f1",
            on_error="null",
        )  # fmt: skip
        assert found["error"][0] is None
        assert found["segment-f1"][0] is not None
        assert message in found["error"][1]
    for wrong in ([1.5, 2.5], [["a"], ["b"]], "text", [{"a": 1}, {"a": 2}]):
        frame = pl.DataFrame({**good, "rl": [wrong, wrong]}, strict=False)
        with pytest.raises(ss.SegmentationError, match="column 'rl' .* lists of texts, one label"):
            ss.Pairs.from_arrow(frame, **NAMES)
    with pytest.raises(ss.SegmentationError, match="no column 'rl'"):
        ss.Pairs.from_arrow(pl.DataFrame(good), **NAMES)
    numbers = pl.DataFrame({**good, "rl": [[7, 8], [8, None]]})
    assert ss.Pairs.from_arrow(numbers, **NAMES).reference(0).segment_labels == ("7", "8")


def test_a_null_row_may_cover_anything() -> None:
    """Labels of a row that is null are none, whatever its range holds."""
    labels = pa.ListArray.from_arrays(
        pa.array([0, 1, 3], pa.int32()), pa.array(["a", "", "c"]), mask=pa.array([True, False])
    )
    frame = pa.table({"ref": [[], [1]], "hyp": [[], [1]], "n": [3, 3], "rl": labels, "hl": labels})
    with pytest.raises(ss.SegmentationError, match="row 1: .* empty text"):
        ss.Pairs.from_arrow(frame, **NAMES)
    labels = pa.ListArray.from_arrays(
        pa.array([0, 2, 3], pa.int32()), pa.array(["", "b", "c"]), mask=pa.array([True, False])
    )
    frame = pa.table({"ref": [[], []], "hyp": [[], []], "n": [3, 3], "rl": labels, "hl": labels})
    found = ss.Pairs.from_arrow(frame, **NAMES)
    assert found.reference(0).segment_labels is None
    assert found.reference(1).segment_labels == ("c",)
    assert found.label_names == ("c",)


def test_dictionaries_with_doubles_and_nulls() -> None:
    words = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 3], pa.int8()), pa.array(["a", "a", None, "unused", "b"])
    )
    labels = pa.ListArray.from_arrays(pa.array([0, 2, 4], pa.int32()), words)
    frame = pa.table({"ref": [[1], [1]], "hyp": [[1], [1]], "n": [3, 3], "rl": labels})
    names = {key: value for key, value in NAMES.items() if key != "hyp_labels"}
    found = ss.Pairs.from_arrow(frame, **names)
    assert found.reference(0).segment_labels == ("a", "a")
    assert found.reference(1).segment_labels == (None, "unused")
    assert found.hyp_labels is None
    assert found.label_names == ("a", "unused")


# ---- hostile streams ----


def corrupted_labels(offsets: list[int], kind: Any = pa.list_) -> Any:
    memory = np.zeros(len(offsets), np.int64 if kind is pa.large_list else np.int32)
    column = pa.Array.from_buffers(
        kind(pa.string()), len(offsets) - 1, [None, pa.py_buffer(memory)],
        children=[pa.array(["a", "b", "c"])],
    )  # fmt: skip
    rows = len(offsets) - 1
    frame = pa.table({"ref": [[1]] * rows, "hyp": [[1]] * rows, "n": [9] * rows, "rl": column,
                      "hl": column})  # fmt: skip
    memory[:] = offsets
    return frame


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
@pytest.mark.parametrize(
    "offsets", [[0, 2, 10**9], [-5, 1, 2], [0, 3, 1], [2, 1, 0], [0, -1, 2], [10**8, 10**8 + 1]]
)
def test_offsets_are_checked_before_they_are_used(offsets: list[int], kind: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="column 'rl' is damaged"):
        ss.Pairs.from_arrow(Foreign(corrupted_labels(offsets, kind)), **NAMES)


def test_dictionary_entries_and_texts_are_checked() -> None:
    given_ = {"ref": [[1]], "hyp": [[1]], "n": [4]}
    index = np.zeros(2, np.int32)
    words = pa.DictionaryArray.from_arrays(
        pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(index)]), pa.array(["a", "b"])
    )
    labels = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), words)
    frame = pa.table({**given_, "rl": labels, "hl": labels})
    for bad in (99, -1, 2):
        index[1] = bad
        with pytest.raises(ss.SegmentationError, match="column 'rl' is damaged: .*Dictionary"):
            ss.Pairs.from_arrow(Foreign(frame), **NAMES)
    offsets = np.zeros(3, np.int32)
    texts = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(offsets), pa.py_buffer(b"ab")]
    )
    labels = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), texts)
    frame = pa.table({**given_, "rl": labels, "hl": labels})
    offsets[:] = 0, 2, 1
    with pytest.raises(ss.SegmentationError, match="column 'rl' is damaged"):
        ss.Pairs.from_arrow(Foreign(frame), **NAMES)


def test_views_of_labels() -> None:
    memory = np.array([[0, 1], [2, 2]], np.int32)
    column = pa.Array.from_buffers(
        pa.list_view(pa.string()), 2,
        [None, pa.py_buffer(memory[0]), pa.py_buffer(memory[1])],
        children=[pa.array(["a", "b", "c"])],
    )  # fmt: skip
    frame = pa.table({"ref": [[1]] * 2, "hyp": [[1]] * 2, "n": [9, 9], "rl": column, "hl": column})
    found = ss.Pairs.from_arrow(Foreign(frame), **NAMES)  # views may overlap
    assert [found.reference(i).segment_labels for i in range(2)] == [("a", "b"), ("b", "c")]
    memory[:] = [0, 0], [2, 2]
    found = ss.Pairs.from_arrow(Foreign(frame), **NAMES)
    assert [found.reference(i).segment_labels for i in range(2)] == [("a", "b"), ("a", "b")]
    for starts, sizes in (([0, 5], [1, 1]), ([0, 0], [1, 2**30]), ([-1, 0], [1, 1])):
        memory[:] = starts, sizes
        with pytest.raises(ss.SegmentationError, match="column 'rl' is damaged"):
            ss.Pairs.from_arrow(Foreign(frame), **NAMES)


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
            label_lists = st.lists(
                label, min_size=segmentation.n_segments, max_size=segmentation.n_segments
            )
            found.append(segmentation.with_segment_labels(draw(st.none() | label_lists)))
        return ss.Levels(found)

    return levels(), levels()


def level_table(refs: list[ss.Levels], hyps: list[ss.Levels], encoding: str) -> Any:
    kinds = pa.list_(pa.list_(pa.int16())), pa.list_(pa.list_(pa.string()))
    return pa.table(
        {
            **{
                name: pa.array(
                    [[encoded(level, encoding) for level in coding.levels] for coding in side],
                    kinds[0],
                )
                for name, side in (("ref", refs), ("hyp", hyps))
            },
            "n": [ref.n_units for ref in refs],
            **{
                name: pa.array(
                    [[labels_of(level) for level in coding.levels] for coding in side], kinds[1]
                )
                for name, side in (("rl", refs), ("hl", hyps))
            },
        }
    )


@given(
    st.lists(leveled(), min_size=1, max_size=5), st.sampled_from(ENCODINGS), st.integers(1, 5),
    st.data(),
)  # fmt: skip
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
    frame = ss.score_frame(
        cut, "ref", "hyp", "n", encoding=encoding, ref_labels="rl", hyp_labels="hl",
        metrics=["l-measure", "t-measure"],
    )  # fmt: skip
    scores = ss.score(refs[start:], hyps[start:], ["l-measure", "t-measure"], on_undefined="nan")
    for name in ("l-measure", "t-measure"):
        values = np.array(frame[name].to_pylist(), float)
        assert np.array_equal(values, scores[name].values, equal_nan=True)


def test_levels_that_are_refused() -> None:
    good = {"ref": [[[2], [1, 2]]], "hyp": [[[2]]], "n": [4]}
    for bad, message in (
        ({"ref": [[[2], [2, 1]]]}, "row 0: the reference: level 2: its boundaries do not ascend"),
        ({"ref": [[[2], [9]]]}, "row 0: the reference: level 2: boundar"),
        ({"ref": [[[2], None]]}, "the reference: level 2: it is null"),
        ({"ref": [[[2], [None]]]}, "the reference: level 2: it is null, or holds a null"),
        ({"ref": [[]]}, "the reference: levels is empty"),
        ({"ref": [None]}, "the reference: it is null"),
        ({"n": [None]}, "the row or its number of units is null"),
        (
            {"hyp": [[2]]},
            "column 'hyp' holds lists of integers: expected lists of integers, a list per level",
        ),
    ):
        given_ = {**good, **bad}
        types = {
            "ref": pl.List(pl.List(pl.Int64)), "n": pl.Int64,
            "hyp": pl.List(pl.Int64) if bad.get("hyp") else pl.List(pl.List(pl.Int64)),
        }  # fmt: skip
        frame = pl.DataFrame(given_, schema_overrides=types)
        with pytest.raises(ss.SegmentationError, match=message):
            ss.Pairs.from_arrow(frame, reference="ref", hypothesis="hyp", n_units="n")
    frame = pl.DataFrame({**good, "doc": [None]}, schema_overrides={"doc": pl.String})
    with pytest.raises(ss.SegmentationError, match="row 0: the document's name is null"):
        ss.Pairs.from_arrow(frame, reference="ref", hypothesis="hyp", n_units="n", document="doc")
    frame = pl.DataFrame({**good, "rl": [[["A", "B"]]], "hl": [[["A", "B"]]]})
    with pytest.raises(ss.SegmentationError, match="there are 2 levels, and labels of 1"):
        ss.Pairs.from_arrow(frame, **NAMES)
    found = ss.score_frame(
        frame, "ref", "hyp", "n", ref_labels="rl", hyp_labels="hl", metrics="l-measure",
        on_error="null",
    )  # fmt: skip
    assert "levels" in found["error"][0]
    masses = pl.DataFrame({"ref": [[[4]], [[4]]], "hyp": [[[1, 3]], [[5]]]})
    with pytest.raises(ss.SegmentationError, match="row 1: .* 4 units, the hypothesis 5"):
        ss.Pairs.from_arrow(masses, reference="ref", hypothesis="hyp", encoding="masses")
    with pytest.raises(ss.SegmentationError, match="ranks and levels are both given"):
        ss.Pairs.from_arrow(
            pl.DataFrame({**good, "r": [[1]]}), reference="ref", hypothesis="hyp", n_units="n",
            ref_ranks="r",
        )  # fmt: skip


# ---- what else takes labels ----


def test_a_metric_of_all_documents_at_once_has_no_statistics_to_add_up() -> None:
    table = table_of(*([*side.values()] for side in random_labelled(5)))
    columns: dict[str, Any] = {"ref_labels": "rl", "hyp_labels": "hl", "metrics": "mapped-mof"}
    with pytest.raises(ss.SegmentationError, match="maps the labels of all documents at once"):
        ss.score_frame(table, "ref", "hyp", "n", **columns, statistics=True)
    assert len(ss.score_frame(table, "ref", "hyp", "n", **columns)) == 5


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_corpora_from_frames_with_labels(make: Any) -> None:
    frame = make(
        {
            "document": ["a", "b"], "coder": ["x", "x"], "masses": [[2, 3], [4]],
            "titles": [["intro", None], None],
        }
    )  # fmt: skip
    corpus = ss.Corpus.from_frame(
        frame, coding="masses", encoding="masses", segment_labels="titles"
    )
    assert corpus["a"]["x"].segment_labels == ("intro", None)
    assert corpus["b"]["x"].segment_labels is None
    bad = make(
        {"document": ["a"], "coder": ["x"], "y": [[0, 1, 0]], "segment_labels": [["one label"]]}
    )
    with pytest.raises(ss.SegmentationError, match="document 'a', coder 'x': labels has 1: "):
        ss.Corpus.from_frame(bad, coding="y", encoding="labels-end")
