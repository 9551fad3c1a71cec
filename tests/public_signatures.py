"""The public names and their parameters; `python tests/public_signatures.py FILE` writes them.

`public_signatures.json` holds those of version 0.1 as it was before the rooms were put in order: they are
a contract (docs/policy.md). Parameters may be added, by name and with a default.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import segscore as ss

ROOMS = (
    *ss._ROOMS, "adapters.labels", "adapters.intervals", "adapters.gating",
)  # fmt: skip


def things() -> Iterator[tuple[str, Any]]:
    """All public functions and classes, and the methods by which classes are made."""
    for name in ss.__all__:
        yield name, getattr(ss, name)
    for room in ROOMS:
        module = import_module(f"segscore.{room}")
        own = [
            name
            for name, thing in vars(module).items()
            if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
        ]
        yield from (
            (f"{room}.{name}", getattr(module, name)) for name in getattr(module, "__all__", own)
        )


def parameters(thing: Any) -> dict[str, list[Any]] | None:
    """Each parameter: its kind, and whether it has a default."""
    try:
        found = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    return {
        parameter.name: [parameter.kind.name, parameter.default is not parameter.empty]
        for parameter in found
    }


def public_names() -> dict[str, dict[str, list[Any]] | None]:
    """Each name, and its parameters if it takes some."""
    found = {}
    for name, thing in things():
        if inspect.ismodule(thing):
            continue
        found[name] = parameters(thing) if callable(thing) else None
        if inspect.isclass(thing):
            made = [method for method in dir(thing) if method.startswith(("from_", "to_"))]
            found |= {f"{name}.{method}": parameters(getattr(thing, method)) for method in made}
    return found


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(
        json.dumps(dict(sorted(public_names().items())), indent=1), "utf-8"
    )
