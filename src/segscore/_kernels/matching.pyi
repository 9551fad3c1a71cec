import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def boundary_match(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    tolerance: int,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def boundary_match_of_pair(
    ref: bytes, hyp: bytes, tolerance: int
) -> tuple[float, float, float]: ...
def boundaries_near(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    tolerance: int,
    at_start: bool,
    at_end: bool,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
