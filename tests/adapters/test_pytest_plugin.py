"""The fixture `segscore_gate` in pytest runs of its own, and the gate behind it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.adapters.gating import gate

cut = ss.Segmentation.from_masses
REFS = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
NEAR = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
FAR = {f"d{i}": cut([1, 1, 7 + i]) for i in range(8)}

TESTS = """
import segscore as ss

cut = ss.Segmentation.from_masses
refs = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
hyps = {f"d{i}": cut(MASSES + [9 - sum(MASSES) + i]) for i in range(8)}

def test_limits(segscore_gate):
    segscore_gate(refs, hyps, "b", at_least=0.5)
    segscore_gate(refs, hyps, "windowdiff", at_most=0.5)

def test_baseline(segscore_gate):
    segscore_gate(refs, hyps, "windowdiff", not_worse_than="baseline.jsonl")
"""


def run(folder: Path, masses: list[int], *options: str) -> str:
    (folder / "test_it.py").write_text(f"MASSES = {masses}\n{TESTS}")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "pytest_segscore", "-p", "no:cacheprovider",
         "-p", "no:hypothesispytest", "-p", "no:langsmith_plugin", "-p", "no:anyio", "test_it.py", *options],
        cwd=folder, capture_output=True, encoding="utf-8", env=environment, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_baseline_is_written_kept_and_missed(tmp_path: Path) -> None:
    output = run(tmp_path, [3, 5])
    assert "1 failed, 1 passed" in output
    assert "there is no baseline" in output
    assert "pytest --segscore-update writes it" in output
    output = run(tmp_path, [3, 5], "--segscore-update")
    assert "2 passed" in output
    assert f"segscore: baseline written: {tmp_path / 'baseline.jsonl'}" in output
    assert ss.read(tmp_path / "baseline.jsonl")["d0"]["baseline"] == NEAR["d0"]
    output = run(tmp_path, [1, 1])
    assert "2 failed" in output
    assert "b (micro) is 0.1667, below 0.5" in output
    assert "significantly worse (p = 0.003" in output
    assert "The worst of 8 documents:" in output
    assert "\na  ·" in output  # drawn
    assert "If that is meant, pytest --segscore-update writes a new baseline." in output
    assert "in check" not in output  # no traceback of ours


def test_the_entry_point_names_a_module_that_loads_nothing_heavy() -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    (module,) = settings["project"]["entry-points"]["pytest11"].values()
    assert module in settings["tool"]["setuptools"]["py-modules"]
    code = f"import sys, pytest; before = set(sys.modules); import {module}; print(sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert done.stdout.strip() == str([module])


def test_limits_are_kept_or_drawn() -> None:
    assert gate(REFS, REFS, "windowdiff", at_most=0).passed
    assert gate(REFS, NEAR, "b.recall", at_least=0.5).passed
    found = gate(REFS, {**NEAR, "d5": FAR["d5"]}, "b", at_least=0.8, worst=1)
    assert not found.passed
    lines = found.text.splitlines()
    assert lines[0].startswith("b (micro) is 0.")
    assert lines[1].startswith("b|n_t:2|")
    assert lines[3] == "d5: 0.1667 (a: reference, b: hypothesis)"
    assert found.text.count("(a: reference") == 1


def test_a_baseline_is_compared_document_by_document(tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"
    assert gate(REFS, NEAR, "b", not_worse_than=path, update=True).written == path
    assert gate(REFS, NEAR, "b", not_worse_than=path).passed
    assert gate(REFS, REFS, "b", not_worse_than=path).passed
    one_worse = {**NEAR, "d2": FAR["d2"]}
    assert gate(REFS, one_worse, "b", not_worse_than=path).passed  # not significantly
    found = gate(REFS, one_worse, "b", not_worse_than=path, margin=0.01, worst=1)
    assert "over 0.01" in found.text
    assert "\nd2: 0.1667, before 0.7500 (a: reference" in found.text
    for metric in ("pk", "b"):  # lower is better, higher is better
        found = gate(REFS, FAR, metric, not_worse_than=path)
        assert "significantly worse" in found.text


def test_few_documents_pass_only_if_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"
    few = [dict(list(side.items())[:3]) for side in (REFS, NEAR)]
    gate(*few, "b", not_worse_than=path, update=True)
    found = gate(*few, "b", not_worse_than=path)
    assert not found.passed
    assert "3 documents cannot show a difference" in found.text
    assert "a margin" in found.text
    assert gate(*few, "b", not_worse_than=path, allow_small=True).passed
    assert gate(*few, "b", not_worse_than=path, margin=0).passed


def test_several_references_and_undefined_values() -> None:
    refs = {name: [ref, NEAR[name]] for name, ref in REFS.items()}
    assert gate(refs, NEAR, "multwindowdiff", at_most=0.3).passed
    found = gate(refs, FAR, "multwindowdiff", at_most=0.1, worst=1)
    assert found.text.count("\na  ") == 2  # a drawing for each reference
    nothing = gate([cut([5])], [cut([5])], "f1", at_least=0)
    assert not nothing.passed
    assert "undefined" in nothing.text


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "no limit.*at_least.*at_most"),
    ({"metric": "windowdiff", "at_least": 0.5}, "at least 0.5, but lower .*at most 0.5"),
    ({"metric": "b", "at_most": 0.5}, "at most 0.5, but higher .*at least 0.5"),
    ({"at_least": "x"}, "at_least is 'x'"),
    ({"metric": "pk", "at_most": 30}, "at most 30.*pk can never.*0.3.*30"),
    ({"at_least": 0.1, "margin": 5}, r"margin is 5: expected 0 … 1 \(0.05 for 5 %\)"),
    ({"at_least": 0.5, "alpha": 5}, "alpha is 5.*number between"),
    ({"at_least": 0.5, "margin": -1}, "margin is -1: expected 0 … 1"),
]


@pytest.mark.parametrize(("limits", "message"), WRONG)
def test_wrong_limits_are_refused(limits: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        gate(REFS, NEAR, **limits)


def test_a_baseline_of_other_documents_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"
    gate(REFS, NEAR, not_worse_than=path, update=True)
    more = {**REFS, "new": cut([3, 4])}
    with pytest.raises(
        ss.SegmentationError, match=r"'new' is not in .*baseline.jsonl.*update=True"
    ):
        gate(more, more, not_worse_than=path)
    less = dict(list(REFS.items())[1:])
    with pytest.raises(ss.SegmentationError, match="document 'd0'.*not in the test"):
        gate(less, less, not_worse_than=path)
