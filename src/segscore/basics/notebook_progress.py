"""Progress bars in notebooks, for what takes long; elsewhere the caller says how to follow it.

On a terminal the command line draws bars. In a notebook (Jupyter, and whatever else shows HTML) the
functions that take `progress=` draw one here if they are given none: plain HTML, which needs no
package besides the notebook itself.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Any, TypeVar

Item = TypeVar("Item")

_PAUSE = 0.1  # seconds between two drawings


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook, which can show HTML."""
    from multiprocessing import parent_process

    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None and parent_process() is None


class NotebookBar:
    """A bar under the cell; `total` is None where nobody knows how much there is."""

    def __init__(self, name: str, total: float | None) -> None:
        from IPython.display import display

        self._name, self._total = name, total
        self._start = self._drawn = time.monotonic()
        self._handle: Any = display(self._html(0), display_id=True)

    def to(self, done: float) -> None:
        """Show that `done` of the total is done."""
        now = time.monotonic()
        if now - self._drawn >= _PAUSE or done == self._total:
            self._drawn = now
            self._handle.update(self._html(done))

    def _html(self, done: float) -> Any:
        from IPython.display import HTML

        seconds = time.monotonic() - self._start
        value = "" if self._total is None else f' value="{done:g}" max="{self._total:g}"'
        of = "" if self._total is None else f" of {self._total:g}"
        return HTML(
            f"<div>{escape(self._name)} <progress{value}></progress> {done:g}{of}, "
            f"{seconds:.1f} s</div>"
        )


def notebook_counter(name: str, total: float) -> Callable[[int], None] | None:
    """A function that is told how much more is done, in a notebook; None elsewhere."""
    if not in_notebook():
        return None
    bar, done = NotebookBar(name, total or None), 0

    def more(step: int) -> None:
        nonlocal done
        done += step
        bar.to(done)

    return more


def notebook_steps(steps: Iterable[Item], name: str, total: int) -> Iterator[Item]:
    """The steps, with a bar that follows them."""
    bar = NotebookBar(name, total)
    for number, step in enumerate(steps, 1):
        bar.to(number)
        yield step


def followed(steps: Iterable[Item], name: str, total: int, progress: Any) -> Iterable[Item]:
    """The steps as `progress` follows them; without one, with a bar if this is a notebook."""
    if progress is not None:
        given: Iterable[Item] = progress(steps, name, total)
        return given
    return notebook_steps(steps, name, total) if in_notebook() else steps
