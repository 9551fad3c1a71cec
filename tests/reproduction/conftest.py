"""What tests of papers share: one quick run of everything."""

from pathlib import Path

import pytest
from reproduction.cells import Outcome, outcomes, paper_names
from reproduction.runs import Run, open_run


@pytest.fixture(scope="session")
def run(data: Path) -> Run:
    """A run with the data; what its cells share is computed once for all tests."""
    found = open_run()
    assert found.places[0].resolve() == data.resolve()
    return found


@pytest.fixture(scope="session")
def quick(run: Run) -> list[Outcome]:
    """How all cells come out that a quick run computes."""
    return list(outcomes(paper_names(), run))
