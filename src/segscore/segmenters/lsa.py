"""Latent semantic analysis: a vector for each word, learned from which contexts it occurs in.

The table of words × contexts (paragraphs, sentences or documents of a training corpus) is weighted
by log-entropy and reduced by a singular value decomposition, X ≈ U·S·V′. A word's vector is its
row of U; not of U·S, which makes frequent words drown the others (Choi, Wiemer-Hastings & Moore
2001; on Choi's texts U·S is even worse than plain counts). The vector of a text is the sum of its
words' vectors; words that the space does not know count nothing.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Self

import numpy as np
from numpy.typing import NDArray

from segscore.arguments import Floats, shown, whole_number
from segscore.errors import SegmentationError
from segscore.io.files import READABLE, as_path, naming_file, replacing
from segscore.segmenters.base import checked_units
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing, count_words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weights = Literal["log-entropy", "raw"]

_FORMAT = 1  # of saved files


class LSASpace:
    """Words as vectors. Made by `train` or `load`, or from a vocabulary and a matrix.

    >>> texts = ["cats and dogs", "dogs chase cats", "stars and planets", "planets circle stars"]
    >>> space = LSASpace.train(texts, dimensions=2)
    >>> space.encode(["a dog", "a planet", "nothing known"]).shape
    (3, 2)
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        matrix: NDArray[Any],
        preprocessing: Preprocessing = CLASSIC,
    ) -> None:
        self.vocabulary = tuple(vocabulary)
        self.matrix = np.ascontiguousarray(matrix, np.float32)
        self.preprocessing = preprocessing
        self._row: Mapping[str, int] = {word: row for row, word in enumerate(self.vocabulary)}
        if self.matrix.ndim != 2 or len(self.matrix) != len(self._row):
            raise SegmentationError(
                f"matrix has shape {self.matrix.shape} for {len(self._row)} different words: "
                "expected a row for each"
            )

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        dimensions: int = 300,
        *,
        weights: Weights = "log-entropy",
        preprocessing: Preprocessing = CLASSIC,
    ) -> Self:
        """Learn a space from texts, each of them a context (paragraphs do well)."""
        wanted = whole_number(dimensions, "dimensions", 1)
        if weights not in ("log-entropy", "raw"):
            raise SegmentationError(f"weights is {shown(weights)}: expected 'log-entropy' or 'raw'")
        counts, vocabulary = count_words(preprocessing.all_words(checked_units(texts)))
        most = min(counts.shape) - 1
        if wanted > most:
            raise SegmentationError(
                f"dimensions is {wanted}: expected at most {most}, for the training texts have "
                f"{counts.shape[0]} contexts and {counts.shape[1]} words"
            )
        return cls(vocabulary, _left_vectors(_weighted(counts, weights), wanted), preprocessing)

    def encode(self, units: Sequence[str]) -> Floats:
        """The vector of each text: the sum of its words'."""
        vectors = np.zeros((len(units), self.matrix.shape[1]))
        for index, words in enumerate(self.preprocessing.all_words(units)):
            rows = [self._row[word] for word in words if word in self._row]
            vectors[index] = self.matrix[rows].sum(axis=0, dtype=np.float64)
        return vectors

    # ---- files ----

    def save(self, path: str | Path) -> None:
        """Write a NumPy `.npz` file; no pickled objects inside, so that loading is safe."""
        made = self.preprocessing
        if callable(made.tokens) or callable(made.stemmer):
            raise SegmentationError(
                "the space was trained with a function for tokens or stems, which a file cannot "
                "hold: expected the names of a tokeniser and a stemmer"
            )
        about = {
            "format": _FORMAT,
            "tokens": made.tokens,
            "stemmer": made.stemmer,
            "stop_stems": made.stop_stems,
            "stop_words": sorted(made.stop_list),
        }
        with replacing(path) as file:
            np.savez_compressed(
                file.buffer,
                vocabulary=np.array(self.vocabulary),
                matrix=self.matrix,
                about=np.array(json.dumps(about)),
            )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        # Opened here, for NumPy does not close what turns out to be no archive.
        with naming_file(path, READABLE), as_path(path).open("rb") as opened:
            about, vocabulary, matrix = _loaded(opened, path)
        if not isinstance(about, dict) or about.pop("format", None) != _FORMAT:
            raise SegmentationError(f"{str(path)!r} has another format: expected {_FORMAT}")
        try:
            return cls(vocabulary, matrix, Preprocessing(**about))
        except (SegmentationError, TypeError) as error:
            raise SegmentationError(
                f"{str(path)!r}: {error}: expected a file that LSASpace.save wrote"
            ) from None

    def __repr__(self) -> str:
        return f"LSASpace({len(self.vocabulary)} words, {self.matrix.shape[1]} dimensions)"


def _loaded(opened: BinaryIO, path: str | Path) -> tuple[Any, list[str], NDArray[Any]]:
    """The parts of a saved space, as far as they are what `save` writes."""
    try:
        with np.load(opened, allow_pickle=False) as file:
            about = json.loads(str(_text(file["about"], 0)))
            vocabulary, matrix = _text(file["vocabulary"], 1), np.asarray(file["matrix"])
            if matrix.dtype.kind != "f":
                raise ValueError("a matrix of numbers")
    # What NumPy and zipfile raise depends on the byte that is damaged; and NumPy's own words would
    # be an advice to unpickle whatever it is.
    except Exception as error:
        raise SegmentationError(
            f"cannot read {str(path)!r}: expected a file that LSASpace.save wrote"
        ) from error
    return about, vocabulary.tolist(), matrix


def _text(array: Any, dimensions: int) -> NDArray[Any]:
    """An array of texts; NumPy takes any 32 bits for a character, and Python then fails."""
    if not isinstance(array, np.ndarray) or array.dtype.kind != "U" or array.ndim != dimensions:
        raise ValueError("no texts")
    codes = np.frombuffer(array.tobytes(), np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
    if codes.max(initial=0) > sys.maxunicode:
        raise ValueError("no Unicode")
    return array


def _weighted(counts: "csr_array", weights: Weights) -> "csr_array":
    """log(1 + count) times the word's evenness over contexts: 1 + Σ p·ln p / ln n."""
    if weights == "raw":
        return counts
    n_contexts, n_words = counts.shape
    shares: Any = counts.copy()
    shares.data = counts.data / np.asarray(counts.sum(axis=0))[counts.indices]
    entropy = np.bincount(counts.indices, shares.data * np.log(shares.data), n_words)
    shares.data = np.log1p(counts.data) * (1 + entropy / np.log(n_contexts))[counts.indices]
    return shares  # type: ignore[no-any-return]


def _left_vectors(contexts: "csr_array", dimensions: int) -> Floats:
    """The words' side of the decomposition, strongest dimension first."""
    from scipy.sparse.linalg import svds

    start = np.ones(min(contexts.shape))  # in place of a random one: the same space every time
    vectors, strengths, _ = svds(contexts.T.tocsr(), k=dimensions, v0=start)
    ordered: Floats = vectors[:, np.argsort(-strengths)]
    return ordered
