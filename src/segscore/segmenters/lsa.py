"""Latent semantic analysis (LSA), and CWM, which is C99 with such vectors.

LSA learns a vector for each word from the contexts that it occurs in. The table of words × contexts
(paragraphs, sentences or documents of a training corpus) is weighted by log-entropy and reduced by
a singular value decomposition, X ≈ U·S·V′. A word's vector is its row of U, not of U·S, in which
frequent words dominate (Choi, Wiemer-Hastings & Moore 2001; on Choi's texts U·S is even worse than
plain counts). The vector of a text is the sum of the vectors of its words; words that are not in
the space do not count.

CWM (Choi, Wiemer-Hastings & Moore 2001, "Latent semantic analysis for text segmentation") is C99
with the cosines of these sums instead of word counts. With such vectors density rises most after
the first few splits, so that the steep rises at the start, which C99 counts, are often none: so the
default is another rule (`stop`). HCWM uses the order of the splits as ranks, like HC99. Bestgen
(2006) shows that the gain is smaller if the texts to segment were not in the training corpus.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, shown, whole_number
from segscore.basics.user_functions import checked_vectors
from segscore.errors import SegmentationError
from segscore.io.files import MOST_PARSED, READABLE, as_path, naming_file, replacing, rows_size
from segscore.segmenters.c99 import RankedSplits, Stop
from segscore.segmenters.contract import Finite, checked_units
from segscore.segmenters.embedding import load_arrays
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing, count_words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weights = Literal["log-entropy", "raw"]

_FORMAT = 1  # of saved files


class LSASpace:
    """Words as vectors. Use `train` or `load`, or give a vocabulary and a matrix.

    Parameters
    ----------
    vocabulary: the words, each once, as `preprocessing` returns them.
    matrix: a row, the vector, for each word.
    preprocessing: how texts become words; see `Preprocessing`.

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
        self.vocabulary: tuple[str, ...] = tuple(vocabulary)
        self.matrix: NDArray[np.float32] = np.ascontiguousarray(matrix, np.float32)
        self.preprocessing = preprocessing
        self._row: Mapping[str, int] = {word: row for row, word in enumerate(self.vocabulary)}
        if self.matrix.ndim != 2 or len(self.matrix) != len(self._row):
            raise SegmentationError(
                f"matrix has shape {self.matrix.shape}, but there are {len(self._row)} different "
                "words: expected one row for each word"
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
        """Learn a space from texts; each text is a context (paragraphs work well)."""
        wanted = whole_number(dimensions, "dimensions", 1)
        if weights not in ("log-entropy", "raw"):
            raise SegmentationError(f"weights is {shown(weights)}: expected 'log-entropy' or 'raw'")
        counts, vocabulary = count_words(preprocessing.all_words(checked_units(texts)))
        most = min(counts.shape) - 1
        if wanted > most:
            raise SegmentationError(
                f"dimensions is {wanted}, but the training texts have {counts.shape[0]} contexts "
                f"and {counts.shape[1]} words: expected at most {most}"
            )
        return cls(vocabulary, _left_vectors(_weighted(counts, weights), wanted), preprocessing)

    def encode(self, units: Sequence[str]) -> Floats:
        """The vector of each text: the sum of the vectors of its words."""
        vectors = np.zeros((len(units), self.matrix.shape[1]))
        for index, words in enumerate(self.preprocessing.all_words(units)):
            rows = [self._row[word] for word in words if word in self._row]
            vectors[index] = self.matrix[rows].sum(axis=0, dtype=np.float64)
        return vectors

    # ---- files ----

    def save(self, path: str | Path) -> None:
        """Write a NumPy `.npz` file; no pickled objects inside, so that loading is safe."""
        words = self.preprocessing
        if callable(words.tokens) or callable(words.stemmer):
            raise SegmentationError(
                "the space was trained with a function for tokens or stems, which cannot be saved "
                "in a file: train it with the names of a tokeniser and a stemmer"
            )
        about = {
            "format": _FORMAT,
            "tokens": words.tokens,
            "stemmer": words.stemmer,
            "stop_stems": words.stop_stems,
            "stop_words": sorted(words.stop_list),
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
        """Read a file that `save` wrote."""
        # Opened here, because NumPy does not close a file that is no archive.
        with naming_file(path, READABLE), as_path(path).open("rb") as opened:
            about, vocabulary, matrix = _loaded(opened, path)
        if not isinstance(about, dict) or about.pop("format", None) != _FORMAT:
            raise SegmentationError(
                f"{str(path)!r} has another format: expected a file of format {_FORMAT}, that "
                "LSASpace.save wrote"
            )
        try:
            return cls(vocabulary, matrix, Preprocessing(**about))
        except (SegmentationError, TypeError) as error:
            raise SegmentationError(
                f"{str(path)!r}: {error}: expected a file that LSASpace.save wrote"
            ) from None

    def __repr__(self) -> str:
        return f"LSASpace({len(self.vocabulary)} words, {self.matrix.shape[1]} dimensions)"


def _loaded(opened: BinaryIO, path: str | Path) -> tuple[Any, list[str], NDArray[Any]]:
    """The parts of a saved space, checked against the form that `save` writes."""
    try:
        with load_arrays(opened, path) as file:
            about = json.loads(str(_text(file["about"], 0)))
            vocabulary, matrix = _text(file["vocabulary"], 1), np.asarray(file["matrix"])
            if matrix.dtype.kind != "f":
                raise ValueError("a matrix of numbers")
            if rows_size(vocabulary.size, 0) + vocabulary.nbytes > MOST_PARSED:
                raise ValueError("words that fit in memory")
    except SegmentationError:
        raise
    # Which error NumPy and zipfile raise depends on the damaged byte; and NumPy's own message would
    # advise to unpickle the file, which is not safe.
    except Exception as error:
        raise SegmentationError(
            f"cannot read {str(path)!r}: expected a file that LSASpace.save wrote"
        ) from error
    return about, vocabulary.tolist(), matrix


def _text(array: Any, dimensions: int) -> NDArray[Any]:
    """An array of texts, checked: NumPy accepts any 32 bits as a character, Python does not."""
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

    start = np.ones(min(contexts.shape))  # not at random: the same space every time
    vectors, strengths, _ = svds(contexts.T.tocsr(), k=dimensions, v0=start)
    ordered: Floats = vectors[:, np.argsort(-strengths)]
    return ordered


@dataclass(frozen=True)
class CWM(RankedSplits):
    """C99 in a space of word vectors by latent semantic analysis (LSA).

    Parameters
    ----------
    space: a file with a space; in Python also an `LSASpace`, a pair (vocabulary, matrix), or a
        function from texts to vectors.
    radius: the radius of the square around each cell in which similarities are ranked; 5 means
        11 × 11 cells.
    c: where to stop, if no number of segments is given: the higher, the fewer segments.
    stop: the rule for it: "excess" stops where density, less a price for each boundary, is
        highest; "start" counts steep rises of density from the start, as C99 does it.
    hierarchical: if no number of segments is given, split until each unit is a segment, so that
        each boundary has a rank.
    max_units: documents with more units are an error, because memory grows with their square.

    >>> texts = ["cats and dogs", "dogs chase cats", "stars and planets", "planets circle stars"]
    >>> CWM(LSASpace.train(texts, dimensions=2))(
    ...     ["a cat", "some dogs", "the cats", "planets", "stars"], n_segments=2
    ... )
    Segmentation(masses=[3, 2], ranks=[1])
    """

    name: ClassVar[str] = "cwm"

    space: LSASpace | str | Path | tuple[Any, Any] | Callable[[list[str]], Any]
    c: Finite = field(default=1.3, kw_only=True)
    stop: Stop = field(default="excess", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.space, tuple) and len(self.space) == 2:
            object.__setattr__(self, "space", LSASpace(*self.space))
        elif isinstance(self.space, str | Path):
            object.__setattr__(self, "space", LSASpace.load(self.space))
        elif not (isinstance(self.space, LSASpace) or callable(self.space)):
            raise SegmentationError(
                f"space is {shown(self.space)}: expected an LSASpace, the file of one, a pair "
                "(vocabulary, matrix), or a function from texts to vectors"
            )

    def _vectors(self, units: list[str]) -> Any:
        encode: Any = self.space.encode if isinstance(self.space, LSASpace) else self.space
        return checked_vectors(encode(units), len(units))
