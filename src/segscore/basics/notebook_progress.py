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


def notebook_bar(name: str, total: float | None) -> Callable[[float], None]:
    """A bar under the cell, as a function to call with the progress.

    `total` is None if it is unknown.
    """
    from IPython.display import HTML, display

    start = drawn = time.monotonic()

    def html(done: float) -> Any:
        seconds = time.monotonic() - start
        value = "" if total is None else f' value="{done:g}" max="{total:g}"'
        of = "" if total is None else f" of {total:g}"
        bar = f"<progress{value}></progress>"
        return HTML(f"<div>{escape(name)} {bar} {done:g}{of}, {seconds:.1f} s</div>")

    def show(done: float) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _PAUSE or done == total:
            drawn = now
            handle.update(html(done))

    handle: Any = display(html(0), display_id=True)
    return show


def notebook_counter(name: str, total: float) -> Callable[[int], None] | None:
    """A function to call with further progress, in a notebook; None elsewhere."""
    if not in_notebook():
        return None
    show, done = notebook_bar(name, total or None), 0

    def more(step: int) -> None:
        nonlocal done
        done += step
        show(done)

    return more


def notebook_steps(steps: Iterable[Item], name: str, total: int) -> Iterator[Item]:
    """The steps, with a bar that follows them."""
    show = notebook_bar(name, total)
    for number, step in enumerate(steps, 1):
        show(number)
        yield step


def followed(steps: Iterable[Item], name: str, total: int, progress: Any) -> Iterable[Item]:
    """The steps, followed by `progress`; if it is None, by a bar in a notebook."""
    if progress is not None:
        given: Iterable[Item] = progress(steps, name, total)
        return given
    return notebook_steps(steps, name, total) if in_notebook() else steps
