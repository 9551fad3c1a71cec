"""`PairingRules`: which codings are paired, what is done to them before, and how documents without
a hypothesis count.

`score`, `compare` and `audit` share these rules, in Python and on the command line: the functions
make them from their keywords (`split_options`). `check` and `curve` take those that they name.

Hypotheses are often missing among outputs of language models. `missing` says how they count; a
document without a reference has nothing to be scored against.

- `error`: nothing is scored.
- `skip`: averages leave them out, with a warning: a system that fails on difficult documents would
  look better for it.
- `none`: the hypothesis counts as a single segment, without labels, ranks or levels.
- `worst`: the hypothesis counts as wrong throughout, if the metric defines that
  (`Metric.worst_rows`).

Signatures say which of them was applied, if there was a failure: `missing:none`.

A reference may be a consensus, what enough coders mark: `consensus:0.5` (Kazantseva & Szpakowicz
2012, table 2).
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, Codings
from segscore.corpus.lists import picked_lists, starts_of
from segscore.errors import SegmentationError, check_keywords

if TYPE_CHECKING:
    from segscore.corpus.annotation import Annotation

Missing = Literal["error", "skip", "none", "worst"]
Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps"]  # of lists
Reasons = Mapping[str, str]  # document → why it has no hypothesis

MISSING = ("error", "skip", "none", "worst")
COUNTED = ("none", "worst")  # how missing hypotheses count, if they do
NO_REASON = "no hypothesis"
_SHOWN = 8
_COUNTED = {
    "skip": "left out",
    "none": "counted as one segment",
    "worst": "counted as wrong throughout",
}


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


def missing_notes(skipped: Sequence[str], failures: Failures | None) -> tuple[list[str], list[str]]:
    """Notes in tables on skipped documents and on failures, unless all of these are among the
    skipped documents without a known reason; and warnings about documents that were left out, none
    if all failures count."""
    notes = [f"skipped (missing on one side): {', '.join(skipped)}"] if skipped else []
    if failures is None:
        return notes, []
    if failures.missing != "skip" or set(failures.reasons.values()) != {NO_REASON}:
        notes.append(failures.note)
    warning = (
        f"{failures.count}, and averages leave them out: a system that fails on difficult "
        "documents looks better for it; missing='none' or 'worst' counts them"
    )
    return notes, [warning] * (failures.missing == "skip")


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


CODER = "consensus"  # who made the codings of a table of consensus
AtLeast = float | Literal["majority", "union"]
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say
_GOLDEN = 0x9E3779B1  # 2**32 over the golden ratio: bit 31 of its multiples is as good as a coin
_Agreed = tuple[Int64Array, Int64Array, Mapping[int, "Annotation"]]


def consensus_rule(text: Any) -> tuple[AtLeast, int] | None:
    """The share and the reach in units that `consensus:0.5` or `consensus:majority:1` give.

    None for anything else, which is then the name of a coder, or a list of names.

    >>> consensus_rule("consensus:0.5"), consensus_rule("consensus:union:2"), consensus_rule("ann")
    ((0.5, 0), ('union', 2), None)
    """
    name, mark, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    return share_and_reach(rest) if name == CODER and mark else None


def share_and_reach(text: str) -> tuple[AtLeast, int]:
    """The share of coders and the reach in units that `0.5` or `majority:1` give."""
    share, _, near = text.partition(":")
    try:
        at_least: Any = share if share in ("majority", "union") else float(share)
        within = int(near or 0)
    except ValueError:
        raise SegmentationError(
            f"consensus is {text!r}: expected SHARE or SHARE:WITHIN, as in 0.5 or majority:1"
        ) from None
    votes_needed(at_least, 1)  # refuses what is no share
    return at_least, whole_number(within, "within", 0)


def votes_needed(at_least: Any, n_coders: int) -> int:
    """How many of these coders must mark a boundary."""
    if at_least == "majority":
        return n_coders // 2 + 1
    if at_least == "union":
        return 1
    number = isinstance(at_least, int | float) and not isinstance(at_least, bool)
    if not number or not 0 < at_least <= 1:
        raise SegmentationError(
            f"at_least is {shown(at_least)}: expected a share above 0 and up to 1, 'majority' or "
            "'union'"
        )
    return max(1, math.ceil(float(at_least) * n_coders - _ROUNDING))


def agreed_codings(codings: Codings, at_least: AtLeast, within: int = 0) -> Codings:
    """The consensus of each document: a table with a single coder, of the kind `consensus`. Coders
    known to be systems, and an earlier consensus, have no vote. It is `unsure` of positions that a
    tie decided."""
    rows = np.flatnonzero((codings.kinds < 0) | (codings.kinds == KINDS.index("person")))
    owners = codings.document_of_rows[rows]
    votes = np.bincount(owners, minlength=len(codings.documents))
    if not len(votes):
        raise SegmentationError("the corpus has no documents: expected one or more")
    if votes.min() < 1:
        name = codings.documents[int(votes.argmin())]
        raise SegmentationError(
            f"document {name!r} has no coding by a person: expected one or more"
        )
    needed = np.array([votes_needed(at_least, n) for n in range(1, votes.max() + 1)])[votes - 1]
    n_units = codings.n_units[rows[np.searchsorted(owners, np.arange(len(votes)))]]
    find = partial(_near, within=within) if within else _exact
    offsets, positions, tied = find(codings, rows, needed)
    return Codings.plain(
        codings.documents,
        CODER,
        (n_units, offsets, positions),
        groups=codings.groups,
        group_names=codings.group_names,
        texts=codings.texts,
        source=codings.source,
        provenance=codings.provenance,
        annotations=tied,
        kinds=np.full(len(votes), KINDS.index("consensus"), np.int8),
    )


def _exact(codings: Codings, rows: Int64Array, needed: Int64Array) -> _Agreed:
    """(offsets, positions) of the positions that enough coders mark exactly; no tie decides."""
    offsets, positions = picked_lists(codings.offsets, codings.positions, rows)
    owners = np.repeat(codings.document_of_rows[rows], np.diff(offsets))
    order = np.lexsort((positions, owners))
    owners, positions = owners[order], positions[order]
    new = np.ones(len(owners), np.bool_)
    new[1:] = (owners[1:] != owners[:-1]) | (positions[1:] != positions[:-1])
    first = np.flatnonzero(new)
    kept = first[np.diff(np.append(first, len(owners))) >= needed[owners[first]]]
    return starts_of(np.bincount(owners[kept], minlength=len(needed))), positions[kept], {}


def _near(codings: Codings, rows: Int64Array, needed: Int64Array, within: int) -> _Agreed:
    """(offsets, positions) of the positions that enough coders mark within `within` units, and for
    each document where ties decided among them."""
    from segscore.corpus.annotation import Annotation

    ends = np.searchsorted(codings.document_of_rows[rows], np.arange(len(needed) + 1))
    found = [
        merged_boundaries(
            [codings.segmentation(row) for row in rows[start:end].tolist()], int(votes), within
        )
        for start, end, votes in zip(ends[:-1], ends[1:], needed, strict=True)
    ]
    places = [place for boundaries, _ in found for place in boundaries]
    tied = {row: Annotation(unsure=tuple(ties)) for row, (_, ties) in enumerate(found) if ties}
    offsets = starts_of([len(boundaries) for boundaries, _ in found])
    return offsets, np.array(places, np.int64), tied


def merged_boundaries(
    codings: Sequence[Segmentation], needed: int, within: int
) -> tuple[list[int], list[int]]:
    """The positions that enough coders support, each boundary counting once; and those of them that
    a tie decided.

    Marks influence each other only within a run of positions at most `within` apart. Each run is
    counted from the left and from the right, which differ only in how they break ties. If they find
    different positions, a hash of where the run starts draws one of the two.
    """
    marked = np.unique(np.concatenate([coding.boundaries for coding in codings]))
    kept: list[int] = []
    tied: list[int] = []
    for run in np.split(marked, np.flatnonzero(np.diff(marked) > within) + 1):
        if not len(run):
            break
        ends = [np.searchsorted(c.boundaries, [run[0], run[-1] + 1]).tolist() for c in codings]
        marks = [c.boundaries[low:high] for c, (low, high) in zip(codings, ends, strict=True)]
        chosen = _supported([places.tolist() for places in marks], needed, within)
        mirrored = _supported([(-places[::-1]).tolist() for places in marks], needed, within)
        other = [-place for place in reversed(mirrored)]
        if chosen != other:
            chosen = other if int(run[0]) * _GOLDEN >> 31 & 1 else chosen
            tied += chosen
        kept += chosen
    return kept, tied


def _supported(left: Sequence[list[int]], needed: int, within: int) -> list[int]:
    """The positions that enough coders support, with ties going to the left; `left` are the marks
    of each coder, in order, of which each position takes the nearest."""
    exact = Counter(p for places in left for p in places)
    near = dict.fromkeys(exact, 0)
    changed = list(exact)
    kept: list[int] = []
    while True:
        for p in changed:
            near[p] = sum(_nearest(places, p, within) is not None for places in left)
        best = max(near, key=lambda p: (near[p], exact[p], -p), default=None)
        if best is None or near[best] < needed:
            return sorted(kept)
        kept.append(best)
        for places in left:
            taken = _nearest(places, best, within)
            if taken is not None:
                places.remove(taken)
                exact[taken] -= 1
        near = {p: votes for p, votes in near.items() if exact[p]}
        changed = [p for p in near if abs(p - best) <= 2 * within]


def _nearest(places: list[int], position: int, within: int) -> int | None:
    """The mark nearest to a position, at most `within` away; the left one of two."""
    at = bisect_left(places, position)
    reached = [p for p in places[max(0, at - 1) : at + 1] if abs(p - position) <= within]
    return min(reached, key=lambda p: abs(p - position), default=None)
