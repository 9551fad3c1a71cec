"""`segscore sheet TEXT… --names a,b -o sheet.csv`: a sheet in which people mark texts."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.output import remark
from segscore.cli.reading_options import TextReadOption, keys_in, names_in
from segscore.cli.text_counts import TextCounts

TextsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="TEXT…",
        help="Text files, each a document; folders of them; - is stdin; corpora that hold their "
        "texts, such as our JSON Lines with units.",
    ),
]
NamesOption = Annotated[
    str,
    typer.Option(
        "--names",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME,…",
        help="The names of the people who will mark, a column for each.",
    ),
]
SheetOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        rich_help_panel=Section.OUTPUT,
        metavar="FILE",
        help="The sheet to write: .csv, or .xlsx, which needs segscore[excel].",
    ),
    Written("-o"),
]
UnitsOption = Annotated[
    str | None,
    typer.Option(
        "--units",
        "-u",
        rich_help_panel=Section.READING,
        metavar="RULE",
        help="What a unit is: sentences, paragraphs, lines, words or characters; by default "
        "sentences, paragraphs in Markdown, and what is said at a time in recordings.",
    ),
]
GuidelinesOption = Annotated[
    Path | None,
    typer.Option(
        "--guidelines",
        rich_help_panel=Section.PAGES,
        metavar="FILE",
        help="Instructions for the people: a text file, shown on the second sheet of .xlsx.",
    ),
]


def run(
    *,
    texts: TextsArgument,
    names: NamesOption,
    output: SheetOption = Path("sheet.csv"),
    units: UnitsOption = None,
    guidelines: GuidelinesOption = None,
    read: TextReadOption = None,
) -> None:
    """Write a sheet in which people mark where segments start.

    It has a row per unit and a column per person.

    An x in a row means that a new segment starts there, as the sheet itself explains. A completed
    sheet is read without any options: segscore agree sheet.csv.
    """
    from segscore.io.people_sheets import write_sheet

    coders = names_in(names)
    counts = TextCounts()
    written = write_sheet(
        texts, output, coders=coders, guidelines=guidelines, units=units,
        remark=remark, counted=counts, **keys_in(read, "text_encoding", "large"),
    )  # fmt: skip
    *others, last = coders
    people = f"each for {', '.join(others)} and {last}" if others else f"for {last}"
    remark(f"wrote {written}: {counts}, a column {people}", one_line=True)
