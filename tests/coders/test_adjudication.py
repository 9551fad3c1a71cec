"""Adjudication: what the rule decides, the sheet of decisions, and the gold that follows."""

from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from segscore.coders.adjudication import (
    AdjudicationCase,
    AdjudicationRule,
    DocumentDecisions,
    adjudication_cases,
    gold_corpus,
    not_adjudicated,
)
from segscore.coders.decision_sheet import read_decision_sheet, write_decision_sheet

cut = ss.Segmentation.from_masses
mark = ss.Segmentation.from_boundaries
UNITS = [f"Sentence {i}." for i in range(1, 11)]
PEOPLE = {
    "ann": cut([2, 4, 2, 2]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4]), "dee": cut([2, 4, 4]),
}  # fmt: skip


def corpus() -> ss.Corpus:
    codings = {"d": {**PEOPLE, "c99": cut([1, 9]), "old": cut([5, 5])}, "e": {"ann": cut([2, 1])}}
    return ss.Corpus.from_dict(
        codings, kinds={"c99": "system", "old": "consensus"}, groups={"d": "news"}
    ).with_details(units={"d": UNITS})


def cases(**rule: float) -> list[AdjudicationCase]:
    return adjudication_cases(corpus(), AdjudicationRule(**rule))  # type: ignore[arg-type]


def test_places_are_decided_by_the_rule_or_wait() -> None:
    found, other = cases()
    assert [place.marks for place in found.places] == [
        "2: ann, dee; 3: bob", "6: ann, bob, cyd, dee", "8: ann",
    ]  # fmt: skip
    assert list(found.document) == ["ann", "bob", "cyd", "dee"]  # no system, no consensus
    assert found.rulings == [None, 6, None]
    assert other.rulings == [2]  # one coder is unanimous


@pytest.mark.parametrize(
    ("rule", "rulings"),
    [
        ({"accept": 0.5}, [2, 6, None]),
        ({"accept": 0.51}, [None, 6, None]),
        ({"reject": 0.25}, [None, 6, None]),
        ({"reject": 0.26}, [None, 6, "drop"]),
        ({"accept": 0.76, "reject": 0.76}, ["drop", 6, "drop"]),  # 3 of 4 mark the first place
        ({"accept": 0.25}, [2, 6, 8]),
        ({"within": 0}, [None, None, 6, None]),
    ],
)
def test_shares(rule: dict[str, float], rulings: list[object]) -> None:
    assert cases(**rule)[0].rulings == rulings


def test_a_tie_waits() -> None:
    people = {"a": cut([2, 4]), "b": cut([3, 3])}
    (found,) = adjudication_cases(ss.Corpus.from_dict({"d": people}), AdjudicationRule(accept=0.5))
    assert found.rulings == [None]


