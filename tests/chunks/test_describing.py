"""Chunks without a reference: every number is what the oracle counts, character by character."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import chunk_description as oracle

import segscore as ss
from segscore.chunks.describing import describe_chunks
from segscore.chunks.text_map import TextMap, cohesion_of
from segscore.errors import SegmentationError
from segscore.significance.drawing import Lots
from segscore.text.chunk_placing import place_chunks
from segscore.text.markdown_blocks import markdown_structure
from segscore.text.unit_splitting import lined_units, text_units

BLOCKS = [
    "# One\n",
    "## Two words\n",
    "It rains. It pours! Why?\n",
    "- item one\n- item two\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "```\ncode here\n\nmore\n```\n",
    "See [this page](http://x.y/z) or https://a.b/c now.\n",
    "    indented\n    code\n",
    "\n\n",
]


@st.composite
def chunked(draw):
    text = "\n".join(draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8)))
    if not text.strip():
        text = "Some text."
    edges = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    given = draw(st.lists(edges, min_size=1, max_size=6))
    chunks = [(min(pair), max(pair)) for pair in given if pair[0] != pair[1]]
    return text, chunks or [(0, len(text))]


def stretches(units) -> list[tuple[int, int]]:
    return list(zip(units.starts, units.ends, strict=True))


def test_a_chunk_of_white_space_has_no_sentence():
    found = describe_chunks({"c": [(2, 3), (0, 7)]}, "It rains.", cohesion=False)["c"]
    assert {unit: found.sizes[unit].values.tolist() for unit in ("words", "sentences")} == {
        "words": [0, 2],
        "sentences": [0, 1],
    }


@given(chunked())
@settings(max_examples=2 * settings.default.max_examples)
def test_counts_are_those_of_the_oracle(case):
    text, chunks = case
    found = describe_chunks({"c": chunks}, text, cohesion=False)["c"]
    structure = markdown_structure(text)
    blocks = {
        "sentence": stretches(lined_units(text, "sentences")),
        "paragraph": stretches(lined_units(text, "paragraphs")),
        "list": structure.lists,
        "table": structure.tables,
        "code": structure.code,
        "link": structure.links,
    }
    for kind, ones in blocks.items():
        breaks = found.breaks[kind]
        assert (breaks.count, breaks.broken) == oracle.cuts_inside(text, chunks, ones), kind
        assert breaks.blocks == len(ones)
        assert breaks.out_of == found.n_cuts == len(oracle.cuts(text, chunks))
    headings = [(heading.start, heading.end) for heading in structure.headings]
    assert found.breaks["heading"].count == oracle.headings_left(text, chunks, headings)
    assert found.breaks["word"].count == oracle.cuts_inside_words(text, chunks)
    sizes = {unit: size.values.tolist() for unit, size in found.sizes.items()}
    words = stretches(text_units(text, "words"))
    assert sizes["characters"] == [end - start for start, end in chunks]
    assert sizes["words"] == [oracle.n_shared(text, chunk, words) for chunk in chunks]
    assert sizes["sentences"] == [
        oracle.n_shared(text, chunk, blocks["sentence"]) for chunk in chunks
    ]
    assert found.sizes["characters"].variation == pytest.approx(
        oracle.variation(sizes["characters"])
    )
    assert found.overlap == oracle.overlap(chunks)
    assert found.gaps == oracle.gaps(text, chunks)
    assert found.stored == sum(sizes["characters"])


@given(chunked())
def test_cuts_are_counted_as_where_chunks_are_placed(case):
    """`score` said 306 cuts inside sentences, and `chunks` 37."""
    text, chunks = case
    chunks = sorted(chunks)
    found = describe_chunks({"c": chunks}, text, cohesion=False)["c"].breaks
    for units in ("sentences", "words"):
        placed = place_chunks(text, chunks, units, allow_gaps=True)
        assert placed.inside_sentences == found["sentence"].count
        assert placed.inside_words == found["word"].count


def test_a_page_with_everything_in_it():
    text = (
        "# Guide\n\nRead this first. It is short.\n\n## Install\n\n- get it\n- run it\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\ny = 2\n```\n\nSee [the docs](http://x.y/z).\n"
    )
    cuts = [
        text.index(piece) for piece in ("is short", "## Install", "- run", "| 1", "y = 2", "docs]")
    ]
    edges = [0, *cuts, len(text)]
    found = describe_chunks({"c": list(pairwise(edges))}, text)["c"]
    assert {kind: breaks.count for kind, breaks in found.breaks.items()} == {
        "word": 0, "sentence": 2, "paragraph": 2, "list": 1, "table": 1, "code": 1, "link": 1,
        "heading": 0,
    }  # fmt: skip
    place = found.breaks["list"].places[0]
    assert (place.document, place.offset, place.line) == ("text", text.index("- run"), 8)
    assert place.around == "t. ## Install - get it ‖ - run it | a | b | |---|"


def test_a_heading_path_is_covered_by_a_chunk_that_begins_with_it():
    text = "Intro.\n\n# A\n\n## B\n\nText of B.\n\n## C\n\nText of C."
    starts = [0, text.index("# A"), text.index("## C"), text.index("Text of C")]
    edges = list(zip(starts, [*starts[1:], len(text)], strict=True))
    rows = describe_chunks({"c": edges}, text)["c"].rows
    assert [" > ".join(row.titles) for row in rows] == [
        "",
        "# A > ## B",
        "# A > ## C",
        "# A > ## C",
    ]
    assert [row.covered for row in rows] == [None, True, False, False]
    assert [row.held[-1:] for row in rows] == [(), (True,), (True,), (False,)]


def test_sizes_in_tokens_and_limits():
    text = "One two three. Four five. Six."
    found = describe_chunks(
        {"c": ["One two three.", "Four five.", "Six."]}, text,
        tokens=str.split, max_size=2, min_size=2,
    )  # fmt: skip
    sizes = found["c"].sizes["tokens"]
    assert (sizes.values.tolist(), sizes.over, sizes.under) == ([3, 2, 1], 1, 1)
    assert sizes.quartiles == (1, 1.5, 2, 2.5, 3)
    assert found["c"].sizes["words"].over is None
    assert "over 2, under 2" in str(found.table("sizes"))
    with pytest.raises(SegmentationError, match=r"tokens gave None .* for chunks\[0\]"):
        describe_chunks({"c": [text]}, text, tokens=lambda chunk: None)
    with pytest.raises(SegmentationError, match="size_in is 'tokens': expected tokens="):
        describe_chunks({"c": [text]}, text, size_in="tokens")
    with pytest.raises(SegmentationError, match="tokens is 'x'.*expected a function"):
        describe_chunks({"c": [text]}, text, tokens="x")


# ---- cohesion ----

numbers = st.one_of(st.none(), st.integers(0, 8).map(lambda n: n / 8))


@st.composite
def compared(draw):
    alike, masses = [], []
    for _ in range(draw(st.integers(1, 3))):
        lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
        n = sum(lengths) - 1
        alike.append(draw(st.lists(numbers, min_size=n, max_size=n)))
        masses.append(lengths)
    return alike, masses


def measured(alike, masses, **options):
    values = [np.array([np.nan if value is None else value for value in row]) for row in alike]
    cuts = [np.cumsum(lengths)[:-1].astype(np.int64) for lengths in masses]
    options = {"level": 0.95, "n_resamples": 100, "seed": 0} | options
    return cohesion_of(values, cuts, lots=Lots("documents", np.arange(len(values))), **options)


@given(compared())
def test_cohesion_is_that_of_the_oracle(case):
    alike, masses = case
    expected = oracle.cohesion(alike, masses)
    found = measured(alike, masses)
    if expected is None:
        assert np.isnan(found.value)
        assert found.reason.startswith("no ")
        assert found.above_chance is None
    else:
        assert found.value == pytest.approx(expected)


def test_chance_is_the_mean_of_all_orders():
    rng = np.random.default_rng(5)
    alike = rng.random(11).tolist()
    lengths = [1, 2, 4, 5]
    every = oracle.chance(alike, lengths)
    found = measured([alike], [lengths])
    assert found.draws == 1000
    assert found.chance == pytest.approx(np.mean(every), abs=0.02)
    share = np.mean([chance >= found.value - 1e-12 for chance in every])
    assert found.p == pytest.approx(share, abs=0.05)


def test_chunks_at_topics_are_above_chance_and_random_ones_are_not():
    topics = [f"cat{letter} dog{letter} bird{letter}" for letter in "abcdefgh"]
    sizes = [3, 5, 2, 4, 6, 3, 2, 5]
    sentences = [
        f"The {topic} run {index}."
        for topic, size in zip(topics, sizes, strict=True)
        for index in range(size)
    ]
    text = " ".join(sentences)
    places = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences)])
    edges = places[np.cumsum([0, *sizes])].tolist()
    edges[-1] = len(text)
    wrong = [0, *(int(places[1 + 4 * i]) for i in range(1, 7)), len(text)]
    wrong[3] = int(places[11])
    pairs = {
        name: list(pairwise(offsets)) for name, offsets in {"topics": edges, "wrong": wrong}.items()
    }
    found = describe_chunks(pairs, text)
    good, bad = found["topics"].cohesion, found["wrong"].cohesion
    assert good.above_chance is True
    assert good.value > 0.5 > good.chance
    assert good.ci.low > 0
    assert bad.above_chance is False
    assert "not above chance" in str(found)
    assert str(found).count("not above chance") == 1


def test_orders_without_a_value_count_nowhere():
    nan = np.nan
    found = measured([[nan, nan, 0.9, 0.1, *[nan] * 8]], [[4, 9]])
    assert found.value == pytest.approx(0.8)
    assert found.p == 1.0  # the other order has no value, so that each that has one is as cohesive
    assert found.chance == pytest.approx(0.8)
    assert 400 < found.draws < 600


def test_equal_chunks_have_no_chance_to_compare_with():
    found = measured([[0.5] * 5], [[2, 2, 2]])
    assert found.value == 0
    assert np.isnan(found.p)
    assert "as many sentences" in found.reason


def test_an_encoder_compares_sentences():
    text = "Aa. Ab. Ba. Bb. Bc. Ca."

    def encode(texts):
        return [[sentence[0] == letter for letter in "ABC"] for sentence in texts]

    found = describe_chunks({"c": [(0, 8), (8, 20), (20, 23)]}, text, encode=encode)
    assert (found["c"].cohesion.inside, found["c"].cohesion.across) == (1, 0)
    assert "vectors of encode" in str(found)
    with pytest.raises(SegmentationError, match="document 'text': the encoder returned"):
        describe_chunks({"c": [text]}, text, encode=lambda texts: [[1.0]])


def test_cuts_inside_sentences_count_at_the_nearer_edge():
    text = "Aaaa aaaa. Bbbb bbbb. Cccc cccc."
    similar = describe_chunks({"c": [(0, 13), (13, 32)]}, text)["c"].cohesion
    exact = describe_chunks({"c": [(0, 11), (11, 32)]}, text)["c"].cohesion
    assert (similar.n_inside, similar.n_across) == (exact.n_inside, exact.n_across) == (1, 1)
    assert (similar.inside, similar.across) == (exact.inside, exact.across)


# ---- tables ----


def test_tables():
    texts = {"a": "# T\n\nOne. Two.\n\n- x\n- y\n", "b": "Three four. Five."}
    found = describe_chunks(
        {
            "one": {"a": [(0, 14), (14, 23)], "b": [(0, 17)]},
            "two": {"a": [(0, 20), (20, 23)], "b": [(0, 8), (4, 17)]},
        },
        texts,
    )
    assert [row["chunker"] for row in found.records()] == ["one", "two"]
    assert found.records()[1]["in_list"] == 1
    assert found["two"].breaks["sentence"].count == 2
    breaks = found.table("breaks")
    assert {row["kind"] for row in breaks.records()} >= {"tables", "lists"}
    assert "the texts have no tables, code blocks, links" in str(breaks)
    assert found.table("context").records()[0]["under"] == 2
    assert [row["n_inside"] for row in found.table("cohesion").records()] == [4, 4]
    assert len(found.table("chunks").records()) == 7
    assert len(found.table("places").records()) >= 3


def test_a_document_without_chunks_is_all_gap():
    found = describe_chunks({"a": ["One."], "b": []}, {"a": "One.", "b": "Two."})["chunks"]
    assert (found.gaps, found.text) == (4, 8)
    empty = describe_chunks({"a": []}, {"a": "One."})
    assert empty["chunks"].n_chunks == 0
    assert "–" in str(empty.table("sizes"))


@given(st.text("a- \n\r"))
def test_lines_are_those_of_the_text(text):
    there = TextMap(text)
    for place in range(there.n_places):
        _, offset, line, _ = there.break_place("d", place)
        lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert line == len(lines)


# ---- functions of users ----


TEXT = "Cats purr. Dogs bark. It rains."
CHUNKS = [(0, 16), (16, 31)]
ASKED = [{"question": "Who barks?", "evidence": ["Dogs bark."]}]


def pairs(text):
    return [(at, at + len(word)) for word in text.split() if (at := text.index(word)) >= 0]


def encoding(text):
    return {"input_ids": list(range(len(text.split()))), "offset_mapping": pairs(text)}


class Encoded:
    """Like what the package tokenizers returns."""

    def __init__(self, text):
        self.offsets = pairs(text)

    def __len__(self):
        return len(self.offsets)


@pytest.mark.parametrize(
    "tokens",
    [str.split, pairs, encoding, Encoded, lambda text: iter(text.split())],
    ids=["texts", "places", "transformers", "tokenizers", "iterator"],
)
def test_one_function_counts_for_chunks_and_for_evidence(tokens):
    sizes = ss.chunks.describe(CHUNKS, TEXT, tokens=tokens)["chunks"].sizes["tokens"]
    assert sizes.values.tolist() == [3, 3]
    assert (
        ss.chunks.evidence(CHUNKS, ASKED, TEXT, tokens=tokens).parts["precision-omega"]["held"] == 2
    )


def test_a_number_is_enough_for_sizes_only():
    sizes = ss.chunks.describe(CHUNKS, TEXT, tokens=len)["chunks"].sizes["tokens"]
    assert sizes.values.tolist() == [16, 15]
    with pytest.raises(ss.SegmentationError, match="number is enough"):
        ss.chunks.evidence(CHUNKS, ASKED, TEXT, tokens=len).values  # noqa: B018


def fails(given):
    raise RuntimeError("no model here")


def fails_later(text):
    yield text
    raise RuntimeError("no model here")


def chained(raised):
    return isinstance(raised.value.__cause__, RuntimeError)


@pytest.mark.parametrize("tokens", [fails, fails_later])
def test_what_tokens_raise_is_told(tokens):
    with pytest.raises(ss.SegmentationError, match=r"'text'.*chunks\[0\]: fails.* raised") as found:
        ss.chunks.describe(CHUNKS, TEXT, tokens=tokens)
    assert chained(found)


def test_what_an_encoder_raises_is_told():
    with pytest.raises(
        ss.SegmentationError, match="document 'text': encode: fails raised"
    ) as found:
        ss.chunks.describe(CHUNKS, TEXT, encode=fails)
    assert chained(found)
