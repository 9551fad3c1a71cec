"""What encoders return: any array of numbers, or a refusal in words."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import segscore as ss
from child_processes import python
from segscore.basics.user_functions import MOST_CELLS, checked_vectors
from segscore.segmenters import CWM, EmbeddingSegmenter

UNITS = ["a", "b", "c", "d"]
PLAIN = np.array([[1, 0], [1, 0.5], [0, 1], [0, 2]])


HINDRANCES = {"detach": "grad", "cpu": "cuda", "float": "bfloat16", "to_dense": "sparse"}


class Tensor:
    """Like a tensor of torch: NumPy reads it only without gradient, on the CPU, not bfloat16."""

    def __init__(self, values: Any, state: str = "") -> None:
        self.values, self.state = values, state

    def __getattr__(self, name: str) -> Any:
        if name not in HINDRANCES:
            raise AttributeError(name)
        return lambda: Tensor(self.values, self.state.replace(HINDRANCES[name], ""))

    def is_floating_point(self) -> bool:
        return True

    def numpy(self) -> Any:
        if self.state.strip():
            raise TypeError(f"can't convert: {self.state}")
        return np.asarray(self.values)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.numpy()


@pytest.mark.parametrize(
    "vectors",
    [
        PLAIN,
        PLAIN.tolist(),
        PLAIN.astype(np.float16),
        (PLAIN * 2).astype(np.int8) / np.int8(2),
        sparse.csr_array(PLAIN),
        Tensor(PLAIN, "grad cuda bfloat16 sparse"),
        [Tensor(row, "grad") for row in PLAIN],
    ],
    ids=["array", "lists", "half", "whole", "sparse", "tensor", "list of tensors"],
)
def test_any_array_of_numbers(vectors: Any) -> None:
    assert checked_vectors(vectors, 4).tolist() == PLAIN.tolist()
    for method in ("dp", "c99", "tiling"):
        segmenter = EmbeddingSegmenter(lambda units: vectors, method)  # type: ignore[arg-type]
        assert segmenter(UNITS, 2).masses.tolist() == [2, 2]
    assert CWM(lambda units: vectors)(UNITS, 2).masses.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0], [1.0, 2.0], [1.0], [1.0]], "1.*2 numbers"),
        (PLAIN.astype(complex), "array of numbers"),
        (PLAIN.ravel(), r"shape \(8,\): expected \(4, d\)"),
        ([[1.0], [np.nan], [1.0], [1.0]], r"NaN or infinity for units\[1\]"),
        (sparse.csr_array((4, MOST_CELLS)), "4.*100000000 numbers"),
    ],
)
def test_refused_in_words(vectors: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        EmbeddingSegmenter(lambda units: vectors)(UNITS)


def test_smoothing_hides_short_segments() -> None:
    """Segments of three units, each of its own topic: found without smoothing, and with it not."""
    vectors = np.repeat(np.eye(8), 3, axis=0)
    units = ["text"] * len(vectors)
    plain, smooth = (
        EmbeddingSegmenter(lambda units: vectors, "tiling", smoothing=smoothing)
        for smoothing in (False, True)
    )
    assert plain(units, 8).masses.tolist() == [3] * 8
    assert smooth(units, 8).masses.tolist() != [3] * 8
    assert not EmbeddingSegmenter(lambda units: vectors, "tiling").smoothing


# ---- archives of NumPy that unpack to gigabytes ----

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
