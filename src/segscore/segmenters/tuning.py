"""A small search for the parameters of a segmenter, on documents set aside for development.

There are two ways: `coordinate` takes one parameter after the other, tries each of its values with
the best values found so far of all others, and repeats this until nothing improves (Malioutov &
Barzilay 2006); `grid` tries all combinations. The values to try are those of the segmenter's own
`grid`, or of another grid. The segmenter as given is tried first, and the first of equally good
settings is the best.

Settings are independent of each other, so they go to worker processes if the first setting shows
that this saves time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, is_dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Literal, get_args

import numpy as np

from segscore.basics.arguments import check_choice, shown
from segscore.basics.threads import cores
from segscore.comparison import compare
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, about
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.statistics import Average
from segscore.segmenters.benchmarking import Exam, check_free, encoded_once, placing_of
from segscore.segmenters.by_name import parameters, with_parameters, written
from segscore.segmenters.contract import Segmenter
from segscore.segmenters.function_adapters import segmenter
from segscore.segmenters.workers import WorkerPool, can_travel, checked_workers, segment_here
from segscore.significance.resampling import METHOD
from segscore.tables import Column, Table, Tabular

Search = Literal["coordinate", "grid"]
Setting = Mapping[str, Any]  # values of parameters
Progress = Callable[[Iterable["Trial"], str, int], Iterable["Trial"]]

ENOUGH_DOCUMENTS = 10  # for a choice that is more than chance
_RESAMPLES = 1000
_WORTH_PROCESSES = 4.0  # seconds of work that make up for starting them


@dataclass(frozen=True)
class Trial:
    """A setting of a segmenter, and its score.

    Attributes
    ----------
    spec: the segmenter as text, for instance "aps(window=0.5)".
    segmenter: the segmenter itself.
    score: average over the documents.
    low, high: its 95 % interval, from resampled documents.
    n_segments: mean number of segments per document.
    seconds: mean time per document.
    """

    spec: str
    segmenter: Segmenter
    score: float
    low: float
    high: float
    n_segments: float
    seconds: float


@dataclass(frozen=True, repr=False)
class Tuning(Tabular):
    """All settings that were tried, and the best of them.

    Attributes
    ----------
    trials: the settings in the order in which they were tried.
    best: the setting with the best score.
    metric: the metric of the scores.
    average: micro or macro, over documents.
    n_documents: number of documents.
    provenance: how units were formed and chunks placed, for the signature.
    """

    trials: Sequence[Trial]
    best: Trial
    metric: Metric
    average: Average
    n_documents: int
    provenance: Provenance = PLAIN

    def to_table(self) -> Table:
        """A row per setting, and below it the best setting as a segmenter's text."""
        better: Literal["higher", "lower"] = "higher" if self.metric.higher_is_better else "lower"
        columns = [
            Column("segmenter"),
            Column(self.metric.name, key="score", better=better),
            Column("low"),
            Column("high"),
            Column("segments", key="segments_per_document", digits=1),
            Column("s/document", key="seconds_per_document", digits=4),
        ]
        rows = [
            [trial.spec, trial.score, trial.low, trial.high, trial.n_segments, trial.seconds]
            for trial in self.trials
        ]
        signature = self.metric.signature(self.average, self.provenance)
        how = f"low and high: 95 % interval, {METHOD} over documents"
        first = f"{self.n_documents} documents, {signature}; {how}"
        return Table(columns, rows, [first, *self._doubts(), f"best: {self.best.spec}"])

    def _doubts(self) -> Iterator[str]:
        """Why the best setting may not be the best on other documents."""
        if self.n_documents < ENOUGH_DOCUMENTS:
            yield (
                f"only {self.n_documents} {'document' if self.n_documents == 1 else 'documents'}: "
                f"with fewer than {ENOUGH_DOCUMENTS} the best setting may be best by chance"
            )
        first = self.trials[0]
        if self.best is not first and self.best.low <= first.score <= self.best.high:
            yield (
                f"{first.spec} ({first.score:.4f}) lies inside the interval of the best: the gain "
                "may be chance"
            )


