"""The oldest dependencies that we declare are those that continuous integration runs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
OTHERS = {"adapters", "spark"}  # gigabytes, and a Java
ALL = {"all"}  # the others, together


@pytest.mark.skipif(not WORKFLOW.exists(), reason="the workflows are not here")
def test_the_job_of_oldest_dependencies_has_every_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    job = WORKFLOW.read_text("utf-8").partition("  oldest:")[2].partition("\n\n  ")[0]
    assert "--resolution lowest-direct" in job
    installed = set(re.findall(r"--extra ([a-z]+)", job))
    assert installed == extras["optional-dependencies"].keys() - OTHERS - ALL


def test_all_is_every_extra_but_the_largest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    [together] = extras["all"]
    named = set(together.removeprefix("segscore[").removesuffix("]").split(","))
    assert named == extras.keys() - OTHERS - ALL
