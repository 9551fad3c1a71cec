"""`ss.curve`: from references and scores to a curve over thresholds."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from segscore._kernels import ranking
from segscore.basics.arguments import (
    Floats,
    Seed,
    check_choice,
    seed_of,
    shown,
    values_by_name,
    whole_number,
)
from segscore.basics.on_demand import cached_property
from segscore.checking.match_rules import check_scores
from segscore.coding.scored import Marks, ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import Provenance
from segscore.curves.threshold_curve import (
    Curve,
    MetricSteps,
    ScoredDocument,
    Sweep,
    exact_matches,
    is_exact_match,
    statistics_of,
    whole_metric,
)
from segscore.errors import SegmentationError, about
from segscore.metrics import Metric, ScorePart, distinct_metrics
from segscore.metrics.base import OnUndefined
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.statistics import Average
from segscore.pairing.inputs import Reader, by_place, corpus_of, is_path
from segscore.pairing.masks import Cuts
from segscore.pairing.pairing import match_documents, references_in
from segscore.pairing.rules import (
    Failures,
    Mask,
    PairingRules,
    counts_failures,
    reasons_in,
    split_options,
)
from segscore.significance.drawing import Lots, by_name
from segscore.significance.resampling import (
    N_RESAMPLES,
    checked_level,
    macro_rows,
    mean_of_defined,
)

if TYPE_CHECKING:
    from segscore.scoring.scoring import Options

_OPTIONS = ("missing", "mask", "threads", "on_undefined", "marks")
DEFAULT_METRICS = ("f1.precision", "f1.recall", "f1", "pk", "windowdiff", "b")
_PERCENT = 20  # scores from 0 to more than this, and to 100 at most, are taken for percent


def curve(
    refs: Any,
    scores: Any,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    development: tuple[Any, Any] | None = None,
    thresholds: Sequence[float] = (),
    average: Average = "micro",
    reference: str | None = None,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = 0,
    **options: "Unpack[Options]",
) -> Curve:
    """Compute metrics at every threshold for a system that scores boundaries.

    At a threshold, there is a boundary wherever the score is at least the threshold. The curve is
    exact: each distinct score is a threshold. Types and ranks of references do not count.

    Parameters
    ----------
    refs
        References: a sequence or a mapping of segmentations, a corpus, or a file.
    scores
        The scores of the same documents: `ScoredBoundaries` or lists of numbers (one per position,
        or, with `marks`, per unit), in a sequence or a mapping; or a file (docs/scored.md).
    metrics
        Metrics that take a single reference, or their names.
    development
        References and scores of other documents, on which the best threshold of each metric is
        chosen; the result's `chosen` has the values at these thresholds. Without it no threshold
        is called the best.
    thresholds
        Further thresholds to report, on the scale of the scores: 50 for scores within 0 … 1, or
        0.5 for percent, is an error.
    average
        `micro`: the value of summed statistics; `macro`: the mean over documents.
    reference
        The coder who is the reference, if a corpus or a file has several; "consensus:0.5" is what
        half of the coders mark.
    marks
        For a score per unit: whether a high score means that the unit is the last of a segment,
        `end`, or the first, `start`.
    missing
        What to do about documents that only one side has: raise an `error`, or `skip` them. With
        `none`, documents without scores count as if all their scores were below every threshold.
    mask
        Parts that are not scored and are cut out of references and scores, as in `score`; the
        position of a cut has the highest of the scores there.
    level, n_resamples, rng
        Confidence level, number of resamples and random seed (or generator) of the intervals.
    threads
        None uses all cores.
    on_undefined
        Documents that a metric cannot score at any threshold are an error, or left out with
        `"nan"`.
    **options
        The keywords of `segscore.read` (text_encoding, units …) and `format`, for files.

    >>> import segscore as ss
    >>> refs = [ss.Segmentation.from_masses(m) for m in ([2, 3, 1], [4, 2])]
    >>> made = ss.curve(refs, [[0.1, 0.9, 0.3, 0.2, 0.4], [0.3, 0.2, 0.2, 0.8, 0.1]], n_resamples=9)
    >>> made.thresholds.tolist()
    [inf, 0.9, 0.8, 0.4, 0.3, 0.2, 0.1]
    >>> made.values("f1.recall").round(2).tolist()
    [0.0, 0.33, 0.67, 1.0, 1.0, 1.0, 1.0]
    >>> made.average_precision.value, made.density_threshold
    (1.0, 0.4)
    """
    rules, reading = split_options(curve, options, reference, None, _OPTIONS, ("format",))
    marks = options.get("marks")
    check_choice(average, "average", ("micro", "macro"))
    wanted = distinct_metrics(metrics)
    for metric in wanted.values():
        if metric.many_references:
            raise SegmentationError(f"{metric.name} takes many references: expected metrics of one")
    settings = {
        "level": checked_level(level),
        "n_resamples": whole_number(n_resamples, "n_resamples", 1),
        "seed": seed_of(rng),
    }

    def made(sides: _Sides) -> Curve:
        on_undefined = options.get("on_undefined", "raise")
        return _curve(sides, wanted, average, options.get("threads"), on_undefined, settings)

    if development is not None and (
        not isinstance(development, tuple | list) or len(development) != 2
    ):
        raise SegmentationError(
            f"development is {shown(development)}: expected a pair (references, scores)"
        )
    encoding = {"text_encoding": reading["text_encoding"]} if "text_encoding" in reading else {}
    Reader.of(encoding, None, [refs, scores, *(development or ())])
    of_codings = {name: reading[name] for name in reading if name not in encoding}
    Reader.of(of_codings, None, [refs, *(development or ())[:1]])
    if rules.missing == "worst":
        raise SegmentationError(
            "missing is 'worst', and a curve has no worst: expected 'none', which takes missing "
            "scores to be below every threshold, 'skip' or 'error'"
        )
    sides = [_sides(refs, scores, rules, marks, reading)]
    chosen: dict[str, float] = {}
    if development is not None:
        sides.append(_sides(*development, rules, marks, reading))
    if rules.mask is not None:
        sides = _masked(sides, rules.mask)
    reported, *others = sides
    for tuning in others:
        _check_apart(reported.scored, tuning.scored)
        chosen = _best(made(tuning), wanted)
    _check_thresholds(thresholds, reported.scored)
    looked = check_scores(*reported.given)
    tested = replace(made(reported), findings=tuple(looked))
    chosen |= {f"threshold {threshold}": threshold for threshold in thresholds}
    return replace(tested, chosen=tuple(tested.points(chosen))) if chosen else tested


def _check_thresholds(thresholds: Iterable[float], documents: Sequence[ScoredDocument]) -> None:
    """Raise for a threshold on another scale than the scores: shares and percent mixed up."""
    scores = [document.thresholds for document in documents if document.steps]
    if not scores:
        return
    low, high = min(float(score[-1]) for score in scores), max(float(score[0]) for score in scores)
    shares, percent = low >= 0 and high <= 1, low >= 0 and _PERCENT < high <= 100
    for threshold in thresholds:
        if shares and not 0 <= threshold <= 1 and math.isfinite(threshold):
            expected = f"{threshold / 100:g}" if 1 < threshold <= 100 else "a number 0 … 1"
        elif percent and 0 < threshold < 1:
            expected = f"{100 * threshold:g}"
        else:
            continue
        raise SegmentationError(
            f"threshold is {threshold:g}, but the scores are {low:g} … {high:g}: expected a "
            f"threshold on their scale, {expected}"
        )


def _best(tuned: Curve, metrics: Mapping[str | Metric, Metric]) -> dict[str, float]:
    """The best threshold of each metric, named; metrics with the same threshold are listed
    together."""
    found: dict[float, list[str]] = {}
    for key, metric in metrics.items():
        if not isinstance(metric, ScorePart):
            found.setdefault(tuned.best_threshold(str(key)), []).append(str(key))
    many = "document" if tuned.n_documents == 1 else "documents"
    return {
        f"best {', '.join(keys)} of {tuned.n_documents} development {many}": threshold
        for threshold, keys in found.items()
    }


def _check_apart(reported: list[ScoredDocument], others: list[ScoredDocument]) -> None:
    """Raise if development documents are among those to report."""
    known = {_content(document) for document in reported}
    for other in others:
        if other.name is not None and _content(other) in known:
            raise SegmentationError(
                f"document {other.name!r} is both a development document and a document to report: "
                "expected thresholds to be chosen on other documents"
            )


def _content(document: ScoredDocument) -> tuple[Any, ...]:
    held = (document.reference, document.positions, document.groups, document.thresholds)
    return document.name, document.n_units, *(column.tobytes() for column in held)


def _curve(
    sides: "_Sides",
    metrics: Mapping[str | Metric, Metric],
    average: Average,
    threads: int | None,
    on_undefined: OnUndefined,
    settings: dict[str, Any],
) -> Curve:
    documents = sides.scored
    known: dict[Metric, list[Floats]] = {}

    def statistics(metric: Metric) -> list[Floats]:
        inner = whole_metric(metric)
        if inner not in known:
            plain = on_undefined == "nan" or all(document.n_units > 1 for document in documents)
            known[inner] = (
                exact_matches(documents)
                if is_exact_match(inner) and plain
                else statistics_of(inner, documents, sides.provenance, threads, on_undefined)
            )
        return known[inner]

    steps = {
        str(key): _steps(metric, statistics(metric), average) for key, metric in metrics.items()
    }
    return Curve(
        n_documents=len(documents),
        n_reference=sum(len(document.reference) for document in documents),
        average=average,
        provenance=sides.provenance,
        chosen=(),
        skipped=sides.skipped,
        failures=sides.failures,
        **settings,
        _sweep=Sweep.of(documents, Lots.of([sides.called[row] for row in sides.order])),
        _steps=steps,
        _matches=_matches(documents, statistics(_matching(metrics.values()))),
    )


def _steps(metric: Metric, statistics: list[Floats], average: Average) -> MetricSteps:
    """The rows that add up over documents, as a start and changes."""
    value = metric.values
    if average == "macro":
        statistics = [macro_rows(metric.values(statistic)) for statistic in statistics]
        value = mean_of_defined
    start = np.stack([statistic[0] for statistic in statistics])
    changes = np.concatenate([np.diff(statistic, axis=0) for statistic in statistics])
    return MetricSteps(metric, start, changes, value)


# ---- average precision ----


def _matching(metrics: Iterable[Metric]) -> Metric:
    """The matching behind average precision: the first f1 that allows a ranking, or exact
    matching."""
    for metric in metrics:
        inner = whole_metric(metric)
        if isinstance(inner, BoundaryMatch) and (inner.ends, inner.matching) == ("none", "optimal"):
            return inner
    return BoundaryMatch()


def _matches(
    documents: Sequence[ScoredDocument], statistics: list[Floats]
) -> tuple[Floats, Floats, Floats]:
    """The boundaries found at each step, the reference boundaries, and each document's own area."""
    found = np.concatenate([np.diff(statistic[:, 0]) for statistic in statistics])
    positives = np.array([len(document.reference) for document in documents], np.float64)
    own = np.empty(len(documents))
    for i, (document, rows) in enumerate(zip(documents, statistics, strict=True)):
        ranking.average_precisions(
            np.zeros(document.steps, np.int64),
            np.diff(rows[:, 0]),
            np.diff(rows[:, 0] + rows[:, 1]),
            np.ones(document.steps, np.uint8),
            positives[i : i + 1],
            np.ones((1, 1)),
            own[i : i + 1],
        )
    return found, positives, own


