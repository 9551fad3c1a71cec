"""`--explain` explains every table that is printed: each heading has a footnote or a meaning."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command_line import segscore
from command_tables import TABLES, folder_of_tables
from segscore.cli import output
from segscore.metrics.full_names import metric_meaning
from segscore.metrics.makers import METRICS
from segscore.tables.glossary import MEANINGS, explained
from segscore.tables.table import Table
from segscore.tables.view import FOR_PEOPLE

NAMED_BY_DATA = {"between": {"1", "2"}, "sweep": {"n_t"}}  # systems, and the parameter asked for


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_tables(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_explained(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Table] = []
    usual = output.Output._applied

    def applied(self: Any, tables: Any) -> Any:
        shown.extend(tables.values())
        return usual(self, tables)

    monkeypatch.setattr(output.Output, "_applied", applied)
    done = segscore(*TABLES[name], "--explain", "--width", 1000, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert shown
    for table in shown:
        known = dict(explained(table, metric_meaning))
        for column in table.columns:
            if column.audience not in FOR_PEOPLE or column.name in NAMED_BY_DATA.get(name, ()):
                continue
            if column.note is not None and "|v:" not in column.note:
                assert column.note in done.stdout
                continue
            assert column.name in known, f"{name}: {column.name!r} ({column.field}) says nothing"
            assert f"{column.name}: {known[column.name]}" in done.stdout


def test_metrics_have_full_names() -> None:
    for metric in METRICS:
        assert metric_meaning(metric), metric
    assert metric_meaning("wd(k=3)") == metric_meaning("windowdiff")
    assert metric_meaning("winpr(k=3).recall") == "recall, a part of WinPR F-measure"
    assert metric_meaning("nothing.recall") == ""


def test_meanings_are_sentences_without_ends() -> None:
    for heading, meaning in MEANINGS.items():
        assert heading == heading.strip()
        assert not meaning.endswith("."), heading
        assert re.match(r"[a-z0-9πK1p]", meaning), heading


def test_agreement_is_explained(folder: Path) -> None:
    done = segscore("agree", "codings.jsonl", "--no-check", "--draws", 20, "--explain", cwd=folder)
    assert "Report this number, with its interval" in " ".join(done.stdout.split())


def test_what_is_lowered_is_told_with_what_it_would_be() -> None:
    """The drop is agreement without a coder minus agreement with all."""
    from segscore.coders.agreement_verdict import who_lowers
    from segscore.coders.leaving_out import Competitor
    from segscore.significance.resampling import Interval

    eve = Competitor("eve", 0.477, 0.355, 0.122, Interval(0.066, 0.191, 0.95, ""))
    assert who_lowers([eve]) == (
        "eve lowers agreement (by 0.122 [0.066, 0.191]; without eve it is 0.477)"
    )


def test_each_total_of_the_answer_is_explained(folder: Path) -> None:
    done = segscore("agree", "codings.jsonl", "--explain", "--width", 1000, cwd=folder)
    _, lines, below = re.split(r"\n─+\n", done.stdout)
    totals = [re.split(r"  |,", line)[0] for line in lines.splitlines()]
    assert len(totals) == 6, totals  # with labels
    for total in totals:
        assert re.search(rf"^{re.escape(total)}: [^\n]{{30,}}\.$", below, re.MULTILINE), total
    assert "No threshold is universally accepted" in below


def test_too_few_documents_tell_nobody_apart(tmp_path: Path) -> None:
    """It said that nobody clearly lowers agreement, where nobody can be tested."""
    codings = {"x": [[2, 3, 6], [4, 4]], "y": [[2, 3, 6], [4, 4]], "z": [[6, 5], [1, 7]]}
    lines = [
        {"document": str(index), "coder": coder, "masses": masses}
        for coder, documents in codings.items()
        for index, masses in enumerate(documents)
    ]
    path = tmp_path / "people.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = segscore("agree", path, "--draws", 20)
    assert "Too little data to tell who lowers agreement (without z it is 1.000)." in done.stdout


@pytest.mark.parametrize("table", ["answer", "contested"])
def test_what_a_place_is(table: str, folder: Path) -> None:
    words = ("--show", table, "--draws", 20, "--explain", "--width", 1000)
    options = [word for word in words if table == "answer" or word not in ("--draws", 20)]
    done = segscore("agree", "codings.jsonl", "--no-check", *options, cwd=folder)
    assert "contested place: marks up to 1 unit apart are one place;" in done.stdout


def test_rows_of_metrics_are_explained(folder: Path) -> None:
    done = segscore(
        "score", "codings.jsonl", "--reference", "1", "-m", "pk", "-m", "f1", "--no-check",
        "--explain", cwd=folder,
    )  # fmt: skip
    assert "pk: Pk error" in done.stdout
    assert "f1: F1 of boundaries: precision and recall of boundaries at the same" in done.stdout
    assert "macro: the mean of the documents' values" in done.stdout
