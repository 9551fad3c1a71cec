"""Arrow columns into Pairs: every width, list kind, slice, chunking, null and encoding."""

import gc
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
from arrow_columns import ENCODINGS, LIST_KINDS, WIDTHS, Foreign, encoded, table
from needs import needs
from segscore.cli import run
from strategies import pairs, random_documents

pytestmark = needs("arrow", "dataframes")

METRICS = ["windowdiff", "b", "pk", "f1(tolerance=1)"]


def same(found: ss.Pairs, refs: list[ss.Segmentation], hyps: list[ss.Segmentation]) -> None:
    expected = ss.Pairs.from_segmentations(refs, hyps)
    for name in ("n_units", "ref_offsets", "ref_positions", "hyp_offsets", "hyp_positions"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name


@given(
    st.lists(pairs(max_units=100), min_size=1, max_size=8),
    st.sampled_from(WIDTHS),
    st.sampled_from(LIST_KINDS),
    st.sampled_from(ENCODINGS),
    st.data(),
)
def test_every_kind_of_column(
    documents: list[Any], width: Any, kind: str, encoding: str, data: st.DataObject
) -> None:
    refs, hyps = [pair[0] for pair in documents], [pair[1] for pair in documents]
    whole = table(refs, hyps, encoding, width, kind)
    start = data.draw(st.integers(0, len(refs) - 1))
    cut = whole.slice(start)
    size = data.draw(st.integers(1, len(refs)))
    if "view" not in kind:
        chunked = pa.Table.from_batches(cut.to_batches(max_chunksize=size))
        cut = data.draw(st.sampled_from([cut, chunked]))
    found = ss.Pairs.from_arrow(
        cut, reference="ref", hypothesis="hyp", n_units="n", document="doc", encoding=encoding
    )
    same(found, refs[start:], hyps[start:])
    assert list(found.documents) == [f"d{i}" for i in range(start, len(refs))]


@given(st.lists(pairs(max_units=60), min_size=1, max_size=6), st.sampled_from(ENCODINGS))
def test_from_lists(documents: list[Any], encoding: str) -> None:
    refs, hyps = [pair[0] for pair in documents], [pair[1] for pair in documents]
    sides = [[encoded(segmentation, encoding) for segmentation in side] for side in (refs, hyps)]
    units = [ref.n_units for ref in refs] if encoding == "boundaries" else None
    same(ss.Pairs.from_lists(*sides, units, encoding=encoding), refs, hyps)
    if encoding in ("gaps", "labels-end", "labels-start"):
        texts = [["".join(map(str, row)) for row in side] for side in sides]
        same(ss.Pairs.from_lists(*texts, encoding=encoding), refs, hyps)
        frame = pl.DataFrame({"r": texts[0], "h": texts[1]})
        found = ss.Pairs.from_arrow(frame, reference="r", hypothesis="h", encoding=encoding)
        same(found, refs, hyps)


# ---- bad rows ----

BAD: dict[str, tuple[str, Any, Any, Any]] = {  # reason: encoding, ref, hyp, n
    "the reference is null": ("boundaries", None, [1], 4),
    "the hypothesis is null": ("boundaries", [1], None, 4),
    "the reference has a null inside": ("boundaries", [1, None], [1], 4),
    "the hypothesis has a null inside": ("masses", [4], [1, None, 3], 4),
    "number of units outside": ("boundaries", [], [], 0),
    "reference has a boundary outside": ("boundaries", [4], [1], 4),
    "hypothesis has a boundary outside": ("boundaries", [1], [0], 4),
    "reference has boundaries that do not ascend": ("boundaries", [2, 2], [1], 4),
    "hypothesis has boundaries that do not ascend": ("boundaries", [2], [3, 1], 4),
    "reference has a mass below 1": ("masses", [4, 0], [4], 4),
    "hypothesis is an empty list": ("masses", [4], [], 4),
    "reference is an empty list": ("labels-end", [], [1], 1),
    "neither 0 nor 1": ("gaps", [1, 2, 0], [0, 0, 0], 4),
    "another number of units": ("masses", [4], [2, 3], 4),
    "the reference has another number": ("masses", [4], [2, 2], 5),
    "the reference is null ": ("boundaries", [1], [1], None),
}


@pytest.mark.parametrize("reason", BAD)
def test_bad_rows(reason: str) -> None:
    encoding, ref, hyp, n = BAD[reason]
    goods = {"boundaries": [1], "masses": [1, 3], "labels-end": [1, 0, 0, 0], "gaps": [1, 0, 0]}
    good = goods[encoding]
    columns = {"ref": [good, ref, good], "hyp": [good, hyp, good], "n": [4, n, 4]}
    frame = pl.DataFrame({**columns, "doc": ["fine", "broken", "well"]})
    names = {"reference": "ref", "hypothesis": "hyp", "n_units": "n", "document": "doc"}
    with pytest.raises(ss.SegmentationError, match=f"document 'broken': .*{reason.strip()}"):
        ss.Pairs.from_arrow(frame, **names, encoding=encoding)
    how: Any = {"encoding": encoding, "metrics": METRICS, "on_error": "null"}
    found = ss.score_frame(frame, "ref", "hyp", "n", "doc", **how)
    assert found["error"].is_null().to_list() == [True, False, True]
    assert reason.strip() in found["error"][1]
    for metric in METRICS:
        assert found[metric].is_null().to_list() == [False, True, False]


COLUMNS: list[tuple[dict[str, Any], str]] = [
    ({"reference": "reff"}, "no column 'reff'.*'ref'"),
    ({"n_units": "doc"}, "column 'doc' holds texts"),
    ({"reference": "n"}, "column 'n' holds integers"),
    ({"n_units": None}, "n_units"),
    ({"encoding": "mass"}, "encoding is 'mass'"),
    ({"document": "doc"}, "row 0: the document's name is null"),
]


@pytest.mark.parametrize(("wrong", "token"), COLUMNS)
def test_columns_that_are_wrong(wrong: dict[str, Any], token: str) -> None:
    names = pl.Series([None], dtype=pl.String)
    frame = pl.DataFrame({"ref": [[1]], "hyp": [[1]], "n": [4], "doc": names})
    given: dict[str, Any] = {"reference": "ref", "hypothesis": "hyp", "n_units": "n", **wrong}
    with pytest.raises(ss.SegmentationError, match=token):
        ss.Pairs.from_arrow(frame, **given)


# ---- hostile streams ----


def corrupted(offsets: list[int], values: list[int], kind: Any = pa.list_) -> Any:
    """A list column whose offsets are changed after pyarrow has checked them."""
    memory = np.zeros(len(offsets), np.int64 if kind is pa.large_list else np.int32)
    items, buffers = pa.array(values, pa.int32()), [None, pa.py_buffer(memory)]
    column = pa.Array.from_buffers(kind(pa.int32()), len(offsets) - 1, buffers, children=[items])
    frame = pa.table({"ref": column, "hyp": column, "n": [9] * (len(offsets) - 1)})
    memory[:] = offsets
    return frame


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
@pytest.mark.parametrize(
    "offsets", [[0, 2, 10**9], [-5, 1, 2], [0, 3, 1], [2, 1, 0], [0, -1, 2], [10**8, 10**8 + 1]]
)
def test_offsets_are_checked_before_they_are_used(offsets: list[int], kind: Any) -> None:
    frame = corrupted(offsets, [1, 2, 3], kind)
    with pytest.raises(ss.SegmentationError, match="column 'ref' is damaged"):
        ss.Pairs.from_arrow(Foreign(frame), reference="ref", hypothesis="hyp", n_units="n")


def test_names_are_checked() -> None:
    given = {"ref": [[1], [1]], "hyp": [[1], [1]], "n": [4, 4]}
    names = {"reference": "ref", "hypothesis": "hyp", "n_units": "n", "document": "doc"}
    index = np.zeros(2, np.int32)
    words = pa.DictionaryArray.from_arrays(
        pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(index)]), pa.array(["a", "b"])
    )
    frame = pa.table({**given, "doc": words})
    index[1] = 99
    with pytest.raises(ss.SegmentationError, match="column 'doc' is damaged: .*99"):
        ss.Pairs.from_arrow(Foreign(frame), **names)
    offsets = np.zeros(3, np.int32)
    data = pa.py_buffer(b"ab")
    texts = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(offsets), data])
    frame = pa.table({**given, "doc": texts})
    offsets[:] = 0, 2, 1
    with pytest.raises(ss.SegmentationError, match="column 'doc' is damaged"):
        ss.Pairs.from_arrow(Foreign(frame), **names)
    views = np.zeros((2, 4), np.int32)
    texts = pa.Array.from_buffers(pa.string_view(), 2, [None, pa.py_buffer(views), data])
    frame = pa.table({**given, "doc": texts})
    for bad in ([-1, 0, 0, 0], [13, 0, 7, 0], [13, 0, 0, 0], [2**30, 0, 0, 0], [13, 0, -1, 0]):
        views[1] = bad
        with pytest.raises(ss.SegmentationError, match="column 'doc' is damaged"):
            ss.Pairs.from_arrow(Foreign(frame), **names)


