"""All formats by name, and how the format of a file is recognised."""

import re
from pathlib import Path

from segscore.arguments import shown
from segscore.errors import SegmentationError
from segscore.io.base import Format
from segscore.io.formats import (
    brat,
    chapters,
    choi,
    csv_long,
    doccano,
    elan,
    gaps,
    headed_text,
    intervals,
    jsonl,
    label_studio,
    segeval_json,
    segeval_tsv,
    subtitles,
    textgrid,
    uima,
    webanno,
    wiki727k,
)
from segscore.io.formats import csv_levels as levels
from segscore.io.formats import csv_wide as wide

# Where several formats share a suffix and look alike, the one that asks for more comes first.
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        jsonl.FORMAT, segeval_json.FORMAT, csv_long.FORMAT, segeval_tsv.FORMAT, levels.FORMAT,
        wide.FORMAT, choi.FORMAT, gaps.FORMAT,
        # those of annotation tools, which are only read
        wiki727k.FORMAT, headed_text.MARKDOWN, headed_text.TEXT, subtitles.VTT, subtitles.SRT,
        chapters.YOUTUBE, chapters.YT_DLP, label_studio.FORMAT, doccano.FORMAT, brat.FORMAT,
        textgrid.FORMAT, elan.FORMAT, intervals.AUDACITY, intervals.LAB, webanno.FORMAT, uima.XMI,
        uima.JSON,
    )
}  # fmt: skip
WRITTEN = {name: one for name, one in FORMATS.items() if one.is_written}
SUFFIXES = frozenset(suffix for one in FORMATS.values() for suffix in one.suffixes if not one.alone)

_HEAD = 2**16  # bytes that are looked at


def format_named(name: str) -> Format:
    """The format of that name."""
    if not isinstance(name, str) or name not in FORMATS:
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
        head = _decoded(stream.read(_HEAD))
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
        kind = format_named(name)
        if not kind.is_written:
            raise SegmentationError(
                f"{kind.title} ({name}) is read, and not written: expected {', '.join(WRITTEN)}"
            )
        return kind
    called = [one for one in by_suffix(path) if one.is_written]
    if not called:
        suffixes = sorted({suffix for one in WRITTEN.values() for suffix in one.suffixes})
        raise SegmentationError(
            f"{path}: the format is not clear: expected format=, one of {', '.join(WRITTEN)}, or "
            f"a suffix, one of {', '.join(suffixes)}"
        )
    return called[0]


def _decoded(head: bytes) -> str:
    """The first bytes of a file as text, good enough to look at."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", errors="replace")
    return head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
