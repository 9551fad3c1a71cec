"""Panels of simulated people, for tests about agreement: each marks some of the true boundaries of a
document, some of them a unit off, and some places of their own."""

from collections.abc import Mapping, Sequence

import numpy as np

import segscore as ss

NAMES = ("ann", "bob", "cem", "dee", "eve", "fay", "gus", "hal", "ida", "joe", "kim", "leo")


def panel(
    seed: int | Sequence[int],
    n_documents: int = 12,
    n_coders: int = 6,
    *,
    n_units: int = 60,
    seen: float = 0.6,
    own: float = 0.05,
    times: Mapping[str, float] | None = None,
    prefix: str = "d",
) -> ss.Corpus:
    """People who see a true boundary with probability `seen`, and mark other places with `own`.

    times: how many times as many boundaries some of them mark, by name.
    """
    rng = np.random.default_rng(seed)
    factors = times or {}
    documents = {}
    for number in range(n_documents):
        true = rng.random(n_units - 1) < 0.12
        codings = {}
        for name in NAMES[:n_coders]:
            marked = np.where(true, seen, own)
            chance = np.minimum(1, factors.get(name, 1.0) * marked)
            places = np.flatnonzero(rng.random(n_units - 1) < chance) + 1
            codings[name] = ss.Segmentation.from_boundaries(places, n_units)
        documents[f"{prefix}{number}"] = codings
    return ss.Corpus.from_dict(documents)


def joined(*corpora: ss.Corpus) -> ss.Corpus:
    """All codings of several corpora."""
    return ss.Corpus.from_rows([record for corpus in corpora for record in corpus.records()])
