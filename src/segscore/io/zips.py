"""Zip archives, as tools export them, read like the folder that they hold; and pipes, kept in a
file.

INCEpTION's (and WebAnno's) project export is an archive whose layout names documents and coders:

    exportedproject.json
    annotation/DOCUMENT/USER.zip      (or USER.xmi, USER.json, USER.tsv)
    curation/DOCUMENT/CURATION_USER.zip

An inner archive holds one annotated document and, for XMI, a type system, which is not needed.
`INITIAL_CAS` belongs to no user. Curated documents are not read together with those of the users:
they are a result, not a coder. To score against them, unpack the archive and read its folder
`curation`.

Archives are untrusted: members that would land outside the target, links, encrypted members, and
too many or too large members are refused, before and while they are unpacked.
"""

import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath

from segscore.errors import SegmentationError
from segscore.io import files
from segscore.io.compressed import grown, most_unpacked, suffix_by_content

MOST_MEMBERS = 10**5
_SUFFIX_BY_HEAD = {b"PAR1": ".parquet", b"ARRO": ".arrow"}
_PROJECT = "exportedproject.json"
_NOBODY = ("INITIAL_CAS",)


@contextmanager
def unpacked(given: object, *, large: bool = False) -> Iterator[Path]:
    """The path itself; or a temporary folder with the contents of a zip archive; or a temporary
    file with the contents of a pipe or standard input (`-`), which can be read only once. Errors of
    the operating system meanwhile name the path.

    large: unpack an archive to any size.
    """
    path = files.as_path(given)
    with files.naming_file(path, files.READABLE):
        if str(path) == files.STANDARD:
            with _folder() as around:
                kept = _standard_input(Path(around))
                with _called(Path("standard input"), kept):
                    yield kept
        elif path.is_fifo():
            with (
                _folder() as around,
                _called(path, kept := Path(around, path.name)),
            ):
                with path.open("rb") as stream, kept.open("xb") as out:
                    shutil.copyfileobj(stream, out)
                yield kept
        elif path.is_dir() and is_project(path) and _has_inner_archives(path):
            with (
                _folder() as around,
                _called(path, target := Path(around, path.name)),
            ):
                shutil.copytree(path, target)
                size = sum(archive.stat().st_size for archive in target.rglob("*.zip"))
                _unpack_inner(target, _Budget(size, large).unpack)
                yield target
        elif path.suffix.lower() != ".zip" or path.is_dir():
            yield path
        else:
            with (
                _folder() as around,
                _called(path, target := Path(around, path.stem)),
            ):
                target.mkdir()
                budget = _Budget(path.stat().st_size, large)
                budget.unpack(path, target)
                if is_project(target):
                    _unpack_inner(target, budget.unpack)
                yield target


def _standard_input(folder: Path) -> Path:
    """Standard input as a file, whose suffix says whether it is compressed."""
    stream = getattr(sys.stdin, "buffer", None)
    head = b"" if stream is None else stream.read(files.BLOCK)
    if stream is None or not head:
        raise SegmentationError(
            "standard input is empty: expected data on it, which can be read once"
        )
    kept = folder / ("stdin" + (suffix_by_content(head) or _SUFFIX_BY_HEAD.get(head[:4], "")))
    with kept.open("xb") as out:
        out.write(head)
        shutil.copyfileobj(stream, out)
    return kept


_folder = partial(tempfile.TemporaryDirectory, prefix="segscore-")


@contextmanager
def _called(path: Path, place: Path) -> Iterator[None]:
    """Let errors name the path that the user gave, not the temporary place."""
    try:
        with files.naming_file(path, files.READABLE):
            yield
    except SegmentationError as error:
        raise SegmentationError(str(error).replace(str(place), str(path))) from None


