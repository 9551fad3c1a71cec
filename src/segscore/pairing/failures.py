"""Documents without a hypothesis, as often with outputs of language models: how they count.

`missing` is about hypotheses; a document without a reference has nothing to be scored against.

- `error`: nothing is scored.
- `skip`: averages leave them out, with a warning: a system that fails on difficult documents would
  look better for it.
- `none`: the hypothesis counts as a single segment, without labels, ranks or levels.
- `worst`: the hypothesis counts as wrong throughout, if the metric defines that
  (`Metric.worst_rows`).

Signatures say which of them was applied, if there was a failure: `missing:none`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, Self

import numpy as np

Missing = Literal["error", "skip", "none", "worst"]
Reasons = Mapping[str, str]  # document → why it has no hypothesis

MISSING = ("error", "skip", "none", "worst")
NO_REASON = "no hypothesis"
_SHOWN = 8
_COUNTED = {
    "skip": "left out",
    "none": "counted as one segment",
    "worst": "counted as wrong throughout",
}


def counts_failures(missing: Missing) -> bool:
    """Whether missing hypotheses count."""
    return missing in ("none", "worst")


def reasons_in(given: Any) -> dict[str, str]:
    """Why documents have no hypothesis, if the input knows it: a model's outputs, and tables and
    corpora made from them."""
    known = getattr(given, "failures", None)
    return (
        {str(name): str(why) for name, why in known.items()} if isinstance(known, Mapping) else {}
    )


@dataclass(frozen=True)
class Failures:
    """The documents that have a reference but no hypothesis.

    missing: how they count; reasons: why each has no hypothesis; n_documents: the number of
    documents with a reference; rows: the pairs that replace the documents in `reasons`, if they are
    counted.
    """

    missing: Missing
    reasons: Reasons
    n_documents: int
    rows: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        missing: Missing,
        documents: Iterable[Any],
        known: Reasons,
        n_documents: int,
        rows: Iterable[int] = (),
    ) -> "Self | None":
        """The failures, or None if there are none; `known` has the reasons of some."""
        reasons = {str(name): known.get(str(name), NO_REASON) for name in documents}
        return cls(missing, reasons, n_documents, tuple(rows)) if reasons else None

    def __len__(self) -> int:
        return len(self.reasons)

    @property
    def share(self) -> float:
        """The share of the documents with a reference that have no hypothesis."""
        return len(self) / self.n_documents

    @property
    def fields(self) -> dict[str, float]:
        """The number and the share of failures, for machines."""
        return {"failed": len(self), "failed_share": self.share}

    @property
    def note(self) -> str:
        """The number of failures, and how they count."""
        return f"{self._counted}, {_COUNTED[self.missing]}: {self._each}"

    @property
    def warnings(self) -> list[str]:
        """Warnings about documents that were left out."""
        if self.missing != "skip":
            return []
        return [
            f"{self._counted}, and averages leave them out: a system that fails on difficult "
            "documents looks better for it; missing='none' or 'worst' counts them"
        ]

    def renamed(self, documents: Mapping[str, str]) -> Self:
        """A copy with other names of documents, and without reasons, which quote texts."""
        names = (
            documents.get(reason, f"document {i + 1}") for i, reason in enumerate(self.reasons)
        )
        return replace(self, reasons=dict.fromkeys(names, NO_REASON))

    @property
    def _counted(self) -> str:
        verb = "is" if len(self) == 1 else "are"
        share = f"{100 * self.share:.3g} %"
        return f"{len(self)} of {self.n_documents} hypotheses {verb} missing ({share})"

    @property
    def _each(self) -> str:
        """The first few failures with their reasons, and the number of others."""
        listed = [
            repr(name) if why == NO_REASON else f"{name!r} ({why})"
            for name, why in islice(self.reasons.items(), _SHOWN)
        ]
        more = len(self) - len(listed)
        return ", ".join(listed) + (f" and {more} more" if more else "")


def with_failures(columns: Mapping[str, Any], failures: Failures | None) -> dict[str, Any]:
    """The columns of documents (the first holds their names) with the reason of each failure;
    documents that were left out get rows of their own, without numbers."""
    if failures is None:
        return dict(columns)
    name, *others = columns
    left_out = list(failures.reasons) if failures.missing == "skip" else []
    documents = [*columns[name], *left_out]
    found: dict[str, Any] = {name: documents}
    for other in others:
        found[other] = np.append(columns[other], np.full(len(left_out), np.nan))
    return {**found, "failure": [failures.reasons.get(document) for document in documents]}


def skipped_note(skipped: Sequence[str]) -> list[str]:
    """A note on skipped documents; nothing if there are none."""
    return [f"skipped (missing on one side): {', '.join(skipped)}"] if skipped else []


def failure_notes(failures: Failures | None) -> list[str]:
    """Notes in tables; none if no hypothesis is missing, or if the missing ones are among the
    skipped documents without a known reason."""
    if failures is None:
        return []
    already_noted = failures.missing == "skip" and set(failures.reasons.values()) == {NO_REASON}
    return [] if already_noted else [failures.note]


def failure_warnings(failures: Failures | None) -> list[str]:
    """Warnings; none if no hypothesis is missing, or all of them count."""
    return [] if failures is None else failures.warnings
