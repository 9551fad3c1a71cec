import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array

def draw(
    start: int,
    stop: int,
    n_places: Int64Array,
    offsets: Int64Array,
    places: Int64Array,
    candidate_offsets: Int64Array,
    candidates: Int64Array,
    lengths: bool,
    key: int,
    first_draw: int,
    ordered: bool,
    positions: Int64Array,
    order: Int64Array,
) -> None: ...
def choices(
    n_places: Int64Array, offsets: Int64Array, words: NDArray[np.uint32], positions: Int64Array
) -> int: ...
