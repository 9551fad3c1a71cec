"""The definition of a format: its names, what it can hold, and how to recognise, read and write
it."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus

# What a record may have besides a document, a coder and boundaries, and what messages call it.
FEATURES = {
    "units": "the text of the units",
    "labels": "labels of segments",
    "types": "types of boundaries",
    "ranks": "ranks of boundaries",
    "levels": "levels with labels of their own",
    "candidates": "candidates",
    "kind": "who is a person and who a system",
    "group": "groups of documents",
    "local": "that coder names are local to a document",
    "no coding": "a document without a coding",
    "failure": "why an output gave no coding",
    "annotation": "what an annotation page recorded about a coding",
}
# The keywords of `read` that only some formats use; the others are for all.
KEYS = (
    "allow-gaps", "base", "columns", "document-name", "durations", "each-heading", "gaps",
    "keep-headings", "layer", "lenient", "marks", "overlap", "policy", "separator", "shape",
    "similarity", "snap", "word-times",
)  # fmt: skip
SPANS, TIMED = "layer policy", "durations policy word-times"  # of text, and of time
TIERS = f"layer {TIMED}"
_OF_TEXTS = ("keep-headings", "snap")
MOST_SPELLED = 10**7  # units of a document in formats that spell out each


@dataclass(frozen=True)
class Format:
    """A file format.

    name: the name for `format=`. title: the name in messages. suffixes: the first is used for
    writing. holds: which FEATURES it can keep. matches: whether the first lines of a file look like
    it. signs: texts of which at least one occurs in the first lines of each such file (for a table:
    in its header, in lower case); if none does, `matches` is not called.
    read: the records of a file. write: all records into one text file; or else files: (name, text)
    of each file of a corpus, for formats that hold one document, or one coding, per file; or save:
    a corpus into a file that is not text; formats of annotation tools have none of these, and are
    only read. keys: the keywords of `read` that are about it, beside those for all. chooses:
    whether it takes the caller's choices of units and policy. alone: whether it is read from a
    folder only if named, because files with its suffix are likely to be something else. tabular:
    whether it is read from tables of any kind: .csv, .tsv, Excel, Parquet and Arrow.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    holds: frozenset[str]
    matches: Callable[[list[str]], bool]
    read: Callable[[Source], Iterator[Record]]
    write: Callable[[Iterable[Record], TextIO], None] | None = None
    files: "Callable[[Corpus, bool], Iterator[tuple[str, Iterable[str]]]] | None" = None
    chooses: bool = False
    alone: bool = False
    tabular: bool = False
    signs: tuple[str, ...] = ()
    save: "Callable[[Corpus, str | os.PathLike[str]], None] | None" = None
    keys: str = ""

    @property
    def used_keys(self) -> frozenset[str]:
        """The keys about it; the headings of any text may be kept, as in chunks of it."""
        return frozenset((*self.keys.split(), *(_OF_TEXTS if "units" in self.holds else ())))

    @property
    def is_json(self) -> bool:
        """Whether its files are JSON, which begins with { or [."""
        return ".json" in self.suffixes or ".jsonl" in self.suffixes

    @property
    def is_written(self) -> bool:
        """Whether we write it, too."""
        return any(writer is not None for writer in (self.write, self.files, self.save))


def tool_format(
    name: str,
    title: str,
    suffixes: str,
    holds: str,
    matches: Callable[[list[str]], bool],
    read: Callable[[Source], Iterator[Record]],
    *signs: str,
    keys: str,
    alone: bool = False,
) -> Format:
    """A format of a tool: it is read-only, and takes the caller's choices of units and policy.

    suffixes, holds, keys: lists separated by spaces. The other parameters are those of `Format`.
    """
    kept = frozenset(holds.split())
    return Format(
        name, title, tuple(suffixes.split()), kept, matches, read,
        chooses=True, alone=alone, signs=signs, keys=keys,
    )  # fmt: skip


def told_by_suffix(lines: list[str]) -> bool:  # noqa: ARG001
    """The `matches` of formats that any text could have: the suffix or the caller decides."""
    return False


def features(record: Record) -> set[str]:
    """The FEATURES that a record has."""
    coding = record.segmentation
    found = {name for name in ("units", "labels", "kind", "group", "annotation")
             if getattr(record, name) is not None}  # fmt: skip
    if record.local:
        found.add("local")
    if record.failure is not None:
        found.add("failure")
    elif coding is None:
        found.add("no coding")
    else:
        found |= {name for name in ("types", "ranks", "candidates") if getattr(coding, name)
                  is not None}  # fmt: skip
        if isinstance(coding, Levels):
            found.add("levels")
    return found


def fitting(records: Iterable[Record], kind: Format, lossy: bool) -> Iterator[Record]:
    """The records as the format can hold them: what it cannot hold raises an error, or is
    removed."""
    if kind.holds >= FEATURES.keys():
        yield from records
        return
    for record in records:
        surplus = features(record) - kind.holds
        if surplus and not lossy:
            held = ", ".join(text for name, text in FEATURES.items() if name in surplus)
            raise SegmentationError(
                f"{record.where}: {kind.title} ({kind.name}) cannot hold {held}: expected another "
                "format (jsonl holds everything), or lossy=True to leave it out"
            )
        if not surplus:
            yield record
        elif record.segmentation is not None:
            yield _without(record, record.segmentation, surplus)


def _without(record: Record, coding: Segmentation, surplus: set[str]) -> Record:
    def kept(owner: object, name: str) -> object:
        return None if name in surplus else getattr(owner, name)

    if surplus & {"types", "ranks", "candidates", "labels", "levels"}:
        details = {name: kept(coding, name) for name in ("types", "ranks", "candidates")}
        labels = None if "labels" in surplus else coding.segment_labels
        coding = Segmentation.from_boundaries(
            coding.boundaries,
            coding.n_units,
            segment_labels=labels,
            **details,  # type: ignore[arg-type]
        )
    return replace(
        record,
        segmentation=coding,
        local=record.local and "local" not in surplus,
        labels=None,  # the segmentation has them, if they are kept
        **{name: kept(record, name) for name in ("units", "kind", "group", "annotation")},  # type: ignore[arg-type]
    )


def spelled_out(record: Record, title: str) -> Segmentation:
    """The coding, if it is short enough for a format that spends bytes on each unit."""
    coding = record.segmentation
    if coding is None or coding.n_units > MOST_SPELLED:
        raise SegmentationError(
            f"{record.where}: {record.n_units} units: {title} spells out each unit, and expected "
            f"at most {MOST_SPELLED}"
        )
    return coding
