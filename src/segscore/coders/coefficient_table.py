"""All coefficients side by side, as a paper prints them."""

from segscore.coders.coefficients import Agreement
from segscore.coders.decisions import DecisionAgreement
from segscore.coders.sums import (
    BASIS_COLUMNS,
    PART_COLUMNS,
    methods_note,
    part_cells,
    parts_of,
    with_interval,
)
from segscore.tables import Column, Table


def coefficients_table(
    agreed: Agreement,
    kappa: DecisionAgreement,
    alpha: DecisionAgreement,
    majority: DecisionAgreement,
) -> Table:
    """Corrected agreement, π* and κ* over a metric; Fleiss's κ, Krippendorff's α and agreement with
    the majority on decisions. All of them describe the same corpus."""
    decisions = {"fleiss": kappa, "alpha": alpha, "majority": majority}
    rows = [
        {
            **part_cells(level, part.name, part.basis),
            "corrected": with_interval(part.corrected, part.corrected_ci),
            "chance": part.chance,
            "pi": with_interval(part.pi, part.ci),
            "kappa": with_interval(part.kappa, part.kappa_ci),
            "observed": part.observed,
            "interval": part.ci.method,
            "signature": agreed.signature,
        }
        for level, part in parts_of(agreed)
    ]
    for name, coefficient in decisions.items():
        for row, (_, part) in zip(rows, parts_of(coefficient), strict=True):
            row[name] = with_interval(part.value, part.ci)
    columns = [
        *PART_COLUMNS,
        Column("observed", digits=3, note=f"by {agreed.observed_signature}"),
        *agreed.corrected_columns,
        Column("π*", key="pi", digits=3, latex=r"$\pi^*$", note="as published; 0 is not chance"),
        Column("κ*", key="kappa", digits=3, latex=r"$\kappa^*$", drop_order=3),
        Column(
            "Fleiss's κ", key="fleiss", digits=3, latex=r"Fleiss's $\kappa$", note=_ON_DECISIONS
        ),
        Column("Krippendorff's α", key="alpha", digits=3, latex=r"Krippendorff's $\alpha$"),
        Column("with majority", key="majority", digits=3, drop_order=4, note=_MAJORITY),
        *BASIS_COLUMNS,
        Column("interval", audience="machines"),
        Column("signature", audience="machines"),
    ]
    words = [*methods_note(rows), *agreed.notes]
    return Table(columns, rows, words, "Coefficients of agreement")


_ON_DECISIONS = "boundary or not at each position: near misses are misses"
_MAJORITY = (
    "the share of decisions that agree with more than half of the coders; not corrected for chance"
)
