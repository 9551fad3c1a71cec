r"""PGF for LaTeX, without an installed LaTeX, and with all text escaped.

Matplotlib's own writer passes text to LaTeX unescaped, so that a document called `a_b` stops it and
the name `\input{…}` would be executed; and it starts LaTeX only to measure text. Here every text is
escaped, and measured by the fonts of the other formats; LaTeX sets it in the fonts of the document.
"""

from typing import Any

from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import FigureCanvasPgf, RendererPgf

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
