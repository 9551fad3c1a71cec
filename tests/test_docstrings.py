"""Docstrings make sense alone; `help` of a class explains each of its parameters."""

import dataclasses
import inspect
import re
import subprocess
import sys
import types
from typing import Any

import pytest

import segscore as ss
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


# ---- the package as a whole ----


def test_all_names_exist_and_none_is_a_module() -> None:
    assert sorted(ss.__all__) == sorted(set(ss.__all__))
    for name in ss.__all__:
        assert not isinstance(getattr(ss, name), types.ModuleType)


def test_import_pulls_in_nothing_heavy() -> None:
    heavy = "{'scipy', 'pandas', 'polars', 'typer', 'rich'}"
    heavy += " | {'json', 'html', 'numpy.random', 'segscore.tables.table'}"  # wanted later, if ever
    code = f"""if True:
        import sys, numpy; before = set(sys.modules)
        import segscore; print(sorted(({heavy}) & (set(sys.modules) - before)))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
