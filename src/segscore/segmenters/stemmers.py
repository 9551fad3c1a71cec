"""Porter's stemmer, in the versions of the MIT segmenters and of Choi's program C99.

Porter (1980), "An algorithm for suffix stripping". The measure m of a stem is the number of times a
run of vowels is followed by a run of consonants.

`porter_stem` has the extensions of Porter's later C program: words of one or two letters stay as
they are; step 2 turns -bli into -ble (instead of -abli into -able) and -logi into -log. The MIT
segmenters stem this way, and only with it we get exactly their results; Snowball's `porter`
differs in a few words. A test compares it with NLTK's over a whole vocabulary.

`choi_stem` differs from Porter's description in this:
- characters that are not letters or digits (a hyphen) are removed first; if nothing remains, the
stem is `-`;
- a prefix kilo-, micro-, milli-, intra-, ultra-, mega-, nano-, pico- or pseudo- is cut off;
- step 2 also takes -iser and -isation for -izer and -ization, step 3 takes -alise for -alize;
- step 4 cuts -sion and -tion as a whole, where Porter cuts -ion after s or t; and also -ise.

A test compares C99 with this stemmer to the outputs of the program on Choi's texts.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

# Each letter of a word becomes v or c; y is a vowel where a consonant comes before it.
STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def _pattern(word: str) -> str:
    kinds: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == ["c"])
        kinds.append("v" if vowel else "c")
    return "".join(kinds)


def _measure(stem: str) -> int:
    return len(re.findall("v+c+", _pattern(stem)))


def _has_vowel(stem: str) -> bool:
    return "v" in _pattern(stem)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _pattern(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    return _pattern(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    """Step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    """Step 1b: -eed, -ed, -ing, and what their removal leaves behind."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    suffix = next((s for s in ("ed", "ing") if word.endswith(s)), "")
    stem = word[: len(word) - len(suffix)]
    if not suffix or not _has_vowel(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem) and stem[-1] not in "lsz":
        return stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_cvc(stem) else stem


def _replaced(word: str, rules: dict[str, str]) -> str:
    """Steps 2 and 3: the longest suffix that fits decides, whether it is then replaced or not."""
    suffix = max((s for s in rules if word.endswith(s)), key=len, default="")
    stem = word[: len(word) - len(suffix)]
    return stem + rules[suffix] if suffix and _measure(stem) > 0 else word


def _without_suffix(word: str, suffixes: Sequence[str]) -> str:
    """Step 4."""
    suffix = max((s for s in suffixes if word.endswith(s)), key=len, default="")
    stem = word[: len(word) - len(suffix)]
    if _measure(stem) < 2 or (suffix == "ion" and not stem.endswith(("s", "t"))):
        return word
    return stem


def _without_e(word: str) -> str:
    """Step 5: a final -e, then one of two final l."""
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_cvc(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


@lru_cache(maxsize=2**18)
def porter_stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [porter_stem(word) for word in ("possibly", "archaeology", "hopping", "relational", "as")]
    ['possibl', 'archaeolog', 'hop', 'relat', 'as']
    """
    return word if len(word) <= 2 else stripped(word, STEP_2, STEP_3, STEP_4)


def stripped(
    word: str, step_2: dict[str, str], step_3: dict[str, str], step_4: Sequence[str]
) -> str:
    """The stem after all steps, with these suffixes in steps 2 to 4."""
    word = _past(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, step_2), step_3)
    return _without_e(_without_suffix(word, step_4))


_NO_LETTER = re.compile(r"[^a-z0-9]")
_PREFIXES = ("kilo", "micro", "milli", "intra", "ultra", "mega", "nano", "pico", "pseudo")
_CHOI_STEP_2 = {
    **{old: new for old, new in STEP_2.items() if old not in ("bli", "logi")},
    "abli": "able",
    "iser": "ize",
    "isation": "ize",
}
_CHOI_STEP_3 = {**STEP_3, "alise": "al"}
_CHOI_STEP_4 = (*(suffix for suffix in STEP_4 if suffix != "ion"), "sion", "tion", "ise")


@lru_cache(maxsize=2**18)
def choi_stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [choi_stem(word) for word in ("ultra-violet", "election", "micrometers", "organised", "--")]
    ['violet', 'elec', 'meter', 'organis', '-']
    """
    word = _NO_LETTER.sub("", word)
    if len(word) <= 2:
        return word or "-"
    prefix = next((start for start in _PREFIXES if word.startswith(start) and word != start), "")
    return stripped(word[len(prefix) :], _CHOI_STEP_2, _CHOI_STEP_3, _CHOI_STEP_4)
