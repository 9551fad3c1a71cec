"""Cells, outcomes, the runner: verdicts, data that is missing, the forms of output."""

import json
import math
from pathlib import Path

import pytest
from reproduction.corpora import longer_by_one, moonstone
from reproduction.published import (
    COUNT,
    FRACTION,
    PrintTolerance,
    PublishedNumber,
    Run,
    printed,
    unavailable,
)

import reproduction as papers
import segscore as ss

FIELDS = ["paper", "item", "published", "computed", "tolerance", "status", "note", "source"]


def cell(computed: float, **changed: object) -> PublishedNumber:
    given = {"item": "x", "published": 1.0, "tolerance": PrintTolerance(0.1, "why"), **changed}
    return PublishedNumber(compute=lambda _: computed, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("computed", "changed", "status", "failed"),
    [
        (1.0, {}, "reproduced", False),
        (1.09, {}, "reproduced", False),
        (0.91, {}, "reproduced", False),
        (1.11, {}, "not-reproduced", True),
        (math.nan, {}, "not-reproduced", True),
        (1.11, {"holds": False}, "not-reproduced", False),
        (1.05, {"slip": "counts segments"}, "reproduced-slip", False),
        (2.0, {"slip": "counts segments"}, "not-reproduced", True),
        (1.0, {"needs": ("nowhere",)}, "no-data", False),
        (1.05, {"from_print": True, "slip": "counts segments"}, "consistent", False),
        (1.5, {"from_print": True}, "not-reproduced", True),
    ],
)
def test_verdicts(computed: float, changed: dict[str, object], status: str, failed: bool) -> None:
    outcome = cell(computed, **changed).outcome("paper2000", Run())
    assert outcome.status == status
    assert outcome.failed is failed
    assert papers.exit_code([outcome]) == int(failed)
    assert outcome.computed is None if status == "no-data" else outcome.computed is not None
    assert "tolerance: why" in outcome.note


def test_what_nobody_can_compute() -> None:
    made = unavailable("minutes", 35.2, "the times").outcome("p", Run())
    assert (made.status, made.computed, made.failed) == ("no-data", None, False)
    assert made.note == "would need the times"
    with pytest.raises(LookupError, match="cannot be computed"):
        unavailable("minutes", 35.2, "the times").compute(Run())


def test_data_may_lie_in_several_folders(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "moonstone").mkdir(parents=True)
    (second / "choi").mkdir(parents=True)
    run = Run(first, others=(second,))
    assert run.folder("moonstone") == first / "moonstone"
    assert run.folder("choi") == second / "choi"
    assert not run.has("lectures_ai")


def test_other_sources_are_counted_apart() -> None:
    own = cell(1).outcome("p", Run())
    other = cell(5, source="notebook", holds=False).outcome("p", Run())
    segmenter = cell(5, holds=False).outcome("choi2000", Run())
    rows = papers.summary_table([own, other, segmenter]).rows
    shown = {row[0]: (row[1], row[-1]) for row in rows}  # type: ignore[index]
    assert shown == {
        "p": (1, 1.0),
        "choi2000": (1, 0.0),
        "papers on evaluation": (1, 1.0),
        "all papers": (2, 0.5),
        "p, notebook": (1, 0.0),
    }


def test_notes_name_slip_and_missing_data() -> None:
    made = cell(1, note="first", slip="counts segments", needs=("moonstone",)).outcome("p", Run())
    assert made.note == (
        "first; slip: counts segments; needs the data of moonstone (segscore data fetch "
        "moonstone); tolerance: why"
    )


def test_tolerances() -> None:
    assert COUNT.value == 0
    assert 0 < FRACTION.value < 1e-6
    assert abs(0.66405 - 0.6641) <= printed(4).value  # .66405 may be printed as .6641
    assert abs(0.66404 - 0.6641) > printed(4).value


def test_what_cells_share_is_made_once_per_run() -> None:
    calls = []

    def make(run: Run) -> int:
        calls.append(run)
        return len(calls)

    run = Run()
    assert [run.shared(make), run.shared(make)] == [1, 1]
    assert Run().shared(make) == 2


# ---- runner ----


def test_papers_are_found_by_their_files() -> None:
    assert {"fournier2012", "fournier2013", "scaiano2012"} <= set(papers.paper_names())
    assert not {"cells", "runner", "corpora", "examples"} & set(papers.paper_names())


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match=r"no paper is called 'x': expected .*scaiano"):
        papers.reproduce(["x"])


