"""Parse the values of reading options: names, pairs of names, columns, durations."""

import re
from pathlib import Path

from segscore.corpus.table_columns import PARTS
from segscore.errors import SegmentationError, nearest
from segscore.io.coder_choice import read_renames


def names_in(given: str | None) -> tuple[str, ...]:
    """`a,b,c` as names."""
    return () if given is None else tuple(part.strip() for part in given.split(",") if part.strip())


def pairs_in(given: list[str] | None, option: str, encoding: str | None) -> dict[str, str]:
    """{old: new} from OLD=NEW, and from CSV files with two columns."""
    found: dict[str, str] = {}
    for text in given or ():
        old, mark, new = (part.strip() for part in text.partition("="))
        if mark and (not old or not new):
            raise SegmentationError(f"{option} is {text!r}: expected OLD=NEW, or a CSV file")
        if not mark and not Path(text).is_file():
            raise SegmentationError(
                f"{option} is {text!r}, and there is no such file: expected OLD=NEW, or a CSV file"
            )
        for name, other in ({old: new} if mark else read_renames(text, encoding)).items():
            if found.setdefault(name, other) != other:
                raise SegmentationError(f"{option}: {name!r} is listed twice: expected it once")
    return found


_BETWEEN_PARTS = re.compile(r",(?=\s*\w+\s*=|\s*$)")  # the name of a column may have commas, too


def columns_in(given: list[str]) -> dict[str, str]:
    """{part: column} from `part=column,part=column`."""
    found: dict[str, str] = {}
    for pair in (part for text in given for part in _BETWEEN_PARTS.split(text)):
        part, mark, name = pair.partition("=")
        if not mark or not name.strip():
            raise SegmentationError(
                f"--map has {pair!r}: expected PART=COLUMN, PART one of {', '.join(PARTS)}"
            )
        if part.strip() not in PARTS:
            raise SegmentationError(
                f"--map has {pair!r}, and no part is called {part.strip()!r}"
                f"{nearest(part.strip(), PARTS)}"
            )
        if part.strip() in found:
            raise SegmentationError(f"--map: {part.strip()} is listed twice: expected it once")
        found[part.strip()] = name.strip()
    return found


def durations_in(path: Path | None) -> dict[str, float]:
    """The durations of recordings, by name."""
    if path is None:
        return {}
    from segscore.io.document_lists import read_durations

    return read_durations(path)
