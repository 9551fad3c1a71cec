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


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real codings; tests that need it are skipped where it is absent."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SEGSCORE_DATA", beside))
    if not folder.is_dir():
        pytest.skip("no real data: set SEGSCORE_DATA or put it at ../shared/data")
    return folder
