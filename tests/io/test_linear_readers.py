"""Readers take time in proportion to the file, however a hostile file is written."""

import contextlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import segscore as ss
from growth import assert_linear


def keys(n: int) -> str:
    members = [f'"k{i}":1' for i in range(n)]
    return "{" + ",".join([*members, f'"k{n - 1}":1']) + "}\n"


def lab(n: int) -> str:
    return "".join(f"0 10 label{i}\n" for i in range(n))


def webanno(n: int) -> str:
    rows = (f"1-{i + 1}\t{2 * i}-{2 * i + 1}\tx\tlabel{i}[1]\n" for i in range(n))
    return "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n" + "".join(rows)


def wide(n: int) -> str:
    names = ",".join(f"coder{i}" for i in range(n))
    return f"unit,{names}\n1{',1' * n}\n"


def marked(n: int) -> str:
    names = ",".join(f"coder{i}" for i in range(n))
    return f"document,unit,{names}\nd,1{',1' * n}\n"


def textgrid(n: int) -> str:
    intervals = (f'{i}\n{i + 1}\n"a"\n' for i in range(n))
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n'
    return f'{head}{n}\n<exists>\n1\n"IntervalTier"\n"t"\n0\n{n}\n{n}\n' + "".join(intervals)


def dialogue(n: int) -> str:
    value = {"start": "0", "end": "0", "labels": ["a"]}
    task = {
        "id": 1,
        "data": {"turns": [{"text": "é" * n}]},
        "annotations": [
            {"completed_by": 1, "result": [{"type": "labels", "value": value}] * (n // 10)}
        ],
    }
    return json.dumps([task])


CASES = {
    "doubled JSON key": ("x.jsonl", None, keys, {}, 10_000),
    "lab, one start": ("x.lab", "lab", lab, {"units": "seconds:1"}, 8_000),
    "WebAnno, one span": ("x.tsv", "webanno-tsv", webanno, {}, 8_000),
    "wide CSV": ("x.csv", "wide", wide, {}, 8_000),
    "table, a column per coder": ("x.csv", "table", marked, {"marks": "end"}, 8_000),
    "TextGrid": ("x.TextGrid", "textgrid", textgrid, {"units": "seconds:1"}, 8_000),
    "dialogue": ("x.json", "label-studio", dialogue, {}, 20_000),
}


def read_or_refuse(path: Path, kind: str | None, **options: object) -> None:
    with contextlib.suppress(ss.SegmentationError):
        ss.read(path, kind, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES)
def test_time_follows_the_size_of_the_file(case: str, tmp_path: Path) -> None:
    name, kind, made, options, n = CASES[case]

    def reading(size: int) -> Callable[[], object]:
        path = tmp_path / str(size) / name
        path.parent.mkdir()
        path.write_text(made(size), "utf-8")
        return partial(read_or_refuse, path, kind, **options)

    assert_linear(reading, n)


def test_labels_of_one_span_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(webanno(3))
    (record,) = ss.read(path, "webanno-tsv").records()
    assert record.labels == (frozenset({"label0", "label1", "label2"}),)
    path = tmp_path / "x.lab"
    path.write_text(lab(3))
    (record,) = ss.read(path, units="seconds:1").records()
    assert record.labels == (frozenset({"label0", "label1", "label2"}),)


def test_fragments_of_brat_do_not_repeat_the_text(tmp_path: Path) -> None:
    """A line of fragments that are all the whole text would take the square of it in memory."""
    path = tmp_path / "x.ann"
    path.write_text("T1\tS 0 3;0 3\ta b a b\n")
    path.with_suffix(".txt").write_text("a b")
    with pytest.raises(ss.SegmentationError, match="T1.*0 3;0 3.*offsets in order"):
        ss.read(path, units="words")
