"""`segscore data`: the corpora that papers use; `segscore data fetch NAME` gets them.
`segscore metrics [NAME]`: the metrics and segmenters, or what one of them is.
`segscore demo`: scores, agreement and a comparison, on embedded data and a core install."""

import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer

from segscore import datasets
from segscore.cli.commands import OUTPUT, OWN, Command, argument, option, with_groups
from segscore.cli.output import Output, print_out, remark
from segscore.tables import Column, Table

if TYPE_CHECKING:
    from segscore.datasets.catalogue import Dataset
    from segscore.datasets.fetching import Progress


def list_by_default(context: typer.Context, output: Output) -> None:
    """List and fetch the corpora that papers use."""
    if context.invoked_subcommand is None:
        listing(output)


def listing(output: Output) -> None:
    """List the corpora: what, whose, terms, size, and which papers need them."""
    rows = [
        {
            "name": dataset.name,
            "what": dataset.title,
            "mb": None if dataset.embedded else dataset.size / 2**20,
            "here": "in the package"
            if dataset.embedded
            else "yes"
            if datasets.place_of(dataset)
            else "no",
            "papers": ", ".join(dataset.papers),
            "terms": dataset.terms,
            "citation": dataset.citation,
            "home": dataset.repository or None,
            "commit": dataset.commit or None,
        }
        for dataset in datasets.DATASETS.values()
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
        *(f"{dataset.name}: {dataset.citation}" for dataset in datasets.DATASETS.values()),
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
    chosen = list(datasets.DATASETS) if names == ["all"] else names
    for source in [datasets.dataset(name) for name in chosen]:
        accepted = accept or datasets.place_of(source) is not None or _asked(source)
        print_out(str(datasets.fetch(source.name, accepted, _bar)))


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
    from rich.progress import DownloadColumn, Progress

    columns = *Progress.get_default_columns(), DownloadColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=size or None)
    bar.start()

    def advance(block: int) -> None:
        bar.update(task, advance=block)
        if size and bar.tasks[0].completed >= size:
            bar.stop()

    return advance


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
app.callback(invoke_without_command=True)(with_groups(list_by_default))
app.command("list", cls=Command)(with_groups(listing))
app.command("fetch", cls=Command)(with_groups(fetching))


# ---- metrics and segmenters ----


def run_metrics(
    name: str | None = argument("NAME", "A metric or a segmenter.", None),
) -> None:
    """List metrics and segmenters, or explain one of them.

    -m takes a metric, --method a segmenter, each with its parameters in brackets: "wd(k=3)".
    """
    from segscore.metrics import all_metrics, metric
    from segscore.metrics.names import in_any_case, metric_title
    from segscore.segmenters.by_name import all_segmenters

    metrics, segmenters = all_metrics(), all_segmenters()
    if name is None:
        print_out("Metrics (-m):")
        _print_list({each: metric_title(each) for each in metrics})
        print_out("\nSegmenters (--method):")
        _print_list({each: _summary(make) for each, make in segmenters.items()})
        return
    known = in_any_case(name, segmenters)
    if known in segmenters:
        print_out(f"{known}: a segmenter\n")
        print_out(_doc(segmenters[known]))
        return
    made = metric(name)
    print_out(f"{made}: {metric_title(made.name) or 'a metric'}: {made.how_to_read()}\n")
    print_out(inspect.getdoc(type(made)) or "")
    print_out(f"\nSignature: {made.signature()}")


def _print_list(lines: Mapping[str, str]) -> None:
    width = max(map(len, lines))
    for name, line in lines.items():
        print_out(f"  {name:{width}}  {line}".rstrip())


def _doc(make: Any) -> str:
    """The docstring of a segmenter's class; a partial has one of its own."""
    return inspect.getdoc(getattr(make, "func", make)) or ""


def _summary(make: Any) -> str:
    return " ".join(_doc(make).partition("\n\n")[0].split())


# ---- a demonstration ----

METRICS = ["pk", "windowdiff", "f1(tolerance=1)", "s", "b"]
GUIDELINES = "Click between two lines where a new part begins. Press *Done*, then *Export*."


def run_demo(
    folder: Path = option(
        "--folder", OUTPUT, "Where to write two pages and a file.", "FOLDER", Path()
    ),
) -> None:
    """Show what segscore does, on two small sets of real codings.

    Prints three tables; writes two pages, and a file of codings for the first commands.
    """
    import segscore as ss
    from segscore.simulate import Errors, UniformSizes, coders, references
    from segscore.simulate.sample_codings import KUBLA_KHAN

    width = get_terminal_size((100, 24)).columns

    def show(heading: str, result: Any) -> None:
        print_out(f"{heading}\n\n{result.render('text', width)}\n")

    manual, *cuts = (ss.Segmentation.from_masses(masses) for masses in KUBLA_KHAN.values())
    rows = [
        [error, *(float(ss.metric(name)(manual, cut)) for name in METRICS)]
        for error, cut in zip(list(KUBLA_KHAN)[1:], cuts, strict=True)
    ]
    scores = Table([Column("error"), *(Column(name, digits=3) for name in METRICS)], rows)
    show("ONE TEXT. Eleven lines in segments of 2, 3 and 6, and what four errors cost", scores)

    people = datasets.load("stargazer")
    show(
        "PEOPLE. Seven readers say where the topic of an article changes",
        ss.agreement(people).summary(),
    )

    lines = (datasets.find("kubla_khan") / "poem.txt").read_text("utf-8").splitlines()
    drawn = references(UniformSizes(5, 15), 8, n=40, rng=1997)
    codings = {f"simulated {n:02}": {"reference": ref} for n, ref in enumerate(drawn, 1)}
    codings["Kubla Khan"] = {
        f"reader {n}": c for n, c in datasets.load("kubla_khan")["kubla_khan"].items()
    }
    corpus = ss.Corpus.from_dict(codings, units={"Kubla Khan": lines})
    kinds = {"one off": Errors(near_misses=0.6), "invents": Errors(false_positives=0.4)}
    truth = [ss.consensus(corpus[name]) for name in codings]
    systems = {}
    for name, errors in kinds.items():
        drawn = [document["1"] for document in coders(truth, errors, 1, rng=1997).values()]
        systems[name] = dict(zip(codings, drawn, strict=True))
    comparison = ss.compare(corpus, systems=systems, metrics=["windowdiff", "b"], human=False)
    show("SYSTEMS. Two simulated programs, 41 documents", comparison)

    folder.mkdir(parents=True, exist_ok=True)
    ss.write(people, folder / "demo-codings.jsonl")
    page = ss.report(comparison, folder / "demo-report.html", command="segscore demo")
    form = ss.pages.annotate(
        {"Kubla Khan": lines}, folder / "demo-annotate.html", guidelines=GUIDELINES
    )
    print_out(
        f"""Open in a browser: {page} (the comparison, document by document)
                   {form} (mark a poem yourself)

Next, with the seven readers' codings or with files of your own:

  segscore score demo-codings.jsonl --reference 1 -m pk -m b
  segscore agree demo-codings.jsonl
  segscore report demo-codings.jsonl -o people.html
"""
    )
