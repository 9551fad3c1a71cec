"""A scorer of MLflow (`pip install mlflow`): a value per metric, and whether the answer failed."""

import json
from pathlib import Path
from typing import Any

import mlflow
from mlflow.entities import Feedback
from mlflow.genai.scorers import scorer

import segscore as ss


@scorer
def segmentation(
    inputs: dict[str, Any], outputs: str, expectations: dict[str, Any]
) -> list[Feedback]:
    """How well an answer segments units; an answer that cannot be read is one segment."""
    reference = ss.Segmentation.from_masses(expectations["masses"])
    found = ss.answers.score(
        outputs, inputs["units"], reference, ["windowdiff", "b"], shape="starts", base=0
    )
    return [
        Feedback(name=name, value=float(found[name]), rationale=found["reason"])
        for name in ("windowdiff", "b", "failed")
    ]


if __name__ == "__main__":
    lines = Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()
    data = [
        {
            "inputs": {"units": document["units"]},
            "outputs": document["answer"],
            "expectations": {"masses": document["masses"]},
        }
        for document in map(json.loads, lines)
    ]
    result = mlflow.genai.evaluate(data=data, scorers=[segmentation])
    print({name: round(float(value), 4) for name, value in sorted(result.metrics.items())})
