"""Gold is nobody: what is of the kind consensus is left out of all that is about people."""

from dataclasses import replace
from typing import Any

import pytest

import segscore as ss
from panels import joined, panel
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import TABLES, AgreementTables
from segscore.datasets import load
from segscore.significance import resampling

PEOPLE = panel(38, 8)
GOLD = ss.consensus(PEOPLE)
BOTH = joined(PEOPLE, GOLD)
TOM = {name: {"tom": document["consensus"]} for name, document in GOLD.items()}
UNMARKED = joined(PEOPLE, ss.Corpus.from_dict(TOM))
LEFT_OUT = "left out: 'consensus'; its kind is consensus, which was made from people's codings"


def test_agreement_does_not_count_it() -> None:
    six, seven = ss.agreement(PEOPLE, rng=1), ss.agreement(BOTH, rng=1)
    assert seven.corrected == six.corrected
    assert seven.basis == six.basis
    assert seven.notes == (LEFT_OUT,)
    assert seven.corpus is BOTH
    assert ss.agreement(UNMARKED, rng=1).corrected > six.corrected + 0.05


OTHERS = ("system", "groups", "label")  # which need more than codings


@pytest.mark.parametrize("part", [part for part in TABLES if not part.startswith(OTHERS)])
def test_no_table_counts_it_and_each_says_so(part: str) -> None:
    made = [
        AgreementTables(CoderPairs(corpus), document="d0", draws=20, plan_width=0.1).make([part])
        for corpus in (PEOPLE, BOTH)
    ]
    for (name, table), with_gold in zip(made[0].items(), made[1].values(), strict=True):
        plain, gold = (
            replace(shown_table, footnotes=[]).render() for shown_table in (table, with_gold)
        )
        assert gold == plain, name
        assert LEFT_OUT in with_gold.footnotes
        assert with_gold.footnotes.count(LEFT_OUT) == 1
        assert LEFT_OUT not in table.footnotes


def test_functions_of_documents_do_not_count_it() -> None:
    assert ss.coders.support(BOTH["d0"]).n_coders == 6
    assert LEFT_OUT in str(ss.coders.support(BOTH["d0"]))
    assert ss.consensus(BOTH) == GOLD
    assert ss.consensus(BOTH["d0"]) == GOLD["d0"]["consensus"]
    assert ss.coders.contested(BOTH) == ss.coders.contested(PEOPLE)
    found = ss.coders.boundaries_per_coder(BOTH)
    assert found.coders == ss.coders.boundaries_per_coder(PEOPLE).coders
    assert LEFT_OUT in str(found)
    assert LEFT_OUT in str(ss.coders.who_deviates(BOTH, n_resamples=100))
    system = joined(BOTH, ss.Corpus.from_dict({d: {"c99": ss.baselines.all(60)} for d in BOTH}))
    found = ss.coders.human_competitiveness(system, "c99", n_resamples=100)
    assert {person.name for person in found.coders} == set(PEOPLE.coders)
    assert LEFT_OUT in str(found)


def test_gold_alone_has_nobody_to_agree() -> None:
    with pytest.raises(ss.SegmentationError, match=f"the corpus has none; {LEFT_OUT}"):
        ss.agreement(GOLD)
    assert CoderPairs(joined(PEOPLE.select(documents=["d0"]), GOLD)).documents == ("d0",)


def test_as_a_reference_it_is_used() -> None:
    systems = {"near": {name: document["ann"] for name, document in PEOPLE.items()}}
    alone = ss.compare(GOLD, systems=systems, metrics="b")["near", "b"].value
    assert ss.compare(BOTH, systems=systems, metrics="b")["near", "b"].value == alone
    hyps = ss.Corpus.from_dict(
        {name: {"near": document["ann"]} for name, document in PEOPLE.items()}
    )
    assert ss.score(BOTH, hyps, "b").render() == ss.score(GOLD, hyps, "b").render()
    named = ss.compare(BOTH, "ann", systems=systems, metrics="b")["near", "b"].value
    assert named == 1
    half = ss.compare(BOTH, "consensus:0.5", systems=systems, metrics="b")["near", "b"].value
    assert half == alone
    incomplete = joined(PEOPLE, GOLD.select(documents=["d0"]))
    with pytest.raises(ss.SegmentationError, match="'d1'.*kind consensus"):
        ss.compare(incomplete, systems=systems, metrics="b")


# ---- the finding ----


def test_check_finds_gold_under_the_name_of_a_person() -> None:
    (found,) = ss.check(UNMARKED)
    assert found.kind == "made-from-others"
    assert "'tom' has what most of the others mark" in found.sentence
    assert not ss.check(BOTH)


def test_people_who_agree_are_no_gold() -> None:
    same = {d: dict.fromkeys(PEOPLE.coders, document["ann"]) for d, document in PEOPLE.items()}
    assert "made-from-others" not in [
        finding.kind for finding in ss.check(ss.Corpus.from_dict(same))
    ]
    few = UNMARKED.select(documents=["d0"], coders=["ann", "bob", "tom"])
    assert "made-from-others" not in [finding.kind for finding in ss.check(few)]


# ---- all tables about agreement, from Python ----


def test_the_usual_tables() -> None:
    pairs = CoderPairs(load("stargazer"))
    tables = AgreementTables(pairs, draws=20).make()
    assert list(tables) == ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    assert [len(table.rows) > 0 for table in tables.values()] == [True] * len(tables)
    assert AgreementTables(pairs, "pk").usual == ["pairwise", "matrix"]


def test_the_answer_draws_documents_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], resampling.sums_of_draws

    def counted(tables: list[Any], *rest: Any) -> Any:
        drawn.append(len(tables))
        return draw(tables, *rest)

    monkeypatch.setattr(resampling, "sums_of_draws", counted)
    AgreementTables(CoderPairs(panel(1, 8, 5)), draws=20).make(["answer"])
    assert drawn == [9]  # π, κ, corrected, α, and each of five people left out


def test_tables_for_papers_and_screens_are_narrow_and_short() -> None:
    many = panel(1, 60, 2)
    made = AgreementTables(CoderPairs(many), draws=20, rows="all").make(["answer", "coefficients"])
    for table in made.values():
        assert r"\begin{tabular}{@{}lr@{}}" in table.render("latex")
    found = ss.agreement(many, draws=20)
    assert "d59" not in str(found)
    assert "d59" in found.render()
    assert "d7" in str(ss.agreement(many.select(documents=list(many)[:8]), draws=20))


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
