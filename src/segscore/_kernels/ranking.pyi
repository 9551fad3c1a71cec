import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def average_precisions(
    document: NDArray[np.int64],
    found: NDArray[np.float64],
    added: NDArray[np.float64],
    last: NDArray[np.uint8],
    positives: NDArray[np.float64],
    weights: NDArray[np.float64],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
