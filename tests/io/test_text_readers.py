"""Wiki-727K, Markdown and plain text."""

import re
from pathlib import Path

import pytest

from io_reading_tools import fields, message

WIKI = """\
========,1,preface.
The preface.
It has two sentences.
========,2,History, in short.
========,3,Early days.
***LIST***.
========,2,Now.
The end.

"""


def test_wiki727k(tmp_path: Path) -> None:
    path = tmp_path / "42.wiki"
    path.write_text(WIKI)
    expected = {
        "document": "42", "coder": "42", "masses": [2, 1, 1], "ranks": [1, 1],
        "units": ["The preface.", "It has two sentences.", "***LIST***.", "The end."],
        "segment_labels": ["preface", "Early days", "Now"],
    }  # fmt: skip
    assert fields(path) == [expected]
    for end in ("\r\n", "\r"):
        path.write_bytes(b"\xef\xbb\xbf" + WIKI.replace("\n", end).encode())
        assert fields(path) == [expected]
    path.write_text("========,1,preface.\na\n========,2,One, two, three.\nb\n========,3,Sub.\nc\n")
    (found,) = fields(path, coder="reference")
    assert (found["coder"], found["ranks"]) == ("reference", [1, 2])
    assert found["segment_labels"] == ["preface", "One, two, three", "Sub"]
    bare = tmp_path / "17"  # as the corpus has them: without a suffix
    bare.write_text(WIKI)
    assert fields(bare)[0]["masses"] == [2, 1, 1]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"hello\n", r"x\.wiki.*line 1.*'hello'.*a heading"),
        (b"========,1,a.\nb\n========,c\n", r"x\.wiki, line 3: '========,c'.*a heading"),
        (b"========,1,a.\n========,2,b.\n",
         r"x\.wiki.*below any heading"),
        (b"", r"x\.wiki.*below any heading"),
        (b"========,1,a.\nb\0\n", r"x\.wiki.*line 2.*NUL byte"),
        (b"========,1,a.\n\xe9\n", r"x\.wiki.*line 2.*byte 0xe9.*utf-8"),
        ("========,1,a.\nb\n".encode("utf-16"),
         r"x\.wiki.*file is UTF-16"),
    ],
)  # fmt: skip
def test_wiki727k_malformed(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.wiki"
    path.write_bytes(content)
    assert re.search(expected, message(path, "wiki-727k"))


MARKDOWN = """\
Before any heading.

# First #

A paragraph
of two lines. With two sentences.

```
# no heading

## nor this
```

Second
------
Text.

#no heading

### Third
More.
"""


def test_markdown(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(MARKDOWN)
    assert fields(path) == [{
        "document": "x", "coder": "x", "masses": [1, 2, 2, 1], "ranks": [1, 2, 3],
        "units": ["Before any heading.", "A paragraph of two lines. With two sentences.",
                  "``` # no heading ## nor this ```", "Text.", "#no heading", "More."],
        "segment_labels": [None, "First", "Second", "Third"],
    }]  # fmt: skip
    assert fields(path, units="lines")[0]["masses"] == [1, 6, 2, 1]
    assert fields(path, units="sentences")[0]["masses"] == [1, 3, 2, 1]
    assert fields(path, units="words")[0]["masses"] == [3, 16, 3, 1]
    path.write_text("Title\n===\n***\n---\n")  # rules are no text
    assert re.search(r"x\.md.*below any heading", message(path))
    path.write_text("One\n\n---\n\nTwo\nlines\n===\nText.\n")  # a rule; a title of two lines
    assert fields(path)[0]["units"] == ["One", "Text."]
    assert fields(path)[0]["segment_labels"] == [None, "Two lines"]
    assert re.search(r"x\.md.*units is 'seconds:6'", message(path, units="seconds:6"))


def test_what_is_no_unit_in_markdown(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(
        "---\ntitle: A # b\n---\n\nIntro.\n\n<!-- # no heading\nTitle\n===\n-->\n- item\n---\n"
        "More.<!-- x --> Yes.\n\n> quoted\n---\n\n```\n<!-- code -->\n```\n\nTwo\nlines\n---\nEnd.\n"
    )
    (found,) = fields(path)
    assert found["units"] == [
        "Intro.", "- item", "More. Yes.", "> quoted", "``` <!-- code --> ```", "End.",
    ]  # fmt: skip
    assert found["segment_labels"] == [None, "Two lines"]
    path.write_text("---\nno front matter, for it does not end\n")
    assert fields(path)[0]["units"] == ["no front matter, for it does not end"]


def test_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\r\na\r\nb c.\r\n  \r\n\r\ndo. End.\r\n\r\n")
    assert fields(path) == [
        {"document": "x", "coder": "x", "masses": [2, 1], "units": ["a", "b c.", "do. End."]}
    ]
    assert fields(path, units="sentences")[0]["units"] == ["a b c.", "do.", "End."]
    assert fields(path, units="words")[0]["masses"] == [3, 2]
    assert re.search(r"x\.txt.*units is 'paragraphs'", message(path, units="paragraphs"))
    path.write_text(" \n")
    assert re.search(r"x\.txt.*below any heading", message(path))


def test_folders_hold_texts_only_if_asked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\nx\n")
    (tmp_path / "b.wiki").write_text(WIKI)
    assert [record["document"] for record in fields(tmp_path)] == ["b"]
    assert [record["document"] for record in fields(tmp_path, "markdown")] == ["a"]


@pytest.mark.parametrize(
    "labels",
    ["B I I\nB I", "B\nO\nI", "B-x\nI-x\n\nB-y", "BIIBII\nBII", "x y x y", "BIIBI", "a a b",
     "B | I | I", "1 2 2 3", "10\n2\n31", "yes\nno\nno"],
)  # fmt: skip
def test_labels_are_no_text(tmp_path: Path, labels: str) -> None:
    """Two such files had one segment each, and a perfect score."""
    path = tmp_path / "x.txt"
    path.write_text(labels)
    assert f"labels, such as '{labels.partition(chr(10))[0].partition(' ')[0]}'" in message(path)
    for text in ("B", "I B-team", "Be it so.", "BIO I see.", "a b", "no, no"):
        path.write_text(text)
        assert fields(path)
