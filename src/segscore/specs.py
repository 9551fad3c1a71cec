"""Metrics and segmenters as text, `name(parameter=value,…)`: the one parser of it.

`auto` is None, `yes` and `no` are truth values, each item of a tuple ends in `/`; whatever reads
as a number is one. Parameters left out have their defaults.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote

from segscore.errors import SegmentationError, nearest

WORDS = {"auto": None, "yes": True, "no": False}

_SPEC = re.compile(r"(?P<name>[\w-]+)\s*(?:\((?P<parameters>[^()]*)\))?")
_INTEGER = re.compile(r"[+-]?\d+")


class Spec(NamedTuple):
    """A name, and its parameters as they are written."""

    name: str
    parameters: dict[str, str]


def parse_spec(text: str, what: str, example: str) -> Spec:
    """The parts of a spec; `what` and `example` word the error.

    >>> parse_spec("wd(k=3, edges=wrap)", "metric", "wd(k=3)")
    Spec(name='wd', parameters={'k': '3', 'edges': 'wrap'})
    """
    found = _SPEC.fullmatch(text.strip())
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
    return Spec(found["name"], cells)


def unknown_name(what: str, name: str, known: Iterable[str]) -> SegmentationError:
    """The error for a name that nothing has."""
    return SegmentationError(f"no {what} is called {name!r}{nearest(name, known)}")


def unknown_parameter(what: str, text: str, key: str, known: Iterable[str]) -> SegmentationError:
    """The error for a parameter that a metric or segmenter does not have."""
    return SegmentationError(
        f"{what} {text!r}: no parameter is called {key!r}: expected "
        + (", ".join(known) or "none, because it has no parameters")
    )


def value_of(text: str) -> Any:
    """The value of a parameter, as written.

    >>> value_of("auto"), value_of("yes"), value_of("0.5"), value_of("1/b/"), value_of("wrap")
    (None, True, 0.5, (1, 'b'), 'wrap')
    """
    if text in WORDS:
        return WORDS[text]
    if text.endswith("/"):
        items = text[:-1].split("/") if text != "/" else []
        return tuple(
            int(item) if _INTEGER.fullmatch(item) else unquote(item.removeprefix("'"))
            for item in items
        )
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
