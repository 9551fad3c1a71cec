"""`ss.check` does not cry wolf: nothing is found in honest corpora, simulated and real."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from honest_corpora import false_alarms

Seg = ss.Segmentation


def found(refs: Any, hyps: Any = None) -> list[str]:
    return [str(finding) for finding in ss.check(refs, hyps)]


# ---- simulated ----


@pytest.mark.parametrize(
    "first",
    [
        *range(0, 90, 30),
        *(pytest.param(first, marks=pytest.mark.slow) for first in range(90, 210, 30)),
    ],
)
def test_honest_corpora_of_many_shapes(first: int) -> None:
    """No false alarm in 90 of each, with --full in 210.

    `python tests/honest_corpora.py 4000` measures the rates.
    """
    rates = false_alarms(30, first)
    assert rates == {}


# ---- real ----


@pytest.mark.parametrize(
    "name", ["moonstone", "moonstone_hierarchical", "stargazer", "kubla_khan/codings.json"]
)
def test_coders_of_real_corpora(data: Path, name: str) -> None:
    assert found(ss.read(data / name)) == []


@pytest.mark.parametrize(
    ("file", "system"),
    [
        ("choi_c99", "c99_known"),
        ("choi_c99", "c99_auto"),
        ("choi_bayesseg_mincut", "bayes"),
        ("choi_bayesseg_mincut", "mincut"),
        ("ai_bayesseg_mincut", "bayes"),
        ("ai_bayesseg_mincut", "mincut"),
    ],
)
def test_original_programs_on_choi_and_lectures(data: Path, file: str, system: str) -> None:
    outputs = json.loads((data / "reference_outputs" / f"{file}.json").read_text())
    assert outputs
    sides = [
        {name: Seg.from_masses(output[which]) for name, output in outputs.items()}
        for which in ("ref", system)
    ]
    assert found(*sides) == []
