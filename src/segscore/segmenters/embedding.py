"""Segmentation by sentence embeddings: any encoder, three ways to cut.

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
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, shown
from segscore.basics.user_functions import (
    checked_vectors,
    function_name,
    imported_function,
    unit_length,
)
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about, named
from segscore.io.files import MOST_PARSED, READABLE, most_unpacked, naming_file
from segscore.segmenters.c99 import (
    MOST_UNITS,
    Stop,
    check_pairs,
    ranked_splits,
    steep_rises,
)
from segscore.segmenters.contract import Finite, Natural, Plans, Segmenter
from segscore.segmenters.texttiling import tiles

Method = Literal["dp", "c99", "tiling"]
METHODS = ("dp", "c99", "tiling")


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
        "method": METHODS,
        "c": (0.6, 0.9, 1.2, 1.5),
        "k": (2, 3, 5),
    }

    encode: Callable[[list[str]], Any]
    method: Method = "dp"
    c: Finite = 1.3
    k: Natural = 3
    max_segments: Annotated[int, 2] = 200
    smoothing: bool = False
    stop: Stop = "excess"
    max_units: Natural = MOST_UNITS

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.encode):
            raise SegmentationError(f"encode is {shown(self.encode)}: expected a function")

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.method == "c99":  # before the encoder works for minutes
            check_pairs(len(units), self.max_units, f"{self.name}(method=c99)")
        vectors = unit_length(checked_vectors(self.encode(units), len(units)))
        if self.method == "c99":
            return ranked_splits(vectors, n_segments, 5, self.c, self.stop)
        if self.method == "tiling":
            return tiles(vectors, self.k, n_segments, "HC", self.smoothing)
        most = n_segments or min(len(units), self.max_segments)
        plans = Plans(dispersion_costs(vectors), len(units), most)
        wanted = n_segments or 1 + steep_rises(-np.diff(plans.totals), self.c, self.stop)
        return Segmentation.from_boundaries(plans.boundaries(wanted), len(units))


Encoder = Callable[[list[str]], Any]

_FILES = (".npy", ".npz")
_FILES_EXPECTED = f", a folder of .npy files, or a file {', '.join(_FILES)}"


# ---- encoders: each text once ----


@dataclass(frozen=True, eq=False)
class EncodedOnce:
    """An encoder that remembers the vectors of each list of texts."""

    encode: Encoder
    kept: dict[tuple[str, ...], Any] = field(default_factory=dict, repr=False)

    def __call__(self, texts: list[str]) -> Any:
        key = tuple(texts)
        if key not in self.kept:
            self.kept[key] = _compact(checked_vectors(self.encode(texts), len(texts)))
        return self.kept[key]

    @property
    def __name__(self) -> str:
        return function_name(self.encode)

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
    return EncodedOnce(imported_function(spec, "encoder", _FILES_EXPECTED))


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
            found[tuple(units)] = _compact(checked_vectors(arrays[name], len(units)))
    return found


def _arrays(path: Path, documents: list[str]) -> Mapping[str, Any]:
    """The arrays of a folder or file, by document."""
    with naming_file(path, READABLE):
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
            _check_size(path, sum(member.file_size for member in archive.infolist()), size)
    opened.seek(0)
    return np.load(opened, allow_pickle=False)


def _check_size(path: str | Path, unpacked: int, size: int) -> None:
    """Raise for arrays that are far larger than their file of `size` bytes."""
    most = min(most_unpacked(size), max(MOST_PARSED, 2 * size))
    if unpacked > most:
        raise SegmentationError(
            f"{str(path)!r}: arrays of {unpacked >> 20} MiB: expected at most {most >> 20} in a "
            "file of its size, or arrays that are not compressed (numpy.savez)"
        )
