"""Which tests need more than a core install: `@needs("arrow")`, or `pytestmark = needs("plot")`.

Each name is an extra of pyproject.toml, or `peers`: packages that only tests have. Where one of its
packages is missing, a marked test has to fail, so that no test is marked that runs without it; a
module that is marked as a whole is not imported. `make test-core` runs all tests like that.
"""

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PACKAGES = {
    "align": ("rapidfuzz",),
    "arrow": ("pyarrow",),
    "dataframes": ("pandas", "polars", "pyarrow"),
    "duckdb": ("duckdb", "pyarrow"),
    "excel": ("xlsxwriter",),
    "plot": ("matplotlib",),
    "polars": ("polars", "pyarrow"),
    "readers": ("defusedxml",),
    "stats": ("scikit_posthocs",),
    "titles": ("rouge_score",),
    "zstd": ("zstandard",),
    "peers": (
        "IPython", "cassis", "chonkie", "chunkseg", "krippendorff", "langchain_text_splitters", "mir_eval",
        "nbclient", "nltk", "openpyxl", "praatio", "pyannote", "ruptures", "segeval", "semchunk", "sklearn",
        "sphinx", "statsmodels", "webvtt",
    ),
}  # fmt: skip


PROJECT = Path(__file__).resolve().parents[1]


def needs(*extras: str) -> pytest.MarkDecorator:
    """Mark a test, or as `pytestmark` a module, that fails without these extras."""
    return pytest.mark.needs(*extras)


def where_needed(cases: Iterable[str], extras: Mapping[str, str]) -> list[Any]:
    """Cases of a parameter, some of which need extras, as in "arrow zstd"."""
    return [pytest.param(case, marks=needs(*extras.get(case, "").split())) for case in cases]


def missing(*extras: str) -> list[str]:
    """The extras that are not installed in full."""
    return [name for name in extras if not all(map(is_there, PACKAGES[name]))]


def is_there(package: str) -> bool:
    """Whether a package is installed; segeval, once imported, has no spec."""
    return package in sys.modules or find_spec(package) is not None


class Doctests(NamedTuple):
    """Examples of modules or functions that cannot carry a marker themselves."""

    path: str
    extra: str
    name: str = ""


DOCTESTS = [
    Doctests("plot/*", "plot"),
    Doctests("reproduction/figures.py", "plot"),
    Doctests("engines/score_frame.py", "polars", "score_frame"),
    Doctests("scoring/scoring.py", "polars", "from_sums"),
    Doctests("pairing/pairs.py", "arrow", "from_arrow"),
    Doctests("adapters/pyannote.py", "peers"),
    Doctests("coding/word_alignment.py", "align", "align"),
]


def extras_of_module(path: Path) -> list[str]:
    """What a module needs as a whole, read without importing it."""
    inside = path.relative_to(PROJECT).as_posix() if path.is_relative_to(PROJECT) else ""
    if not inside.startswith("tests/"):
        inside = inside.removeprefix("src/segscore/")
        return [one.extra for one in DOCTESTS if not one.name and fnmatch(inside, one.path)]
    marks = re.findall(r"^pytestmark = needs(\(.*?\))$", path.read_text("utf-8"), re.MULTILINE)
    return [name for text in marks for name in ast.literal_eval(f"[{text[1:-1]}]")]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules that need, as a whole, an extra that is not here."""
    if collection_path.suffix != ".py":
        return None
    return bool(missing(*extras_of_module(collection_path))) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect that tests fail whose extras are not here."""
    for item in items:
        extras = [name for mark in item.iter_markers("needs") for name in mark.args]
        lacking = missing(*extras, *extras_of_doctest(item))
        if lacking:
            reason = f"needs {', '.join(lacking)}"
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def extras_of_doctest(item: pytest.Item) -> list[str]:
    """What the examples of a function need."""
    inside = item.path.as_posix().rpartition("src/segscore/")[2]
    name = item.name.rpartition(".")[2]
    return [one.extra for one in DOCTESTS if (one.path, one.name) == (inside, name)]