@pytest.mark.usefixtures("one_run")
def test_papers_come_in_the_order_asked_for_and_once() -> None:
    made = papers.reproduce(["scaiano2012", "fournier2013", "scaiano2012"])
    assert list(dict.fromkeys(outcome.paper for outcome in made)) == ["scaiano2012", "fournier2013"]
    assert len({(outcome.paper, outcome.item) for outcome in made}) == len(made)


def test_long_cells_only_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    from reproduction import scaiano2012

    monkeypatch.setattr(scaiano2012, "CELLS", [cell(1, item="short"), cell(1, item="l", long=True)])
    assert [o.item for o in papers.reproduce(["scaiano2012"])] == ["short"]
    assert [o.item for o in papers.reproduce(["scaiano2012"], full=True)] == ["short", "l"]
    assert len(papers.cells_of(["scaiano2012"], full=True)) == 2


def test_a_failing_cell_is_shown_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from reproduction import scaiano2012

    monkeypatch.setattr(scaiano2012, "CELLS", [cell(1), cell(5, item="y")])
    made = papers.reproduce(["scaiano2012"])
    assert papers.exit_code(made) == 1
    text = papers.to_table(made).render("text")
    assert "not-reproduced!" in text
    assert "1 that should hold do not" in text
    assert "2 numbers: 1 reproduced, 1 not-reproduced" in text


def test_json_is_one_object_per_number() -> None:
    made = papers.reproduce(["scaiano2012"])
    rows = json.loads(papers.to_table(made).render("json"))
    assert len(rows) == len(made)
    assert all(list(row) == FIELDS for row in rows)
    assert [row["status"] for row in rows] == [outcome.status for outcome in made]
    assert [row["computed"] for row in rows] == [outcome.computed for outcome in made]
    assert rows[0]["paper"] == "scaiano2012"


# ---- data ----


def test_no_data_is_a_status(tmp_path: Path) -> None:
    made = papers.reproduce(["fournier2013"], data=tmp_path)
    missing = [outcome for outcome in made if outcome.status == "no-data"]
    assert {outcome.item.split(",")[0] for outcome in missing} == {
        "section 5",
        "table 2",
        "fig. 9c",
        "fig. 10",
        "fig. 11",
        "own runs",
        "tests of segeval 2.0",
    }
    assert papers.exit_code(made) == 0
    rows = json.loads(papers.to_table(missing).render("json"))
    assert rows[0]["computed"] is None
    assert "needs the data of moonstone" in rows[0]["note"]


def test_where_data_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, named, beside = tmp_path / "given", tmp_path / "named", tmp_path / "shared" / "data"
    project = tmp_path / "project"
    for folder in (given, named, beside, project):
        folder.mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("SEGSCORE_DATA", str(named))
    assert papers.find_data(given) == given
    assert papers.find_data() == named
    monkeypatch.setenv("SEGSCORE_DATA", "")
    assert papers.find_data() == beside
    with pytest.raises(
        ss.SegmentationError, match=r"data is .*absent.*: expected an existing folder"
    ):
        papers.find_data(tmp_path / "absent")
    monkeypatch.setenv("SEGSCORE_DATA", str(tmp_path / "absent"))
    with pytest.raises(
        ss.SegmentationError, match=r"SEGSCORE_DATA is .*: expected an existing folder"
    ):
        papers.find_data()


def test_moonstone_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "moonstone" / "segmentations"
    folder.mkdir(parents=True)
    (folder / "ch10.csv").write_text("paragraph,an1,an2\n1,1,1\n2,1,2\n3,2,2\n")
    (folder / "ch2.csv").write_text("paragraph,an1\n1,1\n2,2\n")
    found = moonstone(Run(tmp_path))
    assert list(found) == [2, 10]
    assert {coder: made.masses.tolist() for coder, made in found[10].items()} == {
        "an1": [2, 1],
        "an2": [1, 2],
    }
    assert longer_by_one(found[10])["an1"].masses.tolist() == [2, 2]
    (folder / "ch2.csv").write_text("paragraph,an1\n1,1\n2,\n")
    with pytest.raises(
        ss.SegmentationError, match=r"ch2\.csv, line 3: .*coder 'an1': segment is ''"
    ):
        moonstone(Run(tmp_path))
    with pytest.raises(LookupError, match="moonstone is missing"):
        moonstone(Run())
