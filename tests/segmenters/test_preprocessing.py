"""Words out of texts: tokenisers, stop words, stems, files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from segscore.segmenters import CWM, LSASpace, Preprocessing
from segscore.segmenters.preprocessing import ENGLISH, MIT, count_words
from segscore.segmenters.preprocessing import porter_stem as stem

SUFFIXES = ["s", "es", "ed", "ing", "y", "ly", "logi", "bli", "ational", "ization", "iveness",
            "ement", "ment", "ion", "al", "ll", "e"]  # fmt: skip


def nltk_stem(word: str) -> str:
    from nltk.stem.porter import PorterStemmer

    return str(PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS).stem(word))


@needs("peers")
def test_porter_over_a_vocabulary(data: Path) -> None:
    texts = [path.read_text("latin-1") for path in sorted(data.glob("choi/1/*/*.ref"))[::4]]
    vocabulary = {word for text in texts for word in text.lower().split() if word.isalpha()}
    assert len(vocabulary) > 5000
    assert {w: (stem(w), nltk_stem(w)) for w in vocabulary if stem(w) != nltk_stem(w)} == {}


@needs("peers")
@given(st.text("abceilnostyz", max_size=7), st.sampled_from(SUFFIXES), st.sampled_from(SUFFIXES))
def test_porter_on_invented_words(start: str, middle: str, end: str) -> None:
    for word in (start, start + end, start + middle + end):
        if word:
            assert stem(word) == nltk_stem(word)


def test_stop_list_is_a_word_a_piece() -> None:
    assert 250 < len(ENGLISH) < 450
    assert all(word == word.lower().strip() and " " not in word for word in ENGLISH)
    assert Preprocessing().words("And so it was with all of them: the whale") == ["whale"]


def test_stop_words_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Wale und andere Fische"
    listed = Preprocessing(stop_words=["und", "andere"], stemmer=None)
    path = tmp_path / "stop.txt"
    path.write_text("Und\nandere\n\n", "utf-8")
    assert listed.words(text) == Preprocessing(stop_words=path, stemmer=None).words(text)
    assert listed.words(text) == ["wale", "fische"]
    monkeypatch.delenv("SEGSCORE_DATA", raising=False)
    with pytest.raises(ss.SegmentationError, match="SEGSCORE_DATA"):
        Preprocessing(stop_words="choi").words(text)
    (tmp_path / "choi").mkdir()
    path.rename(tmp_path / "choi" / "STOPWORD.list")
    monkeypatch.setenv("SEGSCORE_DATA", str(tmp_path))
    assert Preprocessing(stop_words="choi", stemmer=None).words(text) == ["wale", "fische"]
    with pytest.raises(ss.SegmentationError, match="cannot read"):
        Preprocessing(stop_words=tmp_path / "absent").words(text)


def test_words_of_the_mit_programs() -> None:
    assert MIT.words("(Inaudible) That's $5 for the naïve, relational 3rd archaeologies!") == [
        "$5", "na", "relat", "3rd", "archaeolog"
    ]  # fmt: skip
    assert MIT.words("knowing, founder") == ["founder"]  # the stem of a stop word goes


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=6))
def test_counts(units: list[list[str]]) -> None:
    table, vocabulary = count_words(units)
    dense = table.toarray()
    assert dense.shape == (len(units), len(vocabulary))
    for row, unit in zip(dense, units, strict=True):
        assert row.tolist() == [unit.count(word) for word in vocabulary]


# ---- LSA spaces in files ----


def test_a_space_comes_back_from_its_file(tmp_path: Path) -> None:
    texts = ["cats and dogs", "dogs chase cats", "stars and planets", "planets circle stars"]
    space = LSASpace.train(texts, dimensions=2, preprocessing=Preprocessing("choi", None, "martin"))
    path = tmp_path / "space.npz"
    space.save(path)
    loaded = LSASpace.load(path)
    assert loaded.vocabulary == space.vocabulary
    assert np.array_equal(loaded.matrix, space.matrix)
    assert np.array_equal(loaded.encode(["dogs , cats"]), space.encode(["dogs , cats"]))
    assert loaded.preprocessing.stop_list == frozenset()
    units = ["cats dogs", "dogs", "stars", "planets stars"]
    assert CWM(loaded)(units, 2) == CWM((space.vocabulary, space.matrix))(units, 2)


def test_spaces_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ss.SegmentationError, match="dimensions is 9"):
        LSASpace.train(["cat dog", "dog fish"], dimensions=9)
    with pytest.raises(ss.SegmentationError, match="weights is 'tf'"):
        LSASpace.train(["cat"], 1, weights="tf")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="shape"):
        LSASpace(["cat"], np.eye(2))
    with pytest.raises(ss.SegmentationError, match="cannot be saved"):
        LSASpace(["cat"], np.eye(1), Preprocessing(stemmer=str.upper)).save(tmp_path / "no")
    bad = tmp_path / "bad.npz"
    LSASpace(["cat"], np.eye(1)).save(bad)
    whole = bad.read_bytes()
    for content in (b"no archive", b"", whole[:100], whole[: len(whole) // 2]):
        bad.write_bytes(content)
        expected = r"bad\.npz'"
        with pytest.raises(ss.SegmentationError, match=expected):
            LSASpace.load(bad)
    with pytest.raises(ss.SegmentationError, match=r"absent\.npz.*file or directory"):
        LSASpace.load(tmp_path / "absent.npz")
