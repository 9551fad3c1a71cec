"""The places of the evidence of each question: spans checked against the texts, in columns.

A span with offsets must lie in the text, and its text, if it is given, must be the text there
(white space, quote marks and dashes may differ, as in chunks). A span without offsets is searched
for; if it occurs in several places, offsets are needed, and the error names the places.

White space at the ends of a span is not evidence: splitters strip it from their chunks, and it is
not missed. It is trimmed, unless the caller wants spans as given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Int64Array, shown
from segscore.basics.cached import cached_property
from segscore.chunks.questions import EvidenceSpan, Question
from segscore.chunks.source_texts import offset_hint
from segscore.errors import SegmentationError, nearest
from segscore.text.folding import Folded, is_blank

_NAMED = 5  # places that a message lists
_NEAR = 20  # characters of text around a place in a message


@dataclass(frozen=True, eq=False)
class EvidenceSpans:
    """The spans of all questions, a row each, ordered by question and start.

    questions: the questions; documents: the names of the documents of questions, by number;
    document_of: the document of each question; question_of: the question of each span; starts,
    ends: the offsets of each span in its document; given: its place in the given list; n_trimmed:
    the number of spans whose white space was trimmed.
    """

    questions: Sequence[Question]
    documents: Sequence[str]
    document_of: Int64Array
    question_of: Int64Array
    starts: Int64Array
    ends: Int64Array
    given: Int64Array
    n_trimmed: int = 0

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def n_spans(self) -> Int64Array:
        """The number of spans of each question."""
        return np.bincount(self.question_of, minlength=len(self.questions))


def place_evidence(
    questions: Sequence[Question], texts: Mapping[str, str], *, trim: bool = True
) -> EvidenceSpans:
    """The spans of all questions in these texts; raise for a span that does not fit, and name it.

    trim: whether to trim white space at the ends of spans.
    """
    check_have_texts(questions, texts)
    finder = _Finder(texts)
    rows: list[tuple[int, int, int, int]] = []
    n_trimmed = 0
    for number, question in enumerate(questions):
        for place, span in enumerate(question.evidence):
            where = f"{question.where}: evidence[{place}]"
            given = finder.find(question.document, span, where)
            kept = _trimmed(texts[question.document], *given, where) if trim else given
            n_trimmed += kept != given
            rows.append((number, *kept, place))
    table = np.array(rows, np.int64).reshape(-1, 4)
    table = table[np.lexsort((table[:, 3], table[:, 2], table[:, 1], table[:, 0]))]
    names = list(dict.fromkeys(question.document for question in questions))
    numbers = {name: number for number, name in enumerate(names)}
    document_of = np.array([numbers[question.document] for question in questions], np.int64)
    of, starts, ends, given_as = (np.ascontiguousarray(column) for column in table.T)
    return EvidenceSpans(questions, names, document_of, of, starts, ends, given_as, n_trimmed)


def check_have_texts(questions: Sequence[Question], texts: Mapping[str, str]) -> None:
    """Raise for questions about documents without a text."""
    absent = [question for question in questions if question.document not in texts]
    if absent:
        first = absent[0]
        remark = f" (questions without a text: {len(absent)} of {len(questions)})"
        raise SegmentationError(
            f"{first.where}: there is no text of document {first.document!r}"
            + nearest(first.document, texts)
            + f'{remark}; missing="skip" leaves them out'
        )


def _trimmed(text: str, start: int, end: int, where: str) -> tuple[int, int]:
    """A span without the white space at its ends."""
    there = text[start:end]
    begun, left = there.lstrip(), there.rstrip()
    if not begun:
        raise SegmentationError(f"{where} is white space ({start} … {end}): expected text")
    return end - len(begun), start + len(left)


class _Finder:
    """Finds spans; a text is folded once, and only if needed."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._folded: dict[str, Folded] = {}

    def find(self, document: str, span: EvidenceSpan, where: str) -> tuple[int, int]:
        text = self.texts[document]
        if span.start is None or span.end is None:
            return self._by_text(document, span.text or "", where)
        if not 0 <= span.start < span.end <= len(text):
            raise SegmentationError(
                f"{where} goes from {shown(span.start)} to {shown(span.end)}: "
                "expected a start before the end, "
                f"within 0 … {len(text)}, the length of document {document!r}"
                + offset_hint(self.texts, document)
            )
        there = text[span.start : span.end]
        if span.text is not None and span.text != there and not _alike(span.text, there):
            raise SegmentationError(
                f"{where} is {shown(span.text)}, and document {document!r} has {shown(there)} at "
                f"{span.start} … {span.end}: expected the same; offsets count characters (code "
                "points), not bytes, from the start of the text" + offset_hint(self.texts, document)
            )
        return span.start, span.end

    def _by_text(self, document: str, wanted: str, where: str) -> tuple[int, int]:
        text = self.texts[document]
        if is_blank(wanted):
            raise SegmentationError(f"{where} is {shown(wanted)}: expected text")
        places = _places(text, wanted)
        if places:
            return self._only(document, [(at, at + len(wanted)) for at in places], where)
        piece = Folded(wanted)
        if document not in self._folded:
            self._folded[document] = Folded(text)
        whole = self._folded[document]
        found = [
            (int(whole.at[at]), int(whole.at[at + len(piece) - 1]) + 1)
            for at in _places(whole.text, piece.text)
        ]
        if not found:
            raise SegmentationError(
                f"{where} is {shown(wanted)}, which is not in document {document!r}: expected text "
                "of it, with no other change than in white space, quote marks and dashes"
            )
        return self._only(document, found, where)

    def _only(self, document: str, found: list[tuple[int, int]], where: str) -> tuple[int, int]:
        """The only place of a span; raise if there are several, and name them."""
        if len(found) == 1:
            return found[0]
        text = self.texts[document]
        listed = ", ".join(
            f"{start} … {end} (after {text[max(0, start - _NEAR) : start]!r})"
            for start, end in found[:_NAMED]
        )
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise SegmentationError(
            f"{where} stands in document {document!r} at {listed}{more}: expected its start and end"
        )


def _alike(text: str, other: str) -> bool:
    """Whether two texts differ only in white space, quote marks and dashes."""
    return Folded(text).text == Folded(other).text


def _places(text: str, piece: str) -> list[int]:
    """All places where a piece occurs, including overlapping ones; beyond the number that a message
    lists, they are not searched one by one."""
    places: list[int] = []
    at = text.find(piece) if piece else -1
    while at >= 0 and len(places) < 1000:
        places.append(at)
        at = text.find(piece, at + 1)
    return places
