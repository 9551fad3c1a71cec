"""A metric of deepeval: the units are the context of a case, the masses its expected output."""

import json
from pathlib import Path
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

import segscore as ss


class BoundarySimilarity(BaseMetric):
    """How well an answer segments its context; an answer that cannot be read is one segment."""

    threshold = 0.5

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        answer, units = test_case.actual_output, test_case.context
        reference = ss.Segmentation.from_masses(json.loads(test_case.expected_output))
        found = ss.answers.score(answer, units, reference, "b", shape="starts", base=0)
        self.score = found["b"]
        self.reason = found["reason"] or f"boundaries after {found['boundaries']}"
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        return self.measure(test_case)


if __name__ == "__main__":
    lines = Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()
    for document in map(json.loads, lines):
        case = LLMTestCase(
            input=document["document"], actual_output=document["answer"], context=document["units"],
            expected_output=json.dumps(document["masses"]),
        )  # fmt: skip
        metric = BoundarySimilarity()
        metric.measure(case)
        print(document["document"], round(metric.score, 3), metric.is_successful(), metric.reason)
