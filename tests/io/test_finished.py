"""Unfinished and practice documents of annotation pages are left out, counted and told."""

import json
import re

import pytest

import segscore as ss
from segscore.errors import SegmentationError


def line(document, coder, masses=(2, 3), *, units=None, **annotation):
    text = {} if units is None else {"units": units}
    details = {"finished": True, **annotation}
    return {"document": document, "coder": coder, "masses": list(masses), **text,
            "annotation": details}  # fmt: skip


def written(path, *lines):
    path.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    ann = written(
        tmp_path / "ann.jsonl",
        line("d1", "ann"),
        line("d2", "ann", (1, 4)),
        line("d3", "ann", finished=False),
        line("p", "ann", practice=True),
    )
    bob = written(tmp_path / "bob.jsonl", line("d1", "bob"), line("d2", "bob", finished=False))
    return [ann, bob]


def heard(path, **options):
    remarks = []
    return ss.read(path, remark=remarks.append, **options), remarks


def test_they_are_left_out_and_counted(files):
    corpus, remarks = heard(files)
    assert {name: list(document) for name, document in corpus.items()} == {
        "d1": ["ann", "bob"],
        "d2": ["ann"],
    }
    (remark,) = remarks
    assert re.search("3 codings.*2 unfinished.*1 practice.*2.*unfinished=True", remark)


def test_they_are_read_if_asked_for(files):
    corpus, remarks = heard(files, unfinished=True)
    assert remarks == []
    assert {name: list(document) for name, document in corpus.items()} == {
        "d1": ["ann", "bob"], "d2": ["ann", "bob"], "d3": ["ann"], "p": ["ann"]
    }  # fmt: skip
    assert corpus["p"].annotations["ann"].practice
    assert corpus.without_unfinished() == heard(files)[0]


def test_a_finished_coding_beside_an_unfinished_one_is_no_duplicate(tmp_path):
    path = written(
        tmp_path / "a.jsonl", line("d", "ann", (1, 4), finished=False), line("d", "ann", (2, 3))
    )
    corpus, _ = heard(path)
    assert corpus["d"]["ann"].masses.tolist() == [2, 3]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_if_nothing_is_left_it_is_an_error(tmp_path, name):
    rows = [line("d", "ann", finished=False), line("p", "ann", practice=True)]
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, rows)) if name[-1] == "l" else json.dumps(rows))
    with pytest.raises(SegmentationError) as error:
        heard(path)
    assert f"{path}: nothing is left" in str(error.value)
    assert "(1 unfinished and 1 practice)" in str(error.value)


@pytest.mark.parametrize("first", [True, False])
def test_the_text_beside_an_unfinished_coding_is_that_of_the_others(tmp_path, first):
    plain = {"document": "d", "coder": "bob", "masses": [1, 1]}
    rows = [line("d", "ann", (1, 1), units=["x", "y"], finished=False), plain]
    path = written(tmp_path / "a.jsonl", *(rows if first else rows[::-1]), line("e", "bob"))
    corpus, _ = heard(path)
    assert corpus["d"].units == ("x", "y")
    assert list(corpus["d"]) == ["bob"]


def test_a_wrong_hash_names_the_line(tmp_path):
    hashes = ["sha256:" + digit * 64 for digit in "ab"]
    a = written(
        tmp_path / "a.jsonl", line("d", "ann", units=None) | {"annotation": {"units": hashes[0]}}
    )
    b = written(
        tmp_path / "b.jsonl",
        {"document": "d", "coder": "bob", "masses": [2, 3], "annotation": {"units": hashes[1]}},
    )
    with pytest.raises(SegmentationError) as error:
        ss.read([a, b])
    assert re.search(f"{b}.*line 1.*document 'd'.*coder 'bob'.*marked another", str(error.value))
    assert "coder 'ann'" in str(error.value)
    corpus, remarks = heard([a, b], ignore_text=True)
    assert [annotation.units for annotation in corpus["d"].annotations.values()] == [
        hashes[0],
        None,
    ]
    assert len(remarks) == 1
    assert corpus.with_details(kinds={"ann": "person"}).n_codings == 2  # and it stays a corpus


# ---- commands ----
