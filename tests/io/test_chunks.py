"""Files of chunks: placed on the text that they were cut from, which the reference may be."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from command_line import segscore
from segscore.io import ReadingWarning
from segscore.io.format import recognise

GUIDE = """---
title: Guide
---
# Install
Get the wheel. Then run pip. It takes a minute.

## Windows
Use the launcher. Reboot is not needed.

```sh
# no heading
```

Use
===
# Open
Open a terminal. Type the command. It takes a minute.
"""
SENTENCES = [
    "--- title: Guide ---", "# Install", "Get the wheel.", "Then run pip.", "It takes a minute.",
    "## Windows", "Use the launcher.", "Reboot is not needed.", "```sh", "# no heading", "```",
    "Use ===", "# Open", "Open a terminal.", "Type the command.", "It takes a minute.",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "guide.md").write_text(GUIDE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pieces(*starts: str) -> list[str]:
    """The text cut before each of these words, without the white space at the edges."""
    cuts = [0, *(GUIDE.index(start) for start in starts), len(GUIDE)]
    return [GUIDE[a:b].strip() for a, b in pairwise(cuts)]


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def scored(*arguments: str) -> tuple[dict[str, Any], str]:
    """The only row of `segscore score`, and what it remarks."""
    done = segscore("score", *arguments, "-f", "json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    return row, done.stderr


def quietly(**given: Any) -> dict[str, Any]:
    return {"remark": lambda message: None, **given}


def test_headings_stay_in_the_text_if_they_are_kept(folder: Path) -> None:
    kept = ss.read(folder / "guide.md", keep_headings=True)
    (coding,) = kept["guide"].values()
    assert list(kept["guide"].units or ()) == SENTENCES
    assert coding.masses.tolist() == [1, 4, 6, 5]  # two headings in a row start one segment
    assert coding.ranks is not None
    assert coding.ranks.tolist() == [1, 2, 1]
    assert str(kept.provenance) == "units sentences, headings kept, snap 100"
    left_out = ss.read(folder / "guide.md", units="sentences")["guide"]
    assert [unit for unit in left_out.units or () if unit.startswith("#")] == []


FORMS: dict[str, Any] = {
    "texts": [{"document": "guide", "chunks": pieces("# Install", "## Windows", "Type")}],
    "with starts": [
        {"page_content": chunk, "metadata": {"source": "docs\\guide.md", "start_index": GUIDE.index(chunk)}}
        for chunk in pieces("# Install", "## Windows", "Type")
    ],
    "offsets": [
        {"offsets": [[0, 21], [21, GUIDE.index("## Windows")],
                     [GUIDE.index("## Windows"), GUIDE.index("Type")],
                     [GUIDE.index("Type"), len(GUIDE)]]}
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_chunks_are_scored_against_headings(form: str, folder: Path) -> None:
    write(folder / "chunks.jsonl", *FORMS[form])
    row, remarks = scored("guide.md", "chunks.jsonl", "-m", "f1")
    assert row["micro"] == pytest.approx(2 / 3)  # of three boundaries two are right
    assert "|units:sentences|headings:kept|" in row["signature"]
    assert re.search("cuts inside sentences.*0.*0", remarks)
    with pytest.warns(ReadingWarning, match="4 chunks of 1 document"):
        result = ss.score("guide.md", "chunks.jsonl", "f1")
    assert result["f1"].micro == row["micro"]
    assert not ss.check("guide.md", "chunks.jsonl", **quietly())


def test_a_reference_with_units_is_a_text(folder: Path) -> None:
    units = ["It rains.", "It pours.", "So it goes.", "It rains."]
    write(folder / "ref.jsonl", {"document": "d", "coder": "ann", "masses": [2, 2], "units": units})
    write(folder / "chunks.jsonl", {"document": "d", "chunks": ["It rains. It pours. So it goes.",
                                                              "It rains."]})  # fmt: skip
    row, _ = scored("ref.jsonl", "chunks.jsonl", "-m", "f1(tolerance=1)")
    assert row["micro"] == 1
    assert "|units:" not in row["signature"]
    write(folder / "chunks.jsonl", {"document": "d", "offsets": [0, 5]})
    done = segscore("score", "ref.jsonl", "chunks.jsonl")
    assert (done.returncode, "text is known" in done.stderr) == (2, True)


def test_choices_stand_in_the_signature(folder: Path) -> None:
    overlapping = [GUIDE[:60].strip(), GUIDE[45:].strip()]
    write(folder / "a.jsonl", {"chunks": overlapping})
    write(folder / "b.jsonl", {"chunks": [overlapping[0], GUIDE[90:].strip()]})
    options = ("-m", "f1", "--units", "characters")
    row, _ = scored("guide.md", "a.jsonl", *options, "--read", "overlap=middle")
    assert "|overlap:middle|headings:kept|" in row["signature"]
    with pytest.raises(ss.SegmentationError, match="are in no chunk.*allow_gaps=True"):
        ss.read("b.jsonl", text="guide.md", units="characters")
    row, remarks = scored("guide.md", "b.jsonl", *options, "--read", "allow-gaps")
    assert "|gaps:allowed|headings:kept|" in row["signature"]
    assert "lowest coverage 0." in remarks
    assert ss.metric(row["signature"]) == ss.metric("f1")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"document": "other", "chunks": ["x"]}, "document 'other'.*no text.*'guide'"),
        ({"chunks": []}, r"chunks is \[\]"),
        ({"chunks": ["lost"]}, r"document 'guide', coder 'c': chunks\[0\] is 'lost'"),
        ({"chunks": ["x"], "offsets": [0]}, "chunks and offsets"),
        ({"chunks": "x"}, "list of texts"),
        ([1], "object with chunks"),
    ],
)  # fmt: skip
def test_what_is_refused(row: Any, message: str, folder: Path) -> None:
    path = write(folder / "c.jsonl", row)
    with pytest.raises(ss.SegmentationError, match=message):
        ss.read(path, "chunks", text="guide.md")


def test_chunks_without_their_text_are_refused(folder: Path) -> None:
    path = write(folder / "c.jsonl", {"document": "guide", "chunks": ["x"]})
    with pytest.raises(ss.SegmentationError, match="expected it in text="):
        ss.read(path)
    ss.write(ss.Corpus.from_dict({"d": {"a": ss.Segmentation.from_masses([1])}}), "no_text.jsonl")
    with pytest.raises(ss.SegmentationError, match="holds no text"):
        ss.read(path, text="no_text.jsonl")
    (folder / "empty.jsonl").write_text("")
    with pytest.raises(ss.SegmentationError, match="the file is empty"):
        ss.read("empty.jsonl", "chunks", text="guide.md")
    (folder / "two").mkdir()
    for name in ("a", "b"):
        (folder / "two" / f"{name}.txt").write_text("One.\n\nTwo.")
    with pytest.raises(ss.SegmentationError, match="no document is named"):
        ss.read(write(folder / "c.jsonl", {"chunks": ["x"]}), text="two")


def test_headings_in_no_chunk_are_named_and_belong_to_the_chunk_after_them(folder: Path) -> None:
    """LangChain's splitter by headings leaves them out: F1 was 0, each boundary one unit late."""
    (folder / "guide.md").write_text(GUIDE.partition("---\n# ")[2].join(["# ", ""]))
    chunks = [
        "Get the wheel. Then run pip. It takes a minute.",
        "Use the launcher. Reboot is not needed.\n\n```sh\n# no heading\n```",
        "Open a terminal. Type the command. It takes a minute.",
    ]
    write(folder / "chunks.jsonl", {"document": "guide", "chunks": chunks})
    with pytest.raises(ss.SegmentationError, match="'Install'.*'Windows'.*'Use'.*'Open'"):
        ss.score("guide.md", "chunks.jsonl", "f1")
    found = {}
    for gaps in ("text", "before", "after"):
        choices = ("--read", "allow-gaps", "--read", f"gaps={gaps}")
        row, remarks = scored("guide.md", "chunks.jsonl", "-m", "f1", *choices)
        found[gaps] = row["micro"]
        signed = "allowed" if gaps == "text" else gaps
        assert f"|gaps:{signed}|headings:kept|" in row["signature"]
        assert re.search("'Install'.*'Windows'.*'Use'.*'Open'", remarks)
        corpus = ss.read("chunks.jsonl", text="guide.md", **quietly(allow_gaps=True, gaps=gaps))
        assert str(corpus.provenance) == f"units sentences, gaps {signed}, snap 100"
    assert found == {"text": 1.0, "before": 0.0, "after": 1.0}
    with pytest.raises(ss.SegmentationError, match="gaps is 'end'"):
        ss.read("chunks.jsonl", text="guide.md", gaps="end")  # type: ignore[arg-type]


