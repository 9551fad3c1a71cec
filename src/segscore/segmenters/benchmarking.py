"""Compare segmenters on a corpus: each runs over all documents, and `compare` scores them."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.comparison.cases import ALL_BASELINES, BASELINES
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLAIN, Provenance, provenance_in
from segscore.errors import SegmentationError
from segscore.segmenters.contract import Segmenter
from segscore.segmenters.embedding import EmbeddingSegmenter
from segscore.segmenters.encoders import EncodedOnce
from segscore.segmenters.function_adapters import segmenter
from segscore.segmenters.lsa import CWM
from segscore.segmenters.workers import Done, Task, segment_all
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
            for name, row in zip(self.comparison.rows, table.rows, strict=True)
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
    progress: Callable[[Iterable[Done], str, int], Iterable[Done]] | None = None,
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
        with closing(segment_all(method, exam.tasks_of(method), workers)) as steps:
            done = list(progress(steps, name, len(exam.tasks)) if progress else steps)
        segmentations[name] = {each.document: each.segmentation for each in done}
        seconds[name] = float(np.mean([each.seconds for each in done]))
    placed = {name: placing_of(method) for name, method in named.items()}
    systems = {
        name: _system(name, exam.in_its_units(codings), placed.get(name, PLAIN))
        for name, codings in (segmentations | outputs).items()
    }
    options.setdefault("baselines", [name for name in BASELINES if name not in segmentations])
    comparison = compare(exam.corpus, systems=systems, **options)
    notes = [
        *_untold(named, n_segments), *_not_better(comparison, named), *_placed_apart(placed),
    ]  # fmt: skip
    return Benchmark(comparison, segmentations, seconds, notes)


def encoded_once(segmenters: Mapping[str, Segmenter]) -> dict[str, Segmenter]:
    """Let segmenters with the same encoder share its results.

    An LSASpace is fast, and stays unchanged.
    """
    by_encoder: dict[Any, EncodedOnce] = {}

    def remembering(segmenter: Segmenter) -> Segmenter:
        if not isinstance(segmenter, EmbeddingSegmenter | CWM):
            return segmenter
        holder = "encode" if isinstance(segmenter, EmbeddingSegmenter) else "space"
        encode = getattr(segmenter, holder, None)
        if not callable(encode) or isinstance(encode, EncodedOnce):
            return segmenter
        # two bound methods of one model are equal, but not the same object
        key = encode if isinstance(encode, Hashable) else id(encode)
        changed: Any = {holder: by_encoder.setdefault(key, EncodedOnce(encode))}
        return replace(segmenter, **changed)

    return {name: remembering(method) for name, method in segmenters.items()}


def check_free(named: Mapping[str, Segmenter]) -> None:
    """Raise, before anything runs, if a segmenter cannot find the number of segments."""
    needy = [name for name, method in named.items() if method.needs_number()]
    if needy:
        raise SegmentationError(
            f"{', '.join(needy)} cannot find the number of segments: expected a number, or that of "
            "the reference (n_segments='reference'); or leave it out"
        )


def placing_of(segmenter: Segmenter) -> Provenance:
    """How a segmenter of chunks places them; nothing for other segmenters."""
    return getattr(segmenter, "provenance", PLAIN)


def _system(
    name: str, codings: Mapping[str, Segmentation], provenance: Provenance
) -> Mapping[str, Any]:
    """The segmentations of a method, with what goes into its signature."""
    if not provenance:
        return codings
    made = Corpus.from_dict({document: {name: coding} for document, coding in codings.items()})
    return Corpus.from_columns(made.columns, provenance=provenance)


def _placed_apart(placed: Mapping[str, Provenance]) -> list[str]:
    """A note on how chunks were placed, if segmenters differ in that."""
    if len(set(placed.values())) < 2:
        return []
    return [
        f"chunks of {name} are placed with {provenance}"
        for name, provenance in placed.items()
        if provenance
    ]


def _untold(named: Mapping[str, Segmenter], n_segments: int | str | None) -> list[str]:
    """A note naming segmenters that chose the number of segments themselves."""
    takes_none = [name for name, method in named.items() if not method.takes_number()]
    free = [name for name in takes_none if name not in ALL_BASELINES]
    if n_segments is None or not free:
        return []
    return [f"chose the number of segments themselves, because they take none: {', '.join(free)}"]


def _not_better(comparison: Comparison, named: Mapping[str, Segmenter]) -> list[str]:
    """A note on each metric by which a baseline is at least as good as the best segmenter."""
    lines = []
    for metric in dict.fromkeys(entry.metric for entry in comparison.entries):
        entries = [entry for entry in comparison.entries if entry.metric == metric]
        sign = -1 if comparison.metric(metric).higher_is_better else 1
        ours = [entry for entry in entries if entry.system in named and not _is_baseline(entry)]
        plain = [entry for entry in entries if _is_baseline(entry)]
        if not ours or not plain:
            continue
        best, rival = (min(group, key=lambda entry: sign * entry.value) for group in (ours, plain))
        if not sign * best.value < sign * rival.value:  # also if one of them is undefined
            lines.append(
                f"no method is better than the baseline {rival.system} by {metric} "
                f"({rival.value:.3f}; the best is {best.system}, {best.value:.3f})"
            )
    return lines


def _is_baseline(entry: Any) -> bool:
    plain = entry.system.partition("(")[0] in (*ALL_BASELINES, "all", "bisect")
    return entry.kind == "baseline" or plain


@dataclass(frozen=True)
class Exam:
    """Documents to segment, and the references, in the units in which they are scored."""

    tasks: Sequence[Task]
    references: Mapping[str, Mapping[str, Segmentation]]
    words: Mapping[str, Sequence[int]] | None
    provenance: Provenance = PLAIN  # how the units were formed

    @classmethod
    def of(
        cls,
        corpus: Mapping[str, Any],
        reference: str | None,
        n_segments: int | str | None,
        in_words: bool,
    ) -> "Exam":
        """Build the exam from a corpus with text and the options of `benchmark`."""
        if not isinstance(corpus, Mapping):
            raise SegmentationError(
                f"corpus is {shown(corpus)}: expected a Corpus with text, as segscore.read gives it"
            )
        references = {name: _references(document, reference) for name, document in corpus.items()}
        tasks = [
            Task(name, _text(document), _wanted(n_segments, references[name].values()))
            for name, document in corpus.items()
        ]
        if not tasks:
            raise SegmentationError("there is no document to segment")
        if n_segments == "reference" and all(t.n_segments in (1, len(t.units)) for t in tasks):
            raise SegmentationError(
                "every reference has one segment, or one per unit, so that a segmenter that knows "
                "the number cannot be wrong: expected other references, or n_segments=None"
            )
        if not in_words:
            provenance = provenance_in(corpus, "cannot compare segmenters on these documents")
            return cls(tasks, references, None, provenance)
        words = {task.document: [max(len(u.split()), 1) for u in task.units] for task in tasks}
        return cls(
            tasks, {d: _expanded(codings, words[d]) for d, codings in references.items()}, words
        )

    @property
    def corpus(self) -> Corpus:
        """The references with the text, in the units in which they are scored."""
        texts = {task.document: task.units for task in self.tasks}
        if self.words is not None:
            texts = {
                d: [w for unit in text for w in unit.split() or [unit]] for d, text in texts.items()
            }
        made = Corpus.from_dict(self.references, units=texts)
        return Corpus.from_columns(made.columns, provenance=self.provenance)

    def tasks_of(self, segmenter: Segmenter) -> Sequence[Task]:
        """The documents, without the number of segments for a segmenter that takes none."""
        if segmenter.takes_number():
            return self.tasks
        return [task._replace(n_segments=None) for task in self.tasks]

    def in_its_units(self, codings: Mapping[str, Segmentation]) -> Mapping[str, Segmentation]:
        """Segmentations of the documents, in the units in which they are scored."""
        if self.words is None:
            return codings
        return {
            document: coding.expand(self.words[document]) for document, coding in codings.items()
        }


def _expanded(codings: Mapping[str, Segmentation], lengths: list[int]) -> dict[str, Segmentation]:
    return {coder: coding.expand(lengths) for coder, coding in codings.items()}


def _by_name(methods: Any) -> dict[str, Segmenter]:
    if isinstance(methods, Mapping):
        return {str(name): segmenter(method) for name, method in methods.items()}
    listed = [methods] if isinstance(methods, str) or callable(methods) else list(methods)
    called = [
        method if isinstance(method, str) else getattr(method, "name", None) or shown(method)
        for method in listed
    ]
    named = dict(zip(called, map(segmenter, listed), strict=True))
    if len(named) != len(listed):
        raise SegmentationError(
            f"two methods have the same name: {', '.join(called)}: give a mapping "
            "from different names to them"
        )
    if not named:
        raise SegmentationError("there is no method: expected at least one segmenter")
    return named


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


def _systems_of(document: Any) -> list[str]:
    kinds = getattr(document, "kinds", {})
    return [coder for coder in document if kinds.get(coder) == "system"]


def _references(document: Any, reference: str | None) -> dict[str, Segmentation]:
    codings = dict(document)
    if reference is None:
        systems = _systems_of(document)
        codings = {coder: coding for coder, coding in codings.items() if coder not in systems}
    else:
        if reference not in codings:
            raise SegmentationError(
                f"document {document.name!r} has no coding by {reference!r}: expected one of "
                f"{', '.join(map(repr, codings))}"
            )
        codings = {reference: codings[reference]}
    if not codings:
        raise SegmentationError(f"document {document.name!r} has no coding to score against")
    return codings


def _text(document: Any) -> Sequence[str]:
    units: Sequence[str] | None = getattr(document, "units", None)
    if units is None:
        raise SegmentationError(
            f"document {getattr(document, 'name', shown(document))!r} has no text: expected units, "
            "because a segmenter needs them"
        )
    return units


def _wanted(n_segments: int | str | None, references: Iterable[Segmentation]) -> int | None:
    if n_segments == "reference":
        return round(float(np.mean([reference.n_segments for reference in references])))
    if n_segments is None or not isinstance(n_segments, str):
        return n_segments
    raise SegmentationError(f"n_segments is {n_segments!r}: expected 'reference', None or a number")
