"""Labels of people: who uses which labels, how often two people give a segment the same label, and
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Seed, seed_of, shown
from segscore.coders.coder_pairs import people_in, people_of
from segscore.coding.constructor_checks import SegmentLabel
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, named
from segscore.metrics.ratios import ratio
from segscore.significance.drawing import Lots
from segscore.significance.resampling import TOO_FEW_DOCUMENTS, Interval, bootstrap_interval
from segscore.tables import Cell, Column, Table, Tabular, columns

Given = Mapping[tuple[int, int], Mapping[str, str]]  # labels by segment and coder

ALIKE = 0.7  # of 1: how similar two labels must be to be offered as one
FEWEST = 3  # pairs of labels on the same segment from which it is read that the two are one
NEARLY_NEVER = 0.1  # of the uses of a label: so few of another, or by others, count as none
MOST_LABELS = 12  # in a table with a column for each
MOST_COMPARED = 200  # labels, and coders: more are free titles, or people of one document each
_WIDEST = 2000  # labels whose counts are resampled 10 000 times over


class LabelSuggestion(NamedTuple):
    """A label that only one coder uses (or nearly so), and the label of others that probably means
    the same: it is spelled similarly, or the others give it to the same segments and that coder
    does not use it."""

    coder: str
    label: str
    instead: str
    by: Literal["spelling", "segments"] = "spelling"


class SharesNone(NamedTuple):
    """A coder who uses no label that the others use."""

    coder: str
    labels: tuple[str, ...]
    others: tuple[str, ...]


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
    shares_none: coders who share no label with the others. suggestions: labels that probably mean
    the same as a label of the others.
    """

    ci: Interval
    documents: tuple[LabelledPart, ...]
    whole: LabelledPart
    use: Mapping[str, Counter[str]] = field(repr=False)
    confusion: Counter[tuple[str, str]] = field(repr=False)
    shares_none: tuple[SharesNone, ...] = ()
    suggestions: tuple[LabelSuggestion, ...] = ()

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
        return [*map(self._stranger, self.shares_none), *self._same_labels()]

    def _stranger(self, stranger: SharesNone) -> str:
        return (
            f"coder {stranger.coder!r} shares no label with the others: "
            f"{', '.join(stranger.labels[:8])}; others: {', '.join(stranger.others[:8])}"
        )

    def _same_labels(self) -> Iterator[str]:
        for by, why in (("spelling", "their spelling"), ("segments", "the segments they label")):
            found = [suggestion for suggestion in self.suggestions if suggestion.by == by]
            if found:
                listed = ", ".join(
                    f"{suggestion.label}={suggestion.instead} ({suggestion.coder})"
                    for suggestion in found
                )
                yield f"probably the same by {why}: {listed}; rename_labels (OLD=NEW) joins them"

    def to_table(self) -> Table:
        """A row per document, and a row for all documents."""
        rows: list[list[Any]] = [[*part] for part in (*self.documents, self.whole)]
        rows[-1][1] = Cell(self.alpha, low=self.ci.low, high=self.ci.high)
        shown = [
            *columns("document"),
            *columns("α_of_labels=alpha", digits=3),
            *columns("segments same_label=same pairs"),
        ]
        words = [
            "Krippendorff's α (nominal) over the labels of segments that two coders or more have "
            "with the same start and end; same label: pairs of coders who gave a segment the same "
            "label",
            f"interval: {self.ci.method}",
        ]
        return Table(shown, rows, words, "Agreement on labels", warnings=self.warnings)

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
        return Table(
            shown, rows, words, "Labels given to the same segments",
            for_machines=Table(columns("label other pairs"), listed),
        )  # fmt: skip


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
    rated = {name: _rated(segments) for name, segments in given.items()}
    counts = [_counted(name, items) for name, items in rated.items()]
    ci = _interval(rated, labels, level, n_resamples, seed_of(rng))
    every = [segment for items in rated.values() for segment in items]
    return LabelReliability(
        ci, tuple(count for count in counts if count.n_segments), _counted("all", every), use,
        _confused(every), tuple(_sharing_none(use)), tuple(_suggestions(use, every)),
    )  # fmt: skip


