"""`segscore adjudicate CODINGS`: decide where coders differ, place by place, and write gold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.options import CodersOption, CodingsArgument, FormatOption
from segscore.cli.output import remark
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError, number_of

if TYPE_CHECKING:
    from segscore.coders.adjudication import AdjudicationCase, AdjudicationRule
    from segscore.corpus.corpus import Corpus

PAGES = (".html", ".htm")
SHEETS = (".csv",)


def run(
    *,
    codings: CodingsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            rich_help_panel=Section.OUTPUT,
            metavar="FILE",
            help="The page (.html), or the sheet of decisions (.csv); with --decisions, gold.",
        ),
        Written("-o"),
    ] = Path("adjudicate.html"),
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions",
            rich_help_panel=Section.PEOPLE,
            metavar="FILE",
            help="Apply the decisions of this sheet, and write gold; with -o FILE.csv, write the "
            "sheet again, with names.",
        ),
    ] = None,
    within: Annotated[
        int,
        typer.Option(
            "--within",
            rich_help_panel=Section.PEOPLE,
            min=0,
            help="How far apart, in units, the marks of one place may be.",
        ),
    ] = 1,
    accept: Annotated[
        float,
        typer.Option(
            "--accept",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE",
            help="Accept a place without asking where this share of coders mark the same unit.",
        ),
    ] = 1.0,
    reject: Annotated[
        float,
        typer.Option(
            "--reject",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE",
            help="Drop a place without asking if less than this share of coders mark it.",
        ),
    ] = 0.0,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind",
            rich_help_panel=Section.PAGES,
            help="Hide the names of coders: the page holds no names, and numbers change from "
            "document to document.",
        ),
    ] = False,
    coder: Annotated[
        str,
        typer.Option(
            "--coder",
            rich_help_panel=Section.PEOPLE,
            metavar="NAME",
            help="The name of the gold coder.",
        ),
    ] = "gold",
    title: Annotated[
        str | None,
        typer.Option("--title", rich_help_panel=Section.PAGES, help="The heading of the page."),
    ] = None,
    source: FormatOption = None,
    coders: CodersOption = None,
    reading: ReadingOptions,
) -> None:
    """Write a page that turns the codings of several people into gold.

    The page needs no network. It shows the text, everyone's marks beside it, and the places that
    wait for you. It exports gold (JSON Lines of the kind `consensus`, which `agree` never counts as
    a person) and every decision (CSV). To decide in a spreadsheet instead, write the sheet (-o
    decisions.csv), fill in its column `decision`, and apply it (--decisions).

    Boundaries keep levels (ranks) if all people gave some: the median level of the people who mark
    the unit, unless you choose another. --text names transcripts: the page shows their speakers and
    times.
    Types and labels of segments are not adjudicated. Systems have no vote.
    """
    from segscore.coders.adjudication import AdjudicationRule, adjudication_cases

    corpus = _read(codings, source, coders, reading)
    rule = AdjudicationRule(within, accept, reject)
    cases = adjudication_cases(corpus, rule)
    suffix = output.suffix.lower()
    if decisions is None and suffix not in (*PAGES, *SHEETS):
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a page (.html) or a sheet of decisions (.csv); gold "
            "is written by the page, or from a sheet with --decisions FILE"
        )
    if suffix in PAGES:
        _refuse_decisions(output, decisions)
        _write_page(corpus, cases, output, rule, blind, coder, title, reading)
        return
    _refuse_of_page(blind, title)
    if decisions is None:
        _write_sheet(cases, output)
        _tell_levels(cases, "the column level of the sheet changes that")
    else:
        _apply(cases, decisions, output, coder, reading)


def _read(
    codings: list[Path], source: str | None, coders: CodersOption, reading: ReadingOptions
) -> "Corpus":
    """The codings, with their texts from the same folder or from --text."""
    from segscore.io.texts_beside import read_several_with_texts

    corpus = read_several_with_texts(codings, source, coders=coders, choices=reading.options)
    reading.check()
    return corpus


def _write_page(
    corpus: "Corpus",
    cases: "list[AdjudicationCase]",
    output: Path,
    rule: "AdjudicationRule",
    blind: bool,
    coder: str,
    title: str | None,
    reading: ReadingOptions,
) -> None:
    from segscore.coders.adjudication import not_adjudicated
    from segscore.pages.adjudicate_page import adjudication_page

    text = reading.options.text
    adjudication_page(
        corpus, output, within=rule.within, accept=rule.accept, reject=rule.reject, blind=blind,
        coder=coder, title=title, texts=text if isinstance(text, str | Path) else None,
        remark=remark,
    )  # fmt: skip
    for line in not_adjudicated(cases):
        remark(line)
    _tell_levels(cases, "the page lets you choose another")
    remark(f"wrote {output}: {_how_many(cases)}", one_line=True)


def _refuse_decisions(output: Path, decisions: Path | None) -> None:
    if decisions is not None:
        raise SegmentationError(
            f"-o is {str(output)!r}, and --decisions is given: expected -o gold.jsonl, which they "
            "make"
        )


def _tell_levels(cases: "list[AdjudicationCase]", change: str) -> None:
    """Remark how levels are decided, if people gave some."""
    from segscore.coders.adjudication import (
        LEVELS_BY_DEFAULT,
        places_of_different_levels,
        with_levels,
    )

    if with_levels(cases):
        n = places_of_different_levels(cases)
        differ = f"; people gave different levels at {number_of(n, 'place')}"
        remark(f"levels: {LEVELS_BY_DEFAULT}; {change}{differ if n else ''}")


def _refuse_of_page(blind: bool, title: str | None) -> None:
    for option, given in {"--blind": blind, "--title": title is not None}.items():
        if given:
            raise SegmentationError(f"{option} is for the page: expected -o FILE.html with it")


def _write_sheet(cases: "list[AdjudicationCase]", output: Path) -> None:
    from segscore.coders.decision_sheet import write_decision_sheet

    write_decision_sheet(cases, output)
    remark(
        f"wrote {output}: {_how_many(cases)}; fill in the column decision (a position, or drop), "
        "and apply the sheet with --decisions",
        one_line=True,
    )


def _apply(
    cases: "list[AdjudicationCase]",
    decisions: Path,
    output: Path,
    coder: str,
    reading: ReadingOptions,
) -> None:
    from segscore.coders.adjudication import gold_corpus, not_adjudicated
    from segscore.coders.decision_sheet import read_decision_sheet, write_decision_sheet
    from segscore.io import write

    decided = read_decision_sheet(decisions, cases, reading.options.encoding)
    if output.suffix.lower() in SHEETS:
        write_decision_sheet(cases, output, decided)
        remark(f"wrote {output}", one_line=True)
        return
    gold = gold_corpus(cases, decided, coder)
    write(gold, output)
    for line in not_adjudicated(cases):
        remark(line)
    n = sum(len(document[coder].boundaries) for document in gold.values())
    found = "1 boundary" if n == 1 else f"{n:,} boundaries"
    remark(f"wrote {output}: {found} in {_documents(len(gold))}", one_line=True)


def _how_many(cases: "list[AdjudicationCase]") -> str:
    places = sum(len(case.places) for case in cases)
    waiting = sum(case.n_open for case in cases)
    if not waiting:
        return f"the rule decides all {places:,} places in {_documents(len(cases))}"
    wait = "waits" if waiting == 1 else "wait"
    return (
        f"{waiting:,} of {places:,} places in {_documents(len(cases))} {wait} for a person; the "
        "rule decides the others"
    )


def _documents(number: int) -> str:
    return "1 document" if number == 1 else f"{number:,} documents"
