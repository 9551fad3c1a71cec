"""Our metrics through `evaluate.load`, offline, with the real package."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from adapters.label_batches import batches, segmentations

pytest.importorskip("evaluate", reason="needs evaluate: runs with --adapters")
pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("default")]

CODE = """
import json, sys
import evaluate
import segscore.adapters.evaluate as ours
from adapters.label_batches import batches

[(hyps, refs)] = batches(1, 20)
found = {}
for name in ("windowdiff", "b(n_t=3)"):
    metric = evaluate.load(ours.__file__, name)
    for start in (0, 10):
        metric.add_batch(predictions=hyps[start:start + 10], references=refs[start:start + 10])
    found[name] = metric.compute(marks="end")
found["macro"] = evaluate.load(ours.__file__).compute(
    predictions=hyps, references=refs, average="macro", marks="start")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import json

    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "HF_HOME": str(tmp_path_factory.mktemp("hugging-face")),
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", ["windowdiff", "b(n_t=3)"])
def test_a_file_is_loaded_and_scores_as_we_do(found: Any, name: str) -> None:
    expected = ss.score(*segmentations(batches(1, 20)), name)[name].micro
    assert found[name] == {name: float(expected), "signature": expected.signature}


def test_options_of_compute(found: Any) -> None:
    expected = ss.score(*segmentations(batches(1, 20), "start"), "windowdiff")["windowdiff"].macro
    assert found["macro"] == {"windowdiff": float(expected), "signature": expected.signature}


def test_the_file_stands_alone() -> None:
    """`evaluate.load` copies it, so it imports nothing by a relative name."""
    text = (Path(ss.__file__).parent / "adapters" / "evaluate.py").read_text("utf-8")
    assert "from ." not in text
