"""The house: one direction of imports, no cycle, no private name across rooms.

`lint-imports` (make lint) holds the layers of pyproject.toml; here is what it does not see: cycles
among modules of one room, names that are looked up by text, and private names.
"""

import ast
import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import house
import segscore as ss
from needs import needs
from segscore.cli.commands import COMMANDS, MODULES

SOURCE = Path(ss.__file__).parent
PROJECT = Path(__file__).parents[1]
DOORS = {"baselines", "ranked"}  # names for users, of what lives in a room
PUBLIC = {"_kernels", "_version"}  # rooms that are private to users, not to the other rooms


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


FILES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
KERNELS = {module_name(path) for path in SOURCE.rglob("*.pyx")}


@cache
def parsed(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text("utf-8"))


def at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, those inside functions included, those under `if TYPE_CHECKING` not."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield other
                yield from at_run_time(other)
            continue
        yield child
        yield from at_run_time(child)


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each import of ours: the module it is from, and the name, if there is one."""
    for node in at_run_time(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "segscore":
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((a.name, "") for a in node.names if a.name.partition(".")[0] == "segscore")


def target(module: str, name: str) -> str:
    """The module that an import runs."""
    whole = f"{module}.{name}"
    return whole if whole in FILES or whole in KERNELS else module


def graph() -> dict[str, set[str]]:
    return {name: {target(*pair) for pair in imported(parsed(name))} - {name} for name in FILES}


def room(module: str) -> str:
    return [*module.split("."), ""][1]


def test_no_cycle_not_even_a_lazy_one() -> None:
    edges = graph()
    assert len(edges) > 150
    assert sum(map(len, edges.values())) > 800
    TopologicalSorter(edges).prepare()  # a cycle is an error, which names it


def test_nobody_imports_from_the_front_door() -> None:
    """`segscore` itself reaches every room, lazily: who imports it could reach what is above."""
    found = [
        f"{name} imports {what} from segscore"
        for name in FILES
        for module, what in imported(parsed(name))
        if module == "segscore" and target(module, what) == "segscore"
        if name != "segscore.cli.data"  # which uses it as users do
    ]
    assert found == []


@needs("plot")
def test_names_fetched_later_are_where_the_table_says() -> None:
    """The table of lazy names, the imports that type checkers see, and __all__ are the same."""
    later = {name: f"segscore.{module}" for module, names in ss._NAMES.items() for name in names}
    for name, module in later.items():
        assert hasattr(importlib.import_module(module), name), (module, name)
        assert name in ss.__all__
    stub = ast.parse((SOURCE / "__init__.pyi").read_text("utf-8"))
    seen = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    rooms = dict.fromkeys(ss._ROOMS, "segscore")
    assert {name: seen.get(name) for name in later | rooms} == later | rooms
    assert set(seen) == {*ss.__all__, *rooms}
    for name, module in seen.items():
        assert getattr(importlib.import_module(module or ""), name) is getattr(ss, name)


def test_no_private_name_of_another_room() -> None:
    found = [
        f"{name} imports {module}.{what}"
        for name in FILES
        for module, what in imported(parsed(name))
        if room(target(module, what)) != room(name)
        and any(
            part.startswith("_") and part not in {*PUBLIC, "__version__"}
            for part in f"{module}.{what}".split(".")
        )
    ]
    assert found == []


def test_no_cached_property_that_locks() -> None:
    """Its lock in Python 3.11 makes forked children hang; `basics/arguments.py` has one without."""
    found = [
        f"{name}: {ast.unparse(node)}"
        for name in FILES
        for node in ast.walk(parsed(name))
        if (isinstance(node, ast.ImportFrom) and node.module == "functools"
            and any(alias.name == "cached_property" for alias in node.names))
        or (isinstance(node, ast.Attribute) and ast.unparse(node) == "functools.cached_property")
    ]  # fmt: skip
    assert found == ["segscore.basics.arguments: functools.cached_property"]


def test_no_command_imports_another() -> None:
    """What commands share stands in modules that are no commands."""
    commands = {f"segscore.cli.{MODULES.get(name, name)}" for name in COMMANDS}
    assert {"segscore.cli.score", "segscore.cli.data"} <= commands
    found = [
        f"{name} imports {other}"
        for name, others in graph().items()
        for other in others & commands
        if name != "segscore.cli"
    ]
    assert found == []


@cache
def layers() -> list[list[str]]:
    """The contract of pyproject.toml, from the roof to the ground."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return [[cell.strip(" ()") for cell in line.split(":")] for line in contract["layers"]]


