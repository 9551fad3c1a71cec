"""Segmentation by vectors of units: of sentence embeddings, or by latent semantic analysis.

EmbeddingSegmenter takes any encoder, and has three ways to cut.

- `dp`: the segmentation whose units lie closest to the mean direction of their segments. With unit
  vectors, cost(segment) = length − |Σ vectors|² / length; the best K segments come from dynamic
  programming. Without K, the number of segments is where the gain of one more segment stops being
  large, by the same rule as in C99 (`similarity.py`).
- `c99`: local ranks and divisive clustering of the cosines, as in C99.
- `tiling`: similarity of the blocks left and right of each gap and its depth, as in TextTiling.

Encoders are functions from texts to vectors: by name or from files; each text is encoded only once.
Their results are checked (`segscore.basics.user_functions`).

- `MODULE:FUNCTION` is imported, also from the current folder;
- a folder has a file `DOCUMENT.npy` for each document, the row of each unit in order;
- an `.npz` file has an array for each document, by its name;
- an `.npy` file is for a single document.

No file is unpickled, so that reading is safe. A compressed archive may unpack to a thousand times
its size, so the declared sizes of its members are added up first, and nothing beyond them is read.

Latent semantic analysis (LSA), and CWM, which is C99 with such vectors.

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
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from segscore.basics import user_functions
from segscore.basics.arguments import Floats, check_choice, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about, named
from segscore.io import files
from segscore.segmenters import c99, contract, texttiling
from segscore.segmenters.contract import Finite, Natural, Segmenter
from segscore.segmenters.preprocessing import CLASSIC, Counts, Preprocessing, count_words

Method = Literal["dp", "c99", "tiling"]


def dispersion_costs(vectors: Floats) -> Iterator[Floats]:
    """For each end 1 … N, length − |Σ vectors|² / length of the segments start … end."""
    sums = np.concatenate((np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)))
    for end in range(1, len(sums)):
        inside = sums[end] - sums[:end]
        lengths = np.arange(end, 0, -1)
        yield lengths - np.einsum("ij,ij->i", inside, inside) / lengths


@dataclass(frozen=True)
class EmbeddingSegmenter(Segmenter):
    """Cut by the vectors of sentence embeddings.

    Parameters
    ----------
    encode: a function from a list of texts to an array, a vector per text.
    method: "dp" minimises the distance of units from the mean direction of their segment, "c99"
        uses ranks and splits as C99, "tiling" compares neighbouring blocks as TextTiling.
    c: where dp and c99 stop, if no number of segments is given: the higher, the fewer segments.
    k: units per block, for tiling.
    max_segments: the most segments that dp tries if no number is given.
    smoothing: whether tiling averages the similarity of each gap with those of its neighbours,
        which hides segments of few units.
    stop: the rule of dp and c99 for it: "excess" stops where the gain of all boundaries, less a
        price for each, is highest; "start" counts large gains from the start, as Choi's C99 does.
    max_units: the most units of a document for c99, because memory grows with their square.

    >>> encode = lambda texts: [[text.count("a"), text.count("b")] for text in texts]
    >>> EmbeddingSegmenter(encode)(["a", "aa", "a", "b", "bb"], n_segments=2)
    Segmentation(masses=[3, 2])
    """

    name: ClassVar[str] = "embedding"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "method": get_args(Method),
        "c": (0.6, 0.9, 1.2, 1.5),
        "k": (2, 3, 5),
    }

    encode: Callable[[list[str]], Any]
    method: Method = "dp"
    c: Finite = 1.3
    k: Natural = 3
    max_segments: Annotated[int, 2] = 200
    smoothing: bool = False
    stop: c99.Stop = "excess"
    max_units: Natural = c99.MOST_UNITS

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.method == "c99":  # before the encoder works for minutes
            c99.check_table(len(units), self.max_units, f"{self.name}(method=c99)")
        vectors = user_functions.unit_length(
            user_functions.checked_vectors(self.encode(units), len(units))
        )
        if self.method == "c99":
            return c99.ranked_splits(vectors, n_segments, 5, self.c, self.stop)
        if self.method == "tiling":
            return texttiling.tiles(vectors, self.k, n_segments, "HC", self.smoothing)
        most = n_segments or min(len(units), self.max_segments)
        totals, boundaries = contract.plans(dispersion_costs(vectors), len(units), most)
        wanted = n_segments or 1 + c99.steep_rises(-np.diff(totals), self.c, self.stop)
        return Segmentation.from_boundaries(boundaries(wanted), len(units))


Encoder = Callable[[list[str]], Any]

_FILES = (".npy", ".npz")


# ---- encoders: each text once ----


@dataclass(frozen=True, eq=False)
class EncodedOnce:
    """An encoder that remembers the vectors of each list of texts."""

    encode: Encoder
    vectors: dict[tuple[str, ...], Any] = field(default_factory=dict, repr=False)

    def __call__(self, texts: list[str]) -> Any:
        key = tuple(texts)
        if key not in self.vectors:
            self.vectors[key] = _compact(
                user_functions.checked_vectors(self.encode(texts), len(texts))
            )
        return self.vectors[key]

    @property
    def __name__(self) -> str:
        return user_functions.function_name(self.encode)

    def __reduce__(self) -> Any:
        raise TypeError("stays in its process: worker processes would encode everything again")


def _compact(vectors: Floats) -> NDArray[Any]:
    """The vectors in single precision, if nothing is lost."""
    single = vectors.astype(np.float32)
    return single if np.array_equal(single, vectors) else vectors


# ---- encoders by name ----


def encoder(spec: str, documents: Mapping[str, Sequence[str]]) -> EncodedOnce:
    """The encoder that a text names: a function, or files of vectors for these documents."""
    path = Path(spec)
    if path.is_dir() or path.suffix.lower() in _FILES:
        return EncodedOnce(_unknown, _stored(path, documents))
    others = f", a folder of .npy files, or a file {', '.join(_FILES)}"
    return EncodedOnce(user_functions.imported_function(spec, "encoder", others))


# ---- vectors from files ----


def _unknown(texts: list[str]) -> Any:
    raise SegmentationError(
        f"there are no vectors of the text that starts {shown(texts[0])}: expected the documents "
        "for which the file was read"
    )


def _stored(path: Path, documents: Mapping[str, Sequence[str]]) -> dict[tuple[str, ...], Any]:
    """The vectors of each document, by its units."""
    arrays = _arrays(path, list(documents))
    missing = [name for name in documents if name not in arrays]
    if missing:
        raise SegmentationError(
            f"{path} has no vectors of {named(missing)}: expected an array for each document, "
            "by its name"
        )
    found = {}
    for name, units in documents.items():
        with about(f"{path}, document {name!r}"):
            found[tuple(units)] = _compact(user_functions.checked_vectors(arrays[name], len(units)))
    return found


def _arrays(path: Path, documents: list[str]) -> Mapping[str, Any]:
    """The arrays of a folder or file, by document."""
    with files.naming_file(path, files.READABLE):
        if path.is_dir():
            inside = {name: path / f"{name}.npy" for name in documents}
            return {name: _numpy(file) for name, file in inside.items() if file.is_file()}
        if path.suffix.lower() == ".npz":
            return dict(_numpy(path))
        if len(documents) != 1:
            raise SegmentationError(
                f"{path} is for one document, and there are {len(documents)}: expected a folder "
                "with a file DOCUMENT.npy for each, or an .npz file"
            )
        return {documents[0]: _numpy(path)}


def _numpy(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            loaded = load_arrays(file, path)
            return dict(loaded) if hasattr(loaded, "files") else loaded
    except (OSError, SegmentationError):
        raise
    except Exception as error:  # which one depends on the damaged byte; NumPy advises to unpickle
        raise SegmentationError(f"cannot read {str(path)!r}: expected arrays of NumPy") from error


# ---- files of NumPy ----


def load_arrays(opened: BinaryIO, path: str | Path) -> Any:
    """The array of a file, or the arrays of an archive, by name, as a mapping that reads them."""
    size = opened.seek(0, 2)
    opened.seek(0)
    if zipfile.is_zipfile(opened):
        with zipfile.ZipFile(opened) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        most = min(files.most_unpacked(size), max(files.MOST_PARSED, 2 * size))
        if unpacked > most:
            raise SegmentationError(
                f"{str(path)!r}: arrays of {unpacked >> 20} MiB: expected at most {most >> 20} in "
                "a file of its size, or arrays that are not compressed (numpy.savez)"
            )
    opened.seek(0)
    return np.load(opened, allow_pickle=False)


# ---- latent semantic analysis ----

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
        check_choice(weights, "weights", get_args(Weights))
        counts, vocabulary = count_words(preprocessing.all_words(contract.checked_units(texts)))
        n_contexts, n_words = counts.shape
        with about(f"{n_contexts} training texts of {n_words} words"):
            wanted = whole_number(dimensions, "dimensions", 1, min(counts.shape) - 1)
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
        how = {
            "format": _FORMAT,
            "tokens": words.tokens,
            "stemmer": words.stemmer,
            "stop_stems": words.stop_stems,
            "stop_words": sorted(words.stop_list),
        }
        with files.replacing(path) as file:
            np.savez_compressed(
                file.buffer,
                vocabulary=np.array(self.vocabulary),
                matrix=self.matrix,
                about=np.array(json.dumps(how)),
            )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file that `save` wrote."""
        # Opened here, because NumPy does not close a file that is no archive.
        with files.naming_file(path, files.READABLE), files.as_path(path).open("rb") as opened:
            try:
                with load_arrays(opened, path) as file:
                    words = json.loads(str(_text(file["about"], 0)))
                    vocabulary, matrix = _text(file["vocabulary"], 1), np.asarray(file["matrix"])
                size = files.rows_size(vocabulary.size, 0) + vocabulary.nbytes
                fits = matrix.dtype.kind == "f" and size <= files.MOST_PARSED
                if words.pop("format") != _FORMAT or not fits:
                    raise ValueError
                return cls(vocabulary.tolist(), matrix, Preprocessing(**words))
            # Which error NumPy and zipfile raise depends on the damaged byte; and NumPy's own
            # message would advise to unpickle the file, which is not safe.
            except Exception as error:
                reason = f" ({error})" if isinstance(error, SegmentationError) else ""
                raise SegmentationError(
                    f"cannot read {str(path)!r}{reason}: expected a file of format {_FORMAT}, that "
                    "LSASpace.save wrote"
                ) from error

    def __repr__(self) -> str:
        return f"LSASpace({len(self.vocabulary)} words, {self.matrix.shape[1]} dimensions)"


