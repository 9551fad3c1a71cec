"""Freddy Choi (2000): Advances in domain independent linear text segmentation. NAACL 2000.

The error rates of C99 with the number of segments known and found, and of baselines: segments of
equal size, no boundary. Pk in words, boundaries possible at the ends of lines, mean over documents
in per cent, for excerpts of 3-11, 3-5, 6-8 and 9-11 sentences. The paper's samples are 500
documents; it is not known which of the 700 public documents these are (set 1 or 2 with set 3 would
be 500, and fits no better).

- Segments of equal size are floor(N/K) lines long, and lines that are left over are further
  segments. This reading was picked because it fits: with boundaries at round(i·N/K) the errors
  are 45/34/22/18, not those printed.
- No boundary: 46/47/47/47 here, 47/47/47/46 in print, as if the first and the last had changed
  places.
- C99 with a known number: the original program, run again on sets 1 and 2, does not print 12/12/9/9
  either, but 12/11/10/9 (as in Utiyama & Isahara 2001, on all 700).
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from reproduction.cells import Formulas
from reproduction.corpora import Excerpts, choi, choi_preprocessing
from reproduction.runs import Run
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.metrics import Pk
from segscore.scoring.scoring import score
from segscore.segmenters.bayesseg import UtiyamaIsahara
from segscore.segmenters.c99 import C99
from segscore.simulate import baselines

SUBSETS = ("3-11", "3-5", "6-8", "9-11")


def equal_size(ref: Segmentation) -> Segmentation:
    """Segments of floor(N/K) lines; lines that are left over at the end are further segments."""
    assert ref.candidates is not None  # noqa: S101  the ends of lines
    size = (len(ref.candidates) + 1) // ref.n_segments
    ends = ref.candidates[size - 1 :: size]
    return Segmentation.from_boundaries(ends, ref.n_units, candidates=ref.candidates)


def system(run: Run, name: str, k: str) -> Callable[[Excerpts], Segmentation]:
    """A system by its name; `k` says whether the number of segments is known."""
    if name == "equal size":
        return lambda one: equal_size(one.reference)
    if name == "no boundary":
        return lambda one: baselines.none(
            one.reference.n_units, candidates=one.reference.candidates
        )
    segmenter = {"C99": C99, "their method": UtiyamaIsahara}[name](choi_preprocessing(run))
    return lambda one: one.in_words(
        segmenter(one.lines, one.reference.n_segments if k == "K known" else None)
    )


@cache
def errors(run: Run, name: str, k: str, subset: str) -> Floats:
    """Pk of each document of a subset, or of `all`, in per cent."""
    if subset == "all":
        return np.concatenate([errors(run, name, k, one) for one in SUBSETS])
    documents, make = choi(run, subset), system(run, name, k)
    refs, hyps = [one.reference for one in documents], [make(one) for one in documents]
    return 100 * score(refs, hyps, metrics=Pk())[Pk()].values


FORMULAS: Formulas = {
    "Pk": lambda run, name, k, subset: errors(run, name, k, subset).mean(),
}