# ---- inputs ----


@dataclass(frozen=True)
class _Sides:
    """References and scores of the same documents, in one order."""

    documents: list[tuple[Segmentation, ScoredBoundaries]]
    names: Sequence[str] | None
    provenance: Provenance
    skipped: tuple[str, ...]
    failures: Failures | None = None

    @property
    def given(self) -> tuple[list[tuple[Segmentation, ScoredBoundaries]], list[str]]:
        """The documents that have scores, and their names."""
        lost = set(() if self.failures is None else self.failures.rows)
        rows = [row for row in range(len(self.documents)) if row not in lost]
        return [self.documents[row] for row in rows], [self.called[row] for row in rows]

    @property
    def called(self) -> list[str]:
        """The names of the documents in masks."""
        return [str(i) for i in range(len(self.documents))] if self.names is None else [*self.names]

    @cached_property
    def scored(self) -> list[ScoredDocument]:
        """The documents with their distinct scores, for a sweep over thresholds, by name."""
        names = [None] * len(self.documents) if self.names is None else self.names
        return [_document(self.documents[i], names[i]) for i in self.order]

    @cached_property
    def order(self) -> list[int]:
        """The documents by name."""
        return list(map(int, by_name(self.called)))


def _masked(sides: Sequence[_Sides], mask: Mask | Mapping[str, Mask]) -> list[_Sides]:
    """The sides without masked parts; a mask may name documents of either side."""
    known = [name for side in sides for name in (*side.called, *side.skipped)]
    found: list[_Sides] = []
    for side in sides:
        both = dict(zip(side.called, side.documents, strict=True))
        lengths = {name: ref.n_units for name, (ref, _) in both.items()}
        cuts = Cuts.of(mask, lengths, side.provenance, known)
        left = [
            (
                cuts.of_document(name, ref, "the reference"),
                cuts.of_document(name, scored, "what the scores are of"),
            )
            for name, (ref, scored) in both.items()
        ]
        found.append(replace(side, documents=left, provenance=cuts.told(side.provenance)))
    return found


