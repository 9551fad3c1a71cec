"""Keywords of `read` as texts: each type, repeated keys, and keys that are not there."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import segscore as ss
from segscore.io.read_keys import PEOPLE, key_names, options_in
from segscore.io.read_options import ReadKeywords, ReadOptions


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
        (["doc=x"], "'doc': expected 'document', 'document-name'$"),
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
