"""Docstrings as pages: ours are plain text in which `code` is marked and parameters are listed.

    name: what it is,          (or, after a heading "Parameters", as NumPy's docstrings have it)
        on more lines
    >>> an example

Sphinx reads reStructuredText; this makes it of them, and adds what is returned.
"""

import inspect
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shared_parameters import SHARED

if TYPE_CHECKING:
    from sphinx.application import Sphinx


_HEADING = re.compile(r"^(Parameters|Attributes|Returns|Raises)$")
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?:: (.*))?$")

_RAISES = (
    "\n:raises SegmentationError: for wrong input; the message names the value and what would "
    "be right."
)


def setup(app: "Sphinx") -> dict[str, Any]:
    """Sphinx calls this."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Rewrite the lines of one docstring in place."""
    del app, name, options
    text = converted("\n".join(lines), names_in(thing), shared_of(thing, "\n".join(lines)))
    if what in ("function", "method", "classmethod", "staticmethod"):
        returned = _returned(thing)
        text += "\n"
        if returned:
            text += f"\n:returns: {returned}"
        if what == "function" and ":raises" not in text:
            text += _RAISES
    lines[:] = [*text.splitlines(), ""]


def names_in(thing: Any) -> set[str]:
    """The names that a docstring may list: parameters, fields, properties."""
    names = set(dir(thing)) if inspect.isclass(thing) else set()
    with suppress(TypeError, ValueError):
        names |= set(inspect.signature(thing).parameters)
    return names | set(getattr(thing, "__annotations__", {}))


def shared_of(thing: Any, text: str) -> list[str]:
    """Parameters of a function that its docstring leaves out, because they mean the same in all."""
    if inspect.isclass(thing):
        return []
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in parameters if name in SHARED and not explains(text, name)]


def explains(text: str, name: str) -> bool:
    """Whether a docstring says what a parameter is, in a list or in its prose."""
    listed = rf"^\s*(?:\w+, )*{name}(?:, \w+)*(?:: |$)"
    return f"`{name}`" in text or bool(re.search(listed, text, re.MULTILINE))


def converted(text: str, names: set[str], shared: Sequence[str] = ()) -> str:
    """One docstring as reStructuredText."""
    blocks = [_converted(paragraph, names) for paragraph in _paragraphs(text)]
    more = "\n".join(f":param {name}: {marked_up(SHARED[name])}" for name in shared)
    lists = [at for at, block in enumerate(blocks) if block.startswith(":param ")]
    if more and lists:
        blocks[lists[-1]] += f"\n{more}"
    elif more:
        examples = [at for at, block in enumerate(blocks) if block.startswith(">>>")]
        blocks.insert(examples[0] if examples else len(blocks), more)
    return "\n\n".join(blocks)


def _converted(paragraph: list[str], names: set[str]) -> str:
    """One block of lines."""
    if len(paragraph) > 2 and _HEADING.match(paragraph[0]) and set(paragraph[1]) == {"-"}:
        return "\n".join(_fields(paragraph[2:], paragraph[0]))
    if paragraph[0].lstrip().startswith(">>>"):
        return "\n".join(paragraph)
    if _lists(paragraph, names):
        return "\n".join(_fields(paragraph, "Parameters"))
    if all(line.startswith("    ") for line in paragraph):
        return "::\n\n" + "\n".join(paragraph)
    return marked_up("\n".join(_with_lists(paragraph)))


def _paragraphs(text: str) -> Iterator[list[str]]:
    """Blocks of lines between empty ones."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        if any(lines):
            yield [line for line in lines if line.strip()]


def _lists(paragraph: list[str], names: set[str]) -> bool:
    """Whether a paragraph without a heading is a list of parameters."""
    found = _ENTRY.match(paragraph[0])
    return bool(found and found[2] and {one.strip("*") for one in found[1].split(", ")} <= names)


def _fields(paragraph: list[str], title: str) -> Iterator[str]:
    """`:param name: …` of each entry."""
    if title == "Returns":
        yield f":returns: {marked_up(' '.join(line.strip() for line in paragraph))}"
        return
    field = "raises" if title == "Raises" else "param"
    entries: list[tuple[str, list[str]]] = []
    for line in paragraph:
        found = None if line.startswith(" ") else _ENTRY.match(line)
        if found is not None:
            entries.append((found[1].replace("*", r"\*"), [found[2] or ""]))
        elif entries:
            entries[-1][1].append(line.strip())
        else:
            yield marked_up(line)
    for names, words in entries:
        yield f":{field} {names}: {marked_up(' '.join(words).strip())}"


def _with_lists(paragraph: list[str]) -> Iterator[str]:
    """Items of a list need an empty line before them."""
    inside = False
    for line in paragraph:
        item = line.lstrip().startswith("- ")
        if item and not inside:
            yield ""
        inside = inside or item
        yield line


def marked_up(text: str) -> str:
    """Plain words with `code` as reStructuredText."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a mark that is never closed
        return text.replace("`", r"\`")
    parts[::2] = [re.sub(r"([*|\\]|_(?!\w))", r"\\\1", part) for part in parts[::2]]
    text = parts[0]
    for code, after in zip(parts[1::2], parts[2::2], strict=True):
        text += (f"``{code}``" if code else "``") + (
            rf"\ {after}" if after[:1].isalnum() else after
        )
    return text


def _returned(thing: Any) -> str:
    """The class that a function returns, if it is one of ours, or a plain one."""
    try:
        found = inspect.signature(thing, eval_str=False).return_annotation
    except (TypeError, ValueError, NameError):
        return ""
    if inspect.isclass(found):
        return f"``{found.__name__}``" if found is not type(None) else ""
    if isinstance(found, str) and re.fullmatch(r"[\w.]+", found):
        return f"``{found}``"
    return ""
