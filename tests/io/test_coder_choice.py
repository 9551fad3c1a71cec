"""Who is read, and what people and labels are called; files as people hand them in."""

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import segscore as ss
from segscore.io import convert
from segscore.io.read_keys import PEOPLE, key_names, options_in
from segscore.io.read_options import ReadKeywords, ReadOptions

LINES: list[dict[str, Any]] = [
    {"document": "d1", "coder": "Anna B.", "masses": [1, 2], "segment_labels": ["Récit", "dialog"],
     "units": ["a", "b", "c"]},
    {"document": "d1", "coder": "bob", "masses": [2, 1], "segment_labels": [["Récit", "x"], None]},
    {"document": "d1", "coder": "cy", "levels": [{"masses": [3], "segment_labels": ["Récit"]},
                                                 {"masses": [1, 2], "segment_labels": ["a", "b"]}]},
    {"document": "d2", "coder": "bob", "masses": [4]},
]  # fmt: skip


@pytest.fixture
def codings(tmp_path: Path) -> Path:
    path = tmp_path / "codings.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in LINES))
    return path


def test_coders_and_labels_get_other_names(codings: Path) -> None:
    corpus = ss.read(codings).rename({"Anna B.": "ann"}, {"Récit": "narration"})
    assert corpus.coders == ("ann", "bob", "cy")
    for names in ({"coders": {"eve": "x"}}, {"labels": {"eve": "x"}}):
        with pytest.raises(ss.SegmentationError, match="'eve'"):
            corpus.rename(**names)  # type: ignore[arg-type]
    assert corpus["d1"]["ann"].segment_labels == ("narration", "dialog")
    assert corpus["d1"]["bob"].segment_labels == (frozenset({"narration", "x"}), None)
    levels: Any = corpus["d1"]["cy"]
    assert levels.levels[0].segment_labels == ("narration",)
    assert corpus["d1"]["bob"].boundaries.tolist() == [2]
    with pytest.raises(ss.SegmentationError, match="document 'd1'.*coder 'bob'.*second coding"):
        ss.read(codings).rename({"cy": "bob"})


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"ignore_columns": ["coment"]}, "no column is called 'coment'"),
        ({"ignore_columns": "coment"}, "ignore_columns is 'coment'"),
        ({"durations": 5}, "durations is 5"),
        ({"empty": "no"}, r"empty is 'no' \(str\): expected"),
        ({"duplicates": "both"}, r"duplicates is 'both' \(str\): expected"),
    ],
)  # fmt: skip
def test_wrong_names(codings: Path, choice: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(codings, **choice)
    assert re.search(message, str(error.value))


def test_a_file_for_each_person(tmp_path: Path) -> None:
    """Each file was a document of its own before."""
    for name, marks in (("ann", "011"), ("bob", "001")):
        rows = "".join(f"{unit + 1},{mark}\n" for unit, mark in enumerate(marks))
        (tmp_path / f"{name}.csv").write_text(f"unit,boundary\n{rows}")
    corpus = ss.read(tmp_path, marks="start", one_document="ch1")
    assert {name: coding.masses.tolist() for name, coding in corpus["ch1"].items()} == {
        "ann": [1, 1, 1], "bob": [2, 1]
    }  # fmt: skip
    paths: Any = sorted(tmp_path.iterdir())
    assert ss.read(paths, marks="start", one_document="ch1") == corpus
    with pytest.raises(ss.SegmentationError, match=r"one_document="):
        ss.agreement(ss.read(paths, marks="start"))
    named = tmp_path / "named.jsonl"
    named.write_text('{"document":"d","coder":"a","masses":[2]}\n')
    with pytest.raises(ss.SegmentationError, match="line 1.*document 'd' is named there"):
        ss.read(named, one_document="ch1")


def test_folders_of_people_with_choi_files(tmp_path: Path) -> None:
    """Coders are `reference`; where two code one document (once an error), folders name them."""
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d1.ref").write_text("==========\na\n==========\nb\n==========\n")
    (tmp_path / "cy").mkdir()
    (tmp_path / "cy" / "d2.ref").write_text("==========\na\n==========\n")
    folders: Any = [tmp_path / name for name in ("ann", "bob", "cy")]
    assert ss.read(folders[:2]).coders == ("ann", "bob")
    assert ss.read(folders[1:]).coders == ("reference",)
    assert ss.read(folders[0]).coders == ("reference",)


def test_several_sources_are_converted_into_one(codings: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("document,coder,mass\nd2,cy,1\nd2,cy,3\n")
    convert(
        [codings, other], tmp_path / "all.jsonl", clean=lambda read: read.rename({"bob": "rob"})
    )
    assert ss.read(tmp_path / "all.jsonl") == ss.read([codings, other]).rename({"bob": "rob"})
    with pytest.raises(ss.SegmentationError, match="'rob'"):
        convert(
            [codings, other], tmp_path / "no.jsonl", clean=lambda read: read.rename({"rob": "x"})
        )
    assert not (tmp_path / "no.jsonl").exists()


# ---- keywords of `read` as texts ----


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ([], {}),
        (["marks=start", "layer=a, b=c"], {"marks": "start", "layer": "a, b=c"}),
        (["text-encoding=utf-16", "on_error=skip"], {"text_encoding": "utf-16", "on_error": "skip"}),
        (["lenient", "large=yes", "allow-gaps=no"],
         {"lenient": True, "large": True, "allow_gaps": False}),
        (["snap=3", "base=1", "similarity=0.5", r"separator=\n--\n"],
         {"snap": 3, "base": 1, "similarity": 0.5, "separator": "\n--\n"}),
        (["document=doc", "n-units=n", "unit=a,b"],
         {"columns": {"document": "doc", "n_units": "n", "unit": "a,b"}}),
        (["only-coders=a, b", "rename=a=x", "rename=b=y=z", "all-sheets"],
         {"only_coders": ("a", "b"), "rename": {"a": "x", "b": "y=z"}, "all_sheets": True}),
    ],
)  # fmt: skip
def test_values_have_the_type_of_their_keyword(given: list[str], options: dict[str, Any]) -> None:
    assert options_in(given, cleaning=True) == options


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["mark=start"], r"'mark'.*'marks'"),
        (["doc=x"], "'doc'.*did you mean 'document'"),
        (["snap=x"], "snap is 'x'.*whole number"),
        (["similarity=x"], "similarity is 'x'"),
        (["large=perhaps"], "large is 'perhaps'.*yes or no"),
        (["marks"], "'marks'.*marks=VALUE"),
        (["snap=1", "snap=2"], "snap.*twice"),
        (["document=a", "document=b"], "document.*twice"),
        (["document"], "document=VALUE"),
        (["rename=a=b"], "rename.*segscore convert"),
        (["rename=a="], "rename is 'a='"),
        (["rename=a"], "rename is 'a'.*no such file"),
        (["rename=a=b", "rename=a=c"], "rename.*'a' twice"),
    ],
)
def test_wrong_keys_are_refused(given: list[str], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        options_in(given, cleaning="segscore convert" not in message)


def test_a_command_may_take_few_keys() -> None:
    assert options_in(["large"], ["large", "lenient"]) == {"large": True}
    with pytest.raises(ss.SegmentationError, match="'snap'.*'large', 'lenient'"):
        options_in(["snap=1"], ["large", "lenient"])


def test_files_of_durations_and_names(tmp_path: Path) -> None:
    times, names = tmp_path / "times.csv", tmp_path / "names.csv"
    times.write_text("document,duration\na,1:30\n")
    names.write_text("old,new\nx,y\n")
    given = [f"durations={times}", f"rename={names}", "rename=z=w"]
    options = {"durations": {"a": 90.0}, "rename": {"x": "y", "z": "w"}}
    assert options_in(given, cleaning=True) == options


def test_keys_are_keywords_of_read() -> None:
    keywords = {name.replace("_", "-") for name in ReadKeywords.__optional_keys__}
    people = {name.replace("_", "-") for name in PEOPLE}  # chosen in what was read
    assert {*key_names(cleaning=True)} - people <= keywords


def test_keywords_of_read_are_the_options_and_of_the_same_types() -> None:
    options = get_type_hints(ReadOptions)
    del options["notes"]  # what readers understood
    assert get_type_hints(ReadKeywords) == options
    defaults = vars(ReadOptions())
    assert {name for name in options if defaults[name] is None} <= {
        name for name, kind in options.items() if type(None) in get_args(kind)
    }