@given(
    st.dictionaries(st.sampled_from("abcde"), st.sets(st.integers(1, 14)), min_size=1, max_size=5),
    st.sampled_from([0.2, 0.34, 0.5, 0.67, 0.8, 1.0]),
    st.sampled_from([0.0, 0.2, 0.34, 0.5, 0.67, 1.0]),
    st.integers(0, 3),
)
def test_rulings_by_the_letter(
    marks: dict[str, set[int]], accept: float, reject: float, within: int
) -> None:
    """The rule accepts a position that enough coders mark, more than mark any other of its place;
    it drops a place that too few mark."""
    if reject > accept:
        return
    people = {name: mark(sorted(positions), 15) for name, positions in marks.items()}
    rule = AdjudicationRule(within, accept, reject)
    (found,) = adjudication_cases(ss.Corpus.from_dict({"d": people}), rule)
    for place, ruling in zip(found.places, found.rulings, strict=True):
        votes = {
            alternative.position: sum(alternative.position in cuts for cuts in marks.values())
            for alternative in place.alternatives
        }
        most = max(votes.values())
        top = [position for position, n in votes.items() if n == most]
        if len(top) == 1 and most / len(people) >= accept - 1e-9:
            assert ruling == top[0]
        elif sum(votes.values()) / len(people) < reject - 1e-9:
            assert ruling == "drop"
        else:
            assert ruling is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"accept": 0}, "accept is 0"),
        ({"accept": 1.5}, "accept is 1.5"),
        ({"reject": -1}, "reject is -1"),
        ({"accept": 0.5, "reject": 0.6}, "reject is 0.6 and accept 0.5"),
        ({"within": -1}, "within is -1"),
    ],
)
def test_wrong_rules(wrong: dict[str, float], words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        AdjudicationRule(**wrong)  # type: ignore[arg-type]


def test_nobody() -> None:
    alone = ss.Corpus.from_dict({"d": {"c99": cut([1, 2])}}, kinds={"c99": "system"})
    with pytest.raises(ss.SegmentationError, match="coding by a person"):
        adjudication_cases(alone, AdjudicationRule())


# ---- gold ----


def test_gold_says_how_it_came_about() -> None:
    decided = {"d": DocumentDecisions({2: 3, 8: "drop"}, [9], {2: "they differ", 9: "new"})}
    gold = gold_corpus(cases(), decided)
    assert gold["d"]["gold"] == mark([3, 6, 9], 10)
    assert gold["d"].kinds == {"gold": "consensus"}
    assert (gold["d"].group, list(gold["d"].units or ())) == ("news", UNITS)
    annotation = gold["d"].annotations["gold"]
    assert annotation.finished
    assert [tuple(comment) for comment in annotation.comments] == [(2, "they differ"), (9, "new")]
    assert annotation.adjudication is not None
    assert annotation.adjudication.plain() == {
        "within": 1, "accept": 1.0, "reject": 0.0, "added": [9],
        "decisions": [
            {"place": [2, 3], "decision": 3, "by": "adjudicator"},
            {"place": [6], "decision": 6, "by": "rule"},
            {"place": [8], "decision": "drop", "by": "adjudicator"},
        ],
        "counts": {
            "places": 3, "rule": 1, "adjudicator": 2, "open": 0, "dropped": 1, "added": 1,
        },
    }  # fmt: skip


def test_a_person_overrules_the_rule() -> None:
    gold = gold_corpus(cases(), {"d": DocumentDecisions({2: 2, 6: "drop", 8: 8})})
    assert gold["d"]["gold"] == mark([2, 8], 10)
    adjudication = gold["d"].annotations["gold"].adjudication
    assert adjudication is not None
    assert [decision.by for decision in adjudication.decisions] == ["adjudicator"] * 3


def test_gold_is_read_back_and_is_nobody(tmp_path: Path) -> None:
    decided = {"d": DocumentDecisions({2: 3, 8: "drop"})}
    gold = gold_corpus(cases(), decided)
    ss.write(gold, tmp_path / "gold.jsonl")
    assert ss.read(tmp_path / "gold.jsonl") == gold
    both = corpus().select(coders=PEOPLE).merged(gold)
    alone = corpus().select(coders=PEOPLE)
    for metric in ("b", "s"):
        assert ss.agreement(both, metric).pi == ss.agreement(alone, metric).pi


def test_undecided_documents_are_not_finished(tmp_path: Path) -> None:
    gold = gold_corpus(cases(), {})
    assert not gold["d"].annotations["gold"].finished
    assert gold["e"].annotations["gold"].finished
    ss.write(gold, tmp_path / "gold.jsonl")
    with pytest.warns(UserWarning, match="1 unfinished"):
        counted = ss.read(tmp_path / "gold.jsonl")
    assert [name for name, document in counted.items() if document] == ["e"]  # d is only a text
    assert list(ss.read(tmp_path / "gold.jsonl", unfinished=True)) == ["d", "e"]


def test_ranks_are_the_median_of_those_who_mark() -> None:
    people = {
        "a": mark([2, 6], 9, ranks=[1, 2]), "b": mark([2, 6], 9, ranks=[3, 2]),
        "c": mark([2], 9, ranks=[4]), "d": mark([3], 9, ranks=[1]),
    }  # fmt: skip
    found = adjudication_cases(ss.Corpus.from_dict({"x": people}), AdjudicationRule())
    given_ = {"x": DocumentDecisions({2: 2, 6: 6}, [8])}
    gold = gold_corpus(found, given_)
    assert gold["x"]["gold"] == mark([2, 6, 8], 9, ranks=[3, 2, 4])


def test_what_gold_does_not_keep() -> None:
    plain, typed = mark([2], 5), mark([2], 5, types=["a"])
    ranked, labelled = mark([2], 5, ranks=[1]), cut([2, 3], segment_labels=["A", "B"])
    found = adjudication_cases(
        ss.Corpus.from_dict(
            {"x": {"a": typed, "b": plain}, "y": {"a": ranked, "b": labelled}, "z": {"a": plain}}
        ),
        AdjudicationRule(),
    )
    assert not_adjudicated(found) == [
        "gold has no types of boundaries, which are not adjudicated; people gave some in 'x'",
        "gold has no labels of segments, which are not adjudicated; people gave some in 'y'",
        "gold has no ranks in 'y': not everyone who coded it gave ranks",
    ]
    gold = gold_corpus(found, {})
    assert gold["y"]["gold"] == mark([2], 5)


def test_gold_has_a_name_of_its_own() -> None:
    with pytest.raises(ss.SegmentationError, match="coder is 'ann'.*document 'd'"):
        gold_corpus(cases(), {}, coder="ann")


# ---- the sheet ----


def sheet(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    path = tmp_path / "decisions.csv"
    write_decision_sheet(cases(), path)
    text = path.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return path


DECIDED = [
    ('2: ann, dee; 3: bob",,,', '2: ann, dee; 3: bob",3,,"odd, isn\'t it"'),
    ("8: ann,,,,", "8: ann,drop,,,"),
]


def test_the_sheet_to_fill_in(tmp_path: Path) -> None:
    assert sheet(tmp_path).read_bytes().startswith(b"\xef\xbb\xbf")  # Excel asks for it
    assert sheet(tmp_path).read_text("utf-8-sig").splitlines() == [
        "document,place,marks,decision,by,comment,coders,of,before,after,rule",
        'd,2–3,"2: ann, dee; 3: bob",,,,3,4,Sentence 2.,Sentence 3.,"within 1, accept 1, reject 0"',
        'd,6,"6: ann, bob, cyd, dee",6,rule,,4,4,Sentence 6.,Sentence 7.'
        ',"within 1, accept 1, reject 0"',
        'd,8,8: ann,,,,1,4,Sentence 8.,Sentence 9.,"within 1, accept 1, reject 0"',
        'e,2,2: ann,2,rule,,1,1,,,"within 1, accept 1, reject 0"',
    ]


def test_a_sheet_that_was_filled_in(tmp_path: Path) -> None:
    added = ("e,2,2: ann", "d,9,,9,added,nobody saw it,0,4,,,\ne,2,2: ann")
    path = sheet(tmp_path, *DECIDED, added)
    found = read_decision_sheet(path, cases())
    assert found == {
        "d": DocumentDecisions(
            {2: 3, 6: 6, 8: "drop"}, [9], {2: "odd, isn't it", 9: "nobody saw it"}
        ),
        "e": DocumentDecisions({2: 2}),
    }
    gold = gold_corpus(cases(), found)
    assert gold["d"]["gold"] == mark([3, 6, 9], 10)
    again = tmp_path / "again.csv"
    write_decision_sheet(cases(), again, found)
    assert read_decision_sheet(again, cases()) == found
    assert "d,9,,9,added,nobody saw it,0,4,Sentence 9.,Sentence 10." in again.read_text("utf-8")


def test_the_sheet_of_a_spreadsheet(tmp_path: Path) -> None:
    """Semicolons, another dash, capitals, other columns and another order do no harm."""
    path = tmp_path / "decisions.csv"
    path.write_text("Decision;Note;Place;Document\n3;;2-3;d\nDROP;;8;d\n6;x;6;d\n2;;2;e\n", "utf-8")
    assert read_decision_sheet(path, cases())["d"].choices == {2: 3, 6: 6, 8: "drop"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("e,2,", "f,2,"), "line 5.*document is called 'f'"),
        (("d,6,", "d,7,"), "line 3.*document 'd'.*no place 7.*places.*same"),
        (("d,2–3,", "d,2,"), "line 2.*document 'd'.*no place 2.*there is 2–3"),
        (("d,6,", "d,six,"), "line 3: place is 'six'"),
        (('dee",6,', 'dee",7,'), "decision is '7'.*6.*document 'd'"),
        (('bob",3,', 'bob",9,'), "decision is '9'.*2–3.*document 'd'"),
        (("8: ann,drop", "8: ann,"), "1 place.*no decision.*8"),
        (("e,2,2: ann", "e,2,,2,added,,,,,,\ne,2,2: ann"), "belongs to place 2"),
        (("e,2,2: ann", "d,9,,8,added,,,,,,\ne,2,2: ann"), "same position in both"),
        (("e,2,2: ann", "d,10,,10,added,,,,,,\ne,2,2: ann"), "after unit 10.*document 'd'"),
        (("decision,", "verdict,"), "no column is called 'decision'"),
        (("8: ann,drop,,,", "8: ann,drop,,"), "line 4: 10 cells: expected 11"),
    ],
)  # fmt: skip
def test_wrong_sheets(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    path = sheet(tmp_path, *DECIDED, change)
    with pytest.raises(ss.SegmentationError, match=words) as raised:
        read_decision_sheet(path, cases())
    assert str(raised.value).startswith(str(path))


def test_two_rows_of_a_place_and_rows_that_are_missing(tmp_path: Path) -> None:
    path = sheet(tmp_path, *DECIDED)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]), "utf-8")
    with pytest.raises(ss.SegmentationError, match="line 6.*place 2–3.*document 'd'"):
        read_decision_sheet(path, cases())
    for gone in combinations(range(1, 5), 2):
        kept = [line for i, line in enumerate(lines) if i not in gone]
        path.write_text("".join(kept), "utf-8")
        with pytest.raises(ss.SegmentationError, match="2 places.*[de]"):
            read_decision_sheet(path, cases())


