"""The script of a page: modules in `scripts/`, joined into one when a page is written.

A module is a plain ECMAScript module, checked by `tsc`:

    import { el, named } from "./elements.js";
    export function strip(lanes) { … }

Imports are at the start of lines and name what they import; an export is a function, a class or a
constant. Because all modules of a page end up in one function, no two may declare the same
top-level name. The joiner understands no more of the language, and refuses any other line that
begins with `import` or `export`. Types come from other modules by `/** @import { Row } from
"./judging.js" */`. Comments that begin at the start of a line (types, and what a function does) are
for whoever reads the modules; a page is smaller without them.
"""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

SCRIPTS: Traversable = files("segscore.pages").joinpath("scripts")

_IMPORT = re.compile(
    r'^import \{\s*([\w$]+(?:,\s*[\w$]+)*),?\s*\} from "\./([\w.-]+\.js)";[ \t]*\n', re.MULTILINE
)
_COMMENT = re.compile(r"^(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\b|class\b|const\b))", re.MULTILINE)
_UNKNOWN = re.compile(r"^[ \t]*(?:import|export)\b.*", re.MULTILINE)
_DECLARED = re.compile(
    r"^(export )?(?:(?:async )?function ?\*? ?|class |const |let |var )([\w$]+|[{\[])",
    re.MULTILINE,
)


class ScriptError(Exception):
    """Modules that cannot be joined: a mistake in a module, never in data."""


@cache
def joined(entry: str, folder: Traversable = SCRIPTS) -> str:
    """The entry module and all that it imports, dependencies first, as one strict script."""
    parts = [f"// ---- {name} ----\n{text}" for name, text in _bodies(entry, folder)]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def modules(entry: str, folder: Traversable = SCRIPTS) -> list[str]:
    """The names of the entry module and of all that it imports, dependencies first."""
    order: list[str] = []
    _visit(entry, folder, (), order)
    return order


def _visit(name: str, folder: Traversable, above: tuple[str, ...], order: list[str]) -> None:
    if name in above:
        circle = " → ".join([*above[above.index(name) :], name])
        raise ScriptError(f"{circle}: modules import each other in a circle")
    if name in order:
        return
    if not folder.joinpath(name).is_file():
        raise ScriptError(
            f"{name}: there is no such module{''.join(f' for {module}' for module in above[-1:])}"
        )
    for _, other in _IMPORT.findall(_read(name, folder)):
        _visit(other, folder, (*above, name), order)
    order.append(name)


def _bodies(entry: str, folder: Traversable) -> list[tuple[str, str]]:
    """Modules by name, without `import` and `export`."""
    declared: dict[str, str] = {}
    exported: dict[str, set[str]] = {}
    found = []
    for name in modules(entry, folder):
        text = _read(name, folder)
        exported[name] = _declare(name, text, declared)
        for wanted, other in _IMPORT.findall(text):
            missing = set(re.split(r",\s*", wanted)) - exported[other]
            if missing:
                raise ScriptError(f"{name}: {other} does not export {', '.join(sorted(missing))}")
        text = _EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", text)))
        unknown = _UNKNOWN.search(text)
        if unknown:
            raise ScriptError(f"{name}: {unknown[0].strip()!r} is not a form that is known")
        found.append((name, text))
    return found


def _declare(name: str, text: str, declared: dict[str, str]) -> set[str]:
    """Note what a module declares at its top, and return the names that it exports."""
    exported = set()
    for export, identifier in _DECLARED.findall(text):
        if identifier in "{[":
            raise ScriptError(f"{name}: a name at the top is declared by itself, not by a pattern")
        if identifier in declared:
            raise ScriptError(f"{name}: {identifier} is declared by {declared[identifier]}, too")
        declared[identifier] = name
        if export:
            exported.add(identifier)
    return exported


def _read(name: str, folder: Traversable) -> str:
    return folder.joinpath(name).read_text("utf-8")
