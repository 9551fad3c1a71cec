"""The number of words in each unit, for conventions that count words where units are sentences."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from segscore.corpus.corpus import Corpus
from segscore.pairing.pairing import as_codings
from segscore.pairing.pairs import Pairs

Texts = Mapping[str, Sequence[str]]
GivenTexts = Texts | Corpus | str | os.PathLike[str] | Callable[[], Texts]


def word_counts(texts: Any, pairs: Pairs) -> list[list[int]] | None:
    """The number of words in each unit of each document; None if some texts are unknown, have other
    units, or units without a word."""
    found = _texts(texts)
    if not found:
        return None
    counts = []
    for name, n_units in zip(pairs.documents, pairs.n_units.tolist(), strict=True):
        words = [len(unit.split()) for unit in found.get(name, ())]
        if len(words) != n_units or 0 in words:
            return None
        counts.append(words)
    return counts


def _texts(given: Any) -> Texts:
    """The units of documents, where they are known."""
    if callable(given):
        given = given()
    if isinstance(given, str | os.PathLike | Corpus):
        return as_codings(given, "reference").texts
    if isinstance(given, Mapping) and all(_is_text(text) for text in given.values()):
        return given
    return {}


def _is_text(given: Any) -> bool:
    return isinstance(given, Sequence) and all(isinstance(unit, str) for unit in given)
