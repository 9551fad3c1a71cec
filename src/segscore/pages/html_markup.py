"""Names, numbers and addresses as pages write them; templates have them as filters.

A template escapes whatever it is given. Sentences that others make (`Wording`) are written for
pages by `IN_HTML`, which escapes the names in them.
"""

import math
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from segscore.errors import visible
from segscore.tables.wording import Wording

if TYPE_CHECKING:
    from markupsafe import Markup


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


def number(value: float | None, digits: int = 3) -> str:
    """A number as people read it; a dash where there is none.

    >>> number(0.12345), number(float("nan")), number(-0.0001)
    ('0.123', '–', '0.000')
    """
    if value is None or math.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown.replace("-", "−")


def interval(low: float, high: float) -> str:
    """The ends of an interval, or nothing."""
    return "" if math.isnan(low + high) else f"[{number(low)}, {number(high)}]"


IN_HTML = Wording(text, name, lambda value: f"<b>{name(value)}</b>", number, interval)


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
