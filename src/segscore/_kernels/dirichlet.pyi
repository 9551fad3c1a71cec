import numpy as np
from numpy.typing import NDArray

def add_unit(
    unit: int,
    prior: float,
    offsets: NDArray[np.int64],
    entries: NDArray[np.int64],
    units: NDArray[np.int64],
    counts: NDArray[np.float64],
    firsts: NDArray[np.int64],
    steps: NDArray[np.float64],
    gained: NDArray[np.float64],
) -> None: ...
