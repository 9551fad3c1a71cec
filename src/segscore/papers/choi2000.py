"""Freddy Choi (2000): Advances in domain independent linear text segmentation. NAACL 2000.

The error rates of C99 with the number of segments known (12/12/9/9 %) and found (13/18/10/10 %),
and of baselines: segments of equal size, no boundary. Pk in words, boundaries possible at the ends
of lines, mean over documents in per cent, for excerpts of 3-11, 3-5, 6-8 and 9-11 sentences. The
paper's samples are 500 documents, the corpus that is handed down has 700.

Segments of equal size are floor(N/K) lines long, and what is left over makes more of them (our
reading: with boundaries at round(i·N/K) the errors are 45/34/22/18, which is not what is printed).
"""

from functools import partial

import numpy as np

from segscore import baselines
from segscore.metrics import Pk
from segscore.papers.cells import Cell, Run, Tolerance
from segscore.papers.corpora import choi, choi_lines, choi_preprocessing
from segscore.scoring import score
from segscore.segmentation import Segmentation
from segscore.segmenters import C99

SUBSETS = ("3-11", "3-5", "6-8", "9-11")
PRINTED: dict[str, tuple[float, ...]] = {
    "C99, K known": (12, 12, 9, 9),
    "C99, K found": (13, 18, 10, 10),
    "equal size": (45, 38, 39, 36),
    "no boundary": (47, 47, 47, 46),
}
TOLERANCE = Tolerance(1.5, "printed without decimals, on a sample that is not quite the corpus")


def mean_pk(system: str, subset: str, run: Run) -> float:
    """The mean Pk of a system on a subset, in per cent."""
    refs = choi(run, subset)
    made = score(refs, _hypotheses(system, subset, refs, run), metrics=Pk())
    return float(100 * np.mean(made[Pk()].values))


def _hypotheses(system: str, subset: str, refs: list[Segmentation], run: Run) -> list[Segmentation]:
    if system == "no boundary":
        return [baselines.none(ref.n_units, candidates=ref.candidates) for ref in refs]
    if system == "equal size":
        return [_equal_size(ref) for ref in refs]
    segmenter = C99(choi_preprocessing(run))
    known = system == "C99, K known"
    return [
        segmenter(lines, ref.n_segments if known else None).expand(
            [len(line.split()) for line in lines]
        )
        for lines, ref in zip(choi_lines(run, subset), refs, strict=True)
    ]


def _equal_size(ref: Segmentation) -> Segmentation:
    """Segments of floor(N/K) lines, and what is left over: another one at the end."""
    assert ref.candidates is not None  # noqa: S101  the ends of lines
    size = (len(ref.candidates) + 1) // ref.n_segments
    ends = ref.candidates[size - 1 :: size]
    return Segmentation.from_boundaries(ends, ref.n_units, candidates=ref.candidates)


CELLS = [
    Cell(
        item=f"{system}, {subset}",
        published=value,
        compute=partial(mean_pk, system, subset),
        tolerance=TOLERANCE,
        needs=("choi",),
        long=system.startswith("C99"),
    )
    for system, values in PRINTED.items()
    for subset, value in zip(SUBSETS, values, strict=True)
]
