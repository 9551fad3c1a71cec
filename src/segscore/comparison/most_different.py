"""A single document in detail: what is known about it, and what two systems did there, edit by
edit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.comparison.measuring import Cases, Run
from segscore.corpus import Corpus, Units
from segscore.errors import SegmentationError
from segscore.significance.resampling import SAME
from segscore.tables import Column, Table, columns

if TYPE_CHECKING:
    from segscore.metrics.edit_distance import BoundaryEdits


class Background(NamedTuple):
    """What else is known about a case: the coders of its references, in their order, all codings of
    its document as given, and its text."""

    coders: tuple[str, ...]
    codings: Mapping[str, Segmentation]
    units: Units | None


def background(cases: Cases) -> dict[str, Background]:
    """What else is known about each case."""
    found = {}
    texts = [table.texts for table in cases.tables if table.texts]
    corpus = Corpus.from_columns(cases.given, cases.given.scope, cases.provenance)
    ranges = map(range, cases.starts[:-1].tolist(), cases.starts[1:].tolist())
    for name, document, rows in zip(cases.names, cases.documents, ranges, strict=True):
        codings = corpus[document]
        known = filter(None, [codings.units, *(each.get(document) for each in texts)])
        coders = tuple(map(cases.codings.coder, rows))
        found[name] = Background(coders, codings, next(known, None))
    return found


def trials(run: Run, case: int, cases: Cases) -> list[tuple[list[Segmentation], Segmentation]]:
    """The references and the hypothesis of each trial of a run in one case."""
    codings, places = run.codings, np.flatnonzero(run.cases == case)
    starts, met = cases.faced(run, places)
    found = []
    for i, row in enumerate(run.rows[places].tolist()):
        refs = map(cases.codings.segmentation, met[starts[i] : starts[i + 1]].tolist())
        found.append((list(refs), codings.segmentation(row)))
    return found


@dataclass(frozen=True)
class Attempt:
    """What a system (its first run) did in a document: the edits from each reference (a) to the
    hypothesis (b); adjacent positions are near."""

    system: str
    value: float
    edits: "tuple[BoundaryEdits, ...]"

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of boundaries that match, are near, have another type, are missed, and are
        extra."""
        from segscore.metrics.edit_views import VERDICTS, judged_edits

        found = Counter(one.verdict for edits in self.edits for one in judged_edits(edits))
        return {"matches" if name == "match" else name: found[name] for name in VERDICTS}

    def __str__(self) -> str:
        from segscore.metrics.edit_views import JUDGED, draw

        drawn = "\n".join(draw(edits, words=JUDGED) for edits in self.edits)
        return f"{self.system}: {self.value:.4f}\n{drawn}"


@dataclass(frozen=True)
class DocumentDifference:
    """A document on which two systems differ; `print` draws what both did with its boundaries: M is
    a match, N an end of a near miss, - a missed boundary and + an extra one."""

    document: str
    metric: str
    a: Attempt
    b: Attempt

    @property
    def difference(self) -> float:
        """The value of a minus that of b."""
        return self.a.value - self.b.value

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        signs = "M match, N near miss, - missed, + extra"
        head = f"{self.document}, {self.metric} {self.difference:+.4f} ({signs})"
        return f"{head}\n{self.a}\n{self.b}"


def most_different(
    cases: Cases,
    runs: Mapping[str, Sequence[Run]],
    values: Mapping[str, Floats],
    metric: str,
    names: tuple[str, str],
    n: int,
) -> list[DocumentDifference]:
    """The n documents on which two rows of the table differ most, the largest gap first."""
    from segscore.metrics.edit_distance import boundary_edits

    for name in names:
        if name not in values:
            raise SegmentationError(f"no row {name!r}: expected one of {list(values)}")
    gaps = np.abs(values[names[0]] - values[names[1]])
    order = [i for i in np.argsort(-gaps, kind="stable").tolist() if gaps[i] > SAME]

    def attempt(name: str, case: int) -> Attempt:
        tried = (trials(run, case, cases) for run in runs[name])
        edits = (
            boundary_edits(reference, hypothesis, substitution="unit")
            for references, hypothesis in next(filter(None, tried))
            for reference in references
        )
        return Attempt(name, float(values[name][case]), tuple(edits))

    return [
        DocumentDifference(cases.names[i], metric, *(attempt(name, i) for name in names))
        for i in order[: whole_number(n, "n", 0)]
    ]


def most_different_table(
    found: Sequence[DocumentDifference],
    a: str,
    b: str,
    notes: Sequence[str] = (),
    share: bool = False,
) -> Table:
    """A row per document: the values of two systems, and how many edits each needs."""
    shown = [
        *columns("document"),
        *columns("metric", audience="machines"),
        *(Column(name, share=share) for name in (a, b)),
        *columns("difference", share=share, difference=True),
    ]
    orders = {"matches": 1, "near": 2, "missed": None, "extra": None}
    for name in (a, b):
        shown += [Column(f"{name}: {kind}", drop_order=each) for kind, each in orders.items()]
    rows = []
    for each in found:
        counts = [attempt.counts[kind] for attempt in (each.a, each.b) for kind in orders]
        values = each.a.value, each.b.value, each.difference
        rows.append([each.document, each.metric, *values, *counts])
    lead = f"{found[0].metric} of the documents on which {a} and {b} differ most:" if found else ""
    return Table(shown, rows, notes, lead=[lead] if lead else [])
