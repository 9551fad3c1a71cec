"""`segscore convert SOURCE… TARGET`: from one file format to another, or, by --consensus, from
people to what enough of them marked."""

from dataclasses import dataclass, replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, ClassVar

from segscore.basics.arguments import check_choice
from segscore.cli.commands import OUTPUT, OWN, READING, argument, option, refuse_overwriting
from segscore.cli.options import CODERS, FORMAT, LOSSY, TO, ReadingOptions
from segscore.cli.output import print_out, reader_may_leave, remark
from segscore.corpus.corpus import Scope
from segscore.errors import SegmentationError
from segscore.tables import Column, Table

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus


@dataclass(kw_only=True)
class CleaningOptions(ReadingOptions):
    """How files of codings are read, and what is cleaned."""

    cleaning: ClassVar[bool] = True

    def clean(self, corpus: "Corpus") -> "Corpus":
        """The people to keep, and people and labels by their new names."""
        chosen = self.keys.get("only_coders", corpus.coders)
        for name in self.keys.get("without_coders", ()):
            check_choice(name, "without_coders", corpus.coders)
            chosen = [each for each in chosen if each != name]
        if chosen is not corpus.coders:
            corpus = corpus.select(coders=chosen)
        return corpus.rename(self.keys.get("rename", {}), self.keys.get("rename_labels", {}))


FAR_FEWER = 0.6  # of the boundaries of people: a reference that has fewer leaves much out


def run_convert(
    *,
    files: list[Path] | None = argument(
        "SOURCE… TARGET", "Files or folders, read as one; the file to write.", None
    ),
    output: Path | None = option("--output -o", OUTPUT, "TARGET; all others are sources.", "FILE"),
    agreed: str | None = option(
        "--consensus", OWN, "0.5 (3 of 6), majority (4), union, 0.5:1.", "RULE"
    ),
    from_format: str | None = FORMAT,
    to_format: str | None = TO,
    coder: str | None = option("--coder", READING, "The coder, if no file names one.", "CODER"),
    coders: Scope | None = CODERS,
    lossy: bool = LOSSY,
    listed: bool = option("--list", OWN, "List the formats, with their keys for --read."),
    reading: CleaningOptions,
) -> None:
    """Convert between formats, or people to their consensus.

    Formats: jsonl, segeval-json, segeval-tsv, csv, sheet (a spreadsheet with the text), wide,
    levels, choi, gaps; SOURCE may be a file of an annotation tool (docs/readers.md).

    With --consensus each document gets one coding: the boundaries that this share of its people
    marks; with 0.5:1, marks one unit apart are the same place. Its kind is `consensus`, which
    `agree` never counts as a person; coders that the file calls systems have no vote.
    """
    from segscore.io import convert, write
    from segscore.io.files import is_stream

    if listed:
        print_out(formats_table().render("text", get_terminal_size((100, 24)).columns))
        return
    if output is None and agreed is not None:
        raise SegmentationError(
            "--consensus takes all files as sources: expected -o FILE beside it"
        )
    *sources, target = [*(files or ()), *([] if output is None else [output])] or [Path()]
    if not sources:
        raise SegmentationError("TARGET is missing: expected SOURCE… TARGET, or -o TARGET")
    refuse_overwriting("TARGET" if output is None else "-o", target, sources)
    if agreed is not None:
        people = reading.clean(reading.read(sources, from_format, coders=coders))
        write(_consensus(people, agreed), target, to_format, lossy=lossy)
        return
    if not is_stream(target):  # a pipe is part of something that says what it does
        reading.options.notes.receipt = "always"
    with reader_may_leave():  # TARGET may be /dev/stdout
        convert(
            sources,
            target,
            from_format=from_format,
            to_format=to_format,
            choices=replace(reading.options, coders=coders, coder=coder),
            lossy=lossy,
            clean=reading.clean,
        )
    reading.finish()


def formats_table() -> Table:
    """All formats, with the keys that are about each; the others are for all."""
    from segscore.io.format import KEYS, all_formats
    from segscore.io.read_keys import CLEANING, key_names
    from segscore.io.table_columns import PARTS

    rows = [
        [name, kind.title, " ".join(kind.suffixes), "yes" if kind.is_written else "", kind.keys]
        for name, kind in all_formats().items()
    ]
    columns = [Column(name) for name in ("format", "what", "suffixes", "written", "keys")]
    for_all = ", ".join(name for name in key_names() if name not in KEYS)
    only_here = ", ".join(name.replace("_", "-") for name in CLEANING)
    parts = ", ".join(part.replace("_", "-") for part in PARTS)
    notes = [
        f"for all formats: {for_all}",
        f"of convert alone: {only_here}",
        f"columns are PART=COLUMN; the parts are {parts}",
    ]
    return Table(columns, rows, notes)


def _consensus(people: "Corpus", rule: str) -> "Corpus":
    """What enough people marked; remarks say how much that is."""
    from segscore.coders.gold import consensus
    from segscore.pairing.rules import share_and_reach

    agreed = consensus(people, *share_and_reach(rule))
    if all(len(codings) == 1 for codings in people.values()):
        remark("each document has one coder, so that the consensus is what they marked")
    else:
        remark(_how_many(people, agreed, rule))
    return agreed


def _how_many(people: "Corpus", agreed: "Corpus", rule: str) -> str:
    """The number of boundaries of the reference and of people, with advice if it has far fewer."""
    from segscore.coders.gold import boundaries_beside

    made, median = boundaries_beside(people, agreed)
    tied = sum(len(annotation.unsure) for annotation in agreed.columns.annotations.values())
    drawn = f", {tied:,} of them drawn from equally supported units" if tied else ""
    sentence = (
        f"the consensus has {made:,} boundaries{drawn}; people have {median:,.10g} (the median of "
        "each document, added up)"
    )
    if made >= FAR_FEWER * median:
        return sentence
    sentence += f": it has {100 * made / median:.0f} % of that"
    apart = "boundaries one unit apart count as the same"
    share, _, within = rule.partition(":")
    return sentence if within else f"{sentence}; with --consensus {share}:1, {apart}"
