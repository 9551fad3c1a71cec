"""`segscore annotate TEXTS… -o annotate.html`: a page in which people place boundaries, or, by the
suffix of -o, a sheet for several of them."""

from dataclasses import dataclass
from pathlib import Path

from segscore.cli.commands import OUTPUT, OWN, argument, option
from segscore.cli.options import TEXT_READ, TEXT_UNITS, keys_in, names_in
from segscore.cli.output import remark
from segscore.errors import SegmentationError, number_of
from segscore.io.files import suffix_of

_SHEETS = (".csv", ".xlsx")


@dataclass(kw_only=True)
class PageOptions:
    """What a page shows and asks for; named as in the library."""

    title: str | None = option("--title", OWN, "The heading of the page.", "TEXT")
    round: str | None = option("--round", OWN, "Its name: browsers keep rounds apart.", "NAME")
    levels: int = option("--levels", OWN, "Levels of a boundary, 1 to 6.", "NUMBER", 1)
    labels: str | None = option(
        "--labels", OWN, "Labels to choose from for each segment.", "LABEL,…"
    )
    titles: bool = option("--titles", OWN, "Coders give each segment a title.")
    coder: str | None = option("--coder", OWN, "Who will use the page; else it asks once.", "NAME")
    shuffle: bool = option("--shuffle", OWN, "Each coder's own order of documents.")
    prefill: Path | None = option("--prefill", OWN, "Codings to correct, one per document.", "FILE")
    practice: Path | None = option("--practice", OWN, "Gold of documents to practise on.", "FILE")


def run(
    *,
    texts: list[Path] = argument(
        "TEXT…", "Texts, folders of them, transcripts, corpora with text."
    ),
    output: Path = option(
        "--output -o",
        OUTPUT,
        "A page (.html), or a sheet (.csv, .xlsx).",
        "FILE",
        Path("annotate.html"),
    ),
    names: str | None = option(
        "--names", OWN, "People who mark in a sheet, a column each.", "NAME,…"
    ),
    guidelines: Path | None = option(
        "--guidelines", OWN, "What coders should know, in Markdown.", "FILE"
    ),
    page: PageOptions,
    units: str | None = TEXT_UNITS,
    read: list[str] | None = TEXT_READ,
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

    is_sheet = suffix_of(output) in _SHEETS
    if (names is None) == is_sheet or not (is_sheet or suffix_of(output) in (".html", ".htm")):
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a page (.html), or with --names a sheet (.csv, .xlsx)"
        )
    if names is not None:
        from segscore.io.writing import write_sheet

        coders = names_in(names)
        written = write_sheet(
            texts,
            output,
            coders=coders,
            guidelines=guidelines,
            units=units,
            remark=remark,
            counted=counted,
            **keys_in(read, "text_encoding", "large"),
        )
        *others, last = coders
        people = f"each for {', '.join(others)} and {last}" if others else f"for {last}"
        remark(f"wrote {written}: {counts[0]}, a column {people}", one_line=True)
        return
    from segscore.pages.annotate_page import annotation_page

    settings = vars(page) | {"labels": page.labels.split(",") if page.labels is not None else []}
    written = annotation_page(
        texts,
        output,
        guidelines=guidelines,
        units=units,
        remark=remark,
        counted=counted,
        **settings,
        **keys_in(read, "text_encoding", "large"),
    )
    remark(f"wrote {written}: {counts[0]}", one_line=True)
