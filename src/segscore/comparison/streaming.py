"""`compare` for JSON Lines files that do not fit in memory.

The files are read in batches; a batch has some documents with all their references and systems. A
batch is compared like any corpus, up to the statistics of its documents. These go into
accumulators, and the rest is `compare` for sums: averages are the same as if all documents were
read at once, and intervals and tests are drawn over buckets of documents.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import check_choice
from segscore.comparison.advice import Test
from segscore.comparison.cases import sample_pairs
from segscore.comparison.compared import Compared, find_compared
from segscore.comparison.comparison_entries import ComparisonSettings
from segscore.comparison.comparison_result import Comparison
from segscore.comparison.from_sums import compare_sums
from segscore.comparison.given_systems import systems_of
from segscore.comparison.measuring import measure
from segscore.comparison.scale_sums import ScaleSums
from segscore.comparison.system_files import SystemFile
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics.base import OnUndefined
from segscore.pairing.documents import match_documents
from segscore.pairing.failures import Failures, counts_failures
from segscore.pairing.list_columns import Texts
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import PairingRules
from segscore.pairing.streams import Batch, is_large, stream_codings
from segscore.scoring.accumulator import BUCKETS, Accumulator

TESTS = ("auto", "randomisation", "bootstrap", "t")  # which do not need documents one by one
_SAMPLE = 500  # documents to look at
_Placed = tuple[int, int, str]  # a document, the file that has it, and the line there

Look = Callable[[Pairs, str], None]


class _NotForStreamsError(Exception):
    """The request needs the files as a whole."""


class _Asked(NamedTuple):
    """The input and the settings; the fields are parameters of `compare`."""

    reference: Path
    systems: Sequence[SystemFile]
    metrics: Mapping[str | Metric, Metric]
    rules: PairingRules
    baselines: Sequence[str]
    human: bool | None
    settings: ComparisonSettings
    test: Test | Literal["auto"]
    threads: int | None
    on_undefined: OnUndefined
    look: Look | None

    def can_be_added_up(self) -> bool:
        """Whether the files are large, and nothing requested needs them as a whole."""
        rules = self.rules
        whole = (rules.reference, rules.hypothesis, rules.align, rules.mask)
        names = [system.name for system in self.systems if system.name is not None]
        return (
            all(rule is None for rule in whole)
            and not counts_failures(rules.missing)
            and self.test in TESTS
            and len(names) == len(set(names))  # a name again is another run
            and not any(metric.batch_bound for metric in self.metrics.values())
            and len(set(map(str, self.metrics))) == len(self.metrics)
            and is_large(self.reference, [system.path for system in self.systems])
        )


def compare_large(
    corpus: Any,
    systems: Any,
    metrics: Mapping[str | Metric, Metric],
    rules: PairingRules,
    *,
    baselines: Sequence[str],
    human: bool | None,
    settings: ComparisonSettings,
    test: Test | Literal["auto"],
    threads: int | None = None,
    on_undefined: OnUndefined = "raise",
    look: Look | None = None,
) -> Comparison | None:
    """The comparison of large files; None if `corpus` and `systems` are something else, or if the
    request needs the files as a whole.

    Parameters are those of `compare`. look: called with some documents of each system, and its
    name.
    """
    files = _system_files(systems)
    if not files or not isinstance(corpus, str | os.PathLike):
        return None
    asked = _Asked(
        Path(corpus), files, metrics, rules, baselines, human, settings, test, threads,
        on_undefined, look,
    )  # fmt: skip
    if not asked.can_be_added_up():
        return None
    check_choice(on_undefined, "on_undefined", ("raise", "nan"))
    settings.checked(len(files))
    total = _Totals(asked)
    try:
        for batch in stream_codings([asked.reference, *(file.path for file in files)]):
            if batch is None:  # they start again
                total = _Totals(asked)
            else:
                total.add(batch)
    except _NotForStreamsError:
        return None
    return total.comparison()


def _system_files(given: Any) -> list[SystemFile]:
    """The files of systems as `compare` takes them; none if some systems are not files."""
    if isinstance(given, str | os.PathLike):
        given = [given]
    if not isinstance(given, Mapping | list | tuple):
        return []
    names = list(given) if isinstance(given, Mapping) else [None] * len(given)
    paths = list(given.values() if isinstance(given, Mapping) else given)
    if all(isinstance(path, SystemFile) for path in paths):
        return paths
    if not all(isinstance(path, str | os.PathLike) for path in paths):
        return []  # segmentations, or lists of runs, are among them
    return [
        SystemFile(Path(path), None if name is None else str(name))
        for path, name in zip(paths, names, strict=True)
    ]


class _Totals:
    """The sums so far."""

    def __init__(self, asked: _Asked) -> None:
        self.asked = asked
        metrics = list(asked.metrics)
        self.sums = Accumulator(metrics, buckets=BUCKETS)
        self.scale = ScaleSums(metrics, asked.baselines, asked.human, asked.settings.seed)
        self.skipped: list[_Placed] = []
        self.failed: dict[str, list[str]] = {}  # documents that a system did not do
        self.n_references = 0
        self.boundaries: dict[str, tuple[int, int]] = {}  # of each system, and of its references
        self.samples: dict[str, Pairs] = {}

    def add(self, batch: Batch) -> None:
        """Add the documents of a batch."""
        asked = self.asked
        reference, *files = batch.codings
        names = system_names(asked.systems, batch.coders[1:])
        runs = dict(_runs(asked.systems, files, names))
        wanted = [name for several in names for name in several.values()]
        self._count_failures(reference, wanted, runs)
        if not len(reference) or len(runs) < len(wanted):
            self._skip_all(batch.codings, wanted, runs)
            return
        found = find_compared(
            _corpus(reference), {name: runs[name] for name in wanted}, asked.rules, whole=False
        )
        self._skip(batch.codings, found.skipped)
        if not len(found.cases):
            return
        self._look_at(found)
        self._add(found)

    def _add(self, found: Compared) -> None:
        asked, cases = self.asked, found.cases
        measured = measure(
            list(asked.metrics.values()), cases, found.systems, asked.threads, asked.on_undefined,
            found.provenance, whole=False,
        )  # fmt: skip
        tables = {
            system.name: [each.rows[:, column] for each in measured]
            for column, system in enumerate(found.systems)
        }
        for system in found.systems:
            old, new = (
                self.boundaries.get(system.name, (0, 0)),
                system.boundary_counts(cases) or (0, 0),
            )
            self.boundaries[system.name] = old[0] + new[0], old[1] + new[1]
        names = Texts.of(cases.names)
        self.sums.add_statistics(tables, names, provenance=found.provenance)
        self.scale.add(cases, names, None, found.provenance, asked.threads)

    def _look_at(self, found: Compared) -> None:
        """Keep some documents of each system for messages, and show them."""
        for system in found.systems if not self.samples else ():
            self.samples[system.name] = sample_pairs(system, found.cases, _SAMPLE)

    # ---- documents that not all have ----

    def _skip_all(
        self, codings: Sequence[Codings], wanted: Sequence[str], runs: Mapping[str, Corpus]
    ) -> None:
        """Skip a batch in which a side has no documents."""
        reference = list(dict.fromkeys(codings[0].documents))
        for name in wanted:
            done = list(runs[name]) if name in runs else []
            match_documents(
                reference, done, self.asked.rules.missing, hypothesis=f"system {name!r}",
                whole=False,
            )  # fmt: skip
        self._skip(codings, dict.fromkeys(name for coding in codings for name in coding.documents))

    def _count_failures(
        self, reference: Codings, wanted: Sequence[str], runs: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Remember the documents without a hypothesis of each system."""
        done = set(reference.names_of(np.arange(len(reference))))
        self.n_references += len(done)
        for name in wanted:
            did = runs.get(name, {})
            lost = [
                document
                for document in reference.documents
                if document in done and document not in did
            ]
            self.failed.setdefault(name, []).extend(lost)

    def _skip(self, codings: Sequence[Codings], names: Sequence[str] | Mapping[str, None]) -> None:
        """Remember what is left out, and where it first occurs."""
        for name in names:
            side = next(i for i, coding in enumerate(codings) if name in coding.numbers)
            table = codings[side]
            row = min(int(table.starts[table.numbers[name]]), max(len(table) - 1, 0))
            self.skipped.append((side, int(table.lines[row]) if len(table) else 0, name))

    # ---- what came of it ----

    def comparison(self) -> Comparison:
        """The comparison of all documents."""
        asked = self.asked
        if not self.samples:
            paths = ", ".join(str(system.path) for system in asked.systems)
            raise SegmentationError(
                f"{asked.reference} and {paths} have no document in common: expected the same names"
            )
        if asked.look is not None:
            for name, pairs in self.samples.items():
                asked.look(pairs, name)
        if asked.on_undefined == "raise":
            for average in self.sums.result().averages:
                sample, whose = self.samples[average.system or ""], f"system {average.system!r}, "
                average.metric.check_answer(sample, average.micro, whose, n_documents=len(average))
        skipped = [name for _, _, name in sorted(self.skipped)]
        return compare_sums(
            self.sums, (), asked.settings, asked.test, self.scale, skipped, asked.threads,
            self._failures(), self.boundaries,
        )  # fmt: skip

    def _failures(self) -> dict[str, Failures]:
        """The documents left out because a hypothesis is missing, by system."""
        missing, n = self.asked.rules.missing, self.n_references
        made = {system: Failures.of(missing, names, {}, n) for system, names in self.failed.items()}
        return {name: failures for name, failures in made.items() if failures is not None}


def system_names(
    files: Sequence[SystemFile], coders: Sequence[Sequence[str]]
) -> list[dict[str, str]]:
    """The name of the system of each coder of each file; the path is added to a name that is
    already taken."""
    found: list[dict[str, str]] = []
    known: set[str] = set()
    for file, its_coders in zip(files, coders, strict=True):
        if file.name is not None and len(its_coders) != 1:
            raise _NotForStreamsError
        names = {
            coder: file.name or (f"{coder} ({file.path})" if coder in known else coder)
            for coder in its_coders
        }
        known.update(names.values())
        found.append(names)
    return found


def _runs(
    files: Sequence[SystemFile], codings: Sequence[Codings], names: Sequence[Mapping[str, str]]
) -> Iterator[tuple[str, Corpus]]:
    """The runs of each system in a batch, if it has any documents there."""
    for file, table, its_names in zip(files, codings, names, strict=True):
        for coder, corpus in systems_of(_corpus(table), os.fspath(file.path), {}).items():
            yield its_names[coder], corpus


def _corpus(codings: Codings) -> Corpus:
    return Corpus.from_columns(codings, codings.scope, codings.provenance)
