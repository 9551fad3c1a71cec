"""`PairingRules`: which codings are paired, what is done to them before, and how documents without
a hypothesis count.

`score`, `compare`, `audit`, `check` and `curve` share these rules, in Python and on the command
line: the functions make them from their keywords (`split_options`).

Hypotheses are often missing among outputs of language models. `missing` says how they count; a
document without a reference has nothing to be scored against.

- `error`: nothing is scored.
- `skip`: averages leave them out, with a warning: a system that fails on difficult documents would
  look better for it.
- `none`: the hypothesis counts as a single segment, without labels, ranks or levels.
- `worst`: the hypothesis counts as wrong throughout, if the metric defines that
  (`Metric.worst_rows`).

Signatures say which of them was applied, if there was a failure: `missing:none`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, Self

import numpy as np

from segscore.basics.arguments import check_choice
from segscore.errors import check_keywords

Missing = Literal["error", "skip", "none", "worst"]
Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps"]  # of lists
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
        """The number of failures, how they count, and the first few with their reasons."""
        listed = [
            repr(name) if why == NO_REASON else f"{name!r} ({why})"
            for name, why in islice(self.reasons.items(), _SHOWN)
        ]
        more = f" and {len(self) - _SHOWN} more" if len(self) > _SHOWN else ""
        return f"{self.count}, {_COUNTED[self.missing]}: {', '.join(listed)}{more}"

    def renamed(self, documents: Mapping[str, str]) -> Self:
        """A copy with other names of documents, and without reasons, which quote texts."""
        names = (
            documents.get(reason, f"document {i + 1}") for i, reason in enumerate(self.reasons)
        )
        return replace(self, reasons=dict.fromkeys(names, NO_REASON))

    @property
    def count(self) -> str:
        """The number of failures, in words."""
        verb = "is" if len(self) == 1 else "are"
        share = f"{100 * self.share:.3g} %"
        return f"{len(self)} of {self.n_documents} hypotheses {verb} missing ({share})"


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


def missing_notes(skipped: Sequence[str], failures: Failures | None) -> list[str]:
    """Notes in tables on skipped documents and on failures, unless all of these are among the
    skipped documents without a known reason."""
    notes = [f"skipped (missing on one side): {', '.join(skipped)}"] if skipped else []
    if failures is None:
        return notes
    already_noted = failures.missing == "skip" and set(failures.reasons.values()) == {NO_REASON}
    return notes if already_noted else [*notes, failures.note]


def missing_warnings(failures: Failures | None) -> list[str]:
    """Warnings about documents that were left out; none if all failures count."""
    if failures is None or failures.missing != "skip":
        return []
    return [
        f"{failures.count}, and averages leave them out: a system that fails on difficult "
        "documents looks better for it; missing='none' or 'worst' counts them"
    ]


Align = Literal["words"]
Part = tuple[int | str, int | str]
Mask = Sequence[Part]


@dataclass(frozen=True)
class PairingRules:
    """How references and hypotheses are brought together.

    reference: the coder who is the reference, or several coders; "consensus:0.5" is what that share
        of the coders marks.
    hypothesis: the only coder whose codings are hypotheses; None: each coder makes a pairing.
    missing: what to do about documents that only one side has: raise an `error`, or `skip` them; a
        missing hypothesis may count as a single segment, `none`, or as wrong throughout, `worst`.
    ignore_text: whether the texts of both sides may differ.
    align, max_error: "words" moves hypotheses with other words onto the units of the reference, up
        to a word error rate (None: that of `align`).
    mask: parts to cut out of both sides, for all documents or by document name.
    """

    reference: str | Sequence[str] | None = None
    hypothesis: str | None = None
    missing: Missing = "error"
    ignore_text: bool = False
    align: Align | None = None
    max_error: float | None = None
    mask: Mask | Mapping[str, Mask] | None = None

    def __post_init__(self) -> None:
        check_choice(self.missing, "missing", MISSING)
        if self.align is not None:
            check_choice(self.align, "align", ("words",))


DEFAULT_RULES = PairingRules()
PAIRING = ("missing", "ignore_text", "align", "max_error", "mask")
SCORING = (*PAIRING, "threads", "on_undefined")
FORMATS = ("format", "hypothesis_format")


def split_options(
    function: Callable[..., Any],
    options: Mapping[str, Any],
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    own: Collection[str] = SCORING,
    formats: Collection[str] = FORMATS,
) -> tuple[PairingRules, dict[str, Any]]:
    """The rules of pairing among the options of a function, and how it reads files.

    own: the options that the function takes besides those of `read` and `formats`.
    """
    rules = {name: options[name] for name in PAIRING if name in options}
    reading = {name: value for name, value in options.items() if name not in own}
    if reading:
        from segscore.io.read_options import ReadKeywords

        known = ReadKeywords.__optional_keys__ - {*PAIRING}
        check_keywords(function, reading, (*known, *own, *formats))
    usual = not (rules or reference or hypothesis)
    return DEFAULT_RULES if usual else PairingRules(reference, hypothesis, **rules), reading
