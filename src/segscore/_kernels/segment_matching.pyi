from typing import Any

from segscore._kernels.batch import Stop

def segment_match(
    start: int,
    stop: int,
    n_units: Any,
    ref_offsets: Any,
    ref_positions: Any,
    hyp_offsets: Any,
    hyp_positions: Any,
    ref_labels: Any,
    hyp_labels: Any,
    labels_compared: int,
    p: int,
    q: int,
    strict: bool,
    matching: int,
    out: Any,
    halt: Stop | None = None,
) -> None: ...
