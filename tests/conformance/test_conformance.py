"""conformance/: our values are those of the definitions, and the file is what its script writes."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from needs import needs

FOLDER = Path(__file__).parents[2] / "conformance"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_of_our_values_are_right() -> None:
    run = script("run")
    cases = run.cases()
    assert len(cases) > 2000
    wrong = [case for case in cases if run.outcome(run.segscore, case) != "agrees"]
    assert wrong == []


def test_the_file_is_what_the_oracles_give() -> None:
    made = [{"id": i, **case} for i, case in enumerate(script("make_cases").cases())]
    lines = (FOLDER / "cases.jsonl").read_text("utf-8").splitlines()
    assert list(map(json.loads, lines)) == made


@needs("peers")
@pytest.mark.parametrize("program", ["nltk", "segeval", "chunkseg", "mir_eval"])
def test_other_programs_run(program: str) -> None:
    run = script("run")
    chosen = [case for case in run.cases() if case.get("metric") in ("pk", "f1(tolerance=1)", "b")]
    found = [run.outcome(run.PROGRAMS[program], case) for case in chosen]
    assert found.count("agrees") > 0
