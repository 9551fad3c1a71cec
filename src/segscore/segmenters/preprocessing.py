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
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.segmenters.stemmers import choi_stem, porter_stem
from segscore.text.letter_words import words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Tokeniser = str | Callable[[str], Iterable[str]]
StopWords = str | Path | Collection[str] | None
Stemmer = str | Callable[[str], str] | None

_ENGLISH_STEMMERS = ("english", "porter", "martin", "choi")
_OWN_STEMMERS = {"martin": porter_stem, "choi": choi_stem}
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


def _english_stop_words() -> frozenset[str]:
    """Our own list; lines that begin with # are comments."""
    text = resources.files(__package__).joinpath("english_stop_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(word for line in lines for word in line.split())


ENGLISH = _english_stop_words()


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


def _snowball_package() -> Any:
    """The Snowball package, imported on first use, because it loads all languages."""
    import snowballstemmer

    return snowballstemmer


@lru_cache(maxsize=2**18)
def _snowball(algorithm: str, word: str) -> str:
    stemmers: dict[str, Any] = _stemmers.__dict__
    if algorithm not in stemmers:
        stemmers[algorithm] = _snowball_package().stemmer(algorithm)
    stem: str = stemmers[algorithm].stemWord(word)
    return stem


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
        if not callable(self.tokens) and self.tokens not in _TOKENISERS:
            raise SegmentationError(
                f"tokens is {shown(self.tokens)}: expected one of {', '.join(_TOKENISERS)}, or a "
                "function"
            )
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
        algorithms = _snowball_package().algorithms()
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

    def counts(self, units: Sequence[str]) -> "csr_array":
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


def count_words(units: Sequence[Sequence[str]]) -> tuple["csr_array", list[str]]:
    """A sparse table of word counts of units, and the word that each column counts."""
    from scipy.sparse import csr_array

    column: dict[str, int] = {}
    columns = [column.setdefault(word, len(column)) for unit in units for word in unit]
    starts = np.concatenate(([0], np.cumsum([len(unit) for unit in units])))
    table: Any = csr_array(
        (np.ones(len(columns)), np.array(columns, np.int64), starts),
        shape=(len(units), len(column)),
    )
    table.sum_duplicates()
    return table, list(column)
