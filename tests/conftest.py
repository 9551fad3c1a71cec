"""What all tests share: the `--full` option and the real data beside the project."""

import os
from pathlib import Path

# Tests have tiny arrays, on which threads of the linear algebra only wait for each other: learning
# in a test of GreedyBayes took 14 seconds with them, and 1 without. Before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

# Seeded, so that a failure on one machine is a failure on every machine.
settings.register_profile("segscore", deadline=None, derandomize=True, max_examples=150)
settings.load_profile("segscore")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --full."""
    parser.addoption("--full", action="store_true", help="also run long reproductions")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is slow unless --full is given."""
    if not config.getoption("--full"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow: runs with --full"))


NO_DATA = "no real data: run `segscore data fetch all --accept`, or set SEGSCORE_DATA"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real codings; tests that need it are skipped where it is absent.

    $SEGSCORE_DATA, ../shared/data or the user's cache, in that order.
    """
    from segscore.datasets.places import folders

    found = folders()
    if not found:
        pytest.skip(NO_DATA)
    return found[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how many tests had no data, and how to get it."""
    skipped = terminalreporter.stats.get("skipped", [])
    without = [
        one
        for one in skipped
        if NO_DATA in str(one.longrepr) or "needs the data" in str(one.longrepr)
    ]
    if without:
        terminalreporter.write_line(f"{len(without)} tests were skipped: {NO_DATA}")
