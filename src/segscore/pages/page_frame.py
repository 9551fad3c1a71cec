"""The frame of every page: one HTML file with its style sheet, its script and its data inside.

The page needs no network, and its own policy allows no other script and no other style: both are
named by their hashes. A page gives its body, its data and the names of its script and style sheets:

    framed_page("Title", body, data_json({"documents": […]}), entry="annotate.js",
                styles=["page.css", "annotate.css"])

The script finds the data by `load_data()` of `scripts/data_loading.js`. It is joined of modules: an
`import { … } from "./other.js";` is at the start of a line, an `export` is before a function, a
class or a constant, and as all end up in one function, no two modules of a page may declare the
same name. Comments at the start of a line are for whoever reads the modules; a page is smaller
without them.
"""

import base64
import gzip
import hashlib
import json
import os
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

from segscore._version import __version__
from segscore.errors import SegmentationError
from segscore.io import replacing
from segscore.pages.html_markup import text

_OF_OTHERS = frozenset(
    (".csv", ".doc", ".docx", ".ipynb", ".jpg", ".json", ".jsonl", ".md", ".odt", ".pdf", ".png",
     ".rtf", ".svg", ".tex", ".tsv", ".txt", ".xls", ".xlsx")
)  # fmt: skip
SCRIPTS: Traversable = files("segscore.pages").joinpath("scripts")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.-]+)";[ \t]*\n', re.MULTILINE)
_LEFT_OUT = re.compile(
    rf"{_IMPORT.pattern}|^//[^\n]*\n|^/\*\*(?:(?!\*/).)*\*/[ \t]*\n|^export ",
    re.MULTILINE | re.DOTALL,
)
_PLAIN = 200_000  # characters of JSON; more is compressed


def write_page(path: str | os.PathLike[str], whole: str) -> Path:
    """Write a page; a suffix that promises another kind of file is refused."""
    made = Path(path)
    if made.suffix.lower() in _OF_OTHERS:
        raise SegmentationError(
            f"{made}: a page is HTML, and not {made.suffix}: expected a file .html, which any "
            "browser opens, and prints as PDF"
        )
    with replacing(path) as file:
        file.write(whole)
    return made


def framed_page(title: str, body: str, data: str, *, entry: str, styles: Sequence[str]) -> str:
    """The whole page: `body` is HTML, `data` comes from `data_json`, `entry` is a module."""
    script = joined(entry)
    style = "\n".join(asset(stylesheet) for stylesheet in styles)
    return Template(asset("page.html")).substitute(
        title=text(title),
        version=__version__,
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        body=body,
        data=data,
    )


@cache
def joined(entry: str, folder: Traversable = SCRIPTS) -> str:
    """The entry module and all that it imports, dependencies first, as one strict script."""
    texts = modules(entry, folder)
    parts = [f"// ---- {name} ----\n{_LEFT_OUT.sub('', text)}" for name, text in texts.items()]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def modules(entry: str, folder: Traversable = SCRIPTS) -> dict[str, str]:
    """The entry module and all that it imports, dependencies first: texts by name."""
    text = folder.joinpath(entry).read_text("utf-8")
    found: dict[str, str] = {}
    for other in _IMPORT.findall(text):
        found |= {name: text for name, text in modules(other, folder).items() if name not in found}
    return found | {entry: text}


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
