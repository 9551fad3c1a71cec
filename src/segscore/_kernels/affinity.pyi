import numpy as np
from numpy.typing import NDArray

def exchange(
    similarities: NDArray[np.float64],
    reach: int,
    damping: float,
    responsibilities: NDArray[np.float64],
    availabilities: NDArray[np.float64],
) -> None: ...
