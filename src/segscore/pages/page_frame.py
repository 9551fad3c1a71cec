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
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from segscore._version import __version__
from segscore.errors import SegmentationError, number_of, visible
from segscore.io import replacing
from segscore.tables.wording import short_name

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

SCRIPTS = {  # the files of each page, in their order
    page: f"shared marks {files_between} {page}".split()
    for page, files_between in {
        "report": "report_state report_document report_list consensus",
        "annotate": "work annotation_state annotation_desk annotation_tools",
        "adjudicate": "work adjudication_state adjudication_desk",
    }.items()
}
_COMMENTS = re.compile(r"^//[^\n]*\n|^/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_PLAIN = 200_000  # characters of JSON; more is compressed


def write_page(path: str | os.PathLike[str], template: str, data: Any, **given: Any) -> Path:
    """Write a page of a template, with data for the script of the same name."""
    written = Path(path)
    if written.suffix.lower() not in ("", ".html", ".htm", ".xhtml"):
        raise SegmentationError(
            f"{written}: a page is HTML, and not {written.suffix}: expected a file .html, which "
            "any browser opens, and prints as PDF"
        )
    stem = template.removesuffix(".html")
    inside = {
        "style": f"{asset('page.css')}\n{asset(f'{stem}.css')}",
        "script": script_of(stem),
        "data": data_json(data),
    }
    given |= {key: escaped(value) for key, value in inside.items()}
    whole = templates().get_template(template).render(version=__version__, **given)
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
    filters = {"number": number_text, "of": number_of, "key": key, "on": on, "hash": _hash}
    found.filters |= filters
    found.filters["name"] = lambda value, *most: escaped(name(value, *most))
    found.filters["thousands"] = lambda value: f"{value:,}"
    found.globals |= {"interval": interval, "address": address}
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


# ---- names, numbers and addresses as pages write them; templates have them as filters ----


def escaped(html: str) -> "Markup":
    """HTML that we made, in which all that comes from data is escaped already."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704


def text(value: object) -> str:
    """Text with nothing in it that a browser would act on."""
    return escape(visible(str(value)))


def name(value: object, most: int = 80) -> str:
    """A name that cannot change the text direction around it; long names lose their middle.

    >>> name("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    whole = str(value)
    if len(whole) > most:
        whole = f"{whole[: most - most // 3 - 1]}…{whole[-(most // 3) :]}"
    return f"<bdi>{text(whole)}</bdi>"


def number_text(value: float | None, digits: int = 3) -> str:
    """A number as people read it; a dash where there is none.

    >>> number_text(0.12345), number_text(float("nan")), number_text(-0.0001)
    ('0.123', '–', '0.000')
    """
    if value is None or math.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown.replace("-", "−")


def interval(low: float, high: float) -> str:
    """The ends of an interval, or nothing."""
    return "" if math.isnan(low + high) else f"[{number_text(low)}, {number_text(high)}]"


def sentence(words: str, names: Iterable[str]) -> "Markup":
    """A sentence in which these names cannot change the text direction around them."""
    known = "|".join(re.escape(short_name(each)) for each in sorted(names, key=len)[::-1])
    parts = re.split(rf"(?<!\w)({known or '(?!)'})(?!\w)", words)  # (?!) matches nothing
    return escaped("".join(name(part) if i % 2 else text(part) for i, part in enumerate(parts)))


def address(document: str, **more: object) -> str:
    """The part of an address that opens a document of this page, or a place in it."""
    known = {key: value for key, value in more.items() if value is not None}
    return urlencode({"document": document, **known}, quote_via=quote)


def key(value: Any) -> str:
    """What a table sorts a number by; nothing where there is none.

    >>> key(1 / 3), key(None)
    ('0.3333333333', '')
    """
    return "" if value is None or math.isnan(value) else f"{value:.10g}"


def scale_over(numbers: Iterable[float]) -> tuple[float, float]:
    """The ends of a scale that holds all these numbers."""
    known = [value for value in numbers if not math.isnan(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    room = (high - low or 1.0) * 0.04
    return low - room, high + room


def on(value: float, scale: tuple[float, float]) -> str:
    """Where a number is on a scale, in percent."""
    low, high = scale
    return f"{100 * ((value - low) / (high - low)):.1f}"


def plain(value: Any) -> Any:
    """A number for JSON, rounded to the digits that a reader needs; None for NaN.

    >>> plain(1 / 3), plain(float("nan"))
    (0.333333, None)
    """
    known = float(value)
    return None if math.isnan(known) else float(f"{known:.6g}")
