import numpy as np
from numpy.typing import NDArray

def sweep(
    entries: NDArray[np.int64],
    pairs: NDArray[np.int64],
    segments: NDArray[np.int64],
    priors: NDArray[np.float64],
    n_words: float,
    beta: float,
    shares: NDArray[np.float64],
    pair_counts: NDArray[np.float64],
    segment_counts: NDArray[np.float64],
    level_counts: NDArray[np.float64],
) -> None: ...
def best_totals(gains: NDArray[np.float64], n_starts: int, best: NDArray[np.float64]) -> None: ...
