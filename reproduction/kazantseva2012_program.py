"""Table 2 of Kazantseva & Szpakowicz (2012), with the windows of the first author's program.

What the program does (github.com/anna-ka/HAPS; read, not copied) and the paper does not say:

- The window of WindowDiff is the whole mean segment of the reference, cut down, not half of it; for
  a reference of one segment, half of the text.
- The end of a chapter is a boundary of each reference, and of what a segmenter finds; Random draws
  as many boundaries as people have segments on average, and never the end.
- N-w+1 windows are divided by N-w.
- "50 %" is at least ⌊h/2⌋ of h people, "30 %" at least ⌊h/3⌋.
- multWinDiff has half of the mean segment of all people as its window, halves rounded up. Its
  bounds are divided by the number of windows, and its errors by one less.

With half of a segment as window Random would be .43 to .59 in the rows of WindowDiff, at least four
standard deviations below print.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from reproduction.corpora import ByCoder
from segscore.basics.arguments import Floats
from segscore.coders.gold import support
from segscore.coding.segmentation import Segmentation
from segscore.metrics import MultiWindowDiff, WindowDiff
from segscore.scoring.scoring import score

Codings = Sequence[Segmentation]


def with_end(coding: Segmentation, end: bool = True) -> Segmentation:
    """A text with one unit more, so that its own end is a place that windows see.

    end: whether this place is a boundary.

    >>> coding = Segmentation.from_masses([2, 3])
    >>> with_end(coding), with_end(coding, end=False)
    (Segmentation(masses=[2, 3, 1]), Segmentation(masses=[2, 4]))
    """
    *others, last = coding.masses.tolist()
    return Segmentation.from_masses([*others, last, 1] if end else [*others, last + 1])


# ---- WindowDiff ----


def whole_segment(reference: Segmentation) -> int:
    """The window: the mean segment, cut down; half of the text if it is one segment."""
    n, segments = reference.n_units, reference.n_segments
    return n // 2 if segments == 1 else n // segments


def half_segment(reference: Segmentation) -> int:
    """The window of WindowDiff by its definition: half of the mean segment, cut down."""
    return max(1, reference.n_units // (2 * reference.n_segments))


def window_diffs(
    reference: Segmentation,
    found: Codings,
    end: bool = True,
    window: Callable[[Segmentation], int] = whole_segment,
) -> Floats:
    """WindowDiff of each coding in `found`; `end` says whether its own end counts."""
    metric = WindowDiff(k=window(reference))
    refs, hyps = [with_end(reference)] * len(found), [with_end(coding, end) for coding in found]
    windows = reference.n_units + 1 - window(reference)
    values = score(refs, hyps, metric)[metric].values
    return np.asarray(values * windows / (windows - 1))


def marked_by(share: int, codings: Codings) -> Segmentation:
    """The boundaries that at least ⌊h/share⌋ of h people mark, at least one person."""
    found = support(codings)
    kept = found.positions[found.counts >= max(1, len(codings) // share)]
    return Segmentation.from_boundaries(kept, codings[0].n_units)


REFERENCES: dict[str, Callable[[Codings], Segmentation]] = {  # by the rows of the table
    "WD, at least 50 %": lambda codings: marked_by(2, codings),
    "WD, at least 30 %": lambda codings: marked_by(3, codings),
    "WD, union": lambda codings: marked_by(len(codings), codings),
    "WD, annotator 1": lambda codings: codings[0],
    "WD, annotator 4": lambda codings: codings[3],
    "WD, annotator 2": lambda codings: codings[1],
}


# ---- multWinDiff ----


@dataclass(frozen=True)
class MultSums:
    """Errors of each hypothesis, and the fewest and most that are possible, summed over windows
    and people; and the numbers of people and windows."""

    errors: Floats
    best: float
    worst: float
    people: int
    windows: int

    def values(self) -> Floats:
        """Where the errors of each hypothesis lie between the bounds: its multWinDiff.

        Errors are divided by one window less than the bounds.
        """
        mean = self.errors / (self.people * (self.windows - 1))
        best, worst = (bound / (self.people * self.windows) for bound in (self.best, self.worst))
        return np.asarray((mean - best) / (worst - best))


_USED = ("errors", "best_errors", "worst_errors")


def mult_sums(codings: Codings, found: Codings, end: bool = True) -> MultSums:
    """The sums that multWinDiff is made of, against all people."""
    n, people = codings[0].n_units, len(codings)
    metric = MultiWindowDiff(k=_rounded_half(codings))
    refs = [[with_end(coding) for coding in codings]] * len(found)
    rows = score(refs, [with_end(coding, end) for coding in found], metric)[metric].statistics.rows
    errors, best, worst = (rows[:, metric.statistic_names.index(name)] for name in _USED)
    return MultSums(errors, best[0], worst[0], people, n + 1 - _rounded_half(codings))


def _rounded_half(codings: Codings) -> int:
    """Half of the mean segment of all people, halves rounded up."""
    segments = sum(coding.n_segments for coding in codings)
    return max(1, (len(codings) * codings[0].n_units + segments) // (2 * segments))


# ---- the table ----


def row_values(row: str, codings: ByCoder, found: Codings, end: bool = True) -> Floats:
    """A row of the table for one chapter: the value of each hypothesis."""
    people = list(codings.values())
    if row == "multWinDiff":
        return mult_sums(people, found, end).values()
    return window_diffs(REFERENCES[row](people), found, end)


ROWS = (*REFERENCES, "multWinDiff")
