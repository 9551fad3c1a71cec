"""Compressed files (gzip, bzip2, xz, Zstandard): known by their suffix, unpacked in pieces.

A small file may unpack to a very large one. Memory stays bounded because nothing is unpacked at
once; time and space because a file that grows to more than MOST_GROWTH times its size, and to more
than MOST_FREE bytes, is refused, unless the caller allows it (`large`).
"""

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from segscore.errors import SegmentationError, needing

EXCEL = (".xlsx", ".xlsm")
ARROW = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
TABLES = (*EXCEL, *ARROW)


def is_table(suffix: str) -> bool:
    """Whether files with this suffix are tables, and not text."""
    return suffix in TABLES


MOST_FREE = 2**28  # bytes that any file may unpack to
MOST_GROWTH = 500  # times the size of the file, beyond that

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_BEGINNINGS = {
    b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst",
}  # fmt: skip


def suffix_of(path: Path) -> str:
    """The suffix of the format: that of `codings.csv.gz` is `.csv`."""
    return _plain(path).suffix.lower()


def stem_of(path: Path) -> str:
    """The name without suffixes: that of `codings.csv.gz` is `codings`."""
    return _plain(path).stem


def without_suffix(path: Path) -> Path:
    """The path without the suffix of its format, and of its compression."""
    return _plain(path).with_suffix("")


def _plain(path: Path) -> Path:
    return path.with_suffix("") if is_compressed(path) else path


def is_compressed(path: Path) -> bool:
    """Whether a file is compressed, by its suffix."""
    return path.suffix.lower() in SUFFIXES


def suffix_by_content(head: bytes) -> str:
    """The suffix that a compressed file should have, by its first bytes; empty for others."""
    return next((name for start, name in _BEGINNINGS.items() if head.startswith(start)), "")


def opened(path: Path, *, large: bool = False) -> BinaryIO:
    """The file, unpacked if its suffix says that it is compressed.

    large: unpack it to any size.
    """
    if not is_compressed(path):
        return path.open("rb")
    return io.BufferedReader(_Unpacking(path, large), 2**20)


def most_unpacked(size: int) -> int:
    """The bytes to which a compressed file of this size may unpack."""
    return max(MOST_FREE, MOST_GROWTH * size)


def grown(path: object, most: int) -> SegmentationError:
    """The error about a file that unpacks to more than `most` bytes."""
    return SegmentationError(
        f"{path}: more than {most >> 20} MiB unpacked: expected less, or large=True if "
        "you trust the file"
    )


def created(path: Path, target: Path) -> TextIO:
    """A new text file, compressed as the suffix of its target says."""
    if not is_compressed(target):
        return path.open("x", encoding="utf-8", newline="")
    with needing("zstd", str(target)):
        packed = _OPENERS[target.suffix.lower()](path, "xb")
    return io.TextIOWrapper(packed, encoding="utf-8", newline="")


def _zstandard(path: Path, mode: str) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]

        return zstd.open(path, mode)
    except ImportError:
        import zstandard
    return _ZstandardReader(path, zstandard) if mode == "rb" else zstandard.open(path, mode)


class _ZstandardReader:
    """A reader of Zstandard that notices a file that is cut off, which the package's own reader
    does not."""

    _STEP = 512  # bytes at a time: some of them unpack to 32 000 times as much

    def __init__(self, path: Path, package: Any) -> None:
        self._package = package
        self._file = path.open("rb")
        self._frame: Any = None  # the one that is open
        self._rest = b""  # unpacked, and not yet read

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes; none at the end."""
        while len(self._rest) < size:
            data = self._file.read(self._STEP)
            if not data:
                if self._frame is not None:
                    raise EOFError("the file ends too early")
                break
            while data:
                self._frame = self._frame or self._package.ZstdDecompressor().decompressobj()
                self._rest += self._frame.decompress(data)
                data = self._frame.unused_data if self._frame.eof else b""
                self._frame = None if self._frame.eof else self._frame
        found, self._rest = self._rest[:size], self._rest[size:]
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


_OPENERS: dict[str, Callable[[Path, str], Any]] = {
    ".gz": lambda path, mode: gzip.GzipFile(path, mode, mtime=0),  # no time in it: same bytes
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _zstandard,
}


class _Unpacking(io.RawIOBase):
    """The unpacked content, counted; damage becomes an error of ours."""

    _stream: Any = None  # closing happens, too, where it could not be opened

    def __init__(self, path: Path, large: bool) -> None:
        self._path = path
        self._most = sys.maxsize if large else most_unpacked(path.stat().st_size)
        self._count = 0
        with needing("zstd", str(path)):
            self._stream = _OPENERS[path.suffix.lower()](path, "rb")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer."""
        try:
            data = self._stream.read(len(buffer))
        # What damaged files raise depends on the byte: OSError without a number, EOFError,
        # zlib.error, LZMAError, ZstdError …
        except Exception as error:
            if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
                raise
            what = str(error) or type(error).__name__
            raise SegmentationError(
                f"{self._path}: {what}: expected a file that can be unpacked"
            ) from None
        self._count += len(data)
        if self._count > self._most:
            raise grown(self._path, self._most)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file, too."""
        if not self.closed and self._stream is not None:
            self._stream.close()
        super().close()
