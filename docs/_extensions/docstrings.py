"""Docstrings as pages: ours are plain text in which `code` is marked and parameters are listed.

    name: what it is,          (or, after a heading "Parameters", as NumPy's docstrings have it)
        on more lines
    >>> an example

Sphinx reads reStructuredText; this makes it of them, and adds what is returned.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from shared_parameters import SHARED

import segscore

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
    app.connect("autodoc-process-signature", _signature)
    app.connect("doctree-read", _dashes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Rewrite the lines of one docstring in place."""
    del app, name, options
    given = "\n".join(lines)
    text = converted(given, names_in(thing), shared_of(thing, given), parameters_of(thing))
    if what in ("function", "method", "classmethod", "staticmethod"):
        returned = _returned(thing)
        text += "\n"
        if returned:
            text += f"\n:returns: {returned}"
        if what == "function" and ":raises" not in text:
            text += _RAISES
    lines[:] = [*text.splitlines(), ""]


def _signature(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Classes that are made by their constructors only have no signature of their own."""
    del app, what, name, thing, options
    return ("", returns) if (signature or "").startswith("(*_") else None


def _dashes(app: Any, doctree: Any) -> None:
    """Sphinx writes ` -- ` between a parameter and its description."""
    from docutils import nodes

    del app
    for node in list(doctree.findall(nodes.Text)):
        if node.astext() == " -- ":
            node.parent.replace(node, nodes.Text(": "))


def parameters_of(thing: Any) -> list[str]:
    """The names of a signature, in order."""
    try:
        return list(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return []


def names_in(thing: Any) -> set[str]:
    """The names that a docstring may list: parameters, fields, properties."""
    names = set(dir(thing)) if inspect.isclass(thing) else set()
    return names | set(parameters_of(thing)) | set(getattr(thing, "__annotations__", {}))


def shared_of(thing: Any, text: str) -> list[str]:
    """Parameters of a function that its docstring leaves out, because they mean the same in all."""
    if inspect.isclass(thing):
        return []
    return [name for name in parameters_of(thing) if name in SHARED and not explains(text, name)]


def explains(text: str, name: str) -> bool:
    """Whether a docstring says what a parameter is, in a list or in its prose."""
    listed = rf"^\s*(?:\w+, )*{name}(?:, \w+)*(?:: |$)"
    return f"`{name}`" in text or bool(re.search(listed, text, re.MULTILINE))


def converted(
    text: str, thing_names: set[str], shared: Sequence[str] = (), order: Sequence[str] = ()
) -> str:
    """One docstring as reStructuredText; parameters come in the order of the signature."""
    blocks = [_converted(paragraph, thing_names, order) for paragraph in _paragraphs(text)]
    fields = [f":param {name}: {marked_up(SHARED[name])}" for name in shared]
    lists = [block for block in blocks if block.startswith(":param ")]
    fields += [line for block in lists for line in block.split("\n")]
    if fields:
        places = [at for at, block in enumerate(blocks) if block.startswith((":param ", ">>>"))]
        blocks.insert(
            places[0] if places else len(blocks), "\n".join(sorted(fields, key=_rank(order)))
        )
    return "\n\n".join(block for block in blocks if block not in lists)


def _rank(order: Sequence[str]) -> Callable[[str], int]:
    """The place of a field's first name in the signature; others stay behind it."""
    places = {name: at for at, name in enumerate(order)}
    return lambda field: places.get(re.split(r"[ ,:\\*]+", field[1:])[1], len(places))


def _converted(paragraph: list[str], names: set[str], order: Sequence[str]) -> str:
    """One block of lines."""
    if len(paragraph) > 2 and _HEADING.match(paragraph[0]) and set(paragraph[1]) == {"-"}:
        return "\n".join(_fields(paragraph[2:], paragraph[0]))
    if paragraph[0].lstrip().startswith(">>>"):
        return "\n".join(paragraph)
    if _lists(paragraph, names):
        first = paragraph[0].partition(":")[0].partition(",")[0].strip("*")
        return "\n".join(_fields(paragraph, "Parameters" if first in order else "Attributes"))
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
    entries: list[tuple[str, list[str]]] = []
    for line in paragraph:
        found = None if line.startswith(" ") else _ENTRY.match(line)
        if found is not None:
            entries.append((found[1].replace("*", r"\*"), [found[2] or ""]))
        elif entries:
            entries[-1][1].append(line.strip())
        else:
            yield marked_up(line)
    forms = {"Raises": ":raises {}: {}", "Attributes": "- ``{}``: {}"}
    for names, words in entries:
        yield forms.get(title, ":param {}: {}").format(names, marked_up(" ".join(words).strip()))


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
        text += _code(code) + (rf"\ {after}" if after[:1].isalnum() else after)
    return text


def _code(code: str) -> str:
    """A code span; our own classes, and what is written as `ss.…`, are links."""
    name = code.removeprefix("ss.")
    if name.partition(".")[0] in segscore.__all__ and (name != code or name[:1].isupper()):
        return f":py:obj:`{code} <segscore.{name}>`"
    return f"``{code}``" if code else "``"


def _returned(thing: Any) -> str:
    """The class that a function returns, if it is one of ours, or a plain one."""
    try:
        found = inspect.signature(thing, eval_str=False).return_annotation
    except (TypeError, ValueError, NameError):
        return ""
    if inspect.isclass(found):
        return _code(found.__name__) if found is not type(None) else ""
    if isinstance(found, str) and re.fullmatch(r"[\w.]+", found):
        return _code(found)
    return ""
