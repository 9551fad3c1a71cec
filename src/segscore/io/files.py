r"""Files for readers and writers: sources, decoding, lines, compression, archives, safe writing.

Files are not to be trusted. Whole-file formats have a limit of size, JSON Lines one per line; text
is UTF-8 (with or without a byte order mark) unless the caller names another encoding; line ends are
\n, \r\n or \r, and nothing else.

A small compressed file may unpack to a very large one. It is unpacked in pieces, and refused when
it grows to more than MOST_GROWTH times its size and to more than MOST_FREE bytes. A byte of a file
can become up to 200 bytes of Python objects, because a character may be a unit: the memory that
parsing takes is estimated before, from the characters that begin or end something. Each has a
price, measured as the most that Python takes for it. Users who trust a file lift both limits
(`large=True`).

Zip archives are read like the folder that they hold; members that would land outside the target,
links, encrypted members, and too many or too large members are refused, before and while they are
unpacked. A pipe is kept in a file. INCEpTION's (and WebAnno's) project export is an archive whose
layout names documents and coders:

    exportedproject.json
    annotation/DOCUMENT/USER.zip      (or USER.xmi, USER.json, USER.tsv)
    curation/DOCUMENT/CURATION_USER.zip

An inner archive holds one annotated document and, for XMI, a type system, which is not needed: it
is read as a compressed file.
`INITIAL_CAS` belongs to no user. Curated documents are not read together with those of the users:
they are a result, not a coder. To score against them, unpack the archive and read its folder
`curation`.
"""

import bz2
import gzip
import io
import lzma
import os
import re
import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TextIO

import numpy as np

from segscore.basics.arguments import shown
from segscore.corpus.record import whereabouts
from segscore.errors import SegmentationError, named, needing
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions

MOST_BYTES = 2**29  # of a file that is read whole
LONGEST_LINE = 2**28  # bytes of a line of JSON Lines
LONG_LINE = f"a line of more than {LONGEST_LINE >> 20} MiB: expected one coding per line"
BLOCK = 2**20
READABLE = "a file or a folder that can be read"  # what messages expect
REFERENCE = "reference"  # the coder of a file with suffix .ref that names none

