"""Texts for people to mark: files, folders, corpora and mappings become units by document."""

import pytest

import segscore as ss
from segscore.errors import SegmentationError
from segscore.io.read_options import ReadOptions
from segscore.io.texts import units_by_document


def test_a_corpus_and_its_file(tmp_path):
    corpus = ss.Corpus.from_dict(
        {"d": {"ann": ss.Segmentation.from_masses([1, 1])}}, units={"d": ["x", "y"]}
    )
    assert units_by_document(corpus) == {"d": ["x", "y"]}
    ss.write(corpus, tmp_path / "c.jsonl")
    assert units_by_document(tmp_path / "c.jsonl") == {"d": ["x", "y"]}


def test_a_mapping():
    given = {"a": "One. Two.", "b": ["x", "y z. w."]}
    assert units_by_document(given) == {"a": ["One.", "Two."], "b": ["x", "y z. w."]}
    assert units_by_document(given, ReadOptions(units="words"))["a"] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({}, "texts is empty"),
        ([], "texts.*files"),
        (3, "texts is 3: expected files"),
        ([3], "texts is.*3"),
        ({"a": ""}, "document 'a' has no text"),
        ({"a": []}, "document 'a'.*neither a coding nor"),
        ({"a": ["x", 3]}, r"document 'a': units\[1\] is 3"),
        ({"a": ["\ud800"]}, "document 'a'.*half a surrogate pair"),
        ({"": "x"}, "document is ''"),
        (
            ss.Corpus.from_dict({"d": {"ann": ss.Segmentation.from_masses([1, 1])}}),
            "document 'd' has no text",
        ),
    ],
)
def test_what_is_refused(texts, message):
    with pytest.raises(SegmentationError, match=message):
        units_by_document(texts)
