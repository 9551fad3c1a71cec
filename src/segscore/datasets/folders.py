"""Where corpora are on this machine.

Searched in this order: the folder that the caller names, `$SEGSCORE_DATA`, `shared/data` beside the
project (used by tests and continuous integration), and the cache folder of the user. Fetched files
go to `$SEGSCORE_DATA` or to the cache.
"""

import os
import sys
from importlib import resources
from pathlib import Path

from segscore.datasets.catalogue import Dataset, dataset
from segscore.errors import SegmentationError

_PROJECT = Path(__file__).resolve().parents[3]


def cache_folder() -> Path:
    """The folder into which corpora are fetched: `$SEGSCORE_DATA`, or the user's cache."""
    named = os.environ.get("SEGSCORE_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "segscore" / "data"


def folders(given: str | os.PathLike[str] | None = None) -> list[Path]:
    """The existing folders that may hold corpora, the preferred one first."""
    for named, what in (
        (given, "data"),
        (os.environ.get("SEGSCORE_DATA") or None, "SEGSCORE_DATA"),
    ):
        if named is not None:
            folder = Path(named)
            if not folder.is_dir():
                raise SegmentationError(
                    f"{what} is {str(folder)!r}: expected an existing folder; "
                    "`segscore data fetch` creates it"
                )
            return [folder]
    beside = [project.parent / "shared" / "data" for project in (Path.cwd(), _PROJECT)]
    return [folder for folder in dict.fromkeys((*beside, cache_folder())) if folder.is_dir()]


def place_of(one: Dataset, given: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder of a corpus, complete by the names and sizes of its files; None if it is not.

    one: the corpus, as `dataset` gives it.
    given: a folder to look in first.
    """
    if one.embedded:
        return Path(str(resources.files("segscore.datasets"))) / "embedded" / one.name
    for folder in _existing(given):
        place = folder / one.name
        if all(_has(place / file.path, file.size) for file in one.files):
            return place
    return None


def _existing(given: str | os.PathLike[str] | None) -> list[Path]:
    """The same, but $SEGSCORE_DATA may name a folder that does not exist yet."""
    named = os.environ.get("SEGSCORE_DATA")
    if given is None and named and not Path(named).is_dir():
        return []
    return folders(given)


def _has(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def find(name: str, given: str | os.PathLike[str] | None = None) -> Path:
    """The folder of a corpus; an error that says how to get it if it is not on this machine.

    name: as `segscore data` lists them.
    given: a folder to look in first.

    >>> find("stargazer").name
    'stargazer'
    """
    one = dataset(name)
    place = place_of(one, given)
    if place is None:
        raise SegmentationError(f"{how_to_get(one)}")
    return place


def how_to_get(one: Dataset) -> str:
    """One line that says how to get a corpus that is not here."""
    return (
        f"the corpus {one.name!r} is not on this machine: run `segscore data fetch {one.name}` "
        f"({one.size / 2**20:.1f} MB), or set SEGSCORE_DATA to a folder that holds it"
    )
