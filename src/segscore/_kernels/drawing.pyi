import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

PANEL_COLUMNS: int
TILE_RESAMPLES: int

def wide_in_use(on: bool | None = None) -> bool: ...
def count_draws(
    halves: NDArray[np.uint32], done: int, counts: NDArray[np.uint8]
) -> tuple[int, int]: ...
def add_weighted(
    weights: NDArray[np.uint8],
    panels: NDArray[np.float64],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
