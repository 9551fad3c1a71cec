from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def bits_in_use(on: bool | None = None) -> bool: ...
def rows(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    steps: tuple[tuple[Any, ...], ...],
    outs: tuple[NDArray[np.float64], ...],
    halt: Stop | None = None,
) -> None: ...
