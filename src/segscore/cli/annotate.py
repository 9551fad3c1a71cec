"""`segscore annotate TEXTS… -o annotate.html`: a page in which people place boundaries, or, by the
suffix of -o, a sheet for several of them."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.option_groups import Section, Written, option
from segscore.cli.output import remark
from segscore.cli.reading_options import TextReadOption, TextUnitsOption, keys_in, names_in
from segscore.errors import SegmentationError, number_of
from segscore.io.compressed import suffix_of

OWN = Section.OWN
_SHEETS = (".csv", ".xlsx")

TextsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="TEXT…", help="Texts, folders of them, transcripts, corpora with text."),
]
PageOption = Annotated[
    Path,
    option("--output -o", Section.OUTPUT, "A page (.html), or a sheet (.csv, .xlsx).", "FILE"),
    Written("-o"),
]
NamesOption = Annotated[
    str | None, option("--names", OWN, "People who mark in a sheet, a column each.", "NAME,…")
]
TitleOption = Annotated[str | None, option("--title", OWN, "The heading of the page.", "TEXT")]
RoundOption = Annotated[
    str | None, option("--round", OWN, "A browser keeps the work of each apart.", "NAME")
]
GuidelinesOption = Annotated[
    Path | None, option("--guidelines", OWN, "What coders should know, in Markdown.", "FILE")
]
LevelsOption = Annotated[int, option("--levels", OWN, "Levels of a boundary, 1 to 6.", "NUMBER")]
LabelsOption = Annotated[
    str | None, option("--labels", OWN, "Labels to choose from for each segment.", "LABEL,…")
]
TitlesOption = Annotated[bool, option("--titles", OWN, "Coders give each segment a title.")]
CoderOption = Annotated[
    str | None, option("--coder", OWN, "Who will use the page; else it asks once.", "NAME")
]
ShuffleOption = Annotated[bool, option("--shuffle", OWN, "Each coder's own order of documents.")]
PrefillOption = Annotated[
    Path | None, option("--prefill", OWN, "Codings to correct, one per document.", "FILE")
]
PracticeOption = Annotated[
    Path | None, option("--practice", OWN, "Gold of documents to practise on first.", "FILE")
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
    units: TextUnitsOption = None,
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
