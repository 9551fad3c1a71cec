"""Fetch a corpus from its public home, file by file or as one archive.

Terms are shown before the first fetch and must be accepted once. A corpus of many small files is
fetched as the archive of its commit; size and SHA-256 of each file are checked. Files that are here
and right are not fetched again; a file gets its name only when it is complete and right.
"""

import hashlib
import os
import tarfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from segscore.basics.notebook_progress import notebook_counter
from segscore.datasets.catalogue import Dataset, RemoteFile, dataset
from segscore.datasets.download import Progress, digest, download
from segscore.datasets.folders import cache_folder, place_of
from segscore.errors import SegmentationError

HOME = "https://raw.githubusercontent.com"  # /OWNER/NAME/COMMIT/PATH
ARCHIVES = "https://codeload.github.com"  # /OWNER/NAME/tar.gz/COMMIT
MANY = 100  # files; with so many, one archive is fetched instead
_ACCEPTED = ".terms-accepted"

Announce = Callable[[str, int], Progress | None]  # what is fetched, and its bytes → a progress bar


def fetch(name: str, accept: bool = False, announce: Announce | None = None) -> Path:
    """The folder of a corpus; missing files are fetched first.

    name: as `segscore data` lists them.
    accept: whether you accept the terms of the corpus; needed once, before the first fetch.
    announce: called with a description and a number of bytes, gives a function that is called with
        the size of each block (for a progress bar); in a notebook there is one by default.

    `SEGSCORE_DATA` names the folder to use instead of the user's cache; `SEGSCORE_MIRROR` the
    address of a server that holds the same files under the same paths.

    >>> fetch("stargazer").name
    'stargazer'
    """
    one = dataset(name)
    found = place_of(one)
    if found is not None:
        return found
    folder = cache_folder() / one.name
    _check_terms(one, folder, accept)
    missing = [file for file in one.files if not _is_right(folder / file.path, file)]
    if len(missing) >= MANY:
        _fetch_archive(one, missing, folder, announce)
    else:
        base = _base(HOME)
        size = sum(file.size for file in missing)
        progress = (announce or notebook_counter)(one.name, size)
        for file in missing:
            url = f"{base}/{one.repository}/{one.commit}/{file.upstream}"
            download(url, folder / file.path, file.size, file.sha256, progress)
    return folder


def _base(home: str) -> str:
    return (os.environ.get("SEGSCORE_MIRROR") or home).rstrip("/")


def accepted(one: Dataset) -> bool:
    """Whether the terms of a corpus were accepted on this machine."""
    return one.embedded or (cache_folder() / one.name / _ACCEPTED).is_file()


def _check_terms(one: Dataset, folder: Path, accept: bool) -> None:
    if accepted(one):
        return
    if not accept:
        raise SegmentationError(
            f"{one.name}: terms: {one.terms}. To fetch it, accept them: "
            f"`segscore data fetch {one.name} --accept`, or fetch({one.name!r}, accept=True)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _ACCEPTED).write_text(one.terms + "\n", encoding="utf-8")


def _is_right(path: Path, file: RemoteFile) -> bool:
    return path.is_file() and path.stat().st_size == file.size and digest(path) == file.sha256


def _fetch_archive(
    one: Dataset, missing: Sequence[RemoteFile], folder: Path, announce: Announce | None
) -> None:
    """All files of the commit at once; the archive is deleted when its files are extracted."""
    archive = folder / f"{one.commit}.tar.gz"
    url = f"{_base(ARCHIVES)}/{one.repository}/tar.gz/{one.commit}"
    download(url, archive, None, None, (announce or notebook_counter)(one.name, 0))
    try:
        _unpack(archive, {file.upstream: file for file in missing}, folder)
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise SegmentationError(
            f"{url}: the archive is damaged ({error}); run the same command again"
        ) from None
    finally:
        archive.unlink(missing_ok=True)


def _unpack(archive: Path, wanted: dict[str, RemoteFile], folder: Path) -> None:
    """Extract the wanted files, each checked; names in the archive are not used as paths."""
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            file = wanted.get(member.name.partition("/")[2])  # the first folder is the commit's
            if file is None or not member.isreg() or member.size != file.size:
                continue
            stream = members.extractfile(member)
            data = b"" if stream is None else stream.read(file.size)
            if hashlib.sha256(data).hexdigest() != file.sha256:
                continue
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(path.name + ".part")
            part.write_bytes(data)
            part.replace(path)
            del wanted[file.upstream]
    if wanted:
        first = next(iter(wanted))
        raise SegmentationError(
            f"{archive.name}: {len(wanted)} files are missing or are not the published ones (their "
            f"SHA-256 differs), for instance {first}"
        )
