"""Metamorphic properties of random pairs: what must hold whatever the numbers are.

A batch is scored as its documents are, on one thread as on three; a segmentation against itself is
perfect; symmetric metrics are; what was written and read again scores the same.
"""

from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

import segscore as ss
from segscore.pairing import read_pairs

Case = dict[str, Any]
METRICS = ("pk", "windowdiff", "winpr", "f1", "s", "b", "ghd", "covering", "rand", "wd(edges=wrap)", "wd(edges=pad)",
           "f1(tolerance=2)", "b(n_t=4)", "hausdorff", "purity-coverage")  # fmt: skip


def draw_pairs(random: Random) -> Case:
    """A few pairs, as N and boundaries."""
    pairs = []
    for _ in range(random.randint(1, 6)):
        n = random.choice((1, 2, 3, random.randint(2, 40), random.choice((63, 64, 65, 128, 1000))))
        sides = [
            sorted(
                random.sample(range(1, n), random.randint(0, min(n - 1, random.choice((2, 5, 60)))))
            )
            for _ in range(2)
        ]
        pairs.append([n, *sides])
    return {"pairs": pairs, "metric": random.choice(METRICS)}


def check_pairs(case: Case, folder: Path) -> None:
    """All properties of one batch under one metric."""
    refs, hyps = (
        [ss.Segmentation.from_boundaries(pair[side], pair[0]) for pair in case["pairs"]]
        for side in (1, 2)
    )
    name = case["metric"]
    metric = ss.metric(name)
    batch = _values(refs, hyps, name)
    single = [_values([ref], [hyp], name)[0] for ref, hyp in zip(refs, hyps, strict=True)]
    np.testing.assert_array_equal(batch, single)
    with patch("segscore.pairing.pairs._WORTH_A_THREAD", 1):  # so that three threads do start
        np.testing.assert_array_equal(batch, _values(refs, hyps, name, threads=3))
    if metric.symmetric:
        np.testing.assert_allclose(batch, _values(hyps, refs, name), rtol=1e-12, atol=1e-12)
    same = _values(refs, refs, name)
    defined = same[~np.isnan(same)]
    np.testing.assert_allclose(defined, 1.0 if metric.higher_is_better else 0.0, atol=1e-12)
    paths = [folder / "ref.jsonl", folder / "hyp.jsonl"]
    for path, side in zip(paths, (refs, hyps), strict=True):
        codings = {f"d{i}": {path.stem: coding} for i, coding in enumerate(side)}
        ss.write(ss.Corpus.from_dict(codings), path)
    (pairs,) = read_pairs(*paths).values()
    result = ss.score(pairs, metrics=[name], on_undefined="nan")
    np.testing.assert_array_equal(batch, np.asarray(result[name].values))


def _values(refs: list[Any], hyps: list[Any], name: str, threads: int | None = 1) -> Any:
    result = ss.score(refs, hyps, metrics=[name], threads=threads, on_undefined="nan")
    return np.asarray(result[name].values)
