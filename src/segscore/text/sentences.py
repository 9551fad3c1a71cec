"""Where sentences end: the rule of segscore, for readers and segmenters alike.

A sentence ends
- after `.` `!` `?` `…` and their like in other scripts where space follows, and after `。！？`
  wherever they stand; closing quotes and brackets, and a note's number such as `[1]`, stay with
  their sentence;
- at a blank line, because a heading has no full stop.

It does not end
- before a small letter: `"Why?" he asked.` is one sentence;
- after an abbreviation, an initial (`J. Smith`) or letters with dots (`U.S.`), unless a word comes
  next that often starts a sentence: `He lives in the U.S. They do not.` are two;
- after an abbreviation that needs a number (`No. 5`, `Fig. 2`, `Sept. 3`), if a number follows;
- after the number of an item that starts a sentence: `1. Open the door.` is one.

Headings of Markdown and blocks of code are no sentences: `segscore.text.unit_splitting` sets them
apart before.

That is a rule, not a model: the same text always gives the same sentences, on every computer. The
abbreviations and the words are English; the other rules hold for any language.
"""

import re
from collections.abc import Iterator
from importlib import resources

_STOPS = ".!?…؟۔।॥።"
_CLOSING = "\"'”“’‘»«›‹)\\]}」』"
_WIDE_CLOSING = "”’」』）】》〉］〕〗〞〟﹂﹄｝｣"
# A run of stops is looked at once, from its start: time must not grow with the square of a text.
_END = re.compile(
    rf"(?<![{_STOPS}])[{_STOPS}]++[{_CLOSING}]*+(?:[ \u00a0\u202f]»)?(?:\[\d{{1,4}}\])*+(?=\s)"
    rf"|(?:(?:[。！？｡]|．(?!\d))++[{_WIDE_CLOSING}]*+)++(?:[\"']++(?=\s|\Z))?"
)
_NEXT = re.compile(r"\s*+([\"'“‘«‹„(\[{]*+)(\w*+)(\.?)")
_NEAR = 20  # characters before a full stop that can tell
_ITEM = re.compile(r"\s*[(\[]?(?:\d{1,2}|[A-Za-z])")
_LETTERS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")  # u.s


def _word_lists() -> list[frozenset[str]]:
    """The lists of the data file, separated by blank lines; comments begin with #."""
    text = resources.files(__package__).joinpath("english_sentence_words.txt").read_text("utf-8")
    words = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [frozenset(part.split()) for part in words.strip().split("\n\n")]


_NEVER, _ABBREVIATIONS, _BEFORE_NUMBERS, _STARTERS = _word_lists()


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end inside a stretch without a blank line; its own end is not among them.

    >>> list(sentence_ends("Dr. No came. He sat.", 0, 20))
    [12]
    """
    first = start
    for found in _END.finditer(text, start, end):
        last = found.end() + _closes(text, first, found)
        if last < end and not _goes_on(text, first, found, end):
            yield last
            first = last


def _closes(text: str, first: int, found: re.Match[str]) -> int:
    """1 if a straight quote mark after a wide stop closes a quotation that the sentence has
    opened."""
    mark = text[found.end() : found.end() + 1]
    if found[0][0] in _STOPS or not mark or mark not in "\"'":
        return 0
    return text.count(mark, first, found.end()) % 2


def _goes_on(text: str, first: int, found: re.Match[str], end: int) -> bool:
    """Is this stop inside a sentence? `first` is where the sentence starts."""
    if found[0][0] not in _STOPS:  # a wide stop always ends a sentence
        return False
    following = _NEXT.match(text, found.end(), end)
    opening, word, dot = following.groups() if following is not None else ("", "", "")
    if not opening and word[:1].islower():
        return True
    return found[0] == "." and _abbreviates(text, first, found.start(), word, dot)


def _abbreviates(text: str, first: int, stop: int, word: str, dot: str) -> bool:
    """Whether this full stop belongs to an item's number, an initial or an abbreviation, so that
    the sentence continues; `word` comes next, and `dot` is the full stop after it, if any."""
    before = text[max(first, stop - _NEAR) : stop]
    if stop - first < _NEAR and _ITEM.fullmatch(before):
        return before.strip() != "I"
    last = before.split()[-1].lstrip("\"'“‘«„([") if before.strip() else ""
    initial = len(last) == 1 and last.isupper() and last != "I"
    last = last.lower()
    if last in _NEVER or (last in _BEFORE_NUMBERS and word[:1].isdigit()):
        return True
    if initial or last in _ABBREVIATIONS or _LETTERS.fullmatch(last):
        return dot == "." or word.lower() not in _STARTERS
    return False