def _labelled(document: Document, coder: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The segments of a coder that have a label."""
    coding = document[coder]
    ends = [0, *coding.boundaries.tolist(), coding.n_units]
    for start, end, label in zip(ends, ends[1:], coding.segment_labels or (), strict=False):
        if label is not None:
            yield (start, end), _text(label)


def _text(label: SegmentLabel) -> str:
    return label if isinstance(label, str) else " + ".join(sorted(label or ()))


def _rated(segments: Given) -> list[Mapping[str, str]]:
    """The labels of the segments that two coders or more labelled."""
    return [segment for segment in segments.values() if len(segment) > 1]


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
    given: Mapping[str, Sequence[Mapping[str, str]]],
    labels: Sequence[str],
    level: float,
    n_resamples: int,
    seed: int,
) -> Interval:
    """The interval over documents with agreed segments; none if there are too few documents or too
    many labels."""
    held = {name: items for name, items in given.items() if items}
    why = ""
    if len(held) < TOO_FEW_DOCUMENTS:
        why = f"no interval: {len(held)} documents have segments that two coders labelled"
    elif len(labels) >= _WIDEST:
        why = f"no interval: {len(labels)} labels are too many to resample"
    if why:
        return Interval(float("nan"), float("nan"), level, why)
    rows = np.array([_sums(items, labels) for items in held.values()])
    return bootstrap_interval(
        rows, _alpha, level=level, n_resamples=n_resamples, seed=seed, lots=Lots.of(list(held))
    )


def _confused(items: Iterable[Mapping[str, str]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for item in items:
        for label, other in combinations(item.values(), 2):
            found[min(label, other), max(label, other)] += 1
    return found


# ---- one label in two spellings ----


def _sharing_none(use: Mapping[str, Counter[str]]) -> Iterator[SharesNone]:
    if not _are_few(use):
        return
    for coder, others in _of_others(use):
        theirs = use[coder]
        if others and not theirs.keys() & others.keys():
            names = (
                tuple(label for label, _ in counts.most_common()) for counts in (theirs, others)
            )
            yield SharesNone(coder, *names)


def _suggestions(
    use: Mapping[str, Counter[str]], items: Sequence[Mapping[str, str]]
) -> Iterator[LabelSuggestion]:
    """Labels that probably mean the same. Free titles are left out, because each title is
    different."""
    if _are_few(use):
        yield from _other_spellings(use)
        yield from _on_the_same(use, items)


def _are_few(use: Mapping[str, Counter[str]]) -> bool:
    return max(len(use), len(set[str]().union(*use.values()))) <= MOST_COMPARED


def _of_others(use: Mapping[str, Counter[str]]) -> Iterator[tuple[str, Counter[str]]]:
    """Each coder, with how often all other coders give each label."""
    total = Counter[str]()
    for theirs in use.values():
        total.update(theirs)
    for coder, theirs in use.items():
        yield coder, total - theirs


def _other_spellings(use: Mapping[str, Counter[str]]) -> Iterator[LabelSuggestion]:
    """Labels that only one coder uses and that are spelled like a label of others."""
    for coder, others in _of_others(use):
        theirs = use[coder]
        known: dict[str, str] = {}
        for label, _ in others.most_common():
            known.setdefault(folded_label(label), label)
        for label in sorted(theirs.keys() - others.keys()):
            near = get_close_matches(folded_label(label), list(known), 1, ALIKE)
            if near and _is_rarer(label, known[near[0]], theirs, others):
                yield LabelSuggestion(coder, label, known[near[0]])


def _is_rarer(label: str, other: str, theirs: Counter[str], others: Counter[str]) -> bool:
    """Whether the other spelling is the more frequent one; if both are as frequent, the first
    counts."""
    return (others[other], label) > (theirs[label], other)


def _on_the_same(
    use: Mapping[str, Counter[str]], items: Sequence[Mapping[str, str]]
) -> Iterator[LabelSuggestion]:
    """Labels that (nearly) only one coder uses: the label that others give to most of these
    segments, if that coder (nearly) never uses it and the spelling has not found it. If each of two
    coders has a label alone, the rarer label is to be renamed."""
    givers = Counter(label for theirs in use.values() for label in theirs)
    everyone = dict(_of_others(use))
    for (coder, label), met in sorted(_met(items).items()):
        theirs, others = use[coder], everyone[coder]
        (instead, number), *_ = met.most_common(1)
        if (
            number >= FEWEST
            and 2 * number > met.total()
            and max(others[label], theirs[instead]) <= NEARLY_NEVER * theirs[label]
            and (givers[instead], others[instead], label) > (1, theirs[label], instead)
            and not _spelt_alike(label, others)
        ):
            yield LabelSuggestion(coder, label, instead, "segments")


def _met(items: Iterable[Mapping[str, str]]) -> dict[tuple[str, str], Counter[str]]:
    """The labels that others give to the same segments, by coder and label."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for item in items:
        for coder, label in item.items():
            found[coder, label].update(other for name, other in item.items() if name != coder)
    return found


def _spelt_alike(label: str, others: Iterable[str]) -> bool:
    known = {folded_label(other) for other in others if other != label}
    return bool(get_close_matches(folded_label(label), list(known), 1, ALIKE))


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
        shown = [*columns("unit"), *columns("similarity", digits=3)]
        rows = list(enumerate(self.per_unit.tolist(), start=1))
        return Table(shown, rows, [words], "Similarity of labels (Jaccard)")


def labels_table(corpus: Corpus, reliability: LabelReliability) -> Table:
    """The similarity of coders' labels and their α, by document and for all documents."""
    found = {
        name: label_similarity(document)
        for name, document in corpus.items()
        if len(document.labels) > 1
    }
    if not found:
        raise SegmentationError("no document has labels by two coders: expected one or more")
    parts = {part.name: part for part in reliability.documents}
    rows = [
        [name, Cell(one.mean, error=one.sd), one.n,
         Cell(parts[name].alpha if name in parts else math.nan),
         parts[name].n_segments if name in parts else 0]
        for name, one in found.items()
    ]  # fmt: skip
    mean, sd, n = _together(list(found.values()))
    alpha = Cell(reliability.alpha, low=reliability.ci.low, high=reliability.ci.high)
    rows.append(["all", Cell(mean, error=sd), n, alpha, reliability.whole.n_segments])
    shown = [
        *columns("document"),
        *columns("similarity=mean", error="sd", digits=3),
        *columns("n"),
        *columns("α=alpha", digits=3),
        *columns("segments"),
    ]
    words = [
        "similarity: Jaccard's of labels, mean ± standard deviation over units and pairs of coders "
        "(n), whatever their boundaries are",
        "α: Krippendorff's, of labels that coders gave to segments with the same start and end "
        f"(segments); {reliability.ci.method}",
    ]
    return Table(shown, rows, words, "Agreement on labels", warnings=reliability.warnings)


def _together(found: Sequence[LabelSimilarity]) -> tuple[float, float, int]:
    """The mean and sd over the units of all documents, and their number."""
    known = [one for one in found if one.n]
    n = sum(one.n for one in known)
    if not n:
        return math.nan, math.nan, 0
    mean = sum(one.mean * one.n for one in known) / n
    squares = sum((one.sd**2 + one.mean**2) * one.n for one in known) / n
    return mean, math.sqrt(max(0.0, squares - mean**2)), n


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
    chosen = (
        [label for label in document.labels if label in people] if coders is None else list(coders)
    )
    for name in chosen:
        if name not in document.labels:
            raise SegmentationError(
                f"document {document.name!r}: coder {name!r} gave no labels: expected one of "
                + (", ".join(map(repr, document.labels)) or "none; the document has no labels")
            )
    if len(chosen) < 2:
        raise SegmentationError(
            f"document {document.name!r}: {len(chosen)} coders with labels: expected two or more"
        )
    values = np.array([
        jaccard(document, first, second) for first, second in combinations(chosen, 2)
    ])  # fmt: skip
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
        [labels for labels, mass in zip(document.labels[c], document[c].masses, strict=True)
         for _ in range(mass)]
        for c in (first, second)
    )  # fmt: skip
    return np.array(
        [len(a & b) / len(a | b) if a | b else math.nan for a, b in zip(left, right, strict=True)]
    )
