"""A label for each unit, as boundaries: tags B and I, marks 0 and 1, or numbered segments.

B (or B-x) starts a segment, if the first unit is B and no other is anything but B or I. The caller
says what 0 and 1 (or yes and no), and any other labels, mean.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from segscore.io.answers.claims import AnswerError, Claim
from segscore.text.folding import Folded

_LINE = re.compile(
    r"(?:[-*•]\s+)?(?:(?:sentence|line|unit|utterance|turn|u)\s*#?\s*)?"
    r"[\[(]?\s*([0-9]{1,9})\s*[\])]?\s*(?:[:.)|=–—-]|->|→)*\s*(\S.{0,59})",
    re.I,
)
_TAG = re.compile(r"([BI])(?:-.*)?", re.I)
_NUMBERED = re.compile(r"(.*?)([0-9]{1,9}|(?<![^\W\d_])[A-Za-z])")
_YES, _NO = ("1", "yes", "true", "y"), ("0", "no", "false", "n")


def lines_of_labels(text: str, n_units: int, units: Sequence[str] | None) -> Claim | None:
    """Lines with the number of each unit and a label; None if lines are something else."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [_LINE.fullmatch(line) for line in lines] if len(lines) == n_units else [None]
    rows = [match for match in found if match is not None]
    if len(rows) < len(found):
        return None
    labels = [row[2].strip(" \t\"'`*.") for row in rows]
    claim = Claim("lines, titles", "numbers", [int(row[1]) for row in rows], labels)
    made = with_labels(claim, n_units, units)
    return made if made is not claim else None


def with_labels(claim: Claim, n_units: int, units: Sequence[str] | None) -> Claim:
    """A claim as labels, if it gives each unit a label, and several units the same label."""
    if len(claim.values) != n_units or n_units < 2:
        return claim
    labels: Sequence[object] = claim.values
    if claim.kind == "numbers" and claim.titles is not None:
        numbers = [*claim.values]
        if numbers not in ([*range(n_units)], [*range(1, n_units + 1)]):
            return claim
        labels = claim.titles
    elif claim.kind not in ("numbers", "texts") or claim.titles is not None:
        return claim
    given = ["" if label is None else str(label).strip() for label in labels]
    quoted = units is not None and all(map(_begins, units, given))
    if len(set(given)) == n_units or not all(given) or quoted:
        return claim
    return Claim(f"{claim.form.partition(',')[0]}, labels", "labels", given)


def _begins(unit: str, label: str) -> bool:
    """Whether a unit begins with the words of a label, so that the label quotes it."""
    quoted, words = (Folded(text).text.casefold() for text in (label, unit))
    return words.startswith(quoted) and not words[len(quoted) : len(quoted) + 1].isalnum()


def boundaries_of_labels(
    labels: Sequence[str], n_units: int, marks: str | None
) -> tuple[list[int], str]:
    """The boundaries of labels, one for each unit, and how the labels were understood.

    >>> boundaries_of_labels("B I I B I".split(), 5, None)
    ([3], ', B starts a segment')
    >>> boundaries_of_labels("A A B B C".split(), 5, None)
    ([2, 4], ', numbers of segments')
    >>> boundaries_of_labels("0 0 1 0 0".split(), 5, "end")
    ([3], ', 1 ends a segment')
    """
    if len(labels) != n_units:
        raise AnswerError(f"{len(labels)} labels, and the document has {n_units} units")
    plain = [label.casefold() for label in labels]
    if set(plain) <= {*_YES, *_NO} and marks != "ids":
        return _of_marks([label in _YES for label in plain], marks)
    if marks in ("start", "end", "gaps", "masses"):
        raise AnswerError(f"labels such as {labels[0]!r}: expected 0 and 1, as marks says")
    if marks is None and plain[0].startswith("b") and all(map(_TAG.fullmatch, labels)):
        return [at for at, label in enumerate(plain) if label[0] == "b" and at > 0], (
            ", B starts a segment"
        )
    if marks is None:
        _check_numbered(labels)
    return [at for at, (before, after) in enumerate(pairwise(labels), 1) if before != after], (
        ", numbers of segments" if marks is None else ", names of segments"
    )


def _of_marks(marked: Sequence[bool], marks: str | None) -> tuple[list[int], str]:
    places = [at for at, mark in enumerate(marked) if mark]
    if marks == "start":
        return [place for place in places if place > 0], ", 1 starts a segment"
    if marks == "end":
        return [place + 1 for place in places if place + 1 < len(marked)], ", 1 ends a segment"
    if marks is None:
        raise AnswerError(
            "each unit has a label 0 or 1: marks='start' or 'end' says whether 1 is the "
            "first unit of a segment or the last, 'ids' that units of a segment have the same"
        )
    raise AnswerError(f"a label for each unit, and marks is {marks!r}: expected start, end or ids")


def _check_numbered(labels: Sequence[str]) -> None:
    """Raise unless labels count segments: 1 1 2 2 3, A A B C, Topic 1 …; at least three, since two
    may be marks."""
    distinct = list(dict.fromkeys(labels))
    runs = sum(before != after for before, after in pairwise(labels)) + 1
    found = [_NUMBERED.fullmatch(label) for label in distinct]
    stems = {match[1] for match in found if match is not None}
    counters = [match[2] for match in found if match is not None]
    values = [int(x) if x.isdecimal() else ord(x) - ord("Aa"[x.islower()]) for x in counters]
    counted = [*range(values[0], values[0] + len(distinct))] if values else []
    if not (
        len(counters) == len(distinct) == runs > 2
        and len(stems) == 1
        and values == counted
        and counters[0] in ("0", "1", "A", "a")
    ):
        raise AnswerError(
            f"labels {', '.join(map(repr, distinct[:4]))} of all units: they may mark places, or "
            "name segments; marks='ids' says that a segment ends where they change"
        )
