"""Functions of users: one contract for tokens, and errors that say which function failed."""

import pytest

import segscore as ss

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
