"""All conventions: other implementations of Pk and WindowDiff, F1, macro F1, B and S, in use.

Each has its name, what it does, its source, and how far-fetched it is. Implementations disagree
about what a unit is, how k is found and which windows there are; about which boundaries or segments
match; and about what is printed where no score exists.

Of windows, `nltk`, `nltk-labels` and `nltk-labels-last-0` equal NLTK 3.10, `segeval`,
`segeval-labels` and `lamprier` equal segeval 2.0.11, `chunkseg` equals chunkseg 0.4.0, crashes
included; of F1, ruptures, mir_eval, pyannote.metrics and chunkseg are compared in tests/peers; the
others follow the rule that the cited code states.

Rows of an audit come in this order. A total score stands after what it is made of.
"""

from functools import partial

import numpy as np

from segscore.conventions import convention, f_counting
from segscore.conventions import document_scores as scores
from segscore.conventions.document_scores import DocumentConvention, WindowConvention
from segscore.conventions.f_counting import FConvention
from segscore.metrics import BoundarySimilarity, SegmentationSimilarity, SegmentMatch

NLTK = "nltk/metrics/segmentation.py"
SEGEVAL = "segeval/window"
DEEP_TILING = "convert_nltk_to_masses of a label per unit, as in DeepTiling"
_SKLEARN = "sklearn's f1_score(average='macro')"
_SIMILARITY = "segeval/similarity"
_SIZES = (2, 4, 10)  # of n_t: the default, and those of scripts

of_segeval = partial(
    WindowConvention,
    size=scores.segeval_size,
    trouble=scores.SEGEVAL_TROUBLE,
    fails_from=256,  # it compares k+1 by identity, which works for small numbers only
)
of_segments = partial(FConvention, measures=("segment-f1",))
of_classes = partial(DocumentConvention, measures=("macro-f1",))
of_b, of_s, of_matrix = (
    partial(DocumentConvention, measures=(name,)) for name in ("b", "s", "b-f1")
)

_VIDCHAPTERS = [
    SegmentMatch(iou, strict=True, labels=False, matching="any") for iou in (0.3, 0.5, 0.7, 0.9)
]
_CHAPTER_LLAMA = [
    SegmentMatch(percent / 100, labels=False, matching="any") for percent in range(50, 100, 5)
]


def _action(percent: int, *ignore: str) -> FConvention:
    without = "".join(f", without segments labelled {label!r}" for label in ignore)
    metric = SegmentMatch(percent / 100, labels=True, ignore=ignore, matching="argmax")
    return of_segments(
        f"f1@{percent}{'-no-background' if ignore else ''}",
        "Action segmentation (MS-TCN and its successors): runs of one label; each hypothesis "
        f"segment takes the reference segment of the largest IoU{without}; counts pooled.",
        None,
        f_counting.matched([metric], runs=True),
        average="pooled",
        labels=(*ignore,),
        at=f"IoU ≥ {percent / 100:g}",
    )


_MACRO_F1 = "the mean macro F1 over classes (N labels, the last being 0)"
_TOTALS = {  # the F1 of a total score, and its row
    "": ("the mean F1 of boundaries", ("superdialseg", "f1", "mean")),
    "pooled-f1": ("F1 of the boundaries of all documents", ("superdialseg", "f1", "pooled")),
    "macro-f1": (_MACRO_F1, ("superdialseg", "macro-f1", "mean")),
}
_SCRIPTS = {
    ("superdialseg", ""): ("SuperDialseg metrics/segmentation.py, compute_total_score", 0.0),
    ("mug", "pooled-f1"): ("SpokenNLP alimeeting4mug challenge_evaluate.py", 0.5),
}


def _total(name: str, kind: str) -> convention.Convention:
    source, cost = _SCRIPTS.get((name, kind), ("as SuperDialseg's and MUG's", 1.0))
    words, f1 = _TOTALS[kind]
    return DocumentConvention(
        name if (name, kind) in _SCRIPTS or not kind else f"{name}+{kind}",
        f"½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff): {words}, Pk and WindowDiff as {name}, means.",
        source,
        scores.total(f1, name),
        measures=("total",),
        cost=cost,
    )


