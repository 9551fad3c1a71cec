"""The available corpora, and where they are on this machine.

`sources.json` describes each corpus: its title, citation and terms, the papers that need it, the
public repository, the commit, and for each file its path here, its path there, its size in bytes
and its SHA-256.

Folders are searched in this order: the folder that the caller names, `$SEGSCORE_DATA`,
`shared/data` beside the project (used by tests and continuous integration), and the cache folder of
the user. Fetched files go to `$SEGSCORE_DATA` or to the cache.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError, nearest


class RemoteFile(NamedTuple):
    """A file of a corpus: its path here and in its repository, its size and checksum; and its own
    repository, OWNER/NAME/COMMIT, if it differs from that of the others."""

    path: str
    upstream: str
    size: int
    sha256: str
    home: str = ""


@dataclass(frozen=True)
class Dataset:
    """A corpus.

    Parameters
    ----------
    name: its name for `fetch`, `load` and `segscore data`.
    title: a short description.
    citation: the study that published it.
    papers: the papers of docs/reproduction.md that need it.
    terms: the terms of use.
    embedded: whether it is part of the package, so that nothing is fetched.
    repository, commit: where its files are, on GitHub.
    files: the files to fetch.
    stand_ins: by folder, a single file with the contents of the files of that folder; if it exists,
        the corpus is complete without them.
    folder: another folder that may hold the files, besides the folder with its name; several
        corpora may share it.
    """

    name: str
    title: str
    citation: str
    papers: tuple[str, ...]
    terms: str = ""
    embedded: bool = False
    repository: str = ""
    commit: str = ""
    files: tuple[RemoteFile, ...] = field(default=(), repr=False)
    stand_ins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    folder: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "papers", tuple(self.papers))
        object.__setattr__(self, "files", tuple(RemoteFile(*row) for row in self.files))

    def address(self, file: RemoteFile) -> str:
        """Where a file is, below the address of the server."""
        return f"{file.home or f'{self.repository}/{self.commit}'}/{file.upstream}"

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


_SOURCES = resources.files(__package__).joinpath("sources.json").read_text(encoding="utf-8")
DATASETS = {name: Dataset(name, **about) for name, about in json.loads(_SOURCES).items()}


def dataset(name: Any) -> Dataset:
    """The corpus of this name.

    name: as `segscore data` lists them.

    >>> dataset("choi").size
    7692022
    """
    if isinstance(name, str) and name in DATASETS:
        return DATASETS[name]
    raise SegmentationError(f"dataset is {shown(name)}{nearest(str(name), DATASETS)}")


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
    named = given or os.environ.get("SEGSCORE_DATA")
    if named and not Path(named).is_dir():
        what = "data" if given else "SEGSCORE_DATA"
        raise SegmentationError(
            f"{what} is {str(named)!r}: expected a folder; `segscore data fetch` creates it"
        )
    if named:
        return [Path(named)]
    beside = [project.parent / "shared" / "data" for project in (Path.cwd(), _PROJECT)]
    return [folder for folder in dict.fromkeys((*beside, cache_folder())) if folder.is_dir()]


def place_of(one: Dataset, given: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder of a corpus, complete by the names and sizes of its files; None if it is not.

    one: the corpus, as `dataset` returns it.
    given: a folder to look in first.
    """
    if one.embedded:
        return Path(str(resources.files("segscore.datasets"))) / "embedded" / one.name
    named = os.environ.get("SEGSCORE_DATA")
    if given is None and named and not Path(named).is_dir():
        return None  # a folder that does not exist yet
    names = [one.name, one.folder] if one.folder else [one.name]
    for place in (folder / name for folder in folders(given) for name in names):
        replaced = tuple(
            f"{part}/" for part, stands in one.stand_ins.items() if (place / stands).is_file()
        )
        if all(
            file.path.startswith(replaced)
            or ((place / file.path).is_file() and (place / file.path).stat().st_size == file.size)
            for file in one.files
        ):
            return place
    return None


def find(name: str, given: str | os.PathLike[str] | None = None) -> Path:
    """The folder of a corpus; an error that says how to get it if it is not on this machine.

    name: as `segscore data` lists them.
    given: a folder to look in first.

    >>> find("stargazer").name
    'stargazer'
    """
    corpus = dataset(name)
    place = place_of(corpus, given)
    if place is None:
        raise SegmentationError(
            f"the corpus {name!r} is not on this machine: run `segscore data fetch {name}` "
            f"({corpus.size / 2**20:.1f} MB), or set SEGSCORE_DATA to a folder that holds it"
        )
    return place
