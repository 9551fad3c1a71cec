"""What all tests share: options, the real data beside the project."""

import gc
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Tests have tiny arrays, on which threads of the linear algebra only wait for each other: learning
# in a test of GreedyBayes took 14 seconds with them, and 1 without. Before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

import needs
import undrawn_pictures
from browser_pages import NO_BROWSER, executable

# A shell makes jobs in the background ignore Ctrl-C, `nohup` makes its command ignore the end of the
# terminal, and so do all processes that they start: tests of these signals would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Seeded, so that a failure on one machine is a failure on every machine.
EXAMPLES = 80 if "CI" in os.environ else 20  # of each property; the same ones in each run
settings.register_profile("segscore", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.register_profile("full", settings.get_profile("segscore"), max_examples=400)
settings.load_profile("segscore")


def pytest_sessionstart() -> None:
    """Set what holds in every test; a fixture for each test would take seconds in all."""
    os.environ.pop("COLUMNS", None)  # text without a terminal is 100 columns wide everywhere
    undrawn_pictures.replace()


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that the test starts run without coverage.py, which loads modules and locks."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


@pytest.fixture
def drawn() -> Iterator[None]:
    """For tests that look at pictures of a page: they are drawn as for users."""
    undrawn_pictures.put_back()
    yield
    undrawn_pictures.replace()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --full, --browser and --adapters."""
    parser.addoption("--full", action="store_true", help="also run long reproductions")
    parser.addoption(
        "--browser", action="store_true", help="also run the tests of pages in Chromium, minutes"
    )
    parser.addoption(
        "--adapters", action="store_true", help="also run what needs torch and other large packages"
    )


# the extra `adapters`, and lm_eval for examples/
LARGE = [
    "torch",
    "torchmetrics",
    "lightning",
    "evaluate",
    "inspect_ai",
    "lm_eval",
    "mlflow",
    "wandb",
]
OF_PAGES = ("playwright", "axe_playwright_python")


def pytest_configure(config: pytest.Config) -> None:
    """Say what --adapters and --browser need and do not find; draw more examples with --full."""
    config.pluginmanager.register(needs)  # for src, too, which this file is not above
    if config.getoption("--full"):
        settings.load_profile("full")
    if config.getoption("--browser") and executable() is None:
        raise pytest.UsageError("--browser needs Chromium: `make browser` installs it")
    for option, packages in (("--browser", OF_PAGES), ("--adapters", LARGE)):
        missing = [name for name in packages if find_spec(name) is None]
        if config.getoption(option) and missing:
            raise pytest.UsageError(
                f"{option} needs {', '.join(missing)}: `make test ARGS={option}` installs them"
            )


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Skip what is slow, and what needs a browser or large packages, unless options ask for it."""
    for option, marker, reason in (
        ("--adapters", "adapters", "large packages: runs with --adapters"),
        ("--full", "slow", "slow: runs with --full"),
    ):
        for item in items:
            if not config.getoption(option) and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
    for item in items:
        in_folder = item.path.parent.name == "browser"
        if in_folder and not config.getoption("--browser") and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.skip(reason=NO_BROWSER))


NO_DATA = "no real data: run `segscore data fetch all --accept-terms`, or set SEGSCORE_DATA"


def pytest_collection_finish() -> None:
    """Whatever was imported stays: the garbage collector need not look at it in every round.

    That took a quarter of the time of tests that draw their examples.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 25, 25)


def pytest_unconfigure() -> None:
    """Unfreeze objects: DuckDB's binding calls those that are never freed leaked at the end."""
    gc.unfreeze()


class DataFolder(type(Path())):  # type: ignore[misc]
    """A folder of corpora that need not be there: who asks for an absent one is skipped."""

    def __truediv__(self, key: Any) -> "DataFolder":
        inside = super().__truediv__(key)
        if not inside.exists():
            pytest.skip(f"{NO_DATA} ({key} is not there)")
        return inside


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real codings; tests that need it are skipped where it is absent.

    $SEGSCORE_DATA, ../shared/data or the user's cache, in that order: the first with a corpus.
    """
    from segscore.datasets.catalogue import DATASETS, folders, place_of

    fetched = [corpus for corpus in DATASETS.values() if not corpus.embedded]
    for folder in folders():
        if any(place_of(corpus, folder) for corpus in fetched):
            return DataFolder(folder)
    pytest.skip(NO_DATA)
