"""Docstrings make sense alone; `help` of a class explains each of its parameters."""

import dataclasses
import inspect
import re
from typing import Any

import pytest

from segscore import metrics, segmenters, simulate

CLASSES = [
    kind
    for module in (metrics, segmenters, simulate)
    for kind in (getattr(module, name) for name in sorted(module.__all__))
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind)
]
SECTION = re.compile(r"(?:Parameters|Attributes)\n-{10}\n(.*?)(?:\n\n|\Z)", re.DOTALL)
NAMES = re.compile(r"^(\w+(?:, \w+)*): \S", re.MULTILINE)


def explained(kind: type) -> list[str]:
    """The names before the colons of that section: `w_trp, w_t: a transposition costs …`."""
    section = SECTION.search(inspect.cleandoc(kind.__doc__ or ""))
    found = NAMES.findall(section[1]) if section else []
    return [name for names in found for name in names.split(", ")]


@pytest.mark.parametrize("kind", CLASSES)
def test_each_parameter_is_explained(kind: Any) -> None:
    assert sorted(explained(kind)) == sorted(
        field.name for field in dataclasses.fields(kind) if not field.name.startswith("_")
    )
