"""Reading files and folders of any format: into a corpus, a stream of records, or columns."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from segscore.arguments import shown
from segscore.corpus import Corpus, Scope
from segscore.errors import SegmentationError, named
from segscore.io.base import Format
from segscore.io.columns import Columns
from segscore.io.files import REFERENCE, Source
from segscore.io.formats import jsonl
from segscore.io.read_options import DEFAULT_OPTIONS, Policy, ReadOptions, warn
from segscore.io.registry import SUFFIXES, format_named, recognise
from segscore.io.zips import unpacked
from segscore.provenance import PLAIN, Provenance
from segscore.records import Record

PathLike = str | os.PathLike[str]


def read(
    path: PathLike,
    format: str | None = None,  # noqa: A002
    *,
    coders: Scope | None = None,
    coder: str | None = None,
    encoding: str | None = None,
    units: str | None = None,
    policy: Policy = "error",
    layer: str | None = None,
    remark: Callable[[str], None] = warn,
) -> Corpus:
    """Read a file, or all files of a folder, into a corpus.

    Parameters
    ----------
    path
        A file, a folder, or a zip archive, which is read like a folder. In a folder, files with
        the suffix of a format are read, in subfolders too; hidden ones are not.
    format
        The name of a format (docs/formats.md); by default suffix and content tell.
    coders
        Whether coder names are `global` or `local` to a document; by default as the file has it,
        and global where it does not say.
    coder
        The name of the coder where a format does not name one; by default the name of the file or
        folder, and `reference` for files `….ref`.
    encoding
        Of text files; by default UTF-8 (Choi's: or else latin-1).
    units, policy, layer
        For files of annotation tools, which hold spans or times (docs/readers.md): what a unit is
        (`lines`, `sentences`, `seconds:6` …), what to do about spans that do not fit the units
        (`error`, `snap`, `keep-start`), and which tier, layer or label holds the segments.
    remark
        Is told what the policy did; by default it is a warning.
    """
    choices = ReadOptions(units, policy, layer, remark)
    with unpacked(path) as top:
        found = sources(top, format, coder, encoding, choices, path)
        records = (record for source, kind in found for record in kind.read(source))
        return Corpus.from_rows(records, coders=coders, provenance=provenance_of(found))


def read_records(
    path: PathLike,
    format: str | None = None,  # noqa: A002
    *,
    coder: str | None = None,
    encoding: str | None = None,
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> Iterator[Record]:
    """The same as a stream of records, which holds little at a time."""
    with unpacked(path) as top:
        for source, kind in sources(top, format, coder, encoding, choices, path):
            yield from kind.read(source)


def read_columns(
    path: PathLike,
    format: str | None = None,  # noqa: A002
    *,
    coder: str | None = None,
    encoding: str | None = None,
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> Columns:
    """The same in columns, for scoring."""
    with unpacked(path) as top:
        found = sources(top, format, coder, encoding, choices, path)
        if len(found) == 1 and found[0][1].name == "jsonl":
            return jsonl.read_columns(found[0][0])
        records = (record for source, kind in found for record in kind.read(source))
        return Columns.from_records(records, str(path), provenance_of(found))


def provenance_of(found: list[tuple[Source, Format]]) -> Provenance:
    """How the units of these files are formed; formats with units of their own take no options."""
    source, kind = found[0]
    choices = source.choices
    return Provenance.of(choices.units, choices.policy, choices.layer) if kind.chooses else PLAIN


def sources(
    path: PathLike,
    name: str | None,
    coder: str | None,
    encoding: str | None,
    choices: ReadOptions = DEFAULT_OPTIONS,
    called: PathLike | None = None,
) -> list[tuple[Source, Format]]:
    """The files to read under a path, with their formats; `called` is how messages call it."""
    if coder is not None and (not isinstance(coder, str) or not coder):
        raise SegmentationError(f"coder is {shown(coder)}: expected a name")
    top = Path(path)

    shown_top = top if called is None else Path(called)

    def made(file: Path, document: str) -> Source:
        who = coder or _coder(file, top)
        name = str(shown_top / file.relative_to(top)) if shown_top != top else None
        return Source(file, document, who, encoding, coder is not None, choices, name)

    if not top.is_dir():
        kind = format_named(name) if name is not None else recognise(top)
        _tell_unused(shown_top, kind, choices)
        return [(made(top, top.stem), kind)]
    files = _files(top, SUFFIXES if name is None else frozenset(format_named(name).suffixes))
    found = []
    for file in files:
        kind = format_named(name) if name is not None else recognise(file)
        document = file.relative_to(top).with_suffix("").as_posix()
        found.append((made(file, document), kind))
    kinds = {kind.name: source.path for source, kind in found}
    if len(kinds) > 1:
        seen = ", ".join(f"{file} ({kind})" for kind, file in kinds.items())
        raise SegmentationError(
            f"{top} holds files of several formats: {seen}: expected one, or format= to choose"
        )
    _tell_unused(shown_top, found[0][1], choices)
    return found


def _tell_unused(path: Path, kind: Format, choices: ReadOptions) -> None:
    if choices.units is not None and not kind.chooses:
        choices.remark(f"{path}: units={choices.units!r} is not used: {kind.name} has its own")


def _coder(file: Path, top: Path) -> str:
    """What to call the coder of a file that names none."""
    return REFERENCE if file.suffix.lower() == ".ref" else top.stem or top.resolve().name


def _files(top: Path, suffixes: frozenset[str]) -> list[Path]:
    """The files of a folder and its subfolders that have one of the suffixes, ch2 before ch10."""
    found: list[Path] = []
    others: list[str] = []
    for folder, folders, names in os.walk(top, onerror=_raise):
        folders[:] = sorted((one for one in folders if not one.startswith(".")), key=_natural)
        for one in sorted((one for one in names if not one.startswith(".")), key=_natural):
            if Path(one).suffix.lower() in suffixes:
                found.append(Path(folder, one))
            else:
                others.append(one)
    if not found:
        raise SegmentationError(
            f"{top} has no file with suffix {', '.join(sorted(suffixes))}: expected some; there is "
            f"{named(others)}"
        )
    return found


def _raise(error: OSError) -> None:
    """By default os.walk passes over folders that it cannot read."""
    raise error


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts digits by their value: shorter numbers first."""
    digits = re.split("([0-9]+)", name)
    return [
        (len(part.lstrip("0")), part.lstrip("0")) if index % 2 else (0, part)
        for index, part in enumerate(digits)
    ]
