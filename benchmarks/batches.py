"""Random batches: documents of one length whose number of boundaries varies."""

import numpy as np

import segscore as ss


def random_side(
    rng: np.random.Generator, documents: int, n_units: int, boundaries: float
) -> tuple[np.ndarray, np.ndarray]:
    """Offsets and positions; each position holds a boundary with the same probability."""
    counts = rng.binomial(n_units - 1, boundaries / (n_units - 1), documents)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    rows = [np.sort(rng.choice(n_units - 1, c, replace=False)) + 1 for c in counts]
    return offsets, np.concatenate(rows).astype(np.int32)


def random_batch(documents: int, n_units: int, boundaries: float, seed: int = 0) -> ss.Pairs:
    """A batch of independent references and hypotheses."""
    rng = np.random.default_rng(seed)
    ref = random_side(rng, documents, n_units, boundaries)
    hyp = random_side(rng, documents, n_units, boundaries)
    return ss.Pairs(np.full(documents, n_units), *ref, *hyp)


def repeated(pairs: ss.Pairs, factor: int) -> ss.Pairs:
    """The batch, repeated: as much work, but faster to prepare."""

    def offsets(once: np.ndarray) -> np.ndarray:
        shifts = np.arange(factor)[:, None] * once[-1]
        return np.append((once[:-1] + shifts).ravel(), factor * once[-1])

    return ss.Pairs(
        np.tile(pairs.n_units, factor),
        offsets(pairs.ref_offsets),
        np.tile(pairs.ref_positions, factor),
        offsets(pairs.hyp_offsets),
        np.tile(pairs.hyp_positions, factor),
    )
