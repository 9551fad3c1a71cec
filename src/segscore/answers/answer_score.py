"""`ss.answers.score`: the score of a single answer, as a flat dict, for harnesses of evaluation."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from segscore.answers.model_outputs import units_of
from segscore.basics.arguments import check_choice
from segscore.coding.segmentation import Segmentation
from segscore.io.answers import AnswerRules, answer_of
from segscore.io.formats.llm import as_text
from segscore.io.read_options import SIMILARITY, Shape
from segscore.metrics import DEFAULT_METRICS
from segscore.metrics.base import Metric
from segscore.scoring.scoring import score


def score_answer(
    answer: Any,
    units: Sequence[str] | int,
    reference: Segmentation,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    shape: Shape,
    base: int | None = None,
    missing: Literal["none", "worst"] = "none",
    similarity: float = SIMILARITY,
    separator: str | None = None,
) -> dict[str, Any]:
    """Score what a language model answered about one document.

    The dict is flat and can be written as JSON: the value of each metric, its additive statistics
    (`windowdiff.errors`), whether the answer `failed` and the `reason`, and the `boundaries` read.
    A value that is undefined is None, and so are the boundaries of a failed answer.

    Parameters
    ----------
    answer, units, shape, base, similarity, separator
        As in `segscore.answers.read`, for one document.
    reference
        The segmentation that is right.
    metrics
        Metrics, or their names.
    missing
        How a failed answer counts: as a single segment, `none`, or as wrong throughout, `worst`.

    >>> reference = Segmentation.from_masses([2, 3, 3])
    >>> score_answer("[0, 2, 6]", 8, reference, "f1", shape="starts", base=0)
    ... # doctest: +NORMALIZE_WHITESPACE
    {'f1': 0.5, 'f1.tp': 1.0, 'f1.fp': 1.0, 'f1.fn': 1.0, 'failed': False, 'reason': None,
     'boundaries': [2, 6]}
    """
    check_choice(missing, "missing", ("none", "worst"))
    known = units_of("answer", units)
    rules = AnswerRules(shape, base, similarity, separator)
    found = answer_of("answer", as_text(answer), known, rules)
    result = score(
        {"answer": reference}, {"answer": found.segmentation}, metrics, missing=missing,
        on_undefined="nan",
    )  # fmt: skip
    numbers: dict[str, float | None] = {}
    for scores in result.averages:
        value, counts = float(scores.values[0]), scores.statistics.rows.sum(axis=0).tolist()
        numbers[str(scores.key)] = None if math.isnan(value) else value
        numbers |= {
            f"{scores.key}.{name}": count
            for name, count in zip(scores.statistics.names, counts, strict=True)
        }
    coding = found.segmentation
    return {
        **numbers,
        "failed": coding is None,
        "reason": found.reason,
        "boundaries": None if coding is None else coding.boundaries.tolist(),
    }
