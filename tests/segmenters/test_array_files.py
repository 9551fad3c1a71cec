"""Archives of NumPy that unpack to gigabytes."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from child_processes import python
from segscore.io import files as compressed
from segscore.segmenters import LSASpace

LOAD = """
import sys
import segscore as ss
from segscore.segmenters import LSASpace
from segscore.segmenters.embedding import encoder
for load in (LSASpace.load, lambda path: encoder(path, {"x": ["a"]})):
    try:
        load(sys.argv[1])
    except ss.SegmentationError as error:
        print(error)
"""


def of_zeros(path: Path, megabytes: int, *, about: str = "{}") -> None:
    """A space with a matrix of zeros, written bit by bit."""
    head = io.BytesIO()
    shape = (megabytes * 2**20 // 8, 1)
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    small = {"about": np.array(about), "vocabulary": np.array(["a"])}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in small.items():
            stream = io.BytesIO()
            np.save(stream, array)
            archive.writestr(f"{name}.npy", stream.getvalue())
        with archive.open("matrix.npy", "w", force_zip64=True) as member:
            member.write(head.getvalue())
            for _ in range(megabytes):
                member.write(bytes(2**20))


def test_a_space_that_unpacks_to_gigabytes(tmp_path: Path) -> None:
    """Less than a megabyte; 3 MB took 3.2 GB before."""
    path = tmp_path / "x.npz"
    of_zeros(path, 400)
    assert path.stat().st_size < 2**20
    ended = python(LOAD, path)
    assert ended.code == 0, ended.err
    assert ended.out.count(f"'{path}': arrays of 400 MiB") == 2
    assert ended.peak < 300


def test_growth_and_arrays_that_are_not_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressed, "MOST_FREE", 2**20)
    monkeypatch.setattr(compressed, "MOST_PARSED", 2**21)
    path = tmp_path / "x.npz"
    space = LSASpace(["cat", "star"], np.zeros((2, 2**18)))
    space.save(path)
    with pytest.raises(ss.SegmentationError, match=r"arrays.*\d+ MiB"):
        LSASpace.load(path)
    with np.load(path) as kept:
        np.savez(path, **kept)
    assert LSASpace.load(path).matrix.shape == (2, 2**18)
