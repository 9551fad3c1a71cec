"""All texts one after the other on one line of characters, and what text is counted in.

Between two texts there is a gap, so that nothing of one meets anything of the next. Text is counted
in characters, or in tokens: a token belongs to the place where it starts, so that tokens of
stretches that do not overlap add up, and a token that is cut is counted once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array, is_whole, shown
from segscore.basics.cached import cached_property
from segscore.errors import SegmentationError
from segscore.retrieval.chunk_line import ChunkLine, Weigh
from segscore.retrieval.chunk_offsets import ChunkOffsets
from segscore.retrieval.evidence_spans import EvidenceSpans

Tokens = Callable[[str], Iterable[Any]]
"""Where the tokens of a text stand, as pairs (start, end); or the tokens themselves, in order."""

_GAP = 2
CHARACTERS = "characters"


@dataclass(frozen=True, eq=False)
class TextLine:
    """Texts on a line; `tokens` finds the tokens of a text, None counts characters."""

    texts: Mapping[str, str]
    tokens: Tokens | None = None

    @cached_property
    def bases(self) -> dict[str, int]:
        """Where each text starts on the line."""
        starts = np.cumsum([0, *(len(text) + _GAP for text in self.texts.values())]).tolist()
        return dict(zip(self.texts, starts, strict=False))

    @cached_property
    def weigh(self) -> Weigh:
        """How much text stands before each place of the line."""
        if self.tokens is None:
            return lambda places: places
        starts = [
            self.bases[name] + _token_starts(self.tokens, text, name)
            for name, text in self.texts.items()
        ]
        every = np.concatenate(starts)
        return lambda places: np.searchsorted(every, places)

    @property
    def size(self) -> str:
        """What text is counted in, for signatures."""
        if self.tokens is None:
            return CHARACTERS
        return str(getattr(self.tokens, "__qualname__", type(self.tokens).__name__))

    def chunks(self, given: ChunkOffsets) -> ChunkLine:
        """The chunks of all documents on the line, in the order of the texts."""
        starts = [base + given[name].starts for name, base in self.bases.items()]
        ends = [base + given[name].ends for name, base in self.bases.items()]
        found = ChunkLine(np.concatenate(starts), np.concatenate(ends), self.weigh)
        if not len(found.starts):
            raise SegmentationError(
                f"chunker {given.name!r} has no chunk in any document: expected at least one"
            )
        return found

    def spans(self, spans: EvidenceSpans) -> tuple[Int64Array, Int64Array]:
        """Where spans of evidence start and end on the line."""
        bases = np.array([self.bases[name] for name in spans.documents], np.int64)
        own = bases[spans.document_of[spans.question_of]]
        return spans.starts + own, spans.ends + own


def _token_starts(tokens: Tokens, text: str, document: str) -> Int64Array:
    """Where each token of a text starts, in order."""
    found = tokens(text)
    listed = getattr(found, "offsets", found)  # of the package tokenizers
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        raise _no_tokens(listed, document)
    given = list(listed)
    if given and all(isinstance(one, str) for one in given):
        return _found_in_order(given, text, document)
    starts = [_start(one, text, document) for one in given]
    return np.sort(np.array(starts, np.int64))


def _start(one: Any, text: str, document: str) -> int:
    pair = one if isinstance(one, Sequence) else ()
    if len(pair) != 2 or not all(map(is_whole, pair)) or not 0 <= pair[0] <= pair[1] <= len(text):
        raise _no_tokens(one, document)
    return int(pair[0])


def _found_in_order(given: list[str], text: str, document: str) -> Int64Array:
    starts, reached = [], 0
    for one in given:
        at = text.find(one, reached)
        if at < 0:
            raise SegmentationError(
                f"tokens: document {document!r} does not have the token {one!r} after character "
                f"{reached}: expected tokens as they stand in the text, or their offsets"
            )
        starts.append(at)
        reached = at + len(one)
    return np.array(starts, np.int64)


def _no_tokens(found: Any, document: str) -> SegmentationError:
    return SegmentationError(
        f"tokens gave {shown(found)} for document {document!r}: expected where each token stands, "
        "as pairs (start, end) of characters, or the texts of the tokens in order"
    )
