"""The answer for a document, as a record: a coding, or the reason why there is none."""

from collections.abc import Sequence

from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about
from segscore.io.answers.answer_reading import Answer, AnswerRules, read_answer
from segscore.io.answers.claims import BaseError


def answer_of(
    document: str, text: str | None, units: Sequence[str] | int, rules: AnswerRules
) -> Answer:
    """Read an answer; raise for what only the caller can settle."""
    n_units = units if isinstance(units, int) else len(units)
    with about(f"document {document!r}"):
        try:
            return read_answer(text, n_units, None if isinstance(units, int) else units, rules)
        except BaseError:
            raise SegmentationError(
                f"the numbers of the output may count from 0 or from 1, and none of them decides "
                f"it (0, or {n_units}, the number of units): expected base=0 or base=1 (--base), "
                "as the prompt numbers the units"
            ) from None


def record_of(
    name: str, coder: str, answer: Answer, texts: Sequence[str] | None, place: str = ""
) -> Record:
    """An answer as a record, with its coding or the reason why it gives none."""
    if answer.segmentation is None:
        return Record(name, failure=answer.reason, place=place)
    units = None if texts is None else tuple(texts)
    return Record(name, coder, answer.segmentation, units, place=place)
