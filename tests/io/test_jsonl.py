"""JSON Lines: the compiled scanner reads as the standard library does; the schema says the same."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora
from segscore.corpus.codings import CodingsBuilder
from segscore.corpus.provenance import Provenance
from segscore.corpus.record import Record, fields_from_record
from segscore.io import convert, read_columns, read_records
from segscore.io import files as files_module
from segscore.io.files import Source
from segscore.io.format import FEATURES
from segscore.io.formats.jsonl import read_jsonl

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "docs" / "jsonl.schema.json").read_text())
)

numbers = st.one_of(
    st.integers(0, 9), st.sampled_from([10**15, 2**53, 2**53 + 1, 10**17, -1, 1.0, True, None, "1"])
)
lists = st.one_of(
    st.lists(st.integers(1, 9), min_size=1, max_size=6), st.lists(numbers, max_size=4)
)
ascending = st.sets(st.integers(1, 30), max_size=6).map(sorted)
names = st.one_of(st.sampled_from(["a", "b", "c", "é", 'q"', "\\", "", "\u2028", "x\ty"]), numbers)
places = st.lists(numbers, max_size=2)
told = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "finished": st.sampled_from([True, False, None, 1]),
        "seconds": numbers,
        "unsure": places,
        "comments": st.lists(
            st.fixed_dictionaries({"after": numbers, "text": names | st.none()}), max_size=2
        ),
        "prefilled": names | st.none(),
        "practice": st.sampled_from([False, None, "no"]),
        "page": names,
        "exported": st.sampled_from(["2026-05-04T12:03:00Z", "2026-05-04", "today", 5]),
        "units": st.sampled_from(["sha256:" + 64 * "a", "sha256:a", "", None]),
    },
)
members = st.one_of(
    st.tuples(st.just("document"), names),
    st.tuples(st.just("coder"), names),
    st.tuples(st.just("masses"), lists),
    st.tuples(st.just("boundaries"), st.one_of(ascending, lists)),
    st.tuples(st.just("n_units"), st.one_of(st.just(31), numbers)),
    st.tuples(st.just("group"), names),
    st.tuples(st.just("ranks"), lists),
    st.tuples(st.just("kind"), st.sampled_from(["person", "system", "dog", None])),
    st.tuples(st.just("coders"), st.sampled_from(["global", "local", "here", None])),
    st.tuples(st.just("units"), st.lists(names, max_size=4)),
    st.tuples(st.sampled_from(["labels", "segment_labels"]), st.lists(names, max_size=4)),
    st.tuples(st.just("annotation"), told),
)
labels = st.lists(
    st.one_of(
        st.none(), st.sampled_from(["a", "b", "é, ]", 'q"', "", "\\", ["a", "b"], ["a"], []])
    ),
    max_size=4,
)
some_labels = st.sampled_from([[None], ["x"], ["x", "y"], [None, "é, ]"], ["x", "y", "x"]])
plain = st.tuples(
    st.tuples(st.just("document"), st.text("abcdé", min_size=1)),
    st.one_of(
        st.tuples(st.tuples(st.just("masses"), st.lists(st.integers(1, 99), min_size=1))),
        st.tuples(st.tuples(st.just("boundaries"), ascending), st.just(("n_units", 31))),
    ),
    st.lists(st.tuples(st.just("coder"), st.sampled_from(["x", "y", "ü", "\\"])), max_size=1),
    st.lists(
        st.tuples(
            st.sampled_from(["segment_labels", "segment_labels", "labels"]), labels | some_labels
        ),
        max_size=1,
    ),
).map(lambda parts: [parts[0], *parts[1], *parts[2], *parts[3]])
labelled = st.lists(
    st.tuples(st.integers(1, 9), labels.filter(bool).map(lambda label_list: label_list[0]))
).map(
    lambda parts: [
        ("document", "a"),
        ("masses", [mass for mass, _ in parts]),
        ("segment_labels", [label for _, label in parts]),
    ]
)

texts = st.lists(
    st.sampled_from(["s", "é", 'q"', "\n", "", "😀", "\\u0041"]), min_size=1, max_size=3
).map(
    lambda units: [
        ("document", "a"),
        ("units", units),
        ("group", "g"),
        *([("masses", [1] * len(units)), ("kind", "person")] if len(units) > 1 else []),
    ]
)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A line: plain, unusual or wrong; then perhaps damaged."""
    kind = draw(st.sampled_from(["plain", "plain", "labelled", "texts", "any", "damaged", "blank"]))
    if kind == "blank":
        return draw(st.sampled_from([b"", b" ", b"\t "]))
    content = {"any": st.lists(members, max_size=5), "labelled": labelled, "texts": texts}
    pairs = draw(content.get(kind, plain | labelled | texts))
    pairs = draw(st.permutations(pairs))
    colon, comma = draw(st.sampled_from([(":", ","), (": ", ", "), ("\t:  ", " ,\t")]))
    ascii_only = draw(st.booleans())
    text = comma.join(
        json.dumps(key) + colon + json.dumps(value, ensure_ascii=ascii_only) for key, value in pairs
    )
    data = ("{" + text + "}").encode()
    if kind == "damaged":
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.binary(max_size=2)) + data[place + draw(st.integers(0, 2)) :]
    return data


