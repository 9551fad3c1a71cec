"""A browser for each module of tests; and tests of pages that keep work are tried again.

Chromium sometimes loses what a document has just stored when it is loaded anew: a page of one line
that stores one word, waits and is reloaded found nothing in 4 of 180 trials. No page can help that,
and a person does not reload within milliseconds.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

import undrawn_pictures
from browser_pages import chromium

KEEPING = {
    "test_adjudicate", "test_annotate", "test_annotate_keeping", "test_circle", "test_work_is_kept",
}  # fmt: skip
TRIES = 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def _as_for_users() -> Iterator[None]:
    """Pages have their pictures."""
    undrawn_pictures.put_back()
    yield
    undrawn_pictures.replace()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: Any, nextitem: Any) -> bool | None:
    if item.path.parent.name != "browser" or item.path.stem not in KEEPING:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in reversed(range(TRIES)):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if not left or not any(report.failed for report in reports):
            break
        item._initrequest()  # fixtures are made anew
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
