"""`segscore feedback GOLD PERSON…`: how each person differs from a reference."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.options import FormatOptions, IgnoreTextOption
from segscore.cli.output import Output, remark, write_page
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.coders.person_feedback import Feedback
    from segscore.tables import Table


_DEVICES = {  # of Windows, which takes no file of such a name, whatever its suffix
    "CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10)),
}  # fmt: skip


class FeedbackPart(StrEnum):
    """The available tables."""

    PEOPLE = "people"
    DOCUMENTS = "documents"
    PLACES = "places"


GoldArgument = Annotated[
    Path, typer.Argument(metavar="GOLD", help="The reference: a file or a folder.")
]
PeopleArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PERSON…", help="Files or folders; for instance one per person."),
]
CoderOption = Annotated[
    str | None,
    typer.Option(
        "--reference",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="The coder of GOLD who is the reference, if there are several. consensus:0.5 is what "
        "half of them mark.",
    ),
]
PersonOption = Annotated[
    str | None,
    typer.Option(
        "--person",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="Only this person of PERSON.",
    ),
]
NearOption = Annotated[
    int,
    typer.Option(
        "--n-t",
        rich_help_panel=Section.METRICS,
        min=1,
        help="A boundary less than this number of positions away is a near miss; 2 allows one "
        "unit.",
    ),
]
ShowOption = Annotated[
    list[FeedbackPart] | None,
    typer.Option(
        "--show",
        rich_help_panel=Section.OUTPUT,
        metavar="TABLE",
        help=f"A table to show: {', '.join(FeedbackPart)}. May be repeated. By default people if "
        "there are several, documents and places if there is one.",
    ),
]
PagesOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        rich_help_panel=Section.PAGES,
        metavar="FILE",
        help="Also write an HTML page for the person; for several people a folder, in which each "
        "gets NAME.html.",
    ),
    Written("--report"),
]


def run(
    *,
    gold: GoldArgument,
    people: PeopleArgument = None,
    reference: CoderOption = None,
    person: PersonOption = None,
    n_t: NearOption = 2,
    show: ShowOption = None,
    report: PagesOption = None,
    ignore_text: IgnoreTextOption = False,
    formats: FormatOptions,
    output: Output,
    reading: ReadingOptions,
) -> None:
    """Show annotators where they differ from a reference.

    The tables show matches, near misses, missed and extra boundaries, and habits. Each person is
    judged on the documents that they coded. Without PERSON, GOLD also holds the people: its
    consensus, or --reference CODER, is the reference for all others. -o page.html writes the page
    for one person, as --report does.
    """
    from segscore.coders.person_feedback import feedback_for_each

    left = reading.read(gold, formats.both[0], more_follow=bool(people), ignore_text=ignore_text)
    right = reading.read(people, formats.both[1], ignore_text=ignore_text) if people else None
    reading.check()
    found = feedback_for_each(
        left, right, reference=reference, coder=person, n_t=n_t, ignore_text=ignore_text,
        remark=remark,
    )  # fmt: skip
    if output.chosen_form == "html" and output.file is not None and not show:
        _write_pages(found, output.file)
    else:
        output.show(_tables(found, show or [], output))
    if report is not None:
        _write_pages(found, report)


def _tables(
    found: "list[Feedback]", asked: list[FeedbackPart], output: Output
) -> "dict[str, Table]":
    """The requested tables, or the usual tables; a single table if the format is CSV."""
    from segscore.coders.person_feedback import documents_table, people_table, places_table

    makers = {
        FeedbackPart.PEOPLE: people_table,
        FeedbackPart.DOCUMENTS: documents_table,
        FeedbackPart.PLACES: places_table,
    }
    usual = (
        [FeedbackPart.PEOPLE] if len(found) > 1 else [FeedbackPart.DOCUMENTS, FeedbackPart.PLACES]
    )
    wanted = list(dict.fromkeys(asked)) or usual
    if output.chosen_form == "csv" and len(wanted) > 1:
        if asked:
            raise SegmentationError("--show is given more than once: expected one table for CSV")
        remark(f"CSV holds one table, here {wanted[0].value}; --show chooses another")
        wanted = wanted[:1]
    return {part.value: makers[part](found) for part in wanted}


def _write_pages(found: "list[Feedback]", path: Path) -> None:
    """Write the page of one person, or a folder of pages."""
    if len(found) == 1 and not path.is_dir():
        write_page(found[0], path)
        return
    if path.suffix.lower() in (".html", ".htm"):
        raise SegmentationError(
            f"{path} is one page, and there are {len(found)} people: expected a folder, or "
            "--person CODER"
        )
    files = {feedback.coder: path / f"{_file_name(feedback.coder)}.html" for feedback in found}
    if len({file.name.casefold() for file in files.values()}) < len(files):
        raise SegmentationError(
            f"two people would have the same file in {path}: expected names that differ in more "
            "than their signs and capitals; --person CODER writes one page"
        )
    path.mkdir(parents=True, exist_ok=True)
    for feedback in found:
        write_page(feedback, files[feedback.coder])


def _file_name(coder: str) -> str:
    """A file name that every system accepts: any character but letters, digits, dots and dashes
    becomes `_`, and the name of a Windows device gets a `_`.

    >>> _file_name("Ann B./x"), _file_name(".."), _file_name("con"), _file_name("Con.2")
    ('Ann_B._x', '_', 'con_', 'Con_.2')
    """
    kept = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in coder)
    first, dot, rest = kept.strip(".")[:100].partition(".")
    if first.upper() in _DEVICES:
        first += "_"
    return f"{first}{dot}{rest}" or "_"
