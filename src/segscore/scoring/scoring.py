"""Score a whole corpus at once: every metric over all documents, on all cores; and the results.

- `Scores`: a metric over many documents: micro- and macro-average, and the value of each document.
- `Result`: several metrics over the same documents.

Micro-average = value of the summed statistics. Macro-average = mean of the defined values.
Documents that an engine or an `Accumulator` added up have averages, by group and system, but no
values of their own: accessing these is an error.
"""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from math import isnan
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np

from segscore.basics.arguments import Floats, SupportsArray, cached_property, check_choice
from segscore.basics.on_demand import tell_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, named, nearest
from segscore.metrics import DEFAULT_METRICS, Metric, distinct_metrics, rows_of_metrics, same_metric
from segscore.metrics.statistics import (
    ExactSum,
    Score,
    Statistics,
    exact_mean,
    exact_sum,
    micro_score,
    no_interval,
)
from segscore.pairing.pairs import Pairs, Reference, pairs_of
from segscore.pairing.rules import Failures, split_options, with_failures
from segscore.tables import Tabular

if TYPE_CHECKING:
    from segscore.coders.coder_pairs import Null
    from segscore.io.read_options import ReadKeywords
    from segscore.metrics.base import OnUndefined
    from segscore.pairing.rules import Align, Encoding, Mask, Missing
    from segscore.tables import Table

Group = tuple[str, ...]


class Scores:
    """A metric over many documents.

    metric: the metric; key: the metric as given.
    pairs: what was scored; None if documents were added up.
    micro: the value of the summed statistics; macro: the mean of the defined values.
    n_documents: the number of documents; n_undefined: the number without a value.
    values: the value of each document, NaN if it is undefined.
    statistics: the additive statistics, a row per document; documents: their names.
    group, system: the group and the system of the documents, if they were added up; values,
    statistics and names are then unknown. low, high: an interval of the micro-average, if
    requested; interval_method: how it was made.
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "values":
                self._scored()  # raises
            return tell_name(self, name)

    group: Group = ()
    system: str | None = None
    low: float | None = None
    high: float | None = None
    interval_method: str = ""
    values: Floats

    def __init__(
        self,
        metric: Metric,
        pairs: Pairs,
        rows: Floats,
        key: str | Metric | None = None,
    ) -> None:
        self.metric = metric
        self.key: str | Metric = metric if key is None else key
        self.provenance: Provenance = pairs.provenance
        self.pairs: Pairs | None = pairs
        self._rows, self.values = rows, metric.values(rows)
        self.n_documents: int = len(rows)
        self.n_undefined: int = int(np.isnan(self.values).sum())  # averages leave them out
        self.micro: Score = micro_score(metric, exact_sum(rows), pairs.provenance)

    @classmethod
    def from_sums(
        cls,
        key: str | Metric,
        group: Group,
        system: str,
        averages: tuple[Score, Score],
        n_documents: int,
        n_undefined: int,
    ) -> Self:
        """Scores of documents for which only the averages (micro, macro) and their number are
        known."""
        made = cls.__new__(cls)
        made.key, made.group, made.system = key, group, system
        made.micro, made.macro = averages
        made.metric, made.provenance = made.micro.metric, made.micro.provenance
        made.n_documents, made.n_undefined = n_documents, n_undefined
        made.pairs = None
        return made

    def with_interval(self, low: float, high: float, method: str = "") -> Self:
        """A copy with an interval of the micro-average."""
        made = copy(self)
        made.low, made.high, made.interval_method = low, high, method
        return made

    @property
    def ci(self) -> tuple[float, float]:
        """The interval of the micro-average."""
        if self.low is None or self.high is None:
            raise AttributeError(no_interval(self.metric.name))
        return self.low, self.high

    @property
    def has_documents(self) -> bool:
        """Whether the value of each document is known."""
        return self.pairs is not None

    def _scored(self) -> Pairs:
        if self.pairs is None:
            raise SegmentationError(
                "these documents were added up, and the values of each are not known: expected a "
                "result of ss.score"
            )
        return self.pairs

    @property
    def statistics(self) -> Statistics:
        """The additive statistics, a row per document."""
        self._scored()
        return Statistics(self.metric, self._rows, self.provenance)

    @property
    def signature(self) -> str:
        """All that determines the documents' values; cite it with them."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def documents(self) -> Sequence[str]:
        """The names of the documents."""
        return self._scored().documents

    @cached_property
    def macro(self) -> Score:
        """The mean of the defined values of documents."""
        value = exact_mean(self.values[~np.isnan(self.values)])
        return Score(value, self.metric, None, average="macro", provenance=self.provenance)

    def __len__(self) -> int:
        return self.n_documents

    def __getitem__(self, document: int | str) -> Score:
        """The score of a document, by its name or its index."""
        pairs = self._scored()
        if isinstance(document, str):
            if document not in pairs.documents:
                raise KeyError(f"no document {document!r}")
            row = list(pairs.documents).index(document)
        else:
            row = range(len(self))[document]
        refs: Any = pairs.references(row) if self.metric.many_references else pairs.reference(row)
        pair = (refs, pairs.hypothesis(row))
        value, statistics = float(self.values[row]), self._rows[row]
        return Score(value, self.metric, statistics, pair, provenance=self.provenance)

    def __iter__(self) -> Iterator[Score]:
        return (self[row] for row in range(len(self)))

    def _repr_html_(self) -> str:
        return Result([self])._repr_html_()

    def __repr__(self) -> str:
        undefined = f", {self.n_undefined} undefined" if self.n_undefined else ""
        return (
            f"Scores({self.metric}: micro {self.micro:.4f}, macro {self.macro:.4f}, "
            f"{len(self)} documents{undefined})"
        )


