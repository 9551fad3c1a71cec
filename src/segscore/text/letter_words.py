"""Words as runs of letters of any script, and where a cut falls inside a word.

Scripts that are written without spaces (Chinese, Japanese, Thai …) have no words that we could
find: in texts of Chinese and Japanese each character is one, and no cut there is inside a word.
"""

import unicodedata

_UNSPACED = ("CJK UNIFIED", "CJK COMPAT", "HIRAGANA", "KATAKANA")
_WITHOUT_SPACES = (
    *_UNSPACED,
    "IDEOGRAPHIC",
    "FULLWIDTH",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
    "TIBETAN",
)


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
    return not any(name.startswith(_WITHOUT_SPACES) for name in names)
