"""Agreement on decisions: at each potential boundary, each coder decides yes or no.

Near misses get no credit here, but these are the coefficients that other fields report:

- Fleiss's κ for two categories; documents with more coders weigh more, as their pairs do
  (Kazantseva & Szpakowicz 2012, eq. 1-3);
- Krippendorff's α for nominal data;
- percentage agreement with the majority (Passonneau & Litman 1993; Hearst 1997): the share of
  decisions that are those of more than half of the document's coders; a tie is no boundary.

Documents with one coder are left out of all three, and so out of what chance would agree on.
`count_end=True` adds the end of each document as a boundary on which everyone agrees, which is how
the values of Kazantseva & Szpakowicz come out; it raises agreement, the more so in short documents.


Labels of people: who uses which labels, how often two people give a segment the same label, and
which labels are probably two spellings of one.

Items are agreed segments, with the same start and end, that two coders or more labelled. The
coefficient is Krippendorff's α for nominal data over them (Krippendorff 2004, ch. 11): 0 is what
labels drawn at random from all given labels would reach, 1 is complete agreement. It says nothing
about where boundaries are. Several labels of a segment together count as one label.

The similarity of labels is Jaccard's, unit by unit (Fournier 2013, poetry, fig. 1c).
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, Seed, seed_of, shown
from segscore.coders import estimators
from segscore.coders.coder_pairs import Basis, CodedBy, CoderPairs, people_in, people_of
from segscore.coders.estimators import Estimator, Sampling, Unfinished
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, named, number_of
from segscore.metrics import BoundaryMatch, ratio
from segscore.significance.drawing import Lots
from segscore.significance.resampling import TOO_FEW_DOCUMENTS, Interval, Value, bootstrap_interval
from segscore.tables import Cell, Column, Table, Tabular

BEYOND_CHANCE = (
    "0 is what coders would reach if they placed as many boundaries at random, 1 is complete "
    "agreement. A boundary one position off counts as no agreement at all, so values are low "
    "wherever there are many positions. No threshold is universally accepted; compare with similar "
    "tasks, and mind the interval."
)
WITH_MAJORITY = (
    "It is not corrected for chance: where boundaries are few, coders who place none at all agree "
    "with the majority nearly everywhere."
)


@dataclass(eq=False, repr=False)
class DecisionAgreement(Tabular, float):
    """A coefficient as a float, with its interval `ci` and the `basis` behind it; `value` is the
    number as a plain float.

    `documents` and `groups` hold the coefficient of each document and group; `notes` and `reading`
    are for people. `print` and notebooks show the table; `repr`, format strings and arithmetic use
    the number.
    """

    value: float
    _: KW_ONLY
    coefficient: str
    name: str
    ci: Interval
    basis: Basis
    reading: str
    count_end: bool = False
    notes: tuple[str, ...] = ()
    documents: Mapping[str, "DecisionAgreement"] = field(default_factory=dict)
    groups: Mapping[str, "DecisionAgreement"] = field(default_factory=dict)

    def __new__(cls, value: float, **_: Any) -> "DecisionAgreement":
        return float.__new__(cls, value)

    def to_table(self) -> Table:
        """A row for the whole, for each group and for each document."""
        shown, name = [Column(self.coefficient, key="value", digits=3)], self.coefficient
        return estimators.parts_table(
            self, lambda _: {}, shown, None, others={"value": self}, coefficient=name
        )

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __format__(self, form: str) -> str:
        return format(float(self), form)


def fleiss_kappa(
    corpus: CodedBy,
    *,
    count_end: bool = False,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> DecisionAgreement:
    """Compute Fleiss's κ on boundary decisions; NaN where all decisions are the same.

    >>> import segscore as ss
    >>> codings = {c: ss.Segmentation.from_gaps(g) for c, g in {"a": "0100", "b": "0101"}.items()}
    >>> corpus = ss.Corpus.from_dict({"d": codings})
    >>> round(ss.coders.fleiss_kappa(corpus), 4)
    0.4667
    >>> round(ss.coders.fleiss_kappa(corpus, count_end=True), 4)
    0.6
    """
    how = Sampling(level, n_resamples, seed_of(rng))
    return decided(corpus, how, [fleiss_of], count_end)[0]


def fleiss_of(pairs: CoderPairs, how: Sampling, count_end: bool) -> Unfinished[DecisionAgreement]:
    """Fleiss's κ, without its interval."""

    def row(sums: Floats) -> Floats:
        """The decisions on which pairs agree, all decisions of pairs, boundaries, and all
        decisions; nothing of a document with one coder."""
        return np.where(sums[:, 5:] > 1, np.take(sums, [0, 1, 3, 4], axis=1), 0.0)

    def expected(rows: Floats) -> Floats:
        share = ratio(rows[:, 2], rows[:, 3])
        return np.asarray(share**2 + (1 - share) ** 2)

    def value(rows: Floats) -> Floats:
        return estimators.chance_corrected(ratio(rows[:, 0], rows[:, 1]), expected(rows))

    return _beyond_chance("Fleiss's κ", pairs, count_end, how, value, expected, row)


