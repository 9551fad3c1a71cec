"""Metrics and segmenters as text, `name(parameter=value,…)`: their common parser.

`auto` is None, `yes` and `no` are truth values, each item of a tuple ends in `/`; whatever looks
like a number is a number. Parameters left out have their defaults.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from segscore.errors import SegmentationError, nearest

WORDS = {"auto": None, "yes": True, "no": False}

# Patterns are compiled where they are first used, so that `import segscore` need not.
_SPEC_ALONE = r"[\w@-]+\s*(?:\([^()]*\))?"
_SPEC = r"(?P<name>[\w@-]+)\s*(?:\((?P<parameters>[^()]*)\))?"


def parse_spec(text: str, what: str, example: str) -> tuple[str, dict[str, str]]:
    """The name in a spec, and its parameters as written; `what` and `example` word the error.

    >>> parse_spec("wd(k=3, edges=wrap)", "metric", "wd(k=3)")
    ('wd', {'k': '3', 'edges': 'wrap'})
    """
    found = re.fullmatch(_SPEC, text.strip())
    if found is None and re.fullmatch(rf"{_SPEC_ALONE}(?:\s*,\s*{_SPEC_ALONE})+", text.strip()):
        raise SegmentationError(
            f"{what} {text!r} names several: expected one {what} each time (on the command line, "
            "repeat the option; in Python, give a list)"
        )
    if found is None:
        raise SegmentationError(f"cannot read {what} {text!r}: expected for instance {example}")
    cells: dict[str, str] = {}
    for cell in filter(str.strip, (found["parameters"] or "").split(",")):
        key, equals, value = (part.strip() for part in cell.partition("="))
        if not equals or key in cells:
            raise SegmentationError(
                f"{what} {text!r}: cannot read {cell.strip()!r}: expected each parameter once, as "
                f"in {example}"
            )
        cells[key] = value
    return found["name"], cells


def unknown_name(
    what: str, name: str, known: Iterable[str], meant: str | None = None
) -> SegmentationError:
    """The error for an unknown name; `meant` is what other libraries call by that name."""
    return SegmentationError(f"no {what} is called {name!r}{nearest(name, known, meant)}")


def unknown_parameter(what: str, text: str, key: str, known: Iterable[str]) -> SegmentationError:
    """The error for a parameter that a metric or segmenter does not have."""
    return SegmentationError(
        f"{what} {text!r}: no parameter is called {key!r}: expected "
        + (", ".join(known) or "none, because it has no parameters")
    )


def is_integer(text: str) -> bool:
    """Whether a text is a whole number."""
    return re.fullmatch(r"[+-]?\d+", text) is not None


def parameter_value(text: str) -> Any:
    """The value of a parameter, as written.

    >>> [parameter_value(text) for text in ("auto", "yes", "0.5", "1/b/", "wrap")]
    [None, True, 0.5, (1, 'b'), 'wrap']
    """
    if text in WORDS:
        return WORDS[text]
    if text.endswith("/"):
        items = text[:-1].split("/") if text != "/" else []
        return tuple(
            int(item) if is_integer(item) else unquote(item.removeprefix("'")) for item in items
        )
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
