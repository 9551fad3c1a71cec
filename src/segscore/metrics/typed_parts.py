"""Parts of scores as attributes that type checkers and editors know: `score.precision`, `score.k`.

The metric decides which of them a score has, and so does whether it scores a pair or a sum; any
other raises an AttributeError. Metrics of other packages may have further parts, of any type.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segscore.metrics.confusion import ConfusionMatrix
    from segscore.metrics.hierarchy import LevelScore


class TypedParts:
    """The parts of our metrics besides the value; no attribute is set here."""

    __slots__ = ()

    # precision, recall and what they count
    precision: float
    recall: float
    f: float
    tp: float
    fp: float
    fn: float
    tn: float
    purity: float
    coverage: float
    pure: float
    covered: float
    over: float
    under: float
    near_miss: dict[str, float]
    raw: dict[str, int]
    confusion: "ConfusionMatrix"
    ref_segments: float
    hyp_segments: float
    similarity: float
    matched: float
    matched_similarity: float
    difference: float

    # windows
    k: int
    windows: float
    errors: float
    missed_errors: float
    false_negatives: float
    false_positives: float
    missed: float
    extra: float
    p_miss: float
    p_fa: float
    with_boundary: float
    without_boundary: float
    false_alarms: float
    mean: float
    best: float
    worst: float
    best_errors: float
    worst_errors: float

    # edits
    n_pairs: int
    pairs: float
    correctness: float
    correctness_squared: float
    cost: float
    places: float
    standard_error: float
    ci: tuple[float, float]

    # levels, distances and pairs of units
    levels: "list[LevelScore]"
    boundaries: float
    variance: float
    mu: float
    disagreement: float
    weight: float
    distance: float
    documents: float
    ref_to_hyp: float
    hyp_to_ref: float
    ref_to_hyp_sum: float
    hyp_to_ref_sum: float
    units: float
    ref_units: float
    hyp_units: float
    ref_ordered: float
    hyp_ordered: float
    unit_pairs: float
    together: float
    ref_only: float
    hyp_only: float
    apart: float
    r_fn: float
    r_fp: float
    r_fn_relative: float
    r_fp_relative: float
    missed_relative: float
    added: float
    added_relative: float

    # labels
    same: float
    same_in_ref: float
    same_in_hyp: float
    same_in_both: float
    over_sum: float
    under_sum: float
    f_sum: float
