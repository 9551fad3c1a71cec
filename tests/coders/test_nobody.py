"""Gold is nobody: what is of the kind consensus is left out of all that is about people."""

from dataclasses import replace
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from needs import needs
from panels import joined, panel
from segscore.coders.agreement_tables import TABLES, agreement_tables
from segscore.coders.coder_pairs import CoderPairs

PEOPLE = panel(38, 8)
GOLD = ss.consensus(PEOPLE)
BOTH = joined(PEOPLE, GOLD)
UNMARKED = joined(PEOPLE, ss.Corpus.from_dict({name: {"tom": document["consensus"]}
                                               for name, document in GOLD.items()}))  # fmt: skip
LEFT_OUT = "left out: 'consensus'; its kind is consensus, which was made from people's codings"


def test_a_consensus_says_what_it_is(tmp_path: Path) -> None:
    assert {kind for document in GOLD.values() for kind in document.kinds.values()} == {"consensus"}
    for name in ("gold.jsonl", "gold.csv"):
        ss.write(GOLD, tmp_path / name)
        assert ss.read(tmp_path / name)["d0"].kinds == {"consensus": "consensus"}
    assert BOTH.select(kind="consensus") == GOLD
    with pytest.raises(ss.SegmentationError, match="person.*consensus"):
        ss.Corpus.from_rows([
            {"document": "a", "coder": "x", "masses": [2], "kind": "person"},
            {"document": "b", "coder": "x", "masses": [2], "kind": "consensus"},
        ])  # fmt: skip


def test_both_ways_of_reading_lines_know_the_kind(tmp_path: Path) -> None:
    """The kernel reads plain lines; a line with something more is parsed by Python."""
    line = '{"document":"a","coder":"x","masses":[2,1],"kind":"consensus"%s}\n'
    for more in ("", ',"types":[["t"]]'):
        (tmp_path / "one.jsonl").write_text(line % more)
        assert ss.read(tmp_path / "one.jsonl")["a"].kinds == {"x": "consensus"}
    (tmp_path / "one.jsonl").write_text(line.replace("consensus", "consensu") % "")
    with pytest.raises(ss.SegmentationError, match="expected 'person', 'system' or 'consensus'"):
        ss.read(tmp_path / "one.jsonl")


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
    from segscore.coders.agreement_tables import AgreementSettings

    settings = AgreementSettings(document="d0", draws=20, plan_width=0.1)
    for (name, table), (_, with_gold) in zip(
        agreement_tables(PEOPLE, settings, [part]).items(),
        agreement_tables(BOTH, settings, [part]).items(),
        strict=True,
    ):
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
    assert ss.coders.segment_counts(BOTH) == ss.coders.segment_counts(PEOPLE)
    found = ss.coders.boundaries_per_coder(BOTH)
    assert found.coders == ss.coders.boundaries_per_coder(PEOPLE).coders
    assert LEFT_OUT in str(found)
    assert LEFT_OUT in str(ss.coders.who_deviates(BOTH, n_resamples=100))
    system = joined(BOTH, ss.Corpus.from_dict({d: {"c99": ss.baselines.all(60)} for d in BOTH}))
    found = ss.coders.human_competitiveness(system, "c99", n_resamples=100)
    assert [person.name for person in found.people] == list(PEOPLE.coders)
    assert LEFT_OUT in str(found)


def test_gold_alone_has_nobody_to_agree() -> None:
    with pytest.raises(ss.SegmentationError, match=f"the corpus has none; {LEFT_OUT}"):
        ss.agreement(GOLD)
    assert CoderPairs(joined(PEOPLE.select(documents=["d0"]), GOLD)).documents == ("d0",)


def test_local_names_stay_local() -> None:
    rows = [{"document": d, "coder": c, "masses": [2, 3], "coders": "local", "kind": kind}
            for d in "ab" for c, kind in (("x", "person"), ("y", "person"),
                                          ("gold", "consensus"))]  # fmt: skip
    assert CoderPairs(ss.Corpus.from_rows(rows, coders="local")).local


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


def test_the_report_shows_it_apart_from_people(tmp_path: Path) -> None:
    from segscore.pages.subject import subject_of

    subject = subject_of(BOTH)
    assert subject.names["consensus"] == "consensus"
    assert subject.agreement is not None
    assert subject.agreement.basis.n_coders == 6


@needs("plot")
def test_pictures_do_not_count_it() -> None:
    from segscore import plot

    names = [tick.get_text() for tick in plot.boundaries(BOTH["d0"]).get_yticklabels()]
    assert names == [*PEOPLE.coders, "consensus (consensus)", "majority"]
    for draw in (plot.habits, plot.clusters, plot.matrix):
        names = [tick.get_text() for tick in draw(BOTH).get_yticklabels()]
        assert sorted(names) == sorted(PEOPLE.coders)


def test_the_commands_say_so(tmp_path: Path) -> None:
    ss.write(PEOPLE, tmp_path / "people.jsonl")
    done = segscore(
        "convert", "people.jsonl", "-o", "gold.jsonl", "--consensus", "0.5", cwd=tmp_path
    )
    assert done.returncode == 0
    alone = segscore("agree", tmp_path / "people.jsonl", "--show", "agreement", "--draws", "20")
    both = segscore("agree", tmp_path / "people.jsonl", tmp_path / "gold.jsonl", "--show",
                    "agreement", "--draws", "20")  # fmt: skip
    assert both.returncode == 0, both.stderr
    assert "left out: 'consensus'" in both.stdout
    assert both.stdout.splitlines()[:9] == alone.stdout.splitlines()[:9]


# ---- the finding ----


def test_check_finds_gold_under_the_name_of_a_person() -> None:
    (found,) = ss.check(UNMARKED)
    assert found.kind == "made-from-others"
    assert "'tom' has what most of the others mark" in found.sentence
    assert not ss.check(BOTH)
    majority = ss.consensus(PEOPLE, "majority")
    other = joined(PEOPLE, ss.Corpus.from_dict({d: {"tom": document["consensus"]}
                                                for d, document in majority.items()}))  # fmt: skip
    assert [finding.kind for finding in ss.check(other)] == ["made-from-others"]


def test_people_who_agree_are_no_gold() -> None:
    same = {d: dict.fromkeys(PEOPLE.coders, document["ann"]) for d, document in PEOPLE.items()}
    assert "made-from-others" not in [
        finding.kind for finding in ss.check(ss.Corpus.from_dict(same))
    ]
    few = UNMARKED.select(documents=["d0"], coders=["ann", "bob", "tom"])
    assert "made-from-others" not in [finding.kind for finding in ss.check(few)]


def test_honest_panels_raise_no_alarm() -> None:
    """Not even people who see nearly the same, in one document or many."""
    for seed in range(60):
        seen = (0.6, 0.9, 0.98)[seed % 3]
        people = panel(seed, 1 + seed % 7, 4 + seed % 3, seen=seen, own=(1 - seen) / 8)
        assert "made-from-others" not in [finding.kind for finding in ss.check(people)], seed
