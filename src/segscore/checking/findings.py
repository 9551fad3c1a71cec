"""The results of a check: findings, and their table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from segscore.tables import Column, Table

Severity = Literal["error", "warning", "note"]
_ORDER = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """A sign that the input is probably not what was meant.

    kind: its short name. severity: `error` (such input cannot be scored, or its scores mean
    nothing), `warning` (scores are probably not what they seem), `note` (worth a look). sentence:
    what was found. evidence: the numbers behind it. documents: the documents concerned. remedy: the
    likely cause and what to do. hypothesis: its name, if several were checked.
    """

    kind: str
    severity: Severity
    sentence: str
    evidence: Mapping[str, float]
    documents: tuple[str, ...]
    remedy: str
    hypothesis: str = ""

    def __str__(self) -> str:
        whose = f"{self.hypothesis}: " if self.hypothesis else ""
        return f"{self.severity}: {whose}{self.sentence} {self.remedy}"

    def of(self, hypothesis: str) -> "Finding":
        """A copy that names its hypothesis."""
        return replace(self, hypothesis=hypothesis)


def in_order(found: Sequence[Finding]) -> list[Finding]:
    """The findings, the gravest first; equal sides are not reported if both are the same file."""
    told = {one.kind for one in found}
    news = [one for one in found if one.kind != "equal-sides" or "same-file" not in told]
    return sorted(news, key=lambda finding: _ORDER.index(finding.severity))


def findings_table(found: Sequence[Finding]) -> Table:
    """A row per finding; CSV and JSON have every number and every document."""
    rows: list[dict[str, Any]] = [
        {
            "severity": one.severity,
            "kind": one.kind,
            "hypothesis": one.hypothesis,
            "finding": one.sentence,
            "remedy": one.remedy,
            **{f"evidence_{name}": value for name, value in one.evidence.items()},
            "n_documents": len(one.documents),
            "documents": "; ".join(one.documents),
        }
        for one in found
    ]
    several = any(one.hypothesis for one in found)
    evidence = dict.fromkeys(f"evidence_{name}" for one in found for name in one.evidence)
    columns = [
        Column("severity"),
        Column("kind"),
        Column("hypothesis", audience="all" if several else "machines"),
        Column("finding"),
        Column("what to do", key="remedy"),
        *(Column(name, audience="machines") for name in evidence),
        Column("documents", key="n_documents"),
        Column("names", key="documents", audience="machines"),
    ]
    return Table(columns, rows)
