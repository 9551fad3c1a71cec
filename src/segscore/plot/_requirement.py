"""Report what to install if matplotlib is missing; the package imports this before anything
else."""

from importlib.util import find_spec

from segscore.errors import SegmentationError


class MatplotlibMissingError(SegmentationError, ImportError):
    """A failed import, and an error that says what to do."""


if find_spec("matplotlib") is None:
    raise MatplotlibMissingError("pictures need matplotlib: pip install 'segscore[plot]'")
