"""All formats by name: our own, and those of other packages."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.plugins import Plugin, load_plugins, warn_left_out
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io import compressed
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats import (
    brat,
    chapters,
    choi,
    chunks,
    coding_table,
    csv_long,
    csv_wide,
    doccano,
    elan,
    gaps,
    headed_text,
    interval_files,
    json_records,
    jsonl,
    label_rows,
    label_studio,
    segeval,
    speech,
    subtitles,
    textgrid,
    uima,
    webanno,
    wiki727k,
)
from segscore.io.table_files import TABLES

# Where several formats share a suffix and look alike, the one that asks for more comes first.
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        jsonl.FORMAT, segeval.JSON, csv_long.FORMAT, segeval.TSV, csv_wide.LEVELS,
        coding_table.FORMAT, csv_wide.WIDE, choi.FORMAT, gaps.FORMAT, chunks.FORMAT,
        label_rows.FORMAT,
        # those of annotation tools, which are only read
        wiki727k.FORMAT, headed_text.MARKDOWN, headed_text.TEXT, subtitles.VTT, subtitles.SRT,
        chapters.YOUTUBE, chapters.YT_DLP, label_studio.FORMAT, doccano.FORMAT, brat.FORMAT,
        textgrid.FORMAT, elan.FORMAT, interval_files.AUDACITY, interval_files.LAB, webanno.FORMAT,
        uima.XMI, uima.JSON, speech.RTTM, speech.CTM, speech.TRANSCRIPT, json_records.FORMAT,
    )
}  # fmt: skip
WRITTEN = {name: one for name, one in FORMATS.items() if one.is_written}
SUFFIXES = frozenset(
    (*TABLES, *(suffix for one in FORMATS.values() for suffix in one.suffixes if not one.alone))
)


def format_named(name: str) -> Format:
    """The format of that name."""
    known = FORMATS if isinstance(name, str) and name in FORMATS else all_formats()
    if not isinstance(name, str) or name not in known:
        raise SegmentationError(f"no format is called {shown(name)}: expected {', '.join(known)}")
    return known[name]


@cache
def all_formats() -> dict[str, Format]:
    """Our formats and those of other packages (see `segscore.basics.plugins`), by name."""
    found = load_plugins("segscore.readers", FORMATS, _check_plugin)
    return {**FORMATS, **{name: _guarded(one) for name, one in found.items()}}


def _check_plugin(name: str, given: Any) -> None:
    if not isinstance(given, Format):
        raise ValueError(f"it is {shown(given)}: expected a segscore.io.Format")
    if given.name != name:
        raise ValueError(f"the format calls itself {given.name!r}: expected {name!r}")


def _guarded(plugin: Plugin) -> Format:
    """A format of another package, whose mistakes are errors that name it."""
    kind: Format = plugin.value

    def read(source: Source) -> Iterator[Record]:
        try:
            yield from kind.read(source)
        except (SegmentationError, OSError):
            raise
        except Exception as error:
            raise source.fail(
                f"reader {plugin.name!r} of package {plugin.package!r} failed: "
                f"{type(error).__name__}: {error}"
            ) from error

    def matches(lines: list[str]) -> bool:
        try:
            return kind.matches(lines)
        except Exception as error:
            warn_left_out("segscore.readers", plugin.name, plugin.package, error)
            return False

    return replace(kind, read=read, matches=matches)


def all_suffixes() -> frozenset[str]:
    """The suffixes of files that are read from a folder."""
    return SUFFIXES | {
        suffix for one in formats_of_others() for suffix in one.suffixes if not one.alone
    }


def formats_of_others() -> list[Format]:
    """The formats of other packages."""
    return [one for name, one in all_formats().items() if name not in FORMATS]


def suffixes_of(kind: Format) -> frozenset[str]:
    """The suffixes of files that a format is read from."""
    return frozenset((*kind.suffixes, *((".csv", ".tsv", *TABLES) if kind.tabular else ())))


def to_write(path: Path, name: str | None) -> Format:
    """The format in which to write a file: as named, or by its suffix."""
    if name is not None:
        kind = format_named(name)
        if not kind.is_written:
            raise SegmentationError(
                f"{kind.title} ({name}) can be read, but not written: expected {', '.join(WRITTEN)}"
            )
        return kind
    suffix = compressed.suffix_of(path)
    called = [one for one in WRITTEN.values() if suffix in one.suffixes]
    if not called:
        suffixes = sorted({suffix for one in WRITTEN.values() for suffix in one.suffixes})
        raise SegmentationError(
            f"{path}: the format is not clear: expected format=, one of {', '.join(WRITTEN)}, or "
            f"a suffix, one of {', '.join(suffixes)}"
        )
    return called[0]
