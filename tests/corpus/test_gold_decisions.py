"""`annotation.adjudication` on a line: what is read, and what is refused."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss

GOOD: dict[str, Any] = {
    "within": 1, "accept": 1.0, "reject": 0.0, "added": [4],
    "decisions": [
        {"place": [1, 2], "decision": 2, "by": "adjudicator"},
        {"place": [3], "decision": "drop", "by": "rule"},
        {"place": [5], "decision": None, "by": None},
    ],
    "counts": {"places": 3, "rule": 1, "adjudicator": 1, "open": 1, "dropped": 1, "added": 1},
}  # fmt: skip


def read(adjudication: Any, folder: Path) -> ss.Corpus:
    row = {
        "document": "d", "coder": "gold", "kind": "consensus", "boundaries": [2, 4], "n_units": 6,
        "annotation": {"adjudication": adjudication},
    }  # fmt: skip
    (folder / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    return ss.read(folder / "gold.jsonl")


def test_counts_need_not_be_there(tmp_path: Path) -> None:
    given = {name: value for name, value in GOOD.items() if name != "counts"}
    assert read(given, tmp_path)["d"].annotations == read(GOOD, tmp_path)["d"].annotations


def test_it_is_read_and_written(tmp_path: Path) -> None:
    gold = read(GOOD, tmp_path)
    adjudication = gold["d"].annotations["gold"].adjudication
    assert adjudication is not None
    assert adjudication.plain() == GOOD
    ss.write(gold, tmp_path / "again.jsonl")
    assert json.loads((tmp_path / "again.jsonl").read_text())["annotation"]["adjudication"] == GOOD


@pytest.mark.parametrize(
    ("path", "wrong", "words"),
    [
        ((), [], "object with within"),
        (("more",), 1, "object with within"),
        (("within",), -1, "within is -1"),
        (("accept",), 3, "accept is 3"),
        (("reject",), "x", "reject is 'x'"),
        (("added",), [6], r"added is \[6\].*: expected positions 1 … 5"),
        (("added",), [2, 1], "expected ascending positions"),
        (("added",), 3, "added is 3.*list"),
        (("counts", "open"), 2, "counts is .*: expected {'places': 3"),
        (("decisions",), {}, "decisions is {}"),
        (("decisions", 0), 7, r"decisions\[0\] is 7"),
        (("decisions", 0, "place"), [0], "place is 0"),
        (("decisions", 0, "decision"), 3, r"decisions\[0\].decision is 3: expected 1, 2, 'drop'"),
        (("decisions", 0, "decision"), True, "decision is True"),
        (("decisions", 0, "by"), "me", "by is 'me'"),
        (("decisions", 0, "by"), None, "by is None"),
        (("decisions", 2, "by"), "rule", "by is 'rule'"),
    ],
)
def test_wrong_ones_are_refused(
    tmp_path: Path, path: tuple[Any, ...], wrong: Any, words: str
) -> None:
    given: Any = copy.deepcopy(GOOD)
    if path:
        inside = given
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = wrong
    else:
        given = wrong
    with pytest.raises(ss.SegmentationError, match=words) as raised:
        read(given, tmp_path)
    assert "document 'd', coder 'gold'" in str(raised.value)
    assert "annotation: adjudication: " in str(raised.value)