_ALL: tuple[convention.Convention, ...] = (
    # Pk and WindowDiff
    WindowConvention(
        "paper", "Beeferman et al. 1999, Pevzner & Hearst 2002: N units, k half the mean segment, "
        "N-k windows.", "the papers; segscore's pk and windowdiff", convention.units,
        lambda length, _, segments: np.maximum(1, scores.half(length, segments)), cost=0,
    ),
    WindowConvention(
        "nltk", "NLTK on N-1 gap symbols takes gaps for units and boundaries for segments: k is "
        "too large, and 0 where boundaries are dense. Its windowdiff has no default k: pk's is "
        "used.", NLTK, convention.gaps, scores.nltk_size, scores.NLTK_TROUBLE, cost=0,
    ),
    WindowConvention(
        "nltk-old", "NLTK before June 2026 fails where a reference has no boundary; scripts that "
        "catch the error leave such documents out.", NLTK, convention.gaps,
        lambda length, ones, _: scores.half(length, ones), scores.NLTK_TROUBLE, variant_of="nltk",
    ),
    of_segeval(
        "segeval", "segeval forces k to be 2 at least, and prints 0 or fails where k reaches N.",
        SEGEVAL, convention.units, cost=0,
    ),
    of_segeval(
        "segeval-labels", "segeval on N labels, the last being 0, which it takes for the gaps of "
        "N+1 units: N+1-k windows.", DEEP_TILING, convention.as_gaps(convention.ends), cost=0.5,
    ),
    of_segeval(
        "segeval-labels-last-1", "segeval on N labels, the last being 1, which it takes for the "
        "gaps of N+1 units: one more boundary, which both sides share.", DEEP_TILING,
        convention.as_gaps(convention.closed_ends),
    ),
    of_segeval(
        "segeval-labels-first-1", "segeval on N labels, 1 = segment start, the first being 1, "
        "which it takes for the gaps of N+1 units: one more boundary, which both sides share.",
        "convert_nltk_to_masses of a label per unit", convention.as_gaps(convention.closed_starts),
        variant_of="segeval-labels-last-1", cost=1.25,
    ),
    of_segeval(
        "chunkseg", "chunkseg: times are cut down to chunks of 6 s (units without a length are "
        "chunks), a label each, 1 = a boundary inside; segeval takes them for gaps, so there is "
        "one unit more. Two equal sides get 1, even of Pk, where segeval fails.",
        "chunkseg/metrics.py", convention.chunks_as_gaps, trouble=scores.CHUNKSEG_TROUBLE,
        same_prints=1.0, cost=0.5,
    ),
    WindowConvention(
        "nltk-labels", "NLTK on a label per unit, the last being 1: one more symbol and one more "
        "boundary, which both sides share, so N-k+1 windows.", NLTK, convention.closed_ends,
        scores.nltk_size, scores.NLTK_TROUBLE, cost=0.5,
    ),
    WindowConvention(
        "nltk-labels-last-0", "NLTK on a label per unit, the last being 0: k from boundaries "
        "instead of segments, N-k+1 windows.", NLTK, convention.ends, scores.nltk_size,
        scores.NLTK_TROUBLE, variant_of="solbiati", cost=0.5,
    ),
    WindowConvention(
        "solbiati", "A label per unit, 1 = segment start (not the first): k from boundaries "
        "instead of segments, N-k+1 windows, every boundary one place later.",
        "unsupervised_topic_segmentation eval.py", convention.starts,
        lambda length, ones, _: scores.half(length, ones), scores.NLTK_TROUBLE,
    ),
    WindowConvention(
        "superdialseg", "A label per unit, the last being 0: N-k+1 windows, k at least 2.",
        "SuperDialseg metrics/segmentation.py", convention.ends,
        lambda length, ones, _: np.maximum(2, scores.half(length, ones + 1)), scores.NLTK_TROUBLE,
        cost=0,
    ),
    WindowConvention(
        "treeseg", "A label per unit, 1 = segment start: N-k+1 windows, every boundary one place "
        "later. (With the first label 1, NLTK gives this WindowDiff, and Pk of nltk-labels.)",
        "treeseg main.py", convention.starts,
        lambda length, _, segments: scores.half(length, segments), scores.NLTK_TROUBLE,
    ),
    of_segeval(
        "mug", "AliMeeting4MUG: segeval, and the last unit is dropped, with the boundary before "
        "it: N-1 units. (Where candidates are given, only they are unit ends.)",
        "SpokenNLP alimeeting4mug challenge_evaluate.py", convention.without_last_unit, cost=0.5,
    ),
    WindowConvention(
        "floored", "k is N // (2 segments), cut down; where that is 0, there is no error.",
        "several scripts", convention.units, scores.floored, scores.PERFECT_WITHOUT_SIZE,
    ),
    WindowConvention(
        "floored-at-least-1", "k is N // (2 segments), cut down, at least 1.", "several scripts",
        convention.units, lambda *seen: np.maximum(1, scores.floored(*seen)), variant_of="floored",
    ),
    WindowConvention(
        "floored-labels", "k is N // (2 segments), cut down, on a label per unit, the last being "
        "0: N-k+1 windows.", "several scripts around NLTK", convention.ends, scores.floored,
        scores.NLTK_TROUBLE,
    ),
    WindowConvention(
        "textsplit", "Half the mean segment minus 1: k is too small, and 0 for short segments; the "
        "last position is never seen. Pk only.", "textsplit/tools.py", convention.splits,
        lambda length, _, segments: scores.half(length - 2 * segments, segments),
        scores.PERFECT_WITHOUT_SIZE, measures=("pk",), cost=2,
    ),
    of_segeval(
        "lamprier", "segeval's lamprier_et_al_2007_fix: windows also reach beyond the text, N+k of "
        "them, but the sum is divided by N+k+1, so that 1 cannot be reached. WindowDiff only.",
        SEGEVAL, convention.units, trouble=scores.LAMPRIER_TROUBLE, measures=("windowdiff",),
        padded=True, surplus=1, cost=2,
    ),
    WindowConvention(
        "fi12", "Fournier & Inkpen 2012 count the k-1 positions inside k units, rounding half up.",
        "the paper", convention.units,
        lambda length, _, segments: np.maximum(1, scores.half_up(length, segments) - 1), cost=2,
    ),
    WindowConvention(
        "haps", "HAPS (Kazantseva & Szpakowicz 2012, SegmEvaluator): the end of the text is a "
        "boundary, k the whole mean segment, cut down, and half of a text of one segment; N-k+1 "
        "windows, divided by N-k, so that 1 can be exceeded. WindowDiff only.",
        "HAPS SegmEvaluator.java", convention.closed_ends,
        lambda length, _, segments: length // np.where(segments > 1, segments, 2),
        scores.PERFECT_WITHOUT_SIZE, measures=("windowdiff",), surplus=-1, cost=2,
    ),
    *(
        DocumentConvention(
            "evalhds", "EvalHDS (Carroll 2010): level by level, with as many of the highest ranked "
            "boundaries of the hypothesis as the reference has, ties averaged; k cut down; N-1 "
            "windows on a ring.", "EvalHDS eval/Beeferman.py", scores.evalhds(measure),
            measures=(measure,), cost=1.5,
        )
        for measure in convention.ERRORS
    ),
    # F1 of boundaries, and of segments that overlap
    FConvention(
        "segscore", "segscore's f1: as many pairs as possible, at most the tolerance apart; the "
        "ends of the text do not count.", None, f_counting.optimal(ends=0), average="pooled",
        cost=0,
    ),
    FConvention(
        "superdialseg", "F1 of the label 1 among N labels, the last being 0; 0 where there is "
        "nothing to find.",
        "SuperDialseg metrics/classification.py; sklearn's f1_score on gaps or labels",
        f_counting.exact(ends=0), f_counting.ZERO, at="the same place", exact=True, nothing=0.0,
        cost=0.5,
    ),
    FConvention(
        "labels-last-1", "F1 of the label 1 among N labels, the last being 1 on both sides, and "
        "found.", "sklearn's f1_score on a label per unit", f_counting.exact(ends=1),
        at="the same place", exact=True, nothing=0.0, cost=0.5,
    ),
    FConvention(
        "chunkseg", "chunkseg: chunks of 6 s (or units) with a boundary inside; F of the mean "
        "precision and the mean recall, each 0 of nothing.", "chunkseg/metrics.py",
        f_counting.chunks, f_counting.ZERO, average="mean-rates", at="the same chunk", exact=True,
        nothing=0.0, cost=0.5,
    ),
    FConvention(
        "chunkseg-collar", "chunkseg's collar F1: the nearest two first; 1 if no side has a "
        "boundary, 0 if one has none.", "chunkseg/metrics.py", f_counting.nearest_first,
        f_counting.COLLAR,
    ),
    FConvention(
        "mir_eval-trimmed", "mir_eval.segment.detection with trim=True: the same; 0 if a side has "
        "no boundary.", None, f_counting.optimal(ends=0), f_counting.ZERO,
    ),
    FConvention(
        "mir_eval", "mir_eval.segment.detection as it comes: both ends of the text count, and are "
        "found.", None, f_counting.optimal(ends=2),
    ),
    FConvention(
        "pyannote", "pyannote.metrics.segmentation: the nearest two first, which can lose a pair; "
        "a side without a boundary has 1.", None, f_counting.nearest_first,
        f_counting.ONE_OF_NOTHING, average="pooled",
    ),
    FConvention(
        "ruptures", "ruptures.metrics.precision_recall: nearer than the margin, not at it; a "
        "reference boundary takes all hypothesis boundaries that are near.", None,
        f_counting.ruptures, f_counting.RUPTURES, positive=True,
    ),
    FConvention(
        "tcpdbench", "TCPDBench: the start of the text counts, and is found; each reference "
        "boundary in turn takes the nearest that is free.", None, f_counting.nearest_in_turn,
    ),
    FConvention(
        "vidchapters", "VidChapters: starts of chapters, including the first, nearer than the "
        "tolerance; a boundary may match several; F of the mean precision and the mean recall.",
        None, f_counting.any_near(start=True), average="mean-rates", positive=True,
    ),
    FConvention(
        "chapter-llama", "Chapter-Llama: starts of chapters without the first, nearer than the "
        "tolerance; a boundary may match several.", None, f_counting.any_near(start=False),
        positive=True,
    ),
    of_segments(
        "vidchapters-iou", "VidChapters: chapters that reach an IoU with any chapter of the other "
        "side, mean over thresholds; F of the mean precision and the mean recall.", None,
        f_counting.matched(_VIDCHAPTERS), average="mean-rates", at="IoU > 0.3, 0.5, 0.7, 0.9",
    ),
    of_segments(
        "chapter-llama-iou", "Chapter-Llama: the same with ≥ and ten thresholds, mean of the "
        "videos' F1.", None, f_counting.matched(_CHAPTER_LLAMA), at="IoU ≥ 0.5, 0.55 … 0.95",
    ),
    of_segments(
        "soda", "SODA without captions: the sum of IoU of the best matching that keeps the order, "
        "over segments.", None, f_counting.matched([SegmentMatch(labels=False, matching="soda")]),
    ),
    *(_action(percent, *ignore) for ignore in ((), ("background",)) for percent in (10, 25, 50)),
    of_segments(
        "seqeval", "seqeval: entities whose label and both ends are right; segments labelled 'O' "
        "are not entities.", None,
        f_counting.matched([SegmentMatch(1, labels=True, ignore=("O",))]), average="pooled",
        at="IoU = 1", labels=(),
    ),
    # macro F1 of classes, and total scores
    of_classes(
        "superdialseg", "Macro F1 over both classes of N labels, the last being 0.",
        "SuperDialseg metrics/segmentation.py", scores.classes(last=0, absent=0.0), cost=0,
    ),
    of_classes(
        "neural-texttiling", "Macro F1 over both classes of N labels, the last being 1 on both "
        "sides, and found.", "Dialogue-Topic-Segmenter neural_texttiling.py",
        scores.classes(last=1, absent=0.0), cost=0.5,
    ),
    of_classes(
        "gaps", "Macro F1 over the classes of N-1 gaps.", _SKLEARN,
        scores.classes(None, None), cost=0.5,
    ),
    of_classes(
        "gaps-both-classes", "Macro F1 over both classes of N-1 gaps; a class that does not occur "
        "counts 0.", "sklearn's f1_score(labels=[0, 1], average='macro')",
        scores.classes(None, 0.0),
    ),
    of_classes(
        "labels-last-0", "Macro F1 over the classes that occur among N labels, the last being 0.",
        _SKLEARN, scores.classes(last=0, absent=None),
    ),
    of_classes(
        "labels-last-1", "Macro F1 over the classes that occur among N labels, the last being 1 on "
        "both sides.", _SKLEARN, scores.classes(last=1, absent=None),
    ),
    *(
        _total(name, kind)
        for name in ("superdialseg", "mug", "paper", "segeval", "nltk", "nltk-labels")
        for kind in _TOTALS
        if (name, kind) != ("mug", "")
    ),
    # B, S, F1 of the confusion matrix of B, and counts
    of_b(
        "segscore", "segscore's b: Fournier 2013, with the fewest edits.", "the paper",
        scores.edit_scores(BoundarySimilarity(), empty=1.0), at="n_t 2", cost=0,
    ),
    *(
        of_b(
            "segeval", "segeval's boundary_similarity: edits found greedily.", _SIMILARITY,
            scores.edit_scores(BoundarySimilarity(n_t, method="greedy")), at=f"n_t {n_t}",
        )
        for n_t in _SIZES
    ),
    of_b(
        "chunkseg", "chunkseg: segeval's B on chunk labels, taken for gaps; 1 for two equal sides "
        "where segeval fails.", "chunkseg/metrics.py", scores.edits_of_chunks, at="n_t 2",
    ),
    of_s(
        "segscore", "segscore's s: Fournier & Inkpen 2012, with the fewest edits.", "the paper",
        scores.edit_scores(SegmentationSimilarity(), empty=1.0), at="n_t 2", cost=0,
    ),
    *(
        of_s(
            "segeval", "segeval's segmentation_similarity: edits found greedily, a transposition "
            "costs d / n_t.", _SIMILARITY,
            scores.edit_scores(SegmentationSimilarity(n_t, cost="span", method="greedy")),
            at=f"n_t {n_t}",
        )
        for n_t in _SIZES
    ),
    *(
        of_matrix(
            "segeval-fmeasure", "segeval's fmeasure of boundary_confusion_matrix, which credits a "
            "near miss with its cost, so that farther ones count more.", "segeval/ml",
            scores.edits_matrix(n_t, micro=False), at=f"n_t {n_t}",
        )
        for n_t in _SIZES
    ),
    *(
        of_matrix(
            "segeval-precision", "segeval's precision and recall of boundary_confusion_matrix, "
            "without a class: both are tp / (tp + fp + fn).", "segeval/ml",
            scores.edits_matrix(n_t, micro=True), at=f"n_t {n_t}", cost=1.5,
        )
        for n_t in _SIZES
    ),
    DocumentConvention(
        "count-mae", "Mean of |boundaries of the reference - boundaries of the hypothesis|.",
        "SuperDialseg metrics/segmentation.py, class MAE", scores.count_errors,
        measures=("count-mae",), cost=0,
    ),
    # rare: tried where a number is to be explained (the option --k of several scripts, say)
    *(
        WindowConvention(
            name, f"The same k for all documents; {words}.", "several scripts, --k", encoding,
            lambda length, _, __, k=k: np.full(len(length), k, np.int64),  # type: ignore[misc]
            scores.NLTK_TROUBLE, fixed=True, cost=cost, rare=True,
        )
        for name, encoding, words, cost in (
            ("fixed-k", convention.units, "N units, or N-1 gaps: N-k windows", 1.25),
            ("fixed-k-labels", convention.ends,
             "a label per unit, the last being 0: N-k+1 windows", 1.75),
            ("fixed-k-labels-last-1", convention.closed_ends,
             "a label per unit, the last being 1: N-k+1 windows", 1.75),
            ("fixed-k-starts", convention.starts,
             "a label per unit, 1 = segment start: N-k+1 windows, every boundary one place later",
             1.75),
        )
        for k in range(2, 11)
    ),
    FConvention(
        "rel-dis", "F1@Rel.Dis 0.05 of event boundaries in videos: as many pairs as possible, at "
        "most 5 % of the text apart; counts pooled.", "Kinetics-GEBD (Shou et al. 2021)",
        f_counting.within_shares(5), average="pooled", at="5 % of the text", exact=True, cost=1.5,
        rare=True,
    ),
    FConvention(
        "rel-dis-mean", "The mean of F1@Rel.Dis 0.05, 0.1 … 0.5 of event boundaries in videos.",
        "Kinetics-GEBD (Shou et al. 2021)", f_counting.within_shares(*range(5, 55, 5)),
        average="pooled", at="5, 10 … 50 % of the text", exact=True, cost=1.5,
        rare=True,
    ),
    of_segments(
        "whole-segments", "Accuracy of chunks: the share of reference segments with both ends "
        "right; segments of a single unit, such as headings, count as right.", "chunkers",
        f_counting.whole_segments, at="both ends", cost=2, rare=True,
    ),
    *(
        FConvention(
            "tolerant-f1", "Called Boundary Similarity (B), and is F1 of boundaries in which one "
            f"may match many, at most {reach} units (characters) apart.",
            "tools for traces of reasoning", f_counting.any_near(within=reach), measures=("b",),
            at=f"at most {reach} apart", cost=2, rare=True,
        )
        for reach in (3, 10)
    ),
)  # fmt: skip
CONVENTIONS = tuple(each for each in _ALL if not each.rare)
RARE = tuple(each for each in _ALL if each.rare)
CATALOGUE = {
    (each.name, measure): each for each in (*RARE, *CONVENTIONS) for measure in each.measures
}
