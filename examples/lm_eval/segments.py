"""The functions of segments.yaml: a row of statistics per document, and what adds them up."""

from typing import Any

import numpy as np

import segscore as ss

METRICS = ["windowdiff", "b"]
ASKED = """\
Divide the text into segments, each about one topic. Answer with JSON alone, the numbers of the
sentences that start a segment, 0 first: {"starts": [0, ...]}"""


def prompt(document: dict[str, Any]) -> str:
    """The sentences with their numbers, below the question."""
    return "\n".join([ASKED, *(f"[{i}] {unit}" for i, unit in enumerate(document["units"]))])


def rows(document: dict[str, Any], answers: list[str]) -> dict[str, Any]:
    """The additive statistics of each metric, and whether the answer failed."""
    reference = ss.Segmentation.from_masses(document["masses"])
    found = ss.answers.score(
        answers[0], document["units"], reference, METRICS, shape="starts", base=0
    )
    statistics = {name: ss.metric(name).statistic_names for name in METRICS}
    return {"failed": float(found["failed"])} | {
        name: [found[f"{name}.{each}"] for each in names] for name, names in statistics.items()
    }


def windowdiff(rows: list[list[float]]) -> float:
    """The micro-average: the value of the summed statistics."""
    return float(ss.metric("windowdiff").values(np.sum(rows, axis=0, keepdims=True))[0])


def b(rows: list[list[float]]) -> float:
    """The micro-average of boundary similarity."""
    return float(ss.metric("b").values(np.sum(rows, axis=0, keepdims=True))[0])
