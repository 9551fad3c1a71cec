"""The text that units were cut from, which files of text keep, and the units of
chunks of it."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import segscore as ss

GUIDE = """---
title: Guide
---
# Install

Get the wheel. Then run pip.<!-- or uv --> It takes a minute.

## Windows
Use the launcher:

```sh
# no heading

launch --now
```

Use
===
Open a terminal. Type the command.
"""
CHOI = "==========\nIt rains .\nIt pours .\n==========\nSo it goes .\n=========="
WIKI = "========,1,preface.\nIt rains.\nIt pours.\n========,2,Rest.\nSo it goes.\n"
ROWS = [{"document": "d", "coder": "a", "masses": [2, 1],
         "units": ["It rains.", "It pours.", "So it goes."]}]  # fmt: skip
READERS: dict[str, tuple[str, str, dict[str, Any]]] = {  # file, content, how it is read
    "markdown": ("d.md", GUIDE, {}),
    "markdown, headings kept": ("d.md", GUIDE, {"keep_headings": True}),
    "text": ("d.txt", "One. Two.\nThree\n\n```\na\n\nb\n```\nFour", {"format": "text"}),
    "wiki": ("d.wiki", WIKI, {}),
    "choi": ("d.ref", CHOI, {}),
    "json lines": ("d.jsonl", json.dumps(ROWS[0]) + "\n", {}),
}
RULES = (None, "sentences", "paragraphs", "lines", "words", "characters")
CASES = [
    (name, rule)
    for name, (file, _, _) in READERS.items()
    for rule in (RULES if file in ("d.md", "d.txt") else RULES[:1])  # others have their own units
    if (file, rule) != ("d.txt", "paragraphs")  # they are the segments
]


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    path = tmp_path / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "rule"), CASES)
def test_chunks_are_placed_on_the_units_that_were_read(
    name: str, rule: str | None, tmp_path: Path
) -> None:
    """Sentences of the text on one side were 11 units, paragraphs on the other 3."""
    file, content, options = READERS[name]
    path = tmp_path / file
    path.write_text(content, encoding="utf-8")
    corpus = ss.read(path, units=rule, **options)
    (document,) = corpus.values()
    (coding,) = document.values()
    text = " ".join(ROWS[0]["units"]) if file == "d.jsonl" else content  # type: ignore[arg-type]
    units = document.units_in(text)
    if rule != "characters":
        assert [" ".join(unit.split()) for unit in units.texts or ()] == [
            " ".join(unit.split()) for unit in document.units or ()
        ]
    # the segments of the reference, as chunks of the text: the reference comes back
    starts = [units.starts[boundary] for boundary in coding.boundaries]
    chunks = [text[a:b] for a, b in pairwise([0, *starts, len(text)])]
    for given in (document, corpus):
        placed = ss.chunks.place(text, chunks, units=given)
        assert placed.n_units == document.n_units
        assert placed.boundaries == tuple(coding.boundaries.tolist())
        assert ss.Segmentation.from_chunks(text, chunks, given).n_units == document.n_units
    if options.get("keep_headings"):  # all of the text is in units, and as for chunks
        by_rule = ss.chunks.place(text, chunks, rule or "sentences")
        assert by_rule.segmentation == placed.segmentation


def test_texts_are_those_of_their_files(guide: Path) -> None:
    document = ss.read(guide)["guide"]
    assert document.text == GUIDE
    assert document.units == (
        "Get the wheel. Then run pip. It takes a minute.", "Use the launcher:",
        "```sh # no heading launch --now ```", "Open a terminal. Type the command.",
    )  # fmt: skip
    units = document.units_in(GUIDE)
    assert GUIDE[slice(*units.edges(2))] == "```sh\n# no heading\n\nlaunch --now\n```"
    made = ss.Corpus.from_dict(
        {"guide": dict(document)}, units={"guide": list(document.units or ())}
    )
    assert made["guide"].text is None
    assert made["guide"] == document


def test_the_document_of_a_corpus_is_found_by_its_text(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nOne.\n\n" + "Two.\n\n" * (name == "b"))
    corpus = ss.read(tmp_path, "markdown")
    text = (tmp_path / "b.md").read_text()
    assert ss.chunks.place(text, [text], units=corpus).n_units == 2
    with pytest.raises(ss.SegmentationError, match="none of its documents.*'a'.*'b'"):
        ss.chunks.place("# c\n\nOne.", ["# c\n\nOne."], units=corpus)
    with pytest.raises(ss.SegmentationError, match=r"document 'a': units\[0\] is 'One\.'"):
        ss.chunks.place("# c", ["# c"], units=corpus["a"])
    none = ss.Corpus.from_dict({"d": {"a": ss.Segmentation.from_masses([1, 1])}})
    with pytest.raises(ss.SegmentationError, match="document 'd' has no text"):
        ss.chunks.place("x", ["x"], units=none)


# ---- splitters get the text ----


def test_units_are_found_in_time_however_often_they_are_repeated() -> None:
    lines = [line for i in range(1500) for line in (f"def f{i}():", "    return x", "}", "")]
    units = [line.strip() for line in lines if line.strip()]
    coding = ss.Segmentation.from_masses([len(units)])
    corpus = ss.Corpus.from_dict({"d": {"a": coding}}, units={"d": units})
    text = "# Title\n" + "\n".join(lines)  # it would take hours
    found = corpus["d"].units_in(text)
    assert [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == units
