"""Compare segmenters on a corpus, or settings of one of them.

`benchmark` runs each segmenter over all documents, and `compare` scores them.

`tune` is a small search for the parameters of a segmenter, on documents set aside for development.
There are two ways: `coordinate` takes one parameter after the other, tries each of its values with
the best values found so far of all others, and repeats this until nothing improves (Malioutov &
Barzilay 2006); `grid` tries all combinations. The values to try are those of the segmenter's own
`grid`, or of another grid. The segmenter as given is tried first, and the first of equally good
settings is the best. Settings are independent of each other, so they go to worker processes if the
first setting shows that this saves time.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from itertools import chain, product
from typing import Any, Literal, get_args

import numpy as np

from segscore.basics.arguments import check_choice, shown, whole_number
from segscore.basics.threads import cores
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.comparison.measuring import BASELINE_RULES, BASELINES
from segscore.corpus import PLAIN, Corpus, Provenance, provenance_in
from segscore.errors import SegmentationError, about, named
from segscore.metrics import Average, Metric
from segscore.metrics import metric as as_metric
from segscore.segmenters import workers as processes
from segscore.segmenters.by_name import parameters, segmenter, with_parameters, written
from segscore.segmenters.contract import Segmenter
from segscore.segmenters.embedding import CWM, EmbeddingSegmenter, EncodedOnce
from segscore.significance.resampling import METHOD
from segscore.tables import Column, Table, Tabular


@dataclass(frozen=True, repr=False)
class Benchmark(Tabular):
    """Segmenters compared on a corpus.

    Attributes
    ----------
    comparison: the scores, as a `Comparison`.
    segmentations: by segmenter and document.
    seconds: the mean time per document of each segmenter.
    notes: what else to know: segmenters that chose the number of segments themselves; metrics by
        which no segmenter is better than a baseline.
    """

    comparison: Comparison
    segmentations: Mapping[str, Mapping[str, Segmentation]]
    seconds: Mapping[str, float]
    notes: Sequence[str] = ()

    def to_table(self) -> Table:
        """The comparison's table, with the time of each segmenter as a last column."""
        table = self.comparison.to_table()
        column = Column("s/document", key="seconds_per_document", digits=4)
        rows = [
            [*row, self.seconds.get(name)]
            for name, row in zip(self.comparison.rows, zip(*table.cells, strict=True), strict=True)
        ]
        warnings = [*table.warnings, *self.notes]
        return replace(table, columns=[*table.columns, column], rows=rows, warnings=warnings)


def benchmark(
    corpus: Mapping[str, Any],
    methods: Iterable[str | Callable[..., Any]] | Mapping[str, Any],
    *,
    reference: str | None = None,
    n_segments: int | str | None = "reference",
    in_words: bool = False,
    workers: int | None = None,
    progress: Callable[[Iterable[processes.Done], str, int], Iterable[processes.Done]]
    | None = None,
    **options: Any,
) -> Benchmark:
    """Run segmenters over a corpus with text and compare them.

    corpus: documents with units, as `segscore.read` returns them. Codings of kind "system" in it,
        such as published outputs, are compared beside the methods.
    methods: names such as "c99", segmenters, functions; or a mapping from names to these.
    reference: the coder to score against; by default all coders who are not systems, as in
        `compare`.
    n_segments: "reference" gives each segmenter the number of segments in the reference (the mean
        of several references, rounded), None lets it decide, and a number is used for all. With
        "reference" it is an error if each reference has a single segment, or one per unit: then no
        segmenter could be wrong. A segmenter that takes no number decides itself, even if others
        are given one.
    in_words: score in words (between spaces) with boundaries at the ends of units, as Choi did.
    workers: number of processes; None starts some if this saves time.
    progress: wraps the documents while they are segmented, such as `rich.progress.track`.
    options: all other parameters of `compare`: metrics, average, test, baselines … A baseline that
        is also one of the methods has a single row, as that method.
    """
    named = encoded_once(_by_name(methods))
    if n_segments is None:
        check_free(named)
    exam = Exam.of(corpus, reference, n_segments, in_words)
    outputs = _outputs(corpus, reference, named)
    segmentations: dict[str, dict[str, Segmentation]] = {}
    seconds: dict[str, float] = {}
    for name, method in named.items():
        with closing(processes.segment_all(method, exam.tasks_of(method), workers)) as steps:
            done = list(progress(steps, name, len(exam.tasks)) if progress else steps)
        segmentations[name] = {document: coding for document, coding, _ in done}
        seconds[name] = float(np.mean([elapsed for *_, elapsed in done]))
    placed = {name: getattr(method, "provenance", PLAIN) for name, method in named.items()}
    systems = {
        name: exam.scored(codings, placed.get(name, PLAIN))
        for name, codings in (segmentations | outputs).items()
    }
    options.setdefault("baselines", [name for name in BASELINES if name not in segmentations])
    comparison = compare(exam.corpus, systems=systems, **options)
    notes = [*_notes(comparison, named, n_segments)]
    if len(set(placed.values())) > 1:
        notes += [f"chunks of {name} are placed with {way}" for name, way in placed.items() if way]
    return Benchmark(comparison, segmentations, seconds, notes)


