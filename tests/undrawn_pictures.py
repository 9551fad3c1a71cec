"""Pages without drawings: matplotlib takes nine tenths of the time of a page, and few tests look at
what it draws. The fixture `drawn` is for those that do (conftest.py)."""

from html import escape
from typing import Any

from segscore.pages import pictures

_DRAW = pictures.inline_svg


def replace() -> None:
    """Let pages have words for pictures."""
    pictures.inline_svg = texts_of


def put_back() -> None:
    """Let pages have their pictures."""
    pictures.inline_svg = _DRAW


def texts_of(ax: Any, prefix: str, picture: Any) -> str:
    """The words of a picture, in an SVG element that has the title and the ids of a real one."""
    from matplotlib.text import Text

    figure = ax.get_figure(root=True)
    words = "".join(f"<text>{escape(text.get_text())}</text>" for text in figure.findobj(Text))
    return (
        f'<svg viewBox="0 0 9 9" role="img" aria-labelledby="{prefix}-title {prefix}-desc">'
        f'<title id="{prefix}-title">{escape(picture.caption)}</title>'
        f'<desc id="{prefix}-desc">{escape(picture.description)}</desc>{words}</svg>'
    )
