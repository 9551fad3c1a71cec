"""Readers take time in proportion to the file, however a hostile file is written.

Four times the file may take eight times as long; what is quadratic takes sixteen times.
"""

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import segscore as ss


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


def seconds(read: Callable[[], object]) -> float:
    """The best of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        with contextlib.suppress(ss.SegmentationError):
            read()
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("case", CASES)
def test_four_times_the_file_takes_less_than_eight_times_as_long(case: str, tmp_path: Path) -> None:
    name, kind, made, options, n = CASES[case]
    path = tmp_path / name
    found = []
    for size in (n, 4 * n):
        path.write_text(made(size), "utf-8")
        found.append(seconds(lambda: ss.read(path, kind, **options)))  # type: ignore[arg-type]
    assert found[1] < 8 * found[0]


def test_frames_with_many_columns() -> None:
    from segscore.corpus.coding_tables import find_columns

    def frame(n: int) -> dict[str, list[object]]:
        return {"document": ["d"], **{f"coder{i}": [[1]] for i in range(n)}}

    def read(n: int) -> object:
        made = frame(n)
        coders = [name for name in made if name != "document"]
        return ss.Corpus.from_frame(made, document="document", coding=coders, encoding="masses")

    header = [list(frame(n)) for n in (20_000, 80_000)]
    assert seconds(lambda: find_columns(header[1], {})) < 8 * seconds(
        lambda: find_columns(header[0], {})
    )
    assert seconds(lambda: read(12_000)) < 8 * seconds(lambda: read(3_000))


def test_the_doubled_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(keys(3))
    with pytest.raises(
        ss.SegmentationError, match=r"x\.jsonl, line 1: 'k2' \(str\) is given twice"
    ):
        ss.read(path, "jsonl")


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
    with pytest.raises(
        ss.SegmentationError, match="T1: 0 3;0 3: expected offsets in order, up to 3"
    ):
        ss.read(path, units="words")
