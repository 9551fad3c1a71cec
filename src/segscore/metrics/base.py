"""The contract of every metric, and its text forms.

A metric is a frozen dataclass whose fields are its parameters. For a batch of pairs it gives rows
of statistics that add up over documents, and it turns a row, or a sum of rows, into a value.
Averages, confidence intervals, tests and distributed runs need nothing else, and are written once.

Two texts name a metric:
- the spec, short: `windowdiff(k=3,edges=wrap)`; fields left out have their defaults;
- the signature, complete: `windowdiff|k:3|rounding:half-even|…|v:0.1.0`; it also says how units
  were formed, if a reader formed them (`units:seconds:6`), which is not read back. A field that was
  added to a metric later (metadata `ADDED_LATER`) is printed only if it differs from its default,
  so that old signatures stay valid and equal. What follows the version in a signature says how
  numbers were used, and is not read back. In both, `auto` is None, `yes` and `no` are truth values,
  and each item of a tuple ends in `/`.

Some parameters may be given in time (`f1(tolerance=30s)`); they become units when pairs are scored,
if the pairs know the duration of a unit.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import ratios
from segscore._version import __version__
from segscore.basics import arguments
from segscore.basics.arguments import LARGEST_FLOAT, Floats, check_choice, shown, whole_number
from segscore.basics.specs import is_integer
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import PLAIN, Provenance, as_duration
from segscore.errors import SegmentationError
from segscore.metrics.statistics import Score, score_of_pair
from segscore.pairing.pairs import Pairs, Reference, Step
from segscore.pairing.rules import Failures

Row = tuple[float, ...]
Keys = tuple[str, ...]  # names of statistics
OnUndefined = Literal["raise", "nan"]
Average = Literal["micro", "macro"]
M = TypeVar("M", bound="Metric")

WITH_A_WORST = "pk, windowdiff, f1, segment-f1, s and b"

# the most a parameter in units may be if a document is shorter: beyond it a near miss of one unit
# would cost less than the rounding of a score
LARGEST_BEYOND = 2**31 - 1

# metadata of a field that was added later: signatures print it only if it is not the default
ADDED_LATER = {"added later": True}


class Metric(ABC):
    """Additive statistics and a value. Call a metric with a reference and a hypothesis."""

    name: ClassVar[str]
    latex: ClassVar[str | None] = None  # the name as papers write it
    reading: ClassVar[str] = ""  # how to read it: what is counted, what a near miss counts
    papers: ClassVar[tuple[str, ...]] = ()  # keys of pages/literature.bib
    higher_is_better: ClassVar[bool]
    perfect: ClassVar[float | None] = None  # 1 or 0; None: distances, which have no scale
    symmetric: ClassVar[bool] = False  # whether both sides may change places
    many_references: ClassVar[bool] = False
    uses_labels: ClassVar[bool] = False  # those of segments
    batch_bound: ClassVar[bool] = False  # the columns of its statistics depend on the batch
    in_time: ClassVar[tuple[str, ...]] = ()  # fields that may be given in time
    # parts that are a quotient of two statistics: the columns above and below the line
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {}

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest possible value: 0 and 1, or 0 and ∞ for distances."""
        return 0.0, math.inf if self.perfect is None else 1.0

    @property
    @abstractmethod
    def statistic_names(self) -> tuple[str, ...]:
        """What each column of the statistics counts."""

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The statistics of each pair, one row each; a row of zeros if the pair has no value.

        A metric defines `rows` or a `step`, or both.
        """
        step = self.step(pairs)
        if step is None:
            raise NotImplementedError(f"{type(self).__name__} has neither rows nor a step")
        return pairs.rows_of_steps([step], threads)[0]

    def step(self, pairs: Pairs) -> Step | None:
        """The step that computes `rows` in a pass shared by several metrics; None: `rows` is
        called."""
        del pairs
        return None

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The statistics if every hypothesis were missing and counted as wrong throughout; an error
        for metrics without a worst value.

        rows: the rows of the pairs, in which a single segment replaces each missing hypothesis.
        """
        del pairs, rows
        raise SegmentationError(
            f"missing is 'worst', and {self.name} has no worst value that all documents could "
            f"have: {WITH_A_WORST} have one; missing='none' counts a missing "
            "hypothesis as one segment"
        )

    def values(self, rows: Floats) -> Floats:
        """The value of each row, or NaN; by default the first statistic over the last, a mean."""
        return ratio(rows[:, 0], rows[:, -1])

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """The parts of a score, with a value for each row; `ScorePart` makes metrics of them."""
        quotients = {name: ratio(rows[:, i], rows[:, j]) for name, (i, j) in self.quotients.items()}
        return {**quotients, **dict(zip(self.statistic_names, rows.T, strict=True))}

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """Further numbers for a single row; `pair` is None for a sum over documents."""
        del pair
        return {name: float(value[0]) for name, value in self.part_values(row[np.newaxis]).items()}

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether each pair cannot be scored. A NaN that is a valid answer does not count."""
        del pairs
        return np.isnan(values)

    def unscored(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether each pair cannot be scored; missing hypotheses that count as worst have a
        value."""
        found = self.undefined(pairs, values)
        if pairs.failures is not None:
            worst = rows_as_worst(pairs.failures)
            found[worst] &= np.isnan(values[worst])
        return found

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason for the error message: a document of one unit, or the metric's own reason."""
        if pairs.n_units[row] < 2:
            return f"the document has {pairs.n_units[row]} unit, so no place for a boundary"
        return self.why_no_value(pairs, row)

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason why a document of two units or more has no value."""
        del pairs, row
        return "neither side has anything that this metric measures"

    def score_pair(self, ref: Any, hyp: Segmentation) -> tuple[Row, float]:
        """The statistics and the value of a pair; some metrics have a faster way."""
        rows = self.rows(Pairs.of_one(ref, hyp))
        return tuple(rows[0].tolist()), float(self.values(rows)[0])

    def __call__(
        self, ref: Reference, hyp: Segmentation, *, on_undefined: OnUndefined = "raise"
    ) -> Score:
        """Score a pair of segmentations.

        A pair without a value is an error, or NaN with `on_undefined="nan"`, as in `ss.score`. F
        has no value if neither side has a boundary.
        """
        if (  # one pair should be fast: check details only if something is unusual
            type(ref) is not Segmentation
            or type(hyp) is not Segmentation
            or ref._n_units != hyp._n_units
            or type(on_undefined) is not str
            or on_undefined != "raise"
            or self.many_references
            or ref.unit_length is not None
            or hyp.unit_length is not None
        ):
            ref = self._checked(ref, hyp, on_undefined)
            both = (ref, hyp) if isinstance(ref, Segmentation) else (*ref, hyp)
            lengths = {coding.unit_length for coding in both}
            provenance = PLAIN.with_unit_lengths(lengths, "cannot score this pair")
            if provenance:
                row, value = self.in_units(provenance).score_pair(ref, hyp)
                self._check_value(ref, hyp, value, on_undefined)
                return Score(value, self, row, (ref, hyp), provenance=provenance)
        row, value = self.score_pair(ref, hyp)
        if math.isnan(value):
            self._check_value(ref, hyp, value, on_undefined)
        return score_of_pair(value, self, row, (ref, hyp))

    def _check_value(self, ref: Any, hyp: Any, value: float, on_undefined: str) -> None:
        """Raise, with the reason, if the value of a pair is NaN and that is an error."""
        if math.isnan(value) and on_undefined == "raise":
            pairs = Pairs.of_one(ref, hyp)
            self.check_defined(pairs, np.array([value]))
            self.check_answer(pairs, value)

    def _checked(self, ref: Any, hyp: Any, on_undefined: str) -> Any:
        """Check the arguments of a call; return the reference or references."""
        check_choice(on_undefined, "on_undefined", ("raise", "nan"))
        refs = [ref] if isinstance(ref, Segmentation) else ref
        if not isinstance(refs, list | tuple) or not refs:
            refs = [ref]
        for coding in refs:
            check_same_units(self.name, coding, hyp)
        if not self.many_references and len(refs) > 1:
            raise SegmentationError(
                f"{self.name} got {len(refs)} references: expected one; multwindowdiff takes many"
            )
        return refs if self.many_references else refs[0]

    def check_defined(
        self, pairs: Pairs, values: Floats, called: Callable[[int], str] | None = None
    ) -> None:
        """Raise, with the reason, for the first pair that cannot be scored.

        called: makes the name of a row in messages; by default the pairs name it.
        """
        bad = np.flatnonzero(self.unscored(pairs, values))
        if bad.size:
            row = int(bad[0])
            more = f" (and {bad.size - 1} more documents)" if bad.size > 1 else ""
            where = (called or pairs.name)(row)
            raise SegmentationError(
                f"{where}: {self.name} is undefined: {self.why_undefined(pairs, row)}"
                f"{more}; on_undefined='nan' gives NaN instead of this error"
            )

    def check_answer(self, pairs: Pairs, value: float, whose: str = "") -> None:
        """Raise if the value of all these pairs together is NaN."""
        if math.isnan(value):
            n = len(pairs)
            where = pairs.name(0) if n == 1 else f"all {n} documents together"
            raise SegmentationError(
                f"{whose}{where}: {self.name} is undefined: {self.why_undefined(pairs, 0)}; "
                "on_undefined='nan' gives NaN instead of this error"
            )

    # ---- parameters in time ----

    def in_units(self, provenance: Provenance) -> Self:
        """The metric with parameters in time turned into numbers of units."""
        times = {name: getattr(self, name) for name in self.in_time}
        times = {name: value for name, value in times.items() if isinstance(value, str)}
        if not times:
            return self
        units = {name: self.units_of(name, value, provenance) for name, value in times.items()}
        return replace(self, **units)  # type: ignore[type-var]

    def units_of(self, name: str, duration: str, provenance: Provenance) -> int:
        """A time in whole units, rounded down."""
        return provenance.positions(duration, name)[0]

    # ---- texts ----

    def how_to_read(self) -> str:
        """What is counted, and what is best."""
        scale = "" if self.perfect is None else f"{self.perfect:g} is perfect, "
        direction = "higher" if self.higher_is_better else "lower"
        return "; ".join(filter(None, (self.reading, f"{scale}{direction} is better")))

    @property
    def latex_name(self) -> str | None:
        """The name and the changed parameters as LaTeX; None if papers have no other name."""
        if self.latex is None or not (changed := str(self).removeprefix(self.name)):
            return self.latex
        from segscore.tables.markup import latex_text

        return self.latex + latex_text(changed)

    def signature_fields(self) -> dict[str, Any]:
        """The parameters that the signature prints; by default all fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def signature(self, average: str | None = None, provenance: Provenance = PLAIN) -> str:
        """The name, parameters, units, average and version: all that determines the number."""
        unprinted = {
            field.name
            for metric in (self, getattr(self, "metric", self))  # of one level, of all levels
            for field in fields(metric)  # type: ignore[arg-type]
            if field.metadata == ADDED_LATER and getattr(metric, field.name) == field.default
        }
        texts = [
            f"{name}:{_text(value)}"
            for name, value in self.signature_fields().items()
            if name not in unprinted
        ]
        if provenance is not PLAIN:
            texts += [f"{name}:{text}" for name, text in provenance.fields.items()]
        texts += [f"avg:{average}"] if average else []
        return "|".join([self.name, *texts, f"v:{__version__}"])

    def __str__(self) -> str:
        """The spec: the name, and the fields that differ from their defaults."""
        plain = self.plain().signature_fields()
        changed = [
            f"{name}={_text(value)}"
            for name, value in self.signature_fields().items()
            if plain[name] != value
        ]
        return f"{self.name}({','.join(changed)})" if changed else self.name

    def plain(self) -> "Metric":
        """The metric that the name without parameters means."""
        return type(self)()


