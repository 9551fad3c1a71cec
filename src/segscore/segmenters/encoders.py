"""Encoders, functions from texts to vectors: by name or from files; each text is encoded only once.

Their results are checked (`segscore.basics.vectors`).

- `MODULE:FUNCTION` is imported, also from the current folder;
- a folder has a file `DOCUMENT.npy` for each document, the row of each unit in order;
- an `.npz` or `.safetensors` file has an array for each document, by its name;
- an `.npy` file is for a single document.

No file is unpickled, so that reading is safe. A compressed archive may unpack to a thousand times
its size, so the declared sizes of its members are added up first, and nothing beyond them is read.
"""

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, shown
from segscore.basics.user_functions import function_name, imported_function
from segscore.basics.vectors import checked_vectors
from segscore.errors import SegmentationError, named
from segscore.io.compressed import most_unpacked
from segscore.io.files import READABLE, naming_file
from segscore.io.parsed_size import MOST_PARSED

Encoder = Callable[[list[str]], Any]

_FILES = (".npy", ".npz", ".safetensors")
_FILES_EXPECTED = f", a folder of .npy files, or a file {', '.join(_FILES)}"
_LONGEST_HEADER = 2**24  # bytes of JSON at the start of a .safetensors file
_KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


# ---- each text once ----


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


# ---- by name ----


def encoder(spec: str, documents: Mapping[str, Sequence[str]]) -> EncodedOnce:
    """The encoder that a text names: a function, or files of vectors for these documents."""
    path = Path(spec)
    if path.is_dir() or path.suffix.lower() in _FILES:
        return EncodedOnce(_unknown, dict(_stored(path, documents)))
    return EncodedOnce(imported_function(spec, "encoder", _FILES_EXPECTED))


# ---- from files ----


def _unknown(texts: list[str]) -> Any:
    raise SegmentationError(
        f"there are no vectors of the text that starts {shown(texts[0])}: expected the documents "
        "for which the file was read"
    )


def _stored(
    path: Path, documents: Mapping[str, Sequence[str]]
) -> list[tuple[tuple[str, ...], NDArray[Any]]]:
    arrays = _arrays(path, list(documents))
    missing = [name for name in documents if name not in arrays]
    if missing:
        raise SegmentationError(
            f"{path} has no vectors of {named(missing)}: expected an array for each document, "
            "by its name"
        )
    found = []
    for name, units in documents.items():
        try:
            vectors = checked_vectors(arrays[name], len(units))
        except SegmentationError as error:
            reason = str(error).replace("the encoder returned", "found")
            raise SegmentationError(f"{path}, document {name!r}: {reason}") from None
        found.append((tuple(units), _compact(vectors)))
    return found


def _arrays(path: Path, documents: list[str]) -> Mapping[str, Any]:
    """The arrays of a folder or file, by document."""
    with naming_file(path, READABLE):
        if path.is_dir():
            inside = {name: path / f"{name}.npy" for name in documents}
            return {name: _numpy(file) for name, file in inside.items() if file.is_file()}
        if path.suffix.lower() == ".safetensors":
            return safetensors(path)
        if path.suffix.lower() == ".npz":
            return dict(_numpy(path))
        if len(documents) != 1:
            raise SegmentationError(
                f"{path} is for one document, and there are {len(documents)}: expected a folder "
                "with a file DOCUMENT.npy for each, or an .npz or .safetensors file"
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


def safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a .safetensors file: the length of a JSON header, the header, the numbers."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    try:
        if not 2 <= length <= min(_LONGEST_HEADER, len(data) - 8):
            raise ValueError("a header of that length")
        header = json.loads(data[8 : 8 + length])
        numbers = memoryview(data)[8 + length :]
        return {
            name: _tensor(about, numbers)
            for name, about in header.items()
            if name != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SegmentationError(
            f"cannot read {str(path)!r} ({error}): expected a safetensors file with arrays of "
            f"{', '.join(_KINDS)}"
        ) from None


def _tensor(about: Mapping[str, Any], numbers: memoryview) -> NDArray[Any]:
    start, end = about["data_offsets"]
    if not 0 <= start <= end <= len(numbers):
        raise ValueError("numbers outside of the file")
    flat = np.frombuffer(numbers[start:end], _KINDS[about["dtype"]])
    if about["dtype"] == "BF16":  # the upper half of a float
        flat = (flat.astype("<u4") << 16).view("<f4")
    return flat.reshape([int(size) for size in about["shape"]])


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
