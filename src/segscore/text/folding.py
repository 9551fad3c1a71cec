"""Texts without what programs and people change: white space, kinds of quote marks, case.

A folded text knows the offset of each of its characters in the original text, so that whatever is
found in it can be located in the original.

>>> folded = Folded("He said: “No – never.”")
>>> folded.text
"Hesaid:'No-never.'"
>>> folded.at[:3]
array([0, 1, 3])

`spoken_words` are the words of units in a form on which speech recognisers and people agree;
`words` are runs of letters of any script. Scripts that are written without spaces (Chinese,
Japanese, Thai …) have no words that we could find: in texts of Chinese and Japanese each character
is one, and no cut there is inside a word.

`neighbour_cosines` is the similarity of neighbouring texts by the words that they share, weighted
by TF-IDF: the weight of a word in a text is its count times log(n / d), where n is the number of
texts and d the number of those that have the word (Salton & Buckley 1988). There is no list of stop
words, because a word that every text has weighs nothing.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from segscore.basics.arguments import Floats, Int64Array

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
        self.text: str = new[self.at].astype(np.uint32).tobytes().decode(_CODES, "surrogatepass")

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


# ---- words as runs of letters ----

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
