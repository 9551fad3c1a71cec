"""A metric of ragas (0.4.3, with langchain-community below 0.4)."""

import json
from pathlib import Path

from ragas.metrics import MetricResult, numeric_metric

import segscore as ss


@numeric_metric(name="boundary_similarity", allowed_values=(0.0, 1.0))
def boundary_similarity(response: str, units: list[str], masses: list[int]) -> MetricResult:
    """How well an answer segments units; an answer that cannot be read is one segment."""
    reference = ss.Segmentation.from_masses(masses)
    found = ss.answers.score(response, units, reference, "b", shape="starts", base=0)
    reason = found["reason"] or f"boundaries after {found['boundaries']}"
    return MetricResult(value=found["b"], reason=reason)


if __name__ == "__main__":
    lines = Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()
    for document in map(json.loads, lines):
        result = boundary_similarity.score(
            response=document["answer"], units=document["units"], masses=document["masses"]
        )
        print(document["document"], round(result.value, 3), result.reason)
