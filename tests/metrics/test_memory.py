"""Memory follows boundaries and candidates, never N: a file of 60 bytes must not fill the machine."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

import segscore as ss
from segscore.coders.gold import shares_table, support, supports
from segscore.metrics import METRICS

MEGABYTES = 50


def most_memory(task: Callable[[], Any]) -> float:
    """The most that was held at once, in megabytes."""
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_on_a_vast_document(name: str) -> None:
    ref, hyp = (
        ss.Segmentation.from_boundaries(places, n_units=300_000_000) for places in ([5, 9], [5, 11])
    )
    metric = ss.metric(name)
    refs: Any = [ref] if metric.many_references else ref
    scored = lambda: metric(refs, hyp, on_undefined="nan").parts  # noqa: E731
    assert most_memory(scored) < MEGABYTES


def vast() -> ss.Corpus:
    codings = {"a": [5, 9, 300], "b": [5, 11, 999_999_999], "c": [5, 9, 999_999_990]}
    segmentations = {
        c: ss.Segmentation.from_boundaries(p, n_units=10**9) for c, p in codings.items()
    }
    return ss.Corpus.from_dict({"d": segmentations})


def test_agreement_and_its_map_on_a_vast_document() -> None:
    corpus = vast()

    def everything() -> None:
        for coefficient in (
            ss.agreement,
            ss.coders.fleiss_kappa,
            ss.coders.krippendorff_alpha,
            ss.coders.percentage_agreement,
        ):
            str(coefficient(corpus).to_table().render("text"))
        table = shares_table(supports(corpus))
        assert "│█" + " " * 58 + "▒│" in table.render("text")

    assert most_memory(everything) < MEGABYTES


def test_shares_per_position_are_refused_where_they_are_too_many() -> None:
    found = support(vast()["d"])
    with pytest.raises(ss.SegmentationError, match="at most 10000000 units"):
        found.per_position()
    assert found.blocks(4).tolist() == pytest.approx([1, 0, 0, 1 / 3])
