import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

def segmentation_similarity(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    n_t: int,
    table: NDArray[np.float64],
    base: float,
    slope: float,
    w_ad: float,
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
    n_t: int,
    table: NDArray[np.float64],
    base: float,
    slope: float,
    w_ad: float,
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def segmentation_similarity_of_pair(
    n_units: int,
    ref: bytes,
    hyp: bytes,
    n_t: int,
    table: NDArray[np.float64],
    base: float,
    slope: float,
    w_ad: float,
) -> tuple[float, float]: ...
def boundary_similarity_of_pair(
    n_units: int,
    ref: bytes,
    hyp: bytes,
    n_t: int,
    table: NDArray[np.float64],
    base: float,
    slope: float,
    w_ad: float,
) -> tuple[float, float, float, float, float, float, float]: ...
