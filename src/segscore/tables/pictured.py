"""How a result asks for its picture, by name.

Pictures stand above the results they draw (docs/architecture.md), so a result cannot import them.
Its `.plot()` is a shortcut for `segscore.plot.…(result)`, and this is the one place that knows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def picture(name: str, *what: Any, ax: "Axes | None") -> "Axes":
    """What `segscore.plot` draws under this name."""
    draw = getattr(import_module("segscore.plot"), name)
    return cast("Axes", draw(*what, ax=ax))