def test_the_sheet_of_another_rule_is_named(tmp_path: Path) -> None:
    with pytest.raises(ss.SegmentationError, match="1.*1.*0.*says the she"):
        read_decision_sheet(sheet(tmp_path, *DECIDED), cases(within=0))


def test_names_that_are_formulas(tmp_path: Path) -> None:
    people = {"=1+1": cut([2, 3]), "@b": cut([3, 2])}
    found = adjudication_cases(
        ss.Corpus.from_dict({"=d": people, "'=e": people, " f": people}), AdjudicationRule()
    )
    path = tmp_path / "decisions.csv"
    decided = {
        name: DocumentDecisions({2: 2}, [], {2: '-no, "so"\nit is'}) for name in ("=d", "'=e", " f")
    }
    write_decision_sheet(found, path, decided)
    assert path.read_text("utf-8").splitlines()[1].startswith("'=d,2–3,")
    assert read_decision_sheet(path, found) == decided


@needs("excel")
def test_the_sheet_as_excel(tmp_path: Path) -> None:
    xlsxwriter = import_module("xlsxwriter")
    rows = [["document", "place", "decision"], ["d", "2–3", 3], ["d", 6, 6], ["d", 8, "drop"]]
    with xlsxwriter.Workbook(tmp_path / "decisions.xlsx") as book:
        sheet_ = book.add_worksheet()
        for number, row in enumerate([*rows, ["e", 2, 2]]):
            sheet_.write_row(number, 0, row)
    found = read_decision_sheet(tmp_path / "decisions.xlsx", cases())
    assert found["d"].choices == {2: 3, 6: 6, 8: "drop"}