def _text(array: Any, dimensions: int) -> NDArray[Any]:
    """An array of texts, checked: NumPy accepts any 32 bits as a character, Python does not."""
    if isinstance(array, np.ndarray) and array.dtype.kind == "U" and array.ndim == dimensions:
        code = np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)
        if np.frombuffer(array.tobytes(), code).max(initial=0) <= sys.maxunicode:
            return array
    raise ValueError


def _weighted(counts: Counts, weights: Weights) -> Counts:
    """log(1 + count) times the word's evenness over contexts: 1 + Σ p·ln p / ln n."""
    if weights == "raw":
        return counts
    n_contexts, n_words = counts.shape
    shares = counts.copy()
    shares.data = counts.data / np.asarray(counts.sum(axis=0))[counts.indices]
    entropy = np.bincount(counts.indices, shares.data * np.log(shares.data), n_words)
    shares.data = np.log1p(counts.data) * (1 + entropy / np.log(n_contexts))[counts.indices]
    return shares


def _left_vectors(contexts: Counts, dimensions: int) -> Floats:
    """The words' side of the decomposition, strongest dimension first."""
    from scipy.sparse.linalg import svds

    start = np.ones(min(contexts.shape))  # not at random: the same space every time
    vectors, strengths, _ = svds(contexts.T.tocsr(), k=dimensions, v0=start)
    ordered: Floats = vectors[:, np.argsort(-strengths)]
    return ordered


@dataclass(frozen=True)
class CWM(c99.RankedSplits):
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
    stop: c99.Stop = field(default="excess", kw_only=True)

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
        return user_functions.checked_vectors(encode(units), len(units))
