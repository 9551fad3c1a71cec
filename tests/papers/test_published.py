"""What papers print, entered a second time by hand, and that it comes out.

The lists here are typed from the specification, apart from those in the modules: a slip of the hand
in one of them shows. A cell of these papers that is not listed here fails, too.
"""

import pytest

from segscore import papers
from segscore.papers import fournier2012, fournier2013, scaiano2012
from segscore.papers.cells import Cell, Run

PUBLISHED = {
    "scaiano2012": {
        **dict(
            zip(
                [f"table 1, {e}, WindowDiff" for e in "ABCDE"], [0, 0.4, 0.2, 0.1, 0.6], strict=True
            )
        ),
        **{
            f"table 2, {example}, {name}": count
            for example, counts in zip(
                "ABCDE",
                [(4, 40, 0, 0), (0, 40, 0, 4), (3, 40, 1, 1), (4, 36, 4, 0), (4, 32, 8, 0)],
                strict=True,
            )
            for name, count in zip(["TP", "TN", "FP", "FN"], counts, strict=True)
        },
        "section 3.3, 20 extra, precision": 0.66,
        "section 3.3, 20 extra, recall": 1,
        "section 3.3, 18 removed, precision": 1,
        "section 3.3, 18 removed, recall": 0.54,
    },
    "fournier2013": {
        "fig. 5, S": 0.9,
        "fig. 6, S": 0.9,
        "fig. 7, S": 0.9,
        "fig. 8, S": 0.8,
        "fig. 5, B": 0.5,
        "fig. 6, B": 0.75,
        "fig. 7, B": 0.666666666666,
        "fig. 8, B": 0.5,
        "fig. 5, 1-WD": 0.777777777777,
        "fig. 6, 1-WD": 0.777777777777,
        "fig. 7, 1-WD": 0.777777777777,
        "fig. 8, 1-WD": 0.666666666666,
    },
    "fournier2012": {
        "fig. 4, transpositions": 1,
        "fig. 4, full misses": 3,
        "fig. 4, S": 0.692307692307,
        "fig. 6, S": 0,
        "fig. 7, S": 0.846153846153,
        "fig. 8, S": 0.923076923076,
        "fig. 4, 1-WD": 0.615384615384,
        "fig. 6, 1-WD": 0,
        "fig. 7, 1-WD": 0.846153846153,
        "fig. 8, 1-WD": 0.818181818181,
        **{
            f"table 2, ch. {chapter}, 1-WD, {name}": value
            for chapter, mean, sd in [
                (1, 0.6641, 0.1307),
                (2, 0.7619, 0.1743),
                (3, 0.6732, 0.1559),
                (4, 0.6019, 0.2245),
                (5, 0.6965, 0.1106),
                (7, 0.6945, 0.1822),
                (20, 0.6657, 0.1221),
            ]
            for name, value in (("mean", mean), ("sd", sd))
        },
    },
}
KNOWN_NOT_TO_HOLD = {("scaiano2012", "table 2, C, TN"): 39}


@pytest.mark.parametrize("paper", PUBLISHED)
def test_published_numbers_as_entered_twice(paper: str) -> None:
    cells = {cell.item: cell.published for _, cell in papers.cells_of([paper], full=True)}
    assert cells == pytest.approx(PUBLISHED[paper], abs=1e-11)


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(papers.find_data())


@pytest.mark.parametrize(
    ("paper", "item"), [(paper, item) for paper, items in PUBLISHED.items() for item in items]
)
def test_what_should_hold_holds(paper: str, item: str, run: Run) -> None:
    cell = {cell.item: cell for _, cell in papers.cells_of([paper], full=True)}[item]
    outcome = cell.outcome(paper, run)
    if outcome.status == "no-data":
        pytest.skip(f"{item}: {outcome.note}")
    if (paper, item) in KNOWN_NOT_TO_HOLD:
        assert not cell.holds
        assert outcome.status == "not-reproduced"
        assert outcome.computed == KNOWN_NOT_TO_HOLD[paper, item]
        assert "misprint" in outcome.note
    else:
        assert cell.holds
        assert outcome.status == "reproduced"


def test_the_runner_agrees() -> None:
    made = papers.reproduce(list(PUBLISHED))
    assert papers.exit_code(made) == 0


# ---- other input, other number: nothing is read off the page ----


def computed(cells: list[Cell], item: str) -> float:
    return {cell.item: cell for cell in cells}[item].compute(Run())


def test_scaiano_follows_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scaiano2012.EDGES, "C", {3})
    assert computed(scaiano2012.CELLS, "table 1, C, WindowDiff") == 0.6
    monkeypatch.setitem(scaiano2012.BOUNDARIES, "A", {4})
    assert computed(scaiano2012.CELLS, "table 2, A, TP") == 2
    monkeypatch.setattr(scaiano2012, "EXTRA", 39)
    assert computed(scaiano2012.CELLS, "section 3.3, 20 extra, precision") == pytest.approx(0.5)
    monkeypatch.setattr(scaiano2012, "REMOVED", 39 - 13)
    assert computed(scaiano2012.CELLS, "section 3.3, 18 removed, recall") == pytest.approx(1 / 3)


def test_section_3_3_does_not_depend_on_chance() -> None:
    for name, part, expected in (
        ("20 extra", "precision", 39 / 59),
        ("18 removed", "recall", 21 / 39),
    ):
        for seed in range(20):
            assert scaiano2012.simulated(name, seed).parts[part] == pytest.approx(expected)


def test_a_row_of_table_2_adds_up() -> None:
    for example in "ABCDE":
        row = [scaiano2012.winpr_count(example, name) for name in ("tp", "tn", "fp", "fn")]
        assert sum(row) == 44


@pytest.mark.parametrize("paper", [fournier2012, fournier2013])
def test_figures_follow_their_input(paper: object, monkeypatch: pytest.MonkeyPatch) -> None:
    figures, cells = paper.FIGURES, paper.CELLS  # type: ignore[attr-defined]
    for figure in ("fig. 6", "fig. 7", "fig. 8"):
        ref, _ = figures[figure]
        monkeypatch.setitem(figures, figure, (ref, ref))
        assert computed(cells, f"{figure}, 1-WD") == 1


def test_table_2_follows_its_input(run: Run) -> None:
    if not run.has("moonstone"):
        pytest.skip("needs the data of moonstone")
    codings = fournier2012.chapters(run)[1]
    names = list(codings)
    same = dict.fromkeys(names, codings[names[0]])
    assert fournier2012.pairwise_window_diff(same) == (1, 0)
    two = {name: codings[name] for name in names[:2]}
    assert fournier2012.pairwise_window_diff(two) != fournier2012.pairwise_window_diff(codings)
