"""The options of `segscore agree`: what is measured, for which coders, and which tables are
shown."""

from typing import Annotated

from segscore.cli.option_groups import Section, option
from segscore.coders.agreement_tables import Part
from segscore.coders.random_codings import Null

OWN = Section.OWN
JUDGED = ("people", "documents", "places")  # the tables of people beside a reference

MetricOption = Annotated[
    str, option("--metric -m", OWN, 'A symmetric similarity: b, s, "b(n_t=3)" …', "METRIC")
]
PersonOption = Annotated[
    str | None, option("--person", OWN, "Where one differs from --reference.", "CODER")
]
JudgedByOption = Annotated[
    str | None,
    option("--reference", OWN, "A coder, or consensus:0.5: who differs?", "CODER"),
]
SystemOption = Annotated[
    str | None, option("--system", OWN, "A system, which is compared with people.", "CODER")
]
RoundsOption = Annotated[bool, option("--rounds", OWN, "Two CODINGS are two rounds: what changed?")]
DocumentOption = Annotated[
    str | None, option("--document", OWN, "Everyone's boundaries in a document.", "NAME")
]
ContestedOption = Annotated[
    str | None, option("--contested", OWN, "So many places that divide coders.", "NUMBER|all")
]
ShowOption = Annotated[
    list[str] | None,
    option(
        "--show", Section.OUTPUT,
        f"{', '.join(Part)}; with --person or --reference {', '.join(JUDGED)}.", "TABLE",
    ),
]  # fmt: skip
PerDocumentOption = Annotated[
    bool, option("--per-document", Section.OUTPUT, "Tables with a row per document.")
]
ChanceOption = Annotated[
    Null,
    option(
        "--chance", Section.STATISTICS,
        "Random coders: positions, or lengths.", "WHICH",
    ),
]  # fmt: skip
PlanWidthOption = Annotated[
    float | None,
    option("--plan-width", Section.STATISTICS, "Documents for an interval of ± this.", "NUMBER"),
]
DrawsOption = Annotated[
    int | None,
    option("--draws", Section.STATISTICS, "Draws of random coders.", "NUMBER"),
]