def test_a_stream_is_read_once() -> None:
    class Once:
        capsule = table(*random_documents(3)).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    once, names = Once(), {"reference": "ref", "hypothesis": "hyp"}
    assert len(ss.Pairs.from_arrow(once, **names, n_units="n")) == 3
    with pytest.raises(ss.SegmentationError, match="stream failed: .*released"):
        ss.Pairs.from_arrow(once, **names, n_units="n")
    Once.capsule = object()
    with pytest.raises(ss.SegmentationError, match="stream failed"):
        ss.Pairs.from_arrow(once, **names)
    with pytest.raises(ss.SegmentationError, match="stream failed: .*int64"):
        ss.Pairs.from_arrow(pl.Series([1]), **names)


def test_pairs_own_what_they_read() -> None:
    memory = np.array([2, 5], np.int32)
    column = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), pa.array(memory))
    frame = pa.table({"ref": column, "hyp": column, "n": [11]})
    found = ss.Pairs.from_arrow(frame, reference="ref", hypothesis="hyp", n_units="n")
    del frame, column
    memory[:] = 10**6
    gc.collect()
    assert found.reference(0).boundaries.tolist() == [2, 5]
    with pytest.raises(ValueError, match="read-only"):
        found.ref_positions[0] = 1


# ---- what comes of it ----


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_score_frame_gives_the_frame_with_columns(kind: str) -> None:
    refs, hyps = random_documents(40)
    refs.append(ss.Segmentation.from_masses([1]))  # no window: undefined
    hyps.append(ss.Segmentation.from_masses([1]))
    frame: Any = table(refs, hyps)
    frame = {"polars": pl.from_arrow(frame), "pandas": frame.to_pandas(), "pyarrow": frame}[kind]
    found = ss.score_frame(frame, "ref", "hyp", "n", metrics=METRICS)
    assert type(found) is type(frame)
    expected = ss.score(refs, hyps, METRICS, on_undefined="nan")
    for metric in METRICS:
        values = np.array(found[metric].to_numpy(), float)
        assert np.array_equal(values, expected[metric].values, equal_nan=True)
    if kind == "polars":
        assert found["windowdiff"][-1] is None
        assert found["windowdiff"].mean() == pytest.approx(expected["windowdiff"].macro, rel=1e-12)
    with pytest.raises(ss.SegmentationError, match="column 'windowdiff' already"):
        ss.score_frame(found, "ref", "hyp", "n", metrics=METRICS)


# ---- labels and levels in Arrow columns ----


LABEL_METRICS = ["segment-f1", "segment-f1(ignore=x)", "nce", "mof", "label-edit", "windowdiff"]
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
    expected = ss.score(*paths, LABEL_METRICS, on_undefined="nan")
    table = table_of(refs, hyps)
    columns: dict[str, Any] = {**LABELLED, "metrics": LABEL_METRICS}
    words = pl.col("rl", "hl").cast(pl.List(pl.Categorical))
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=17))
    polars = pl.from_arrow(table)
    for frame in (table, polars, polars.with_columns(words), table.to_pandas(), batches):
        found = ss.score_frame(frame, "ref", "hyp", "n", "doc", **columns)
        for metric in LABEL_METRICS:
            values = np.array(found[metric].to_numpy(), float)
            assert np.array_equal(values, expected[metric].values, equal_nan=True), metric
    rows = ss.score_frame(
        table.append_column("g", [["g"] * 200]), "ref", "hyp", "n", statistics=True, **columns
    )
    groups = ss.Result.from_sums(rows, "g")
    for metric in LABEL_METRICS:
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
