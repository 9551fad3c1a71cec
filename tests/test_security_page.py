"""SECURITY.md: each promise names its tests, and they are there."""

import ast
import re
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "SECURITY.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_each_promise_has_a_test() -> None:
    promised = PAGE.partition("## What we promise")[2].partition("\n## ")[0]
    promises = [
        promise for promise in re.split(r"^- ", promised, flags=re.MULTILINE) if "**" in promise
    ]
    assert len(promises) >= 10
    assert [promise[:60] for promise in promises if not NAMED.search(promise)] == []


def test_each_test_is_there() -> None:
    for file, name in NAMED.findall(PAGE):
        tree = ast.parse((PROJECT / file).read_text("utf-8"))
        assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)], name
