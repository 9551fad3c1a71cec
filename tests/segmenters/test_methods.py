"""Each method against its description, transcribed literally."""

import tracemalloc
from collections import Counter
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import segscore as ss
from needs import needs
from oracles import segmenters as oracle
from segscore.basics.user_functions import unit_length
from segscore.segmenters import (
    CWM,
    LSASpace,
    Preprocessing,
    TextTiling,
    UtiyamaIsahara,
    c99,
)
from segscore.segmenters.bayesseg import segment_costs
from segscore.segmenters.c99 import Squares, cosines, divide, local_ranks, ranked_rows, steep_rises
from segscore.segmenters.contract import cheapest, plans
from segscore.segmenters.embedding import dispersion_costs
from segscore.segmenters.preprocessing import ENGLISH, MIT, count_words
from segscore.segmenters.preprocessing import porter_stem as stem
from segscore.segmenters.texttiling import block_cosines, depths

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=5)
DOCUMENTS = st.lists(WORDS, min_size=2, max_size=9)


# ---- C99 ----


@given(DOCUMENTS)
def test_cosines(units: list[list[str]]) -> None:
    bags = [Counter(unit) for unit in units]
    expected = [[oracle.cosine(a, b) for b in bags] for a in bags]
    assert cosines(count_words(units)[0]) == pytest.approx(np.array(expected), abs=1e-6)


@given(DOCUMENTS, st.integers(1, 6))
def test_ranks_and_splits(units: list[list[str]], radius: int) -> None:
    table = cosines(count_words(units)[0])
    expected = oracle.local_ranks(table.tolist(), radius)
    ranks = local_ranks(table, radius)
    assert ranks == pytest.approx(np.array(expected, float))
    boundaries, densities = divide(Squares(iter([ranks]), len(ranks)), len(units) - 1)
    assert sorted(boundaries) == list(range(1, len(units)))
    assert len(densities) == len(units)
    # In exact fractions ties are ties; floats may break one, so only clear choices are compared.
    exact = oracle.divisive(expected, len(units) - 1)
    same = next((i for i, (a, b) in enumerate(zip(exact, boundaries, strict=True)) if a != b), None)
    if same is not None:
        assert _density(expected, exact[: same + 1]) == pytest.approx(
            _density(expected, boundaries[: same + 1])
        ) or _local_tie(expected, exact[:same], exact[same], boundaries[same])


def _density(ranks: list[list[object]], boundaries: list[int]) -> float:
    table = np.array(ranks, float)
    ends = [0, *sorted(boundaries), len(table)]
    inside = sum(table[a:b, a:b].sum() for a, b in pairwise(ends))
    return float(inside / sum((b - a) ** 2 for a, b in pairwise(ends)))


def _local_tie(ranks: list[list[object]], before: list[int], first: int, other: int) -> bool:
    """Two places in one segment whose parts are equally dense."""
    table = np.array(ranks, float)
    ends = [0, *sorted(before), len(table)]

    def local(place: int) -> float:
        start, end = next((a, b) for a, b in pairwise(ends) if a < place < b)
        parts = table[start:place, start:place].sum() + table[place:end, place:end].sum()
        return float(parts / ((place - start) ** 2 + (end - place) ** 2))

    return local(first) == pytest.approx(local(other))


def test_stopping_rule_by_hand() -> None:
    # Mask 1 2 4 8 4 2 1 over (15, 0, 0, 0, 0, 0, 0, 0): smoothed values, ends renormalised.
    rises = np.array([15.0] + [0.0] * 11)
    smooth = [15 * 8 / 15, 15 * 4 / 19, 15 * 2 / 21, 15 / 22] + [0.0] * 8
    limit = np.mean(smooth) + 1.2 * np.std(smooth)
    assert steep_rises(rises, 1.2, "start") == sum(value > limit for value in smooth) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0, 3))
