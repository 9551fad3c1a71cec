"""`segscore agree CODINGS`: how well coders agree, who agrees with whom, and where."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from segscore.checking import check_coders
from segscore.cli.agreement_options import (
    ChanceOption,
    CoderGroupsOption,
    CoefficientOption,
    ContestedOption,
    CountEndOption,
    DocumentGroupsOption,
    DocumentOption,
    KFromOption,
    MetricOption,
    PerDocumentOption,
    PlanWidthOption,
    RoundsOption,
    RowsOption,
    ShowOption,
    SystemOption,
    WithinOption,
)
from segscore.cli.options import (
    CodersOption,
    CodingsArgument,
    DrawsOption,
    FormatOption,
    IgnoreTextOption,
    MaskOption,
    SeedOption,
    UemOption,
    mask_of,
)
from segscore.cli.output import (
    WITHOUT_NOTES,
    CheckedOutput,
    Output,
    ReportOption,
    agreement_metric,
    remark,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.coders.agreement_tables import (
    BY_CHANCE,
    WITH_ALL,
    AgreementSettings,
    Part,
    agreement_tables,
    table_by_document,
    usual_parts,
)
from segscore.coders.places import USUAL_NUMBER
from segscore.coders.random_codings import Null
from segscore.errors import SegmentationError, nearest

if TYPE_CHECKING:
    from segscore.checking import Finding
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.corpus.corpus import Corpus
    from segscore.tables import Table

FEW_ROWS = 5  # of documents: more are too many for most papers
MOST_DIGITS = 9  # of a number of places
LEVELS = (
    "The codings have levels, which this agreement does not use: -m t-measure tells whether coders "
    "agree on what lies below what, -m e-b how well on each level."
)


def run(
    *,
    codings: CodingsArgument,
    metric: MetricOption = "b",
    show: ShowOption = None,
    system: SystemOption = None,
    coders: CodersOption = None,
    groups: DocumentGroupsOption = None,
    coder_groups: CoderGroupsOption = None,
    document: DocumentOption = None,
    contested: ContestedOption = None,
    rows: RowsOption = "documents",
    per_document: PerDocumentOption = False,
    rounds: RoundsOption = False,
    plan_width: PlanWidthOption = None,
    within: WithinOption = 1,
    k_from: KFromOption = "pair",
    count_end: CountEndOption = False,
    source: FormatOption = None,
    null: ChanceOption = "positions",
    draws: DrawsOption = None,
    coefficient: CoefficientOption = None,
    ignore_text: IgnoreTextOption = False,
    mask: MaskOption = None,
    uem: UemOption = None,
    seed: SeedOption = 0,
    report: ReportOption = None,
    output: CheckedOutput,
    reading: ReadingOptions,
) -> None:
    """Measure how well coders agree on where the boundaries are.

    Prints the answer: agreement corrected for chance with its interval, who lowers it, how many
    places are contested, and where to look. --per-document adds a row per document, --show has all
    other tables. JSON holds all of them, CSV one: choose it by --show.
    """
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.coders.coefficients import agreement
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
        left_out = mask_of(mask, uem, corpus)
        return corpus if left_out is None else cut_out(corpus, left_out)

    n_contested = _number_of(contested)
    if rounds:
        if system is not None or count_end:
            raise SegmentationError("--rounds compares people: expected no --system or --count-end")
        both = [one_round(path, read) for path in two_rounds(codings)]
        reading.check()
        if output.checked:
            output.warn([finding for corpus in both for finding in _odd_coders(corpus, None)])
        output.show(rounds_table(both, codings, metric, null, draws, seed))
        return
    corpus = _grouped(read(codings), groups or [])
    reading.check()
    if output.checked:
        output.warn(_odd_coders(corpus, system))
    settings = AgreementSettings(
        metric, system, count_end, null, draws, seed, k_from, document, n_contested,
        _members(coder_groups or [], corpus), coefficient or "corrected", within, plan_width, rows,
    )  # fmt: skip
    pairs = CoderPairs(corpus)
    implied = {
        Part.DOCUMENT: document is not None,
        Part.CONTESTED: contested is not None,
        Part.PLAN: plan_width is not None,
        Part.GROUPS: bool(coder_groups),
    }
    asked = [*(show or []), *(part for part, given in implied.items() if given)]
    parts = _parts(list(dict.fromkeys(asked)), per_document, pairs, settings, output)
    if null != "positions" and report is None and not BY_CHANCE.intersection(parts):
        raise SegmentationError(
            f"--chance has no effect on --show {', '.join(parts)}: expected one of them"
        )
    tables = agreement_tables(pairs, settings, parts)
    if Part.ANSWER in tables:
        tables[Part.ANSWER] = _with_ways_on(tables[Part.ANSWER], pairs, metric)
    _tell_what_is_left_out(tables, settings, output.chosen_form, len(corpus))
    output.show(tables)
    if report is not None:
        chosen = agreement_metric(metric)
        write_page(agreement(pairs, chosen, null=null, draws=draws, seed=seed), report)


def _number_of(contested: str | None) -> int | None:
    """The number that --contested asks for; None: all."""
    if contested is None or contested == "all":
        return None if contested else USUAL_NUMBER
    if not contested.isdecimal() or len(contested) > MOST_DIGITS or not int(contested):
        raise SegmentationError(
            f"--contested is {contested!r}: expected a number from 1 on, or all"
        )
    return int(contested)


def _tell_what_is_left_out(
    tables: "Mapping[str, Table]", settings: AgreementSettings, form: str, n_documents: int
) -> None:
    """Remark how to leave documents out of a table for a paper, and that there are more contested
    places, for which CSV and JSON have no place."""
    long = [table for table in tables if table in WITH_ALL]
    if form == "latex" and settings.rows == "documents" and n_documents > FEW_ROWS and long:
        remark(f"{', '.join(long)}: --rows all leaves the rows of documents out")
    places = tables.get(Part.CONTESTED) if form in ("csv", "json") else None
    if places is not None and places.footnotes[0].startswith(f"{len(places.rows)} of "):
        remark(f"{places.footnotes[0]}; --contested all has all")


def _odd_coders(corpus: "Corpus", system: str | None) -> "list[Finding]":
    """Findings about coders who are treated as people."""
    people = [coder for coder in corpus.coders if coder != system]
    return check_coders(corpus if system is None else corpus.select(coders=people))


def _parts(
    asked: list[Part],
    per_document: bool,
    pairs: "CoderPairs",
    settings: AgreementSettings,
    output: Output,
) -> list[Part]:
    """The tables to show: the requested tables, or the answer. JSON gets all the usual tables, CSV
    a single table."""
    if per_document and settings.rows == "all":
        raise SegmentationError(
            "--per-document and --rows all are both given: expected one of them"
        )
    by_document = [table_by_document(settings.metric)] if per_document else []
    if asked:
        wanted = list(dict.fromkeys([*asked, *by_document]))
    elif output.chosen_form in WITHOUT_NOTES:
        wanted = by_document or usual_parts(pairs, settings)
    else:
        wanted = [Part.ANSWER, *by_document, *([] if settings.system is None else [Part.SYSTEM])]
    if output.chosen_form != "csv" or len(wanted) < 2:
        return wanted
    if asked:
        raise SegmentationError("--show is given more than once: expected one table for CSV")
    part = Part.AGREEMENT if settings.system is None else Part.SYSTEM
    remark(f"CSV holds one table, here {part.value}; --show chooses another")
    return [part]


def _with_ways_on(answer: "Table", pairs: "CoderPairs", metric: str) -> "Table":
    """The answer with the options that show more."""
    shown = ["coefficients", "deviation", "coders", "clusters", "tree", "map", "matrix"]
    if table_by_document(metric) is Part.PAIRWISE:
        shown = ["coders", "map", "matrix"]
    if any(len(document.labels) > 1 for document in pairs.corpus.values()):
        shown += ["labels", "label-use", "label-confusion"]
    ranked = (
        coding.ranks is not None for each in pairs.corpus.values() for coding in each.values()
    )
    by_level = metric.startswith(("e-", "t-measure", "l-measure"))
    levels = [LEVELS] if not by_level and any(ranked) else []
    more = (
        f"More: --per-document; --contested {USUAL_NUMBER}; --document NAME; --show TABLE, such as "
        f"{', '.join(shown)}; --explain."
    )
    return replace(answer, footnotes=[*answer.footnotes, *levels, more])


def _grouped(corpus: "Corpus", groups: list[str]) -> "Corpus":
    """The corpus with documents assigned to groups."""
    assigned: dict[str, str] = {}
    for text in groups:
        name, mark, documents = text.partition("=")
        if not mark or not name or not documents:
            raise SegmentationError(
                f"--document-group is {text!r}: expected NAME=DOCUMENT,DOCUMENT…"
            )
        assigned.update({document.strip(): name for document in documents.split(",")})
    return corpus.with_details(groups=assigned) if assigned else corpus


def _members(groups: list[str], corpus: "Corpus") -> dict[str, list[str]]:
    """The coders of each --coder-group; a coder is in one group at most."""
    found: dict[str, list[str]] = {}
    for text in groups:
        name, _, coders = text.partition("=")
        members = [part.strip() for part in coders.split(",") if part.strip()]
        if not name.strip() or not members:
            raise SegmentationError(f"--coder-group is {text!r}: expected NAME=CODER,CODER…")
        for member in members:
            if member not in corpus.coders:
                raise SegmentationError(
                    f"no coder is called {member!r}{nearest(member, corpus.coders)}"
                )
            if any(member in others for others in found.values()):
                raise SegmentationError(f"coder {member!r} is in two groups: expected one")
        found.setdefault(name.strip(), []).extend(members)
    return found


def two_rounds(codings: list[Path]) -> list[Path]:
    if len(codings) != 2:
        raise SegmentationError(
            f"--rounds takes two CODINGS, a file or a folder for each round, and there "
            f"{'is' if len(codings) == 1 else 'are'} {len(codings)}"
        )
    return codings


def one_round(path: Path, read: Callable[[list[Path]], "Corpus"]) -> "Corpus":
    """A round: a file, a folder, or a folder of people's folders, read like `agree ROUND/*`."""
    inside = (
        sorted(entry for entry in path.iterdir() if entry.name[0] != ".") if path.is_dir() else []
    )
    of_people = len(inside) > 1 and all(entry.is_dir() for entry in inside)
    if of_people and _called_alike(inside):
        return read(inside)
    try:
        return read([path])
    except SegmentationError as error:
        if not path.is_file() or path.suffix == ".jsonl":
            raise
        raise SegmentationError(
            f"{error}; if the two rounds come in different forms, convert each first: "
            f"segscore convert {path} {path.stem}.jsonl"
        ) from None


def _called_alike(folders: list[Path]) -> bool:
    """Whether two folders hold files with the same names, as the folders of people do."""
    names = Counter(file.name for folder in folders for file in folder.iterdir())
    return any(number > 1 for name, number in names.items() if name[0] != ".")


def rounds_table(
    both: "list[Corpus]", paths: list[Path], metric: str, null: Null, draws: int | None, seed: int
) -> "Table":
    """Agreement in two rounds, which are named after their files if the names differ."""
    from segscore.coders.rounds import compare_rounds

    first, second = (path.stem or str(path) for path in paths)
    names = (first, second) if first != second else ("round 1", "round 2")
    found = compare_rounds(both[0], both[1], metric, names=names, null=null, draws=draws, seed=seed)
    return found.to_table()
