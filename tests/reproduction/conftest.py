"""What tests of papers share: one quick run of everything."""

from pathlib import Path

import pytest
from reproduction.published import Run

import reproduction as papers


@pytest.fixture(scope="session")
def run(data: Path, shared_run: Run) -> Run:
    """A run with the data; what its cells share is computed once for all tests."""
    assert shared_run.data is not None
    assert shared_run.data.resolve() == data.resolve()
    return shared_run


@pytest.fixture(scope="session")
def quick(run: Run) -> list[papers.Outcome]:
    """How all cells come out that a quick run computes."""
    return list(papers.outcomes(None, run))
