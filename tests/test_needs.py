"""Each test that imports a package of an extra says so: `@needs("arrow")`."""

import ast
from pathlib import Path

import pytest

from needs import PACKAGES, extras_of_module

TESTS = Path(__file__).parent
EXTRA_OF = {name: extra for extra in PACKAGES if extra != "peers" for name in PACKAGES[extra]}


def packages(node: ast.AST) -> set[str]:
    """Packages of extras that are imported somewhere inside a piece of code."""
    names: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            names.update(alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            names.add(part.module or "")
        elif isinstance(part, ast.Call) and "import" in ast.unparse(part.func):
            names.update(str(arg.value) for arg in part.args if isinstance(arg, ast.Constant))
    return {name.partition(".")[0] for name in names} & EXTRA_OF.keys()


def marked(function: ast.FunctionDef) -> set[str]:
    """Packages of the extras that a function is marked with, itself or in one of its cases."""
    calls = [part for one in function.decorator_list for part in ast.walk(one)]
    extras = {
        str(argument.value)
        for call in calls
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "needs"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }
    return {package for extra in extras for package in PACKAGES[extra]}


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.stem)
def test_tests_are_marked_with_what_they_import(path: Path) -> None:
    whole = {package for extra in extras_of_module(path) for package in PACKAGES[extra]}
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    top = {name for node in tree.body if node not in functions for name in packages(node)}
    assert top <= whole
    for function in functions:
        if function.name.startswith("test_"):
            assert packages(function) <= whole | marked(function), function.name
