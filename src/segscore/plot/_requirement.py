"""Report what to install if matplotlib is missing; the package imports this before anything
else."""

from segscore.errors import needing

with needing("plot", "a picture"):
    import matplotlib  # noqa: F401
