"""The site: each public name and each command has its page; pages are in the tree of contents."""

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import segscore as ss
from needs import needs
from segscore.cli import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "_extensions"))

from command_pages import command_pages  # noqa: E402
from docstrings import explains  # noqa: E402
from generated_pages import FROM_REPOSITORY, api_pages, repository_pages  # noqa: E402
from public_names import public_names  # noqa: E402
from shared_parameters import SHARED  # noqa: E402

ROOMS = ss._ROOMS


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The pages that are written before the site is built."""
    return api_pages() | command_pages() | repository_pages(ROOT)


@needs("plot")
def test_each_public_name_has_a_page(pages: dict[str, str]) -> None:
    documented = set(re.findall(r":: (segscore\.[\w.]+)", "\n".join(pages.values())))
    names = {f"segscore.{name}" for name in ss.__all__ if name != "__version__"}
    rooms = {name for name in names if inspect.ismodule(getattr(ss, name.partition(".")[2]))}
    assert names - rooms - documented == set()


@needs("plot")
@pytest.mark.parametrize("room", ROOMS)
def test_each_name_of_a_room_has_a_page(room: str, pages: dict[str, str]) -> None:
    module = import_module(f"segscore.{room}")
    paths = [path.rpartition("/")[2].removesuffix(".rst") for path in pages if "api/" in path]
    offered = getattr(module, "__all__", None) or [
        name for name, member in vars(module).items() if getattr(member, "__module__", "") == module.__name__
        and not name.startswith("_")
    ]  # fmt: skip
    assert offered
    for name in offered:
        assert f"{room}.{name}" in paths or name in paths, name


@needs("plot")
def test_each_parameter_of_each_function_is_explained() -> None:
    functions = [name for name in public_names() if name.kind == "function"]
    assert len(functions) > 60
    left = {
        name.path: missing
        for name in functions
        if (missing := [parameter for parameter in parameters(name.thing) if parameter not in SHARED
                        and not explains(inspect.getdoc(name.thing) or "", parameter)])
    }  # fmt: skip
    assert left == {}, "say what they are in the docstring, as `name: what it is`"


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


@needs("plot")
def test_each_function_and_class_has_an_example_or_is_a_result() -> None:
    rows = [
        (name.path, inspect.getdoc(name.thing) or "")
        for name in public_names()
        if name.kind != "data"
    ]
    assert [path for path, text in rows if not text] == []
    assert sum(">>>" in text for _, text in rows) / len(rows) > 0.7


@needs("plot")
def test_each_command_has_a_page_that_names_its_options(pages: dict[str, str]) -> None:
    registered = {command.name for command in app.registered_commands}
    assert {f"commands/{name}.md" for name in registered} <= set(pages)
    assert "commands/data-fetch.md" in pages
    score = pages["commands/score.md"]
    assert "segscore score [OPTIONS] REF [HYP…]" in score
    assert "`-m, --metric METRIC`" in score
    assert "--fail-under" in score


@needs("plot")
def test_links_of_pages_from_the_repository_lead_somewhere(pages: dict[str, str]) -> None:
    assert len(FROM_REPOSITORY) >= 4
    for page in FROM_REPOSITORY:
        for link in re.findall(r"\]\(/([^)#]+)", pages[f"{page}.md"]):
            assert link in pages or (DOCS / link).exists(), (page, link)


def test_each_page_is_in_the_tree_of_contents() -> None:
    listed = set()
    for path in DOCS.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
            for line in block.splitlines():
                name = re.sub(r".*<(.+)>", r"\1", line).strip()
                if name and not name.startswith(":"):
                    listed.add(((path.parent / name).relative_to(DOCS)).as_posix())
    ours = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    generated = ("api/", "commands/", "project/")
    missing = {page for page in ours - listed - {"index"} if not page.startswith(generated)}
    assert missing == set()
