"""The same sums merged twice are told, however they come: itself, as a part, from a table."""

import pickle
from typing import Any

import numpy as np
import pytest

import segscore as ss
from needs import needs
from segscore.scoring.accumulator import Accumulator
from segscore.scoring.merged_parts import MergeWarning


def part(number: int, *, named: bool = True, run: int = 0, **settings: Any) -> Accumulator:
    """The sums of 60 documents; another `run` has other hypotheses of the same documents."""
    rng, system = np.random.default_rng(number), np.random.default_rng((number, run))
    refs = {f"{number}-{i}": ss.Segmentation.from_masses(rng.integers(1, 9, 6)) for i in range(60)}
    hyps = {
        name: ss.Segmentation.from_boundaries(
            np.unique(system.integers(1, ref.n_units, 3)), ref.n_units
        )
        for name, ref in refs.items()
    }
    made = Accumulator(["windowdiff", "b"], **settings)
    made.update(*((refs, hyps) if named else (list(refs.values()), list(hyps.values()))))
    return made


@pytest.mark.parametrize("named", [True, False])
def test_a_part_that_comes_again(named: bool) -> None:
    total = part(1, named=named)
    total += part(2, named=named)
    total += part(3, named=named)
    with pytest.warns(MergeWarning, match="1 of 1 parts"):
        total += part(2, named=named)
    assert total.n_documents == 240  # nothing is left out: the warning is all


@needs("arrow")
def test_a_part_of_what_was_merged_before() -> None:
    """Sums that were merged, written and read, and one of their parts again."""
    total = part(1, buckets=64)
    total += part(2, buckets=64)
    read = Accumulator.from_arrow(total.to_arrow())
    assert read.parts == total.parts
    sent = pickle.loads(pickle.dumps(total))  # noqa: S301
    for again in (read, sent):
        other = part(3, buckets=64)
        other += part(2, buckets=64)
        with pytest.warns(MergeWarning, match="1 of 2 parts"):
            other += again


def test_what_is_not_the_same() -> None:
    """Other documents, another run of the same documents, another system, few without names."""
    total = part(1)
    total += part(2)
    total += part(1, run=1)
    total += Accumulator(["windowdiff", "b"])
    cut = ss.Segmentation.from_masses
    for _ in range(3):  # batches of training that happen to be alike
        batch = Accumulator(["windowdiff", "b"])
        batch.update([cut([2, 3])], [cut([3, 2])])
        total += batch
    total.reset()
    total += part(1)
    assert total.n_documents == 60
