import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def multiple_window_diff(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    groups: NDArray[np.int64],
    sizes: NDArray[np.int64],
    edges: int,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
