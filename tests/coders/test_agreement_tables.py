"""All tables about agreement, from Python."""

from typing import Any

import pytest

import segscore as ss
from panels import panel
from segscore.coders.agreement_tables import (
    TABLES,
    AgreementSettings,
    agreement_tables,
    usual_parts,
)
from segscore.coders.coder_pairs import CoderPairs
from segscore.datasets import load
from segscore.significance import resampling


def test_the_usual_tables() -> None:
    corpus = load("stargazer")
    tables = agreement_tables(corpus, AgreementSettings(draws=20))
    assert list(tables) == ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    assert [len(table.rows) > 0 for table in tables.values()] == [True] * len(tables)
    assert usual_parts(CoderPairs(corpus), AgreementSettings("pk")) == ["pairwise", "matrix"]


@pytest.mark.parametrize(
    "part", [part for part in TABLES if part != "plan"]
)  # a plan needs several
def test_every_part_is_a_table(part: str) -> None:
    corpus = load("kubla_khan")
    ((document, codings),) = corpus.items()
    settings = AgreementSettings(system=next(iter(codings)), draws=20, document=document)
    if part == "labels" and len(codings.labels) < 2:
        with pytest.raises(ss.SegmentationError, match="no document has labels"):
            agreement_tables(corpus, settings, [part])
    else:
        (table,) = agreement_tables(corpus, settings, [part]).values()
        assert table.render("csv")


def test_the_answer_draws_documents_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    original = resampling.sums_of_draws

    def counted(tables: Any, *rest: Any) -> Any:
        drawn.append(len(tables))
        return original(tables, *rest)

    monkeypatch.setattr(resampling, "sums_of_draws", counted)
    agreement_tables(panel(1, 8, 5), AgreementSettings(draws=20), ["answer"])
    assert drawn == [9]  # π, κ, corrected, α, and five people left out
