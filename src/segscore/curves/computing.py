"""`ss.curve`: from references and scores to a curve over thresholds; `ss.curves.sweep`: the same
documents at several values of a parameter.

A sweep shows how much a number depends on the choice of a parameter: how far away a near miss may
be (Fournier & Inkpen 2012, §3.3: the numbers of operations show whether n is too generous), or how
long a window is (Scaiano & Inkpen 2012, §3.1).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from segscore.basics import arguments as args
from segscore.basics.arguments import Floats, Int64Array, Seed
from segscore.basics.specs import unknown_parameter
from segscore.checking.match_rules import check_scores
from segscore.coding.scored import Marks, ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.corpus import Provenance, starts_of
from segscore.curves.points import Curve, ParameterSweep, Steps, SweepPoint, whole_metric
from segscore.errors import SegmentationError, about
from segscore.metrics import (
    Average,
    BoundaryMatch,
    Metric,
    OnUndefined,
    ScorePart,
    distinct_metrics,
)
from segscore.metrics import metric as as_metric
from segscore.metrics.edit_distance import edits_of_pair
from segscore.metrics.edit_settings import EditSettings
from segscore.pairing import rules as pairing_rules
from segscore.pairing.inputs import NOTHING, PATHS, Reader, by_place, corpus_of
from segscore.pairing.masks import Cuts
from segscore.pairing.pairing import match_documents, references_in
from segscore.pairing.pairs import Pairs, pairs_of
from segscore.pairing.rules import Failures, Mask, Missing, PairingRules
from segscore.scoring.scoring import Scores, Side, score
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, by_name

if TYPE_CHECKING:
    from segscore.scoring.scoring import Options

_OPTIONS = ("missing", "mask", "threads", "on_undefined", "marks")
DEFAULT_METRICS = ("f1.precision", "f1.recall", "f1", "pk", "windowdiff", "b")
_PERCENT = 20  # scores from 0 to more than this, and to 100 at most, are taken for percent
_BLOCK = 4_000_000  # cells of hypotheses that are in memory at once


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
    n_resamples: int = sig.N_RESAMPLES,
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
    rules, reading = pairing_rules.split_options(
        curve, options, reference, None, _OPTIONS, ("format",)
    )
    args.check_choice(average, "average", ("micro", "macro"))
    wanted = distinct_metrics(metrics)
    for metric in wanted.values():
        if metric.many_references:
            raise SegmentationError(f"{metric.name} takes many references: expected metrics of one")
    settings: dict[str, Any] = {
        "average": average,
        "level": sig.checked_level(level),
        "n_resamples": args.whole_number(n_resamples, "n_resamples", 1),
        "seed": args.seed_of(rng),
    }
    if development is not None and (
        not isinstance(development, tuple | list) or len(development) != 2
    ):
        raise SegmentationError(
            f"development is {args.shown(development)}: expected a pair (references, scores)"
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
    given = [(refs, scores)] if development is None else [(refs, scores), development]
    sides = [_side(*each, rules, options.get("marks"), reading) for each in given]
    if rules.mask is not None:
        sides = _masked(sides, rules.mask)
    more = wanted, options.get("threads"), options.get("on_undefined", "raise"), settings
    reported, chosen = sides[0], dict[str, float]()
    for tuning in sides[1:]:
        for name, document in tuning.documents.items():
            if tuning.named and reported.documents.get(name) == document:
                raise SegmentationError(
                    f"document {name!r} is both a development document and a document to report: "
                    "expected thresholds to be chosen on other documents"
                )
        chosen = _best(_curve(tuning, *more), wanted)
    _check_thresholds(thresholds, [scored.scores for _, scored in reported.documents.values()])
    lost = {} if reported.failures is None else reported.failures.reasons
    seen = {name: each for name, each in reported.documents.items() if name not in lost}
    findings = tuple(check_scores(list(seen.values()), list(seen)))
    made = replace(_curve(reported, *more), findings=findings)
    chosen |= {f"threshold {threshold}": threshold for threshold in thresholds}
    return replace(made, chosen=tuple(made.points(chosen))) if chosen else made


def _check_thresholds(thresholds: Iterable[float], scores: Sequence[Floats]) -> None:
    """Raise for a threshold on another scale than the scores: shares and percent mixed up."""
    every = np.concatenate(scores)
    if not len(every):
        return
    low, high = float(every.min()), float(every.max())
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


# ---- the statistics at each step ----


class _Document(NamedTuple):
    """A reference and scored positions; equal scores have the same place in `groups`, 0 highest."""

    name: str | None
    n_units: int
    reference: Int64Array
    positions: Int64Array
    groups: Int64Array
    thresholds: Floats  # distinct scores, from high to low

    @property
    def added(self) -> Int64Array:
        """The number of boundaries of each distinct score."""
        return np.bincount(self.groups, minlength=len(self.thresholds))


def _curve(
    side: "_Side",
    metrics: Mapping[str | Metric, Metric],
    threads: int | None,
    on_undefined: OnUndefined,
    settings: dict[str, Any],
) -> Curve:
    names = list(side.documents)
    names = [names[row] for row in by_name(names).tolist()]
    documents = []
    for name in names:
        ref, scored = side.documents[name]
        distinct, groups = np.unique(-scored.scores, return_inverse=True)
        where = scored.positions, groups.reshape(-1), -distinct
        documents.append(
            _Document(name if side.named else None, ref.n_units, ref.boundaries, *where)
        )
    added = [document.added.astype(np.float64) for document in documents]
    steps = Steps([document.thresholds for document in documents], added, Lots.of(names))
    inner = {str(key): whole_metric(metric) for key, metric in metrics.items()}
    # behind average precision: the first f1 that allows a ranking, or exact matching
    matchings = (each for each in inner.values() if isinstance(each, BoundaryMatch))
    ranked = (each for each in matchings if (each.ends, each.matching) == ("none", "optimal"))
    matching = next(ranked, BoundaryMatch())
    known = {
        metric: _statistics(metric, documents, steps, side.provenance, threads, on_undefined)
        for metric in dict.fromkeys([*inner.values(), matching])
    }
    rows = {str(key): (metric, known[inner[str(key)]]) for key, metric in metrics.items()}
    if settings["average"] == "macro":
        for key, (metric, table) in rows.items():
            rows[key] = metric, sig.macro_rows(metric.values(table))
    positives = np.array([len(document.reference) for document in documents], np.float64)
    return Curve(
        n_documents=len(documents),
        n_reference=int(positives.sum()),
        provenance=side.provenance,
        chosen=(),
        skipped=side.skipped,
        failures=side.failures,
        **settings,
        _sweep=steps,
        _steps=rows,
        _matches=(steps.changes(known[matching][:, 0]), positives),
    )


def _statistics(
    metric: Metric,
    documents: Sequence[_Document],
    steps: Steps,
    provenance: Provenance,
    threads: int | None,
    on_undefined: OnUndefined,
) -> Floats:
    """The statistics of each document without a boundary, and after each of its steps; those of
    exact matches are counted without making each hypothesis."""
    defined = on_undefined == "nan" or all(document.n_units > 1 for document in documents)
    if metric == BoundaryMatch() and defined:
        found = []
        for document in documents:
            hits = np.isin(document.positions, document.reference)
            right = np.bincount(document.groups, hits, len(document.thresholds))
            tp, marked = (np.append(0.0, np.cumsum(each)) for each in (right, document.added))
            found.append(np.stack((tp, marked - tp, len(document.reference) - tp), axis=1))
        return np.concatenate(found)
    rows, undefined = [], []
    for pairs in _hypotheses(documents, provenance):
        rows.append(metric.rows(pairs, threads))
        undefined.append(np.asarray(metric.undefined(pairs, metric.values(rows[-1]))))
    if on_undefined == "raise":
        never = np.logical_and.reduceat(np.concatenate(undefined), steps.firsts)
        for i in np.flatnonzero(never).tolist():
            nothing = np.zeros((1, len(documents[i].positions)), np.bool_)
            name = documents[i].name
            bare = _pairs([(documents[i], nothing)], provenance, None if name is None else [name])
            metric.check_defined(bare, np.array([np.nan]))
    return np.concatenate(rows)


def _hypotheses(documents: Sequence[_Document], provenance: Provenance) -> Iterator[Pairs]:
    """Each document without a boundary, then with those of its first score, of its first two, and
    so on."""
    held: list[tuple[_Document, Any]] = []
    cells = 0
    for document in documents:
        width = len(document.positions) + len(document.reference) + 1
        rows = max(1, _BLOCK // width)
        for start in range(0, len(document.thresholds) + 1, rows):
            stop = min(start + rows, len(document.thresholds) + 1)
            held.append((document, document.groups < np.arange(start, stop)[:, np.newaxis]))
            cells += width * (stop - start)
            if cells >= _BLOCK:
                yield _pairs(held, provenance)
                held, cells = [], 0
    if held:
        yield _pairs(held, provenance)


def _pairs(
    held: Sequence[tuple[_Document, Any]],
    provenance: Provenance,
    names: Sequence[str] | None = None,
) -> Pairs:
    """Documents with hypotheses, a row each, that have some of their scored positions."""
    counts = [len(taken) for _, taken in held]
    refs = [document.reference for document, _ in held]
    sizes = np.concatenate([taken.sum(axis=1) for _, taken in held])
    positions = [np.broadcast_to(of.positions, taken.shape)[taken] for of, taken in held]
    return Pairs(
        np.repeat([document.n_units for document, _ in held], counts),
        starts_of(np.repeat([len(ref) for ref in refs], counts)),
        np.concatenate([np.tile(ref, n) for ref, n in zip(refs, counts, strict=True)]),
        starts_of(sizes),
        np.concatenate(positions),
        names,
        provenance=provenance,
    )


# ---- inputs ----


class _Side(NamedTuple):
    """References and scores of the same documents, by name (of sequences, by number)."""

    documents: Mapping[str, tuple[Segmentation, ScoredBoundaries]]
    named: bool
    provenance: Provenance
    skipped: tuple[str, ...]
    failures: Failures | None = None


def _masked(sides: Sequence[_Side], mask: Mask | Mapping[str, Mask]) -> list[_Side]:
    """The sides without masked parts; a mask may name documents of either side."""
    known = [name for side in sides for name in (*side.documents, *side.skipped)]
    found: list[_Side] = []
    for side in sides:
        lengths = {name: ref.n_units for name, (ref, _) in side.documents.items()}
        cuts = Cuts.of(mask, lengths, side.provenance, known)
        left = {
            name: (
                cuts.of_document(name, ref, "the reference"),
                cuts.of_document(name, scored, "what the scores are of"),
            )
            for name, (ref, scored) in side.documents.items()
        }
        found.append(side._replace(documents=left, provenance=cuts.told(side.provenance)))
    return found


def _side(
    refs: Any, scores: Any, rules: PairingRules, marks: Any, reading: Mapping[str, Any]
) -> _Side:
    reader = Reader.of(reading if isinstance(refs, PATHS) else {}, refs, [], rules.ignore_text)
    codings = references_in(corpus_of(refs, "reference", reader), rules.reference)
    reader.finish()
    if not codings.one_each:
        raise SegmentationError("references are in lists: expected one for each document")
    names, numbered = list(codings.documents), isinstance(codings.documents, range)
    left = dict(zip(names, map(codings.segmentation, range(len(codings))), strict=True))
    if isinstance(scores, PATHS):
        from segscore.io.read_keys import read_scores

        if numbered:
            raise SegmentationError(
                "scores is a file, whose documents have names: expected references by name, too"
            )
        lengths = {str(name): ref.n_units for name, ref in left.items()}
        encoding = reading.get("text_encoding")
        scores = read_scores(scores, lengths, marks=marks, text_encoding=encoding)
        marks = None  # applied
    right = args.values_by_name(scores, "scores")
    if right is None:
        places, entries = by_place(scores, "scores")
        right = dict(zip(places, entries, strict=True))
        if len(left) != len(right):
            raise SegmentationError(
                f"{len(left)} references and {len(right)} documents with scores: expected as many "
                "of both"
            )
    reasons = pairing_rules.reasons_in(scores)
    reasons |= {str(name): "it is None" for name, each in right.items() if each is None}
    right = {name: each for name, each in right.items() if each is not None}
    both, missing, unknown = match_documents(left, right, rules.missing, reasons=reasons)
    counted = rules.missing in pairing_rules.COUNTED
    kept = names if counted else both
    lost = [kept.index(name) for name in missing] if counted else []
    failures = Failures.of(rules.missing, missing, reasons, len(left), lost)
    if not kept:
        raise SegmentationError("there is no document to score")
    called = not numbered or len(kept) < len(left) or bool(lost)
    documents = {}
    for name in kept:
        ref, where = left[name], f"document {str(name)!r}" if called else f"document {name}"
        with about(where):
            documents[str(name)] = ref, _scored(ref, right.get(name), marks)
    provenance = codings.provenance
    if failures is not None:
        provenance = provenance.chosen("missing", rules.missing)
    skipped = () if counted else tuple(map(str, (*missing, *unknown)))
    return _Side(documents, called, provenance, skipped, failures)


def _scored(ref: Segmentation, scored: Any, marks: Marks | None) -> ScoredBoundaries:
    """The scores of a document, as many as its reference has positions; None: no boundary at any
    threshold."""
    if scored is None:
        return ScoredBoundaries([], positions=[], n_units=ref.n_units)
    if isinstance(scored, ScoredBoundaries):
        found = scored
    elif marks is not None:
        found = ScoredBoundaries.from_units(scored, marks)
    else:
        found = ScoredBoundaries(scored, n_units=ref.n_units)
    if found.n_units != ref.n_units:
        raise SegmentationError(
            f"the reference has {ref.n_units} units, the scores are of {found.n_units}: "
            "expected the same number"
        )
    return found


# ---- values of a parameter ----

_OPERATIONS = ("matches", "near_misses", "full_misses", "substitutions")
_EXAMPLE = "such as n_t=range(1, 11)"


def sweep(
    refs: Side | Pairs,
    hyps: Side | None = None,
    metric: str | Metric = "b",
    *,
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    missing: Missing = "error",
    ignore_text: bool = False,
    on_undefined: OnUndefined = "raise",
    threads: int | None = None,
    level: float = 0.95,
    n_resamples: int = sig.N_RESAMPLES,
    rng: Seed = 0,
    **parameter: Iterable[Any],
) -> ParameterSweep:
    """Score the same documents by a metric at several values of a parameter.

    metric: a metric or its name; its other parameters stay the same.
    parameter: a keyword argument named as a field of the metric, with its values, such as
        `n_t=range(1, 11)`.
    All other parameters are those of `score` and of intervals.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> refs = [cut([4, 4, 4]), cut([6, 6]), cut([3, 9])]
    >>> hyps = [cut([5, 4, 3]), cut([6, 6]), cut([6, 6])]
    >>> made = ss.curves.sweep(refs, hyps, "b", n_t=range(1, 5))
    >>> [(point.value, round(point.micro, 3), point.counts["near_misses"]) for point in made]
    [(1, 0.143, 0), (2, 0.4, 2), (3, 0.467, 2), (4, 0.688, 3)]
    """
    if len(parameter) != 1:
        raise SegmentationError(
            f"{len(parameter)} parameters to sweep: expected one and its values, {_EXAMPLE}"
        )
    pairs = pairs_of(refs, hyps, PairingRules(reference, hypothesis, missing, ignore_text))
    scoring: dict[str, Any] = {"on_undefined": on_undefined, "threads": threads}
    drawing = {"level": level, "n_resamples": n_resamples, "seed": args.seed_of(rng)}
    return sweep_of_pairs(pairs, metric, *parameter.popitem(), drawing, **scoring)


def sweep_of_pairs(
    pairs: Pairs,
    metric: str | Metric,
    name: str,
    given: Any,
    drawing: Mapping[str, Any] = NOTHING,
    **scoring: Any,
) -> ParameterSweep:
    """Run `sweep` on documents that are already paired; the parameter may have any name.

    drawing: level, n_resamples and seed of the intervals; scoring: keywords of `score`.
    """
    base = as_metric(metric)
    inner = whole_metric(base)
    known = [parameter.name for parameter in fields(inner)]  # type: ignore[arg-type]
    if name not in known:
        raise unknown_parameter("metric", str(base), name, known)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SegmentationError(
            f"{name} is {args.shown(given)}: expected several values, {_EXAMPLE}"
        )
    values = list(given)
    twice = [value for i, value in enumerate(values) if value in values[:i]]
    if not values or twice:
        problem = f"{twice[0]!r} twice" if twice else "no value"
        raise SegmentationError(f"{name} has {problem}: expected distinct values, one or more")
    metrics: list[Metric] = []
    for value in values:
        varied: Metric = replace(inner, **{name: value})  # type: ignore[type-var]
        metrics.append(replace(base, metric=varied) if isinstance(base, ScorePart) else varied)
    found = score(pairs, metrics=metrics, **scoring)
    samples = [(found[variant].statistics.rows, variant.values) for variant in metrics]
    intervals = sig.bootstrap_intervals(samples, lots=Lots.of(pairs.documents), **drawing)
    points = []
    for value, variant, ci in zip(values, metrics, intervals, strict=True):
        scores = found[variant]
        counts = _counts(variant, scores, pairs)
        points.append(SweepPoint(value, variant, float(scores.micro), ci, counts))
    return ParameterSweep(base, name, tuple(points), len(pairs), tuple(pairs.skipped))


def _counts(metric: Metric, scores: Scores, pairs: Pairs) -> dict[str, float]:
    """The operations of S and B over all documents; for other metrics the sums of their
    statistics."""
    inner = whole_metric(metric).in_units(pairs.provenance)
    if not isinstance(inner, EditSettings):
        sums = np.nansum(scores.statistics.rows, axis=0)
        return dict(zip(inner.statistic_names, sums.tolist(), strict=True))
    total = np.zeros(len(_OPERATIONS), np.int64)
    for row in range(len(pairs)):
        edits = edits_of_pair(pairs.reference(row), pairs.hypothesis(row), inner)
        kinds = edits.matches, edits.transpositions, edits.additions, edits.substitutions
        total += [len(kind) for kind in kinds]
    counts: dict[str, float] = dict(zip(_OPERATIONS, total.tolist(), strict=True))
    if pairs.ref_types is None and pairs.hyp_types is None:
        del counts["substitutions"]
    return counts
