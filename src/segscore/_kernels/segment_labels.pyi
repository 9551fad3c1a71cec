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
def label_pairs(
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
def label_units(
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
def label_shares(
    start: int,
    stop: int,
    n_units: Any,
    ref_offsets: Any,
    ref_positions: Any,
    hyp_offsets: Any,
    hyp_positions: Any,
    ref_labels: Any,
    hyp_labels: Any,
    joint: Any,
    of_ref: Any,
    of_hyp: Any,
    out: Any,
    halt: Stop | None = None,
) -> None: ...