class PrecisionRecallMetric(Metric):
    """Precision, recall and their F, which is the value; all three are parts of a score.

    A document without anything to count for F is not an error among other documents: `n_undefined`
    counts it. Only a document of one unit is an error.
    """

    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1
    nothing_counts: ClassVar[str] = "neither side has a boundary"  # why F has no value

    @abstractmethod
    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F of each row."""

    def values(self, rows: Floats) -> Floats:
        """F; NaN if nothing counts on either side."""
        return self.rates(rows)[2]

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the statistics."""
        named = dict(zip(("precision", "recall", "f"), self.rates(rows), strict=True))
        return {**named, **super().part_values(rows)}

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether each document has only one unit."""
        del values
        return np.asarray(pairs.n_units < 2)

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: nothing counts on either side."""
        del pairs, row
        return self.nothing_counts


def check_same_units(what: str, ref: Any, hyp: Any) -> None:
    """Raise if these are not two Segmentations of as many units."""
    for coding in (hyp, ref):
        if not isinstance(coding, Segmentation):
            expected = "two Segmentations, the reference first"
            raise SegmentationError(f"{what} got {not_segmentation(coding, expected)}")
    if ref.n_units != hyp.n_units:
        raise SegmentationError(
            f"the reference has {ref.n_units} units, the hypothesis {hyp.n_units}: expected the "
            "same number"
        )


