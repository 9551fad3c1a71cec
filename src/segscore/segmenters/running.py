"""Segmenters over many documents, on all cores, and their comparison.

Documents go to worker processes, for most of the work holds the interpreter's lock; a segmenter
that cannot be sent there (a lambda, say, or what a script or notebook defines itself) works in this
process instead, with the same result.
"""

import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from segscore._integers import shown, whole_number
from segscore.errors import SegmentationError
from segscore.pairs import _cores
from segscore.segmentation import Segmentation
from segscore.segmenters.named import called, segmenter

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.tables import Table

_WORTH_A_PROCESS = 40  # documents that make up for starting one


class Task(NamedTuple):
    """One document to be segmented."""

    document: str
    units: Sequence[str]
    n_segments: int | None


class Done(NamedTuple):
    """One document segmented, and how long it took."""

    document: str
    segmentation: Segmentation
    seconds: float


def _do(segmenter: Callable[..., Segmentation], task: Task) -> Done:
    start = time.perf_counter()
    try:
        made = segmenter(task.units, task.n_segments)
    except SegmentationError as error:
        raise SegmentationError(f"document {task.document!r}: {error}") from None
    return Done(task.document, made, time.perf_counter() - start)


def _do_all(segmenter: Callable[..., Segmentation], tasks: Sequence[Task]) -> list[Done]:
    return [_do(segmenter, task) for task in tasks]


