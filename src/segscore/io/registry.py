"""All formats by name, and how the format of a file is recognised."""

import re
from pathlib import Path

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.io import (
    choi,
    csv_long,
    gaps,
    jsonl,
    levels,
    segeval_json,
    segeval_tsv,
    wide,
)  # fmt: skip
from segscore.io.base import Format

# Where several formats share a suffix and look alike, the one that asks for more comes first.
FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT
    for module in (jsonl, segeval_json, csv_long, segeval_tsv, levels, wide, choi, gaps)
}
SUFFIXES = frozenset(suffix for one in FORMATS.values() for suffix in one.suffixes)

_HEAD = 2**16  # bytes that are looked at


def format_named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise SegmentationError(f"no format is called {shown(name)}: expected {', '.join(FORMATS)}")
    return FORMATS[name]


def by_suffix(path: Path) -> list[Format]:
    """The formats whose suffix a file has."""
    return [one for one in FORMATS.values() if path.suffix.lower() in one.suffixes]


def recognise(path: Path) -> Format:
    """The format of a file, by its suffix and its first lines.

    Content and suffix should agree. Where they do not, content that looks like exactly one format
    decides; where no format is recognised in the content, the suffix does, so that its reader can
    say what is wrong.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    lines = re.split("\r\n|\r|\n", head)
    likely = [one for one in FORMATS.values() if one.matches(lines)]
    called = by_suffix(path)
    both = [one for one in called if one in likely]
    if both:
        return both[0]
    if len(likely) == 1:
        return likely[0]
    if called and not likely:
        return called[0]
    raise SegmentationError(
        f"{path}: the format is not clear"
        + (f" (perhaps {', '.join(one.name for one in likely)})" if likely else "")
        + f": expected format=, one of {', '.join(FORMATS)}"
    )


def to_write(path: Path, name: str | None) -> Format:
    """The format in which to write a file: as named, or by its suffix."""
    if name is not None:
        return format_named(name)
    called = by_suffix(path)
    if not called:
        raise SegmentationError(
            f"{path}: the format is not clear: expected format=, one of {', '.join(FORMATS)}, or "
            f"a suffix, one of {', '.join(sorted(SUFFIXES))}"
        )
    return called[0]
