"""Pages without drawings: matplotlib takes nine tenths of the time of a page, and few tests look at
what it draws. The fixture `drawn` is for those that do (conftest.py)."""

from html import escape
from typing import Any

from segscore.pages import pictures
from segscore.pages.page_frame import escaped

_DRAW = pictures.inline_svg


def replace() -> None:
    """Let pages have words for pictures."""
    pictures.inline_svg = texts_of


def put_back() -> None:
    """Let pages have their pictures."""
    pictures.inline_svg = _DRAW


def texts_of(ax: Any, *_: Any) -> dict[str, Any]:
    """The words of a picture."""
    from matplotlib.text import Text

    words = (text.get_text() for text in ax.get_figure(root=True).findobj(Text))
    svg = escaped("".join(f"<text>{escape(word)}</text>" for word in words))
    return {"svg": svg, "width": 9, "height": 9, "covers": ()}