def test_stopping_by_excess(values: list[float], c: float) -> None:
    """No other number of boundaries has a higher sum of rises less their prices."""
    rises = np.array(values)
    price = rises.mean() + c * rises.std()
    profits = [sum(values[:n]) - n * price for n in range(len(values) + 1)]
    assert profits[steep_rises(rises, c, "excess")] == pytest.approx(max(profits), abs=1e-9)


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(1, 5), st.integers(0, 10**6), st.booleans())
def test_squares_from_a_few_rows_at_a_time(n: int, radius: int, seed: int, dense: bool) -> None:
    """Blocks of rows, in double and in single precision, against the whole table."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (n, 4))
    vectors = counts.astype(float) if dense else csr_array(counts.astype(float))
    table = local_ranks(cosines(vectors), radius)
    for rows, exact in ((3, n), (7, n - 1), (128, 1)):
        with patch.object(c99, "_ROWS_AT_ONCE", rows), patch.object(c99, "EXACT_UNITS", exact):
            assert np.concatenate(list(ranked_rows(vectors, radius))) == pytest.approx(table)
            squares = Squares(ranked_rows(vectors, radius), n)
        start, end = sorted(rng.choice(n + 1, 2, replace=False).tolist())
        growing = [table[start:e, start:e].sum() for e in range(start + 1, end + 1)]
        shrinking = [table[s:end, s:end].sum() for s in range(start, end)]
        assert squares.growing(start, end) == pytest.approx(np.array(growing), abs=1e-4)
        assert squares.shrinking(start, end) == pytest.approx(np.array(shrinking), abs=1e-4)


# ---- shortest paths ----


def _costs_by_pair(
    rows: list[np.ndarray[tuple[int], np.dtype[np.float64]]],
) -> dict[tuple[int, int], float]:
    return {
        (start, end): float(row[start]) for end, row in enumerate(rows, 1) for start in range(end)
    }


@given(DOCUMENTS)
def test_utiyama_isahara(units: list[list[str]]) -> None:
    n = len(units)
    costs = _costs_by_pair(list(segment_costs(units)))  # type: ignore[arg-type]
    for (start, end), cost in costs.items():
        assert cost == pytest.approx(oracle.utiyama_isahara_cost(units, start, end))

    def total(boundaries: list[int]) -> float:
        return sum(costs[pair] for pair in pairwise([0, *boundaries, n]))

    free = cheapest(segment_costs(units), n)
    assert total(free) == pytest.approx(oracle.cheapest_total(costs, n, None))
    totals, best = plans(segment_costs(units), n, n)
    for number in range(1, n + 1):
        boundaries = best(number)
        assert len(boundaries) == number - 1
        expected = oracle.cheapest_total(costs, n, number)
        assert total(boundaries) == pytest.approx(expected)
        assert totals[number - 1] == pytest.approx(expected)


def test_utiyama_isahara_with_one_frequent_word() -> None:
    """Memory and time do not grow with the square of a word's frequency (20,000 took 4.7 GB)."""
    units = ["word " * 20_000, "word", "other " * 20_000, "other"] * 2
    tracemalloc.start()
    assert UtiyamaIsahara()(units).n_units == 8
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100e6


# ---- TextTiling ----


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20))
def test_depths(values: list[int]) -> None:
    scores = np.array(values, float)
    for valleys in (True, False):
        expected = [oracle.depth(values, gap, valleys) for gap in range(len(values))]
        assert depths(scores, valleys).tolist() == expected


@given(DOCUMENTS, st.integers(1, 4))
def test_block_scores(units: list[list[str]], k: int) -> None:
    def bag(part: list[list[str]]) -> Counter[str]:
        return Counter(word for unit in part for word in unit)

    expected = [
        oracle.cosine(bag(units[max(0, gap - k) : gap]), bag(units[gap : gap + k]))
        for gap in range(1, len(units))
    ]
    counts = count_words(units)[0]
    assert block_cosines(counts, k) == pytest.approx(np.array(expected))
    assert block_cosines(counts.toarray(), k) == pytest.approx(np.array(expected))


@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5), min_size=2, max_size=25),
    st.integers(1, 4),
    st.integers(1, 4),
    st.booleans(),
    st.integers(1, 3),
)
def test_texttiling_by_the_letter(
    units: list[list[str]], w: int, k: int, valleys: bool, apart: int
) -> None:
    plain = Preprocessing(str.split, None, None)
    segmenter = TextTiling(w, k, valleys=valleys, apart=apart, preprocessing=plain)
    texts = [" ".join(unit) for unit in units]
    places = oracle.tiling_places(units, w, k, valleys, apart)
    falls = [round(fall, 9) for _, fall in places]
    assume(len(set(falls)) == len(falls))  # between equal ones floats decide
    for n_segments in range(2, min(len(places), len(units) - 1) + 2):
        segmentation = segmenter(texts, n_segments)
        assert (
            sorted(place for place, _ in places[: n_segments - 1])
            == segmentation.boundaries.tolist()
        )
    if len(falls) > 1:
        limit = max(0.0, float(np.mean(falls) - np.std(falls, ddof=1) / 2))
        assume(all(abs(fall - limit) > 1e-6 for fall in falls))
        expected = sorted(place for place, fall in places if fall > limit)
        assert segmenter(texts).boundaries.tolist() == expected


# ---- embeddings, LSA ----


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=2, max_size=8))
def test_dispersion(values: list[list[int]]) -> None:
    vectors = unit_length(np.array(values, float))
    for end, row in enumerate(dispersion_costs(vectors), 1):
        for start in range(end):
            inside = vectors[start:end]
            mean = inside.mean(axis=0)
            # the squared distances from the mean, and 1 for each unit that has no direction
            spread = ((inside - mean) ** 2).sum() + (~inside.any(axis=1)).sum()
            assert row[start] == pytest.approx(spread, abs=1e-9)


# ---- words out of texts ----


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