class Result(Tabular, Mapping[Any, Scores]):
    """Several metrics over the same documents: a mapping from each metric, as given, to its Scores.

    documents: their names; skipped: documents that were left out because one side does not have
    them; failures: documents without a hypothesis, with reasons, and how they count (None if there
    are none);
    provenance: how the units were formed.

    It prints as the averages of each metric; frames and `to_dicts` have a row per document.

    Documents that an engine added up may be of several groups and systems: `by` are the columns
    that define groups, `averages` has the scores of all, and `.group(…)` and `.system(…)`
    select some of them. Single documents are then unknown,
    and frames have a row per average.
    """

    def __init__(
        self,
        averages: Sequence[Scores],
        by: Sequence[str] = (),
        *,
        skipped: Sequence[str] = (),
        failures: Failures | None = None,
    ) -> None:
        self.failures: Failures | None = failures
        self.averages: list[Scores] = list(averages)
        self.by: tuple[str, ...] = tuple(by)
        self.skipped: tuple[str, ...] = tuple(skipped)

    @classmethod
    def from_sums(cls, frame: Any, by: str | Sequence[str] = ()) -> "Result":
        """The averages of documents whose statistics were added up, by an engine's GROUP BY.

        frame: what `score_frame(…, statistics=True)` gives, or sums of it, in memory, in any frame
        that exports Arrow. Columns: `documents`, their number; for each metric
        `METRIC.STATISTIC`, `METRIC.value` and `METRIC.defined`; `system`, if there are several.
        Rows of one system and group are added up; other columns do not matter.
        by: the columns that define groups.

        >>> import polars as pl
        >>> import segscore as ss
        >>> df = pl.DataFrame({"ref": [[2, 5], [4]], "hyp": [[5], [4]], "n": [11, 8]})
        >>> rows = ss.score_frame(df, "ref", "hyp", "n", metrics="windowdiff", statistics=True)
        >>> ss.Result.from_sums(rows.sum())["windowdiff"]
        Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
        """
        from segscore.scoring.sum_tables import read_sums

        groups = (by,) if isinstance(by, str) else tuple(by)
        keys = tuple(dict.fromkeys([*groups, "system"]))
        table = read_sums(frame, groups, optional=["system"])
        found: list[Scores] = []
        for values, rows in table.places(*keys).items():
            total = exact_sum(table.rows[rows])
            group, system = values[: len(groups)], "".join(values[len(groups) :])
            if total.high[-1]:
                found += averages_of_sum(table.metrics, total, group=group, system=system)
        if not found:
            raise SegmentationError("there is no document to score: the table of sums has none")
        return cls(found, groups)

    @property
    def documents(self) -> Sequence[str]:
        """The names of the documents."""
        return self.averages[0].documents

    @property
    def provenance(self) -> Provenance:
        """How the units of these documents were formed."""
        return self.averages[0].provenance

    @property
    def has_documents(self) -> bool:
        """Whether the value of each document is known."""
        return self.averages[0].has_documents

    @property
    def ratio(self) -> float | None:
        """The number of boundaries in all hypotheses over that in all references; a hypothesis with
        several references counts once for each. NaN if the references have no boundary, None if
        boundaries were not counted."""
        pairs = self.averages[0].pairs
        if pairs is None:
            return None
        met = 1 if pairs.groups is None else np.diff(pairs.groups)
        hypotheses, references = (np.diff(pairs.hyp_offsets) * met).sum(), len(pairs.ref_positions)
        return int(hypotheses) / references if references else math.nan

    @property
    def groups(self) -> list[Group]:
        """The groups, in order."""
        return list(dict.fromkeys(average.group for average in self.averages))

    @property
    def systems(self) -> list[str]:
        """The systems, in order; empty unless documents were added up."""
        return list(
            dict.fromkeys(average.system for average in self.averages if average.system is not None)
        )

    def group(self, *values: str) -> Self:
        """The averages of a group."""
        wanted = tuple(map(str, values))
        found = [average for average in self.averages if average.group == wanted]
        if not found:
            known = named("/".join(group) for group in self.groups)
            raise SegmentationError(f"there is no group {wanted}: there are {known}")
        return type(self)(found, self.by)

    def system(self, name: str) -> Self:
        """The averages of a system."""
        found = [average for average in self.averages if average.system == name]
        if not found:
            raise SegmentationError(f"there is no system {name!r}: there are {named(self.systems)}")
        return type(self)(found, self.by)

    def __getitem__(self, metric: str | Metric) -> Scores:
        found = [average for average in self.averages if average.key == metric]
        if not found:  # another name of the same metric: wd for windowdiff
            same = same_metric(metric)
            found = [average for average in self.averages if average.metric == same]
        if not found:
            raise KeyError(f"no metric {str(metric)!r} here{nearest(str(metric), map(str, self))}")
        if len(found) > 1:
            raise SegmentationError(
                f"{len(found)} groups and systems have {str(metric)!r}: pick one with .group(…) or "
                ".system(…)"
            )
        return found[0]

    def _ipython_key_completions_(self) -> list[str]:
        return [str(key) for key in self]

    def __iter__(self) -> Iterator[Any]:
        keys: Any = dict.fromkeys(average.key for average in self.averages)
        return iter(keys)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def with_intervals(self, intervals: Sequence[tuple[float, float]], method: str = "") -> Self:
        """A copy with an interval for each of `averages`; `method` says how they were made."""
        both = zip(self.averages, intervals, strict=True)
        made = [scores.with_interval(low, high, method) for scores, (low, high) in both]
        return type(self)(made, self.by, skipped=self.skipped, failures=self.failures)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per document: its name and its value under each metric; if hypotheses are missing,
        also the reason in `failure`. A document left out for that has NaN."""
        columns = self._columns()
        lists = (
            column if isinstance(column, list) else column.tolist() for column in columns.values()
        )
        return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]

    def summary(self) -> list[dict[str, Any]]:
        """A row per metric: its averages, its number of documents, and its signature."""
        return [
            {
                "metric": str(average.key),
                "micro": float(average.micro),
                "macro": float(average.macro),
                "documents": average.n_documents,
                "undefined": average.n_undefined,
                **({} if self.failures is None else self.failures.fields),
                **average.provenance.placed,
                "higher_is_better": average.metric.higher_is_better,
                "signature": average.signature,
            }
            for average in self.averages
        ]

    def to_metrics(self, prefix: str = "", *, parts: bool = False) -> dict[str, float]:
        """A flat dict of floats for experiment trackers: `f1.tolerance_1/micro`.

        prefix: a text before each name, such as `test/`; parts: also include the parts of each
        micro-average (precision, recall and so on). Undefined values are NaN. Names begin with the
        group and the system, which have their own number of documents: `GROUP/SYSTEM/b/micro`.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> ss.score([a, a], [a, b], metrics=["f1(tolerance=1)"]).to_metrics("test/")
        ... # doctest: +NORMALIZE_WHITESPACE
        {'test/f1.tolerance_1/micro': 0.8571428571428571,
         'test/f1.tolerance_1/macro': 0.8333333333333333,
         'test/f1.tolerance_1/undefined': 0.0, 'test/documents': 2.0}
        """
        from segscore.scoring.result_tables import numbers_of_parts
        from segscore.tables.tabular import flat_numbers

        numbers: list[tuple[tuple[str, ...], float | None]] = []
        for scores in self.averages:
            where = (*scores.group, scores.system or "", str(scores.key))
            numbers += [
                ((*where, "micro"), scores.micro),
                ((*where, "low"), scores.low),
                ((*where, "high"), scores.high),
                ((*where, "macro"), scores.macro),
                ((*where, "undefined"), scores.n_undefined),
            ]
            if parts:
                listed = numbers_of_parts(scores.micro.parts)
                numbers += [((*where, "parts", name), value) for name, value in listed]
            if not scores.has_documents:
                numbers.append(((*where, "documents"), len(scores)))
        if self.has_documents:
            numbers.append((("documents",), len(self.documents)))
        if self.failures is not None:
            numbers += [((name,), value) for name, value in self.failures.fields.items()]
        return flat_numbers(numbers, prefix)

    def _frame(self) -> tuple[Any, list[str] | None]:
        return (self._columns(), None) if self.has_documents else super()._frame()

    def _columns(self) -> dict[str, Any]:
        values = {str(average.key): average.values for average in self.averages}
        return with_failures({"document": list(self.documents), **values}, self.failures)

    def to_table(self, per_document: bool = False, average: str = "both") -> "Table":
        """A table with the averages of each metric, or with the values of each document.

        average: `both`, or `micro` or `macro` alone.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> print(ss.score([a, a], [a, b], metrics=["windowdiff"]).to_table(per_document=True))
        document  windowdiff¹
        ─────────────────────
        0              0.0000
        1              0.2222
        ─────────────────────
        ¹ windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|v:0.1.0
        """
        from segscore.scoring.result_tables import scores_table

        return scores_table({"": self}, average, per_document)


def averages_of_sum(
    metrics: Mapping[str | Metric, Metric],
    total: ExactSum,
    provenance: Provenance = PLAIN,
    group: Group = (),
    system: str = "",
) -> Iterator[Scores]:
    """The averages that a sum of rows (`scoring.sum_tables`) has under each metric."""
    from segscore.scoring.sum_tables import spans_of

    n_documents = int(total.high[-1])
    for (key, metric), span in zip(metrics.items(), spans_of(metrics), strict=True):
        high, low = total.high[span], total.low[span]
        micro = micro_score(metric, ExactSum(high[:-2], low[:-2]), provenance)
        mean = float(high[-2] / high[-1]) if high[-1] else float("nan")
        macro = Score(mean, metric, None, average="macro", provenance=provenance)
        undefined = n_documents - int(high[-1])
        yield Scores.from_sums(key, group, system, (micro, macro), n_documents, undefined)


Stored = Mapping[str, Mapping[str, Segmentation]] | str | os.PathLike[str]  # such as a Corpus
Numbers = Sequence[Any] | Mapping[str, Any] | SupportsArray  # with `encoding`
Units = int | Sequence[int] | Mapping[str, int] | SupportsArray  # of lists of numbers
Side = Sequence[Reference] | Mapping[str, Reference] | Stored | Numbers

if TYPE_CHECKING:  # who scores what is in memory imports no reader

    class Options(ReadKeywords, total=False):
        """How files are read, documents paired and metrics computed; `score` explains it."""

        format: str | None
        hypothesis_format: str | None
        missing: Missing
        align: Align | None
        max_error: float
        mask: Mask | Mapping[str, Mask] | None
        threads: int | None
        on_undefined: OnUndefined

    class ComparisonOptions(Options, total=False):
        """The options of `segscore.compare`."""

        human: bool | None
        chance: Null | None
        draws: int | None
        encoding: Encoding | None
        n_units: Units | None


def score(
    refs: Side | Pairs,
    hyps: Side | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    encoding: "Encoding | None" = None,
    n_units: Units | None = None,
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    **options: "Unpack[Options]",
) -> Result:
    """Score hypotheses against references, document by document and on average.

    Parameters
    ----------
    refs, hyps
        Two sequences in the same order; two mappings, or pandas Series, with the same names; two
        files or folders (`score("ref.jsonl", "hyp.jsonl")`); two corpora; or one `Pairs`. A
        reference may be a list of segmentations, for metrics that take many references. A single
        corpus or file may hold both sides; `reference` and `hypothesis` then name the coders.
    metrics
        Metrics, or their names: `"windowdiff(k=3)"`.
    encoding
        What references and hypotheses hold, if they are not segmentations but lists, arrays or
        tensors of numbers: `masses`, `labels-end`, `labels-start` (a 0 or 1 per unit), `gaps` or
        `boundaries`. A tensor with two dimensions has a row per document.
    n_units
        With `encoding="boundaries"`, how many units documents have: one number, or one per
        document. With other encodings a check.
    reference, hypothesis
        The coders to use, if a file or a corpus has several; a list of references for metrics that
        take many. The reference "consensus:0.5" is what half of the coders mark.
    missing
        What to do about documents that only one side has: raise an `error`, or `skip` them; the
        result's `skipped` lists them. A missing hypothesis (None, or a model's output that could
        not be read) may also count as a single segment, `none`, or as wrong throughout, `worst`,
        which pk, windowdiff, f1, segment-f1, s and b support; the result's `failures` lists them
        with the reasons.
    ignore_text
        Score files and corpora even if the texts of the two sides differ.
    align, max_error
        `"words"` moves hypotheses of files and corpora whose words differ from those of the
        reference (such as a speech recogniser's) onto its units, up to a word error rate
        (`segscore.corpus.align`).
    mask
        Parts that are not scored and are cut out of both sides: `[(start, end), …]` in units, or in
        times (`("12.5s", "30s")`) if units have a known length; a list for all documents, or a
        mapping from document name to list.
    threads
        None uses the cores that the process may use, or $SEGSCORE_THREADS.
    on_undefined
        A missing value is an error, or NaN with `"nan"`: for a document that cannot be scored (for
        instance of one unit), and for a micro-average that does not exist. A document without a
        boundary on either side has no precision, recall or F. Among other documents that is not an
        error: its value is NaN, `n_undefined` counts it, and averages leave it out.
    format, hypothesis_format
        The formats of the files of `refs` and of `hyps` (docs/formats.md, docs/readers.md); by
        default suffix and content decide: `score("docs", "chunks.jsonl", format="markdown")`.
    **options
        The keywords of `segscore.read` (text_encoding, units, marks …), for files.

    >>> import segscore as ss
    >>> refs = {"a": ss.Segmentation.from_masses([2, 3, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> hyps = {"a": ss.Segmentation.from_masses([5, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> result = ss.score(refs, hyps, metrics=["windowdiff", "f1(tolerance=1)"])
    >>> result["windowdiff"]
    Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
    >>> result.to_dicts()[1]
    {'document': 'b', 'windowdiff': 0.0, 'f1(tolerance=1)': 1.0}
    >>> ss.score([[0, 1, 0, 0]], [[0, 0, 1, 0]], "pk", encoding="labels-end")["pk"].micro
    0.6666666666666666
    """  # noqa: E501
    rules, reading = split_options(score, options, reference, hypothesis)
    pairs = pairs_of(refs, hyps, rules, encoding, n_units, reading)
    on_undefined = options.get("on_undefined", "raise")
    check_choice(on_undefined, "on_undefined", ("raise", "nan"))
    chosen = distinct_metrics(metrics)
    tables = rows_of_metrics(list(chosen.values()), pairs, options.get("threads"))
    found = []
    for (key, metric), rows in zip(chosen.items(), tables, strict=True):
        scores = Scores(metric, pairs, rows, key)
        if on_undefined == "raise":
            if scores.n_undefined:
                metric.check_defined(pairs, scores.values)
            if isnan(scores.micro):
                metric.check_answer(pairs, scores.micro)
        found.append(scores)
    return Result(found, skipped=pairs.skipped, failures=pairs.failures)