def _by_name(methods: Any) -> dict[str, Segmenter]:
    if isinstance(methods, Mapping):
        return {str(name): segmenter(method) for name, method in methods.items()}
    listed = [methods] if isinstance(methods, str) or callable(methods) else list(methods)
    names = [
        each if isinstance(each, str) else getattr(each, "name", shown(each)) for each in listed
    ]
    if not names or len(set(names)) != len(names):
        raise SegmentationError(
            f"methods is {shown(names, 200)}: expected segmenters, each with a name of its own (a "
            "mapping gives them others)"
        )
    return dict(zip(names, map(segmenter, listed), strict=True))


def _notes(
    comparison: Comparison, named: Mapping[str, Segmenter], n_segments: int | str | None
) -> Iterator[str]:
    """What to know: who chose the number of segments; metrics by which a baseline is at least as
    good as the best segmenter."""
    choosy = [name for name, method in named.items() if not method.takes_n_segments]
    free = [name for name in choosy if name not in BASELINE_RULES]
    if n_segments is not None and free:
        yield f"chose the number of segments themselves, because they take none: {', '.join(free)}"
    for metric in dict.fromkeys(entry.metric for entry in comparison.entries):
        sign = -1 if comparison.metric(metric).higher_is_better else 1
        entries = [entry for entry in comparison.entries if entry.metric == metric]
        simple = (*BASELINE_RULES, "all", "bisect")
        plain = [
            entry
            for entry in entries
            if entry.kind == "baseline" or entry.system.partition("(")[0] in simple
        ]
        ours = [entry for entry in entries if entry.system in named and entry not in plain]
        if not ours or not plain:
            continue
        best, rival = (min(group, key=lambda entry: sign * entry.value) for group in (ours, plain))
        if not sign * best.value < sign * rival.value:  # also if one of them is undefined
            yield (
                f"no method is better than the baseline {rival.system} by {metric} "
                f"({rival.value:.3f}; the best is {best.system}, {best.value:.3f})"
            )


def _outputs(
    corpus: Mapping[str, Any], reference: str | None, named: Mapping[str, Segmenter]
) -> dict[str, dict[str, Segmentation]]:
    """The codings by systems in the corpus, by system and document."""
    found: dict[str, dict[str, Segmentation]] = {}
    for name, document in corpus.items():
        for coder in _systems_of(document):
            if coder in named:
                raise SegmentationError(
                    f"document {name!r} has a system {coder!r}, which is also the name of a "
                    "method: expected another name for the method"
                )
            if coder != reference:
                found.setdefault(coder, {})[name] = document[coder]
    return found


# ---- what benchmark and tune share ----


def encoded_once(segmenters: Mapping[str, Segmenter]) -> dict[str, Segmenter]:
    """Let segmenters with the same encoder share its results.

    An LSASpace is fast, and stays unchanged.
    """
    shared: dict[Any, EncodedOnce] = {}
    remembering = dict(segmenters)
    for name, method in segmenters.items():
        holder = "encode" if isinstance(method, EmbeddingSegmenter) else "space"
        encode = getattr(method, holder, None)
        is_ours = isinstance(method, EmbeddingSegmenter | CWM)
        if is_ours and callable(encode) and not isinstance(encode, EncodedOnce):
            # two bound methods of one model are equal, but not the same object
            key = encode if isinstance(encode, Hashable) else id(encode)
            once = shared.setdefault(key, EncodedOnce(encode))
            remembering[name] = replace(method, **{holder: once})  # type: ignore[type-var]
    return remembering


def check_free(named: Mapping[str, Segmenter]) -> None:
    """Raise, before anything runs, if a segmenter cannot find the number of segments."""
    needy = [name for name, method in named.items() if method.needs_n_segments]
    if needy:
        raise SegmentationError(
            f"{', '.join(needy)} cannot find the number of segments: expected a number, or that of "
            "the reference (n_segments='reference'); or leave it out"
        )


