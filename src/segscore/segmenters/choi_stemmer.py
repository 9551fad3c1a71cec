"""The stemmer of Choi's C99 program: Porter's (1980), with changes of its own.

It differs from Porter's description in this:
- what is no letter or digit (a hyphen) is removed first; where nothing remains, the stem is `-`;
- a prefix kilo-, micro-, milli-, intra-, ultra-, mega-, nano-, pico- or pseudo- is cut off;
- step 2 also takes -iser and -isation for -izer and -ization, step 3 takes -alise for -alize;
- step 4 cuts -sion and -tion as a whole, where Porter cuts -ion after s or t; and also -ise.

A test compares C99 with this stemmer to the outputs of the program on Choi's texts.
"""

import re
from functools import lru_cache

from segscore.segmenters import porter

_NO_LETTER = re.compile(r"[^a-z0-9]")
_PREFIXES = ("kilo", "micro", "milli", "intra", "ultra", "mega", "nano", "pico", "pseudo")
_STEP_2 = {
    **{old: new for old, new in porter.STEP_2.items() if old not in ("bli", "logi")},
    "abli": "able",
    "iser": "ize",
    "isation": "ize",
}
_STEP_3 = {**porter.STEP_3, "alise": "al"}
_STEP_4 = (*(suffix for suffix in porter.STEP_4 if suffix != "ion"), "sion", "tion", "ise")


@lru_cache(maxsize=2**18)
def stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [stem(word) for word in ("ultra-violet", "election", "micrometers", "organised", "--")]
    ['violet', 'elec', 'meter', 'organis', '-']
    """
    word = _NO_LETTER.sub("", word)
    if len(word) <= 2:
        return word or "-"
    prefix = next((one for one in _PREFIXES if word.startswith(one) and word != one), "")
    return porter.stripped(word[len(prefix) :], _STEP_2, _STEP_3, _STEP_4)
