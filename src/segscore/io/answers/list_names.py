"""The name of a list of numbers in an answer, and what the list therefore claims."""

import re
from collections.abc import Sequence

from segscore.io.answers.claims import AnswerError, Claim

_AFTER = re.compile(r"after", re.I)
_POSITIONS = re.compile(r"boundar", re.I)
_STARTS = re.compile(r"start|begin|before|first", re.I)
_ENDS = re.compile(r"(?:segment|sentence|utterance|unit|topic)?s?[_ ]?ends?(?:[_ ]\w+)?", re.I)
_OTHERWISE = re.compile(r"end|stop|last|length|size|mass|count", re.I)

_START_WORDS = re.compile(r"start|begin|before|first (?:sent|utt|unit|line|turn)", re.I)
_AFTER_UNITS = re.compile(r"\bafter (?:the )?(?:sent|utt|unit|line|turn)|_after\b", re.I)
_OTHER_WORDS = re.compile(r"(?:\b|_)(?:end|ends|ending|last|lengths?|sizes?|counts?)(?:\b|_)", re.I)


def numbers_called(name: str, numbers: Sequence[int]) -> Claim | None:
    """What a list of numbers claims by its name; None if it can only be starts."""
    if _STARTS.search(name):
        return None
    if _AFTER.search(name):
        return Claim("numbers of units before boundaries", after=numbers)
    if _POSITIONS.search(name):
        return Claim("boundaries", positions=numbers)
    if _ENDS.fullmatch(name.strip()):
        return Claim("ends", ends=numbers)
    if _OTHERWISE.search(name):
        raise AnswerError(f"the list of numbers is called {name!r}: expected starts")
    return None


def may_be_empty(name: str) -> bool:
    """Whether an empty list of this name means that there is no boundary."""
    return not _STARTS.search(name) and bool(_AFTER.search(name) or _POSITIONS.search(name))


def numbers_announced(words: str, numbers: Sequence[int]) -> Claim | None:
    """What a list of numbers claims by the words before it; None if it can be starts. Words are
    weaker than names: if they only mention boundaries, both starts and positions fit."""
    if _START_WORDS.search(words):
        return None
    if _AFTER_UNITS.search(words):
        return Claim("numbers of units before boundaries", after=numbers)
    if _POSITIONS.search(words) and 0 not in numbers:
        raise AnswerError(
            "the words before the list speak of boundaries: its numbers may be starts, or "
            "positions after units; a field 'starts' or 'boundaries' would make it clear"
        )
    if _OTHER_WORDS.search(words):
        raise AnswerError(f"the list of numbers comes after {words.strip()!r}: expected starts")
    return None
