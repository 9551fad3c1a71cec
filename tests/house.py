"""How large the house is: `python tests/house.py` prints the table that test_budget.py holds.

Numbers never rise: a feature pays with lines. Whoever deletes lowers LIMITS to the new numbers.
"""

import ast
import functools
import inspect
import io
import os
import re
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import segscore as ss
from segscore.cli import commands
from segscore.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

LIMITS: dict[str, tuple[float, float]] = {  # what is measured: the limit, and what we want
    "code lines of the package": (41_500, 42_000),
    "modules": (215, 250),
    "classes": (310, 310),
    "functions": (3_360, 3_400),
    "import lines, %": (7.3, 7.5),
    "raise statements": (910, 950),
    "public names": (48, 50),
    "most parameters of a public function": (14, 14),
    "commands": (18, 18),
    "option names": (100, 100),
    "most options of a command": (30, 30),
    "functions in segscore score": (208, 208),
    "functions in ss.score": (58, 58),
    "functions in ss.compare, printed": (172, 172),
    "ContextVars in cli": (0, 0),
    "names with two meanings": (5, 5),
    "fmt: skip": (15, 30),
    "code lines of tests": (31_800, 32_000),
    "whole messages in tests": (18, 200),
    "lines of compare --help": (58, 60),
}


# ---- code ----


@functools.cache
def sources(folder: str) -> dict[Path, tuple[str, ast.Module]]:
    """The text and the tree of each module below a folder of the project."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    texts = {path: path.read_text("utf-8") for path in paths}
    return {path: (text, ast.parse(text)) for path, text in texts.items()}


def nodes(*kinds: type[ast.AST]) -> Iterator[ast.AST]:
    """Each node of these kinds in the package."""
    for _, tree in sources("src/segscore").values():
        yield from (node for node in ast.walk(tree) if isinstance(node, kinds))


def code_lines(folder: str) -> int:
    """Lines with code: not blank, not of comments or docstrings only."""
    return sum(_code_lines(text, tree) for text, tree in sources(folder).values())


def _code_lines(text: str, tree: ast.Module) -> int:
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.string.strip() and token.type != tokenize.COMMENT:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS))
        if documented and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            code.difference_update(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(code)


def import_share() -> float:
    """Lines of import statements, in per cent of the code lines of the package."""
    imports = nodes(ast.Import, ast.ImportFrom)
    lines = sum((node.end_lineno or 0) - node.lineno + 1 for node in imports)
    return round(100 * lines / code_lines("src/segscore"), 1)


def names_twice() -> int:
    """Names of public functions and of type aliases that several modules define."""
    found: Counter[str] = Counter()
    for _, tree in sources("src/segscore").values():
        defined = {node.name for node in tree.body if isinstance(node, FUNCTIONS)}
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation):
                defined.add(ast.unparse(node.target))
            elif type(node).__name__ == "TypeAlias":  # type X = …, since Python 3.12
                defined.add(ast.unparse(node.name))
        found.update(name for name in defined if not name.startswith("_"))
    return sum(count > 1 for count in found.values())


def unformatted() -> int:
    """Places of the package that the formatter leaves alone."""
    return sum(text.count("# fmt: skip") for text, _ in sources("src/segscore").values())


def context_variables() -> int:
    """State of the command line that no function is given."""
    trees = [tree for _, tree in sources("src/segscore/cli").values()]
    called = [node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sum(ast.unparse(each).endswith("ContextVar") for each in called)


# ---- what users see ----


def public_names() -> list[str]:
    return [name for name in ss.__all__ if not isinstance(getattr(ss, name), ModuleType)]


def most_parameters() -> int:
    """Of each function at the top and in the modules by task; **options are one."""
    found = [getattr(ss, name) for name in public_names()]
    for room in ss._ROOMS:
        try:
            module = getattr(ss, room)
        except MissingExtraError:  # of pictures, on a core install
            continue
        found += [getattr(module, name) for name in getattr(module, "__all__", vars(module))]
    functions = filter(inspect.isfunction, found)
    return max(len(inspect.signature(function).parameters) for function in functions)


@functools.cache
def options() -> dict[tuple[str, str], list[str]]:
    """Of each command and subcommand: each option, with all its spellings, as in --a/--b."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in commands.COMMANDS:
        command = commands.make_command(name)
        for below, part in getattr(command, "commands", {"": command}).items():
            spellings = (param.opts for param in part.params if param.param_type_name == "option")
            found[name, below] = ["/".join(each) for each in spellings]
    return found


def option_names() -> int:
    """Long names of options in all commands."""
    spelt = {name for given in options().values() for each in given for name in each.split("/")}
    return sum(name.startswith("--") for name in spelt)


def help_lines(command: str) -> int:
    """Lines of a command's --help on a terminal of 80 columns."""
    return len(_run(f"from segscore.cli import run\nrun([{command!r}, '--help'])").splitlines())


# ---- ways through the code ----

