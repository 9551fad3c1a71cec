"""NumPy files (.npy, .npz), checked before their arrays are unpacked.

Nothing pickled is loaded. A compressed archive may unpack to a thousand times its size, so the
declared sizes of its members are added up first, and nothing beyond them is read.
"""

import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from segscore.errors import SegmentationError
from segscore.io.compressed import most_unpacked
from segscore.io.parsed_size import MOST_PARSED


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
