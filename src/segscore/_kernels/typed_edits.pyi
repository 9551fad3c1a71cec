import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

_Options = tuple[int, bool, bool, bool, float, float, bool, float, float, float]

def segmentation_similarity(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    ref_lists: NDArray[np.int64],
    ref_codes: NDArray[np.int64],
    hyp_lists: NDArray[np.int64],
    hyp_codes: NDArray[np.int64],
    options: _Options,
    values: NDArray[np.int64],
    table: NDArray[np.float64],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def boundary_similarity(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    ref_lists: NDArray[np.int64],
    ref_codes: NDArray[np.int64],
    hyp_lists: NDArray[np.int64],
    hyp_codes: NDArray[np.int64],
    options: _Options,
    values: NDArray[np.int64],
    table: NDArray[np.float64],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def listing(
    ref: bytes,
    ref_lists: NDArray[np.int64],
    ref_codes: NDArray[np.int64],
    hyp: bytes,
    hyp_lists: NDArray[np.int64],
    hyp_codes: NDArray[np.int64],
    options: _Options,
    values: NDArray[np.int64],
    table: NDArray[np.float64],
) -> list[tuple[int, int, int, int]]: ...
