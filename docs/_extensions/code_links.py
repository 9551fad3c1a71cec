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

    def link(app: Any, doctree: Any) -> None:
        del app
        add_links(doctree, names, pages)

    app.connect("doctree-read", link)
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


def add_links(doctree: Any, names: dict[str, str], pages: set[str]) -> None:
    """Wrap the code spans of a page that have pages of their own."""
    from docutils import nodes
    from sphinx import addnodes

    here = doctree.settings.env.docname
    for literal in list(doctree.findall(nodes.literal)):
        aim = page_of(literal.astext(), names, pages)
        inside = literal.parent
        while inside is not None and not isinstance(inside, (nodes.reference, nodes.title)):
            inside = None if isinstance(inside, addnodes.desc_signature) else inside.parent
        if aim is None or aim == here or inside is not None or _is_link(literal.parent):
            continue
        link = addnodes.pending_xref(
            "", refdomain="std", reftype="doc", reftarget=f"/{aim}", refexplicit=True, refdoc=here
        )
        literal.parent.replace(literal, link)
        link += literal


def _is_link(node: Any) -> bool:
    return node.tagname in ("pending_xref", "reference", "download_reference")
