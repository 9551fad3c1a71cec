"""Changes that scripts make to documents before any convention applies: sides swapped, units lost,
labels misread. Each `Reading` turns `Pairs` into those that a script sees.

They are tried to explain a number (`expect`), and reported only if they do.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.conventions.f_counting import has_labels, near, runs_of_labels
from segscore.conventions.symbols import Places, sides
from segscore.corpus.lists import starts_of
from segscore.pairing.pairs import Pairs


class Reading(NamedTuple):
    """A change of documents; None if it does not apply to them.

    cost: how far-fetched it is (`auditing.py`). about_k: what it does to k. of_all: it is tried
    with all conventions, not only with those of Pk and WindowDiff that are frequent.
    """

    words: str
    source: str
    change: Callable[[Pairs], Pairs | None]
    cost: float = 2.0
    about_k: str = ""
    of_all: bool = False

    def words_for(self, measure: str) -> str:
        """The description of the change for a measure; only window measures have a k."""
        return self.words + (self.about_k if measure in ("pk", "windowdiff", "total") else "")


def swapped(pairs: Pairs) -> Pairs:
    """The pairs with reference and hypothesis exchanged."""
    details: dict[str, Any] = {}
    for mine, other in (("ref", "hyp"), ("hyp", "ref")):
        for name in ("types", "ranks", "candidates", "labels"):
            details[f"{mine}_{name}"] = getattr(pairs, f"{other}_{name}")
    return Pairs(
        pairs.n_units, pairs.hyp_offsets, pairs.hyp_positions, pairs.ref_offsets,
        pairs.ref_positions, type_names=pairs.type_names, label_names=pairs.label_names,
        provenance=pairs.provenance, **details,
    )  # fmt: skip


def without_rows(pairs: Pairs, rows: Sequence[int]) -> Pairs:
    """The pairs without some documents."""
    others = np.delete(np.arange(len(pairs)), list(rows))
    ref, hyp = (
        Places(starts_of(side.counts[others]), side.positions[np.isin(side.rows, others)])
        for side in sides(pairs)
    )
    return _changed(pairs, pairs.n_units[others], ref, hyp)


def _changed(pairs: Pairs, n_units: Any, ref: Places, hyp: Places) -> Pairs:
    return Pairs(n_units, *ref, *hyp, provenance=pairs.provenance)


def _of_candidates(pairs: Pairs) -> Pairs | None:
    """The pairs with candidates as the only ends of units: those of the reference, or of the
    hypothesis."""
    candidates = pairs.ref_candidates or pairs.hyp_candidates
    if candidates is None:
        return None
    n = np.diff(candidates.offsets)  # 0: a document has all of its places
    moved = []
    for side in sides(pairs):
        first, last = near(side, Places(*candidates), 0)
        chosen = n[side.rows] > 0
        places = np.where(chosen, first - candidates.offsets[side.rows] + 1, side.positions)
        moved.append(Places(side.offsets, places).only((first < last) | ~chosen))
    return _changed(pairs, np.where(n > 0, n + 1, pairs.n_units), *moved)


def _runs_of_segment_labels(pairs: Pairs) -> Pairs | None:
    """The pairs with neighbouring segments of the same label joined."""
    return runs_of_labels(pairs) if has_labels(pairs) else None


def _runs_of_marks(marks: str, edge: bool) -> Callable[[Pairs], Pairs]:
    """The pairs with labels 0 and 1 read as numbers of segments: each run of equal labels is a
    segment.

    marks: whether 1 is the end or the start of a segment; edge: whether the last unit (or the
    first) is marked, too.
    """

    def change(pairs: Pairs) -> Pairs:
        changed = []
        for side in sides(pairs):
            # The marked units, counted from 0; a run ends where neighbours differ.
            rows, marked = side.rows, side.positions - (marks == "end")
            if edge:
                rows = np.concatenate([rows, np.arange(len(pairs))])
                marked = np.concatenate([marked, (pairs.n_units - 1) * (marks == "end")])
            changed.append(_at_odd_times(pairs, np.tile(rows, 2), np.append(marked, marked + 1)))
        return _changed(pairs, pairs.n_units, *changed)

    return change


def _at_odd_times(pairs: Pairs, rows: Int64Array, places: Int64Array) -> Places:
    """The positions inside documents that are listed once, not twice."""
    order = np.lexsort((places, rows))
    rows, places = rows[order], places[order]
    again = (np.diff(rows) == 0) & (np.diff(places) == 0)
    once = ~(np.append(again, False) | np.append(False, again))[: len(rows)]
    inside = once & (places > 0) & (places < pairs.n_units[rows])
    counts = np.bincount(rows[inside], minlength=len(pairs))
    return Places(starts_of(counts), places[inside])


def _until_last_boundary(which: str) -> Callable[[Pairs], Pairs | None]:
    """The pairs with the text ending one unit after the last boundary of "both sides", or of "the
    reference"."""

    def change(pairs: Pairs) -> Pairs | None:
        lasts = []
        for side in sides(pairs):
            last = np.zeros(len(pairs), np.int64)
            has_boundaries = side.counts > 0
            last[has_boundaries] = side.positions[side.offsets[1:][has_boundaries] - 1]
            lasts.append(last)
        n = (lasts[0] if which == "the reference" else np.maximum(*lasts)) + 1
        ref, hyp = (side.only(side.positions < n[side.rows]) for side in sides(pairs))
        return None if np.array_equal(n, pairs.n_units) else _changed(pairs, n, ref, hyp)

    return change


