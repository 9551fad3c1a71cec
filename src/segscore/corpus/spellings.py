"""Names that differ only in spelling: Ben and ben, S2 and s2, a space at the end."""

import unicodedata
from collections.abc import Iterable


def spelt_alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, spaces or the form of accents.

    >>> spelt_alike(["Ben", "Anna", "ben", "Ben "])
    [['Ben', 'ben', 'Ben ']]
    """
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        folded = unicodedata.normalize("NFKC", name).casefold()
        found.setdefault(" ".join(folded.split()), []).append(name)
    return [alike for alike in found.values() if len(alike) > 1]
