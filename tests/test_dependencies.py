"""The oldest dependencies that we declare are those that continuous integration runs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
OTHERS = {"adapters", "spark"}  # gigabytes, and a Java
TOOLS = {"dev", "docs", "release", "test"}  # nobody needs them to use the library


@pytest.mark.skipif(not WORKFLOW.exists(), reason="the workflows are not here")
def test_the_job_of_oldest_dependencies_has_every_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    job = WORKFLOW.read_text("utf-8").partition("  oldest:")[2].partition("\n\n  ")[0]
    assert "--resolution lowest-direct" in job
    installed = set(re.findall(r"--extra ([a-z]+)", job))
    assert installed == extras["optional-dependencies"].keys() - OTHERS - TOOLS


def test_one_package_has_one_lower_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    found: dict[str, set[str]] = {}
    for one in [*project["dependencies"], *(one for some in extras.values() for one in some)]:
        name, least = re.fullmatch(r"([\w.-]+)(?:\[.*\])?([^;]*).*", one).groups()  # type: ignore[union-attr]
        found.setdefault(name, set()).add(least)
    assert {name: bounds for name, bounds in found.items() if len(bounds) > 1} == {}