def krippendorff_alpha(
    corpus: CodedBy,
    *,
    count_end: bool = False,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> DecisionAgreement:
    """Compute Krippendorff's α (nominal) on boundary decisions; NaN where all decisions are the
    same.

    >>> import segscore as ss
    >>> codings = {c: ss.Segmentation.from_gaps(g) for c, g in {"a": "0100", "b": "0101"}.items()}
    >>> round(ss.coders.krippendorff_alpha(ss.Corpus.from_dict({"d": codings})), 4)
    0.5333
    """
    how = Sampling(level, n_resamples, seed_of(rng))
    return decided(corpus, how, [alpha_of], count_end)[0]


def alpha_of(pairs: CoderPairs, how: Sampling, count_end: bool) -> Unfinished[DecisionAgreement]:
    """Krippendorff's α, without its interval."""

    def row(sums: Floats) -> Floats:
        """The disagreements per further coder, boundaries and decisions, if there are two
        coders."""
        _, _, disagreed, ones, decisions, coders = sums.T
        rows = np.column_stack([2 * disagreed / np.maximum(coders - 1, 1), ones, decisions])
        return np.where(coders[:, np.newaxis] > 1, rows, 0.0)

    def value(rows: Floats) -> Floats:
        disagreed, ones, decisions = rows.T
        return 1 - ratio((decisions - 1) * disagreed, 2 * ones * (decisions - ones))

    def expected(rows: Floats) -> Floats:
        _, ones, decisions = rows.T
        return 1 - ratio(2 * ones * (decisions - ones), decisions * (decisions - 1))

    return _beyond_chance("Krippendorff's α", pairs, count_end, how, value, expected, row)


def percentage_agreement(
    corpus: CodedBy, *, level: float = 0.95, n_resamples: int = 10_000, rng: Seed = 0
) -> DecisionAgreement:
    """The share of decisions that agree with the majority of the document's coders.

    This is agreement *with the majority*, as in Hearst (1997) and Passonneau & Litman (1993), not
    the share of pairs of coders who agree, which others call percentage agreement. A decision is
    yes or no at one position; a tie counts as no boundary. The value is not corrected for chance,
    and mostly counts positions where nobody marks a boundary.

    >>> import segscore as ss
    >>> gaps = {"a": "0100", "b": "0101", "c": "0010"}
    >>> codings = {coder: ss.Segmentation.from_gaps(text) for coder, text in gaps.items()}
    >>> found = ss.coders.percentage_agreement(ss.Corpus.from_dict({"d": codings}))
    >>> found.value, found.basis.n_boundaries
    (0.75, 4)
    """
    return decided(corpus, Sampling(level, n_resamples, seed_of(rng)), [majority_of])[0]


def majority_of(pairs: CoderPairs, how: Sampling, _: bool) -> Unfinished[DecisionAgreement]:
    """Agreement with the majority, without its interval."""
    return _coefficient("agreement with the majority", majority_sums(pairs), how, WITH_MAJORITY)


# ---- what they share ----


def decided(
    corpus: CodedBy, how: Sampling, wanted: Iterable[Callable[..., Any]], count_end: bool = False
) -> list[DecisionAgreement]:
    """Coefficients of the same decisions; documents are drawn once for all of them."""
    pairs = CoderPairs.of(corpus)
    return estimators.finished(pairs, how, *(of(pairs, how, count_end) for of in wanted))


def _beyond_chance(
    name: str, pairs: CoderPairs, count_end: bool, how: Sampling, *functions: Value
) -> Unfinished[DecisionAgreement]:
    """A coefficient by its functions: the value, what is expected by chance, and what makes a
    document's row from its sums: the decisions on which pairs agree, all decisions of pairs, those
    on which they disagree; the boundaries of codings, all their decisions, and the number of
    codings."""
    end = int(count_end)
    _, fp, fn = pairs.statistics(BoundaryMatch()).T
    places = (pairs.places[pairs.left] + end).astype(np.float64)
    agreed = places - fp - fn
    of_pairs = np.array([agreed, places, places - agreed])
    everyone, once = np.arange(len(pairs.coder)), np.ones(len(pairs.coder))
    of_codings = np.array([pairs.boundaries + end, pairs.places + end, once], np.float64)
    tables = [
        (pairs.left, pairs.right, range(3), of_pairs),
        (everyone, everyone, range(3, 6), of_codings),
    ]
    estimator = estimators.summed(pairs, tables, 6, *functions)
    return _coefficient(name, estimator, how, BEYOND_CHANCE, count_end)


def majority_sums(pairs: CoderPairs) -> Estimator:
    """The decisions that agree with the majority, and all decisions, for documents with at least
    two coders.

    A majority is not a sum over pairs, so the rows are counted from positions. Only marked
    positions are counted, because everyone agrees at all others.
    """
    n = len(pairs.documents)
    coders = np.bincount(pairs.document, minlength=n)
    places = np.zeros(n, np.int64)
    places[pairs.document] = pairs.places
    coding = np.repeat(np.arange(len(pairs.coder)), pairs.boundaries)
    named = np.stack([pairs.document[coding], pairs.table.positions])
    found, place = np.unique(named, axis=1, return_inverse=True)
    where, place = found[0], place.reshape(-1)
    votes = np.bincount(place, minlength=len(where))
    rows = _with_majority(where, votes, coders, places)

    def changes() -> Floats:
        document = pairs.document
        marked = np.bincount(where, minlength=n)  # positions of each document
        first = np.cumsum(marked) - marked
        sizes = marked[document]
        owner = np.repeat(np.arange(len(document)), sizes)  # each coding sees all of them
        start = np.cumsum(sizes) - sizes
        seen = np.arange(len(owner)) - start[owner] + first[document[owner]]
        left = votes[seen]
        left[start[coding] + place - first[document[coding]]] -= 1
        without = _with_majority(owner, left, coders[document] - 1, places[document])
        return without - rows[document]

    return Estimator(pairs, rows, lambda sums: ratio(*sums.T), make_changes=changes)


def _with_majority(
    where: Int64Array, votes: Int64Array, coders: Int64Array, places: Int64Array
) -> Floats:
    """The rows, from the votes at marked positions; `where` is the row of each position. Where
    nobody voted yes, everyone votes no."""
    n = coders[where]
    agreed = np.where(2 * votes > n, votes, n - votes).astype(np.float64)
    marked = np.bincount(where, minlength=len(coders))
    sums = np.bincount(where, agreed, minlength=len(coders)) + (places - marked) * coders
    rows = np.column_stack([sums, (places * coders).astype(np.float64)])
    return np.where(coders[:, np.newaxis] > 1, rows, 0.0)


def _coefficient(
    coefficient: str, estimator: Estimator, how: Sampling, reading: str, count_end: bool = False
) -> Unfinished[DecisionAgreement]:
    """The coefficient of the corpus, its groups and its documents."""
    pairs = estimator.pairs
    pairs.require_pairs(coefficient)
    name_of_it = coefficient + " with document ends" * count_end
    of_documents = estimator.value(estimator.rows)

    def result(
        name: str, number: float, ci: Interval, basis: Basis, **more: Any
    ) -> DecisionAgreement:
        words = f"from {basis.n_codings} codings with {basis.n_boundaries} boundaries. {reading}"
        more |= {"reading": f"{name_of_it} = {number:.3f} {words}", "count_end": count_end}
        return DecisionAgreement(
            number, coefficient=name_of_it, name=name, ci=ci, basis=basis, **more
        )

    def together(name: str, chosen: Int64Array) -> DecisionAgreement:
        number = float(estimator.value(estimator.total(chosen))[0])
        (ci,) = estimators.estimate_intervals([estimator], chosen, how)
        return result(name, number, ci, pairs.basis(chosen))

    def document(index: int) -> DecisionAgreement:
        number, ci = float(of_documents[index]), estimator.of_document(index, how)
        return result(pairs.documents[index], number, ci, pairs.document_basis(index))

    def whole(ci: Interval) -> DecisionAgreement:
        basis, parts = pairs.basis(np.arange(len(of_documents))), pairs.parts(together, document)
        return result("all", estimator.whole, ci, basis, notes=pairs.remarks(), **parts)

    return [estimator], whole


Given = Mapping[tuple[int, int], Mapping[str, str]]  # labels by segment and coder

ALIKE = 0.7  # of 1: how similar two labels must be to be offered as one
FEWEST = 3  # pairs of labels on the same segment from which it is read that the two are one
NEARLY_NEVER = 0.1  # of the uses of a label: so few of another, or by others, count as none
MOST_LABELS = 12  # in a table with a column for each
MOST_COMPARED = 200  # labels, and coders: more are free titles, or people of one document each
_WIDEST = 2000  # labels whose counts are resampled 10 000 times over


Suggestion = tuple[str, str, str, str]
"""A coder, a label that (nearly) only this coder uses, the label of others that probably means the
same, and why: by its "spelling", or by the "segments" that they give it to."""


class LabelledPart(NamedTuple):
    """α of one document or of all: the number of agreed segments with labels, and how many pairs of
    coders gave the same label, of all pairs who gave a label."""

    name: str
    alpha: float
    n_segments: int
    n_same: int
    n_pairs: int


@dataclass(frozen=True, repr=False)
class LabelReliability(Tabular):
    """How well people agree on the labels of segments that they agree on; prints as a table.

    alpha, ci: Krippendorff's α over all documents, and its interval. documents, whole: α of each
    document and of all, with counts. use: how often each coder gave each label. confusion: how
    often two coders gave these two labels to the same segment, the labels in alphabetical order.
    shares_none: by coders who share no label with the others, their labels and those
    of the others. suggestions: labels that probably mean
    the same as a label of the others.
    """

    ci: Interval
    documents: tuple[LabelledPart, ...]
    whole: LabelledPart
    use: Mapping[str, Counter[str]] = field(repr=False)
    confusion: Counter[tuple[str, str]] = field(repr=False)
    shares_none: Mapping[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def alpha(self) -> float:
        """Krippendorff's α over all agreed segments; NaN if there are none, or only one label."""
        return self.whole.alpha

    @property
    def labels(self) -> list[str]:
        """All labels, the most frequent first."""
        counts = sum(self.use.values(), Counter[str]())
        return [label for label, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]

    @property
    def warnings(self) -> list[str]:
        """Which coders share no label with the others, and which label they may have meant."""
        found = [
            f"coder {coder!r} shares no label with the others: {', '.join(own[:8])}; others: "
            f"{', '.join(others[:8])}"
            for coder, (own, others) in self.shares_none.items()
        ]
        for by, why in (("spelling", "their spelling"), ("segments", "the segments they label")):
            listed = ", ".join(
                f"{label}={instead} ({coder})"
                for coder, label, instead, reason in self.suggestions
                if reason == by
            )
            if listed:
                found.append(
                    f"probably the same by {why}: {listed}; rename_labels (OLD=NEW) joins them"
                )
        return found

    def to_table(self) -> Table:
        """A row per document, and a row for all documents."""
        rows: list[list[Any]] = [[*part] for part in (*self.documents, self.whole)]
        rows[-1][1] = estimators.with_interval(self.alpha, self.ci)
        shown = "document α_of_labels=alpha:3 segments same_label=same pairs"
        words = [
            "Krippendorff's α (nominal) over the labels of segments that two coders or more have "
            "with the same start and end; same label: pairs of coders who gave a segment the same "
            "label",
            f"interval: {self.ci.method}",
        ]
        return Table.of(rows, shown, words, "Agreement on labels", warnings=self.warnings)

    def use_table(self) -> Table:
        """A row per label: how often each coder gave it."""
        rows = [[label, *(used[label] for used in self.use.values())] for label in self.labels]
        shown = [Column("label"), *(Column(coder, key=f"coder {coder}") for coder in self.use)]
        words = ["segments with this label"]
        return Table(shown, rows, words, "Labels by coder", warnings=self.warnings)

    def confusion_table(self) -> Table:
        """How often two coders gave each pair of labels to the same segment; frequent labels come
        first."""
        labels = self.labels[:MOST_LABELS]
        rows = [
            [label, *(self.confusion[min(label, other), max(label, other)] for other in labels)]
            for label in labels
        ]
        shown = [Column("label"), *(Column(label, key=f"label {label}") for label in labels)]
        listed = [[*pair, number] for pair, number in self.confusion.most_common()]
        words = ["pairs of coders who gave these two labels to a segment that both have"]
        if len(self.labels) > MOST_LABELS:
            words.append(
                f"{MOST_LABELS} of {len(self.labels)} labels are shown; CSV and JSON have all"
            )
        machines = Table.of(listed, "label other pairs")
        title = "Labels given to the same segments"
        return Table(shown, rows, words, title, for_machines=machines)


def label_reliability(
    corpus: Corpus | Document, *, level: float = 0.95, n_resamples: int = 10_000, rng: Seed = 0
) -> LabelReliability:
    """Measure how well people agree on the labels of the segments that they agree on.

    level: confidence level of the interval.
    n_resamples: number of resamples of documents for the interval.
    rng: random seed, or a generator.

    >>> import segscore as ss
    >>> ann = ss.Segmentation.from_masses([2, 2, 3], segment_labels=["a", "b", "a"])
    >>> bob = ss.Segmentation.from_masses([2, 2, 3], segment_labels=["a", "b", "b"])
    >>> found = ss.coders.label_reliability(ss.Corpus.from_dict({"d": {"ann": ann, "bob": bob}}))
    >>> round(found.alpha, 3), found.whole.n_segments, dict(found.confusion)
    (0.444, 3, {('a', 'a'): 1, ('b', 'b'): 1, ('a', 'b'): 1})
    """
    people = people_of(corpus)
    local = people.coder_scope == "local" and len(people) > 1
    use: dict[str, Counter[str]] = {}
    given: dict[str, Given] = {}
    for document in people.values():
        segments: dict[tuple[int, int], dict[str, str]] = defaultdict(dict)
        for coder in document.labels:
            name = f"{document.name}: {coder}" if local else coder
            for segment, label in _labelled(document, coder):
                segments[segment][name] = label
                use.setdefault(name, Counter())[label] += 1
        given[document.name] = segments
    if len(use) < 2:
        raise SegmentationError(
            f"{len(use)} coders gave labels ({named(use)}): expected two or more to agree"
        )
    labels = sorted(set().union(*use.values()))
    rated = {  # the labels of segments that two coders or more labelled
        name: [labelled for labelled in segments.values() if len(labelled) > 1]
        for name, segments in given.items()
    }
    counts = [_counted(name, items) for name, items in rated.items()]
    ci = _interval(rated, labels, Sampling(level, n_resamples, seed_of(rng)))
    every = [segment for items in rated.values() for segment in items]
    both = (sorted(two) for item in every for two in combinations(item.values(), 2))
    confusion = Counter((label, other) for label, other in both)
    documents, whole = tuple(one for one in counts if one.n_segments), _counted("all", every)
    if max(len(use), len(labels)) > MOST_COMPARED:  # free titles: each of them is different
        return LabelReliability(ci, documents, whole, use, confusion)
    total = sum(use.values(), Counter[str]())
    others = {coder: total - theirs for coder, theirs in use.items()}
    strangers = {
        coder: ([one for one, _ in theirs.most_common()], [one for one, _ in rest.most_common()])
        for coder, theirs in use.items()
        if (rest := others[coder]) and not theirs.keys() & rest.keys()
    }
    suggestions = *_other_spellings(use, others), *_on_the_same(use, others, every)
    return LabelReliability(ci, documents, whole, use, confusion, strangers, suggestions)


def _labelled(document: Document, coder: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The segments of a coder that have a label; several labels together are one."""
    coding = document[coder]
    ends = [0, *coding.boundaries.tolist(), coding.n_units]
    for start, end, label in zip(ends, ends[1:], coding.segment_labels or (), strict=False):
        if label is not None:
            yield (start, end), label if isinstance(label, str) else " + ".join(sorted(label))


# ---- the coefficient ----


def _sums(items: Iterable[Mapping[str, str]], labels: Sequence[str]) -> Floats:
    """A row that adds up: disagreements of pairs per further coder, then the count of each
    label."""
    row = np.zeros(1 + len(labels))
    place = {label: 1 + i for i, label in enumerate(labels)}
    for item in items:
        counts, n = Counter(item.values()), len(item)
        row[0] += (n * n - sum(count * count for count in counts.values())) / (n - 1)
        for label, number in counts.items():
            row[place[label]] += number
    return row


def _alpha(rows: Floats) -> Floats:
    """Krippendorff's α of rows of sums; NaN where only one label was given."""
    given = rows[:, 1:].sum(axis=1)
    chance = given**2 - (rows[:, 1:] ** 2).sum(axis=1)
    return 1 - ratio((given - 1) * rows[:, 0], chance)


def _counted(name: str, items: Sequence[Mapping[str, str]]) -> LabelledPart:
    labels = sorted({label for item in items for label in item.values()})
    pairs = [pair for item in items for pair in combinations(item.values(), 2)]
    alpha = float(_alpha(_sums(items, labels)[np.newaxis])[0])
    same = sum(label == other for label, other in pairs)
    return LabelledPart(name, alpha, len(items), same, len(pairs))


def _interval(
    given: Mapping[str, Sequence[Mapping[str, str]]], labels: Sequence[str], how: Sampling
) -> Interval:
    """The interval over documents with agreed segments; none if there are too few documents or too
    many labels."""
    held = {name: items for name, items in given.items() if items}
    if len(held) < TOO_FEW_DOCUMENTS:
        n = number_of(len(held), "document")
        return how.none(f"only {n} with segments that two coders labelled")
    if len(labels) >= _WIDEST:
        return how.none(f"{len(labels)} labels are too many to resample")
    rows = np.array([_sums(items, labels) for items in held.values()])
    return bootstrap_interval(rows, _alpha, lots=Lots.of(list(held)), **how._asdict())


# ---- one label in two spellings ----


def _other_spellings(
    use: Mapping[str, Counter[str]], everyone: Mapping[str, Counter[str]]
) -> Iterator[Suggestion]:
    """Labels that only one coder uses and that are spelled like a label of others, which is more
    frequent; if both are as frequent, the first counts."""
    for coder, theirs in use.items():
        others = everyone[coder]
        known: dict[str, str] = {}
        for label, _ in others.most_common():
            known.setdefault(folded_label(label), label)
        for label in sorted(theirs.keys() - others.keys()):
            near = get_close_matches(folded_label(label), list(known), 1, ALIKE)
            other = known[near[0]] if near else label
            if near and (others[other], label) > (theirs[label], other):
                yield coder, label, other, "spelling"


def _on_the_same(
    use: Mapping[str, Counter[str]],
    everyone: Mapping[str, Counter[str]],
    items: Iterable[Mapping[str, str]],
) -> Iterator[Suggestion]:
    """Labels that (nearly) only one coder uses: the label that others give to most of these
    segments, if that coder (nearly) never uses it and the spelling has not found it. If each of two
    coders has a label alone, the rarer label is to be renamed."""
    givers = Counter(label for theirs in use.values() for label in theirs)
    met: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for item in items:
        for coder, label in item.items():
            met[coder, label].update(other for name, other in item.items() if name != coder)
    for (coder, label), given in sorted(met.items()):
        theirs, others = use[coder], everyone[coder]
        ((instead, number),) = given.most_common(1)
        known = {folded_label(other) for other in others if other != label}
        if (
            number >= FEWEST
            and 2 * number > given.total()
            and max(others[label], theirs[instead]) <= NEARLY_NEVER * theirs[label]
            and (givers[instead], others[instead], label) > (1, theirs[label], instead)
            and not get_close_matches(folded_label(label), list(known), 1, ALIKE)
        ):
            yield coder, label, instead, "segments"


def folded_label(label: str) -> str:
    """A label without case, accents and signs, by which spellings are compared.

    >>> folded_label("Récit "), folded_label("inner-voice")
    ('recit', 'inner voice')
    """
    plain = unicodedata.normalize("NFKD", label.casefold())
    kept = (sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign))
    return " ".join("".join(kept).split())


# ---- labels ----


@dataclass(frozen=True, repr=False)
class LabelSimilarity(Tabular):
    """Jaccard similarity of labels over units and pairs of coders: mean and sd (population).

    `per_unit` is the mean over pairs for each unit, NaN where fewer than two coders gave a label.
    """

    mean: float
    sd: float
    n: int
    per_unit: Floats = field(repr=False)

    def to_table(self) -> Table:
        """A row per unit."""
        words = (
            f"{self.mean:.3f} ± {self.sd:.3f} (standard deviation) over {self.n} units and pairs "
            "of coders"
        )
        rows = list(enumerate(self.per_unit.tolist(), start=1))
        return Table.of(rows, "unit similarity:3", [words], "Similarity of labels (Jaccard)")


def labels_table(corpus: Corpus, reliability: LabelReliability) -> Table:
    """The similarity of coders' labels and their α, by document and for all documents."""
    found = {
        name: label_similarity(document)
        for name, document in corpus.items()
        if len(document.labels) > 1
    }
    parts = {part.name: part for part in reliability.documents}
    rows: list[list[Any]] = []
    for name, one in found.items():
        part = parts.get(name, LabelledPart(name, math.nan, 0, 0, 0))
        rows.append([name, Cell(one.mean, error=one.sd), one.n, Cell(part.alpha), part.n_segments])
    known = [one for one in found.values() if one.n]
    n = sum(one.n for one in known)
    average = sum(one.mean * one.n for one in known) / n if n else math.nan
    squares = sum((one.sd**2 + one.mean**2) * one.n for one in known) / n if n else math.nan
    similarity = Cell(average, error=math.sqrt(max(0.0, squares - average**2)) if n else math.nan)
    alpha = estimators.with_interval(reliability.alpha, reliability.ci)
    rows.append(["all", similarity, n, alpha, reliability.whole.n_segments])
    mean = Column("similarity", key="mean", error="sd", digits=3)
    words = [
        "similarity: Jaccard's of labels, mean ± standard deviation over units and pairs of coders "
        "(n), whatever their boundaries are",
        "α: Krippendorff's, of labels that coders gave to segments with the same start and end "
        f"(segments); {reliability.ci.method}",
    ]
    shown: list[str | Column] = ["document", mean, "n α=alpha:3 segments"]
    return Table.of(rows, shown, words, "Agreement on labels", warnings=reliability.warnings)


def label_similarity(document: Document, coders: Iterable[str] | None = None) -> LabelSimilarity:
    """How similar the labels are that coders give to the same units, whatever their boundaries.

    A unit has the labels of its segment. The similarity of two coders at a unit is the number of
    labels that both give over the number of labels that either gives; where neither gives a label,
    there is no value.

    >>> import segscore as ss
    >>> ann, bob = ss.Segmentation.from_masses([2, 2]), ss.Segmentation.from_masses([3, 1])
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": ann, "bob": bob}},
    ...                              labels={"d": {"ann": ["x", "y"], "bob": ["x", ["y", "z"]]}})
    >>> found = ss.coders.label_similarity(corpus["d"])
    >>> found.mean, found.per_unit.tolist()
    (0.625, [1.0, 1.0, 0.0, 0.5])
    """
    if not isinstance(document, Document):
        raise SegmentationError(f"document is {shown(document)}: expected a document of a corpus")
    people = people_in(document)
    labelled = [name for name in document.labels if name in people]
    chosen = labelled if coders is None else list(coders)
    unknown = [name for name in chosen if name not in document.labels]
    if unknown or len(chosen) < 2:
        odd = f"coder {unknown[0]!r} gave none" if unknown else f"{len(chosen)} coders are chosen"
        raise SegmentationError(
            f"document {document.name!r}, labels: {odd}: expected two or more of those who gave "
            f"labels, {named(document.labels)}"
        )
    values = np.array([jaccard(document, *both) for both in combinations(chosen, 2)])
    defined = ~np.isnan(values)
    counts = defined.sum(axis=0)
    sums = np.where(defined, values, 0).sum(axis=0)
    per_unit = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    flat = values[defined]
    mean, sd = (float(flat.mean()), float(flat.std())) if flat.size else (math.nan, math.nan)
    return LabelSimilarity(mean, sd, int(flat.size), per_unit)


def jaccard(document: Document, first: str, second: str) -> Floats:
    """The similarity of two coders' labels at each unit."""
    left, right = (
        np.repeat(np.array(document.labels[coder], object), document[coder].masses)
        for coder in (first, second)
    )
    both = zip(left, right, strict=True)
    return np.array([len(a & b) / len(a | b) if a | b else math.nan for a, b in both])
