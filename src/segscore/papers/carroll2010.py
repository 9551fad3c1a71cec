"""Lucien Carroll (2010): Evaluating Hierarchical Discourse Segmentation. NAACL-HLT 2010.

Figure 2: baselines and HC99 on the 400 documents of Choi's 3-11 subset, errors counted in words,
boundaries possible at the ends of lines; E_Pk and E_WD with windows that stay inside the text
(drop) and with windows that run on from its end to its start (wrap, which the paper adopts). The
reference is linear. In per cent, mean over documents.

- NONE marks nothing: every candidate is tied. The paper draws among them, so that its numbers
  carry the luck of the draw; here the expectation is exact.
- BIN cuts the sequence of lines in halves, and these again, ranked by depth.
- HC99 is C99 (Choi 2000) with the order of its splits as ranks, up to the last one; Choi's stop
  list, Porter's stemmer.
- HCWM is the same in an LSA space. The paper's comes from the British National Corpus, which is
  not ours to give: with a space of one's own, saved as lsa/space.npz in the folder of data
  (`segscore.segmenters.LSASpace.train(texts).save(file)`), it is computed too.

What is not settled is the sample. The paper gives ± 0.9 for BIN and HC99, and on 400 documents ours
is 0.72 to 0.79: about 300 would give 0.9. The 300 documents of set 3, the largest of the three that
make the subset, give 0.83 to 0.91, and all twelve means of NONE, BIN and HC99 are nearer to the
printed ones there, those of HC99 by far. So ± is computed on set 3; the means are computed on all,
and those of HC99, which then miss by more than 2 %, on set 3 as well.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from segscore import baselines
from segscore.arguments import Floats
from segscore.metrics import Hierarchical, Pk, WindowDiff
from segscore.pairs import Pairs
from segscore.papers.corpora import choi, choi_lines, choi_preprocessing, choi_sets
from segscore.papers.errata import Erratum, Finding
from segscore.papers.published import PublishedNumber, Run, Tolerance, drawn, printed
from segscore.scoring import score
from segscore.segmentation import Segmentation
from segscore.segmenters import C99, CWM
from segscore.segmenters.base import Segmenter

Edges = Literal["drop", "wrap"]
Baseline = Callable[[Segmentation], Segmentation]
Errors = Callable[[str, str, Edges, Run], Floats]

# Baseline and measure: without and with wrapping.
PRINTED_IN_FIGURE_2: dict[tuple[str, str], dict[Edges, float]] = {
    ("NONE", "E_Pk"): {"drop": 46.1, "wrap": 45.5},
    ("NONE", "E_WD"): {"drop": 49.9, "wrap": 49.1},
    ("BIN", "E_Pk"): {"drop": 43.9, "wrap": 42.1},
    ("BIN", "E_WD"): {"drop": 45.0, "wrap": 43.1},
    ("HC99", "E_Pk"): {"drop": 12.5, "wrap": 12.1},
    ("HC99", "E_WD"): {"drop": 13.8, "wrap": 13.3},
    ("HCWM", "E_Pk"): {"drop": 12.1},
    ("HCWM", "E_WD"): {"drop": 14.1, "wrap": 13.9},
}
# Half-widths of 95 % confidence intervals: known for one number of NONE, and for all of BIN.
PRINTED_HALF_WIDTHS: dict[tuple[str, str, Edges], float] = {
    ("NONE", "E_Pk", "drop"): 0.2,
    ("BIN", "E_Pk", "drop"): 0.9,
    ("BIN", "E_Pk", "wrap"): 0.9,
    ("BIN", "E_WD", "drop"): 0.9,
    ("BIN", "E_WD", "wrap"): 0.9,
    ("HC99", "E_Pk", "drop"): 0.9,
    ("HC99", "E_Pk", "wrap"): 0.9,
    ("HC99", "E_WD", "drop"): 0.9,
    ("HC99", "E_WD", "wrap"): 0.9,
}
NOT_AS_WIDE = {("BIN", "E_WD", "wrap"), ("HC99", "E_Pk", "wrap")}
SAMPLE = "on the 300 documents of set 3"
OTHER_SPACE = "in another LSA space than the paper's: interesting, but nothing that has to hold"
TOO_FAR = "more than 2 % off on all 400 documents; see set 3"


def tolerance(baseline: str, published: float) -> Tolerance:
    """Within the paper's own ±, for it draws among tied boundaries, and from documents."""
    if baseline == "NONE":
        return drawn(published, 0.2, "the ± 0.2 printed with the first of these")
    return drawn(published, 0.5, "half a point, where the paper prints ± 0.9")


def subset_3_11(run: Run) -> list[Segmentation]:
    """The references, in words, with the ends of lines as candidates."""
    return choi(run, "3-11")


def none(ref: Segmentation) -> Segmentation:
    """No boundary, in the document of this reference."""
    return baselines.none(ref.n_units, candidates=ref.candidates)


