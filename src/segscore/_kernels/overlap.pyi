import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def overlap(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def alignment(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def pd(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    mu: float,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
