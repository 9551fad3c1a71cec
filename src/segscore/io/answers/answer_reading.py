"""A single answer of a model: its form, and its segmentation or the reason why it has none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from segscore.basics.arguments import number, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.table_columns import Marks, check_marks
from segscore.errors import SegmentationError
from segscore.io.answers.claims import AnswerError, Claim
from segscore.io.answers.inline_marks import marked_inline
from segscore.io.answers.json_answers import (
    fenced,
    json_claim,
    json_inside_a_line,
    why_no_json,
)
from segscore.io.answers.line_answers import is_refusal, listed, separated
from segscore.io.answers.quotations import boundaries_of_text, numbers_of_quotations
from segscore.io.answers.unit_labels import boundaries_of_labels, lines_of_labels, with_labels
from segscore.io.answers.unit_numbers import (
    boundaries_after,
    boundaries_at,
    boundaries_of_ends,
    boundaries_of_groups,
    boundaries_of_spans,
    boundaries_of_starts,
)
from segscore.io.read_options import SIMILARITY

_BLANKS = re.compile(r"[^\S\n]{3,}")
_SPARE = 100_000  # characters that an answer may have beyond some times the text
_TIMES = 10


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


def read_answer(
    text: str | None, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> Answer:
    """Read an answer. units: their texts; None if only their number is known.

    An answer whose numbers could count from 0 or from 1 raises `BaseError`; an answer that quotes
    units without text raises a `SegmentationError`. The caller settles both.
    """
    claim: Claim | None = None
    try:
        claim = _claim(text, n_units, units, rules)
        claim, rules = _without_quotations(claim, units, rules)
        found, remark = _segmentation(claim, n_units, units, rules)
        return Answer(claim.form + remark, found)
    except AnswerError as error:
        reason = str(error)
        refused = text is not None and is_refusal(text)
        if refused and (claim is None or claim.quotes is not None):
            reason = f"a refusal: {_beginning(text or '')}"
            claim = None
        return Answer(None if claim is None else claim.form, None, reason)


def _claim(
    text: str | None, n_units: int, units: Sequence[str] | None, rules: AnswerRules
) -> Claim:
    """The claim of an answer, by the first form that fits."""
    if text is None or not text.strip():
        raise AnswerError("the output is empty")
    known = sum(map(len, units)) if units is not None else 20 * n_units
    if len(text) > _SPARE + _TIMES * known:
        raise AnswerError(f"the output has {len(text)} characters, many times the document's")
    if rules.separator is None:
        claim = json_claim(text)
        if claim is not None:
            return with_labels(claim, n_units, units)
        broken = why_no_json(text)
        if broken is not None and _is_only_json(text):
            raise AnswerError(broken)
    blocks = fenced(text)
    body = blocks[0][1] if len(blocks) == 1 else text
    if rules.separator is not None:
        copied = separated(body, rules.separator)
        if copied is None:
            raise AnswerError(f"the separator {rules.separator!r} is not in the output")
        return copied
    # runs of blanks mean nothing, and would be tried in every way there is
    found = _in_words(_BLANKS.sub("  ", body), n_units, units)
    if found is None or (found.quotes is not None and units is None):
        raise AnswerError(f"no form that is known: {_beginning(text)}")
    return found


def _in_words(body: str, n_units: int, units: Sequence[str] | None) -> Claim | None:
    """The claim of an answer that is not JSON itself."""
    return (
        separated(body, None)
        or (marked_inline(body, units) if units is not None else None)
        or lines_of_labels(body, n_units, units)
        or json_inside_a_line(body, "\n".join(units or ()))
        or listed(body)
    )


def _without_quotations(
    claim: Claim, units: Sequence[str] | None, rules: AnswerRules
) -> tuple[Claim, AnswerRules]:
    """The claim without titles that are the units' own texts; these show the number of the first
    unit."""
    if claim.starts is None or not claim.titles or units is None:
        return claim, rules
    quoted = numbers_of_quotations(claim.starts, claim.titles, units)
    if quoted is None:
        return claim, rules
    if rules.base not in (None, quoted):
        raise AnswerError(f"by the text beside them, numbers count from {quoted}")
    form = claim.form.replace("titles", "quotations")
    return replace(claim, titles=None, form=form), replace(rules, base=quoted)


def _is_only_json(text: str) -> bool:
    """Whether an unreadable answer was meant to be JSON: by a fence, or by how it continues."""
    body = text.strip()
    return (
        body.startswith("```")
        or body[1:].lstrip()[:1] in ('"', "{", "[", "]", "}")
        or (body[1:].lstrip()[:1].isdecimal())
    )


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
    base = rules.base
    if claim.labels is not None:
        found, remark = boundaries_of_labels(claim.labels, rules.marks)
        return found, len(found) + 1, remark
    if claim.positions is not None:
        return boundaries_at(claim.positions, n_units), 0, ""
    if claim.after is not None:
        return boundaries_after(claim.after, n_units, base), 0, ""
    if claim.groups is not None:
        return boundaries_of_groups(claim.groups, n_units, base), len(claim.groups), ""
    if claim.starts is not None and claim.ends is not None:
        found = boundaries_of_spans(claim.starts, claim.ends, n_units, base)
        return found, len(claim.starts), ""
    if claim.ends is not None:
        return boundaries_of_ends(claim.ends, n_units, base), len(claim.ends), ""
    if claim.starts is not None:
        return boundaries_of_starts(claim.starts, n_units, base), len(claim.starts), ""
    if units is None:
        raise SegmentationError(
            "the output quotes text, and only the number of units is known: expected units with "
            "their texts"
        )
    found, remark = boundaries_of_text(claim, units, rules.similarity)
    return found, len(claim.quotes or ()), remark


def _beginning(text: str) -> str:
    line = " ".join(text[:200].split())
    return repr(line if len(line) <= 80 else line[:79] + "…")
