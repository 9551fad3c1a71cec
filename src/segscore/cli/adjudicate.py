"""`segscore adjudicate CODINGS`: decide where coders differ, place by place, and write gold."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from segscore.cli.commands import OUTPUT, OWN, option
from segscore.cli.options import CODERS, CODINGS, FORMAT, ReadingOptions
from segscore.cli.output import remark
from segscore.corpus.corpus import Scope
from segscore.errors import SegmentationError, number_of

if TYPE_CHECKING:
    from segscore.coders.gold import AdjudicationCase

PAGES = (".html", ".htm")


def run(
    *,
    codings: list[Path] = CODINGS,
    output: Path = option(
        "--output -o", OUTPUT, "The page (.html).", "FILE", Path("adjudicate.html")
    ),
    within: int = option(
        "--within", OWN, "How far apart marks of a place may be.", "UNITS", 1, min=0
    ),
    accept: float = option(
        "--accept", OWN, "Accept what this share marks, by default 1.", "SHARE", 1.0
    ),
    reject: float = option("--reject", OWN, "Drop what less than this share marks.", "SHARE", 0.0),
    blind: bool = option("--blind", OWN, "Hide the names of coders."),
    coder: str = option("--coder", OWN, "The gold coder: gold.", "NAME", "gold"),
    title: str | None = option("--title", OWN, "The heading of the page.", "TEXT"),
    source: str | None = FORMAT,
    coders: Scope | None = CODERS,
    reading: ReadingOptions,
) -> None:
    """Write a page that turns the codings of several people into gold.

    The page needs no network. It shows the text, everyone's marks beside it, and the places that
    you still have to decide. It exports gold (JSON Lines of the kind `consensus`, which `agree`
    never counts as a person), and every decision as a readable table (CSV).

    Boundaries keep levels (ranks) if all people gave some: the median level of the people who mark
    the unit, unless you choose another. --text names transcripts: the page shows their speakers and
    times.
    Types and labels of segments are not adjudicated. Systems have no vote.
    """
    from segscore.coders.gold import AdjudicationRule, adjudication_cases, not_adjudicated
    from segscore.io.texts import read_with_texts
    from segscore.pages.annotate_page import adjudication_page

    corpus = read_with_texts(codings, source, choices=replace(reading.options, coders=coders))
    reading.finish()
    cases = adjudication_cases(corpus, AdjudicationRule(within, accept, reject))
    if output.suffix.lower() not in PAGES:
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a page (.html); gold is written by the page"
        )
    text = reading.options.text
    adjudication_page(
        corpus,
        output,
        within=within,
        accept=accept,
        reject=reject,
        blind=blind,
        coder=coder,
        title=title,
        texts=text if isinstance(text, str | Path) else None,
        remark=remark,
    )
    for line in not_adjudicated(cases):
        remark(line)
    _tell_levels(cases)
    remark(f"wrote {output}: {_how_many(cases)}", one_line=True)


def _tell_levels(cases: "list[AdjudicationCase]") -> None:
    """Remark how levels are decided, if people gave some."""
    from segscore.coders.gold import (
        LEVELS_BY_DEFAULT,
        places_of_different_levels,
        with_levels,
    )

    if with_levels(cases):
        n = places_of_different_levels(cases)
        differ = f"; people gave different levels at {number_of(n, 'place')}"
        choice = "the page lets you choose another"
        remark(f"levels: {LEVELS_BY_DEFAULT}; {choice}{differ if n else ''}")


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
