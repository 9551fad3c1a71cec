r"""Files for readers and writers: sources, decoding, lines, and safe writing.

Files are not to be trusted. Whole-file formats have a limit of size, JSON Lines one per line; text
is UTF-8 (with or without a byte order mark) unless the caller names another encoding; line ends are
\n, \r\n or \r, and nothing else.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.io import compressed, parsed_size
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions

MOST_BYTES = 2**29  # of a file that is read whole
LONGEST_LINE = 2**28  # bytes of a line of JSON Lines
BLOCK = 2**20
READABLE = "a file or a folder that can be read"  # what messages expect
REFERENCE = "reference"  # the coder of a file with suffix .ref that names none

_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}  # fmt: skip
STANDARD = "-"  # standard input, or output
_OPEN_FILE = re.compile(r"/dev/(stdout|stderr)|(?:/dev|/proc/self)/fd/([0-9]{1,9})")
_UTF8_MARK = b"\xef\xbb\xbf"
_MOST_BESIDE = 10_000  # files of a folder among which a mistyped name is looked for


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

    def at(self, line: int | None = None) -> str:
        """The name of the file, or of a line of it, in messages."""
        name = self.called or str(self.path)
        return name if line is None else f"{name}, line {line}"

    def fail(self, what: str, line: int | None = None) -> SegmentationError:
        """An error that names the place."""
        return SegmentationError(f"{self.at(line)}: {what}")

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
        return compressed.suffix_of(self.path)

    def open(self) -> BinaryIO:
        """The file, unpacked if it is compressed."""
        return compressed.opened(self.path, large=self.choices.large)

    def afford(self, size: int) -> None:
        """Raise if parsing would take more memory than the budget, unless the caller lifts it."""
        if size > parsed_size.MOST_PARSED and not self.choices.large:
            raise self.fail(
                f"it would take up to {-(-size >> 20)} MiB of memory: expected at most "
                f"{parsed_size.MOST_PARSED >> 20}, or large=True if you trust the file"
            )

    def read_bytes(self) -> bytes:
        """The whole file, if it is not too large, without a byte order mark."""
        with naming_file(self.at(), READABLE, always=True), self.open() as stream:
            data = _read_up_to(stream, sys.maxsize if self.choices.large else MOST_BYTES + 1)
        if len(data) > MOST_BYTES and not self.choices.large:
            raise self.fail(
                f"more than {MOST_BYTES >> 20} MiB: expected less in a format that is read whole, "
                "or large=True; JSON Lines has no limit"
            )
        if self.encoding is None:
            self.check_mark(data)
            data = data.removeprefix(_UTF8_MARK)
        return data

    def check_mark(self, head: bytes, always_utf8: bool = False) -> None:
        """Raise for files whose byte order mark says that they are not UTF-8."""
        for mark, name in _MARKS.items():
            if head.startswith(mark):
                other = f", or text_encoding={name.lower()!r}"
                raise self.fail(f"the file is {name}: expected UTF-8{'' if always_utf8 else other}")

    def read_text(self, *, latin: bool = False) -> str:
        """The whole file as text; with `latin`, text that is not UTF-8 is latin-1."""
        data = self.read_bytes()
        if len(data) > parsed_size.SMALL:
            rule = self.choices.units
            prices = parsed_size.WORD_PRICES if rule == "words" else parsed_size.PRICES
            each = parsed_size.EACH if rule == "characters" else 0
            self.afford(parsed_size.parsed_size(data, prices, each=each))
        encoding = self.encoding or "utf-8"
        try:
            text = data.decode(encoding)
        except LookupError:
            raise self.fail(f"no encoding is called {encoding!r}") from None
        except UnicodeDecodeError as error:
            if not latin or self.encoding is not None:
                raise self.fail(
                    f"byte 0x{data[error.start]:02x} is not {encoding}: expected text in "
                    "UTF-8, or in the encoding that text_encoding= names",
                    line_of(data, error.start),
                ) from None
            text = data.decode("latin-1")
        if "\0" in text:
            before = text[: text.index("\0")].encode()
            raise self.fail("a NUL byte: expected text", line_of(before, len(before)))
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


def with_line_ends(text: str) -> str:
    """The text with Python's line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_up_to(stream: BinaryIO, most: int) -> bytes:
    """Read at most `most` bytes; Python would otherwise allocate all of them at once."""
    blocks: list[bytes] = []
    while most > 0 and (block := stream.read(min(BLOCK, most))):
        blocks.append(block)
        most -= len(block)
    return b"".join(blocks)


def line_of(data: bytes, index: int) -> int:
    """The number of the line that contains a byte."""
    head = data[:index]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")


