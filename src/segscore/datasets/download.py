"""Download one file: resumed after an interruption, checked, then renamed.

Data is written to a file `.part` in the same folder. If that exists already, only the rest is
requested (Range); a server that sends the whole file again works, too. Size and SHA-256 are checked
before the file gets its name, so that a path holds the right file or none.
"""

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from segscore.errors import SegmentationError

BLOCK = 2**16
TIMEOUT = 30.0  # seconds without a byte
TRIES = 3
_PAUSE = 0.5  # seconds before the second try, twice that before the third
_AGENT = {"User-Agent": "segscore"}

Progress = Callable[[int], None]  # bytes that arrived


def download(
    url: str, path: Path, size: int | None, sha256: str | None, progress: Progress | None = None,
    most: int = 2**30,
) -> None:  # fmt: skip
    """Fetch `url` to `path`; `size` and `sha256` say what it must be, if they are known."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    limit = most if size is None else size
    for turn in range(TRIES):
        try:
            _receive(url, part, limit, progress)
            break
        except urllib.error.HTTPError as error:
            if error.code == 416 and part.exists():  # our part does not belong to that file
                part.unlink()
            elif error.code < 500 or turn == TRIES - 1:
                raise SegmentationError(
                    f"{url}: the server answered {error.code} {error.reason}"
                ) from None
        except (OSError, http.client.HTTPException) as error:
            if turn == TRIES - 1:
                reason = getattr(error, "reason", None) or error or type(error).__name__
                raise SegmentationError(
                    f"{url}: no connection, or it was interrupted ({reason}): run the same command "
                    "again to continue from what has arrived"
                ) from None
        time.sleep(_PAUSE * (turn + 1))
    _check(url, part, size, sha256)
    part.replace(path)


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
    return int(text) if text is not None and text.isdigit() else None


def _check(url: str, part: Path, size: int | None, sha256: str | None) -> None:
    """An error if it is not the right file; it is deleted."""
    got = part.stat().st_size
    if size is not None and got != size:
        part.unlink()
        raise SegmentationError(f"{url}: {got} bytes arrived: expected {size}; deleted")
    if sha256 is not None and digest(part) != sha256:
        part.unlink()
        raise SegmentationError(
            f"{url}: the file is not the published one (its SHA-256 differs); deleted"
        )


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
