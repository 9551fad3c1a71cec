"""What the workers of tests do. They import this module alone, and not a module of tests, which
imports much more."""

import os
import signal
import time

from segscore.errors import SegmentationError


class Untold(Exception):  # noqa: N818
    """Cannot be unpickled: it wants two arguments and passes on one."""

    def __init__(self, what: str, more: str) -> None:
        super().__init__(what)
        self.more = more


def work(item: object) -> object:
    """What the tests' workers do."""
    if item == "wrong":
        raise SegmentationError("wrong item")
    if item == "mistake":
        return {}["nothing"]
    if item == "untold":
        raise Untold("it was so", "")
    if item == "unsent":
        return lambda: None
    if item == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if isinstance(item, float):
        time.sleep(item)
    return item
