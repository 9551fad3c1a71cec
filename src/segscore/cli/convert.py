"""`segscore convert SOURCE… TARGET`: from one file format to another, or, by --consensus, from
people to what enough of them marked."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import ForceOption, Section, refuse_overwriting
from segscore.cli.options import CodersOption, FormatOption, LossyOption, ToOption
from segscore.cli.output import remark
from segscore.cli.reading_options import CleaningOptions
from segscore.cli.streams import reader_may_leave
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus

FAR_FEWER = 0.6  # of the boundaries of people: a reference that has fewer leaves much out


def run(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE… TARGET", help="Files or folders, read as one; the file to write."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            rich_help_panel=Section.OUTPUT,
            metavar="FILE",
            help="The file to write; all other files are then sources.",
        ),
    ] = None,
    agreed: Annotated[
        str | None,
        typer.Option(
            "--consensus",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE[:WITHIN]",
            help="Write one coding per document: the boundaries that this share of its people "
            "marks. With 0.5, 3 of 6 are enough; majority: more than half (4 of 6), so that a tie "
            "is no boundary; union: anyone. majority:1 takes boundaries one unit apart for the "
            "same place; each counts once, for the best supported place.",
        ),
    ] = None,
    from_format: FormatOption = None,
    to_format: ToOption = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--coder",
            rich_help_panel=Section.READING,
            metavar="CODER",
            help="The coder of SOURCE, if the file does not name one.",
        ),
    ] = None,
    coders: CodersOption = None,
    lossy: LossyOption = False,
    force: ForceOption = False,
    reading: CleaningOptions,
) -> None:
    """Convert between formats, or people to their consensus.

    An error names what TARGET's format cannot hold (ranks, types, texts …); with --lossy it is left
    out. Formats: jsonl, segeval-json, segeval-tsv, csv, sheet (a spreadsheet with the text), wide,
    levels, choi, gaps; and SOURCE may be a file of an annotation tool (docs/readers.md).

    With --consensus each document gets one coding, by the coder `consensus`, ready to be REF of
    `score` and `compare`; `segscore compare FILE --reference consensus:0.5` does the same in one
    step. Its kind is `consensus`, so that `agree` and other commands never count it as a person.
    Coders that the file calls systems have no vote.
    """
    from segscore.io import convert, write
    from segscore.io.files import is_stream

    if output is None and agreed is not None:
        raise SegmentationError(
            "--consensus takes all files as sources: expected -o FILE beside it"
        )
    *sources, target = files if output is None else [*files, output]
    if not sources:
        raise SegmentationError("TARGET is missing: expected SOURCE… TARGET, or -o TARGET")
    if not force:
        refuse_overwriting("TARGET" if output is None else "-o", target, sources)
    if agreed is not None:
        people = reading.read(sources, from_format, coders=coders)
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
        )
    reading.check()


def _consensus(people: "Corpus", rule: str) -> "Corpus":
    """What enough people marked; remarks say how much that is."""
    from segscore.coders.boundary_support import consensus
    from segscore.pairing.consensus_rule import share_and_reach

    agreed = consensus(people, *share_and_reach(rule))
    if all(len(codings) == 1 for codings in people.values()):
        remark("each document has one coder, so that the consensus is what they marked")
    else:
        remark(_how_many(people, agreed, rule))
    return agreed


def _how_many(people: "Corpus", agreed: "Corpus", rule: str) -> str:
    """The number of boundaries of the reference and of people, with advice if it has far fewer."""
    from segscore.coders.boundary_support import boundaries_beside

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