def outcome(read: Any) -> Any:
    try:
        columns = read()
    except ss.SegmentationError as error:
        return str(error)
    rows = range(len(columns))
    codings = [(columns.document(i), columns.coder(i), columns.segmentation(i)) for i in rows]
    return codings, dict(columns.texts)


@settings(max_examples=4 * settings.default.max_examples)
@example([b'{\r"document":"a","masses":[1]}'], b"\n", False)
@given(st.lists(lines(), max_size=6), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.booleans())
def test_the_scanner_reads_as_the_standard_library_does(
    content: list[bytes], end: bytes, last: bool
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_bytes(end.join(content) + (end if last else b""))
        scanned = outcome(lambda: read_columns(path, "jsonl"))
        source = Source(path, path.stem, path.stem)
        parsed = outcome(lambda: CodingsBuilder().add_all(read_jsonl(source)).codings())
    assert scanned == parsed


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("block", [4, 5, 7, 50, 64, 1000])
def test_blocks_may_cut_lines_anywhere(
    block: int, end: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "BLOCK", block)
    rows = [
        {"document": f"d{i}", "coder": "c", "masses": [1] * (i + 1)}
        | ({"ranks": [2] * i} if i % 3 == 0 else {})
        for i in range(20)
    ]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + end.join(json.dumps(row).encode() for row in rows))
    corpus = ss.Corpus.from_rows(rows)
    assert ss.read(path) == corpus
    columns = read_columns(path)
    assert {name: columns.segmentation(row) for row, name in enumerate(columns.documents)} == {
        name: document["c"] for name, document in corpus.items()
    }


def test_unusual_but_right_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"document": "caf\\u00e9", "gaps": "010", "coder": null}\n'
        '{"document": "b", "segment_ids": ["i", "i", "j"], "labels": ["x", ["y", "z"]]}\n'
        '{"document": "c", "spans": [[0, 2], [2, 3]], "types": ["t"]}\n'
        '{"document": "d", "boundaries": [2, 1], "units": ["x", "y", "z"], "ranks": [1, 2]}\n'
        '{"document": "e", "units": ["x"]}\n'
    )
    corpus = ss.read(path)
    assert list(corpus) == ["café", "b", "c", "d", "e"]
    assert corpus["café"]["x"].masses.tolist() == [2, 2]  # no coder is named: the file is
    assert corpus["b"].labels["x"] == (frozenset("x"), frozenset("yz"))
    assert corpus["c"]["x"].types == (frozenset("t"),)
    assert corpus["d"]["x"].ranks is not None
    assert corpus["d"]["x"].ranks.tolist() == [2, 1]
    assert len(corpus["e"]) == 0
    assert corpus["e"].n_units == 1
    assert list(ss.read(path, coder="me")["b"]) == ["me"]
    columns = read_columns(path)
    assert list(columns.documents) == ["café", "b", "c", "d", "e"]
    assert sorted(columns.details) == [1, 2, 3]


def test_labels_by_both_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"document":"a","masses":[2],"segment_labels":["x"],"labels":["x"]}\n')
    for read in (ss.read, read_columns):
        with pytest.raises(ss.SegmentationError, match="labels and segment_labels are given"):
            read(path)


# ---- documents without a name, and JSON that is no JSON Lines ----

BARE = '{"boundaries": [2, 5], "n_units": 11}'
PRETTY = BARE.replace("{", "{\n  ").replace("11", "11\n")


