"""The table of a paper: all coefficients, rows and columns as asked for, minus signs, notes in order."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from panels import panel

PEOPLE = panel(11, 6, 3, seen=0.1, own=0.1).with_details(groups={"d0": "one", "d1": "one"})


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "people.jsonl"
    ss.write(PEOPLE, path)
    return path


def shown(people: Path, *words: str) -> str:
    done = segscore("agree", people, "--show", "coefficients", "--draws", "20", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_coefficients_are_those_of_their_functions(people: Path) -> None:
    rows = json.loads(shown(people, "-f", "json"))
    assert [row["name"] for row in rows] == [*PEOPLE, "group one", "all"]
    agreed = ss.agreement(PEOPLE, draws=20)
    others = {
        "fleiss": ss.coders.fleiss_kappa(PEOPLE),
        "alpha": ss.coders.krippendorff_alpha(PEOPLE),
        "majority": ss.coders.percentage_agreement(PEOPLE),
    }
    for row, name in zip(rows, [*PEOPLE, "", ""], strict=True):
        agreement = agreed.documents[name] if name else agreed
        agreement = agreed.groups["one"] if row["level"] == "group" else agreement
        for key in ("corrected", "chance", "pi", "kappa", "observed"):
            assert row[key] == pytest.approx(getattr(agreement, key)), (name, key)
        assert row["corrected_low"] == pytest.approx(agreement.corrected_ci.low, nan_ok=True) or (
            row["corrected_low"] is None
        )
    for key, found in others.items():
        assert rows[-1][key] == found.value
        assert rows[-2][key] == found.groups["one"].value
        assert rows[0][key] == found.documents["d0"].value


def test_rows_and_columns_are_chosen(people: Path) -> None:
    words = "--columns", "name,corrected,alpha"
    rows = json.loads(shown(people, "-f", "json", *words))
    assert {*rows[0]} >= {"name", "corrected", "alpha"}
    text = shown(people, *words)
    assert "π*" not in text.splitlines()[1]
    bare = ss.Corpus.from_rows(panel(11, 6, 3).records())
    ss.write(bare, people.with_name("bare.jsonl"))
    output = segscore("agree", people.with_name("bare.jsonl"), "-f", "latex", "--show",
                      "coefficients", "--draws", "20").stdout  # fmt: skip
    assert "jackknife" not in output  # there is no row that it would be about


def test_minus_signs_are_set_as_minus(people: Path) -> None:
    rows = json.loads(shown(people, "-f", "json"))
    assert rows[-1]["corrected_low"] < 0
    latex = shown(people, "-f", "latex")
    table = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")]
    assert f"{{[}}$-${-rows[-1]['corrected_low']:.3f}" in table
    assert not re.search(r"-(\{\})?\d", table.replace("$-$", "−"))
    html = shown(people, "-f", "html")
    assert f"[−{-rows[-1]['corrected_low']:.3f}" in html
    assert f"[-{-rows[-1]['corrected_low']:.3f}" in shown(people)


def test_names_keep_their_hyphens(tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict({"d": {"-1": ss.Segmentation.from_masses([2, 3]),
                                        "-2": ss.Segmentation.from_masses([1, 4])}})  # fmt: skip
    table = ss.coders.boundaries_per_coder(corpus).render("latex")
    assert "-{}1" in table or "-1" in table
    assert "$-$1" not in table


def test_notes_are_numbered_as_people_read() -> None:
    """Headings from left to right, then rows from the first to the last."""
    from segscore.tables import Cell, Column, Table

    columns = [Column("a", note="first"), Column("b", note="second"), Column("c")]
    rows = [[1.0, 2.0, Cell(3.0, note="third")], [Cell(1.0, note="fourth"), 2.0, 3.0],
            [1.0, Cell(2.0, note="third"), Cell(3.0, note="fifth")]]  # fmt: skip
    lines = Table(columns, rows).render().splitlines()
    notes = [line for line in lines if line[0] in "¹²³⁴⁵"]
    assert notes == ["¹ first", "² second", "³ third", "⁴ fourth", "⁵ fifth"]
    assert "a¹" in lines[0]
    assert "3.0000³" in lines[2]
    assert "1.0000⁴" in lines[3]
