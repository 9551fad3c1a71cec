"""Words as runs of letters of any script, and where a cut falls inside a word.

Scripts that are written without spaces (Chinese, Japanese, Thai …) have no words that we could
find: in texts of Chinese and Japanese each character is one, and no cut there is inside a word.

The similarity of neighbouring texts by the words that they share, weighted by TF-IDF.

The weight of a word in a text is its count times log(n / d), where n is the number of texts and d
the number of those that have the word (Salton & Buckley 1988); a similarity is the cosine of the
weights. Words are runs of letters of any script, in lower case; there is no list of stop words,
because a word that every text has weighs nothing.
"""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from segscore.basics.arguments import Floats

_UNSPACED = ("CJK UNIFIED", "CJK COMPAT", "HIRAGANA", "KATAKANA")
_SPACELESS = ("IDEOGRAPHIC", "FULLWIDTH", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")


class _Letters(dict[int, str]):
    """The replacement of each character for `str.translate`: itself if it may be in a word, else a
    space."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if unicodedata.category(character)[0] in "LM":  # letters, and the marks they carry
            unspaced = unicodedata.name(character, "").startswith(_UNSPACED)
            put = f" {character} " if unspaced else character
        else:
            put = {"-": "-", "'": "'", "’": "'", "\u2010": "-", "\u00ad": ""}.get(character, " ")
        self[code] = put
        return put


_LETTERS = _Letters()


def words(text: str) -> list[str]:
    """Lower-case words of any script.

    >>> words("It's a well-known “fact” -- naïve, in 1999.")
    ["it's", 'a', 'well-known', 'fact', 'naïve', 'in']
    """
    plain = unicodedata.normalize("NFC", text).translate(_LETTERS).lower().replace("--", " ")
    return [token for run in plain.split() if (token := run.strip("-'"))]


def cut_inside_word(text: str, at: int) -> bool:
    """Whether a cut has no white space on either side, in a script that is written with spaces.

    >>> [cut_inside_word(text, 3) for text in ("It rains", "Rain", "雨が降る。")]
    [False, True, False]
    """
    if not 0 < at < len(text) or text[at - 1].isspace() or text[at].isspace():
        return False
    names = (unicodedata.name(character, "") for character in text[at - 1 : at + 1])
    return not any(name.startswith(_UNSPACED + _SPACELESS) for name in names)


def neighbour_cosines(texts: Sequence[Sequence[str]]) -> list[Floats]:
    """The cosine of each text and the next, list by list; weights are of all lists together. NaN
    where a text has no word that weighs something.

    >>> neighbour_cosines([["a cat", "the cat", "the dog"], ["one"]])[0].round(3).tolist()
    [0.316, 0.316]
    """
    from scipy.sparse import csr_array

    sizes = [len(text_list) for text_list in texts]
    known: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for index, text in enumerate(text for text_list in texts for text in text_list):
        for word in words(text):
            rows.append(index)
            columns.append(known.setdefault(word, len(known)))
    n = sum(sizes)
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, max(1, len(known))))
    counts.sum_duplicates()
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    with np.errstate(divide="ignore"):
        rarity = np.where(frequencies > 0, np.log(n / np.maximum(frequencies, 1)), 0.0)
    weights = counts.multiply(rarity[np.newaxis, :]).tocsr()
    lengths = np.sqrt(np.asarray(weights.power(2).sum(axis=1))).ravel()
    products = np.asarray(weights[:-1].multiply(weights[1:]).sum(axis=1)).ravel()
    ends = np.cumsum([0, *sizes])
    found: list[Floats] = []
    for first, last in pairwise(ends.tolist()):
        inside = slice(first, max(first, last - 1))
        below = lengths[inside] * lengths[first + 1 : max(first + 1, last)]
        cosines = np.full(len(below), np.nan)
        np.divide(products[inside], below, out=cosines, where=below > 0)
        found.append(np.minimum(cosines, 1.0))
    return found
