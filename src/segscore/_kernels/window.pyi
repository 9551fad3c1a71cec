import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

_Rule = tuple[int, int, int, int, int]

def pk_of_pair(units: int, ref: bytes, hyp: bytes, rule: _Rule) -> tuple[float, float, float]: ...
def window_diff_of_pair(
    units: int, ref: bytes, hyp: bytes, rule: _Rule, weighted: bool
) -> tuple[float, float, float]: ...
def rows_of_sizes(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    sizes: NDArray[np.int64],
    counted: bool,
    padded: bool,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def size(units: int, segments: int, rule: _Rule) -> int: ...
def sizes(
    units: NDArray[np.int64], segments: NDArray[np.int64], rule: _Rule, out: NDArray[np.int64]
) -> None: ...
