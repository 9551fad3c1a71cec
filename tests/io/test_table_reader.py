"""The one reader of tables: a table of cases, and a table of files that are refused."""

import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import masses
from remarks import each_matches

Case = tuple[str, str, dict[str, Any], Any]
MARKED = "document,unit,text,Ann,Bob\nd,1,a,,-\n,2,b,x,no\n,3,c,,YES\n,,,,\ne,1,e,,\n,2,f,,✓\n"
LONG = (
    "doc_id;annotator;sentence_id;boundary\nd;a;1;0\nd;a;2;1\nd;a;3;0\nd;b;1;1\nd;b;2;0\nd;b;3;0\n"
)
STORIES = "Story;Nr;Satz;Ann;Bob\ns1;1;A sheep.;;\n;2;A wood.;x;\n;3;A wolf.;;x\ns2;1;A train.;;\n;2;Late.;x;x\n"
FORM = "When,Name,Text,Where,Sentences\n"
FORM_COLUMNS = {"coder": "Name", "document": "Text", "n_units": "Sentences"}

# file, content, options, {document: {coder: masses}}
CASES: dict[str, Case] = {
    # a row per unit
    "ends": ("x.csv", LONG, {"marks": "end"}, {"d": {"a": [2, 1], "b": [1, 2]}}),
    "starts": ("x.csv", LONG, {"marks": "start"}, {"d": {"a": [1, 2], "b": [3]}}),
    "gaps": ("x.csv", LONG, {"marks": "gaps"}, {"d": {"a": [2, 2], "b": [1, 3]}}),
    "tabs": ("x.tsv", LONG.replace(";", "\t"), {"marks": "end"}, {"d": {"a": [2, 1], "b": [1, 2]}}),
    "own names": ("x.csv", LONG.replace("boundary", "y"), {"marks": "end", "columns": {"boundary": "y"}}, {"d": {"a": [2, 1], "b": [1, 2]}}),
    "any order, from 0": ("x.csv", "doc,coder,unit,segment\nd,a,2,q\nd,a,0,p\nd,a,1,p\n", {}, {"d": {"a": [2, 1]}}),
    "the file names the coder": ("x.csv", "doc_id,segment_id\nd,u\nd,u\nd,v\n", {"coder": "ann"}, {"d": {"ann": [2, 1]}}),
    "decimal commas": ("x.csv", "doc;coder;unit;boundary\nd;a;1;0,0\nd;a;2;1,0\n", {"marks": "end"}, {"d": {"a": [2]}}),
    "x, first names": ("x.csv", "doc,coder,unit,boundary\nd,a,1,\n,a,2,x\n,b,1,\n,b,2,\n", {"marks": "start"}, {"d": {"a": [1, 1]}}),
    "names of segments": ("x.csv", "doc,coder,boundary\nd,a,intro\nd,a,plot\n", {}, {"d": {"a": [1, 1]}}),
    # people as columns
    "people": ("x.csv", MARKED, {"marks": "start"}, {"d": {"Ann": [1, 2], "Bob": [2, 1]}, "e": {"Bob": [1, 1]}}),
    "people, ends, none": ("x.csv", MARKED, {"marks": "end", "empty": "none"}, {"d": {"Ann": [2, 1], "Bob": [3]}, "e": {"Ann": [2], "Bob": [2]}}),
    "people, one ignored": ("x.csv", MARKED, {"marks": "start", "ignore_columns": ["Bob"]}, {"d": {"Ann": [1, 2]}}),
    "people, segments": ("x.csv", "document,unit,A,B\nd,1,1,1\nd,2,4,1\nd,3,4,2\n", {"marks": "ids"}, {"d": {"A": [1, 2], "B": [2, 1]}}),
    "people, two segments": ("x.csv", "document,unit,A,B\nd,1,0,1\nd,2,1,2\ne,1,0,1\ne,2,1,1\n", {"marks": "ids"}, {"d": {"A": [1, 1], "B": [1, 1]}, "e": {"A": [1, 1], "B": [2]}}),
    "people, lengths": ("x.csv", "document,unit,A,B\nd,1,2,3\nd,2,1,\n", {"marks": "masses"}, {"d": {"A": [2, 1], "B": [3]}}),
    "people, own names": ("x.csv", STORIES, {"marks": "start", "columns": {"document": "Story", "unit": "Nr", "text": "Satz"}},
                          {"s1": {"Ann": [1, 2], "Bob": [2, 1]}, "s2": {"Ann": [1, 1], "Bob": [1, 1]}}),
    "people beside times": ("talk.csv", "unit;text;start;end;ann\n1;a;0,0;2,5;\n2;b;2,5;4,0;x\n", {"marks": "start"}, {"talk": {"ann": [1, 1]}}),
    "a column that nobody named": ("x.csv", "document,unit,Ann,\nd,1,0,\nd,2,1,why?\n", {"marks": "start", "ignore_columns": ["D"]}, {"d": {"Ann": [1, 1]}}),
    "columns that nobody filled": ("x.csv", "document,unit,Ann,Unnamed: 3,\nd,1,0,,\nd,2,1,,\n", {"marks": "start"}, {"d": {"Ann": [1, 1]}}),
    # wide: people as columns, the file names the document
    "wide": ("d.csv", "paragraph,an1,an2,an3\n1,1,1,\n2,1,2,\n3,2,2,\n", {}, {"d": {"an1": [2, 1], "an2": [1, 2]}}),
    "wide, a cell for each": ("d.csv", "par;an1\n1;1.0\n2;2.0\n", {}, {"d": {"an1": [1, 1]}}),
    "wide, marks": ("d.csv", "Nr.;Anna;Bernd\n1;;x\n2;x;\n3;;\n", {"marks": "start"}, {"d": {"Anna": [1, 2], "Bernd": [3]}}),
    # levels as columns
    "levels": ("d-a.csv", "par,level1,level2\n1,0,1\n2,1,0\n3,0,0\n4,1,1\n", {}, {"d": {"a": [1, 1, 2]}}),
    # a row per segment
    "segments": ("x.csv", "document,coder,mass,label\nd,a,2,p\nd,a,1,\nd,b,3,q\n", {}, {"d": {"a": [2, 1], "b": [3]}}),
    "units of ours": ("x.csv", "document,coder,unit,segment,text\nd,a,1,1,One\nd,a,2,2,'=2\n", {}, {"d": {"a": [1, 1]}}),
    # a row per coding
    "lists": ("x.csv", 'document,coder,masses\nd,b,"[2, 3]"\nd,c,2 3\nd,e,5\n', {}, {"d": {"b": [2, 3], "c": [2, 3], "e": [5]}}),
    "boundaries": ("x.csv", "doc;coder;boundaries;n_units\nd;b;[2];5\nd;c;[];5\n", {}, {"d": {"b": [2, 3], "c": [5]}}),
    "boundaries, starts": ("x.csv", "doc;coder;boundaries;n_units\nd;b;4 7;9\n", {"marks": "start"}, {"d": {"b": [3, 3, 3]}}),
    "symbols": ("x.csv", "doc;coder;labels\nd;b;01000\n", {"marks": "end"}, {"d": {"b": [2, 3]}}),
    "a form": ("f.csv", FORM + '1,ann,t,"4, 7",10\n2,bob,t,,\n', {"columns": {**FORM_COLUMNS, "starts": "Where"}}, {"t": {"ann": [3, 3, 4], "bob": [10]}}),
    # a row per stretch of time
    "times": ("x.csv", "document;coder;start;end;label\nt;a;0;12,5;x\nt;a;12,5;20,0;y\n", {"units": "seconds:0.5"}, {"t": {"a": [25, 15]}}),
    "times without ends": ("x.csv", "document;coder;start;end;label\nt;a;0;;x\nt;a;12,5;;y\n", {"units": "seconds:0.5:20"}, {"t": {"a": [25, 15]}}),
    # lists in JSON
    "numbers of segments": ("x.json", '{"ch1": [7, 7, 3, 3, 7]}', {"marks": "ids"}, {"ch1": {"x": [2, 2, 1]}}),
    "names in JSON": ("x.json", '{"ch1": ["intro", "intro", "end"]}', {}, {"ch1": {"x": [2, 1]}}),
    "lengths in JSON": ("x.json", '{"ch1": {"ann": [2, 3, 6]}}', {"marks": "masses"}, {"ch1": {"ann": [2, 3, 6]}}),
    "starts in JSON": ("x.json", '[{"doc_id": "t", "annotator": "a", "where": [4, 7], "n_units": 10}]', {"columns": {"starts": "where"}}, {"t": {"a": [3, 3, 4]}}),
    # 0 and 1 in texts
    **{
        f"text of {text!r}": ("x.txt", text, {"marks": "end"}, {name: {"x": masses}})
        for text, name, masses in (
            ("0\n1\n0\n", "x", [2, 1]), ("0.0\n1.0\n0.0\n", "x", [2, 1]), ("False\nTrue\nFalse\n", "x", [2, 1]),
            ("0|1|0\n", "1", [2, 1]), ("0 1 0\n", "1", [2, 1]),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_read(case: str, tmp_path: Path) -> None:
    name, content, options, expected = CASES[case]
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert masses(ss.read(path, remark=lambda _: None, **options)) == expected


MARKS = {"marks": "start"}
HOLES = "".join(f"d,{i},{'' if i % 3 else 'x'},{'' if i % 5 else 'x'}\n" for i in range(1, 31))

# format, content, options, what the message names besides the file
REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    # the long form
    ("csv", "document,coder,mass\na,b,0\n", {}, r"line 2.*'a'.*'b'.*masses\[0\] is 0"),
    ("csv", "document,coder,mass\na,b,x\n", {}, "line 2.*'a'.*'b'.*mass.*'x'.*whole number"),
    ("csv", "document,coder,mass\na,b\n", {}, "line 2.*2 cells.*header"),
    ("csv", "document,coder,mass\n,b,1\n", {}, "line 2.*document.*name"),
    ("csv", "document,coder,mass\na,b,1\na,c,1\na,b,1\n", {}, "line 4.*'a'.*'b'.*second coding"),
    ("csv", "document,coder,mass\na,b,1\na,c,2\n", {}, "'a'.*'c'.*2 units.*'b' has 1"),
    ("csv", "document,coder,mass,x\na,b,1,2\n", {}, "line 1.*header is 'document,coder,mass,x'"),
    ("csv", "document,coder,mass,rank\na,b,1,1\na,b,1,1\n", {}, "line 3.*'a'.*'b'.*ranks at the end"),
    ("csv", "document,coder,mass,rank\na,b,1,\na,b,1,0\n", {}, "line 2.*'a'.*'b'.*rank.*whole number"),
    ("csv", 'document,coder,mass,types\na,b,1,"[""t""]"\na,b,1,"[""t""]"\n', {}, "line 3.*'a'.*'b'.*types at"),
    ("csv", "document,coder,mass,types\na,b,1,t\na,b,1,[]\n", {}, "line 2.*'a'.*'b'.*types.*'t'.*list"),
    ("csv", f"document,coder,mass,types\na,b,1,{'[' * 100_000}\n", {}, "line 2.*'a'.*'b'.*types.*list"),
    ("csv", "document,coder,mass,kind\na,b,1,person\na,b,1,system\n", {}, "line 3.*'a'.*'b'.*kind is 'system'"),
    ("csv", "document,coder,unit,segment\na,b,1,1\na,b,3,1\n", {}, "line 3.*'a'.*'b'.*unit is 3.*expected 2"),
    ("csv", "document,coder,unit,segment\na,b,1,1\na,b,2,3\n", {}, "line 3.*'a'.*'b'.*segment is 3"),
    ("csv", 'document,coder,mass\na,"b\nb,1\n', {}, "line 3.*unexpected end of data"),
    ("csv", f"document,coder,mass\na,b,1{'x' * 200_000}", {}, "line 2.*field larger.*131072"),
    ("csv", "document,coder,mass\r\na,\0,1\r\n", {}, "line 2.*NUL byte"),
    # wide
    ("wide", "unit,b\n1,1\n2,3\n", {}, "line 3.*'x'.*'b'.*segment is 3.*expected 1 or 2"),
    ("wide", "unit,b\n1,1\n2,\n", {}, "line 3.*'x'.*'b'.*segment.*expected 1 or 2"),
    ("wide", "unit,b\n1,0\n", {}, "line 2.*'x'.*'b'.*segment is 0.*marks="),
    ("wide", "unit,b,c\n1,1,\n2,1,1\n", {}, "line 2.*'x'.*'c'.*segment"),
    ("wide", "unit,b\n1,1\n2\n", {}, "line 3.*1 cells.*header"),
    ("wide", "unit,b\n1,1\n3,1\n", {}, "line 3.*unit is 3.*expected 2"),
    ("wide", "unit,b\n1,1\nz,1\n", {}, "line 3.*unit is z.*expected 2"),
    ("wide", "unit,b,b\n1,1,1\n", {}, "line 1.*columns are called 'b'"),
    ("wide", "unit,b,\n1,1,1\n", {}, "line 2.*column C.*no name.*ignore_columns=C"),
    ("wide", "unit\n1\n", {}, "line 1.*no coders"),
    ("wide", "unit,b\n", {}, "line 1.*rows below the header"),
    ("wide", "unit,b\r1,1\r2,x\r", {}, "line 3.*'x'.*'b'.*marks="),
    # levels
    ("levels", "par,level1\r1,0\r2,2\r", {}, r"line 3.*'x'.*levels are \[2\]"),
    ("levels", "par,level1,level2\r1,0,1\r2,0,1\r", {}, "'x'.*last unit.*every level"),
    ("levels", "par,level1\r", {}, "line 1.*'x'.*every level"),
    ("levels", "par,level2,level1\r1,1,1\r", {}, "line 1.*header is 'par,level2,level1'"),
    ("levels", "par,level1\r1,0\r3,1\r", {}, "line 3.*unit is 3"),
    ("levels", "par,level1\r1\r", {}, "line 2.*1 cells"),
    # a row per unit
    ("table", "", {}, "file is empty"),
    ("table", "doc,boundary\na,0\n", {}, "line 2.*'a'.*'x'.*such as 0.*marks=, one of start"),
    ("table", "doc,boundary\na,no\na,yes\n", {}, "line 2.*'a'.*'x'.*such as 'no'.*marks="),
    ("table", "doc,boundary\n", {}, "line 1.*rows below the header"),
    ("table", "doc,boundary\na,\n", {}, "line 2.*'a'.*'x'.*boundary is empty.*value"),
    ("table", "doc,boundary\na,0\na,\n", MARKS, "line 2.*'a'.*boundary is empty.*value"),
    ("table", "doc,boundary\n,1\n", {}, "line 2.*document.*name in each row"),
    ("table", "doc,boundary\na\n", {}, "line 2.*1 cells.*header"),
    ("table", "doc,boundary,segment\na,1,1\n", {}, "line 1.*columns 'boundary'.*'segment'"),
    ("table", "doc,doc\na,1\n", {}, "line 1.*columns are called 'doc'"),
    ("table", "doc,boundary\na,1\n", {"columns": {"unit": "z"}}, "line 1.*no column is called 'z'.*'boundary'"),
    ("table", "doc,segment\na,1\n", {"marks": "end"}, "line 1.*marks is 'end'.*'segment'"),
    ("table", "doc,unit,segment\na,1,1\na,1,1\n", {}, "line 3.*'a'.*'x'.*unit 1.*listed twice"),
    ("table", "doc,unit,segment\na,1,1\na,3,1\n", {}, "line 3.*'a'.*'x'.*unit is 3.*expected 2"),
    ("table", "doc,unit,segment\na,5,1\n", {}, "line 2.*'a'.*'x'.*unit is 5.*count from 0 or 1"),
    ("table", "doc,unit,segment\na,,1\n", {}, "line 2.*'a'.*'x'.*unit has no number"),
    ("table", "doc,kind,segment\na,person,1\na,system,1\n", {}, "line 3.*'a'.*'x'.*kind is 'system'"),
    # people as columns: the first rows, and what decides
    ("table", "doc,x\na,7\n", {}, "line 1.*begins 'doc, x / a, 7'.*boundary=NAME"),
    ("table", MARKED, {}, "line 1.*begins 'document, unit, text, Ann, Bob / .*marks=, one of start"),
    ("table", "name,x\na,7\n", {"marks": "ids"}, "line 1.*begins 'name, x / a, 7'.*boundary=NAME"),
    ("table", "document,unit,A,note,min\nd,1,,,\nd,2,x,p. 3,12\n", MARKS, "line 3.*'note' has 'p. 3'.*line 3.*'min' has '12'.*ignore_columns=note,min"),
    ("table", f"document,unit,Ann,Bob\n{HOLES}Sum,,10,6\n", MARKS, "line 32.*'Ann' has '10'.*line 32.*'Bob' has '6'"),
    ("table", "document,unit,A,B\nd,1,0,1\nd,2,1,1\nd,3,0,2\n", {"marks": "ids"}, "line 1.*'A' hold marks.*'B' segments.*ignore_columns=A"),
    ("table", "document,unit,A,\nd,1,0,\nd,2,1,why?\n", MARKS, "line 3.*column D has no name.*ignore_columns=D"),
    ("table", STORIES.replace("Story", "Text"), {**MARKS, "ignore_columns": ["Nr", "Satz"]}, "line 1.*'Text, Nr, Satz.*document=Text"),
    ("table", STORIES, MARKS, "line 2.*'Story' has 's1'.*'Nr' has '2'.*'Satz'.*document=, unit= or text=NAME"),
    ("table", MARKED.replace("e,1", ",1"), MARKS, "line 6.*'d'.*unit 1.*listed twice.*document=NAME"),
    ("table", "document,unit,A\nd,1,\nd,2,(start)\n", MARKS, "line 2.*'d'.*'A'.*beside unit 2.*slipped"),
    ("table", "document,unit,A\nd,1,\nd,2,\n", MARKS, "line 1.*no cell of 'A'.*empty='none'"),
    # lists in a cell
    ("table", "doc,masses\na,x\n", {}, "line 2.*'a'.*'x'.*masses.*'x'.*list"),
    ("table", "doc,masses\na,\n", {}, "line 2.*'a'.*'x'.*masses.*None.*list"),
    ("table", 'doc,masses\na,"[1,0]"\n', {}, r"line 2.*'a'.*'x'.*masses\[1\] is 0"),
    ("table", "doc;boundaries;n_units\na;[3];3\n", {}, "line 2.*'a'.*'x'.*boundary 3.*outside.*3 units"),
    ("table", "doc;boundaries\na;3\n", {}, "line 2.*'a'.*'x'.*n_units is missing.*text="),
    ("table", "doc;boundaries;n_units\na;3;4\n", {"marks": "gaps"}, "line 1.*marks is 'gaps'.*'boundaries'"),
    ("table", "doc;starts;n_units\na;0 4;9\n", {}, "line 2.*'a'.*'x'.*starts\\[0\\] is 0: expected 1 … 9"),
    ("table", "doc;starts;n_units\na;4 4;9\n", {}, "line 2.*'a'.*'x'.*lists 4 twice"),
    # stretches of time
    ("table", "doc;start;end\na;x;2\n", {}, "line 2.*start is 'x'.*seconds"),
    ("table", "doc;start;end\na;3;2\n", {}, "line 2.*end is 2.*after the start"),
    ("table", "doc;start;end\na;3;4\n", {}, "'a'.*'x'.*does not say"),
    # labels in JSON
    ("labels", '{"a": [0, 1]}', {}, "'a'.*'x'.*such as 0.*marks="),
    ("labels", '{"a": {"b": [0, 1]}}', {}, "'a'.*'b'.*such as 0.*marks="),
    ("labels", '{"a": [true, false]}', {}, "'a'.*'x'.*such as 1.*marks="),
    ("labels", '{"a": []}', {}, "'a'.*'x'.*such as nothing"),
    ("labels", '{"a": {}}', {}, "document 'a' is empty.*coder"),
    ("labels", '{"a": 5}', {}, "'a'.*'x'.*5.*entry per unit"),
    ("labels", '{"": [0]}', {}, "document.*name"),
    ("labels", "{}", {}, "labels per unit"),
    ("labels", "[]", {}, "labels per unit"),
    ("labels", "3", {}, "3.*labels per unit"),
    ("labels", '[{"labels": [0, 1]}]', {}, "'1'.*'x'.*such as 0.*marks="),
    ("labels", '[{"x": 1}]', {}, "0 keys.*there is 'x'.*columns="),
    ("labels", '[{"labels": [0], "masses": [1]}]', {}, "2 keys.*'masses'"),
    ("labels", '{"labels": [0]}\n{"labels": 3, "doc": true}', {}, "line 1.*'1'.*'x'.*such as 0"),
    ("labels", '{"labels": [0]}\n{"labels": 3, "doc": true}', {"marks": "end"}, "line 2.*document is True"),
    ("labels", '{"a": [0', {}, "line 1.*JSON.*column 9"),
    ("labels", '{"a": [[0]]}', {}, r"'a'.*'x'.*such as \[0\]"),
    ("labels", '{"a": [7, 7]}', {}, "'a'.*such as 7.*ids"),
]  # fmt: skip
FILES = {"levels": "x-b.csv", "labels": "x.json"}


@pytest.mark.parametrize(("kind", "content", "options", "token"), REFUSED)
def test_refused(
    kind: str, content: str, options: dict[str, Any], token: str, tmp_path: Path
) -> None:
    path = tmp_path / FILES.get(kind, "x.csv")
    path.write_bytes(content.encode())
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, kind, remark=lambda _: None, **options)
    assert re.search(f"{path.name}.*{token}", str(error.value).replace(str(tmp_path), ""))


def test_what_a_reader_understood_is_told(tmp_path: Path) -> None:
    """Which words are marks, and who did not code what."""
    path = tmp_path / "x.csv"
    path.write_text("doc,coder,unit,boundary\nd,a,1,\nd,a,2,x\nd,b,1,\nd,b,2,\n")
    told: list[str] = []
    ss.read(path, marks="start", remark=told.append)
    assert each_matches(told, "'x' .1. as marks, blank .1.", r"1 column empty.*b \(d\)")


def test_a_folder_of_labels_in_txt(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("0\n1\n0\n")
    for name in (None, "gaps"):
        corpus = ss.read(tmp_path, name, marks="end", coder="x")
        assert {each: corpus[each]["x"].masses.tolist() for each in corpus} == {
            "a": [2, 1],
            "b": [2, 1],
        }
    with pytest.raises(ss.SegmentationError, match="a.txt"):
        ss.read(tmp_path)


# ---- each format that has labels gives them to the segments, and metrics of labels take them ----


@pytest.mark.parametrize("suffix", ["txt", "tsv", "csv"])
@pytest.mark.parametrize(
    ("text", "masses"),  # by marks start, end, gaps and ids
    [
        ("0\n1\n0\n0\n1\n", {"x": ([1, 3, 1], [2, 3], [2, 3, 1], [1, 1, 2, 1])}),
        ("0100\n001\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2]), "2": ([2, 1], [3], [3, 1], [2, 1])}),
        ("0 1 0 0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("0,1,0,0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0100\n", {"d": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0\nd\t1\ne\t0\ne\t0\n", {"d": ([1, 1], [2], [2, 1], [1, 1]), "e": ([2], [2], [3], [2])}),
    ],
)  # fmt: skip
def test_zeros_and_ones_are_what_marks_says(
    tmp_path: Path, suffix: str, text: str, masses: dict[str, tuple[list[int], ...]]
) -> None:
    path = tmp_path / f"x.{suffix}"
    path.write_text(text)
    with pytest.raises(ss.SegmentationError, match=r"marks.*start.*end.*gaps") as error:
        ss.read(path)
    first = next(iter(masses.values()))
    for marks, reading in zip(("start", "end", "gaps"), first, strict=False):
        assert f"{marks} gives masses {', '.join(map(str, reading))}" in str(error.value)
    for at, marks in enumerate(("start", "end", "gaps", "ids")):
        corpus = ss.read(path, marks=marks)  # type: ignore[arg-type]
        assert {name: corpus[name]["x"].masses.tolist() for name in corpus} == {
            name: readings[at] for name, readings in masses.items()
        }
    if " " not in text and "," not in text and "d\t0\n" not in text:
        assert ss.read(path, "gaps")  # who names the format needs no marks


def test_cells_of_zeros_and_ones_need_names(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("0\t1\t0\n1\t0\t0\n")
    for marks in (None, "start"):
        with pytest.raises(ss.SegmentationError, match="names the columns"):
            ss.read(tmp_path / "x.tsv", marks=marks)  # type: ignore[arg-type]
