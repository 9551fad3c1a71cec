"""`segscore annotate TEXTS… -o annotate.html`: a page in which people place boundaries, or, by the
suffix of -o, a sheet for several of them."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.output import remark
from segscore.cli.reading_options import TextReadOption, keys_in, names_in
from segscore.errors import SegmentationError, number_of
from segscore.io.compressed import suffix_of

_SHEETS = (".csv", ".xlsx")

TextsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="TEXT…",
        help="Text files, each a document; folders of them; subtitles and transcripts; corpora "
        "that hold their texts, such as our JSON Lines with units.",
    ),
]
PageOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        rich_help_panel=Section.OUTPUT,
        metavar="FILE",
        help="What to write: a page (.html), or with --names a sheet (.csv, or .xlsx, which needs "
        "segscore[excel]).",
    ),
    Written("-o"),
]
NamesOption = Annotated[
    str | None,
    typer.Option(
        "--names",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME,…",
        help="The names of the people who will mark in a sheet, a column for each.",
    ),
]
TitleOption = Annotated[
    str | None,
    typer.Option("--title", rich_help_panel=Section.PAGES, help="The heading of the page."),
]
RoundOption = Annotated[
    str | None,
    typer.Option(
        "--round",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME",
        help="The name of a round or project: a browser keeps the work of each apart.",
    ),
]
GuidelinesOption = Annotated[
    Path | None,
    typer.Option(
        "--guidelines",
        rich_help_panel=Section.PAGES,
        metavar="FILE",
        help="What coders should know, in Markdown: shown beside the text, or on the second sheet "
        "of .xlsx.",
    ),
]
LevelsOption = Annotated[
    int,
    typer.Option(
        "--levels",
        rich_help_panel=Section.PEOPLE,
        metavar="NUMBER",
        help="How many levels a boundary can have, 1 to 6; 1 is the most prominent.",
    ),
]
LabelsOption = Annotated[
    str | None,
    typer.Option(
        "--labels",
        rich_help_panel=Section.PEOPLE,
        metavar="LABEL,…",
        help="Labels to choose from for each segment, separated by commas.",
    ),
]
TitlesOption = Annotated[
    bool,
    typer.Option(
        "--titles",
        rich_help_panel=Section.PEOPLE,
        help="Let coders give each segment a title of their own.",
    ),
]
CoderOption = Annotated[
    str | None,
    typer.Option(
        "--coder",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME",
        help="The name of the person who will use the page; by default the page asks once.",
    ),
]
ShuffleOption = Annotated[
    bool,
    typer.Option(
        "--shuffle",
        rich_help_panel=Section.PEOPLE,
        help="Show documents in an order that depends on the name of the coder.",
    ),
]
PrefillOption = Annotated[
    Path | None,
    typer.Option(
        "--prefill",
        rich_help_panel=Section.PEOPLE,
        metavar="FILE",
        help="Codings to correct, one per document, such as those of a system. The export names "
        "their coder.",
    ),
]
PracticeOption = Annotated[
    Path | None,
    typer.Option(
        "--practice",
        rich_help_panel=Section.PEOPLE,
        metavar="FILE",
        help="Gold for some documents, which come first: when such a document is done, the page "
        "shows which boundaries match, are near, missed or extra.",
    ),
]
UnitsOption = Annotated[
    str | None,
    typer.Option(
        "--units",
        "-u",
        rich_help_panel=Section.READING,
        metavar="RULE",
        help="What a unit is: sentences, paragraphs, lines, words or characters; by default "
        "sentences, paragraphs in Markdown, and in recordings each timed utterance.",
    ),
]


def run(
    *,
    texts: TextsArgument,
    output: PageOption = Path("annotate.html"),
    names: NamesOption = None,
    title: TitleOption = None,
    round: RoundOption = None,  # noqa: A002
    guidelines: GuidelinesOption = None,
    levels: LevelsOption = 1,
    labels: LabelsOption = None,
    titles: TitlesOption = False,
    coder: CoderOption = None,
    shuffle: ShuffleOption = False,
    prefill: PrefillOption = None,
    practice: PracticeOption = None,
    units: UnitsOption = None,
    read: TextReadOption = None,
) -> None:
    """Write a page or a sheet in which people mark boundaries.

    The page needs no network and no server: mail it, and open it in a browser. It saves each
    change, and `segscore agree` reads its export directly.

    A sheet (-o sheet.xlsx or sheet.csv) has a row per unit and a column for each of --names. An x
    in a row means that a new segment starts there, as the sheet itself explains. A completed sheet
    is read without any options: segscore agree sheet.csv.
    """
    counts: list[str] = []

    def counted(documents: int, units: int) -> None:
        counts.append(f"{number_of(documents, 'document')}, {number_of(units, 'unit')}")

    if (names is None) == (suffix_of(output) in _SHEETS):
        raise SegmentationError(
            "--names and -o FILE.csv or FILE.xlsx go together: expected both for a sheet, or "
            f"neither for a page; -o is {str(output)!r}"
        )
    if names is not None:
        from segscore.io.people_sheets import write_sheet

        coders = names_in(names)
        written = write_sheet(
            texts, output, coders=coders, guidelines=guidelines, units=units, remark=remark,
            counted=counted, **keys_in(read, "text_encoding", "large"),
        )  # fmt: skip
        *others, last = coders
        people = f"each for {', '.join(others)} and {last}" if others else f"for {last}"
        remark(f"wrote {written}: {counts[0]}, a column {people}", one_line=True)
        return
    from segscore.pages.annotate_page import annotation_page

    written = annotation_page(
        texts,
        output,
        title=title,
        round=round,
        guidelines=guidelines,
        levels=levels,
        labels=[] if labels is None else labels.split(","),
        titles=titles,
        coder=coder,
        shuffle=shuffle,
        prefill=prefill,
        practice=practice,
        units=units,
        remark=remark,
        counted=counted,
        **keys_in(read, "text_encoding", "large"),
    )
    remark(f"wrote {written}: {counts[0]}", one_line=True)