@dataclass(frozen=True)
class Exam:
    """Documents to segment, and a corpus of the references with the text, in the units in which
    they are scored."""

    tasks: Sequence[processes.Task]
    corpus: Corpus
    words: Mapping[str, Sequence[int]] | None  # of each unit, if words are scored

    @classmethod
    def of(
        cls,
        corpus: Mapping[str, Any],
        reference: str | None,
        n_segments: int | str | None,
        in_words: bool,
    ) -> "Exam":
        """Build the exam from a corpus with text and the options of `benchmark`."""
        if not isinstance(corpus, Mapping) or not corpus:
            raise SegmentationError(
                f"corpus is {shown(corpus)}: expected a Corpus with documents, as segscore.read "
                "gives it"
            )
        tasks: list[processes.Task] = []
        references: dict[str, dict[str, Segmentation]] = {}
        for name, document in corpus.items():
            units: Sequence[str] | None = getattr(document, "units", None)
            if units is None:
                raise SegmentationError(
                    f"document {name!r} has no text: expected units, because a segmenter needs them"
                )
            references[name] = codings = _references(document, reference)
            number: Any = n_segments
            if number == "reference":
                number = round(float(np.mean([coding.n_segments for coding in codings.values()])))
            elif number is not None:
                whole_number(number, "n_segments", 1)
            tasks.append((name, units, number))
        texts: dict[str, Sequence[str]] = {name: units for name, units, _ in tasks}
        if n_segments == "reference" and all(n in (1, len(units)) for _, units, n in tasks):
            raise SegmentationError(
                "every reference has one segment, or one per unit, so that a segmenter that knows "
                "the number cannot be wrong: expected other references, or n_segments=None"
            )
        if not in_words:
            known = provenance_in(corpus, "cannot compare segmenters on these documents")
            made = Corpus.from_dict(references, units=texts)
            return cls(tasks, Corpus.from_columns(made.columns, provenance=known), None)
        words: dict[str, list[int]] = {}
        for name, text in texts.items():
            split = [unit.split() or [unit] for unit in text]
            words[name], texts[name] = [len(unit) for unit in split], [*chain(*split)]
            references[name] = {k: v.expand(words[name]) for k, v in references[name].items()}
        return cls(tasks, Corpus.from_dict(references, units=texts), words)

    def tasks_of(self, segmenter: Segmenter) -> Sequence[processes.Task]:
        """The documents, without the number of segments for a segmenter that takes none."""
        if segmenter.takes_n_segments:
            return self.tasks
        return [(name, units, None) for name, units, _ in self.tasks]

    def scored(
        self, codings: Mapping[str, Segmentation], placing: Provenance = PLAIN
    ) -> Mapping[str, Any]:
        """Segmentations of the documents, in the units in which they are scored, with how chunks
        were placed, for the signature."""
        if self.words is not None:
            codings = {name: coding.expand(self.words[name]) for name, coding in codings.items()}
        if not placing:
            return codings
        made = Corpus.from_dict({name: {"system": coding} for name, coding in codings.items()})
        return Corpus.from_columns(made.columns, provenance=placing)


def _systems_of(document: Any) -> list[str]:
    kinds = getattr(document, "kinds", {})
    return [coder for coder in document if kinds.get(coder) == "system"]


def _references(document: Any, reference: str | None) -> dict[str, Segmentation]:
    others = [reference] if reference is not None else [*{*document} - {*_systems_of(document)}]
    codings = {coder: coding for coder, coding in document.items() if coder in others}
    if not codings:
        coder = "" if reference is None else f" by {reference!r}"
        raise SegmentationError(
            f"document {document.name!r} has no coding{coder} to score against: it has "
            f"codings by {', '.join(map(repr, document)) or 'nobody'}"
        )
    return codings


Search = Literal["coordinate", "grid"]
Setting = Mapping[str, Any]  # values of parameters
Progress = Callable[[Iterable["Trial"], str, int], Iterable["Trial"]]

