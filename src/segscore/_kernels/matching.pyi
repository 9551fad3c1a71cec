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
    tolerances: NDArray[np.int64],
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
    tolerances: NDArray[np.int64],
    at_start: bool,
    at_end: bool,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def near_ranges(
    offsets: NDArray[np.int64],
    ours: NDArray[np.int64],
    other_offsets: NDArray[np.int64],
    theirs: NDArray[np.int64],
    reach: int,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
) -> None: ...
