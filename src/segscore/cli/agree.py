"""`segscore agree CODINGS`: how far coders agree, who agrees with whom, and where."""

from collections import Counter
from collections.abc import Callable, Mapping
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
    PlanWidthOption,
    RoundsOption,
    RowsOption,
    ShowOption,
    SystemOption,
    WithinOption,
)
from segscore.cli.help_sections import short_help
from segscore.cli.option_groups import refuse_alone
from segscore.cli.options import (
    CheckOption,
    CodersOption,
    CodingsArgument,
    DrawsOption,
    FormatOption,
    MaskOption,
    SeedOption,
    UemOption,
    mask_of,
)
from segscore.cli.output import (
    OutputOptions,
    ReportOption,
    agreement_metric,
    remark,
    tell,
    with_findings,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.coders.agreement_tables import (
    WITH_ALL,
    AgreementSettings,
    Part,
    agreement_tables,
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


@short_help(
    "--metric --show --contested --rounds --units --marks --map --format --output --report",
    "segscore agree sheet.csv --marks start --ignore-columns comments",
    "segscore agree people.jsonl --contested 10 --report people.html",
)
@with_findings
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
    rounds: RoundsOption = False,
    plan_width: PlanWidthOption = None,
    within: WithinOption = 1,
    k_from: KFromOption = "pair",
    count_end: CountEndOption = False,
    source: FormatOption = None,
    null: ChanceOption = "positions",
    draws: DrawsOption = None,
    coefficient: CoefficientOption = None,
    mask: MaskOption = None,
    uem: UemOption = None,
    seed: SeedOption = 0,
    checked: CheckOption = True,
    report: ReportOption = None,
    output: OutputOptions,
    reading: ReadingOptions,
) -> None:
    """Measure how well coders agree on where the boundaries are.

    Shows agreement per document, per group and overall, corrected for what random coders would
    reach and as papers report it (π*, κ*), with confidence intervals; the coders and their
    clusters; and where they see boundaries. CSV holds one table: choose it by --show.
    """
    from segscore.coders.coder_pairs import CoderPairs
    from segscore.coders.coefficients import agreement
    from segscore.pairing.masks import cut_out

    def read(paths: list[Path]) -> "Corpus":
        try:
            corpus = reading.read(paths, source, coders=coders, more_follow=rounds)
        except SegmentationError as error:
            if len(paths) == 2 and "a second coding" in str(error):
                raise SegmentationError(f"{error}; or are these two rounds? --rounds") from None
            raise
        left_out = mask_of(mask, uem, corpus)
        return corpus if left_out is None else cut_out(corpus, left_out)

    n_contested = _number_of(contested)
    if rounds:
        _only_for_one_round(
            show=show, system=system, document_group=groups, coder_group=coder_groups,
            document=document, contested=contested, report=report, plan_width=plan_width,
            rows=rows == "all", coefficient=coefficient,
        )  # fmt: skip
        both = [_one_round(one, read) for one in _two_rounds(codings)]
        reading.check()
        if checked:
            tell([finding for one in both for finding in _odd_coders(one, None)])
        output.show(_rounds_table(both, codings, metric, null, draws, seed))
        return
    corpus = _grouped(read(codings), groups or [])
    if checked:
        tell(_odd_coders(corpus, system))
    how = AgreementSettings(
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
    parts = _parts(list(dict.fromkeys(asked)), pairs, how, output)
    if not {Part.DEVIATION, Part.SYSTEM} & {*parts}:
        refuse_alone({"--coefficient": coefficient}, None, "--show deviation or system")
    tables = agreement_tables(pairs, how, parts)
    _tell_what_is_left_out(tables, how, output.chosen_form, len(corpus))
    output.show(tables)
    if report is not None:
        chosen = agreement_metric(metric)
        write_page(agreement(pairs, chosen, null=null, draws=draws, seed=seed), report)


def _number_of(contested: str | None) -> int | None:
    """What --contested says; None: all."""
    if contested is None or contested == "all":
        return None if contested else USUAL_NUMBER
    if not contested.isdecimal() or len(contested) > MOST_DIGITS or not int(contested):
        raise SegmentationError(
            f"--contested is {contested!r}: expected a number from 1 on, or all"
        )
    return int(contested)


def _tell_what_is_left_out(
    tables: "Mapping[str, Table]", how: AgreementSettings, form: str, n_documents: int
) -> None:
    """Say how to leave documents out of a table that is meant for a paper, and what CSV and JSON
    have no place for: that there are more contested places."""
    long = [one for one in tables if one in WITH_ALL]
    if form == "latex" and how.rows == "documents" and n_documents > FEW_ROWS and long:
        remark(f"{', '.join(long)}: --rows all leaves the rows of documents out")
    places = tables.get(Part.CONTESTED) if form in ("csv", "json") else None
    if places is not None and places.footnotes[0].startswith(f"{len(places.rows)} of "):
        remark(f"{places.footnotes[0]}; --contested all has all")


def _two_rounds(codings: list[Path]) -> list[Path]:
    if len(codings) != 2:
        raise SegmentationError(
            f"--rounds takes two CODINGS, a file or a folder for each round, and there "
            f"{'is' if len(codings) == 1 else 'are'} {len(codings)}"
        )
    return codings


def _one_round(path: Path, read: Callable[[list[Path]], "Corpus"]) -> "Corpus":
    """A round: a file, a folder, or a folder of people's folders, read like `agree ROUND/*`."""
    inside = sorted(one for one in path.iterdir() if one.name[0] != ".") if path.is_dir() else []
    of_people = len(inside) > 1 and all(one.is_dir() for one in inside)
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
    """Whether two folders hold files that are called alike, as those of people do."""
    names = Counter(one.name for folder in folders for one in folder.iterdir())
    return any(number > 1 for name, number in names.items() if name[0] != ".")


def _only_for_one_round(**options: object) -> None:
    """Refuse what has no meaning for two rounds."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if given:
        raise SegmentationError(
            f"{given[0]} is about one round, and --rounds compares two: expected {given[0]} in a "
            "command for each round, segscore agree ROUND, without --rounds"
        )


def _rounds_table(
    both: "list[Corpus]", paths: list[Path], metric: str, null: Null, draws: int | None, seed: int
) -> "Table":
    """Agreement in two rounds, which are called like their files if the names differ."""
    from segscore.coders.rounds import compare_agreement

    first, second = (one.stem or str(one) for one in paths)
    names = (first, second) if first != second else ("round 1", "round 2")
    found = compare_agreement(
        both[0], both[1], metric, names=names, null=null, draws=draws, seed=seed
    )
    return found.to_table()


def _odd_coders(corpus: "Corpus", system: str | None) -> "list[Finding]":
    """What is probably wrong with the coders who are taken for people."""
    people = [one for one in corpus.coders if one != system]
    return check_coders(corpus if system is None else corpus.select(coders=people))


def _parts(
    asked: list[Part], pairs: "CoderPairs", how: AgreementSettings, output: OutputOptions
) -> list[Part]:
    """The tables to show: those asked for, or the usual ones; one if the format is CSV."""
    wanted = asked or usual_parts(pairs, how)
    if output.chosen_form != "csv" or len(wanted) < 2:
        return wanted
    if asked:
        raise SegmentationError("--show is given more than once: expected one table for CSV")
    one = Part.AGREEMENT if how.system is None else Part.SYSTEM
    remark(f"CSV holds one table, here {one.value}; --show chooses another")
    return [one]


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
    """What --coder-group says: coders by group, each in one group at most."""
    found: dict[str, list[str]] = {}
    for text in groups:
        name, _, coders = text.partition("=")
        members = [one.strip() for one in coders.split(",") if one.strip()]
        if not name.strip() or not members:
            raise SegmentationError(f"--coder-group is {text!r}: expected NAME=CODER,CODER…")
        for one in members:
            if one not in corpus.coders:
                raise SegmentationError(f"no coder is called {one!r}{nearest(one, corpus.coders)}")
            if any(one in others for others in found.values()):
                raise SegmentationError(f"coder {one!r} is in two groups: expected one")
        found.setdefault(name.strip(), []).extend(members)
    return found
