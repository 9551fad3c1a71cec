"""Pictures, one function each: `segscore.plot.boundaries(document)` and so on.

Each draws a result (or calls the function that makes it), returns matplotlib Axes and takes `ax=`,
to draw into an existing figure. Nothing touches pyplot or any other global state of matplotlib, no
display is needed, and in a notebook the Axes show themselves. `save` writes PDF, SVG, PNG and PGF;
`axes.figure.savefig` works, too. `panels` gives axes for several pictures.

Pictures are colour-blind safe and readable in grey print; names are never read as mathematics or
TeX; long documents are binned, and the axis says so. They need matplotlib: `pip install
'segscore[plot]'`. docs/gallery.md shows them all.
"""

from segscore.plot._canvas import panels
from segscore.plot._coders import clusters, habits, matrix, support
from segscore.plot._results import curve, distribution, intervals, precision_recall, sweep
from segscore.plot._saving import save
from segscore.plot._segmentations import boundaries, edits, lengths, levels, per_unit, windows

__all__ = [
    "boundaries",
    "clusters",
    "curve",
    "distribution",
    "edits",
    "habits",
    "intervals",
    "lengths",
    "levels",
    "matrix",
    "panels",
    "per_unit",
    "precision_recall",
    "save",
    "support",
    "sweep",
    "windows",
]
