"""The pytest plug-in: a fixture `segscore_gate` and the option `--segscore-update`.

It stands beside the package, not in it, so that pytest runs that do not use it load nothing of
segscore (and of NumPy) for it.

    def test_segmentation_is_good(segscore_gate):
        segscore_gate(refs, hyps, "b", at_least=0.45)

    def test_segmentation_is_no_worse(segscore_gate):
        segscore_gate(refs, hyps, "windowdiff", not_worse_than="baseline.jsonl")
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_WRITTEN: pytest.StashKey[list[Path]] = pytest.StashKey()
_OPTION = "--segscore-update"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("segscore").addoption(
        _OPTION,
        action="store_true",
        help="write the baselines of segscore_gate instead of comparing with them",
    )


@pytest.fixture
def segscore_gate(request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function that fails the test if a segmentation is not good enough.

    `segscore_gate(refs, hyps, metric, at_least= | at_most= | not_worse_than=FILE)`; see
    `segscore.adapters.gating.gate`. A relative FILE is looked for beside the test.
    """

    def check(refs: Any, hyps: Any = None, metric: Any = "b", **limits: Any) -> None:
        __tracebackhide__ = True
        from segscore.adapters.gating import gate

        if limits.get("not_worse_than") is not None:
            limits["not_worse_than"] = request.path.parent / limits["not_worse_than"]
        update = bool(request.config.getoption(_OPTION))
        found = gate(refs, hyps, metric, **limits, update=update, update_option=f"pytest {_OPTION}")
        if found.written is not None:
            request.config.stash.setdefault(_WRITTEN, []).append(found.written)
        if not found.passed:
            pytest.fail(found.text, pytrace=False)

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which baselines were written."""
    written: list[Path] = terminalreporter.config.stash.get(_WRITTEN, [])
    for path in dict.fromkeys(written):
        terminalreporter.write_line(f"segscore: baseline written: {path}")
