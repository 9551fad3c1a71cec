"""`segscore data`: the corpora that papers use; `segscore data fetch NAME` gets them."""

import sys
from typing import TYPE_CHECKING

import typer

from segscore.cli.commands import OWN, Command, argument, option, with_groups
from segscore.cli.output import Output, remark
from segscore.cli.streams import print_out

if TYPE_CHECKING:
    from segscore.datasets.catalogue import Dataset
    from segscore.datasets.fetching import Progress


def run(context: typer.Context, output: Output) -> None:
    """List and fetch the corpora that papers use."""
    if context.invoked_subcommand is None:
        listing(output)


def listing(output: Output) -> None:
    """List the corpora: what, whose, terms, size, and which papers need them."""
    from segscore.datasets import DATASETS, place_of
    from segscore.tables import Column, Table

    rows = [
        {
            "name": dataset.name,
            "what": dataset.title,
            "mb": None if dataset.embedded else dataset.size / 2**20,
            "here": "in the package" if dataset.embedded else "yes" if place_of(dataset) else "no",
            "papers": ", ".join(dataset.papers),
            "terms": dataset.terms,
            "citation": dataset.citation,
            "home": dataset.repository or None,
            "commit": dataset.commit or None,
        }
        for dataset in DATASETS.values()
    ]
    columns = [
        Column("corpus", key="name"),
        Column("what"),
        Column("MB", key="mb", digits=1),
        Column("here", drop_order=2),
        Column("papers", drop_order=1),
        Column("terms", drop_order=3),
        Column("citation", audience="machines"),
        Column("home", audience="machines"),
        Column("commit", audience="machines"),
    ]
    notes = [
        "segscore data fetch NAME gets a corpus from its public home; we redistribute nothing",
        *(f"{dataset.name}: {dataset.citation}" for dataset in DATASETS.values()),
    ]
    output.show(Table(columns, rows, notes))


def fetching(
    names: list[str] = argument("NAME…", "Corpora, or all."),
    accept: bool = option("--accept-terms", OWN, "Accept the terms of these corpora."),
) -> None:
    """Fetch corpora into the user's cache.

    If the environment variable SEGSCORE_DATA names a folder, they go there instead. Each file is
    checked against its SHA-256, and interrupted downloads are resumed. The path of each corpus is
    printed.
    """
    from segscore.datasets import DATASETS, dataset, fetch, place_of

    chosen = list(DATASETS) if names == ["all"] else names
    for source in [dataset(name) for name in chosen]:
        accepted = accept or place_of(source) is not None or _asked(source)
        print_out(str(fetch(source.name, accepted, _bar)))


def _asked(source: "Dataset") -> bool:
    """Ask, on a terminal, whether the terms are accepted; False elsewhere."""
    from segscore.datasets.fetching import accepted

    if accepted(source):
        return True
    remark(f"{source.name}: {source.title}. {source.citation}. Terms: {source.terms}")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return typer.confirm(f"Fetch {source.size / 2**20:.1f} MB under these terms?", err=True)


def _bar(what: str, size: int) -> "Progress":
    """A progress bar on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        return lambda _: None
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=size or None)
    bar.start()

    def advance(block: int) -> None:
        bar.update(task, advance=block)
        if size and bar.tasks[0].completed >= size:
            bar.stop()

    return advance


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
app.callback(invoke_without_command=True)(with_groups(run))
app.command("list", cls=Command)(with_groups(listing))
app.command("fetch", cls=Command)(with_groups(fetching))
