"""The numbers of a comparison in one list, for `Comparison.to_metrics`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segscore.comparison.comparison_result import Comparison

Named = tuple[tuple[str, ...], float | None]


def comparison_numbers(comparison: "Comparison") -> Iterator[Named]:
    """Each number and its name: row, metric, what it is."""
    for entry in comparison.entries:
        for name in ("value", "low", "high", "rank"):
            yield (entry.system, entry.metric, name), getattr(entry, name)
    for pair in comparison.pairs:
        between = f"{pair.a}-vs-{pair.b}"
        for name in ("difference", "low", "high"):
            yield (between, pair.metric, name), getattr(pair, name)
        yield (between, pair.metric, "p"), pair.p_corrected
    yield ("documents",), comparison.n_documents
