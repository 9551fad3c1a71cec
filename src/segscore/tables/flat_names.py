"""Results as one flat dict of floats, as MLflow, Weights & Biases and other trackers log them.

Trackers take letters, digits, `_`, `-`, `.` and, between levels, `/`. So `f1(tolerance=1)` becomes
`f1.tolerance_1`, and its micro-average `f1.tolerance_1/micro`. The same metric, written the same
way, has the same name in every run.
"""

import re
from collections.abc import Iterable, Sequence

from segscore.errors import SegmentationError

_SIGNS = {"(": ".", ",": ".", "=": "_", ")": ""}


def flat_numbers(
    numbers: Iterable[tuple[Sequence[str], float | None]], prefix: str = ""
) -> dict[str, float]:
    """The numbers by their names, levels joined by `/`; None and empty levels are left out."""
    found: dict[str, float] = {}
    for levels, value in numbers:
        if value is None:
            continue
        name = prefix + "/".join(flat_name(level) for level in levels if level)
        if name in found:
            raise SegmentationError(
                f"two numbers would be called {name!r}: give the systems or metrics other names"
            )
        found[name] = float(value)
    return found


def flat_name(text: str) -> str:
    """One level of a name.

    >>> flat_name("windowdiff(k=3, edges=wrap)"), flat_name("winpr(k=3).recall"), flat_name("a/b")
    ('windowdiff.k_3.edges_wrap', 'winpr.k_3.recall', 'a_b')
    """
    spelt = "".join(_SIGNS.get(sign, sign) for sign in re.sub(r"\s*([(),=])\s*", r"\1", text))
    return re.sub(r"[^\w.-]", "_", spelt, flags=re.ASCII).strip(".") or "_"