ENOUGH_DOCUMENTS = 10  # for a choice that is more than chance
_SCORED: Mapping[str, Any] = {"baselines": False, "human": False, "n_resamples": 1000}
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
        signature = self.metric.signature(self.average, self.provenance)
        how = f"low and high: 95 % interval, {METHOD} over documents"
        first = f"{self.n_documents} documents, {signature}; {how}"
        notes = [first, *self._doubts(), f"best: {self.best.spec}"]
        return Table.of(
            self.trials,
            [
                Column("segmenter", of="spec"),
                Column(self.metric.name, key="score", better=better),
                "low high",
                Column("segments", key="segments_per_document", digits=1, of="n_segments"),
                Column("s/document", key="seconds_per_document", digits=4, of="seconds"),
            ],
            notes,
        )

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
        n_segments = "reference" if base.needs_n_segments else None
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
    tried: dict[frozenset[tuple[str, Any]], Trial] = {}
    with ExitStack() as stack:
        run = _runner(judge, len(exam.tasks), workers, stack)

        def try_all(settings: Iterable[Setting]) -> None:
            """Try the settings that are new."""
            new: dict[frozenset[tuple[str, Any]], Setting] = {}
            for setting in settings:
                changed = {k: v for k, v in setting.items() if v != getattr(base, k)}
                if frozenset(changed.items()) not in tried:
                    new[frozenset(changed.items())] = changed
            steps = run(list(new.values()), next(iter(tried.values()), None))
            shown_steps = progress(steps, name, len(new)) if progress else steps
            tried.update(zip(new, shown_steps, strict=True))

        try_all([{}])
        if search == "grid":
            try_all(dict(zip(values, each, strict=True)) for each in product(*values.values()))
        before: Trial | None = None
        while before is not (best := _best(tried.values(), chosen)):
            before = best
            for parameter, options in values.items() if search == "coordinate" else ():
                best = _best(tried.values(), chosen)
                setting = {key: getattr(best.segmenter, key) for key in values}
                try_all({**setting, parameter: option} for option in options)
    known = exam.corpus.provenance
    for trial in tried.values():
        known = known.joined(getattr(trial.segmenter, "provenance", PLAIN), "cannot tune")
    return Tuning([*tried.values()], best, chosen, average, len(exam.tasks), known)


def _checked_grid(
    base: Segmenter, name: str, grid: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[Any]]:
    """The values to try; raise if the segmenter has no such parameters."""
    values = {key: list(options) for key, options in (base.grid if grid is None else grid).items()}
    known = parameters(base)
    if not {*values} <= {*known} or not values or not all(values.values()):
        given = named(values)
        expected = f"values of {', '.join(known)}" if known else "a segmenter with parameters"
        raise SegmentationError(f"{name} cannot be tuned by {given}: expected {expected}")
    return values


def _trial(
    base: Segmenter, name: str, exam: Exam, metric: Metric, average: Average, setting: Setting
) -> Trial:
    """Segment all documents with a setting, and score them."""
    changed: Segmenter = replace(base, **setting)  # type: ignore[type-var]
    spec = with_parameters(name, setting)
    with about(spec):
        done = processes.segment_here(changed, exam.tasks_of(changed))
    found = exam.scored({document: coding for document, coding, _ in done})
    compared = compare(exam.corpus, None, {spec: found}, metric, average=average, **_SCORED)
    entry = compared[spec, metric]
    n_segments = float(np.mean([coding.n_segments for _, coding, _ in done]))
    seconds = float(np.mean([elapsed for *_, elapsed in done]))
    return Trial(spec, changed, entry.value, entry.low, entry.high, n_segments, seconds)


def _best(trials: Iterable[Trial], metric: Metric) -> Trial:
    """The first of the best trials; an undefined score is never best."""
    sign = -1 if metric.higher_is_better else 1
    return min(trials, key=lambda trial: (np.isnan(trial.score), sign * trial.score))


def _runner(
    judge: Callable[[Setting], Trial], n_documents: int, workers: int | None, stack: ExitStack
) -> Callable[[list[Setting], Trial | None], Iterable[Trial]]:
    """A function that tries settings, by worker processes if the time of the first trial says that
    they save time."""
    if workers is not None:
        whole_number(workers, "workers", 1, processes.MOST_WORKERS)
    pools: list[processes.WorkerPool[Setting, Trial]] = []

    def run(settings: list[Setting], first: Trial | None) -> Iterable[Trial]:
        if not pools and first is not None and len(settings) > 1:
            worth_it = first.seconds * n_documents * len(settings) > _WORTH_PROCESSES
            number = workers or (min(cores(), len(settings)) if worth_it else 1)
            if number > 1 and processes.can_travel(judge):
                pools.append(stack.enter_context(processes.WorkerPool(number, judge)))
        return pools[0].map(settings) if pools else map(judge, settings)

    return run
