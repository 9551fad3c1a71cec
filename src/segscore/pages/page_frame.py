"""The frame of every page: one HTML file with its script, style sheet and data inside.

The page needs no network, and its own policy allows no other script and no other style: both are
named by their hashes. A page is a template (`templates/`, Jinja2, which escapes all that it is
given) that extends `page.html`; data for its script, style sheets and the script are added here:

    write_page("page.html", "annotate.html", {"documents": […]}, title="Title")

The script finds the data by `loadData()`. It is joined of the files that `SCRIPTS` lists, in their
order, in one function, so no two files of a page may declare the same name; only the last file of a
page does anything when it is read. Comments at the start of a line are for whoever reads the files;
a page is smaller without them.
"""

import base64
import gzip
import hashlib
import json
import math
import os
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore._version import __version__
from segscore.errors import SegmentationError, number_of, visible
from segscore.io import replacing
from segscore.pages import html_markup
from segscore.pages.html_markup import escaped

if TYPE_CHECKING:
    from jinja2 import Environment

_OF_OTHERS = frozenset(
    (".csv", ".doc", ".docx", ".ipynb", ".jpg", ".json", ".jsonl", ".md", ".odt", ".pdf", ".png",
     ".rtf", ".svg", ".tex", ".tsv", ".txt", ".xls", ".xlsx")
)  # fmt: skip
SCRIPTS = {
    "report": (
        "shared", "marks", "report_state", "report_document", "report_list", "consensus", "report",
    ),
    "annotate": (
        "shared", "marks", "work", "annotation_state", "annotation_desk", "annotation_tools",
        "annotate",
    ),
    "adjudicate": (
        "shared", "marks", "work", "adjudication_state", "adjudication_desk", "adjudicate",
    ),
}  # fmt: skip
_COMMENTS = re.compile(r"^//[^\n]*\n|^/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_PLAIN = 200_000  # characters of JSON; more is compressed


def write_page(path: str | os.PathLike[str], template: str, data: Any, **given: Any) -> Path:
    """Write a page of a template, with data for the script of the same name; a suffix that
    promises another kind of file is refused."""
    written = Path(path)
    if written.suffix.lower() in _OF_OTHERS:
        raise SegmentationError(
            f"{written}: a page is HTML, and not {written.suffix}: expected a file .html, which "
            "any browser opens, and prints as PDF"
        )
    stem = template.removesuffix(".html")
    whole = (
        templates()
        .get_template(template)
        .render(
            version=__version__,
            style=escaped(f"{asset('page.css')}\n{asset(f'{stem}.css')}"),
            script=escaped(script_of(stem)),
            data=escaped(data_json(data)),
            **given,
        )
    )
    with replacing(path) as file:
        file.write(whole)
    return written


@cache
def templates() -> "Environment":
    """The templates: control characters are made visible, everything is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    found = Environment(
        loader=FunctionLoader(lambda name: asset(f"templates/{name}")),
        autoescape=True,
        finalize=lambda value: value if isinstance(value, Markup) else visible(str(value)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "name": lambda value, *most: escaped(html_markup.name(value, *most)),
        "number": html_markup.number,
        "thousands": lambda value: f"{value:,}",
        "of": number_of,
        "key": html_markup.key,
        "on": html_markup.on,
        "hash": _hash,
    }
    found.globals |= {"interval": html_markup.interval, "address": html_markup.address}
    found.tests["known"] = lambda value: not math.isnan(value)
    return found


@cache
def script_of(page: str) -> str:
    """The files of a page in their order, as one strict script."""
    whole = "".join(asset(f"scripts/{name}.js") for name in SCRIPTS[page])
    return f'"use strict";\n(() => {{\n{_COMMENTS.sub("", whole)}}})();\n'


def data_json(data: Any) -> str:
    """Data for the script, as JSON; large data are compressed. Nothing in it can end the element
    that holds it, or start a comment."""
    whole = json.dumps(data, separators=(",", ":"), allow_nan=False)
    if len(whole) > _PLAIN:
        packed = gzip.compress(whole.encode(), 6, mtime=0)
        whole = json.dumps({"gzip": base64.b64encode(packed).decode()})
    return whole.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def asset(file: str) -> str:
    """The text of a file of this package: a style sheet, a part of HTML."""
    return files("segscore.pages").joinpath(file).read_text("utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
