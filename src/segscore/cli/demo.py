"""`segscore demo`: scores, agreement and a comparison, on embedded data and a core install."""

from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from segscore.cli.commands import OUTPUT, option
from segscore.cli.streams import print_out

METRICS = ["pk", "windowdiff", "f1(tolerance=1)", "s", "b"]
GUIDELINES = "Click between two lines where a new part begins. Press *Done*, then *Export*."


def run(
    folder: Path = option(
        "--folder", OUTPUT, "Where to write two pages and a file.", "FOLDER", Path()
    ),
) -> None:
    """Show what segscore does, on two small sets of real codings.

    Prints three tables; writes two pages, and a file of codings for the first commands.
    """
    import segscore as ss
    from segscore.datasets import find, load
    from segscore.simulate import Errors, UniformSizes, coders, references
    from segscore.simulate.sample_codings import KUBLA_KHAN
    from segscore.tables import Column, Table

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

    people = load("stargazer")
    show(
        "PEOPLE. Seven readers say where the topic of an article changes",
        ss.agreement(people).summary(),
    )

    lines = (find("kubla_khan") / "poem.txt").read_text("utf-8").splitlines()
    drawn = references(UniformSizes(5, 15), 8, n=40, rng=1997)
    codings = {f"simulated {n:02}": {"reference": ref} for n, ref in enumerate(drawn, 1)}
    codings["Kubla Khan"] = {f"reader {n}": c for n, c in load("kubla_khan")["kubla_khan"].items()}
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
