"""From texts to word counts: what all lexical segmenters share.

Each unit is cut into tokens, stop words are dropped, the rest is stemmed and counted. Without a
stop list no lexical method works (C99 has 34 % errors instead of 12 % on Choi's texts); which stop
list it is makes little difference.

Tokenisers:
- `words`: runs of letters of any script, with hyphens and apostrophes inside; scripts written
  without spaces (Chinese, Japanese) have one token per character;
- `choi`: split at white space, keep tokens that have only letters and hyphens (Choi 2000; meant for
  texts that are tokenised already);
- `mit`: what is not an ASCII letter, digit or `$` becomes a space (Malioutov & Barzilay 2006;
  Eisenstein & Barzilay 2008), the word `inaudible` is dropped;
- or any function from a text to its tokens.

Stems are those of Snowball, or of Porter's stemmer in the versions of the MIT segmenters and of
Choi's program C99. Porter (1980), "An algorithm for suffix stripping": the measure m of a stem is
the number of times a run of vowels is followed by a run of consonants.

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

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, resources
from pathlib import Path
from threading import local
from typing import Any

import numpy as np

from segscore.basics.arguments import check_choice, shown
from segscore.errors import SegmentationError
from segscore.text.folding import words

Counts = Any  # a sparse table: a row per unit, a column per word (scipy.sparse.csr_array)
Tokeniser = str | Callable[[str], Iterable[str]]
StopWords = str | Path | Collection[str] | None
Stemmer = str | Callable[[str], str] | None

_ENGLISH_STEMMERS = ("english", "porter", "martin", "choi")
_NOT_MIT = re.compile(r"[^a-zA-Z0-9 $]")


# ---- tokens ----


def choi_tokens(text: str) -> list[str]:
    """Lower-case tokens between spaces, if they have only letters and hyphens.

    >>> choi_tokens("The 1st well-known fact , isn't it ?")
    ['the', 'well-known', 'fact', 'it']
    """
    return [token for token in text.lower().split() if token.replace("-", "a").isalpha()]


def mit_tokens(text: str) -> list[str]:
    """Lower-case runs of ASCII letters, digits and `$`.

    >>> mit_tokens("That's $5, (inaudible) right?")
    ['that', 's', '$5', 'right']
    """
    tokens = _NOT_MIT.sub(" ", text).lower().split()
    return [token for token in tokens if token != "inaudible"]  # noqa: S105  a word, no secret


_TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "words": words,
    "choi": choi_tokens,
    "mit": mit_tokens,
}


# ---- stop words ----


_LIST = resources.files(__package__).joinpath("english_stop_words.txt").read_text("utf-8")
ENGLISH = frozenset(re.sub("(?m)^#.*", "", _LIST).split())  # ours


@lru_cache
def _words_of_file(path: Path) -> frozenset[str]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SegmentationError(
            f"stop_words: cannot read {str(path)!r} ({problem}): expected a UTF-8 text file with "
            "a word per line"
        ) from None
    return frozenset(line.strip().lower() for line in text.splitlines() if line.strip())


def _choi_stop_words() -> frozenset[str]:
    """Choi's list is read from the data folder, because we may not distribute it."""
    folder = os.environ.get("SEGSCORE_DATA")
    if not folder:
        raise SegmentationError(
            "stop_words is 'choi', but SEGSCORE_DATA is not set: set it to a folder that has "
            "choi/STOPWORD.list, or give stop_words=Path(…) of the file"
        )
    return _words_of_file(Path(folder) / "choi" / "STOPWORD.list")


# ---- stems ----

_stemmers = local()  # Snowball's stemmers keep state while they work: one per thread


@lru_cache(maxsize=2**18)
def _snowball(algorithm: str, word: str) -> str:
    stemmers: dict[str, Any] = _stemmers.__dict__
    if algorithm not in stemmers:
        stemmers[algorithm] = import_module("snowballstemmer").stemmer(algorithm)
    stem: str = stemmers[algorithm].stemWord(word)
    return stem


# ---- Porter's stemmer ----

# Each letter of a word becomes v or c; y is a vowel where a consonant comes before it.
_SUFFIXES_2 = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble logi:log"
)
_SUFFIXES_3 = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_SUFFIXES_4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
STEP_2 = {old: new for old, _, new in (rule.partition(":") for rule in _SUFFIXES_2.split())}
STEP_3 = {old: new for old, _, new in (rule.partition(":") for rule in _SUFFIXES_3.split())}
STEP_4 = tuple(_SUFFIXES_4.split())


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
    if stem[-1:] == stem[-2:-1] and _pattern(stem)[-1] == "c" and stem[-1] not in "lsz":
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


_OWN_STEMMERS = {"martin": porter_stem, "choi": choi_stem}


# ---- all together ----


