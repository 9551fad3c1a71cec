"""Documents and systems that err in them, for tests of comparisons and gates."""

from pathlib import Path

import numpy as np

import segscore as ss


def codings(errors: float, seed: int, n: int = 12) -> dict[str, ss.Segmentation]:
    """Documents cut after every fifth unit, with a share of the gaps turned over."""
    rng = np.random.default_rng(seed)
    made = {}
    for i in range(n):
        gaps = (np.arange(1, 40) % 5 == 0) ^ (rng.random(39) < errors)
        made[f"d{i}"] = ss.Segmentation.from_boundaries(np.flatnonzero(gaps) + 1, 40)
    return made


def write(path: Path, **by_coder: dict[str, ss.Segmentation]) -> Path:
    """A file of people or systems who coded the same documents."""
    documents = next(iter(by_coder.values()))
    corpus = {name: {who: codings[name] for who, codings in by_coder.items()} for name in documents}
    ss.write(ss.Corpus.from_dict(corpus), path)
    return path
