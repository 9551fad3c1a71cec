"""`ss.check` does not cry wolf: nothing is found in honest corpora, simulated and real."""

import csv
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from honest_corpora import false_alarms
from segscore import simulate

Seg = ss.Segmentation


def found(refs: Any, hyps: Any = None) -> list[str]:
    return [str(finding) for finding in ss.check(refs, hyps)]


def unequal(sentences: list[str]) -> list[str]:
    """The sentences, except those about a hypothesis that equals the reference."""
    return [sentence for sentence in sentences if "is the same as the reference" not in sentence]


# ---- simulated ----


@pytest.mark.parametrize("seed", range(60))
def test_hypotheses_that_err(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes: Any = (
        simulate.UniformSizes(2, int(rng.integers(4, 40))),
        simulate.UniformSizes(1, int(rng.integers(3, 9))),
        simulate.GeometricSizes(float(rng.uniform(1.5, 30))),
    )[seed % 3]
    refs = simulate.references(
        sizes, int(rng.integers(2, 25)), n=int(rng.choice([1, 3, 8, 30, 200])), rng=seed
    )
    misses, near, extra = rng.uniform(0, 0.6, 3) * (rng.random() < 0.8)  # some are perfect
    errors = simulate.Errors(misses=misses, near_misses=near * (1 - misses), false_positives=extra)
    pairs = simulate.hypotheses(refs, errors, n=int(rng.integers(1, 4)), rng=seed)
    assert unequal(found(pairs)) == []


@pytest.mark.parametrize("density", [0.02, 0.05, 0.16, 0.5, 0.8])
@pytest.mark.parametrize("longest", [10, 40, 300])
@pytest.mark.parametrize("documents", [5, 20, 200])
def test_independent_coders(density: float, longest: int, documents: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng((seed, longest, documents))
        units = rng.integers(2, longest, documents)
        sides = [
            [Seg.from_boundaries(1 + np.flatnonzero(rng.random(n - 1) < density), n) for n in units]
            for _ in range(2)
        ]
        # without any boundary there is nothing to score
        if any(coding.n_segments > 1 for side in sides for coding in side):
            assert found(*sides) == []


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


def test_people_on_the_moonstone(data: Path) -> None:
    refs, hyps = [], []
    by_coder: list[dict[str, ss.Segmentation]] = [{} for _ in range(4)]
    for path in sorted(data.glob("moonstone/segmentations/ch*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        coders = [name for name in rows[0] if name != "paragraph"]
        codings = [Seg.from_segment_ids([int(row[name]) for row in rows]) for name in coders]
        for coding, other in permutations(codings, 2):
            refs.append(coding)
            hyps.append(other)
        for index, chapters in enumerate(by_coder):
            chapters[path.stem] = codings[index]
    assert len(refs) > 400
    assert found(refs, hyps) == []
    for chapters, other in permutations(by_coder, 2):
        assert found(chapters, other) == []


@pytest.mark.parametrize(
    "name", ["moonstone", "moonstone_hierarchical", "stargazer", "kubla_khan/codings.json"]
)
def test_coders_of_real_corpora(data: Path, name: str) -> None:
    assert found(ss.read(data / name)) == []


@pytest.mark.parametrize("name", ["stargazer", "kubla_khan"])
def test_people_on_one_text(data: Path, name: str) -> None:
    (path,) = (data / name).glob("*.json")
    corpus = ss.read(path)
    for coder, other in permutations(corpus.coders, 2):
        assert found(*({doc: by[c] for doc, by in corpus.items()} for c in (coder, other))) == []
    (document,) = corpus.values()
    everyone = list(permutations(document.values(), 2))
    assert found([coding for coding, _ in everyone], [other for _, other in everyone]) == []


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
