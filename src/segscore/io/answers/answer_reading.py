"""A single answer of a model: its form, and its segmentation or the reason why it has none."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from segscore.basics.arguments import number, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.corpus.table_columns import Marks, check_marks
from segscore.errors import SegmentationError, about
from segscore.io.answers import unit_numbers
from segscore.io.answers.claims import AnswerError, BaseError, Claim
from segscore.io.answers.json_answers import AMONG_WORDS, json_claim
from segscore.io.answers.plain_answers import plain_claim, separated
from segscore.io.answers.quotations import base_by_texts, boundaries_of_text
from segscore.io.answers.unit_labels import boundaries_of_labels, lines_of_labels, with_labels
from segscore.io.read_options import SIMILARITY

_BLANKS = re.compile(r"[^\S\n]{3,}")
_LISTED = re.compile(r"\[\s?[0-9]+\s?,")
_SPARE = 100_000  # characters that an answer may have beyond some times the text
_TIMES = 10
_THOUGHT = re.compile(r"<(/?)(think|thinking|thought|thoughts|reasoning|scratchpad)>", re.I)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|i (?:can(?:'|no)?t|won't|will not|must decline)"
    r"|as an ai|unable to (?:help|assist|process|comply)|can(?:'|no)?t (?:help|assist))\b",
    re.I,
)
_BOUNDARIES: dict[str, Callable[[Any, int, int | None], list[int]]] = {
    "starts": unit_numbers.boundaries_of_starts,
    "numbers": unit_numbers.boundaries_of_numbers,
    "ends": unit_numbers.boundaries_of_ends,
    "spans": unit_numbers.boundaries_of_spans,
    "groups": unit_numbers.boundaries_of_groups,
    "after": unit_numbers.boundaries_after,
    "positions": lambda positions, n_units, _: unit_numbers.boundaries_at(positions, n_units),
}


@dataclass(frozen=True)
class AnswerRules:
    """How answers are read: the number of the first unit (0 or 1; None: a number in the answer must
    decide), the least similarity of changed text, the separator of copied segments, if unusual, and
    the meaning of labels 0 and 1."""

    base: int | None = None
    similarity: float = SIMILARITY
    separator: str | None = None
    marks: Marks | None = None

    def __post_init__(self) -> None:
        if self.base is not None and (isinstance(self.base, bool) or self.base not in (0, 1)):
            raise SegmentationError(
                f"base is {shown(self.base)}: expected 0 or 1, the number of the first unit"
            )
        number(self.similarity, "similarity", "a number 0 … 1")
        if not 0 <= self.similarity <= 1:
            raise SegmentationError(f"similarity is {self.similarity}: expected a number 0 … 1")
        if self.separator is not None and (
            not isinstance(self.separator, str) or not self.separator
        ):
            raise SegmentationError(f"separator is {shown(self.separator)}: expected a text")
        check_marks(self.marks)


class Answer(NamedTuple):
    """The result of reading an answer: a segmentation, or a reason; the form is known in most
    cases."""

    form: str | None
    segmentation: Segmentation | None
    reason: str | None = None


def answer_of(
    document: str, text: str | None, units: Sequence[str] | int, rules: AnswerRules
) -> Answer:
    """Read an answer; raise for what only the caller can settle. units: their texts, or their
    number, if only that is known."""
    n_units = units if isinstance(units, int) else len(units)
    with about(f"document {document!r}"):
        try:
            return _read(text, n_units, None if isinstance(units, int) else units, rules)
        except BaseError:
            raise SegmentationError(
                f"the numbers of the output may count from 0 or from 1, and none of them decides "
                f"it (0, or {n_units}, the number of units): expected base=0 or base=1, "
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


def _read(
    text: str | None, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> Answer:
    claim: Claim | None = None
    try:
        claim = _claim(text, n_units, units, rules)
        claim, rules = _checked_by_text(claim, units, rules)
        found, remark = _segmentation(claim, n_units, units, rules)
        return Answer(claim.form + remark, found)
    except AnswerError as error:
        reason = str(error)
        refused = _REFUSAL.search((text or "")[:300].replace("’", "'")) is not None
        if refused and (claim is None or claim.kind in ("texts", "lines", "copy")):
            reason = f"a refusal: {_beginning(text or '')}"
            claim = None
        return Answer(None if claim is None else claim.form, None, reason)


def _claim(
    text: str | None, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> Claim:
    """The claim of an answer."""
    if text is None or not text.strip():
        raise AnswerError("the output is empty")
    known = sum(map(len, units)) if units is not None else 20 * n_units
    if len(text) > _SPARE + _TIMES * known:
        raise AnswerError(f"the output has {len(text)} characters, many times the document's")
    body, block = _blocks(_after_thought(text))
    if rules.separator is not None:
        return separated(body if block is None else block, rules.separator)
    try:
        claim = json_claim(body, "\n".join(units or ()))
    except RecursionError:  # by the parser, or by objects in objects
        raise AnswerError("the JSON is nested too deeply") from None
    if claim is not None:
        return with_labels(claim, n_units, units)
    # runs of blanks mean nothing, and would be tried in every way there is
    plain = _BLANKS.sub("  ", body if block is None else block)
    claim = lines_of_labels(plain, n_units, units) or plain_claim(plain, units)
    if claim is None or (claim.kind in ("lines", "copy") and units is None):
        raise AnswerError(f"no form that is known: {_beginning(text)}")
    around = block is not None and body.strip() != block.strip()
    listed = claim.kind == "lines" and _LISTED.search(plain) is not None
    listed = listed and _LISTED.search("\n".join(units or ())) is None
    if listed or (around and claim.kind in ("numbers", "lines")):
        raise AnswerError(AMONG_WORDS)
    return claim


def _after_thought(text: str) -> str:
    """The answer after the thoughts of a model, which must have ended."""
    end, depth = 0, 0
    for tag in _THOUGHT.finditer(text):
        depth = 0 if tag[1] else depth + 1
        end = tag.end()
    if depth:
        raise AnswerError("cut off in the middle: the thoughts do not end")
    if end and not text[end:].strip():
        raise AnswerError("nothing comes after the thoughts")
    return text[end:]


def _blocks(text: str) -> tuple[str, str | None]:
    """The answer without the lines that begin and end blocks of code, and the only block, if there
    is one."""
    kept: list[str] = []
    blocks: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_open = not is_open
            blocks += [[]] if is_open else []
        else:
            kept.append(line)
            if is_open:
                blocks[-1].append(line)
    if is_open:
        raise AnswerError("cut off in the middle: a block of code does not end")
    return "\n".join(kept), "\n".join(blocks[0]) if len(blocks) == 1 else None


def _checked_by_text(
    claim: Claim, units: Sequence[str] | None, rules: AnswerRules
) -> tuple[Claim, AnswerRules]:
    """The claim after a comparison of numbers with the texts of units beside them, which show the
    number of the first unit; titles may be such texts."""
    texts = claim.beside or claim.titles
    if claim.kind not in ("starts", "numbers", "spans") or units is None or not texts:
        return claim, rules
    starts = [value[0] if claim.kind == "spans" else value for value in claim.values]
    same = len(texts) == len(starts) <= len(units)
    quoted = base_by_texts(starts, [text or "" for text in texts], units) if same else None
    if quoted is None and claim.beside is None:
        return claim, rules
    if quoted is None or rules.base not in (None, quoted):
        raise AnswerError("by the texts beside them, the numbers are those of other units")
    if claim.beside is None:
        claim = replace(claim, titles=None, form=claim.form.replace("titles", "quotations"))
    return claim, replace(rules, base=quoted)


def _segmentation(
    claim: Claim, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> tuple[Segmentation, str]:
    """The segmentation, and a remark on the form."""
    boundaries, n_claimed, remark = _boundaries(claim, n_units, units, rules)
    titles = claim.titles
    if titles is None:
        return Segmentation.from_boundaries(boundaries, n_units), remark
    # where the first of the segments is not at the start of the document, one comes before it
    named = list(titles) if n_claimed > len(boundaries) else [None, *titles]
    if any("\ud800" <= sign <= "\udfff" for title in titles for sign in title or ""):
        raise AnswerError("a title holds half a surrogate pair: expected Unicode text")
    if len(named) != len(boundaries) + 1:
        raise AnswerError(f"{len(titles)} titles, and {len(boundaries) + 1} segments")
    return Segmentation.from_boundaries(boundaries, n_units, segment_labels=named), remark


def _boundaries(
    claim: Claim, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> tuple[list[int], int, str]:
    """The boundaries, the claimed number of segments, and a remark on the form."""
    if claim.kind == "labels":
        found, remark = boundaries_of_labels(claim.values, n_units, rules.marks)
        return found, len(found) + 1, remark
    if claim.kind in _BOUNDARIES:
        found = _BOUNDARIES[claim.kind](claim.values, n_units, rules.base)
        return found, 0 if claim.kind in ("positions", "after") else len(claim.values), ""
    if units is None:
        raise SegmentationError(
            "the output quotes text, and only the number of units is known: expected units with "
            "their texts"
        )
    return boundaries_of_text(claim, units, rules.similarity)


def _beginning(text: str) -> str:
    line = " ".join(text[:200].split())
    return repr(line if len(line) <= 80 else line[:79] + "…")