class Blocks:
    """A file block by block; each block begins where the last was left.

    A block that must hold a long line grows as needed, up to the limit.
    """

    def __init__(self, source: Source, stream: BinaryIO) -> None:
        self._source = source
        self._stream = stream
        head = stream.read(BLOCK)
        source.check_mark(head, always_utf8=True)
        self.block = head.removeprefix(_UTF8_MARK)
        self._more = stream.read(BLOCK)

    @property
    def last(self) -> bool:
        """Whether the file ends with this block."""
        return not self._more

    def advance(self, used: int) -> None:
        """Continue with a block that begins after the first `used` bytes of this one."""
        self.block = self.block[used:] + self._more
        if not used and len(self.block) > LONGEST_LINE:
            raise self._source.fail(
                f"a line of more than {LONGEST_LINE >> 20} MiB: expected one coding per line"
            )
        self._more = self._stream.read(max(BLOCK, len(self.block)))


def byte_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The (number, line without its end) of each line, in bounded memory."""
    with source.open() as stream:
        feed = Blocks(source, stream)
        number = 0
        while True:
            lines = feed.block.splitlines(keepends=True)
            last = feed.last
            # the last line goes on in the next block, or ends in half of a \r\n
            cut = lines and not last and not lines[-1].endswith(b"\n")
            tail = lines.pop() if cut else b""
            for line in lines:
                number += 1
                yield number, line.rstrip(b"\r\n")
            if last:
                return
            feed.advance(len(feed.block) - len(tail))


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
        asked = _alike(name) if isinstance(error, FileNotFoundError) else ""
        raise SegmentationError(
            f"{name}: {error.strerror or error}{asked}: expected {expected}"
        ) from error


def _alike(path: Any) -> str:
    """What to say of the file beside a path that does not exist whose name is nearly the same."""
    from difflib import get_close_matches  # only errors need it

    with suppress(OSError, ValueError, TypeError):  # the error of the path itself is raised
        wanted = Path(path)
        beside = sorted(file.name for file in islice(wanted.parent.iterdir(), _MOST_BESIDE))
        for meant in get_close_matches(wanted.name, beside, 1, 0.75):
            return f" (did you mean {str(wanted.with_name(meant))!r}?)"
    return ""


def as_path(path: object) -> Path:
    """The value as a path; an empty name would be the current folder."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    try:
        fine = isinstance(name, str) and 0 not in os.fsencode(name) and name != ""
    except UnicodeEncodeError:  # half of a surrogate pair
        fine = False
    if not fine:
        raise SegmentationError(f"path is {shown(path)}: expected the name of a file or a folder")
    return Path(str(name))


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Write a text file beside its target, and move it there when it is complete.

    Whatever goes wrong, the target is the complete old file, or none. A file with the suffix of a
    compression is compressed. A target that is not a regular file (a terminal, a pipe, `-` for
    standard output) is written directly.
    """
    with naming_file(path, "a file that can be written", always=True):
        if is_stream(path):
            with _opened_stream(as_path(path)) as stream:
                yield stream
            return
        target = Path(os.path.realpath(as_path(path)))
        _check_folder_of(target, path)
        beside = target.with_name(name_beside(target.name))
        try:
            with compressed.created(beside, target) as stream:
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
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise SegmentationError(f"{path} exists: expected a new folder, or an empty one")
        _check_folder_of(target, path)
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
    if os.fspath(path) == STANDARD:
        return 1
    found = _OPEN_FILE.fullmatch(os.fspath(path)) if os.name == "posix" else None
    if found is None:
        return None
    return {"stdout": 1, "stderr": 2}.get(found[1]) or int(found[2])


def _opened_stream(path: Path) -> TextIO:
    number = _descriptor(path)
    if number is None:
        return path.open("w", encoding="utf-8", newline="")
    # Not opened by its name, which would empty a file that the shell appends to.
    sys.stdout.flush()
    return os.fdopen(os.dup(number), "w", encoding="utf-8", newline="")


def _check_folder_of(target: Path, path: str | os.PathLike[str]) -> None:
    """Raise an error that names the missing folder, not the temporary file in it."""
    if not target.parent.is_dir():
        raise SegmentationError(
            f"{path}: there is no folder {str(target.parent)!r}: expected one to write into"
        )


def name_beside(name: str) -> str:
    """A hidden, unique name for a file that will be called `name`."""
    return f".{name[:50]}-{os.urandom(4).hex()}.part"


def folder_file(folder: Path, name: str, suffix: str) -> Path:
    """A new file in a folder, named after a document; slashes in the name make folders."""
    parts = name.split("/")
    if not all(map(_is_file_name, parts)):
        raise SegmentationError(
            f"{name!r} cannot be the name of a file: expected letters, digits and the like"
        )
    path = folder.joinpath(*parts[:-1], parts[-1] + suffix)
    if path.exists():  # where the file system takes two names for one
        raise SegmentationError(f"{name!r} has the same file name as another document")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _is_file_name(part: str) -> bool:
    """Whether a name is valid, and not hidden, on every file system."""
    plain = part.isprintable() and not set(part) & set('\\:*?"<>|')
    return plain and part[:1] not in ("", ".", " ") and len(part.encode()) <= 200