_MARKS = {
    "UTF-32": (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"),
    "UTF-16": (b"\xff\xfe", b"\xfe\xff"),
}
STANDARD = "-"  # standard input, or output
_OPEN_FILE = re.compile(r"/dev/(stdout|stderr)|(?:/dev|/proc/self)/fd/([0-9]{1,9})")
UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Source:
    """A file to read.

    `document` names the document in formats that hold one per file: the path inside the given
    folder, without suffix. `coder` names the coder in formats that name none, and `told` is
    whether the caller gave that name. `choices` are for formats of spans and times. `called` is
    the name of the file in messages, if not its path: a member of a zip archive. `sheet` is the
    sheet of a workbook to read, if there are several.
    """

    path: Path
    document: str
    coder: str
    encoding: str | None = None
    told: bool = False
    choices: ReadOptions = DEFAULT_OPTIONS
    called: str | None = None
    sheet: str | None = None

    def of(self, document: str | None = None, coder: str | None = None) -> "Source":
        """The file as the source of a document, or by a coder, that it names itself."""
        return replace(self, document=document or self.document, coder=coder or self.coder)

    @property
    def where(self) -> str:
        """The document and the coder, in messages."""
        return whereabouts(self.document, self.coder)

    def at(self, line: int | None = None) -> str:
        """The name of the file, or of a line of it, in messages."""
        name = self.called or str(self.path)
        return name if line is None else f"{name}, line {line}"

    def fail(self, what: str, line: int | None = None) -> SegmentationError:
        """An error that names the place."""
        return SegmentationError(f"{self.at(line)}: {what}")

    def remark(self, what: str, line: int | None = None) -> None:
        """Tell the caller something about the file, or a line of it."""
        self.choices.remark(f"{self.at(line)}: {what}")

    @contextmanager
    def locating(self, line: int | None = None) -> Iterator[None]:
        """Add the place to errors that do not name it."""
        try:
            yield
        except SegmentationError as error:
            if str(error).startswith((f"{self.at()}: ", f"{self.at()}, line ")):
                raise
            raise self.fail(str(error), line) from None

    @property
    def suffix(self) -> str:
        """The suffix of the file in lower case, without that of its compression."""
        return suffix_of(self.path)

    def open(self) -> BinaryIO:
        """The file, unpacked if it is compressed."""
        if self.path.suffix.lower() not in _OPENERS:
            return self.path.open("rb")
        return io.BufferedReader(_Unpacking(self.path, self.choices.large), 2**20)

    def expect(self, fits: object, what: str, *values: object, line: int | None = None) -> None:
        """Raise an error that names the place unless something fits. values: for each %s."""
        if not fits:
            with self.locating(line):
                expect(fits, what, *values)

    def layer_of(self, *known: str) -> str:
        """The layer that the caller chooses of those that a file has; by default the first."""
        layer = self.choices.layer or known[0]
        self.expect(layer in known, f"layer is {layer!r}: expected one of {named(known)}")
        return layer

    def afford(self, size: int) -> None:
        """Raise if parsing would take more memory than the budget, unless the caller lifts it."""
        what = f"it would take up to {-(-size >> 20)} MiB of memory"
        most = f"expected at most {MOST_PARSED >> 20}, or large=True if you trust the file"
        self.expect(size <= MOST_PARSED or self.choices.large, f"{what}: {most}")

    def read_bytes(self) -> bytes:
        """The whole file, if it is not too large, without a byte order mark."""
        blocks: list[bytes] = []  # Python would allocate all that may be read at once
        left = sys.maxsize if self.choices.large else MOST_BYTES + 1
        with naming_file(self.at(), READABLE, always=True), self.open() as stream:
            while left > 0 and (block := stream.read(min(BLOCK, left))):
                blocks.append(block)
                left -= len(block)
        data = b"".join(blocks)
        most = f"more than {MOST_BYTES >> 20} MiB"
        self.expect(left > 0, f"{most}: expected less in a file that is read whole, or large=True")
        if self.encoding is None:
            self.check_mark(data)
            data = data.removeprefix(UTF8_MARK)
        return data

    def check_mark(self, head: bytes, always_utf8: bool = False) -> None:
        """Raise for files whose byte order mark says that they are not UTF-8."""
        for name, marks in _MARKS.items():
            other = "" if always_utf8 else f", or text_encoding={name.lower()!r}"
            what = f"the file is {name}: expected UTF-8{other}"
            self.expect(not head.startswith(marks), what)

    def read_text(self, *, latin: bool = False) -> str:
        """The whole file as text; with `latin`, text that is not UTF-8 is latin-1."""
        data = self.read_bytes()
        if len(data) > SMALL:
            rule = self.choices.units
            each = _UNIT * len(data) if rule == "characters" else 0
            self.afford(parsed_size(data, WORD_PRICES if rule == "words" else PRICES) + each)
        encoding = self.encoding or "utf-8"
        try:
            text = data.decode(encoding)
        except LookupError:
            raise self.fail(f"no encoding is called {encoding!r}") from None
        except UnicodeDecodeError as error:
            if not latin or self.encoding is not None:
                what = f"byte 0x{data[error.start]:02x} is not {encoding}: expected text_encoding="
                raise self.fail(what, line_of(data, error.start)) from None
            text = data.decode("latin-1")
        before, found, _ = text.partition("\0")
        if found:
            raise self.fail("a NUL byte: expected text", line_of(before.encode(), len(data)))
        return text.removeprefix("\ufeff")

    def whole_text(self) -> str:
        """The whole file as text, with Python's line ends."""
        return with_line_ends(self.read_text())

    def read_lines(self, *, latin: bool = False, blank_at_end: bool = False) -> list[str]:
        """The lines of the file without line ends, and without blank lines at its end."""
        lines = with_line_ends(self.read_text(latin=latin)).split("\n")
        if not lines[-1]:
            lines.pop()
        while lines and not blank_at_end and not lines[-1].strip():
            lines.pop()
        return lines

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their numbers."""
        lines = enumerate(self.read_lines(), start=1)
        return ((number, line) for number, line in lines if line.strip())

    def matched(self, pattern: re.Pattern[str], line: str, number: int, what: str) -> re.Match[str]:
        """The match of a whole line; without one, an error says what was expected."""
        found = pattern.fullmatch(line)
        if found is None:
            raise self.fail(f"{shown(line)}: expected {what}", number)
        return found


def expect(fits: object, what: str, *values: object) -> None:
    """Raise an error unless something fits. values: what the message shows for each %s, so that no
    value is written out where it fits."""
    if not fits:
        for value in values:
            what = what.replace("%s", shown(value), 1)
        raise SegmentationError(what)


def with_line_ends(text: str) -> str:
    """The text with Python's line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_of(data: bytes, index: int) -> int:
    """The number of the line that contains a byte."""
    head = data[:index]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")


def byte_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The (number, line without its end) of each line, in bounded memory."""
    # as latin-1, which gives each byte back, because bytes know no \r alone
    with source.open() as stream, io.TextIOWrapper(stream, "latin-1") as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE + 1).encode("latin-1"):
            number += 1
            source.expect(len(line) <= LONGEST_LINE, LONG_LINE)
            if number == 1:
                source.check_mark(line, always_utf8=True)
                line = line.removeprefix(UTF8_MARK)
            yield number, line.removesuffix(b"\n")


@contextmanager
def naming_file(
    path: str | os.PathLike[str], expected: str, *, always: bool = False
) -> Iterator[None]:
    """Turn errors of the operating system into errors of ours that name the file.

    The file is that of the error or, with `always`, the path (if the other is a temporary name). A
    closed pipe (the reader of our output has gone) is not an error of a file, and is left to the
    caller.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = path if always or error.filename is None else error.filename
        what = f"{name}: {error.strerror or error}: expected {expected}"
        raise SegmentationError(what) from error


@contextmanager
def naming_damage(name: object, expected: str) -> Iterator[None]:
    """Turn whatever a damaged file makes a package raise into an error of ours.

    What zipfile, expat and the ways of compressing raise depends on the byte that is damaged:
    BadZipFile, zlib.error, LZMAError, ZstdError, EOFError, IndexError, UnicodeDecodeError,
    NotImplementedError, OSError without a number, and others. All of them mean the same to the
    user. Lack of memory and the system's own errors do not.
    """
    try:
        yield
    except Exception as error:
        ours = isinstance(error, SegmentationError | MemoryError)
        if ours or getattr(error, "errno", None) is not None:
            raise
        what = str(error) or type(error).__name__
        raise SegmentationError(f"{name}: {what}: expected {expected}") from None


def as_path(path: object) -> Path:
    """The value as a path; an empty name would be the current folder."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    with suppress(UnicodeEncodeError):  # half of a surrogate pair
        if isinstance(name, str) and name and 0 not in os.fsencode(name):
            return Path(name)
    raise SegmentationError(f"path is {shown(path)}: expected the name of a file or a folder")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Write a text file beside its target, and move it there when it is complete.

    Whatever goes wrong, the target is the complete old file, or none. A file with the suffix of a
    compression is compressed. A target that is not a regular file (a terminal, a pipe, `-` for
    standard output) is written directly.
    """
    with naming_file(path, "a file that can be written", always=True):
        if is_stream(path):
            number = _descriptor(path)
            # not opened by its name, which would empty a file that the shell appends to
            sys.stdout.flush()
            opened = as_path(path) if number is None else os.dup(number)
            with open(opened, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123
                yield stream
            return
        target = Path(os.path.realpath(as_path(path)))
        beside = target.with_name(name_beside(target.name))
        try:
            if target.suffix.lower() not in SUFFIXES:
                stream = beside.open("x", encoding="utf-8", newline="")
            else:
                with needing("zstd", str(target)):
                    packed = _OPENERS[target.suffix.lower()](beside, "xb")
                stream = io.TextIOWrapper(packed, encoding="utf-8", newline="")
            with stream:
                yield stream
            if target.exists():
                beside.chmod(target.stat().st_mode)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Fill a new folder beside its target, and move it there when it is complete."""
    with naming_file(path, "a folder that can be written", always=True):
        target = Path(os.path.realpath(as_path(path)))
        free = not target.exists() or (target.is_dir() and not any(target.iterdir()))
        expect(free, f"{path} exists: expected a new folder, or an empty one")
        beside = target.with_name(name_beside(target.name))
        beside.mkdir()
        try:
            yield beside
            if target.exists():
                target.rmdir()
            beside.rename(target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)  # gone already if all went well


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is not, and will not be, a regular file: a pipe, a terminal, /dev/stdout."""
    if _descriptor(path) is not None:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)  # noqa: PTH112, PTH113


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The number of an open file that a path names, as in -, /dev/stdout or /dev/fd/63."""
    found = _OPEN_FILE.fullmatch(os.fspath(path)) if os.name == "posix" else None
    if found is None:
        return 1 if os.fspath(path) == STANDARD else None
    return {"stdout": 1, "stderr": 2}.get(found[1]) or int(found[2])


def name_beside(name: str) -> str:
    """A hidden, unique name for a file that will be called `name`."""
    return f".{name[:50]}-{os.urandom(4).hex()}.part"


def folder_file(folder: Path, name: str, suffix: str) -> Path:
    """A new file in a folder, named after a document; slashes in the name make folders. The name
    must be valid, and not hidden, on every file system."""
    parts = name.split("/")
    plain = name.isprintable() and not set(name) & set('\\:*?"<>|')
    path = folder.joinpath(*parts[:-1], parts[-1] + suffix)
    wrong = any(part[:1] in ("", ".", " ") or len(part.encode()) > 200 for part in parts)
    expect(plain and not wrong, f"{name!r} cannot be the name of a file: expected letters, digits")
    # where the file system takes two names for one
    expect(not path.exists(), f"{name!r} has the same file name as another document")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


# ---- compressed files ----

EXCEL = (".xlsx", ".xlsm")
ARROW = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
TABLES = (*EXCEL, *ARROW)  # suffixes of files that are tables, and not text


MOST_FREE = 2**28  # bytes that any file may unpack to
MOST_GROWTH = 500  # times the size of the file, beyond that

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_BEGINNINGS = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"PAR1": ".parquet",
    b"ARRO": ".arrow",
}


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
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path


def most_unpacked(size: int) -> int:
    """The bytes to which a compressed file of this size may unpack."""
    return max(MOST_FREE, MOST_GROWTH * size)


def grown(path: object, most: int) -> SegmentationError:
    """The error about a file that unpacks to more than `most` bytes."""
    what = f"{path}: more than {most >> 20} MiB unpacked"
    return SegmentationError(f"{what}: expected less, or large=True if you trust the file")


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


def _inner_document(path: Path, mode: str) -> Any:
    """The annotated document in an inner archive of a project."""
    del mode
    archive = zipfile.ZipFile(path)
    paths = [(PurePosixPath(member.filename), member) for member in archive.infolist()]
    files = [(file.name, member) for file, member in paths if not member.is_dir()]
    found = [each for name, each in files if name.lower() != "typesystem.xml" and name[:1] != "."]
    what = f"it holds {len(found)} annotated documents: {[each.filename for each in found[:9]]}"
    expect(len(found) == 1, f"{path}: {what}: expected one")
    fault = f"member {found[0].filename!r} {_fault(found[0])}"
    expect(not _fault(found[0]), f"{path}: {fault}: expected a file inside of the archive")
    return archive.open(found[0])


_OPENERS: dict[str, Callable[[Path, str], Any]] = {
    ".gz": lambda path, mode: gzip.GzipFile(path, mode, mtime=0),  # no time in it: same bytes
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _zstandard,
    ".zip": _inner_document,
}


_UNPACKABLE = "a file that can be unpacked"


class _Unpacking(io.RawIOBase):
    """The unpacked content, counted; damage becomes an error of ours."""

    _stream: Any = None  # closing happens, too, where it could not be opened

    def __init__(self, path: Path, large: bool) -> None:
        self._path = path
        self._most = sys.maxsize if large else most_unpacked(path.stat().st_size)
        self._count = 0
        with naming_damage(path, _UNPACKABLE), needing("zstd", str(path)):
            self._stream = _OPENERS[path.suffix.lower()](path, "rb")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer."""
        with naming_damage(self._path, _UNPACKABLE):
            data = self._stream.read(len(buffer))
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


# ---- the memory that parsing takes ----

MOST_PARSED = 2**31  # bytes
SMALL = 2**23  # bytes of a file that cannot take more than that, whatever it holds
_STEP = 2**20

_TEXT = 80  # a short text, in a list
_UNIT = 200  # a unit of a text: where it begins and ends, its text, its place in lists
PRICES = {
    **dict.fromkeys("\n\r.!?", _UNIT),
    **dict.fromkeys(",;\t", _TEXT),
    '"': 90,
    "[": 70,
    "{": 100,
    ":": 48,
}
WORD_PRICES = {**PRICES, " ": _UNIT}
XML_PRICES = {"<": 120, "=": 120, "\n": _UNIT}


def parsed_size(data: bytes, prices: Mapping[str, int] = PRICES) -> int:
    """An upper estimate of the bytes that parsing takes.

    >>> parsed_size(b'[[1], [2]]'), parsed_size(b"")
    (310, 0)
    """
    counts = np.zeros(256, np.int64)
    for start in range(0, len(data), _STEP):
        counts += np.bincount(np.frombuffer(data[start : start + _STEP], np.uint8), minlength=256)
    items = sum(int(counts[ord(character)]) * price for character, price in prices.items())
    characters = int(counts.sum() - counts[0x80:0xC0].sum())
    # Python keeps a text as wide as its widest character
    width = 4 if counts[0xF0:].any() else 2 if counts[0xC4:].any() else 1
    return items + characters * width * 2


def rows_size(cells: int, letters: int) -> int:
    """An upper estimate of the bytes that cells of a table take, as texts and in lists."""
    return 2 * (_TEXT * cells + letters * (4 if sys.maxunicode > 0xFFFF else 2))


# ---- zip archives and pipes ----


MOST_MEMBERS = 10**5
_PROJECT = "exportedproject.json"


@contextmanager
def unpacked(given: object, *, large: bool = False) -> Iterator[Path]:
    """The path itself; or a temporary folder with the contents of a zip archive; or a temporary
    file with the contents of a pipe or standard input (`-`), which can be read only once. Errors of
    the operating system meanwhile name the path.

    large: unpack an archive to any size.
    """
    path = as_path(given)
    with naming_file(path, READABLE):
        zipped = path.suffix.lower() == ".zip" and not path.is_dir()
        if not (zipped or str(path) == STANDARD or path.is_fifo()):
            yield path
            return
        with tempfile.TemporaryDirectory(prefix="segscore-") as folder:
            place = Path(folder, path.stem)
            called = "standard input" if str(path) == STANDARD else str(path)
            try:
                with naming_file(called, READABLE):
                    if zipped:
                        _unpack(path, place, large)
                    else:
                        place = _kept(path, Path(folder))
                    yield place
            except SegmentationError as error:
                raise SegmentationError(str(error).replace(str(place), called)) from None


def _kept(path: Path, folder: Path) -> Path:
    """What can be read only once as a file; that of standard input says if it is compressed."""
    if str(path) != STANDARD:
        with path.open("rb") as stream, (folder / path.name).open("xb") as out:
            shutil.copyfileobj(stream, out)
        return folder / path.name
    source = getattr(sys.stdin, "buffer", None) or io.BytesIO()
    head = source.read(BLOCK)
    expect(head, "standard input is empty: expected data, which can be read once")
    suffix = next((name for start, name in _BEGINNINGS.items() if head.startswith(start)), "")
    kept = folder / f"stdin{suffix}"
    with kept.open("xb") as out:
        out.write(head)
        shutil.copyfileobj(source, out)
    return kept


def _unpack(path: Path, target: Path, large: bool) -> None:
    """Unpack an archive into a new folder, up to the limit to which it may grow."""
    most = min(MOST_BYTES, most_unpacked(path.stat().st_size))
    left = sys.maxsize - BLOCK if large else most
    target.mkdir()
    with naming_damage(path, "a zip archive"), zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        what = f"{path}: {len(members)} members: expected at most {MOST_MEMBERS}"
        expect(len(members) <= MOST_MEMBERS, what)
        for member in members:
            place = target.joinpath(*PurePosixPath(member.filename).parts)
            fault = _fault(member) or ("is listed twice" if place.exists() else "")
            what = f"member {member.filename!r} {fault}: expected files inside of the archive"
            expect(not fault, f"{path}: {what}, each once, without a password")
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as stream, place.open("xb") as out:
                # sizes in the archive may lie: what counts is what comes out
                while block := stream.read(min(BLOCK, left + 1)):
                    left -= len(block)
                    if left < 0:
                        raise grown(path, most)
                    out.write(block)


def _fault(member: zipfile.ZipInfo) -> str:
    """Why a member is not unpacked, if it would not stay inside the target or cannot be read."""
    name, parts = member.filename, PurePosixPath(member.filename).parts
    if name.startswith("/") or ".." in parts or set(name) & set("\\:\0") or not parts:
        return "lies outside"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return "is encrypted" if member.flag_bits & 1 else ""


# ---- INCEpTION's project export ----


def project_files(folder: Path) -> list[tuple[Path, str, str | None]]:
    """The (file, document, coder) of each annotated document of an unpacked project export; none of
    other folders."""
    if not ((folder / _PROJECT).is_file() and (folder / "annotation").is_dir()):
        return []
    found: list[tuple[Path, str, str | None]]
    found = [
        (file, file.parent.name, file.stem)
        for file in sorted((folder / "annotation").glob("*/*"))
        if file.is_file() and not file.name.startswith(".") and file.stem != "INITIAL_CAS"
    ]
    expect(found, f"{folder}: the project holds no annotations: expected annotation/DOCUMENT/USER")
    return found
