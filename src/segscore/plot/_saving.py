"""Save pictures to files: the same picture always gives the same bytes."""

import io
import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.io import replacing
from segscore.plot._canvas import label, own_figure

FORMATS = ("pdf", "svg", "png", "pgf")
LONGEST_TITLE = 90  # characters
DPI = 200  # of PNG, and of images inside the other formats
_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Creator": "segscore", "Producer": None},
    "svg": {"Date": None, "Creator": "segscore"},
    "png": {"Software": "segscore"},
}


def save(
    picture: Axes | Figure,
    path: str | os.PathLike[str],
    *,
    dpi: int = DPI,
    width: float | None = None,
    height: float | None = None,
    title: str | None = None,
) -> None:
    r"""Write a picture as PDF, SVG, PNG or PGF, by the suffix of the file.

    The file replaces an older file when it is complete. PGF is for LaTeX (`\usepackage{pgf}`, then
    `\input` the file): text is set in the fonts of the document, and escaped. `width` and `height`,
    in inches, replace the picture's own size; `title` is written above it.

    picture: the axes, or the figure, to write.
    dpi: dots per inch, for PNG.
    """
    figure = picture if isinstance(picture, Figure) else None
    if isinstance(picture, Axes):
        figure = own_figure(picture)
    if figure is None:
        raise SegmentationError(f"picture is {shown(picture)}: expected Axes or a Figure")
    form = Path(path).suffix.removeprefix(".").lower()
    if form not in FORMATS:
        raise SegmentationError(
            f"{path} ends in {Path(path).suffix or 'nothing'}: expected one of "
            + ", ".join(f".{ending}" for ending in FORMATS)
        )
    figure.set_size_inches(width or figure.get_figwidth(), height or figure.get_figheight())
    if title is not None:
        figure.suptitle(label(title, LONGEST_TITLE))
    data = _drawn(figure, form, dpi)
    with replacing(path) as file:
        file.buffer.write(data)


def _drawn(figure: Figure, form: str, dpi: int) -> bytes:
    if form == "pgf":
        text = io.StringIO()
        try:
            figure.savefig(text, format=form, backend="module://segscore.plot._pgf")
        except ValueError as error:  # of matplotlib: an image would need a file of its own
            raise SegmentationError(
                f"this picture is too large for PGF ({error}): expected .pdf, .svg or .png"
            ) from error
        return text.getvalue().encode()
    data = io.BytesIO()
    # ids in SVG are drawn by chance unless there is a salt, and only this setting gives one; it is
    # set while the file is written, and as it was before afterwards
    with mpl.rc_context({"svg.hashsalt": "segscore"}):
        figure.savefig(data, format=form, dpi=dpi, metadata=_METADATA[form])
    return data.getvalue()
