"""`segscore agree CODINGS`: how well coders agree, who agrees with whom, and where; --person and
--reference: where people differ from a reference."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from segscore.basics.arguments import check_choice
from segscore.checking import check_coders
from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, STATISTICS, option
from segscore.cli.output import CheckedOutput, Output, remark, write_report
from segscore.coders import coefficients
from segscore.coders.coder_pairs import Null
from segscore.coders.places import USUAL_NUMBER
from segscore.corpus.corpus import Scope
from segscore.errors import SegmentationError
from segscore.metrics import metric as as_metric

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus
    from segscore.tables import Table


JUDGED = ("people", "documents", "places")  # the tables of people beside a reference


_SHOWN = f"{', '.join(coefficients.TABLES)}; with --person or --reference {', '.join(JUDGED)}."


LEVELS = (
    "The codings have levels, which this agreement does not use: -m t-measure tells whether coders "
    "agree on what lies below what, -m e-b how well on each level."
)


def run_agree(
    *,
    codings: list[Path] = opts.CODINGS,
    metrics: list[str] | None = option(
        "--metric -m", OWN, 'A symmetric similarity: b, s, "b(n_t=3)" …', "METRIC"
    ),
    show: list[str] | None = option("--show", OUTPUT, _SHOWN, "TABLE"),
    system: str | None = option("--system", OWN, "A system to compare with the people.", "CODER"),
    person: str | None = option(
        "--person", OWN, "Where a coder differs from --reference.", "CODER"
    ),
    reference: str | None = option(
        "--reference", OWN, "A coder, or consensus:0.5: who differs?", "CODER"
    ),
    coders: Scope | None = opts.CODERS,
    document: str | None = option(
        "--document", OWN, "Everyone's boundaries in a document.", "NAME"
    ),
    contested: str | None = option(
        "--contested", OWN, "List this many contested places.", "NUMBER|all"
    ),
    per_document: bool = option("--per-document", OUTPUT, "Tables with a row per document."),
    rounds: bool = option("--rounds", OWN, "Two CODINGS are two rounds: what changed?"),
    plan_width: float | None = option(
        "--plan-width", STATISTICS, "Documents needed for an interval of ± this.", "NUMBER"
    ),
    source: str | None = opts.FORMAT,
    null: Null = option(
        "--chance", STATISTICS, "Random coders: positions, or lengths.", "WHICH", "positions"
    ),
    draws: int | None = option(
        "--draws", STATISTICS, "Number of draws of random coders.", "NUMBER"
    ),
    ignore_text: bool = opts.IGNORE_TEXT,
    mask: list[str] | None = opts.MASK,
    seed: int = opts.SEED,
    output: CheckedOutput,
    reading: opts.ReadingOptions,
) -> None:
    """Measure how well coders agree on where the boundaries are.

    The answer is agreement corrected for chance with its interval, who lowers it, how many places
    are contested, and where to look; --show has other tables. With --person or --reference: where
    people differ from a reference; -o page.html writes a page for the person.
    """
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.coders.differences import compare_rounds
    from segscore.pairing.masks import cut_out

    def read(paths: list[Path]) -> "Corpus":
        try:
            corpus = reading.read(
                paths, source, coders=coders, more_follow=rounds, ignore_text=ignore_text
            )
        except SegmentationError as error:
            if len(paths) == 2 and "a second coding" in str(error):
                raise SegmentationError(f"{error}; or are these two rounds? --rounds") from None
            raise
        left_out = opts.mask_of(mask, corpus)
        return corpus if left_out is None else cut_out(corpus, left_out)

    metric = opts.one_metric(metrics)
    judged = person is not None or reference is not None
    for name in show or ():
        check_choice(name, "--show", JUDGED if judged else tuple(coefficients.TABLES))
    shown = list(dict.fromkeys(show or ()))
    if rounds:
        both = _two_rounds(codings, read)
        reading.finish()
        for corpus in () if output.unchecked else both.values():
            output.findings += check_coders(corpus)
        (first, before), (second, after) = both.items()
        found = compare_rounds(
            before, after, metric, names=(first, second), null=null, draws=draws, rng=seed
        )
        output.show(found.to_table())
        return
    corpus = read(codings)
    reading.finish()
    if judged:
        _show_feedback(corpus, reference, person, metric, ignore_text, shown, output)
        return
    if not output.unchecked:
        people = [coder for coder in corpus.coders if coder != system]
        output.findings += check_coders(corpus if system is None else corpus.select(coders=people))
    form = output.chosen
    rows: coefficients.Rows = "all" if form == "latex" and not per_document else "documents"
    number, pairs = _number_of(contested), CoderPairs(corpus)
    made = coefficients.AgreementTables(
        pairs, metric, system, null, draws, seed, document, number, plan_width, rows
    )
    implied = {"document": document, "contested": contested, "plan": plan_width}
    asked = [*shown, *(name for name, given in implied.items() if given is not None)]
    parts = _parts(list(dict.fromkeys(asked)), per_document, made, output)
    if null != "positions" and not coefficients.BY_CHANCE.intersection(parts):
        raise SegmentationError(
            f"--chance has no effect on --show {', '.join(parts)}: expected one of "
            f"{', '.join(sorted(coefficients.BY_CHANCE))}"
        )
    tables = made.make(parts)
    if "answer" in tables and form != "latex":  # a paper has no options
        tables["answer"] = _with_ways_on(tables["answer"], made)
    _tell_what_is_left_out(tables, rows, form)
    output.show(tables)


def _show_feedback(
    corpus: "Corpus",
    reference: str | None,
    person: str | None,
    metric: str,
    ignore_text: bool,
    asked: list[str],
    output: Output,
) -> None:
    """How people differ from a reference: tables, or the page of one person."""
    from segscore.coders.person_feedback import (
        documents_table,
        feedback_for_each,
        people_table,
        places_table,
    )

    found = feedback_for_each(
        corpus,
        reference=reference,
        coder=person,
        n_t=getattr(as_metric(metric), "n_t", 2),
        ignore_text=ignore_text,
        remark=remark,
    )
    if output.chosen == "html" and output.file is not None and not asked:
        if len(found) > 1:
            raise SegmentationError(
                f"{output.file} is one page, and there are {len(found)} people: expected "
                "--person CODER"
            )
        write_report(found[0], output.file)
        return
    wanted = asked or (["people"] if len(found) > 1 else ["documents", "places"])
    if output.chosen == "csv" and len(wanted) > 1:
        wanted = [_one_for_csv(asked, wanted[0])]
    makers = {"people": people_table, "documents": documents_table, "places": places_table}
    output.show({name: makers[name](found) for name in wanted})


def _one_for_csv(asked: Sequence[str], usual: str) -> str:
    """The table in CSV, which holds one: no more may be asked for."""
    if asked:
        raise SegmentationError("--show is given more than once: expected one table for CSV")
    remark(f"CSV holds one table, here {usual}; --show chooses another")
    return usual


def _tell_what_is_left_out(
    tables: "Mapping[str, Table]", rows: coefficients.Rows, form: str
) -> None:
    """Remark that LaTeX has no rows of documents, and CSV and JSON not all contested places."""
    if rows == "all" and coefficients.WITH_ALL.intersection(tables):
        remark("rows of documents are left out: --per-document has them")
    places = tables.get("contested") if form in ("csv", "json") else None
    if places is not None and places.footnotes[0].startswith(f"{len(places.rows)} of "):
        remark(f"{places.footnotes[0]}; --contested all has all")


def _number_of(contested: str | None) -> int | None:
    """The number that --contested asks for; None: all."""
    if contested is None or contested == "all":
        return None if contested else USUAL_NUMBER
    if not re.fullmatch("0*[1-9][0-9]{,8}", contested):
        raise SegmentationError(
            f"--contested is {contested!r}: expected a number from 1 on, or all"
        )
    return int(contested)


def _parts(
    asked: list[str],
    per_document: bool,
    made: coefficients.AgreementTables,
    output: Output,
) -> list[str]:
    """The tables to show: the requested tables, or the answer. JSON gets all the usual tables, CSV
    a single table."""
    by_document = [made.by_document] if per_document else []
    if asked:
        wanted = list(dict.fromkeys([*asked, *by_document]))
    elif not output.has_notes:
        wanted = by_document or made.usual
    else:
        wanted = ["answer", *by_document, *([] if made.system is None else ["system"])]
    if output.chosen != "csv" or len(wanted) < 2:
        return wanted
    return [_one_for_csv(asked, "agreement" if made.system is None else "system")]


def _with_ways_on(answer: "Table", made: coefficients.AgreementTables) -> "Table":
    """The answer with the options that show more."""
    shown = ["coefficients", "deviation", "coders", "clusters", "tree", "map", "matrix"]
    if made.by_document == "pairwise":
        shown = ["coders", "map", "matrix"]
    if made.pairs.labelled:
        shown += ["labels", "label-use", "label-confusion"]
    ranked = (coding.ranks is not None for coding in made.pairs.table.details.values())
    by_level = made.metric.startswith(("e-", "t-measure", "l-measure"))
    levels = [LEVELS] if not by_level and any(ranked) else []
    more = (
        f"More: --per-document; --contested {USUAL_NUMBER}; --document NAME; --show TABLE, such as "
        f"{', '.join(shown)}."
    )
    return replace(answer, footnotes=[*answer.footnotes, *levels, more])


def _two_rounds(paths: list[Path], read: "Callable[[list[Path]], Corpus]") -> "dict[str, Corpus]":
    """The rounds by name: each a file, a folder, or a folder of people's folders, which have files
    of the same names, and are read like `agree ROUND/*`."""
    if len(paths) != 2:
        raise SegmentationError(
            f"--rounds takes two CODINGS, a file or a folder each, and {len(paths)} are given"
        )
    rounds: dict[str, Corpus] = {}
    for number, path in enumerate(paths, 1):
        inside = sorted(path.iterdir()) if path.is_dir() else []
        folders = [entry for entry in inside if entry.name[0] != "."]
        of_people = len(folders) > 1 and all(folder.is_dir() for folder in folders)
        files = [file.name for one in folders for file in one.iterdir()] if of_people else []
        shown = [name for name in files if name[0] != "."]
        alike = len(set(shown)) < len(shown)
        name = path.stem if paths[0].stem != paths[1].stem else f"round {number}"
        rounds[name or str(path)] = read(folders if alike else [path])
    return rounds