def segment_all(
    segmenter: Callable[..., Segmentation], tasks: Iterable[Task], workers: int | None = None
) -> Iterator[Done]:
    """Segment documents, in their order; `workers=None` uses all cores where it pays."""
    listed = list(tasks)
    if workers is None:
        workers = min(_cores(), len(listed) // _WORTH_A_PROCESS)
    elif whole_number(workers, "workers", 1) > len(listed):
        workers = len(listed)
    if workers < 2 or not _can_travel(segmenter):
        yield from (_do(segmenter, task) for task in listed)
        return
    share = max(1, min(25, len(listed) // (4 * workers)))
    parts = [listed[at : at + share] for at in range(0, len(listed), share)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        with _main_left_alone():  # all processes start here, and none later
            done = pool.map(_do_all, [segmenter] * len(parts), parts)
        for part in done:
            yield from part


def _can_travel(segmenter: object) -> bool:
    """Can it be sent, and does it not live in the user's script, which workers do not run?"""
    try:
        return b"__main__" not in pickle.dumps(segmenter)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Processes that start meanwhile do not run the user's script.

    By default each of them would, from its first line on; a script without a guard, or read from
    stdin, would end there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@dataclass(frozen=True)
class Benchmark:
    """Segmenters compared on a corpus: the comparison, and the seconds that each document took."""

    comparison: "Comparison"
    segmentations: Mapping[str, Mapping[str, Segmentation]]
    seconds: Mapping[str, float]

    def to_table(self) -> "Table":
        """The comparison's table, with the time of each segmenter as a last column."""
        from segscore.tables import Column, Table

        made = self.comparison.to_table()
        column = Column("s/document", key="seconds_per_document", digits=4)
        first = made.columns[0].key or made.columns[0].name
        rows = [
            {
                **_by_key(made, row),
                "seconds_per_document": self.seconds.get(_plain(row, made, first)),
            }
            for row in made.rows
        ]
        return Table([*made.columns, column], rows, made.footnotes, made.title)

    def __str__(self) -> str:
        return self.to_table().render("text")

    def __repr__(self) -> str:
        return f"Benchmark({self.comparison!r})"

    def _repr_html_(self) -> str:
        return self.to_table().render("html")


def _by_key(table: Any, row: Any) -> dict[str, Any]:
    keys = [column.key or column.name for column in table.columns]
    return dict(row) if isinstance(row, Mapping) else dict(zip(keys, row, strict=True))


def _plain(row: Any, table: Any, key: str) -> str:
    cell = _by_key(table, row)[key]
    return str(getattr(cell, "value", cell))


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

    corpus: documents with units, as `segscore.read` gives them.
    methods: names such as "c99", segmenters, functions; or a mapping from names to these.
    reference: the coder to score against; by default all coders, as `compare` does it.
    n_segments: "reference" tells each segmenter how many segments the reference has (the mean of
        several references, rounded), None lets it decide, a number is a number. References that
        all have one segment, or one per unit, are then an error: who is told that cannot be wrong.
    in_words: score in words (between spaces) with boundaries at the ends of units, as Choi did.
    options: what else `compare` takes: metrics, average, test, baselines … A baseline that is one
        of the methods by name is a row once, as that method.
    """
    from segscore.comparison import compare
    from segscore.comparison.contestants import BASELINES

    exam = Exam.of(corpus, reference, n_segments, in_words)
    made: dict[str, dict[str, Segmentation]] = {}
    seconds: dict[str, float] = {}
    for name, one in _by_name(methods).items():
        steps: Iterable[Done] = segment_all(one, exam.tasks, workers)
        done = list(progress(steps, name, len(exam.tasks)) if progress else steps)
        made[name] = {each.document: each.segmentation for each in done}
        seconds[name] = float(np.mean([each.seconds for each in done]))
    systems = {name: exam.in_its_units(codings) for name, codings in made.items()}
    options.setdefault("baselines", [name for name in BASELINES if name not in made])
    return Benchmark(compare(exam.references, systems=systems, **options), made, seconds)


@dataclass(frozen=True)
class Exam:
    """Documents to be segmented, and the references, in the units in which they are scored."""

    tasks: Sequence[Task]
    references: Mapping[str, Mapping[str, Segmentation]]
    words: Mapping[str, Sequence[int]] | None

    @classmethod
    def of(
        cls,
        corpus: Mapping[str, Any],
        reference: str | None,
        n_segments: int | str | None,
        in_words: bool,
    ) -> "Exam":
        """From a corpus with text and what `benchmark` takes."""
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
                "every reference has one segment, or one per unit, and a segmenter that is told so "
                "cannot err: expected other references, or n_segments=None (--segments auto)"
            )
        if not in_words:
            return cls(tasks, references, None)
        words = {task.document: [max(len(u.split()), 1) for u in task.units] for task in tasks}
        return cls(tasks, {d: _expanded(one, words[d]) for d, one in references.items()}, words)

    def in_its_units(self, codings: Mapping[str, Segmentation]) -> Mapping[str, Segmentation]:
        """Segmentations of the documents, as they are scored."""
        if self.words is None:
            return codings
        return {document: one.expand(self.words[document]) for document, one in codings.items()}


def _expanded(codings: Mapping[str, Segmentation], lengths: list[int]) -> dict[str, Segmentation]:
    return {coder: coding.expand(lengths) for coder, coding in codings.items()}


def _by_name(methods: Any) -> dict[str, Callable[..., Segmentation]]:
    if isinstance(methods, Mapping):
        return {str(name): segmenter(one) for name, one in methods.items()}
    listed = [methods] if isinstance(methods, str) or callable(methods) else list(methods)
    named = {called(one): segmenter(one) for one in listed}
    if len(named) != len(listed):
        raise SegmentationError(
            f"two methods have one name among {', '.join(map(called, listed))}: expected a "
            "mapping from different names to them"
        )
    if not named:
        raise SegmentationError("there is no method: expected at least one segmenter")
    return named


def _references(document: Any, reference: str | None) -> dict[str, Segmentation]:
    codings = dict(document)
    if reference is not None:
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
            "for a segmenter needs something to read"
        )
    return units


def _wanted(n_segments: int | str | None, references: Iterable[Segmentation]) -> int | None:
    if n_segments == "reference":
        return round(float(np.mean([one.n_segments for one in references])))
    if n_segments is None or not isinstance(n_segments, str):
        return n_segments
    raise SegmentationError(f"n_segments is {n_segments!r}: expected 'reference', None or a number")
