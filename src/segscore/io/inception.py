"""INCEpTION's (and WebAnno's) project export: an archive whose layout names documents and coders.

    exportedproject.json
    annotation/DOCUMENT/USER.zip      (or USER.xmi, USER.json, USER.tsv)
    curation/DOCUMENT/CURATION_USER.zip

An inner archive holds one annotated document and, for XMI, a type system, which is not needed.
`INITIAL_CAS` belongs to no user. Curated documents are not read together with those of the users:
they are a result, not a coder. To score against them, unpack the archive and read its folder
`curation`.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from segscore.errors import SegmentationError

_PROJECT = "exportedproject.json"
_NOBODY = ("INITIAL_CAS",)


def is_project(folder: Path) -> bool:
    """Whether a folder is an unpacked project export."""
    return (folder / _PROJECT).is_file() and (folder / "annotation").is_dir()


def has_inner_archives(folder: Path) -> bool:
    """Whether some annotations are still packed."""
    return next((folder / "annotation").glob("*/*.zip"), None) is not None


def unpack_inner(folder: Path, unpack: Callable[[Path, Path], None]) -> None:
    """Put what an inner archive USER.zip holds beside it, called USER.xmi (or .json, .tsv)."""
    for archive in sorted((folder / "annotation").glob("*/*.zip")):
        inside = archive.with_suffix(".unpacked")
        inside.mkdir()
        unpack(archive, inside)
        found = [
            one for one in sorted(inside.rglob("*")) if one.is_file() and not _is_aside(one)
        ]  # fmt: skip
        if len(found) != 1:
            names = ", ".join(one.name for one in found) or "none"
            raise SegmentationError(
                f"{archive}: it holds {len(found)} annotated documents ({names}): expected one"
            )
        found[0].rename(archive.with_suffix(found[0].suffix))
        shutil.rmtree(inside)
        archive.unlink()


def _is_aside(path: Path) -> bool:
    return path.name.lower() == "typesystem.xml" or path.name.startswith(".")


def project_files(folder: Path) -> list[tuple[Path, str, str]]:
    """(file, document, coder) of each annotated document."""
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