def _sides(
    refs: Any, scores: Any, rules: PairingRules, marks: Any, reading: Mapping[str, Any]
) -> _Sides:
    reader = Reader.of(reading if is_path(refs) else {}, refs, [], rules.ignore_text)
    codings = references_in(corpus_of(refs, "reference", reader), rules.reference)
    reader.finish()
    if not codings.one_each:
        raise SegmentationError("references are in lists: expected one for each document")
    names, numbered = list(codings.documents), isinstance(codings.documents, range)
    left = dict(zip(names, map(codings.segmentation, range(len(codings))), strict=True))
    if is_path(scores):
        from segscore.io.read_keys import read_scores

        if numbered:
            raise SegmentationError(
                "scores is a file, whose documents have names: expected references by name, too"
            )
        lengths = {str(name): ref.n_units for name, ref in left.items()}
        encoding = reading.get("text_encoding")
        scores = read_scores(scores, lengths, marks=marks, text_encoding=encoding)
        marks = None  # applied
    right = values_by_name(scores, "scores")
    if right is None:
        places, entries = by_place(scores, "scores")
        right = dict(zip(places, entries, strict=True))
        if len(left) != len(right):
            raise SegmentationError(
                f"{len(left)} references and {len(right)} documents with scores: expected as many "
                "of both"
            )
    reasons = reasons_in(scores)
    reasons |= {str(name): "it is None" for name, each in right.items() if each is None}
    right = {name: each for name, each in right.items() if each is not None}
    both, missing, unknown = match_documents(left, right, rules.missing, reasons=reasons)
    counted = counts_failures(rules.missing)
    kept = names if counted else both
    lost = [kept.index(name) for name in missing] if counted else []
    failures = Failures.of(rules.missing, missing, reasons, len(left), lost)
    if not kept:
        raise SegmentationError("there is no document to score")
    called = None if numbered and len(kept) == len(left) and not lost else list(map(str, kept))
    documents = []
    for name in kept:
        ref, where = left[name], f"document {name}" if called is None else f"document {name!r}"
        if name in right:
            scored = _scored(ref, right[name], where, marks)
        else:  # no boundary at any threshold
            scored = ScoredBoundaries([], positions=[], n_units=ref.n_units)
        documents.append((ref, scored))
    provenance = codings.provenance
    if failures is not None:
        provenance = provenance.chosen("missing", rules.missing)
    skipped = () if counted else tuple(map(str, (*missing, *unknown)))
    return _Sides(documents, called, provenance, skipped, failures)


def _scored(ref: Segmentation, scored: Any, called: str, marks: Marks | None) -> ScoredBoundaries:
    """The scores of a document, as many as its reference has positions."""
    if isinstance(scored, ScoredBoundaries):
        found = scored
    else:
        with about(called):
            found = (
                ScoredBoundaries(scored, n_units=ref.n_units)
                if marks is None
                else ScoredBoundaries.from_units(scored, marks)
            )
    if found.n_units != ref.n_units:
        raise SegmentationError(
            f"{called}: the reference has {ref.n_units} units, the scores are of {found.n_units}: "
            "expected the same number"
        )
    return found


def _document(sides: tuple[Segmentation, ScoredBoundaries], name: str | None) -> ScoredDocument:
    ref, scored = sides
    distinct, groups = np.unique(-scored.scores, return_inverse=True)
    return ScoredDocument(
        name, ref.n_units, ref.boundaries, scored.positions, groups.reshape(-1), -distinct
    )
