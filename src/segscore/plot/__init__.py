"""Pictures, one function each: `segscore.plot.boundaries(document)` and so on.

Each draws a result (or calls the function that makes it), returns matplotlib Axes and takes `ax=`,
to draw into an existing figure. Nothing touches pyplot or any other global state of matplotlib, no
display is needed, and in a notebook the Axes show themselves. `save` writes PDF, SVG, PNG and PGF;
`axes.figure.savefig` works, too. `panels` gives axes for several pictures.

Pictures are colour-blind safe and readable in grey print; names are never read as mathematics or
TeX; long documents are binned, and the axis says so. They need matplotlib: `pip install
'segscore[plot]'`. docs/gallery.md shows them all.
"""

from segscore.plot import _requirement  # isort: skip  # noqa: F401  # before the rest
from segscore.plot._boundaries import boundaries
from segscore.plot._canvas import panels
from segscore.plot._clusters import clusters
from segscore.plot._curve import curve
from segscore.plot._distribution import distribution
from segscore.plot._edits import edits
from segscore.plot._habits import habits
from segscore.plot._intervals import intervals
from segscore.plot._lengths import lengths
from segscore.plot._levels import levels
from segscore.plot._matrix import matrix
from segscore.plot._per_unit import per_unit
from segscore.plot._precision_recall import precision_recall
from segscore.plot._saving import save
from segscore.plot._support import support
from segscore.plot._sweep import sweep
from segscore.plot._windows import windows

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
