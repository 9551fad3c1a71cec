from typing import Any

from segscore._kernels.batch import Stop

def label_pieces(
    start: int,
    stop: int,
    n_units: Any,
    ref_offsets: Any,
    ref_positions: Any,
    hyp_offsets: Any,
    hyp_positions: Any,
    ref_labels: Any,
    hyp_labels: Any,
    pieces: Any,
    out: Any,
    halt: Stop | None = None,
) -> None: ...
def label_edit(
    start: int,
    stop: int,
    n_units: Any,
    ref_offsets: Any,
    ref_positions: Any,
    hyp_offsets: Any,
    hyp_positions: Any,
    ref_labels: Any,
    hyp_labels: Any,
    out: Any,
    halt: Stop | None = None,
) -> None: ...