@pytest.mark.parametrize(
    ("name", "content"),
    [("ch1.jsonl", BARE), ("ch1.json", BARE), ("ch1.json", PRETTY), ("ch1.json", f"[{BARE}]")],
)
def test_a_single_coding_is_called_like_its_file(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    coding = ss.Segmentation.from_masses([2, 3, 6])
    assert ss.read(path) == ss.Corpus.from_dict({"ch1": {"ch1": coding}})
    columns = read_columns(path)
    assert (list(columns.documents), columns.n_units.tolist()) == (["ch1"], [11])


@pytest.mark.parametrize("named", [BARE, '{"document": "b", "masses": [1, 2]}'])
@pytest.mark.parametrize("first", [True, False])
def test_of_several_codings_each_names_its_document(
    tmp_path: Path, named: str, first: bool
) -> None:
    lines = [BARE, named] if first else [named, BARE]
    missing = 1 if BARE in lines[:1] else 2
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    (tmp_path / "x.json").write_text(f"[{', '.join(lines)}]")
    for read in (ss.read, read_columns):
        for name, place in (("x.jsonl", f", line {missing}"), ("x.json", f": entry {missing}")):
            with pytest.raises(ss.SegmentationError, match="document is missing") as error:
                read(tmp_path / name)
            assert f"{name}{place}: document is missing" in str(error.value)
            assert re.search("each of several codings", str(error.value))


# ---- the schema ----


@given(corpora(frozenset(FEATURES)))
def test_what_we_write_satisfies_the_schema(corpus: ss.Corpus) -> None:
    for record in corpus.records():
        SCHEMA.validate(fields_from_record(record))


@given(st.lists(members, max_size=5))
def test_what_we_read_satisfies_the_schema(pairs: list[tuple[str, Any]]) -> None:
    fields = dict(pairs)
    try:
        ss.Corpus.from_rows([{"coder": "c", **fields}])
    except ss.SegmentationError:
        return
    SCHEMA.validate(fields)


GOOD = {"document": "a", "coder": "b", "masses": [1, 2]}
WRONG: list[dict[str, Any]] = [
    {"masses": []},
    {"masses": [0]},
    {"masses": [2**53 + 1]},
    {"document": ""},
    {"coder": ""},
    {"mases": [1]},
    {"gaps": "012", "masses": None},
    {"ranks": [0]},
    {"types": [[]]},
    {"labels": [["a", "a"], "b"]},
    {"segment_labels": ["", "b"]},
    {"units": [1, 2, 3]},
    {"kind": "dog"},
    {"group": ""},
    {"coders": "here"},
    {"n_units": 0},
    {"spans": [[0, 1, 2]], "masses": None},
    {"annotation": {"done": True}},
    {"annotation": {"finished": "yes"}},
    {"annotation": {"seconds": -1}},
    {"annotation": {"seconds": 2**53 + 1}},
    {"annotation": {"unsure": [0]}},
    {"annotation": {"unsure": [1, 1]}},
    {"annotation": {"comments": [{"after": 1}]}},
    {"annotation": {"comments": [{"after": 1, "text": "x" * 100_001}]}},
    {"annotation": {"practice": 0}},
    {"annotation": {"page": "x" * 1001}},
    {"annotation": {"units": "md5:0"}},
]


def test_the_schema_is_one_and_takes_what_is_good() -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    SCHEMA.validate(GOOD)


@pytest.mark.parametrize("change", WRONG)
def test_schema_and_reader_refuse_the_same(change: dict[str, Any]) -> None:
    row = {**GOOD, **change}
    with pytest.raises(jsonschema.ValidationError):
        SCHEMA.validate(row)
    with pytest.raises(ss.SegmentationError):
        ss.Corpus.from_rows([row])


# ---- the first line of JSON Lines says how units were formed ----


ALL_OF_IT = Provenance(
    ("seconds:1:1200",), ("snap",), ("tier ä",), (("mask", "2 parts 35 units"), ("align", "words"))
)


def test_how_units_were_formed_is_kept(tmp_path: Path) -> None:
    records = [Record("d", "a", ss.Segmentation.from_masses([2, 3]), ("v", "w", "x", "y", "z"))]
    corpus = ss.Corpus.from_rows(records, provenance=ALL_OF_IT)
    path = tmp_path / "x.jsonl"
    ss.write(corpus, path)
    again = ss.read(path)
    assert again == corpus
    assert again.provenance == again["d"].provenance == ALL_OF_IT
    assert read_columns(path).provenance == ALL_OF_IT
    assert list(read_records(path)) == records
    (line,) = path.read_text().splitlines()  # each line is a coding
    SCHEMA.validate(json.loads(line))
    assert json.loads(line)["masses"] == [2, 3]
    expected = ss.score(corpus, corpus, "b")["b"].micro.signature
    assert "units:seconds:1:1200|policy:snap|" in expected
    assert ss.score(path, path, "b")["b"].micro.signature == expected
    convert(path, tmp_path / "y.jsonl")
    assert (tmp_path / "y.jsonl").read_bytes() == path.read_bytes()
    ss.write(ss.Corpus.from_rows(records), path)
    assert "provenance" not in path.read_text()  # nothing to say


def test_files_with_other_units_are_not_mixed(tmp_path: Path) -> None:
    line = '{"provenance":{"units":["seconds:%d"]},"document":"%s","coder":"a","masses":[2,3]}\n'
    (tmp_path / "a.jsonl").write_text(line % (1, "d"))
    (tmp_path / "b.jsonl").write_text(line % (6, "e"))
    (tmp_path / "c.jsonl").write_text(
        '\n{"document":"e","coder":"a","masses":[2,3], "provenance" : {"units":["seconds:1"]} }\r\n'
    )
    with pytest.raises(ss.SegmentationError, match="b.jsonl.*same size"):
        ss.read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    both = ss.read([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])
    assert both.provenance.fields == {"units": "seconds:1"}
    (tmp_path / "b.jsonl").write_text(line % (6, "d"))
    with pytest.raises(ss.SegmentationError, match="cannot pair"):
        ss.score(tmp_path / "a.jsonl", tmp_path / "b.jsonl", "b")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{"units":"seconds:1"}', "units is 'seconds:1'"),
        ('{"units":[1]}', "units.*1.*list of texts"),
        ('{"unit":["x"]}', "expected {.units"),
        ("7", "provenance is 7: expected"),
        ('{"choices":[["x","y"]]}', "choices is .*: expected pairs"),
        ('{"choices":["mask"]}', "choices is .*: expected pairs"),
        ('{"choices":7}', "choices is 7: expected pairs"),
        ('{"units":["\\ud800"]}', "half a surrogate pair"),
        ("{", "not JSON"),
        ('{},"provenance":{}', "'provenance' .str. is given twice"),
        ('{},"masses":[9]', "'masses' .str. is given twice"),
    ],
)
def test_bad_first_lines(tmp_path: Path, given: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"provenance":{given},"document":"d","coder":"a","masses":[2,3]}}\n')
    for read in (ss.read, read_columns, lambda source: list(read_records(source))):
        with pytest.raises(ss.SegmentationError, match=f"x.jsonl, line 1: .*{message}"):
            read(path)