LONG = "This sentence goes on " + "and on " * 60 + "to its end."


def test_cuts_inside_long_units_are_extra_boundaries(folder: Path) -> None:
    """They moved to the heading, 240 characters away, and F1 was 1."""
    text = f"# A\n\nIt rains.\n\n# B\n\n{LONG}\n\n# C\n\nIt pours.\n"
    (folder / "guide.md").write_text(text)
    at = text.index(LONG)
    starts = [0, text.index("# B"), at + 200, at + len(LONG) - 90]
    write(folder / "chunks.jsonl", {"offsets": starts})
    rows = {}
    for snap in (100, 300):
        command = ("guide.md", "chunks.jsonl", "-m", "f1", "--read", f"snap={snap}")
        rows[snap], remarks = scored(*command)
        assert ("extra boundaries: 1" in remarks) == (snap == 100)
        for kind in ("score", "compare"):
            page = " ".join(segscore(kind, *command).stdout.split())
            inside = 1 if snap == 100 else 0
            assert re.search(rf"units: {2 - inside} moved, .*; {inside} further inside", page), kind
    # the boundary at # B; that 90 characters before # C moves to it; the other one is extra
    assert rows[100]["micro"] == pytest.approx(2 * 2 / (2 * 2 + 1))
    assert [rows[100][name] for name in ("moved", "farthest", "inside")] == [1, 90, 1]
    assert "|snap:100|moved:1|farthest:90|inside:1|" in rows[100]["signature"]
    assert "|snap:300|moved:2|farthest:200|" in rows[300]["signature"]
    assert ss.metric(rows[100]["signature"]) == ss.metric("f1")
    corpus = ss.read("guide.md", keep_headings=True)
    placed = ss.chunks.place(text, starts, corpus)
    assert placed.segmentation.n_units == corpus["guide"].n_units
    assert placed.inside == (at + 200,)


