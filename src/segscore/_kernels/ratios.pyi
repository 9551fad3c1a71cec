import numpy as np
from numpy.typing import NDArray

def vectors_in_use(on: bool | None = None) -> bool: ...
def quotients(
    above: NDArray[np.float64], below: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
def f_measures(
    tp: NDArray[np.float64],
    fp: NDArray[np.float64],
    fn: NDArray[np.float64],
    weight: float,
    out: NDArray[np.float64],
) -> None: ...
