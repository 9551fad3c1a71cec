"""Results of documents that were added up, without any frame, for tests of what shows them."""

from collections.abc import Mapping, Sequence
from typing import Any

import segscore as ss
from segscore.metrics import addable_metrics
from segscore.metrics.statistics import exact_sum
from segscore.scoring.scoring import averages_of_sum
from segscore.scoring.sum_tables import document_rows


def summed_result(
    parts: Mapping[tuple[tuple[str, ...], str], tuple[Sequence[Any], Sequence[Any]]],
    metrics: Any,
    by: Sequence[str],
) -> Any:
    """The averages of parts (references, hypotheses), by group and system."""
    chosen, found = addable_metrics(metrics), []
    for (group, system), (refs, hyps) in parts.items():
        pairs = ss.Pairs.from_segmentations(list(refs), list(hyps))
        total = exact_sum(document_rows(chosen, pairs))
        found += averages_of_sum(chosen, total, group=group, system=system)
    return ss.Result(found, by)
