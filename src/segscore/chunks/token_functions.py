"""Users' functions that split a text into tokens: the same contract wherever text is counted in
tokens.

A function takes a text and returns its tokens: their texts in order, their places as pairs (start,
end) of characters, or what tokenizers of Hugging Face return (`offsets` of the package tokenizers,
`offset_mapping` and `input_ids` of transformers). Where only their number matters, the function may
also return anything else that can be counted, or the number itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array, is_whole, shown
from segscore.basics.user_functions import calling
from segscore.errors import SegmentationError

Tokens = Callable[[str], Any]
"""From a text to its tokens, their places, or, where that is enough, their number."""

_PLACES = "as pairs (start, end) of characters, or the texts of the tokens in order"


def n_tokens(tokens: Tokens, text: str, what: str) -> int:
    """The number of tokens of a text; what: the name of the text in messages.

    >>> n_tokens(str.split, "so it is", "text"), n_tokens(len, "so it is", "text")
    (3, 8)
    """
    with calling(tokens, f"tokens of {what}"):
        made: Any = tokens(text)
        made = made["input_ids"] if _has(made, "input_ids") else made
        if isinstance(made, Iterable) and not isinstance(made, Sized):
            made = list(made)
    if is_whole(made) and made >= 0:
        return int(made)
    if isinstance(made, Sized) and not isinstance(made, str | bytes):
        return len(made)
    raise SegmentationError(
        f"tokens gave {shown(made)} for {what}: expected a list of tokens, or their number"
    )


def token_starts(tokens: Tokens, text: str, document: str) -> Int64Array:
    """The start of each token of a text, in order; a number of tokens is not enough."""
    with calling(tokens, f"tokens of document {document!r}"):
        found: Any = tokens(text)
        found = found["offset_mapping"] if _has(found, "offset_mapping") else found
        found = getattr(found, "offsets", found)  # of the package tokenizers
        if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
            raise _no_places(found, document)
        given = list(found)
    if given and all(isinstance(token, str) for token in given):
        return _found_in_order(given, text, document)
    starts = [_start(token, text, document) for token in given]
    return np.sort(np.array(starts, np.int64))


def _has(made: Any, name: str) -> bool:
    """Whether it is a result of a transformers tokenizer, with a field of this name."""
    return isinstance(made, Mapping) and name in made


def _start(token: Any, text: str, document: str) -> int:
    pair = token if isinstance(token, Sequence) else ()
    if len(pair) != 2 or not all(map(is_whole, pair)) or not 0 <= pair[0] <= pair[1] <= len(text):
        raise _no_places(token, document)
    return int(pair[0])


def _found_in_order(given: list[str], text: str, document: str) -> Int64Array:
    starts, reached = [], 0
    for token in given:
        at = text.find(token, reached)
        if at < 0:
            raise SegmentationError(
                f"tokens: document {document!r} does not have the token {token!r} after character "
                f"{reached}: expected tokens exactly as in the text, or their offsets"
            )
        starts.append(at)
        reached = at + len(token)
    return np.array(starts, np.int64)


def _no_places(found: Any, document: str) -> SegmentationError:
    number = "; a number is enough for sizes of chunks, not for evidence" if is_whole(found) else ""
    return SegmentationError(
        f"tokens gave {shown(found)} for document {document!r}: expected the position of each "
        f"token, {_PLACES}{number}"
    )
