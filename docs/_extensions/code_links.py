"""Code in the text of a page leads to its page: `ss.compare`, `Pk(k=3)`, `segscore agree`."""

import re
from typing import TYPE_CHECKING, Any

from command_pages import command_pages
from public_names import public_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_CALL = re.compile(r"(?:ss\.|segscore\.)?([A-Za-z_][\w.]*)(?:\(.*\))?", re.DOTALL)


def setup(app: "Sphinx") -> dict[str, Any]:
    """Sphinx calls this."""
    names = {name.path: name.page for name in public_names()}
    pages = {path.removesuffix(".md") for path in command_pages()}

    def link(app: Any, doctree: Any, docname: str) -> None:
        for literal, page in links(doctree, names, pages):
            if page != docname:
                _wrap(literal, app.builder.get_relative_uri(docname, page))

    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def page_of(code: str, names: dict[str, str], pages: set[str]) -> str | None:
    """The page that a piece of code has, if it has one.

    A name without `ss.` is one of ours only if it is a class: `score` may be any word.
    """
    words = code.split()
    if words[:1] == ["segscore"]:
        tried = ("-".join(words[1:3]), "".join(words[1:2]))
        return next((f"commands/{one}" for one in tried if f"commands/{one}" in pages), None)
    found = _CALL.fullmatch(code)
    if found is None or not (code.startswith(("ss.", "segscore.")) or code[:1].isupper()):
        return None
    return names.get(f"segscore.{found[1]}")


def links(doctree: Any, names: dict[str, str], pages: set[str]) -> list[tuple[Any, str]]:
    """The code spans of a page that have pages of their own and are no links yet."""
    from docutils import nodes
    from sphinx import addnodes

    closed = (nodes.reference, nodes.title, addnodes.desc_signature, addnodes.download_reference)
    found = []
    for literal in doctree.findall(nodes.literal):
        above, free = literal.parent, True
        while above is not None:
            free = free and not isinstance(above, closed)
            above = above.parent
        page = page_of(literal.astext(), names, pages) if free else None
        if page is not None:
            found.append((literal, page))
    return found


def _wrap(literal: Any, address: str) -> None:
    """Make a link of a code span."""
    from docutils import nodes

    link = nodes.reference("", "", internal=True, refuri=address)
    literal.parent.replace(literal, link)
    link += literal
