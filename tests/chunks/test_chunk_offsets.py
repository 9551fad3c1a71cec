"""Chunks as offsets: every form that splitters give, and what is wrong with some."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from needs import needs
from segscore.chunks.chunk_inputs import DocumentOffsets, chunkers_of, source_texts
from segscore.errors import SegmentationError

pytestmark = needs("arrow")

TEXT = "Ähnlich 👍 ist es. Noch ein Satz. Und ein dritter, ja."
EDGES = [(0, 17), (18, 32), (33, 53)]
PIECES = [TEXT[start:end] for start, end in EDGES]


def chunk_offsets(chunks, texts: dict[str, str]) -> dict[str, DocumentOffsets]:
    """The chunks of the only chunker."""
    ((found, _),) = chunkers_of(chunks, texts, texts).values()
    return found


def edges(found: dict[str, DocumentOffsets], document: str = "d") -> list[tuple[int, int]]:
    offsets = found[document]
    assert offsets.starts.dtype == offsets.ends.dtype == np.int64
    return list(zip(offsets.starts.tolist(), offsets.ends.tolist(), strict=True))


FORMS = {
    "texts": PIECES,
    "pairs": EDGES,
    "an array of pairs": np.array(EDGES),
    "start and text": [(start, TEXT[start:end]) for start, end in EDGES],
    "texts and pairs": (PIECES, EDGES),
    "LangChain": [
        SimpleNamespace(page_content=piece, metadata={"start_index": start}, id=None)
        for piece, (start, _) in zip(PIECES, EDGES, strict=True)
    ],
    "LlamaIndex": [
        SimpleNamespace(text=TEXT[start:end], start_char_idx=start, end_char_idx=end, metadata={})
        for start, end in EDGES
    ],
    "Chonkie": [
        SimpleNamespace(text=TEXT[start:end], start_index=start, end_index=end)
        for start, end in EDGES
    ],
    "dicts": [{"text": piece} for piece in PIECES],
    "dicts with offsets": [{"start": start, "end": end} for start, end in EDGES],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_offsets(form):
    assert edges(chunk_offsets(FORMS[form], {"d": TEXT})) == EDGES
    assert edges(chunk_offsets({"d": FORMS[form]}, {"d": TEXT})) == EDGES


def test_what_real_splitters_return():
    splitter = pytest.importorskip("semantic_text_splitter").TextSplitter(20)
    given = splitter.chunk_indices(TEXT)  # the offsets are characters, though the core is Rust
    assert [text for _, text in given] == [
        TEXT[start:end] for start, end in edges(chunk_offsets(given, {"d": TEXT}))
    ]
    chunkerify = pytest.importorskip("semchunk").chunkerify
    given = chunkerify(lambda text: len(text.split()), 4)(TEXT, offsets=True)
    assert edges(chunk_offsets(given, {"d": TEXT})) == [tuple(pair) for pair in given[1]]
    chunker = pytest.importorskip("chonkie").TokenChunker(
        tokenizer="character", chunk_size=20, chunk_overlap=5
    )
    found = chunk_offsets(chunker.chunk(TEXT), {"d": TEXT})
    assert edges(found)[0] == (0, 20)
    assert edges(found)[1][0] == 15
    split = pytest.importorskip("langchain_text_splitters").RecursiveCharacterTextSplitter
    documents = split(chunk_size=20, chunk_overlap=8, add_start_index=True).create_documents(
        [TEXT, TEXT[::-1]], [{"source": "a.md"}, {"source": "docs/b.md"}]
    )
    found = chunk_offsets(documents, {"a": TEXT, "b": TEXT[::-1]})
    assert [text.page_content for text in documents] == [
        text[start:end]
        for name, text in {"a": TEXT, "b": TEXT[::-1]}.items()
        for start, end in edges(found, name)
    ]


def test_order_overlaps_gaps_and_ids_are_kept():
    given = [
        {"id": 7, "start": 33, "end": 53},
        {"id": "b", "start": 0, "end": 20},
        {"id": "c", "start": 5, "end": 17},
    ]
    found = chunk_offsets(given, {"d": TEXT})
    assert edges(found) == [(33, 53), (0, 20), (5, 17)]
    assert found["d"].ids == ("7", "b", "c")
    # texts in another order stand where they are, if that is one place
    assert edges(chunk_offsets(PIECES[::-1], {"d": TEXT})) == EDGES[::-1]
    with pytest.raises(SegmentationError, match="two chunks.*'b'"):
        chunk_offsets([{"id": "b", "start": 0, "end": 2}] * 2, {"d": TEXT})


@given(st.lists(st.tuples(st.integers(0, 52), st.integers(1, 53)), min_size=1, max_size=8))
def test_offsets_stand_as_they_are_given(pairs):
    fine = [(start, end) for start, end in pairs if start < end]
    if len(fine) == len(pairs):
        assert edges(chunk_offsets({"d": pairs}, {"d": TEXT})) == pairs
    else:
        with pytest.raises(SegmentationError, match="end after the start"):
            chunk_offsets({"d": pairs}, {"d": TEXT})


WRONG = {
    "outside": ([(0, 54)], "chunks[0] goes from 0 to 54, and the text has 53 characters"),
    "backwards": ([(0, 5), (9, 9)], "chunks[1] goes from 9 to 9"),
    "other text there": (
        [{"text": "Noch", "start_index": 3}],
        "chunks[0] is 'Noch' (str), and the text at its offsets 3 … 7 is",
    ),
    "of another text": (["Ähnlich", "Something else."], "chunks[1] is 'Something else.' (str), which is not in the text"),
    "half known": ([(0, 5), "Noch"], "some chunks have a text and no offset"),
    "no list": (5, "chunks is 5: expected a list"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_chunks_are_named(case):
    given, message = WRONG[case]
    with pytest.raises(SegmentationError, match=re.escape(message)) as caught:
        chunkers_of({"recursive": {"d": given}}, {"d": TEXT}, {"d": TEXT})
    assert str(caught.value).startswith("chunker 'recursive': document 'd': ")
    assert "expected" in str(caught.value)


def test_documents_without_chunks_or_without_a_text():
    texts = {"a": "One.", "b": "Two."}
    with pytest.raises(SegmentationError, match="document 'b'.*empty list"):
        chunk_offsets({"a": ["One."]}, texts)
    assert edges(chunk_offsets({"a": ["One."], "b": []}, texts), "b") == []
    with pytest.raises(SegmentationError, match="document 'c'.*chunks and no text"):
        chunk_offsets({"a": ["One."], "b": ["Two."], "c": ["x"]}, texts)
    with pytest.raises(SegmentationError, match=r"chunks\[0\] names no document"):
        chunk_offsets(["One.", "Two."], texts)


def test_files_of_chunks(tmp_path):
    texts = {"a": TEXT, "b": "One. Two."}
    rows = [
        *({"document": "a", "text": piece, "chunk_id": i} for i, piece in enumerate(PIECES)),
        {"document": "b", "text": "One.", "chunk_id": 0},
        {"document": "b", "text": "Two.", "chunk_id": 1},
    ]
    lines = tmp_path / "recursive.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = tmp_path / "rows.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), table)
    whole = tmp_path / "whole.json"
    whole.write_text(
        json.dumps([
            {"document": "a", "offsets": EDGES},
            {"document": "b", "chunks": ["One.", "Two."]},
        ])
    )  # fmt: skip
    found = chunkers_of([lines, table, whole], texts, texts)
    assert list(found) == ["recursive", "rows", "whole"]
    for offsets, _ in found.values():
        assert edges(offsets, "a") == EDGES
        assert edges(offsets, "b") == [(0, 4), (5, 9)]
    assert found["rows"][0]["a"].ids == ("0", "1", "2")
    several = tmp_path / "several.jsonl"
    several.write_text(
        "".join(
            json.dumps({"coder": coder, "document": "b", "chunks": chunks}) + "\n"
            for coder, chunks in {"x": ["One.", "Two."], "y": ["One. Two."]}.items()
        )
    )
    found = chunkers_of(several, {"b": texts["b"]}, {"b": texts["b"]})
    assert [edges(offsets, "b") for offsets, _ in found.values()] == [[(0, 4), (5, 9)], [(0, 9)]]
    with pytest.raises(SegmentationError, match="another chunker 'recursive'"):
        chunkers_of([lines, lines], texts, texts)
    with pytest.raises(SegmentationError, match="holds the chunks.*2 chunkers"):
        chunkers_of({"mine": several}, texts, {"b": texts["b"]})


def test_tables_as_pandas_and_langchain_write_them(tmp_path):
    path = tmp_path / "c.parquet"
    texts = {"a": "So it is. So it is. Yes.", "b": "One. Two."}
    rows = [
        {"page_content": "So it is.", "metadata": {"source": "docs/a.md", "start_index": 10.0}},
        {"page_content": "Yes.", "metadata": {"source": "docs/a.md", "start_index": 20.0}},
    ]
    parquet.write_table(pa.Table.from_pylist(rows), path)
    only = {"a": texts["a"]}
    assert edges(chunkers_of(path, only, only)["c"][0], "a") == [(10, 19), (20, 24)]
    columns = {
        "document": ["a", "a", "b"], "text": ["So it is.", "Yes.", "Two."],
        "start_index": [0.0, 20.0, float("nan")], "end": [9.0, 24.0, None],
    }  # fmt: skip
    parquet.write_table(pa.table(columns), path)
    found = chunkers_of(path, texts, texts)["c"][0]
    assert edges(found, "a") == [(0, 9), (20, 24)]
    assert edges(found, "b") == [(5, 9)]


def test_what_a_mapping_names():
    first, second = ["One."], ["Two."]
    found = chunkers_of(
        {"x": ["One. Two."], "y": [*first, *second]}, "One. Two.", source_texts("One. Two.")
    )
    assert list(found) == ["x", "y"]
    texts = {"a": "One.", "b": "Two."}
    assert list(chunkers_of({"a": first, "b": second}, texts, texts)) == ["chunks"]
    found = chunkers_of({"x": {"a": first, "b": second}}, texts, texts)
    assert list(found) == ["x"]


def test_texts_as_people_have_them(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes("\ufeff# A\r\nText.".encode())
    (tmp_path / "docs" / "b.txt").write_text("B.")
    assert source_texts(tmp_path / "docs") == {"a": "# A\nText.", "b": "B."}
    assert source_texts(tmp_path / "docs" / "b.txt") == {"b": "B."}
    (tmp_path / "t.jsonl").write_text('{"document": "a", "text": "A."}\n')
    assert source_texts(tmp_path / "t.jsonl") == {"a": "A."}
    with pytest.raises(SegmentationError, match="'d' is empty"):
        source_texts({"d": " "})
    with pytest.raises(SegmentationError, match="text.*mapping"):
        source_texts(["A."])
    (tmp_path / "t.jsonl").write_text('{"document": "a"}\n')
    with pytest.raises(SegmentationError, match=r't.jsonl, line 1.*"document" and "text"'):
        source_texts(tmp_path / "t.jsonl")