def tune(
    corpus: Mapping[str, Any],
    method: str | Callable[..., Any],
    metric: str | Metric = "windowdiff",
    *,
    name: str | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
    search: Search = "coordinate",
    n_segments: int | str | None = "default",
    reference: str | None = None,
    in_words: bool = False,
    average: Average = "micro",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Search for the parameters with which a segmenter has the best score on these documents.

    corpus: documents with text and references; use them only for tuning, because scores on them are
        no longer fair.
    method: a name such as "aps" or "aps(window=0.5)", or a segmenter that is a dataclass.
    metric: the metric to optimise.
    name: the segmenter as text; by default its name with the parameters that are not default.
    grid: the values to try for each parameter; by default the segmenter's own grid.
    search: "coordinate", one parameter after the other, or "grid", all combinations.
    n_segments: "default" lets the segmenter decide if it can, else means "reference"; otherwise as
        in `benchmark`: "reference", None or a number.
    reference, in_words: as in `benchmark`.
    average: micro (of all documents together, as in `benchmark`) or macro (mean of documents).
    workers: number of processes; None starts some if this saves time.
    progress: wraps the settings while they are tried, such as `rich.progress.track`.

    >>> import segscore as ss
    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> corpus = ss.Corpus.from_dict(
    ...     {"d": {"gold": ss.Segmentation.from_masses([7, 8])}}, units={"d": [cats] * 7 + [stars] * 8}
    ... )
    >>> found = tune(corpus, "aps", grid={"preference": [0.5, -1, -200]})
    >>> found.best.spec, found.best.score
    ('aps', 0.0)
    """  # noqa: E501
    check_choice(search, "search", get_args(Search))
    base = segmenter(method)
    if not is_dataclass(base):
        raise SegmentationError(f"method is {shown(method)}: expected a segmenter with parameters")
    name = name or (method if isinstance(method, str) else written(base))
    values = _checked_grid(base, name, grid)
    if n_segments == "default":
        n_segments = "reference" if base.needs_number() else None
    if n_segments is None:
        check_free({name: base})
    base = encoded_once({name: base})[name]
    exam = Exam.of(corpus, reference, n_segments, in_words)
    if not any(coding.n_segments > 1 for by in exam.corpus.values() for coding in by.values()):
        raise SegmentationError(
            "no reference has a boundary, so that there is nothing to tune on: expected references "
            "with boundaries"
        )
    chosen = as_metric(metric)
    judge = partial(_trial, base, name, exam, chosen, average)
    with ExitStack() as stack:
        trials = _Trials(judge, base, name, chosen, len(exam.tasks), workers, progress, stack)
        trials.run([{}])
        if search == "grid":
            trials.run([dict(zip(values, each, strict=True)) for each in product(*values.values())])
        else:
            trials.run_by_coordinates(values)
    known = exam.corpus.provenance
    for trial in trials.listed:
        known = known.joined(placing_of(trial.segmenter), "cannot tune")
    return Tuning(trials.listed, trials.best[1], chosen, average, len(exam.tasks), known)


def _checked_grid(
    base: Segmenter, name: str, grid: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[Any]]:
    """The values to try; raise if the segmenter has no such parameters."""
    values = {key: list(options) for key, options in (base.grid if grid is None else grid).items()}
    known = parameters(base)
    for key, options in values.items():
        if key not in known:
            expected = ", ".join(known) or "a segmenter with parameters"
            raise SegmentationError(f"{name} has no parameter {key!r} to tune: expected {expected}")
        if not options:
            raise SegmentationError(f"grid has no values of {key!r}: expected at least one")
    if not values:
        others = f"give values of {', '.join(known)}" if known else "it has no parameters at all"
        raise SegmentationError(f"{name} has no parameters that are tuned by default: {others}")
    return values


def _trial(
    base: Segmenter, name: str, exam: Exam, metric: Metric, average: Average, setting: Setting
) -> Trial:
    """Segment all documents with a setting, and score them."""
    changed: Segmenter = replace(base, **setting)  # type: ignore[type-var]
    spec = with_parameters(name, setting)
    with about(spec):
        done = segment_here(changed, exam.tasks_of(changed))
    found = exam.scored({each.document: each.segmentation for each in done})
    compared = compare(
        exam.corpus, systems={spec: found}, metrics=metric, average=average,
        baselines=False, human=False, n_resamples=_RESAMPLES,
    )  # fmt: skip
    entry = compared[spec, metric]
    n_segments = float(np.mean([each.segmentation.n_segments for each in done]))
    seconds = float(np.mean([each.seconds for each in done]))
    return Trial(spec, changed, entry.value, entry.low, entry.high, n_segments, seconds)


@dataclass
class _Trials:
    """The settings tried so far, each once."""

    judge: Callable[[Setting], Trial]
    base: Segmenter
    name: str
    metric: Metric
    n_documents: int
    workers: int | None
    progress: Progress | None
    stack: ExitStack
    pool: WorkerPool[Setting, Trial] | None = None
    tried: dict[frozenset[tuple[str, Any]], tuple[Setting, Trial]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.workers is not None:
            checked_workers(self.workers)

    @property
    def listed(self) -> list[Trial]:
        """All trials, in order."""
        return [trial for _, trial in self.tried.values()]

    @property
    def best(self) -> tuple[Setting, Trial]:
        """The first of the best trials; an undefined score is never best."""
        sign = -1 if self.metric.higher_is_better else 1
        costs = [sign * trial.score for trial in self.listed]
        best = int(np.argmin(np.where(np.isnan(costs), np.inf, costs)))
        return list(self.tried.values())[best]

    def run_by_coordinates(self, values: Mapping[str, Sequence[Any]]) -> None:
        """Try one parameter after the other, with the best values so far of the others, until
        nothing changes."""
        before: Setting | None = None
        while before != self.best[0]:
            before = self.best[0]
            for name, options in values.items():
                best = self.best[0]
                self.run([{**best, name: option} for option in options])

    def run(self, settings: Sequence[Setting]) -> None:
        """Try the settings that are new."""
        new: dict[frozenset[tuple[str, Any]], Setting] = {}
        for candidate in settings:
            changed = {k: v for k, v in candidate.items() if v != getattr(self.base, k)}
            key = frozenset(changed.items())
            if key not in self.tried:
                new[key] = changed
        steps = self._judged(list(new.values()))
        if self.progress is not None:
            steps = self.progress(steps, self.name, len(new))
        for (key, setting), trial in zip(new.items(), steps, strict=True):
            self.tried[key] = setting, trial

    def _judged(self, settings: Sequence[Setting]) -> Iterable[Trial]:
        """The trials, by worker processes if they save time."""
        if self.pool is None and self.tried and len(settings) > 1:
            workers = self.workers
            if workers is None:
                seconds = self.listed[0].seconds * self.n_documents * len(settings)
                workers = min(cores(), len(settings)) if seconds > _WORTH_PROCESSES else 1
            if workers > 1 and can_travel(self.judge):
                self.pool = self.stack.enter_context(WorkerPool(workers, self.judge))
        return map(self.judge, settings) if self.pool is None else self.pool.map(settings)
