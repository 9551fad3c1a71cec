"""The history of benchmarks: what is kept, and what counts as slower. Nothing is timed here."""

from typing import Any

import pytest

history = pytest.importorskip("benchmarks.history", reason="run from the project's folder")
compare = pytest.importorskip("benchmarks.compare")


def run(commit: str, cell: str, *, yardstick: float = 1.0, machine: str = "") -> dict[str, Any]:
    table = {"title": "t", "columns": ["case", "time", "ratio"], "rows": [["N=60", cell, "3.0×"]]}
    where = machine or history.machine()
    return {"commit": commit, "machine": where, "yardstick": yardstick, "tables": [table]}


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [("103 ns", 103e-9), ("1.35 µs", 1.35e-6), ("1,059 ms", 1.059), ("0.035 s", 0.035),
     ("16.4×", None), ("(74 s)", None), ("", None)],
)  # fmt: skip
def test_times_in_cells(cell: str, seconds: float | None) -> None:
    assert history.seconds_of(cell) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("old", "new", "slower"),
    [
        (["100 ns"], ["109 ns"], False),  # less than a tenth
        (["100 ns"], ["120 ns"], True),
        (["100 ns", "140 ns"], ["120 ns"], False),  # runs of one commit differ by more
        (["100 ns", "101 ns"], ["160 ns", "120 ns"], False),  # and so do those of the other
        (["100 ns", "140 ns"], ["160 ns"], True),
    ],
)
def test_slower_by_more_than_noise(old: list[str], new: list[str], slower: bool) -> None:
    found = compare.changes([run("a", cell) for cell in old], [run("b", cell) for cell in new])
    assert [change.growth > change.noise for change in found] == [slower]


def test_a_slower_machine_is_no_slower_program() -> None:
    (change,) = compare.changes([run("a", "100 ns")], [run("b", "200 ns", yardstick=2.0)])
    assert change.growth == pytest.approx(0)
