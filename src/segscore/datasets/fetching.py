"""Fetch a corpus from its public home, file by file or as one archive.

Terms are shown before the first fetch and must be accepted once. A corpus of many small files is
fetched as the archive of its commit; size and SHA-256 of each file are checked. Files that exist
and are right are not fetched again; a file gets its name only when it is complete and right.

Data is written to a file of its own in the same folder, so that several processes may fetch one
corpus at once. An interrupted fetch leaves a `.part` file; the next fetch takes it over, and
requests only the rest (Range); a server that sends the whole file again works, too. Size and
SHA-256 are checked before the file gets its name, so that a path holds the right file or none.
"""

import gzip
import hashlib
import http.client
import io
import os
import tarfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from segscore.datasets.catalogue import Dataset, RemoteFile, cache_folder, dataset, place_of
from segscore.errors import SegmentationError
from segscore.io.files import name_beside

BLOCK = 2**16
TIMEOUT = 30.0  # seconds without a byte
TRIES = 3
_PAUSE = 0.5  # seconds before the second try, twice that before the third
_AGENT = {"User-Agent": "segscore"}

Progress = Callable[[int], None]  # bytes that arrived


@contextmanager
def _downloaded(
    url: str, path: Path, progress: Progress | None, file: RemoteFile | None = None
) -> Iterator[Path]:
    """The complete file, under a name that no other process uses; gone after the block. It must be
    `file`, if that is known.

    If something goes wrong, the bytes received so far are kept for the next fetch.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part, kept = path.with_name(name_beside(path.name)), path.with_name(path.name + ".part")
    with suppress(OSError):  # there is none, or another process was faster
        kept.rename(part)
    try:
        _receive_all(url, part, MOST_ARCHIVED if file is None else file.size, progress)
    except BaseException:
        if part.exists():
            part.replace(kept)
        raise
    try:
        if file is not None and not _is_right(part, file):
            raise SegmentationError(
                f"{url}: not the published file (its size or SHA-256 differs); deleted"
            )
        yield part
    finally:
        part.unlink(missing_ok=True)


def _receive_all(url: str, part: Path, limit: int, progress: Progress | None) -> None:
    """Receive a file; if that fails, try again a few times."""
    for turn in range(TRIES):
        try:
            _receive(url, part, limit, progress)
            break
        except urllib.error.HTTPError as error:
            error.close()  # it is the answer, too
            if error.code == 416 and part.exists():  # our part does not belong to that file
                part.unlink()
            elif error.code < 500 or turn == TRIES - 1:
                raise SegmentationError(
                    f"{url}: the server answered {error.code} {error.reason}"
                ) from None
        except SegmentationError:
            raise
        except (OSError, http.client.HTTPException, ValueError) as error:  # odd addresses, too
            if turn == TRIES - 1:
                reason = getattr(error, "reason", None) or error or type(error).__name__
                raise SegmentationError(
                    f"{url}: no connection, or it was interrupted ({reason}): run the same command "
                    "again to continue from what has arrived"
                ) from None
        time.sleep(_PAUSE * (turn + 1))


def _receive(url: str, part: Path, limit: int, progress: Progress | None) -> None:
    """Append the missing rest to the part."""
    have = part.stat().st_size if part.exists() else 0
    if have and have == limit:
        return
    request = urllib.request.Request(url, headers=dict(_AGENT))  # noqa: S310  # ours, or the mirror's
    if have:
        request.add_header("Range", f"bytes={have}-")
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
        resumed = have and answer.status == 206
        with part.open("ab" if resumed else "wb") as file:
            while block := answer.read(BLOCK):
                file.write(block)
                if file.tell() > limit:
                    file.close()
                    part.unlink()
                    raise SegmentationError(
                        f"{url}: more than {limit} bytes arrived: not the right file, deleted"
                    )
                if progress is not None:
                    progress(len(block))
        if answer.length:  # that have not arrived
            raise http.client.IncompleteRead(b"", answer.length)


HOME = "https://raw.githubusercontent.com"  # /OWNER/NAME/COMMIT/PATH
ARCHIVES = "https://codeload.github.com"  # /OWNER/NAME/tar.gz/COMMIT
MANY = 100  # files: from this number on, the archive of the commit is fetched instead
MOST_ARCHIVED = 2**28  # bytes of an archive, packed and unpacked: its corpora have a few millions
_ACCEPTED = ".terms-accepted"

Announce = Callable[[str, int], Progress | None]  # what is fetched, and its bytes → a progress bar


def fetch(name: str, accept: bool = False, announce: Announce | None = None) -> Path:
    """Return the folder of a corpus; missing files are fetched first.

    name: the name of the corpus, as `segscore data` lists it.
    accept: whether you accept the terms of the corpus; needed once, before the first fetch.
    announce: called with a description and a number of bytes; returns a function that is called
        with the size of each block (for a progress bar).

    `SEGSCORE_DATA` names the folder to use instead of the user's cache; `SEGSCORE_MIRROR` the
    address of a server that holds the same files under the same paths.

    >>> fetch("stargazer").name
    'stargazer'
    """
    corpus = dataset(name)
    found = place_of(corpus)
    if found is not None:
        return found
    folder = cache_folder() / corpus.name
    _check_terms(corpus, folder, accept)
    missing = [file for file in corpus.files if not _is_right(folder / file.path, file)]
    together = [file for file in missing if not file.home]  # what the archive of the commit has
    if len(together) >= MANY:
        _fetch_archive(corpus, together, folder, announce)
        missing = [file for file in missing if file.home]
    size = sum(file.size for file in missing)
    progress = announce(corpus.name, size) if announce is not None and missing else None
    for file in missing:
        path = folder / file.path
        if not _is_right(path, file):  # another process may have been faster
            url = f"{_base(HOME)}/{corpus.address(file)}"
            with _downloaded(url, path, progress, file) as part:
                part.replace(path)
    return folder


def _base(home: str) -> str:
    return (os.environ.get("SEGSCORE_MIRROR") or home).rstrip("/")


def accepted(corpus: Dataset) -> bool:
    """Whether the terms of a corpus were accepted on this machine."""
    return corpus.embedded or (cache_folder() / corpus.name / _ACCEPTED).is_file()


def _check_terms(corpus: Dataset, folder: Path, accept: bool) -> None:
    if accepted(corpus):
        return
    if not accept:
        raise SegmentationError(
            f"{corpus.name}: terms: {corpus.terms}. To fetch it, accept them: "
            f"`segscore data fetch {corpus.name} --accept-terms`, or "
            f"fetch({corpus.name!r}, accept=True)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _ACCEPTED).write_text(corpus.terms + "\n", encoding="utf-8")


def _is_right(path: Path, file: RemoteFile) -> bool:
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256


def _fetch_archive(
    corpus: Dataset, missing: Sequence[RemoteFile], folder: Path, announce: Announce | None
) -> None:
    """Fetch all files of the commit as an archive, which is deleted after they are extracted."""
    name = f"{corpus.commit}.tar.gz"
    url = f"{_base(ARCHIVES)}/{corpus.repository}/tar.gz/{corpus.commit}"
    progress = announce(corpus.name, 0) if announce is not None else None
    with _downloaded(url, folder / name, progress) as archive:
        try:
            _unpack(archive, url, {file.upstream: file for file in missing}, folder)
        except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
            raise SegmentationError(
                f"{url}: the archive is damaged ({error}); run the same command again"
            ) from None


def _unpack(archive: Path, url: str, wanted: dict[str, RemoteFile], folder: Path) -> None:
    """Extract the wanted files, each checked; names in the archive are not used as paths."""
    with gzip.open(archive) as packed:  # no header inside can ask for more than this
        data = packed.read(MOST_ARCHIVED + 1)
    if len(data) > MOST_ARCHIVED:
        raise SegmentationError(
            f"{url}: the archive has more than {MOST_ARCHIVED} bytes unpacked: not the right file, "
            "deleted"
        )
    with tarfile.open(fileobj=io.BytesIO(data)) as members:
        for member in members:
            file = wanted.get(member.name.partition("/")[2])  # the first folder is the commit's
            if file is None or not member.isreg() or member.size != file.size:
                continue
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(name_beside(path.name))
            part.write_bytes(data[member.offset_data :][: file.size])
            if _is_right(part, file):
                part.replace(path)
                del wanted[file.upstream]
            part.unlink(missing_ok=True)
    if wanted:
        raise SegmentationError(
            f"{url}: {len(wanted)} files are missing or are not the published files (their SHA-256 "
            f"differs), for instance {next(iter(wanted))}"
        )
