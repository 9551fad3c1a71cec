"""SECURITY.md: each promise names its tests, and they are there."""

import ast
import re
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "SECURITY.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_each_promise_has_a_test() -> None:
    promised = PAGE.partition("## What we promise")[2].partition("\n## ")[0]
    promises = [one for one in re.split(r"^- ", promised, flags=re.MULTILINE) if "**" in one]
    assert len(promises) >= 10
    assert [one[:60] for one in promises if not NAMED.search(one)] == []


def test_each_test_is_there() -> None:
    for file, name in NAMED.findall(PAGE):
        tree = ast.parse((PROJECT / file).read_text("utf-8"))
        assert name in [one.name for one in tree.body if isinstance(one, ast.FunctionDef)], name
