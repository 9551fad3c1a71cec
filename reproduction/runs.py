"""A run: the folders that it finds data in.

What cells share is computed once for each run: such functions are cached by the run that they take.
"""

import os
from pathlib import Path

from segscore.datasets.catalogue import DATASETS, folders, place_of


class NoDataError(LookupError):
    """Data that this run does not have."""

    def __init__(self, name: str) -> None:
        fetched = f" (segscore data fetch {name})" if name in DATASETS else ""
        super().__init__(f"needs the data of {name}{fetched}")


class Run:
    """Folders of data, the preferred one first."""

    def __init__(self, *places: Path) -> None:
        self.places = places

    def folder(self, name: str) -> Path:
        """A folder of data, complete: a fetch that failed leaves part of it."""
        known = DATASETS.get(name)
        for place in self.places:
            if (place / name).is_dir() and (known is None or place_of(known, place)):
                return place / name
        embedded = place_of(known) if known is not None and known.embedded else None
        if embedded is not None:
            return embedded
        raise NoDataError(name)


def open_run(data: str | os.PathLike[str] | None = None) -> Run:
    """A run with the data where it is found: in `data`, or in all folders that may hold some."""
    return Run(*folders(data))
