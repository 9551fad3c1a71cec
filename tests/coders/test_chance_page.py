"""docs/chance.md: its tables are recomputed, and close to those of the spec."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from coders.test_chance import TABLE, corpora, random_corpus  # noqa: F401 - a fixture
from segscore.coders.coder_pairs import NULLS

PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text("utf-8")
DENSITIES = (0.05, 0.16, 0.5)
# spec/chance.md, of one such corpus: π* by B and by S
RANDOM_PI = {"B": (0.04, 0.14, 0.29), "S": (0.91, 0.76, 0.47)}


def table(title: str) -> Iterator[tuple[list[str], list[float]]]:
    """The rows of a table whose head starts with a word: texts, and numbers."""
    lines = PAGE.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {title}"))
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return
        cells = [cell.strip().replace("−", "-") for cell in line.strip("|").split("|")]
        texts = [cell for cell in cells if not cell.lstrip("-").startswith(".")]
        yield texts, [float(cell) for cell in cells[len(texts) :]]


def check_two_corpora(given: dict[str, ss.Corpus], draws: int, within: float) -> None:
    rows = list(table("data"))
    assert len(rows) == 4
    for ((name, metric), spec), (texts, (observed, *numbers, pi)) in zip(
        TABLE.items(), rows, strict=True
    ):
        assert name in texts[0].lower()
        assert metric == texts[1].lower()
        assert (observed, *numbers, pi) == pytest.approx(spec, abs=0.005)
        for null, expected, corrected in zip(NULLS, numbers[::2], numbers[1::2], strict=True):
            made = ss.agreement(given[name], metric, null=null, draws=draws, n_resamples=10)
            assert made.observed == pytest.approx(observed, abs=5e-4)
            assert made.pi == pytest.approx(pi, abs=5e-4)
            assert made.chance == pytest.approx(expected, abs=within)
            assert made.corrected == pytest.approx(corrected, abs=within)


def test_two_corpora(corpora: dict[str, ss.Corpus]) -> None:  # noqa: F811
    check_two_corpora(corpora, draws=300, within=0.005)


def check_random_coders(n_corpora: int, within: float) -> None:
    rows = {texts[0]: numbers for texts, numbers in table("coefficient")}
    for metric, spec in RANDOM_PI.items():
        assert rows[f"π* by {metric}, as published"] == pytest.approx(spec, abs=0.015)
    for column, density in enumerate(DENSITIES):
        rng = np.random.default_rng(round(100 * density))
        drawn = [random_corpus(rng, density, 4, 40) for _ in range(n_corpora)]
        found = {
            "Fleiss's κ on decisions": [
                float(ss.coders.fleiss_kappa(o, n_resamples=1)) for o in drawn
            ]
        }
        for metric in ("B", "S"):
            made = [ss.agreement(o, metric.lower(), draws=20, n_resamples=1) for o in drawn]
            found[f"π* by {metric}, as published"] = [agreement.pi for agreement in made]
            found[f"corrected, by {metric}"] = [agreement.corrected for agreement in made]
        for name, values in found.items():
            assert np.mean(values) == pytest.approx(rows[name][column], abs=within), name


def test_random_coders() -> None:
    check_random_coders(n_corpora=2, within=0.02)
