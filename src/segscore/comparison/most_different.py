"""A single document in detail: what two systems did there, edit by edit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from segscore.basics.on_demand import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.comparison.cases import Cases, SystemRun

if TYPE_CHECKING:
    from segscore.metrics.edit_distance import BoundaryEdits


class JudgedTrial(NamedTuple):
    """A hypothesis and the references that it is scored against."""

    references: Sequence[Segmentation]
    hypothesis: Segmentation


def trials(run: SystemRun, case: int, cases: Cases) -> list[JudgedTrial]:
    """The trials of a run in one case; none if documents were only added up."""
    found: list[JudgedTrial] = []
    codings = run.codings
    if codings is None:
        return found
    for i in np.flatnonzero(run.cases == case).tolist():
        met = run.met[run.starts[i] : run.starts[i + 1]].tolist()
        references = [cases.codings.segmentation(row) for row in met]
        found.append(JudgedTrial(references, codings.segmentation(int(run.rows[i]))))
    return found


def first_trials(runs: Sequence[SystemRun], case: int, cases: Cases) -> list[JudgedTrial]:
    """The trials of a document in the first run that has it."""
    return next(filter(None, (trials(run, case, cases) for run in runs)))


@dataclass(frozen=True)
class Attempt:
    """What a system (its first run) did in a document: a trial per hypothesis."""

    system: str
    value: float
    trials: Sequence[JudgedTrial]

    @cached_property
    def edits(self) -> "tuple[BoundaryEdits, ...]":
        """The edits from each reference (a) to the hypothesis (b); adjacent positions are near."""
        from segscore.metrics.edit_distance import boundary_edits

        return tuple(
            boundary_edits(reference, trial.hypothesis, substitution="unit")
            for trial in self.trials
            for reference in trial.references
        )

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
