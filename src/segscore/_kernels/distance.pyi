import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def nearest_boundaries(
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
def ghd(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    insertion: float,
    deletion: float,
    shift: float,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
