import numpy as np
from numpy.typing import NDArray

def check_positions(
    n_units: NDArray[np.int64],
    offsets: NDArray[np.int64],
    positions: NDArray[np.integer],
    side: int,
    codes: NDArray[np.uint8],
) -> None: ...
def from_masses(
    offsets: NDArray[np.int64], masses: NDArray[np.integer], side: int, codes: NDArray[np.uint8]
) -> tuple[bytes, bytes, bytes]: ...
def from_symbols(
    offsets: NDArray[np.int64],
    symbols: NDArray[np.integer],
    ahead: int,
    more: int,
    side: int,
    codes: NDArray[np.uint8],
) -> tuple[bytes, bytes, bytes]: ...
