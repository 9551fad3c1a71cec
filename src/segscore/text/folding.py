"""Texts without what programs and people change: white space, kinds of quote marks, case.

A folded text knows the offset of each of its characters in the original text, so that whatever is
found in it can be located in the original.

>>> folded = Folded("He said: “No – never.”")
>>> folded.text
"Hesaid:'No-never.'"
>>> folded.at[:3]
array([0, 1, 3])

`spoken_words` are the words of units in a form on which speech recognisers and people agree.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from segscore.basics.arguments import Int64Array

_QUOTES = "\"'`´‘’‚‛“”„‟«»‹›′″ʼ＂＇「」『』"
_INVISIBLE = "\ufeff\u200b\u2060\u00ad"  # marks without width, and the hyphen that is not shown
_CODES = "utf-32-le"


class Folded:
    """A text without white space, its quote marks and dashes of one kind each; or, with `bare`,
    without quote marks.

    text: the folded text. at: the offset of each of its characters in the original. original: the
        text.
    """

    def __init__(self, text: str, *, bare: bool = False) -> None:
        codes = np.frombuffer(text.encode(_CODES, "surrogatepass"), np.uint32)
        kinds, which = np.unique(codes, return_inverse=True)
        becomes = np.array([_folded(chr(code), bare) for code in kinds.tolist()], np.int64)
        new = becomes[which]
        self.original = text
        self.at: Int64Array = np.flatnonzero(new >= 0)
        self.text = new[self.at].astype(np.uint32).tobytes().decode(_CODES, "surrogatepass")

    def __len__(self) -> int:
        return len(self.text)

    def between(self, index: int) -> str:
        """The original text from this character up to the next."""
        last = int(self.at[index + 1]) if index + 1 < len(self.at) else len(self.original)
        return self.original[int(self.at[index]) : last]


@lru_cache(maxsize=4096)
def _folded(character: str, bare: bool) -> int:
    """What a character becomes; -1 if it is left out."""
    if character.isspace() or character in _INVISIBLE:
        return -1
    if character in _QUOTES:
        return -1 if bare else ord("'")
    return ord("-") if unicodedata.category(character) == "Pd" else ord(character)


def is_quote(character: str) -> bool:
    """Whether a character is a quote mark of any kind."""
    return character in _QUOTES


def is_white(text: str) -> bool:
    r"""Whether nothing in a text is visible.

    >>> is_white(" \n\ufeff"), is_white("a")
    (True, False)
    """
    return all(character.isspace() or character in _INVISIBLE for character in text)


def count_visible(text: str) -> int:
    """The number of characters of a text that are not white space."""
    return sum(not (character.isspace() or character in _INVISIBLE) for character in text)


def spoken_words(units: Iterable[str]) -> tuple[list[str], list[int]]:
    """The words of all units, and the number of words up to the end of each.

    A word is a run between white space, without case and punctuation; a run without letters and
    digits is not a word.

    >>> spoken_words(["Well – it's late.", "Yes, LATE!"])
    (['well', 'its', 'late', 'yes', 'late'], [3, 5])
    """
    words: list[str] = []
    ends: list[int] = []
    for unit in units:
        words += filter(None, map(_spoken, unit.split()))
        ends.append(len(words))
    return words, ends


@lru_cache(maxsize=65536)
def _spoken(word: str) -> str:
    plain = unicodedata.normalize("NFKC", word).casefold()
    return "".join(
        character
        for character in plain
        if character.isalnum() or unicodedata.category(character)[0] == "M"
    )
