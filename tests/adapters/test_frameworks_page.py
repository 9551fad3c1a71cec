"""docs/frameworks.md: each example runs as it stands, with the packages that it imports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from needs import needs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "frameworks.md").read_text("utf-8")
EXAMPLE = r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?"  # and what it prints
EXAMPLES = re.findall(EXAMPLE, PAGE, re.MULTILINE | re.DOTALL)
LARGE = re.compile(
    r"^(?:import|from) (torch|lightning|evaluate|inspect_ai|mlflow|wandb)\b", re.MULTILINE
)


def cases() -> list[object]:
    found = []
    for number, (block, output) in enumerate(EXAMPLES):
        package = LARGE.search(block)
        marks = [pytest.mark.adapters] if package else []
        if "sklearn" in block or "mir_eval" in block:
            marks.append(needs("peers"))
        found.append(
            pytest.param(
                block, output, marks=marks, id=f"{number}-{package[1] if package else 'plain'}"
            )
        )
    return found


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "HF_HOME": str(folder), "HF_HUB_OFFLINE": "1", "WANDB_SILENT": "true",
        "MLFLOW_TRACKING_URI": (folder / "runs").as_uri(),
        "MLFLOW_ALLOW_FILE_STORE": "true",
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("block", "output"), cases())
def test_examples_run(
    block: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if "segscore_gate" not in block and not request.node.get_closest_marker("adapters"):
        monkeypatch.chdir(tmp_path)
        exec(compile(block, "frameworks.md", "exec"), {"__name__": "example"})  # noqa: S102
        return
    name = "test_example.py" if "segscore_gate" in block else "example.py"
    (tmp_path / name).write_text(block, "utf-8")
    if name == "example.py":
        done = run(tmp_path, "-X", "utf8", name)
    else:
        options = ("-m", "pytest", "-q", "-p", "pytest_segscore", "-p", "no:cacheprovider", name)
        run(tmp_path, *options, "--segscore-update")
        done = run(tmp_path, *options)
        assert "2 passed" in done.stdout
    assert done.returncode == 0, done.stderr
    assert output in done.stdout
