"""What tests of papers share: one quick run of everything."""

from pathlib import Path

import pytest

from segscore import papers
from segscore.papers.published import Run


@pytest.fixture(scope="session")
def run(data: Path) -> Run:
    """A run with the data; what its cells share is made once for all tests."""
    return Run(data)


@pytest.fixture(scope="session")
def quick(run: Run) -> list[papers.Outcome]:
    """How all cells come out that a quick run computes."""
    return list(papers.outcomes(None, run))
