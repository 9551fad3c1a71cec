"""All texts one after the other on a line of characters, and the unit in which text is counted.

There is a gap between two texts, so that they never touch. Text is counted in characters, or in
tokens: a token belongs to the place where it starts, so that tokens of stretches that do not
overlap add up, and a token that is cut is counted once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.basics.cached import cached_property
from segscore.basics.user_functions import function_name
from segscore.chunks.chunk_line import ChunkLine, Weigh
from segscore.chunks.chunk_offsets import ChunkOffsets
from segscore.chunks.evidence_spans import EvidenceSpans
from segscore.chunks.token_functions import Tokens, token_starts
from segscore.errors import SegmentationError
from segscore.text.folding import Folded

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
        """The amount of text before each place of the line."""
        if self.tokens is None:
            return lambda places: places
        starts = [
            self.bases[name] + token_starts(self.tokens, text, name)
            for name, text in self.texts.items()
        ]
        every = np.concatenate(starts)
        return lambda places: np.searchsorted(every, places)

    @cached_property
    def visible(self) -> Weigh:
        """The number of characters before each place of the line that are not white space."""
        every = np.concatenate(
            [self.bases[name] + Folded(text).at for name, text in self.texts.items()]
        )
        return lambda places: np.searchsorted(every, places)

    @property
    def size(self) -> str:
        """The unit in which text is counted, for signatures."""
        if self.tokens is None:
            return CHARACTERS
        return function_name(self.tokens)

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
        """The starts and ends of spans of evidence on the line."""
        bases = np.array([self.bases[name] for name in spans.documents], np.int64)
        own = bases[spans.document_of[spans.question_of]]
        return spans.starts + own, spans.ends + own
