"""A label for each unit, as boundaries: tags B and I, marks 0 and 1, or names of segments.

A label of several units is not the title of a segment. B (or B-x) starts a segment. The caller says
what 0 and 1 (or yes and no) mean. Other labels name segments, if they cannot be anything else:
there is a boundary wherever they change.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from segscore.io.answers.claims import AnswerError, Claim
from segscore.text.folding import Folded

_LINE = re.compile(
    r"(?:[-*•]\s+)?(?:(?:sentence|line|unit|utterance|turn|u)\s*#?\s*)?"
    r"[\[(]?\s*([0-9]{1,9})\s*[\])]?\s*(?:[:.)|=–—-]|->|→)*\s*(\S.{0,59})",
    re.I,
)
_TAG = re.compile(r"([BIO])(?:-.*)?", re.I)
_NUMBERED = re.compile(r"(.*?)([0-9]{1,9}|(?<![^\W\d_])[A-Za-z])")
_YES, _NO = ("1", "yes", "true", "y"), ("0", "no", "false", "n")
_KNOWN = frozenset(
    (*_YES, *_NO, *"biosetlfun", "begin", "beginning", "start", "end", "middle", "inside", "in",
     "outside", "out", "last", "first", "new", "same", "old", "continue", "continuation", "shift",
     "boundary", "break", "none", "split", "-", "+", "x")
)  # fmt: skip


def lines_of_labels(text: str, n_units: int, units: Sequence[str] | None) -> Claim | None:
    """Lines with the number of each unit and a label; None if lines are something else."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for kept in (lines, lines[1:]):  # the first may announce the others
        found = [_LINE.fullmatch(line) for line in kept] if len(kept) == n_units else [None]
        rows = [match for match in found if match is not None]
        if len(rows) == len(found):
            numbers = [int(row[1]) for row in rows]
            labels = [row[2].strip(" \t\"'`*.") for row in rows]
            return _of_all_units("lines of", numbers, labels, n_units, units)
    return None


def with_labels(claim: Claim, n_units: int, units: Sequence[str] | None) -> Claim:
    """A claim in JSON as labels, if it gives each unit a label, and several units the same
    label."""
    form = claim.form.partition(", ")[0] + ","
    labels: Sequence[Any] = claim.quotes or claim.starts or ()
    if len(labels) != n_units or claim.groups is not None or claim.ends is not None:
        return claim
    found: Claim | None = None
    if claim.titles is not None and claim.starts is not None:
        names = [title or "" for title in claim.titles]
        found = _of_all_units(form, claim.starts, names, n_units, units)
        if found is None and all(name.isdecimal() and len(name) < 10 for name in names):
            found = _of_all_units(form, list(map(int, names)), claim.starts, n_units, units)
    elif claim.titles is None and not claim.copied:
        found = _of_all_units(form, range(n_units), labels, n_units, units)
    return claim if found is None else found


def _of_all_units(
    form: str, numbers: Sequence[int], given: Sequence[Any], n_units: int,
    units: Sequence[str] | None,
) -> Claim | None:  # fmt: skip
    """The labels, if each unit has a label, some labels repeat, and they are not the units' own
    words."""
    labels = [str(label).strip() for label in given]
    if [*numbers] not in ([*range(n_units)], [*range(1, n_units + 1)]) or n_units < 2:
        return None
    if len(set(labels)) == n_units or not all(labels):
        return None
    if units is not None and all(map(_begins, units, labels)):
        return None
    return Claim(f"{form} labels of all units", labels=labels)


def _begins(unit: str, label: str) -> bool:
    """Whether a unit begins with the words of a label, so that the label quotes it."""
    quoted, words = (Folded(text).text.casefold() for text in (label, unit))
    return words.startswith(quoted) and not words[len(quoted) : len(quoted) + 1].isalnum()


def boundaries_of_labels(labels: Sequence[str], marks: str | None) -> tuple[list[int], str]:
    """The boundaries of labels, one for each unit, and how the labels were understood.

    >>> boundaries_of_labels("B I I B I".split(), None)
    ([3], ', B starts a segment')
    >>> boundaries_of_labels("A A B B C".split(), None)
    ([2, 4], ', names of segments')
    >>> boundaries_of_labels("0 0 1 0 0".split(), "end")
    ([3], ', 1 ends a segment')
    """
    plain = [label.casefold() for label in labels]
    if set(plain) <= {*_YES, *_NO} and marks != "ids":
        return _of_marks([label in _YES for label in plain], marks)
    if marks in ("start", "end", "gaps", "masses"):
        raise AnswerError(f"labels such as {labels[0]!r}: expected 0 and 1, as marks says")
    tags = [_TAG.fullmatch(label) for label in labels]
    if marks is None and all(tags):
        kinds = {tag[1].upper() for tag in tags if tag is not None}
        if kinds == {"B", "I", "O"}:
            raise AnswerError("labels B, I and O: units that are O are in no segment")
        if "B" in kinds:
            starts = [at for at, label in enumerate(labels) if label[0] in "Bb" and at > 0]
            return starts, ", B starts a segment"
    if marks is None:
        _check_names(labels)
    return [at for at, (before, after) in enumerate(pairwise(labels), 1) if before != after], (
        ", names of segments"
    )


def _of_marks(marked: Sequence[bool], marks: str | None) -> tuple[list[int], str]:
    places = [at for at, mark in enumerate(marked) if mark]
    if not places and marks in (None, "start", "end"):
        return [], ", none of them a mark"
    if marks == "start":
        return [place for place in places if place > 0], ", 1 starts a segment"
    if marks == "end":
        return [place + 1 for place in places if place + 1 < len(marked)], ", 1 ends a segment"
    if marks is None:
        raise AnswerError(
            "each unit has a label 0 or 1: marks='start' or 'end' (--marks) says whether 1 is the "
            "first unit of a segment or the last, 'ids' that units of a segment have the same"
        )
    raise AnswerError(f"a label for each unit, and marks is {marks!r}: expected start, end or ids")


def _check_names(labels: Sequence[str]) -> None:
    """Raise for labels that may be marks instead of names of segments."""
    distinct = list(dict.fromkeys(labels))
    shown = ", ".join(map(repr, distinct[:4]))
    known = [label for label in distinct if label.casefold() in _KNOWN]
    numbered = [_NUMBERED.fullmatch(label) for label in distinct]
    counted = False
    if all(numbered):
        parts = [(match[1], match[2]) for match in numbered if match is not None]
        values = [int(counter) if counter.isdecimal() else ord(counter) for _, counter in parts]
        counted = len({stem for stem, _ in parts}) == 1 and values == [
            *range(values[0], values[0] + len(values))
        ]
    if counted or len(distinct) == 1:  # 1 1 2 2 3, A A B, Topic 1 …
        return
    if known or len(distinct) == 2:
        raise AnswerError(
            f"labels {shown} of all units: they may mark places, or name segments; marks='ids' "
            "(--marks ids) says that a segment ends where they change"
        )
