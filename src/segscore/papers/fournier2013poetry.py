"""Chris Fournier (2013): An Initial Study of Topical Poetry Segmentation. CLfL 2013.

Nine people segment Kubla Khan and label their segments. Table 1: clusters of coders (complete
linkage on 1-B), the agreement within each, and mean and population sd of B over pairs of coders and
of Jaccard's similarity of labels over units and pairs. The numbers are those that the notebook
published with the study prints.
"""

from collections.abc import Callable
from typing import NamedTuple

from segscore.coders.clusters import coder_clusters
from segscore.coders.coefficients import agreement
from segscore.coders.labels import LabelSimilarity, label_similarity
from segscore.coders.pairwise import pairwise
from segscore.corpus import Corpus
from segscore.metrics import BoundarySimilarity
from segscore.papers.agreement_slips import SLIP, slipped_pi
from segscore.papers.corpora import kubla_khan
from segscore.papers.errata import Erratum, Finding
from segscore.papers.published import COUNT, PublishedNumber, Run, printed

NEEDS = ("kubla_khan",)


class Printed(NamedTuple):
    """A row of table 1."""

    pi: float
    b_mean: float
    b_sd: float
    j_mean: float
    j_sd: float


TABLE_1 = {
    "4 7": Printed(0.3704, 0.5161, 0.0000, 0.4907, 0.4953),
    "0 2": Printed(0.6946, 0.7381, 0.0000, 0.4599, 0.4385),
    "6 8": Printed(0.7625, 0.7727, 0.0000, 0.6852, 0.4644),
    "0 1 2": Printed(0.5520, 0.6400, 0.0694, 0.5082, 0.4524),
    "0 1 2 4 7": Printed(0.4474, 0.5623, 0.0792, 0.5120, 0.4672),
    "3 5 6 8": Printed(0.4764, 0.5187, 0.1239, 0.5926, 0.4245),
    "5 6 8": Printed(0.5389, 0.5909, 0.1372, 0.5802, 0.4320),
}
EVERYONE = "0 1 2 3 4 5 6 7 8"


def _members(run: Run, cluster: str) -> Corpus:
    return run.shared(kubla_khan).select(coders=cluster.split())


def _pi(run: Run, cluster: str) -> float:
    return slipped_pi(_members(run, cluster), BoundarySimilarity())


def _b(run: Run, cluster: str, field: str) -> float:
    return float(getattr(pairwise(_members(run, cluster), BoundarySimilarity()), field))


def _labels(run: Run, cluster: str) -> LabelSimilarity:
    (document,) = _members(run, cluster).values()
    return label_similarity(document)


def _is_cluster(run: Run, cluster: str) -> float:
    """1 if the coders are a cluster of ours, 0 if not."""
    found = coder_clusters(run.shared(kubla_khan), BoundarySimilarity())
    return float(any(set(one.members) == set(cluster.split()) for one in found))


def _cell(
    item: str, published: float, compute: Callable[[Run], float], slip: str | None
) -> PublishedNumber:
    return PublishedNumber(item, published, compute, printed(4), needs=NEEDS, slip=slip)


def _row(cluster: str, row: Printed) -> list[PublishedNumber]:
    name = f"table 1, cluster {cluster}"
    return [
        PublishedNumber(
            f"{name}, is one",
            1,
            lambda run: _is_cluster(run, cluster),
            COUNT,
            note="1: complete linkage on 1-B finds this cluster",
            needs=NEEDS,
        ),
        _cell(f"{name}, π* by B", row.pi, lambda run: _pi(run, cluster), SLIP),
        _cell(f"{name}, E(B)", row.b_mean, lambda run: _b(run, cluster, "mean"), None),
        _cell(f"{name}, sd of B", row.b_sd, lambda run: _b(run, cluster, "sd"), None),
        _cell(f"{name}, E(J)", row.j_mean, lambda run: _labels(run, cluster).mean, None),
        _cell(f"{name}, sd of J", row.j_sd, lambda run: _labels(run, cluster).sd, None),
    ]


CELLS = [
    _cell("everyone, π* by B", 0.3789, lambda run: _pi(run, EVERYONE), SLIP),
    _cell("everyone, mean of 1-B", 0.5375, lambda run: 1 - _b(run, EVERYONE, "mean"), None),
    _cell("everyone, sd of 1-B", 0.1158, lambda run: _b(run, EVERYONE, "sd"), None),
    _cell("everyone, E(J)", 0.5330, lambda run: _labels(run, EVERYONE).mean, None),
    _cell("everyone, sd of J", 0.4567, lambda run: _labels(run, EVERYONE).sd, None),
    *(cell for cluster, row in TABLE_1.items() for cell in _row(cluster, row)),
]

ERRATA = [
    Erratum(
        "π* by B",
        "As in the author's other papers, chance is computed from segments in place of boundaries.",
        ("everyone, π? by B", "table 1, *, π? by B"),
        (
            Finding(
                "everyone, with boundaries",
                lambda run: agreement(run.shared(kubla_khan), draws=0, n_resamples=1).pi,
                NEEDS,
            ),
        ),
    ),
]