CODINGS = """
import segscore as ss
masses = lambda i, k: [2 + i * k % 5, 3, 6 - i * k % 5]
refs, a, b = ({f"d{i}": ss.Segmentation.from_masses(masses(i, k)) for i in range(8)} for k in (1, 2, 3))
"""
WALKS = {
    "segscore score": """
from segscore.cli import run
walk = lambda: run(["score", "reference.jsonl", "ours.jsonl", "-m", "pk", "-m", "b", "-o", OUT])
""",
    "ss.score": CODINGS + "walk = lambda: ss.score(refs, a, ['pk', 'b'])",
    "ss.compare, printed": CODINGS
    + "walk = lambda: str(ss.compare(refs, systems={'a': a, 'b': b}))",
}
TRACE = """
import os, sys
import segscore
inside, called = os.path.dirname(segscore.__file__) + os.sep, set()
def note(frame, event, argument):
    name, file = frame.f_code.co_qualname, frame.f_code.co_filename
    if event == "call" and file.startswith(inside) and not frame.f_code.co_name.startswith("<"):
        called.add((file, name))
sys.setprofile(note)
walk()
sys.setprofile(None)
print(len(called))
"""


def touched(walk: str) -> int:
    """Functions of ours that a way calls, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        out = repr(str(Path(folder, "out.txt")))
        return int(_run(WALKS[walk].replace("OUT", out) + TRACE).split()[-1])


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT / "docs/examples", env={**os.environ, "COLUMNS": "80"},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- messages that tests spell out ----

ERROR_TEXT = re.compile(r"\berr\b|stderr|\.value\b|message|error|warning")
WORD = re.compile(r"[(\[]?[^\W\d_]+(?:-[^\W\d_]+)*[,.:;)!?\]]*")


def is_sentence(node: ast.expr) -> bool:
    """Whether it is a literal of five words or more, between blanks; in a pattern, escapes aside."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    literals = [part.value for part in parts if isinstance(part, ast.Constant)]
    text = "{}".join(str(each) for each in literals)
    return sum(map(bool, map(WORD.fullmatch, re.sub(r"\\(.)", r"\1", text).split()))) >= 5


def expected_messages(function: ast.AST) -> Iterator[ast.expr]:
    """What a test wants messages to match, or to be or to contain, also from its table of cases."""
    named: set[str] = set()
    for node in ast.walk(function):
        expected: list[ast.expr] = []
        if isinstance(node, ast.Call):
            expected = [keyword.value for keyword in node.keywords if keyword.arg == "match"]
        elif isinstance(node, ast.Compare) and ERROR_TEXT.search(ast.unparse(node.comparators[0])):
            expected = [node.left]
        yield from expected
        named.update(
            part.id for each in expected for part in ast.walk(each) if isinstance(part, ast.Name)
        )
    for call in getattr(function, "decorator_list", ()):
        if ast.unparse(call).startswith("pytest.mark.parametrize"):
            names = re.findall(r"\w+", ast.unparse(call.args[0]))
            for row in getattr(call.args[1], "elts", ()):
                cells = row.args if isinstance(row, ast.Call) else getattr(row, "elts", [row])
                yield from (cell for name, cell in zip(names, cells, strict=False) if name in named)


def whole_messages() -> int:
    tests = [node for _, tree in sources("tests").values() for node in ast.walk(tree)]
    functions = [node for node in tests if isinstance(node, FUNCTIONS)]
    return sum(is_sentence(each) for test in functions for each in expected_messages(test))


# ---- the table ----

MEASURES: dict[str, Callable[[], float]] = {
    "code lines of the package": lambda: code_lines("src/segscore"),
    "modules": lambda: len(sources("src/segscore")),
    "classes": lambda: len(list(nodes(ast.ClassDef))),
    "functions": lambda: len(list(nodes(*FUNCTIONS))),
    "import lines, %": import_share,
    "raise statements": lambda: len(list(nodes(ast.Raise))),
    "public names": lambda: len(public_names()),
    "most parameters of a public function": most_parameters,
    "commands": lambda: len({name for name, _ in options()}),
    "option names": option_names,
    "most options of a command": lambda: max(map(len, options().values())),
    "functions in segscore score": lambda: touched("segscore score"),
    "functions in ss.score": lambda: touched("ss.score"),
    "functions in ss.compare, printed": lambda: touched("ss.compare, printed"),
    "ContextVars in cli": context_variables,
    "names with two meanings": names_twice,
    "fmt: skip": unformatted,
    "code lines of tests": lambda: code_lines("tests"),
    "whole messages in tests": whole_messages,
    "lines of compare --help": lambda: help_lines("compare"),
}  # fmt: skip


def table() -> str:
    rows = [f"{'':<38}{'measured':>10}{'limit':>10}{'target':>10}"]
    for name, (limit, target) in LIMITS.items():
        rows.append(f"{name:<38}{MEASURES[name]():>10,}{limit:>10,}{target:>10,}")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())  # noqa: T201
