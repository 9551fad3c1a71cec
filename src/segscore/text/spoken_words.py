"""The words of units as recognisers and people agree on them: without case and punctuation."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache


def spoken_words(units: Iterable[str]) -> tuple[list[str], list[int]]:
    """The words of all units, and how many there are up to the end of each.

    A word is what stands between white space, without case and punctuation; what has neither
    letters nor digits is no word.

    >>> spoken_words(["Well – it's late.", "Yes, LATE!"])
    (['well', 'its', 'late', 'yes', 'late'], [3, 5])
    """
    words: list[str] = []
    ends: list[int] = []
    for unit in units:
        words += filter(None, map(_folded, unit.split()))
        ends.append(len(words))
    return words, ends


@lru_cache(maxsize=65536)
def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKC", word).casefold()
    return "".join(one for one in plain if one.isalnum() or unicodedata.category(one)[0] == "M")
