"""All tables about agreement, from Python."""

import pytest

import segscore as ss
from panels import panel
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import TABLES, AgreementTables
from segscore.datasets import load


def test_the_usual_tables() -> None:
    pairs = CoderPairs(load("stargazer"))
    tables = AgreementTables(pairs, draws=20).make()
    assert list(tables) == ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    assert [len(table.rows) > 0 for table in tables.values()] == [True] * len(tables)
    assert AgreementTables(pairs, "pk").usual == ["pairwise", "matrix"]


@pytest.mark.parametrize("part", [part for part in TABLES if part != "plan"])  # it needs several
def test_every_part_is_a_table(part: str) -> None:
    ((document, codings),) = load("kubla_khan").items()
    system = next(iter(codings))
    made = AgreementTables(CoderPairs(codings), system=system, draws=20, document=document)
    if part == "labels" and len(codings.labels) < 2:
        with pytest.raises(ss.SegmentationError, match="no document has labels"):
            made.make([part])
    else:
        (table,) = made.make([part]).values()
        assert table.render("csv")


def test_all_coefficients_are_those_of_their_functions() -> None:
    people = panel(11, 6, 3, seen=0.1, own=0.1).with_details(groups={"d0": "one", "d1": "one"})
    (table,) = AgreementTables(CoderPairs(people), draws=20).make(["coefficients"]).values()
    rows = table.records()
    assert [row["name"] for row in rows] == [*people, "group one", "all"]
    agreed = ss.agreement(people, draws=20)
    parts = [*agreed.documents.values(), agreed.groups["one"], agreed]
    for row, part in zip(rows, parts, strict=True):
        for key in ("corrected", "chance", "pi", "kappa", "observed"):
            assert row[key] == getattr(part, key), key
    others = {
        "fleiss": ss.coders.fleiss_kappa(people),
        "alpha": ss.coders.krippendorff_alpha(people),
        "majority": ss.coders.percentage_agreement(people),
    }
    for key, found in others.items():
        assert rows[-1][key] == found.value
        assert rows[-2][key] == found.groups["one"].value
        assert rows[0][key] == found.documents["d0"].value


def test_segments_per_document() -> None:
    corpus = load("stargazer")
    (row,) = ss.coders.segment_counts(corpus).records()
    assert (row["least"], row["most"], row["coders"]) == (6, 11, 7)
    counts = [coding.n_segments for coding in corpus["stargazer"].values()]
    assert row["mean"] == pytest.approx(sum(counts) / 7)