@dataclass(frozen=True)
class Preprocessing:
    """How the text of a unit becomes words to count.

    Parameters
    ----------
    tokens: "words" (runs of letters of any script), "choi", "mit", or a function from a text to its
        tokens.
    stop_words: "english" (our list), "choi" (Choi's list, from SEGSCORE_DATA), a Path to a file
        with a word per line, a collection of words, or None.
    stemmer: the name of a Snowball algorithm ("english", "porter", "german" …), "martin" (Porter's
        stemmer with the extensions of the MIT segmenters), "choi" (that of the program C99), a
        function, or None.
    stop_stems: True compares stop words after stemming, False before.

    >>> Preprocessing().words("The houses, and the housing!")
    ['hous', 'hous']
    >>> Preprocessing(stop_words={"und", "die"}, stemmer="german").words("Die Häuser und Höfe")
    ['haus', 'hof']
    """

    tokens: Tokeniser = "words"
    stop_words: StopWords = "english"
    stemmer: Stemmer = "english"
    stop_stems: bool = False

    def __post_init__(self) -> None:
        if not callable(self.tokens):
            check_choice(self.tokens, "tokens", tuple(_TOKENISERS))
        if self.stemmer not in (None, *_ENGLISH_STEMMERS) and not callable(self.stemmer):
            self._check_algorithm()
        if not isinstance(self.stop_words, str | Path | None):
            if not all(isinstance(word, str) for word in self.stop_words):
                wrong = next(word for word in self.stop_words if not isinstance(word, str))
                raise SegmentationError(f"stop_words has {shown(wrong)}: expected texts (str)")
            object.__setattr__(self, "stop_words", frozenset(self.stop_words))
        elif isinstance(self.stop_words, str) and self.stop_words not in ("english", "choi"):
            raise SegmentationError(
                f"stop_words is {shown(self.stop_words)}: expected 'english', 'choi', a Path to a "
                "file with a word per line, a collection of words, or None"
            )

    def _check_algorithm(self) -> None:
        algorithms = import_module("snowballstemmer").algorithms()  # it loads all languages
        if self.stemmer not in algorithms:
            raise SegmentationError(
                f"stemmer is {shown(self.stemmer)}: expected martin, choi, None, a function, or "
                f"one of {', '.join(algorithms)}"
            )
        if self.stop_words == "english":
            raise SegmentationError(
                f"stemmer is {self.stemmer!r}, but stop_words is 'english': give stop words of "
                "that language (a list, or a Path to a file), or None"
            )

    @property
    def stop_list(self) -> frozenset[str]:
        """The words that are left out."""
        if self.stop_words is None:
            return frozenset()
        if isinstance(self.stop_words, frozenset):
            return self.stop_words
        if isinstance(self.stop_words, Path):
            return _words_of_file(self.stop_words)
        return ENGLISH if self.stop_words == "english" else _choi_stop_words()

    def stem(self, word: str) -> str:
        """The stem of a word."""
        if self.stemmer is None:
            return word
        if callable(self.stemmer):
            return self.stemmer(word)
        if self.stemmer in _OWN_STEMMERS:
            return _OWN_STEMMERS[self.stemmer](word)
        return _snowball(self.stemmer, word)

    def tokenise(self, text: str) -> list[str]:
        """All tokens, with stop words."""
        cut = self.tokens if callable(self.tokens) else _TOKENISERS[self.tokens]
        return list(cut(text))

    def keep(self, tokens: Sequence[str]) -> list[str]:
        """The stem of each token, or an empty text for a stop word."""
        stop = self.stop_list
        if self.stop_stems:
            stop = _stems_of(self, stop)
            return ["" if (stem := self.stem(token)) in stop else stem for token in tokens]
        return ["" if token in stop else self.stem(token) for token in tokens]

    def lexicon(self, units: Sequence[str]) -> set[str]:
        """All stems of a document, including those of stop words.

        >>> sorted(Preprocessing().lexicon(["The houses,", "and the housing!"]))
        ['and', 'hous', 'the']
        """
        return {self.stem(token) for token in {t for unit in units for t in self.tokenise(unit)}}

    def words(self, text: str) -> list[str]:
        """The stems that count, in order."""
        return [word for word in self.keep(self.tokenise(text)) if word]

    def all_words(self, units: Sequence[str]) -> list[list[str]]:
        """The stems that count, of each unit."""
        return [self.words(unit) for unit in units]

    def counts(self, units: Sequence[str]) -> Counts:
        """A row per unit, a column per word of the document: the number of its occurrences."""
        return count_words(self.all_words(units))[0]


@lru_cache(maxsize=32)
def _stems_of(preprocessing: Preprocessing, words: frozenset[str]) -> frozenset[str]:
    """The stems of a stop list, cached so that they are not computed for each unit."""
    return frozenset(map(preprocessing.stem, words))


CLASSIC = Preprocessing()
# As in the MIT programs (MinCutSeg, BayesSeg), for English only. Their stop list is Choi's except a
# few words: replace(MIT, stop_words="choi") gives exactly their results.
MIT = Preprocessing("mit", stemmer="martin", stop_stems=True)
# As in the program C99, whose stop list is Choi's.
CHOI_2000 = Preprocessing("choi", "choi", "choi")


def count_words(units: Sequence[Sequence[str]]) -> tuple[Counts, list[str]]:
    """A sparse table of word counts of units, and the word that each column counts."""
    from scipy.sparse import csr_array

    column: dict[str, int] = {}
    columns = [column.setdefault(word, len(column)) for unit in units for word in unit]
    starts = np.concatenate(([0], np.cumsum([len(unit) for unit in units])))
    table = csr_array(
        (np.ones(len(columns)), np.array(columns, np.int64), starts),
        shape=(len(units), len(column)),
    )
    table.sum_duplicates()
    return table, list(column)
