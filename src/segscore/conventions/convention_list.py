"""Other implementations of Pk and WindowDiff: each `Convention` is an implementation in use.

Implementations disagree about what a unit is, how k is found and which windows there are. A
convention says how one of them encodes documents as symbols (`symbols.py`), its rule for k, and
what it prints where no score exists (`symbols.py`).

Conventions `nltk`, `nltk-labels` and `nltk-labels-last-0` equal NLTK 3.10, `segeval`,
`segeval-labels` and `lamprier` equal segeval 2.0.11, `chunkseg` equals chunkseg 0.4.0, crashes
included; the others follow the rule that the cited code states. EvalHDS, which compares levels, is
apart (`evalhds.py`).
"""

import numpy as np

from segscore.conventions import symbols
from segscore.conventions.symbols import (
    chunkseg_trouble,
    haps_trouble,
    lamprier_trouble,
    nltk_trouble,
    perfect_without_size,
    segeval_fails,
    segeval_trouble,
)
from segscore.conventions.window_auditing import (
    Convention,
    fixed,
    half,
    half_up,
    segeval_size,
)

NLTK = "nltk/metrics/segmentation.py"
SEGEVAL = "segeval/window"


CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        "paper",
        "Beeferman et al. 1999, Pevzner & Hearst 2002: N units, k half the mean segment, "
        "N-k windows.",
        "the papers; segscore's pk and windowdiff",
        symbols.units,
        lambda length, _, segments: np.maximum(1, half(length, segments)),
        cost=0,
    ),
    Convention(
        "nltk",
        "NLTK on N-1 gap symbols takes gaps for units and boundaries for segments: k is too large, "
        "and 0 where boundaries are dense. Its windowdiff has no default k: pk's is used.",
        NLTK,
        symbols.gaps,
        lambda length, ones, _: half(length, np.maximum(1, ones)),
        nltk_trouble,
        cost=0,
    ),
    Convention(
        "nltk-old",
        "NLTK before June 2026 fails where a reference has no boundary; scripts that catch the "
        "error leave such documents out.",
        NLTK,
        symbols.gaps,
        lambda length, ones, _: half(length, ones),
        nltk_trouble,
        variant_of="nltk",
    ),
    Convention(
        "segeval",
        "segeval forces k to be 2 at least, and prints 0 or fails where k reaches N.",
        SEGEVAL,
        symbols.units,
        segeval_size,
        segeval_trouble,
        segeval_fails,
        cost=0,
    ),
    Convention(
        "segeval-labels",
        "segeval on N labels, the last being 0, which it takes for the gaps of N+1 units: N+1-k "
        "windows.",
        "convert_nltk_to_masses of a label per unit, as in DeepTiling",
        symbols.ends_as_gaps,
        segeval_size,
        segeval_trouble,
        segeval_fails,
        cost=0.5,
    ),
    Convention(
        "segeval-labels-last-1",
        "segeval on N labels, the last being 1, which it takes for the gaps of N+1 units: one more "
        "boundary, which both sides share.",
        "convert_nltk_to_masses of a label per unit, as in DeepTiling",
        symbols.closed_ends_as_gaps,
        segeval_size,
        segeval_trouble,
        segeval_fails,
    ),
    Convention(
        "segeval-labels-first-1",
        "segeval on N labels, 1 = segment start, the first being 1, which it takes for the gaps of "
        "N+1 units: one more boundary, which both sides share.",
        "convert_nltk_to_masses of a label per unit",
        symbols.closed_starts_as_gaps,
        segeval_size,
        segeval_trouble,
        segeval_fails,
        variant_of="segeval-labels-last-1",
        cost=1.25,
    ),
    Convention(
        "chunkseg",
        "chunkseg: times are cut down to chunks of 6 s (units without a length are chunks), a "
        "label each, 1 = a boundary inside; segeval takes them for gaps, so there is one unit "
        "more. Two equal sides get 1, even of Pk, where segeval fails.",
        "chunkseg/metrics.py",
        symbols.chunks_as_gaps,
        segeval_size,
        chunkseg_trouble,
        segeval_fails,
        same_prints=1.0,
        cost=0.5,
    ),
    Convention(
        "nltk-labels",
        "NLTK on a label per unit, the last being 1: one more symbol and one more boundary, which "
        "both sides share, so N-k+1 windows.",
        NLTK,
        symbols.closed_ends,
        lambda length, ones, _: half(length, np.maximum(1, ones)),
        nltk_trouble,
        cost=0.5,
    ),
    Convention(
        "nltk-labels-last-0",
        "NLTK on a label per unit, the last being 0: k from boundaries instead of segments, N-k+1 "
        "windows.",
        NLTK,
        symbols.ends,
        lambda length, ones, _: half(length, np.maximum(1, ones)),
        nltk_trouble,
        variant_of="solbiati",
        cost=0.5,
    ),
    Convention(
        "solbiati",
        "A label per unit, 1 = segment start (not the first): k from boundaries instead of "
        "segments, N-k+1 windows, every boundary one place later.",
        "unsupervised_topic_segmentation eval.py",
        symbols.starts,
        lambda length, ones, _: half(length, ones),
        nltk_trouble,
    ),
    Convention(
        "superdialseg",
        "A label per unit, the last being 0: N-k+1 windows, k at least 2.",
        "SuperDialseg metrics/segmentation.py",
        symbols.ends,
        lambda length, ones, _: np.maximum(2, half(length, ones + 1)),
        nltk_trouble,
        cost=0,
    ),
    Convention(
        "treeseg",
        "A label per unit, 1 = segment start: N-k+1 windows, every boundary one place later. (With "
        "the first label 1, NLTK gives this WindowDiff, and Pk of nltk-labels.)",
        "treeseg main.py",
        symbols.starts,
        lambda length, _, segments: half(length, segments),
        nltk_trouble,
    ),
    Convention(
        "mug",
        "AliMeeting4MUG: segeval, and the last unit is dropped, with the boundary before it: N-1 "
        "units. (Where candidates are given, only they are unit ends.)",
        "SpokenNLP alimeeting4mug challenge_evaluate.py",
        symbols.without_last_unit,
        segeval_size,
        segeval_trouble,
        segeval_fails,
        cost=0.5,
    ),
    Convention(
        "floored",
        "k is N // (2 segments), cut down; where that is 0, there is no error.",
        "several scripts",
        symbols.units,
        lambda length, _, segments: length // (2 * segments),
        perfect_without_size,
    ),
    Convention(
        "floored-at-least-1",
        "k is N // (2 segments), cut down, at least 1.",
        "several scripts",
        symbols.units,
        lambda length, _, segments: np.maximum(1, length // (2 * segments)),
        variant_of="floored",
    ),
    Convention(
        "floored-labels",
        "k is N // (2 segments), cut down, on a label per unit, the last being 0: N-k+1 windows.",
        "several scripts around NLTK",
        symbols.ends,
        lambda length, _, segments: length // (2 * segments),
        nltk_trouble,
    ),
    Convention(
        "textsplit",
        "Half the mean segment minus 1: k is too small, and 0 for short segments; the last "
        "position is never seen. Pk only.",
        "textsplit/tools.py",
        symbols.splits,
        lambda length, _, segments: half(length - 2 * segments, segments),
        perfect_without_size,
        measures=("pk",),
        cost=2,
    ),
    Convention(
        "lamprier",
        "segeval's lamprier_et_al_2007_fix: windows also reach beyond the text, N+k of them, but "
        "the sum is divided by N+k+1, so that 1 cannot be reached. WindowDiff only.",
        SEGEVAL,
        symbols.units,
        segeval_size,
        lamprier_trouble,
        segeval_fails,
        measures=("windowdiff",),
        padded=True,
        surplus=1,
        cost=2,
    ),
    Convention(
        "fi12",
        "Fournier & Inkpen 2012 count the k-1 positions inside k units, rounding half up.",
        "the paper",
        symbols.units,
        lambda length, _, segments: np.maximum(1, half_up(length, segments) - 1),
        cost=2,
    ),
    Convention(
        "haps",
        "HAPS (Kazantseva & Szpakowicz 2012, SegmEvaluator): the end of the text is a boundary, k "
        "the whole mean segment, cut down, and half of a text of one segment; N-k+1 windows, "
        "divided by N-k, so that 1 can be exceeded. WindowDiff only.",
        "HAPS SegmEvaluator.java",
        symbols.closed_ends,
        lambda length, _, segments: length // np.where(segments > 1, segments, 2),
        haps_trouble,
        measures=("windowdiff",),
        surplus=-1,
        cost=2,
    ),
)

_FIXED = (
    ("fixed-k", symbols.units, "N units, or N-1 gaps: N-k windows", 1.25),
    ("fixed-k-labels", symbols.ends, "a label per unit, the last being 0: N-k+1 windows", 1.75),
    (
        "fixed-k-labels-last-1",
        symbols.closed_ends,
        "a label per unit, the last being 1: N-k+1 windows",
        1.75,
    ),
    (
        "fixed-k-starts",
        symbols.starts,
        "a label per unit, 1 = segment start: N-k+1 windows, every boundary one place later",
        1.75,
    ),
)

# The option --k of several scripts. They are tried where a number is to be explained.
FIXED_SIZES: tuple[Convention, ...] = tuple(
    Convention(
        name,
        f"The same k for all documents; {words}.",
        "several scripts, --k",
        encoding,
        fixed(k),
        nltk_trouble,
        cost=cost,
    )
    for name, encoding, words, cost in _FIXED
    for k in range(2, 11)
)