def concatenated(path: Path, *units: str) -> Path:
    """Three files in one; the first line of each names its units, if they have a name."""
    lines = []
    for name, unit in zip("abc", units, strict=True):
        provenance = f'"provenance":{{"units":["{unit}"]}},' if unit else ""
        mark = "\ufeff" if name == "b" else ""
        lines.append(f'{mark}{{{provenance}"document":"{name}","coder":"a","masses":[2,3]}}\n')
        lines.append(f'{{"document":"{name}{name}","coder":"a","masses":[4]}}\n')
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "units", [("", "words", ""), ("words", "words", "words"), ("", "", "words")]
)
def test_concatenated_files_are_read(tmp_path: Path, units: tuple[str, ...]) -> None:
    """They were refused: only the first line could say how units were formed."""
    path = concatenated(tmp_path / "x.jsonl", *units)
    corpus = ss.read(path)
    assert list(corpus) == ["a", "aa", "b", "bb", "c", "cc"]
    assert corpus.provenance.units == ("words",)
    assert read_columns(path).provenance == corpus.provenance
    convert(path, tmp_path / "y.jsonl")
    assert ss.read(tmp_path / "y.jsonl").provenance == corpus.provenance
    assert ss.read(path).rename({"a": "ann"}).provenance == corpus.provenance
