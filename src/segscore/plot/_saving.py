r"""Save pictures to files: the same picture always gives the same bytes.

PGF for LaTeX, without an installed LaTeX, and with all text escaped.

Matplotlib's own writer passes text to LaTeX unescaped, so that a document called `a_b` stops it and
the name `\input{…}` would be executed; and it starts LaTeX only to measure text. Here every text is
escaped, and measured by the fonts of the other formats; LaTeX sets it in the fonts of the document.
"""

import io
import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import FigureCanvasPgf, RendererPgf
from matplotlib.figure import Figure

from segscore.errors import SegmentationError
from segscore.io import replacing
from segscore.plot._canvas import label, own_figure, refused
from segscore.tables.markup import latex_text

_OPEN = (r"\begingroup", r"\makeatletter", r"\begin{pgfpicture}")
_CLOSE = (r"\end{pgfpicture}", r"\makeatother", r"\endgroup")


class EscapingRenderer(RendererPgf):
    """Writes text so that LaTeX prints it literally."""

    def draw_text(self, gc: Any, x: Any, y: Any, s: str, *rest: Any, **options: Any) -> None:
        """Write a line of text; intended mathematics or TeX is kept."""
        ismath = options.get("ismath", rest[2] if len(rest) > 2 else False)
        text = s if ismath else latex_text(s)
        super().draw_text(gc, x, y, text, *rest, **options)  # type: ignore[no-untyped-call]

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        """Measure a text by the fonts that the other formats use."""
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath)


class FigureCanvas(FigureCanvasPgf):
    """The canvas that `savefig` takes for PGF."""

    def get_renderer(self) -> EscapingRenderer:
        """The renderer for the layout, which is settled before anything is written."""
        return EscapingRenderer(self.figure, None)  # type: ignore[no-untyped-call]

    def _print_pgf_to_fh(self, fh: Any, *, bbox_inches_restore: Any = None) -> None:
        figure = self.figure
        width, height = figure.get_figwidth(), figure.get_figheight()
        size = f"{{{width:f}in}}{{{height:f}in}}"
        box = rf"\pgfpathrectangle{{\pgfpointorigin}}{{\pgfqpoint{size}}}"
        fh.write("% \\usepackage{pgf} in the preamble, then \\input this file\n")
        clip = r"\pgfusepath{use as bounding box, clip}"
        fh.write("".join(f"{line}%\n" for line in (*_OPEN, box, clip)))
        escaping = EscapingRenderer(figure, fh)  # type: ignore[no-untyped-call]
        renderer = MixedModeRenderer(
            figure, width, height, figure.dpi, escaping, bbox_inches_restore=bbox_inches_restore
        )
        figure.draw(renderer)  # type: ignore[arg-type]  # it stands in for one
        fh.write("".join(f"{line}%\n" for line in _CLOSE))


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
    if not isinstance(picture, Axes | Figure):
        raise refused("picture", picture, "Axes or a Figure")
    figure = picture if isinstance(picture, Figure) else own_figure(picture)
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
            figure.savefig(text, format=form, backend="module://segscore.plot._saving")
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
