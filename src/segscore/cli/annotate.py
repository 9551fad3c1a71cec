"""`segscore annotate TEXTS… -o annotate.html`: a page in which people place boundaries, or, by the
suffix of -o, a sheet for several of them.
`segscore adjudicate CODINGS`: decide where coders differ, place by place, and write gold."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, argument, option
from segscore.cli.output import remark
from segscore.corpus.corpus import Scope
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


def run_annotate(
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
    units: str | None = opts.TEXT_UNITS,
    read: list[str] | None = opts.TEXT_READ,
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
    common: dict[str, Any] = {
        "guidelines": guidelines,
        "units": units,
        "remark": remark,
        "counted": counted,
        **opts.keys_in(read, "text_encoding", "large"),
    }
    if names is not None:
        from segscore.io.writing import write_sheet

        coders = opts.names_in(names)
        written = write_sheet(texts, output, coders=coders, **common)
        *others, last = coders
        people = f"each for {', '.join(others)} and {last}" if others else f"for {last}"
        remark(f"wrote {written}: {counts[0]}, a column {people}", one_line=True)
        return
    from segscore.pages.annotate_page import annotation_page

    settings = vars(page) | {"labels": page.labels.split(",") if page.labels is not None else []}
    written = annotation_page(texts, output, **settings, **common)
    remark(f"wrote {written}: {counts[0]}", one_line=True)


# ---- gold ----

PAGES = (".html", ".htm")


def run_adjudicate(
    *,
    codings: list[Path] = opts.CODINGS,
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
    source: str | None = opts.FORMAT,
    coders: Scope | None = opts.CODERS,
    reading: opts.ReadingOptions,
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
    from segscore.coders import gold
    from segscore.io.texts import read_with_texts
    from segscore.pages.annotate_page import adjudication_page

    corpus = read_with_texts(codings, source, choices=replace(reading.options, coders=coders))
    reading.finish()
    cases = gold.adjudication_cases(corpus, gold.AdjudicationRule(within, accept, reject))
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
    for line in gold.not_adjudicated(cases):
        remark(line)
    if gold.with_levels(cases):
        n = gold.places_of_different_levels(cases)
        differ = f"; people gave different levels at {number_of(n, 'place')}"
        choice = "the page lets you choose another"
        remark(f"levels: {gold.LEVELS_BY_DEFAULT}; {choice}{differ if n else ''}")
    places = sum(len(case.places) for case in cases)
    waiting = sum(case.n_open for case in cases)
    counts = f"{places:,} places in {number_of(len(cases), 'document')}"
    if waiting:
        wait = "waits" if waiting == 1 else "wait"
        done = f"{waiting:,} of {counts} {wait} for a person; the rule decides the others"
    else:
        done = f"the rule decides all {counts}"
    remark(f"wrote {output}: {done}", one_line=True)
