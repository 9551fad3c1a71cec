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
import os
import re
import tarfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

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
    url: str,
    path: Path,
    progress: Progress | None,
    size: int | None = None,
    sha256: str | None = None,
    most: int = 2**30,
) -> Iterator[Path]:
    """The complete file, under a name that no other process uses; gone after the block. `size` and
    `sha256` are those of the file, if they are known.

    If something goes wrong, the bytes received so far are kept for the next fetch.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part, kept = path.with_name(name_beside(path.name)), path.with_name(path.name + ".part")
    with suppress(OSError):  # there is none, or another process was faster
        kept.rename(part)
    try:
        _receive_all(url, part, most if size is None else size, progress)
    except BaseException:
        if part.exists():
            part.replace(kept)
        raise
    try:
        _check(url, part, size, sha256)
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


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Redirects; the answer is closed, too, if it leads to an address that is none."""

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except (OSError, ValueError):
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _receive(url: str, part: Path, limit: int, progress: Progress | None) -> None:
    """Append the missing rest to the part."""
    have = part.stat().st_size if part.exists() else 0
    if have and have == limit:
        return
    request = urllib.request.Request(url, headers=dict(_AGENT))  # noqa: S310  # ours, or the mirror's
    if have:
        request.add_header("Range", f"bytes={have}-")
    opener = urllib.request.build_opener(_Redirects)
    with opener.open(request, timeout=TIMEOUT) as answer:
        resumed = have and answer.status == 206
        expected = _expected_length(answer)
        with part.open("ab" if resumed else "wb") as file:
            got = 0
            while block := answer.read(BLOCK):
                got += len(block)
                if (have if resumed else 0) + got > limit:
                    file.close()
                    part.unlink()
                    raise SegmentationError(
                        f"{url}: more than {limit} bytes arrived: not the right file, deleted"
                    )
                file.write(block)
                if progress is not None:
                    progress(len(block))
    if expected is not None and got < expected:
        raise http.client.IncompleteRead(b"", expected - got)


def _expected_length(answer: Any) -> int | None:
    text = answer.headers.get("Content-Length")
    return int(text) if text is not None and re.fullmatch("[0-9]{1,18}", text) else None


def _check(url: str, part: Path, size: int | None, sha256: str | None) -> None:
    """Raise if a part is not the right file; the caller then deletes it."""
    got = part.stat().st_size
    if size is not None and got != size:
        raise SegmentationError(f"{url}: {got} bytes arrived: expected {size}; deleted")
    if sha256 is not None and digest(part) != sha256:
        raise SegmentationError(
            f"{url}: the file is not the published file (its SHA-256 differs); deleted"
        )


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
    if missing:
        _fetch_files(corpus, missing, folder, announce)
    return folder


def _fetch_files(
    corpus: Dataset, missing: Sequence[RemoteFile], folder: Path, announce: Announce | None
) -> None:
    """Fetch file by file."""
    size = sum(file.size for file in missing)
    progress = announce(corpus.name, size) if announce is not None else None
    for file in missing:
        if _is_right(folder / file.path, file):  # another process was faster
            continue
        url = f"{_base(HOME)}/{corpus.address(file)}"
        path = folder / file.path
        with _downloaded(url, path, progress, file.size, file.sha256) as part:
            part.replace(path)


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
    return path.is_file() and path.stat().st_size == file.size and digest(path) == file.sha256


def _fetch_archive(
    corpus: Dataset, missing: Sequence[RemoteFile], folder: Path, announce: Announce | None
) -> None:
    """Fetch all files of the commit as an archive, which is deleted after they are extracted."""
    name = f"{corpus.commit}.tar.gz"
    url = f"{_base(ARCHIVES)}/{corpus.repository}/tar.gz/{corpus.commit}"
    progress = announce(corpus.name, 0) if announce is not None else None
    with _downloaded(url, folder / name, progress, most=MOST_ARCHIVED) as archive:
        try:
            _unpack(archive, url, {file.upstream: file for file in missing}, folder)
        except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
            raise SegmentationError(
                f"{url}: the archive is damaged ({error}); run the same command again"
            ) from None


class _Bounded:
    """A stream that gives at most `limit` bytes, whatever a header inside it says."""

    def __init__(self, stream: Any, url: str, limit: int) -> None:
        self._stream, self._url, self._left, self._ended = stream, url, limit, 0

    def read(self, size: int) -> bytes:
        """The next bytes."""
        data: bytes = self._stream.read(min(size, BLOCK))
        self._left -= len(data)
        self._ended += not data
        if self._ended > 10:  # a member declares more than there is
            raise EOFError("it ends too early")
        if self._left < 0:
            raise SegmentationError(
                f"{self._url}: the archive has more than {MOST_ARCHIVED} bytes unpacked: not the "
                "right file, deleted"
            )
        return data


def _unpack(archive: Path, url: str, wanted: dict[str, RemoteFile], folder: Path) -> None:
    """Extract the wanted files, each checked; names in the archive are not used as paths."""
    with (
        gzip.open(archive) as unpacked,
        tarfile.open(fileobj=_Bounded(unpacked, url, MOST_ARCHIVED), mode="r|") as members,  # type: ignore[call-overload]
    ):
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
            part = path.with_name(name_beside(path.name))
            part.write_bytes(data)
            part.replace(path)
            del wanted[file.upstream]
    if wanted:
        first = next(iter(wanted))
        raise SegmentationError(
            f"{url}: {len(wanted)} files are missing or are not the published files (their SHA-256 "
            f"differs), for instance {first}"
        )
