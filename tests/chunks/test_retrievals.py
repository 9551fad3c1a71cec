"""What was fetched: how much of it counts, and by what questions are called."""

import pytest

import segscore as ss
from segscore.cli.evidence import RetrievalOptions

TEXT = "Cats purr. Dogs bark. It rains."
CHUNKS = [(0, 10), (11, 21), (22, 31)]
ASKED = [{"id": "a", "question": "Who barks?", "evidence": ["Dogs bark."]},
         {"id": "b", "question": "And the weather?", "evidence": ["It rains."]}]  # fmt: skip


def test_a_curve_ends_where_no_more_was_fetched():
    scores = ss.chunks.evidence(CHUNKS, ASKED, TEXT, [[1, 0], [0]], k=10**12)
    assert list(scores.curve) == [1, 2]
    assert scores.values["recall"].pooled == scores.curve[2]["recall"].pooled == 10 / 19
    assert "|k:1000000000000|" in scores.values["recall"].pooled.signature


HUGE = 10**5000


@pytest.mark.parametrize("chunks", [[(0, HUGE)], [(HUGE, HUGE + 1)], [HUGE], [(-HUGE, 5)]])
def test_offsets_of_thousands_of_digits_are_refused(chunks):
    with pytest.raises(ss.SegmentationError, match="an integer of 16610 bits"):
        ss.chunks.evidence(chunks, ASKED, TEXT)


@pytest.mark.parametrize("span", [[0, HUGE], [-HUGE, 3], {"start": HUGE, "end": HUGE, "text": "a"}])
def test_so_are_spans_of_evidence(span):
    with pytest.raises(ss.SegmentationError, match="an integer of 16610 bits"):
        ss.chunks.evidence(CHUNKS, [{"question": "?", "evidence": [span]}], TEXT)


@pytest.mark.parametrize("k", ["9" * 5000, "0", "-1", "٣", "1" * 16])
def test_k_that_is_no_number_of_chunks(k):
    given = RetrievalOptions(retrieved=["fetched.jsonl"], k=k)
    with pytest.raises(ss.SegmentationError, match="1.*touched"):
        given.depth()


def test_what_a_retriever_raises_is_told():
    def fails(words):
        raise RuntimeError("no index")

    def fails_later(words):
        yield 0
        raise RuntimeError("no index")

    for retriever in (fails, fails_later):
        with pytest.raises(
            ss.SegmentationError, match=r"question 'a' .*fails.* raised Runt"
        ) as found:
            ss.chunks.evidence(CHUNKS, ASKED, TEXT, retriever)
        assert isinstance(found.value.__cause__, RuntimeError)
