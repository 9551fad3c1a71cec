"""`segscore demo`: what segscore does, on embedded data."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from segscore.cli.help_sections import Section, short_help
from segscore.cli.option_groups import Written
from segscore.io.files import is_stream

WIDTH = 100  # where there is no terminal to ask
COMMANDS = """\
Now with your own files (segscore convert lists the formats):

  segscore score reference.jsonl system.jsonl
  segscore score codings.json --reference ann -m windowdiff -m "f1(tolerance=2)"
  segscore audit reference.jsonl system.jsonl --expect 0.2222
  segscore compare reference.jsonl system.jsonl
  segscore report reference.jsonl system.jsonl -o report.html
  segscore annotate chapter.txt -o annotate.html
  segscore agree codings.json
  segscore adjudicate codings.json -o adjudicate.html
  segscore consensus codings.json -o reference.jsonl
  segscore segment chapter.txt --method bayesseg
  segscore benchmark corpus.jsonl --method "c99 texttiling bayesseg"
  segscore simulate --help
  segscore convert codings.json codings.jsonl
  segscore reproduce
"""


@short_help(
    "--report --width",
    "segscore demo",
    "segscore demo --report demo-report.html --width 100",
)
def run(
    report: Annotated[
        Path,
        typer.Option(
            "--report",
            rich_help_panel=Section.PAGES,
            metavar="FILE",
            help="The page to write; open it in a browser.",
        ),
        Written("--report"),
    ] = Path("demo-report.html"),
    width: Annotated[
        int | None,
        typer.Option(
            "--width",
            rich_help_panel=Section.OUTPUT,
            min=1,
            help="Width of text in columns; by default the terminal's, or 100 if there is none.",
        ),
    ] = None,
) -> None:
    """Show what segscore does, on two small sets of real codings.

    Prints tables, and writes two pages: one shows documents one by one, and in the other you can
    mark a text.
    """
    from segscore.datasets import demonstration

    console = Console(width=width or (None if sys.stdout.isatty() else WIDTH))
    for section in demonstration.sections():
        console.print(f"\n{section.heading}", style="bold", highlight=False)
        console.print(section.words, highlight=False)
        console.print()
        console.print(section.table)
    console.print()
    console.print(COMMANDS, highlight=False, markup=False, end="")
    pages = [f"{demonstration.write_page(report).resolve()} (the same, document by document)"]
    if not is_stream(report):
        page = demonstration.write_annotation_page(_beside(report))
        pages.append(f"{page.resolve()} (mark a poem yourself)")
    sentence = f"Open in a browser: {', '.join(pages)}"
    console.print(f"\n{sentence}", highlight=False, markup=False, soft_wrap=True)


def _beside(report: Path) -> Path:
    """The name of the annotation page beside the report.

    >>> _beside(Path("demo-report.html")).name, _beside(Path("page.html")).name
    ('demo-annotate.html', 'page-annotate.html')
    """
    return report.with_name(f"{report.stem.removesuffix('-report')}-annotate.html")
