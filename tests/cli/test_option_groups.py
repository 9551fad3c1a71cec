"""Groups of options: what Typer sees of them, and what a command gets."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

import segscore as ss
from segscore.cli.option_groups import NamesFile, OptionGroup, Written, with_groups

SEEN: list[Any] = []


@dataclass(frozen=True, kw_only=True)
class Last(OptionGroup):
    digits: Annotated[int, typer.Option("--digits")] = 2

    @contextmanager
    def around(self) -> Iterator[None]:
        SEEN.append(f"before, {self.digits}")
        yield
        SEEN.append("after")


@dataclass(frozen=True, kw_only=True)
class Outer(OptionGroup):
    first: Annotated[str, typer.Option("--first")]
    low: Annotated[int, typer.Option("--low")] = 0
    high: Annotated[int, typer.Option("--high")] = 9
    output: Annotated[Path | None, typer.Option("--output"), Written("-o")] = None


def command(
    *,
    files: Annotated[list[str], typer.Argument(), NamesFile("=")],
    group: Outer,
    last: Last,
    after: Annotated[bool, typer.Option("--after")] = False,
) -> None:
    """Do it."""
    SEEN.append((files, group, last.digits, after))


@pytest.fixture
def made() -> Callable[..., None]:
    SEEN.clear()
    return with_groups(command)


def test_options_stand_one_by_one_in_order(made: Callable[..., None]) -> None:
    seen = inspect.signature(made).parameters
    options = ["files", "first", "low", "high", "output", "digits", "after"]
    assert list(seen) == options
    assert seen["first"].default is inspect.Parameter.empty
    assert [seen[name].default for name in ("low", "high", "output")] == [0, 9, None]
    assert list(made.__annotations__) == list(seen)
    assert made.__doc__ == "Do it."


def test_a_command_gets_its_groups_and_what_stands_last_is_around_it(
    made: Callable[..., None],
) -> None:
    made(files=["a"], first="x", low=1, high=2, output=None, after=True, digits=4)
    group = Outer(first="x", low=1, high=2, output=None)
    assert ["before, 4", (["a"], group, 4, True), "after"] == SEEN


def test_what_is_read_is_not_written(made: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{}", "utf-8")
    given = {"first": "", "low": 0, "high": 0, "after": False, "digits": 1, "output": path}
    for files in ([str(path)], [f"name={path}"], [str(tmp_path)]):
        with pytest.raises(ss.SegmentationError, match="-o.*read as input"):
            made(files=files, **given)
    made(files=["other"], **given)
