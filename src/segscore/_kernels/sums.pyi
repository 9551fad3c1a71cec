import numpy as np
from numpy.typing import NDArray

def vectors_in_use(on: bool | None = None) -> bool: ...
def hash_texts(
    offsets: NDArray[np.int64], data: bytes, seed: int, out: NDArray[np.uint64]
) -> None: ...
def add_rows(
    rows: NDArray[np.float64],
    buckets: NDArray[np.int64],
    high: NDArray[np.float64],
    low: NDArray[np.float64],
) -> None: ...
def column_sums(
    rows: NDArray[np.float64], high: NDArray[np.float64], low: NDArray[np.float64]
) -> None: ...
def slice_sums(
    offsets: NDArray[np.int64], values: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