class _Budget:
    """Unpacks archives of a given total size, up to the limit to which they may grow."""

    def __init__(self, size: int, large: bool) -> None:
        self._most = min(files.MOST_BYTES, most_unpacked(size))
        self._left = sys.maxsize - files.BLOCK if large else self._most

    def unpack(self, path: Path, target: Path) -> None:
        """Unpack an archive into a folder."""
        try:
            with zipfile.ZipFile(path) as archive:
                self._unpack(archive, target, path)
        # What zipfile and the ways of compressing raise depends on the byte that is damaged:
        # BadZipFile, zlib.error, LZMAError, EOFError, IndexError, UnicodeDecodeError,
        # NotImplementedError, OSError without a number, and others. All of them mean the same to
        # the user: the file is no sound archive. Lack of memory and the system's own errors do not.
        except Exception as error:
            ours = isinstance(error, SegmentationError | MemoryError)
            if ours or getattr(error, "errno", None) is not None:
                raise
            what = str(error) or type(error).__name__
            raise SegmentationError(f"{path}: {what}: expected a zip archive") from error

    def _unpack(self, archive: zipfile.ZipFile, target: Path, path: Path) -> None:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > MOST_MEMBERS:
            raise SegmentationError(
                f"{path}: {len(members)} members: expected at most {MOST_MEMBERS}"
            )
        for member in members:
            place = target.joinpath(*_parts(member, path))
            if place.exists():
                raise SegmentationError(
                    f"{path}: {member.filename!r} is listed twice: expected it once"
                )
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as stream, place.open("xb") as out:
                # sizes in the archive may lie: what counts is what comes out
                while block := stream.read(min(files.BLOCK, self._left + 1)):
                    self._left -= len(block)
                    if self._left < 0:
                        raise grown(path, self._most)
                    out.write(block)


def _parts(member: zipfile.ZipInfo, path: Path) -> tuple[str, ...]:
    """The parts of a member's name, if it stays inside the target."""
    name = member.filename
    parts = PurePosixPath(name).parts
    outside = name.startswith("/") or ".." in parts or set(name) & set("\\:\0")
    link = stat.S_ISLNK(member.external_attr >> 16)
    if outside or link or not parts:
        raise SegmentationError(
            f"{path}: member {name!r} {'is a link' if link else 'lies outside'}: expected files "
            "inside of the archive"
        )
    if member.flag_bits & 1:
        raise SegmentationError(
            f"{path}: member {name!r} is encrypted: expected it without a password"
        )
    return parts


# ---- INCEpTION's project export ----


def is_project(folder: Path) -> bool:
    """Whether a folder is an unpacked project export."""
    return (folder / _PROJECT).is_file() and (folder / "annotation").is_dir()


def _has_inner_archives(folder: Path) -> bool:
    """Whether some annotations are still packed."""
    return next((folder / "annotation").glob("*/*.zip"), None) is not None


def _unpack_inner(folder: Path, unpack: Callable[[Path, Path], None]) -> None:
    """Put the contents of an inner archive USER.zip beside it, as USER.xmi (or .json, .tsv)."""
    for archive in sorted((folder / "annotation").glob("*/*.zip")):
        inside = archive.with_suffix(".unpacked")
        inside.mkdir()
        unpack(archive, inside)
        found = [
            path for path in sorted(inside.rglob("*")) if path.is_file() and not _is_aside(path)
        ]  # fmt: skip
        if len(found) != 1:
            names = ", ".join(path.name for path in found) or "none"
            raise SegmentationError(
                f"{archive}: it holds {len(found)} annotated documents ({names}): expected one"
            )
        found[0].rename(archive.with_suffix(found[0].suffix))
        shutil.rmtree(inside)
        archive.unlink()


def _is_aside(path: Path) -> bool:
    return path.name.lower() == "typesystem.xml" or path.name.startswith(".")


def project_files(folder: Path) -> list[tuple[Path, str, str]]:
    """The (file, document, coder) of each annotated document."""
    found = [
        (file, file.parent.name, file.stem)
        for file in sorted((folder / "annotation").glob("*/*"))
        if file.is_file() and not file.name.startswith(".") and file.stem not in _NOBODY
    ]
    if not found:
        raise SegmentationError(
            f"{folder}: the project holds no annotations: expected annotation/DOCUMENT/USER.zip"
        )
    return found