def over_words(pairs: Pairs, lengths: list[Any]) -> Pairs:
    """The pairs with boundaries in words; `lengths` has the words of each unit, document after
    document."""
    ends = [np.concatenate([[0], np.cumsum(length)]) for length in lengths]
    n = np.array([end[-1] for end in ends], np.int64)
    starts, every = starts_of([len(end) for end in ends])[:-1], np.concatenate(ends)
    ref, hyp = (
        Places(side.offsets, every[starts[side.rows] + side.positions]) for side in sides(pairs)
    )
    return _changed(pairs, n, ref, hyp)


_LABELS = "labels 0 and 1 taken for numbers of segments, so that runs of equal labels are segments"
_AS_NUMBERS = "segeval's convert_positions_to_masses of labels"

READINGS: tuple[Reading, ...] = (
    Reading(
        "sides swapped",
        "segeval takes (hypothesis, reference), NLTK (reference, hypothesis)",
        swapped,
        cost=1.0,
        about_k=", so that k comes from the hypothesis",
        of_all=True,
    ),
    Reading(
        "only candidates are unit ends (paragraphs instead of sentences)",
        "SpokenNLP alimeeting4mug challenge_evaluate.py",
        _of_candidates,
        cost=1.0,
    ),
    Reading(
        "neighbours with the same label are one segment",
        "SECTOR SegmentationEvaluation.java",
        _runs_of_segment_labels,
    ),
    *(
        Reading(
            f"{_LABELS} ({'1 = end' if marks == 'end' else '1 = start'}, "
            f"{'last' if marks == 'end' else 'first'} label {int(edge)})",
            _AS_NUMBERS,
            _runs_of_marks(marks, edge),
        )
        for marks in ("end", "start")
        for edge in (True, False)
    ),
    *(
        Reading(
            f"length taken as the last boundary of {which} + 1",
            "scripts that know boundaries and no length",
            _until_last_boundary(which),
        )
        for which in ("both sides", "the reference")
    ),
)
OVER_WORDS = Reading(
    "words as units, sentences as places",
    "koomri/text-segmentation test_accuracy.py --calc_word",
    lambda pairs: pairs,
    cost=1.5,
)


def source_of(words: str) -> str:
    """The code that does so; anything but a reading is about documents that fail."""
    for reading in (*READINGS, OVER_WORDS):
        if words.startswith(reading.words):
            return reading.source
    return "Def-DTS src/autoseg.py, SpokenNLP seqeval.py, and others"
