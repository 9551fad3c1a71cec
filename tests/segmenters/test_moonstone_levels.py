"""Levels on real text: chapters of The Moonstone that people cut on several levels (2014).

No output of the original programs is at hand. What can be held against print is the order of
systems that Carroll (2010) found on another corpus: the Bayesian ones before HC99, and HC99 before
the baselines.
"""

import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

import segscore as ss
from segscore.datasets.loading import moonstone
from segscore.segmenters import C99, GreedyBayes, HierBayes
from segscore.simulate import baselines

METRIC = ss.metric("e-wd")


@pytest.fixture(scope="module")
def errors(data: Path) -> dict[str, float]:
    texts = {
        f"ch{chapter}": list(document.units or ())
        for chapter, document in moonstone(data / "moonstone").items()
    }
    read = ss.read(data / "moonstone_hierarchical" / "annots", coders="local")
    corpus = {name: document for name, document in read.items() if name in texts}
    assert len(corpus) == 8  # of nine: the text of chapter 6 is not there
    systems: dict[str, Callable[[list[str]], ss.Segmentation]] = {
        "none": lambda units: baselines.none(len(units)),
        "bisect": lambda units: baselines.bisect(len(units)),
        "hc99": C99(hierarchical=True),
        "greedy-bayes": GreedyBayes(levels=3),
        "hier-bayes": HierBayes(levels=3),
    }
    means = {}
    for system, segmenter in systems.items():
        hyps = {name: segmenter(list(texts[name])) for name in corpus}
        pairs = [
            (ref, hyps[name]) for name, document in corpus.items() for ref in document.values()
        ]
        means[system] = mean_error(pairs)
    people = [pair for document in corpus.values() for pair in permutations(document.values(), 2)]
    return {**means, "human": mean_error(people)}


def mean_error(pairs: list[tuple[ss.Segmentation, ss.Segmentation]]) -> float:
    refs, hyps = zip(*pairs, strict=True)
    return float(ss.score(refs, hyps, metrics=METRIC)[METRIC].macro)


def test_what_the_documentation_says(errors: dict[str, float]) -> None:
    docs = Path(__file__).parents[2] / "docs" / "segmenters.md"
    part = docs.read_text("utf-8").partition("Levels on real text")[2]
    documented = {
        name: float(value) for name, value in re.findall(r"([a-z][a-z0-9-]+)\s(\.\d{3})", part)
    }
    assert documented == pytest.approx(errors, abs=0.002)
