"""examples/: each runs with the real package, where it is installed, and prints what the page says.

deepeval, ragas, promptfoo and the whole of MLflow are not in the extra `adapters`: their tests run
where somebody installed them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.adapters

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "frameworks.md").read_text("utf-8")
SHOWN = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
NEEDED = {  # the whole of MLflow brings alembic, mlflow-skinny does not
    "lm_eval": "lm_eval", "deepeval": "deepeval", "ragas": "ragas", "mlflow": "alembic",
}  # fmt: skip


def run(command: str, folder: Path) -> str:
    program, *arguments = command.split()
    modules = {"python": [], "lm_eval": ["-m", "lm_eval"]}
    start = [sys.executable, *modules[program]] if program in modules else [program]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "HF_HOME": str(folder),
        "HF_HUB_OFFLINE": "1", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "RAGAS_DO_NOT_TRACK": "true",
        "MLFLOW_TRACKING_URI": f"sqlite:///{folder}/runs.db", "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(folder), "PROMPTFOO_DISABLE_TELEMETRY": "1",
    }  # fmt: skip
    done = subprocess.run(
        [*start, *arguments], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 or program == "promptfoo", done.stderr
    return done.stdout


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_an_example_prints_what_the_page_says(command: str, output: str, tmp_path: Path) -> None:
    (name,) = [name for name in [*NEEDED, "promptfoo"] if name in command]
    if name != "promptfoo":
        pytest.importorskip(NEEDED[name])
        assert output.strip() in run(command, tmp_path)
        return
    if shutil.which("promptfoo") is None:
        pytest.skip("promptfoo is not installed")
    out = tmp_path / "out.json"
    run(f"{command} --no-cache -o {out}", tmp_path)
    results = json.loads(out.read_text("utf-8"))["results"]["results"]
    assert [result["namedScores"] for result in results] == [
        {"windowdiff": 0, "b": 1},
        {"windowdiff": 0.4, "b": 0},
    ]