def test_every_room_has_its_layer_in_the_contract_and_on_the_page() -> None:
    listed = [name for layer in layers() for name in layer]
    assert len(listed) == len(set(listed))
    assert {room(name) for name in FILES} <= {*listed, "", "__main__", "_version", *DOORS}
    assert max(map(len, layers())) <= 6, "a line of the contract that holds everything says nothing"
    page = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    assert [name for name in listed if f"`{name}" not in page] == []


def test_the_page_names_what_exists_and_rooms_keep_their_budgets() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    paths = re.findall(r"`((?:src|tests|docs|conformance|reproduction)/[\w/.-]+)`", page)
    filled_in = re.compile("[A-Z]{4}")  # NAME, FAMILY
    assert [
        each for each in paths if not (filled_in.search(each) or (PROJECT / each).exists())
    ] == []
    lines = Counter[str]()
    for path, (text, tree) in house.sources("src/segscore").items():
        lines[path.relative_to(SOURCE).parts[0]] += house._code_lines(text, tree)
    budgets = re.findall(r"^\| \d+ \| `(\w+)` \| ([\d,]+) \|", page, re.MULTILINE)
    assert len(budgets) > 20
    assert {
        name: lines[name] for name, most in budgets if lines[name] > int(most.replace(",", ""))
    } == {}, "lower is right; who adds lines removes others"


def test_the_top_holds_rooms_and_few_files() -> None:
    assert {path.stem for path in SOURCE.glob("*.py")} == {
        "__init__", "__main__", "_version", "errors", *DOORS,
    }  # fmt: skip
    rooms = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    assert len(rooms) <= 27
    # Once imported, segscore.audit would hide ss.audit.
    assert {*rooms, *DOORS, "errors"} & set(ss.__all__) == set()


# ---- names ----


def test_no_class_name_and_no_module_name_twice() -> None:
    """A name means one thing. The door and its room share theirs on purpose, as do commands and
    the rooms or functions that they are named after."""
    classes = Counter(
        node.name
        for name in FILES
        for node in ast.walk(parsed(name))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in classes.items() if count > 1] == []
    modules = Counter(name.rpartition(".")[2] for name, path in FILES.items()
        if path.name != "__init__.py" and not name.startswith("segscore.cli."))  # fmt: skip
    assert {name for name, count in modules.items() if count > 1} <= DOORS


MEASURED = {  # room that reads it: private attributes of another room, each with a reason
    # one pair is scored in 0.8 µs; a property for each of these would cost a tenth of that
    "metrics": {"_n_units", "_packed", "_types"},
}


def private_names(tree: ast.AST) -> set[str]:
    """Private names that a module gives to attributes, methods and functions."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)  # of `_put(_codings=…)`
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)  # of __slots__
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def test_no_private_attribute_of_another_room() -> None:
    own: dict[str, set[str]] = {}
    for name in FILES:
        own.setdefault(room(name), set()).update(private_names(parsed(name)))
    found = [
        f"{name}: {ast.unparse(node)}"
        for name in FILES
        for node in ast.walk(parsed(name))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "os"))
        and node.attr not in own[room(name)] | MEASURED.get(room(name), set()) | NAMED_TUPLE
    ]
    assert found == []


NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make"}  # public, for all their underscores
