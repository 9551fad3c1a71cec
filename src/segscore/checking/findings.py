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
    """The findings, the gravest first."""
    return sorted(found, key=lambda finding: _ORDER.index(finding.severity))


def findings_table(found: Sequence[Finding]) -> Table:
    """A row per finding; CSV and JSON have every number and every document."""
    rows: list[dict[str, Any]] = [
        {
            "severity": finding.severity,
            "kind": finding.kind,
            "hypothesis": finding.hypothesis,
            "finding": finding.sentence,
            "remedy": finding.remedy,
            **{f"evidence_{name}": value for name, value in finding.evidence.items()},
            "n_documents": len(finding.documents),
            "documents": "; ".join(finding.documents),
        }
        for finding in found
    ]
    several = any(finding.hypothesis for finding in found)
    evidence = dict.fromkeys(f"evidence_{name}" for finding in found for name in finding.evidence)
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