def bisect(ref: Segmentation) -> Segmentation:
    """Halves of halves of the lines of this document."""
    return baselines.bisect(ref.n_units, candidates=ref.candidates)


def batch(baseline: Baseline, run: Run) -> Pairs:
    """A baseline on all documents."""
    refs = run.shared(subset_3_11)
    return Pairs.from_segmentations(refs, [baseline(ref) for ref in refs])


def hc99(run: Run) -> Pairs:
    """C99 on all documents, every line end ranked by when it was split."""
    return _by_splits(C99(choi_preprocessing(run), hierarchical=True), run)


def hcwm(run: Run) -> Pairs:
    """The same in the space that the data hold."""
    return _by_splits(CWM(run.folder("lsa") / "space.npz", hierarchical=True), run)


def _by_splits(segmenter: Segmenter, run: Run) -> Pairs:
    texts = choi_lines(run, "3-11")
    hyps = [segmenter(lines).expand([len(line.split()) for line in lines]) for lines in texts]
    return Pairs.from_segmentations(run.shared(subset_3_11), hyps)


BATCHES: dict[str, Callable[[Run], Pairs]] = {
    "NONE": partial(batch, none),
    "BIN": partial(batch, bisect),
    "HC99": hc99,
    "HCWM": hcwm,
}


def errors(baseline: str, measure: str, edges: Edges, run: Run) -> Floats:
    """The error on each document, in per cent."""
    metric = Hierarchical(Pk(edges=edges) if measure == "E_Pk" else WindowDiff(edges=edges))
    scores = score(run.shared(BATCHES[baseline]), metrics=metric)
    return 100 * scores[metric].values


def sets(run: Run) -> list[str]:
    """The set of each document."""
    return choi_sets(run, "3-11")


def on_set_3(baseline: str, measure: str, edges: Edges, run: Run) -> Floats:
    """The same for the documents of set 3."""
    chosen = np.array(run.shared(sets)) == "3"
    return np.asarray(errors(baseline, measure, edges, run)[chosen])


def mean_of(values: Errors, baseline: str, measure: str, edges: Edges, run: Run) -> float:
    """The mean over documents."""
    return float(values(baseline, measure, edges, run).mean())


def half_width(values: Errors, baseline: str, measure: str, edges: Edges, run: Run) -> float:
    """Of the 95 % confidence interval of the mean; with hundreds of documents, a normal one."""
    found = values(baseline, measure, edges, run)
    return float(1.96 * found.std(ddof=1) / np.sqrt(len(found)))


def _figure_2(baseline: str, measure: str, edges: Edges, alone: bool = False) -> PublishedNumber:
    """The mean on all documents, or on those of set 3 `alone`."""
    published = PRINTED_IN_FIGURE_2[baseline, measure][edges]
    why_not = {"HCWM": OTHER_SPACE, "HC99": "" if alone else TOO_FAR}.get(baseline, "")
    return PublishedNumber(
        item=f"fig. 2, {baseline}, {measure}, {edges}" + ", set 3 alone" * alone,
        published=published,
        compute=partial(mean_of, on_set_3 if alone else errors, baseline, measure, edges),
        tolerance=tolerance(baseline, published),
        note=SAMPLE if alone else why_not,
        needs=("choi", "lsa") if baseline == "HCWM" else ("choi",),
        holds=not why_not,
    )


CELLS = [
    *(
        _figure_2(baseline, measure, edges)
        for (baseline, measure), values in PRINTED_IN_FIGURE_2.items()
        for edges in values
    ),
    *(
        _figure_2("HC99", measure, edges, alone=True)
        for (baseline, measure), values in PRINTED_IN_FIGURE_2.items()
        for edges in values
        if baseline == "HC99"
    ),
    *(
        PublishedNumber(
            item=f"fig. 2, {baseline}, {measure}, {edges}, ±",
            published=value,
            compute=partial(half_width, on_set_3, baseline, measure, edges),
            tolerance=printed(1),
            note=SAMPLE,
            needs=("choi",),
            holds=(baseline, measure, edges) not in NOT_AS_WIDE,
        )
        for (baseline, measure, edges), value in PRINTED_HALF_WIDTHS.items()
    ),
]

MISSING = ["All numbers on the 66 articles of Wikipedia: the corpus is not available."]

ERRATA = [
    Erratum(
        "Fig. 2, the sample",
        "Perhaps not an error, but a riddle: an interval of ± 0.9 for BIN and HC99 needs about 300 "
        "documents, and the subset has 400. The 300 of its set 3 give it for six numbers of eight, "
        "and nearer means for all systems.",
        ("fig. 2, *, ±", "fig. 2, HC99, *, set 3 alone"),
        tuple(
            Finding(
                f"± of {baseline}, E_WD, drop, on all 400 documents",
                partial(half_width, errors, baseline, "E_WD", "drop"),
                ("choi",),
            )
            for baseline in ("BIN", "HC99")
        ),
    ),
]
