"""`segscore consensus CODINGS`: the boundaries that enough coders mark, as a reference."""

from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import Section
from segscore.cli.options import (
    CodersOption,
    CodingsArgument,
    FormatOption,
    IgnoreTextOption,
    LossyOption,
    ToOption,
)
from segscore.cli.output import OutputOption, remark
from segscore.cli.reading_options import ReadingOptions
from segscore.cli.streams import print_out
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus
    from segscore.pairing.consensus_rule import AtLeast

FAR_FEWER = 0.6  # of the boundaries of people: a reference that has fewer leaves much out


def run(
    *,
    codings: CodingsArgument,
    at_least: Annotated[
        str,
        typer.Option(
            "--at-least",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE",
            help="Share of coders who must mark a boundary: with 0.5, 3 of 6 are enough; majority: "
            "more than half (4 of 6), so that a tie is no boundary; union: any coder.",
        ),
    ] = "0.5",
    within: Annotated[
        int,
        typer.Option(
            "--within",
            rich_help_panel=Section.PEOPLE,
            help="Distance in units within which boundaries of different coders count for the same "
            "place. Each boundary counts once, for the best supported place.",
        ),
    ] = 0,
    output: OutputOption = None,
    to_format: ToOption = None,
    source: FormatOption = None,
    lossy: LossyOption = False,
    coders: CodersOption = None,
    ignore_text: IgnoreTextOption = False,
    reading: ReadingOptions,
) -> None:
    """Build a reference from boundaries that enough coders marked.

    Each document gets one coding, by the coder `consensus`, ready to be REF of `score` and
    `compare`; `segscore compare FILE --reference consensus:0.5` does the same in one step. Its kind
    is `consensus`, so that `agree` and other commands never count it as a person. Coders that the
    file calls systems have no vote.
    """
    from segscore.coders.boundary_support import consensus
    from segscore.corpus.record import fields_from_record
    from segscore.io import write

    if output is None and to_format is not None:
        raise SegmentationError(f"--to is {to_format!r}: expected -o FILE beside it")
    corpus = reading.read(codings, source, coders=coders, ignore_text=ignore_text)
    reading.check()
    agreed = consensus(corpus, share(at_least), within)
    if all(len(codings) == 1 for codings in corpus.values()):
        remark("each document has one coder, so that the consensus is what they marked")
    else:
        remark(how_many(corpus, agreed, within))
    if output is not None:
        write(agreed, output, to_format, lossy=lossy)
        return
    import json

    for record in agreed.records():
        print_out(json.dumps(fields_from_record(record), ensure_ascii=False))


def how_many(people: "Corpus", agreed: "Corpus", within: int) -> str:
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
    return sentence if within else f"{sentence}; with --within 1, {apart}"


def share(text: str) -> "AtLeast":
    """The value of --at-least."""
    words: dict[str, AtLeast] = {"majority": "majority", "union": "union"}
    if text in words:
        return words[text]
    try:
        return float(text)
    except ValueError:
        raise SegmentationError(
            f"--at-least is {text!r}: expected a share above 0 and up to 1, majority or union"
        ) from None
