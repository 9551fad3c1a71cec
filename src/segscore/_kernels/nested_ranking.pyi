import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def ordered_pairs(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    ref_code_offsets: NDArray[np.int64],
    ref_codes: NDArray[np.int64],
    hyp_code_offsets: NDArray[np.int64],
    hyp_codes: NDArray[np.int64],
    window: int,
    reduced: bool,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
