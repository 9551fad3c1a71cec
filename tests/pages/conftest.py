"""Pages without drawings: matplotlib takes nine tenths of the time of a page, and few tests look at
what it draws."""

from html import escape
from typing import Any

import pytest


def texts_of(ax: Any, prefix: str, picture: Any) -> str:
    """The words of a picture, in an SVG element that has the title and the ids of a real one."""
    from matplotlib.text import Text

    figure = ax.get_figure(root=True)
    words = "".join(f"<text>{escape(one.get_text())}</text>" for one in figure.findobj(Text))
    return (
        f'<svg viewBox="0 0 9 9" role="img" aria-labelledby="{prefix}-title {prefix}-desc">'
        f'<title id="{prefix}-title">{escape(picture.caption)}</title>'
        f'<desc id="{prefix}-desc">{escape(picture.description)}</desc>{words}</svg>'
    )


@pytest.fixture
def drawn() -> None:
    """For tests that look at pictures: they are drawn as for users."""


@pytest.fixture(autouse=True)
def _words_for_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr("segscore.pages.pictures.inline_svg", texts_of)
