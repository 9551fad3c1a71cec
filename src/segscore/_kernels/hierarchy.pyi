import numpy as np
from numpy.typing import NDArray

from segscore._kernels.batch import Stop

_Measure = tuple[int, int, float, float]

def expected_errors(
    start: int,
    stop: int,
    n_units: NDArray[np.int64],
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    ref_levels: NDArray[np.int32],
    hyp_levels: NDArray[np.int32],
    ref_candidate_offsets: NDArray[np.int64],
    ref_candidates: NDArray[np.int64],
    hyp_candidate_offsets: NDArray[np.int64],
    hyp_candidates: NDArray[np.int64],
    level_offsets: NDArray[np.int64],
    level_sizes: NDArray[np.int64],
    level_k: NDArray[np.int64],
    measure: _Measure,
    errors: NDArray[np.float64],
    out: NDArray[np.float64],
    halt: Stop | None = None,
) -> None: ...
def first_misfit(
    ref_offsets: NDArray[np.int64],
    ref_positions: NDArray[np.integer],
    hyp_offsets: NDArray[np.int64],
    hyp_positions: NDArray[np.integer],
    ref_candidate_offsets: NDArray[np.int64],
    ref_candidates: NDArray[np.int64],
    hyp_candidate_offsets: NDArray[np.int64],
    hyp_candidates: NDArray[np.int64],
) -> tuple[int, int, int]: ...
def hypergeometric(T: float, m: float, w: float, x: float) -> tuple[float, float]: ...