def refuse_segmentations(settings: object) -> None:
    """Raise if a parameter is a Segmentation: `Pk(ref, hyp)` instead of `Pk()(ref, hyp)`."""
    if any(isinstance(value, Segmentation) for value in vars(settings).values()):
        name = type(settings).__name__
        raise SegmentationError(
            f"{name} got a Segmentation as a parameter: expected {name}()(ref, hyp), with the "
            "parameters in the first brackets"
        )


def cheap_by_default(cls: type[M]) -> type[M]:
    """Let `cls()` take its defaults as they are: they need no check, and what follows from them is
    computed once.

    This is for frozen dataclasses whose fields all have defaults. Subclasses still check.
    """
    full = cls.__init__
    known = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
    derived = [
        name for name in dir(cls) if isinstance(getattr(cls, name), arguments.cached_property)
    ]

    @wraps(full)
    def __init__(self: M, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        if args or kwargs or type(self) is not cls:
            full(self, *args, **kwargs)
            return
        self.__dict__.update(known)
        for name in derived:
            if name not in known:
                known[name] = getattr(self, name)

    setattr(cls, "__init__", __init__)  # noqa: B010  # mypy forbids the assignment
    return cls


def rows_of_metrics(
    metrics: Sequence[Metric], pairs: Pairs, threads: int | None = 1
) -> list[Floats]:
    """The `rows` of each metric; metrics with a step share a pass over the documents.

    Metrics with equal steps (B and its parts) get the same array.
    """
    if pairs.groups is not None:
        for metric in metrics:
            if not metric.many_references:
                raise SegmentationError(
                    f"{metric.name} takes one reference per document, and lists were given: use a "
                    "metric for many references, or score against each reference by itself"
                )
    steps = [metric.step(pairs) for metric in metrics]
    shared = list({step: None for step in steps if step is not None})
    tables = dict(zip(shared, pairs.rows_of_steps(shared, threads), strict=True)) if shared else {}
    found = [
        metric.rows(pairs, threads) if step is None else tables[step]
        for metric, step in zip(metrics, steps, strict=True)
    ]
    worst = [] if pairs.failures is None else rows_as_worst(pairs.failures)
    for i, metric in enumerate(metrics if worst else ()):
        rows, found[i] = found[i], found[i].copy()  # metrics with equal steps share their rows
        found[i][worst] = metric.worst_rows(pairs, rows)[worst]
    return found


def rows_as_worst(failures: Failures) -> list[int]:
    """The rows of missing hypotheses that count as wrong throughout."""
    return list(failures.rows) if failures.missing == "worst" else []


def check_not_beyond(name: str, size: int, pairs: Pairs) -> None:
    """Raise for a parameter beyond LARGEST_BEYOND that is larger than a document."""
    short = np.flatnonzero(pairs.n_units < size)
    if short.size:
        row = int(short[0])
        raise SegmentationError(
            f"{pairs.name(row)}: {name} is {size}, but the document has {pairs.n_units[row]} "
            f"units: expected at most {max(LARGEST_BEYOND, int(pairs.n_units[row]))}"
        )


def units_or_time(value: Any, what: str, least: int) -> int | str:
    """A parameter that is a number of units, or a time such as `30s`."""
    return as_duration(value, what) if isinstance(value, str) else whole_number(value, what, least)


# ---- divisions and weights that metrics share ----


def ratio(above: Any, below: Any) -> Floats:
    """Divide; NaN if the divisor is 0."""
    both = type(above) is type(below) is np.ndarray and above.dtype == below.dtype == np.float64
    if both and above.ndim == 1 and above.shape == below.shape:
        quotients = np.empty(len(below))
        ratios.quotients(above, below, quotients)
        return quotients
    below = np.asarray(below, np.float64)
    out = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def precision_recall_f(tp: Any, fp: Any, fn: Any, beta: float = 1) -> tuple[Floats, Floats, Floats]:
    """Precision = TP/(TP+FP), recall = TP/(TP+FN), and F_β = (1+β²)TP / ((1+β²)TP + β²FN + FP).

    Precision is NaN without hypothesis boundaries, recall without reference boundaries, F only
    without either.
    """
    return ratio(tp, tp + fp), ratio(tp, tp + fn), f_measure(tp, fp, fn, beta)


def f_measure(tp: Any, fp: Any, fn: Any, beta: float = 1) -> Floats:
    """F_β alone."""
    weight = float(beta) * float(beta)  # older NumPy makes objects of large whole numbers
    arrays = all(type(each) is np.ndarray and each.dtype == np.float64 for each in (tp, fp, fn))
    if arrays and tp.ndim == 1 and tp.shape == fp.shape == fn.shape:
        values = np.empty(len(tp))
        ratios.f_measures(tp, fp, fn, weight, values)
        return values
    found = (1 + weight) * tp
    return ratio(found, found + weight * fn + fp)


def f_of_rates(precision: Floats, recall: Floats, beta: float = 1) -> Floats:
    """F_β = (1+β²)·P·R / (β²·P + R) where precision and recall do not count the same pairs.

    NaN only if both rates are NaN; 0 if only one is, or if both are 0.
    """
    weight = float(beta) * float(beta)  # older NumPy makes objects of large whole numbers
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    f = np.nan_to_num(ratio((1 + weight) * p * r, weight * p + r))
    return np.where(np.isnan(precision) & np.isnan(recall), np.nan, f)


def plain_numbers(settings: Any) -> None:
    """Convert NumPy numbers in the fields of a frozen dataclass to Python numbers.

    Reprs and signatures, which are read back, would otherwise show `np.float64(0.5)`.
    """
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, np.number | np.bool_):
            object.__setattr__(settings, field.name, value.item())


def check_weight(value: Any, what: str, least: float = 0, most: float = LARGEST_FLOAT) -> None:
    """Raise if a weight is not a number from `least` to `most`, by default from 0 to 1e100."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        limits = f"{least:g} … {most:g}".replace("+", "")
        raise SegmentationError(f"{what} is {shown(value)}: expected a number {limits}")


def check_beta(beta: Any) -> None:
    """Raise if β is not a number above 0, or if its square, the weight of recall, is not."""
    check_weight(beta, "beta", 1 / LARGEST_FLOAT)


# ---- parameters as text ----


def _text(value: Any) -> str:
    """A parameter as text."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "".join(f"{_item(item)}/" for item in value) or "/"
    if isinstance(value, int | float):
        return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
    return "custom" if callable(value) else str(value)


def _item(value: str | int) -> str:
    """A member of a tuple: strings are quoted, and marked if they look like a number."""
    if isinstance(value, int):
        return str(value)
    from urllib.parse import quote

    return ("'" if is_integer(value) else "") + quote(value, safe=" ")
