"""Apply every known convention to the same data: why does my number differ?

`audit` applies all conventions of the catalogues (`all_conventions.py` gathers them): those of Pk
and WindowDiff with four ways of averaging (EvalHDS with its own), those of F1 with three. Every
number comes in two forms: the `value` of the convention, undefined where it cannot be computed, and
what the implementation `prints` there, which may be a perfect score. An expected number is looked
up in all of them (`explaining.py`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR
from segscore.conventions.all_conventions import CATALOGUE
from segscore.conventions.audit_table import (
    MEASURES,
    AuditMeasure,
    AuditRow,
    ExpectedMatch,
    audit_table,
    expected_number,
    verdict,
)
from segscore.conventions.audited_rows import audited_rows
from segscore.conventions.explaining import explained
from segscore.conventions.f_counting import Reach
from segscore.conventions.readings import source_of
from segscore.conventions.word_counts import GivenTexts, word_counts
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.pairing.documents import skipped_note
from segscore.pairing.failures import Failures, Missing, failure_notes, failure_warnings
from segscore.pairing.inputs import as_pairs
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align, Mask, PairingRules
from segscore.scoring.scoring import Side
from segscore.tables import Table, Tabular


@dataclass(frozen=True, repr=False)
class Audit(Tabular):
    """The numbers of every convention, and those that explain the expected number.

    `rows` holds all numbers, `matches` those that equal `expect`; `to_table()` and printing show
    them, with a sentence per convention.
    """

    rows: tuple[AuditRow, ...]
    expect: str | None
    matches: tuple[ExpectedMatch, ...]
    provenance: Provenance = PLAIN
    skipped: tuple[str, ...] = ()
    failures: Failures | None = None

    def __getitem__(self, key: tuple[str, ...]) -> AuditRow:
        """The row of (convention, measure), or of (convention, measure, average) for a corpus."""
        for row in self.rows:
            if row[: len(key)] == key:
                return row
        raise KeyError(f"no row {key!r}")

    def to_dicts(self) -> list[dict[str, Any]]:
        """A mapping per row."""
        return [row._asdict() for row in self.rows]

    def to_table(self) -> Table:
        """A table of all numbers."""
        return self._table(self.rows)

    def matches_table(self) -> Table:
        """A table of the numbers that explain the expected one; the verdict is about all."""
        explaining = {match.row for match in self.matches}
        return self._table(tuple(row for row in self.rows if row in explaining))

    def _table(self, shown: tuple[AuditRow, ...]) -> Table:
        sentences = {key: entry.words for key, entry in CATALOGUE.items()}
        sources = {row.reading: source_of(row.reading) for row in self.rows if row.reading}
        notes = [f"{self.provenance}"] if self.provenance else []
        notes += skipped_note(self.skipped) + failure_notes(self.failures)
        notes += failure_warnings(self.failures)
        title = verdict(self.rows, self.expect, self.matches)
        return audit_table(shown, sentences, sources, self.expect, self.matches, title, notes)


def audit(
    refs: Segmentation | Side | Pairs,
    hyps: Segmentation | Side | None = None,
    expect: float | str | None = None,
    *,
    reference: str | None = None,
    hypothesis: str | None = None,
    missing: Missing = "error",
    ignore_text: bool = False,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
    mask: Mask | Mapping[str, Mask] | None = None,
    tolerance: int | str = 0,
    measures: Iterable[AuditMeasure] | None = None,
    texts: GivenTexts | None = None,
) -> Audit:
    """Compute Pk, WindowDiff, F1, B and S under every known convention, for a pair or for a corpus.

    A corpus is averaged in four ways, F1 in three. With `expect`, a number from elsewhere (as text,
    if its trailing zeros count), the result lists the conventions that print it, also as 1 − value
    or in percent, the likeliest first. It then also tries common changes that scripts make to
    documents: sides swapped, documents without a hypothesis (`missing="skip"` or `"none"`) left out
    or counted as 0 or 1, a fixed k, the last unit lost, labels mistaken for gaps or for numbers of
    segments, words as units. `tolerance` applies to boundary F1: a number of units, or a time such
    as "10s". `measures` chooses among pk, windowdiff, f1 (boundaries), segment-f1 (segments that
    overlap; with labels, if both sides have them), macro-f1 (over places with and without a
    boundary), total (½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff)), b, s and count-mae (error of the
    number of boundaries). `texts` has the units of each document, for conventions that count words:
    a mapping, a corpus, a file, or a function that reads them; by default `refs`. Files, corpora
    and the other options (`reference`, which may be "consensus:0.5", `missing`, `ignore_text`,
    `align`, `max_error`, `mask`) are as in `score`.

    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> found = audit(ref, hyp, expect=0.3636, measures=["pk", "windowdiff"])
    >>> round(found["paper", "pk"].value, 4), round(found["nltk", "pk"].value, 4)
    (0.5455, 0.4)
    >>> [(match.row.convention, match.row.measure, match.row.k) for match in found.matches]
    [('solbiati', 'pk', 3), ('solbiati', 'windowdiff', 3)]
    >>> found = audit(ref, hyp, tolerance=2, measures=["f1"])
    >>> [(name, found[name, "f1"].value) for name in ("segscore", "mir_eval", "ruptures")]
    [('segscore', 1.0), ('mir_eval', 1.0), ('ruptures', 0.5)]
    """
    if isinstance(refs, Segmentation) and isinstance(hyps, Segmentation):
        refs, hyps = [refs], [hyps]
    rules = PairingRules(reference, hypothesis, missing, ignore_text, align, max_error, mask)
    pairs = as_pairs(refs, hyps, rules)
    if pairs.groups is not None:
        raise SegmentationError("audit takes one reference per document, and lists were given")
    if missing == "worst" and pairs.failures is not None:
        raise SegmentationError(
            "missing is 'worst', and scripts that audit knows have no worst: missing='none' "
            "counts a missing hypothesis as one segment"
        )
    wanted = _chosen(measures)
    reach = Reach.of(tolerance, pairs.provenance)
    rows = audited_rows(pairs, wanted, reach)
    if expect is None:
        return Audit(tuple(rows), None, (), pairs.provenance, pairs.skipped, pairs.failures)
    text, forms = expected_number(expect)
    words = partial(word_counts, refs if texts is None else texts, pairs)
    matches = tuple(explained(pairs, rows, wanted, reach, forms, words))
    known = set(rows)
    others = dict.fromkeys(match.row for match in matches if match.row not in known)
    every = (*rows, *others)
    return Audit(every, text, matches, pairs.provenance, pairs.skipped, pairs.failures)


def _chosen(measures: Any) -> tuple[str, ...]:
    if measures is None:
        return MEASURES
    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    for measure in wanted:
        if measure not in MEASURES:
            raise SegmentationError(
                f"measures holds {shown(measure)}: expected some of {', '.join(MEASURES)}"
            )
    return (*wanted, "b-f1") if "b" in wanted and "b-f1" not in wanted else wanted