# ---- levels ----


def ranked_cases() -> list[AdjudicationCase]:
    """After unit 2 both mark, with levels 1 and 3; after 5 ann, after 6 bob, with level 2."""
    people = {"ann": mark([2, 5], 9, ranks=[1, 2]), "bob": mark([2, 6], 9, ranks=[3, 2])}
    return adjudication_cases(ss.Corpus.from_dict({"x": people}), AdjudicationRule())


def test_levels_in_the_sheet_and_back(tmp_path: Path) -> None:
    """The sheet shows who gave which level and what gold gets; what is changed there counts."""
    path = tmp_path / "decisions.csv"
    write_decision_sheet(ranked_cases(), path)
    rows = path.read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("document,place,marks,decision,level,by,comment")
    assert rows[1].startswith('x,2,"2: ann (1), bob (3)",2,1,rule,')
    assert rows[2].startswith("x,5–6,5: ann (2); 6: bob (2),,,,")
    text = "\n".join((rows[0], rows[1].replace(",2,1,rule", ",2,2,rule"),
                      rows[2].replace(",,,,", ",5,,,", 1), "x,8,,8,1,added,,0,2,,,"))  # fmt: skip
    path.write_text(text, "utf-8")
    found = read_decision_sheet(path, ranked_cases())
    assert found["x"] == DocumentDecisions({2: 2, 5: 5}, [8], {}, {2: 2, 8: 1})
    gold = gold_corpus(ranked_cases(), found)
    assert gold["x"]["gold"] == mark([2, 5, 8], 9, ranks=[2, 2, 1])
    adjudication = gold["x"].annotations["gold"].adjudication
    assert adjudication is not None
    assert adjudication.plain()["levels"] == [{"after": 2, "level": 2}, {"after": 8, "level": 1}]
    ss.write(gold, tmp_path / "gold.jsonl")
    read = ss.read(tmp_path / "gold.jsonl")
    assert read == gold
    assert read["x"].annotations["gold"].adjudication == adjudication
    write_decision_sheet(ranked_cases(), tmp_path / "again.csv", found)
    assert read_decision_sheet(tmp_path / "again.csv", ranked_cases()) == found


def test_a_sheet_without_levels_is_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text("document,place,decision\nx,2,2\nx,5–6,drop\n", "utf-8")
    found = read_decision_sheet(path, ranked_cases())
    assert gold_corpus(ranked_cases(), found)["x"]["gold"] == mark([2], 9, ranks=[1])


@pytest.mark.parametrize("level", ["0", "-1", "high", "1.5"])
def test_wrong_levels_in_a_sheet(tmp_path: Path, level: str) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text(f"document,place,decision,level\nx,2,2,{level}\nx,5–6,drop,\n", "utf-8")
    words = f"level is '{level}'.*unit 2.*document 'x'"
    with pytest.raises(ss.SegmentationError, match=words):
        read_decision_sheet(path, ranked_cases())


def test_levels_where_gold_has_none(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text("document,place,decision,level\ne,2,2,1\n", "utf-8")
    with pytest.raises(ss.SegmentationError, match="gold has no levels"):
        read_decision_sheet(path, cases()[1:])