def test_units_of_a_reference_are_in_pieces_for_chunks(folder: Path) -> None:
    units = ["It rains.", LONG, "", "It pours.", "So it goes."]
    row = {"document": "d", "coder": "ann", "boundaries": [1, 3], "n_units": 5, "units": units}
    write(folder / "ref.jsonl", row | {"ranks": [1, 2], "candidates": [1, 2, 3, 4]},
          {"document": "d", "coder": "bob", "levels": [{"masses": [3, 2]}, {"masses": [1, 2, 2]}]})  # fmt: skip
    whole = " ".join(units)
    starts = [0, len("It rains. ") + 200, whole.index("It pours.")]
    chunks = [whole[a:b] for a, b in pairwise([*starts, len(whole)])]
    write(folder / "chunks.jsonl", {"document": "d", "chunks": chunks})
    row, _ = scored("ref.jsonl", "chunks.jsonl", "-m", "f1", "--reference", "ann")
    assert row["micro"] == pytest.approx(1 / 2)
    assert row["inside"] == 1
    corpus = ss.read("ref.jsonl", keep_headings=True)
    assert [unit for unit in corpus["d"].units or () if len(unit) > 200] == []
    n = corpus["d"].n_units - 4
    assert corpus["d"]["ann"].masses.tolist() == [1, n + 1, 2]
    assert corpus["d"]["ann"].candidates.tolist() == [1, n + 1, n + 2, n + 3]  # type: ignore[union-attr]
    assert corpus["d"]["bob"].levels[0].masses.tolist() == [n + 2, 2]  # type: ignore[attr-defined]


CUT = pieces("# Install", "## Windows", "Type")
AT = [GUIDE.index(chunk) for chunk in CUT]
ORDERS: dict[str, Any] = {
    "document, text": [{"document": "guide", "text": chunk} for chunk in CUT],
    "text, document": [{"text": chunk, "document": "guide"} for chunk in CUT],
    "chonkie's to_dict": [
        {"id": f"chnk_{at}", "text": chunk, "start_index": at, "end_index": at + len(chunk),
         "token_count": 9, "context": None, "embedding": None}
        for at, chunk in zip(AT, CUT, strict=True)
    ],
    "llama index": [
        {"id_": "x", "metadata": {"file_name": "guide.md"}, "relationships": {}, "text": chunk,
         "start_char_idx": at, "class_name": "TextNode"}
        for at, chunk in zip(AT, CUT, strict=True)
    ],
    "metadata first": [
        {"metadata": {"source": "guide.md"}, "type": "Document", "page_content": chunk} for chunk in CUT
    ],
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".json"])
@pytest.mark.parametrize("order", ORDERS)
def test_chunks_are_recognised_whatever_the_order_of_keys(
    order: str, suffix: str, folder: Path
) -> None:
    path = folder / f"chunks{suffix}"
    if suffix == ".json":
        path.write_text(json.dumps(ORDERS[order], indent=1))
    else:
        write(path, *ORDERS[order])
    assert recognise(path).name == "chunks"
    with pytest.warns(ReadingWarning, match="4 chunks of 1 document"):
        result = ss.score("guide.md", path, "f1")
    assert result["f1"].micro == pytest.approx(2 / 3)


def test_a_chunk_that_is_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", {"document": "d", "text": 'Say "masses": so. ' * 9000})
    assert recognise(path).name == "chunks"
    path = write(
        tmp_path / "y.jsonl", {"document": "d", "units": ["text " * 9000] * 3, "masses": [3]}
    )
    assert recognise(path).name == "jsonl"
