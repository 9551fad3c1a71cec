"""Agreement of the labels of both sides: unit by unit, or as a sequence (`LabelEdit`).

All kinds of `LabelAgreement` start from the contingency table: C[a, b] is the number of units with
label a in the reference and b in the hypothesis. It comes from the pieces into which the boundaries
of both sides cut the text; no step goes over units.

- `pairwise`: of the pairs of units with the same label on one side, the share that has the same
  label on the other, too (Levy & Sandler 2008; mir_eval.segment.pairwise).
- `nce`: conditional entropies, normalised by those of labels at random (Lukashevich 2008;
  mir_eval.segment.nce). `v`: normalised by the entropies of the labels, the V-measure (Rosenberg &
  Hirschberg 2007; scikit-learn's v_measure_score on units; mir_eval.segment.vmeasure).
- `accuracy`: the share of units with the same label (mean over frames, MoF, of action
  segmentation). `mapped-accuracy`: the same after the best one-to-one mapping of labels, by which
  as many units as possible get the same label (Kuhn 1955, by scipy.optimize.linear_sum_assignment).

Fixed choices. One label on both sides: 1 (mir_eval: 0). One label on one side only: that side's own
part is 1, the other 0, F 0, for `nce`, too. A side on which no label covers two units has no
pairwise part. Entropies need a label for each unit; elsewhere a unit without one matches nothing.

Labels of both sides have one vocabulary, `Pairs.label_names`. All metrics of labelled segments take
at most one label per segment; a segment with several labels is an error.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import segment_labels, sums
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown
from segscore.errors import SegmentationError, named
from segscore.metrics.base import Metric, f_of_rates, ratio
from segscore.pairing.pairs import Pairs

Kind = Literal["pairwise", "nce", "v", "accuracy", "mapped-accuracy"]
Scope = Literal["corpus", "document"]

KIND_NAMES: dict[Kind, str] = {
    "pairwise": "pairwise-f",
    "nce": "nce",
    "v": "v-measure",
    "accuracy": "mof",
    "mapped-accuracy": "mapped-mof",
}
_ENTROPY_QUOTIENTS = {"over": (0, 3), "under": (1, 3)}
_QUOTIENTS: dict[Kind, dict[str, tuple[int, int]]] = {
    "pairwise": {"precision": (0, 2), "recall": (0, 1)},
    "nce": _ENTROPY_QUOTIENTS,
    "v": _ENTROPY_QUOTIENTS,
}
Codes = NDArray[np.int32]  # one per segment
NO_LABEL, IGNORED = -1, -2  # as kernels know them
_MOST_CELLS = 2**26  # of all documents' tables together: half a gigabyte


# Contingency tables of all documents, cell by cell: document, label in ref, label in hyp, units.
LabelTable = tuple[Int64Array, Int64Array, Int64Array, Int64Array]


@dataclass(frozen=True)
class LabelAgreement(Metric):
    """Agreement of labels, unit by unit, by one of five definitions (see the module's docstring).

    `pairwise` adds counts over documents, `accuracy` units. `nce` and `v` are not ratios of sums:
    their statistics are the value and 1, so that the micro-average is the macro-average. The
    statistics of `mapped-accuracy` are the table of labels, so that the micro-average maps labels
    once, over the whole corpus, and the macro-average in each document. Parts: `precision` and
    `recall` (pairwise), `over` and `under` (nce, v). Undefined if one side has no labels. Higher is
    better.

    Parameters
    ----------
    kind: "pairwise", "nce", "v", "accuracy" or "mapped-accuracy"; on the command line each has a
        name of its own: pairwise-f, nce, v-measure, mof, mapped-mof.
    scope: where `mapped-accuracy` maps labels: once over the "corpus", or in each "document".

    >>> from segscore import Segmentation
    >>> ref = Segmentation.from_masses([4, 4, 2], segment_labels=["a", "b", "a"])
    >>> hyp = Segmentation.from_masses([5, 3, 2], segment_labels=["x", "y", "x"])
    >>> score = LabelAgreement()(ref, hyp)
    >>> round(score, 4), round(score.precision, 4), round(score.recall, 4)
    (0.8, 0.75, 0.8571)
    >>> LabelAgreement("accuracy")(ref, hyp), LabelAgreement("mapped-accuracy")(ref, hyp)
    (0.0, 0.9)
    """

    name = "pairwise-f"  # of an object: that of its kind
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    symmetric = True
    uses_labels = True

    kind: Kind = "pairwise"
    scope: Scope = "corpus"

    def __post_init__(self) -> None:
        check_choice(self.kind, "kind", tuple(KIND_NAMES))
        check_choice(self.scope, "scope", ("corpus", "document"))
        if self.kind != "mapped-accuracy" and self.scope != "corpus":
            raise SegmentationError(
                f"scope is {self.scope!r} and kind {self.kind!r}: expected kind='mapped-accuracy', "
                "the only kind that maps labels"
            )
        object.__setattr__(self, "name", KIND_NAMES[self.kind])
        is_table = self.kind == "mapped-accuracy" and self.scope == "corpus"
        object.__setattr__(self, "batch_bound", is_table)
        object.__setattr__(self, "quotients", _QUOTIENTS.get(self.kind, {}))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The name of each column; a table of labels has no names, and its width depends on the
        batch."""
        if self.kind == "pairwise":
            return "same_in_both", "same_in_ref", "same_in_hyp"
        if self.kind in ("nce", "v"):
            return "over_sum", "under_sum", "f_sum", "documents"
        return () if self.batch_bound else ("same", "units")

    # ---- statistics ----

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        codes = [label_codes(pairs, side, self.name) for side in ("ref", "hyp")]
        if self.kind != "mapped-accuracy" and not all(code.size for code in codes):
            return np.zeros((len(pairs), len(self.statistic_names)))  # a side has no labels at all
        if self.kind == "pairwise":
            return pairs.rows(segment_labels.label_pairs, 3, *codes, threads=threads)
        if self.kind in ("nce", "v"):
            return self._entropies(pairs, codes, threads)
        if self.kind == "accuracy":
            return pairs.rows(segment_labels.label_units, 2, *codes, threads=threads)
        usable = ~unlabelled(pairs, self.name)
        table = _table(pairs, codes, usable, threads)
        if self.batch_bound:
            return self._flattened(pairs, table)
        mapped = mapped_shares(len(pairs), *_labelled_cells(table))
        return np.column_stack([mapped, pairs.n_units * usable])

    def _unusable(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Whether each document has a side without labels; for entropies, a segment without a
        label."""
        bad = unlabelled(pairs, self.name)
        if self.kind in ("nce", "v"):
            for side in ("ref", "hyp"):
                segments = np.diff(segment_starts(pairs, side))
                codes = label_codes(pairs, side, self.name)
                bad |= labelled_segments(pairs, side, codes) < segments
        return bad

    def _entropies(self, pairs: Pairs, codes: list[Codes], threads: int | None) -> Floats:
        """(over, under, F, 1) of each document; zeros where it has no value."""
        starts = [segment_starts(pairs, side) for side in ("ref", "hyp")]
        offsets = [pairs.ref_offsets + starts[1], *starts]  # of pieces, and of segments
        shares = [np.ones(int(offset[-1])) for offset in offsets]
        counts = pairs.rows(segment_labels.label_shares, 2, *codes, *shares, threads=threads)
        joint, of_ref, of_hyp = map(_bits, offsets, shares)
        n_ref, n_hyp = counts.T
        normal_ref, normal_hyp = of_ref, of_hyp
        if self.kind == "nce":
            normal_ref, normal_hyp = np.log2(np.maximum(n_ref, 1)), np.log2(np.maximum(n_hyp, 1))
        over = 1 - np.nan_to_num(ratio(joint - of_ref, normal_hyp))
        under = 1 - np.nan_to_num(ratio(joint - of_hyp, normal_ref))
        over, under = np.clip(over, 0, 1), np.clip(under, 0, 1)
        over = np.where((n_ref == 1) & (n_hyp > 1), 0.0, over)
        under = np.where((n_hyp == 1) & (n_ref > 1), 0.0, under)
        defined = (n_ref > 0).astype(np.float64)
        columns = np.column_stack([over, under, f_of_rates(over, under), np.ones(len(pairs))])
        rows: Floats = columns * defined[:, np.newaxis]
        return rows

    def _flattened(self, pairs: Pairs, table: LabelTable) -> Floats:
        """Each document's table of labels in a row; its first cell counts all units."""
        width = len(pairs.label_names)
        if len(pairs) * (width * width + 1) > _MOST_CELLS:
            raise SegmentationError(
                f"{self.name} needs a table of {width} × {width} labels for each of {len(pairs)} "
                f"documents: expected at most {_MOST_CELLS} cells in all; scope='document' maps "
                "labels in each document and needs no tables"
            )
        rows = np.zeros((len(pairs), width * width + 1))
        rows[:, 0] = pairs.n_units * ~unlabelled(pairs, self.name)
        row, ref, hyp, units = _labelled_cells(table)
        rows[row, 1 + ref * width + hyp] = units
        return rows

    # ---- values ----

    def values(self, rows: Floats) -> Floats:
        """The value of each row."""
        if self.kind == "pairwise":
            return ratio(2 * rows[:, 0], rows[:, 1] + rows[:, 2])
        if self.kind in ("nce", "v"):
            return ratio(rows[:, 2], rows[:, 3])
        if self.batch_bound:
            return ratio(best_mapped(rows[:, 1:]), rows[:, 0])
        return ratio(rows[:, 0], rows[:, 1])

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """The two parts whose harmonic mean is the value, and the statistics."""
        return {} if self.batch_bound else super().part_values(rows)

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether the labels of each document do not allow a value. Among other documents, a
        document in which no label covers two units is not an error."""
        missing = np.isnan(values)
        return missing & self._unusable(pairs) if missing.any() else missing

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: no labels, or too few."""
        reason = without_labels(pairs, row)
        if not reason and self.kind in ("nce", "v"):
            return "a segment has no label, and entropies need one for each unit"
        return reason or "no label covers two units on either side"

    # ---- texts ----

    def signature_fields(self) -> dict[str, Any]:
        """The fields: scope if labels are mapped; the kind is in the name."""
        return {"scope": self.scope} if self.kind == "mapped-accuracy" else {}

    def plain(self) -> "LabelAgreement":
        """The metric of this kind without parameters."""
        return replace(self, scope="corpus")


@dataclass(frozen=True)
class LabelEdit(Metric):
    """1 − Levenshtein distance of the labels of both sides' segments / the larger number of them.

    This is the "edit score" of temporal action segmentation (Lea et al. 2016), which compares the
    order of labels and ignores their positions. A segment without a label equals no other.
    Neighbouring segments with the same label remain separate. The statistics are the value and 1,
    so that the micro-average is the macro-average. Undefined if one side has no labels. Higher is
    better.

    Parameters
    ----------
    ignore: labels such as "background" whose segments are left out, on either side.

    >>> from segscore import Segmentation
    >>> ref = Segmentation.from_masses([4, 6, 2], segment_labels=["pour", "stir", "drink"])
    >>> hyp = Segmentation.from_masses([5, 7], segment_labels=["pour", "drink"])
    >>> round(LabelEdit()(ref, hyp), 4), LabelEdit(ignore=("stir",))(ref, hyp)
    (0.6667, 1.0)
    """

    name = "label-edit"
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    symmetric = True
    uses_labels = True
    # The value of a document, and 1 if it has one.
    statistic_names: ClassVar[tuple[str, ...]] = ("similarity", "documents")

    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignore", checked_ignore(self.ignore))

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        codes = [label_codes(pairs, side, self.name, self.ignore) for side in ("ref", "hyp")]
        if not (codes[0].size and codes[1].size):
            return np.zeros((len(pairs), 2))
        edits, n_ref, n_hyp = pairs.rows(segment_labels.label_edit, 3, *codes, threads=threads).T
        values = 1 - ratio(edits, np.maximum(n_ref, n_hyp))
        values[unlabelled(pairs, self.name)] = np.nan
        return np.column_stack([np.nan_to_num(values), ~np.isnan(values)])

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether one side of each document has no labels."""
        del values
        return unlabelled(pairs, self.name)

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: no labels, or no segment that counts."""
        return without_labels(pairs, row) or "neither side has a segment that counts"


# ---- a code for the label of each segment ----


def checked_ignore(ignore: Any) -> tuple[str, ...]:
    """The labels to leave out, sorted, each once."""
    names = [ignore] if isinstance(ignore, str) else ignore
    if not isinstance(names, list | tuple | set | frozenset) or not all(
        isinstance(name, str) and name for name in names
    ):
        raise SegmentationError(
            f"ignore is {shown(ignore)}: expected labels, for instance ('background',)"
        )
    return tuple(sorted(set(names)))


def label_codes(pairs: Pairs, side: str, metric: str, ignore: tuple[str, ...] = ()) -> Codes:
    """The code of each segment's label, row after row; empty if this side has no labels at all.

    `side` is "ref" or "hyp", `metric` the name of the metric, for messages.
    """
    labels = getattr(pairs, f"{side}_labels")
    if labels is None:
        return np.empty(0, np.int32)
    counts = np.diff(labels.offsets)
    if counts.size and counts.max() > 1:
        _refuse_several(pairs, side, metric, int(np.argmax(counts > 1)))
    codes: Codes = np.full(len(counts), NO_LABEL, np.int32)
    codes[... if len(labels.values) == len(counts) else counts == 1] = labels.values
    left_out = [code for code, name in enumerate(pairs.label_names) if name in ignore]
    if left_out:
        codes[np.isin(codes, left_out)] = IGNORED
    return codes


def _refuse_several(pairs: Pairs, side: str, metric: str, segment: int) -> None:
    labels, starts = getattr(pairs, f"{side}_labels"), segment_starts(pairs, side)
    row = int(np.searchsorted(starts, segment, side="right")) - 1
    codes = labels.values[labels.offsets[segment] : labels.offsets[segment + 1]]
    side_name = "reference" if side == "ref" else "hypothesis"
    raise SegmentationError(
        f"{pairs.name(row)}: segment {segment - starts[row] + 1} of the {side_name} has the labels "
        f"{named(pairs.label_names[code] for code in codes)}: {metric} takes one label per "
        "segment"
    )


def segment_starts(pairs: Pairs, side: str) -> Int64Array:
    """Where the segments of each row start among all segments, and their number at the end."""
    offsets: Int64Array = getattr(pairs, f"{side}_offsets")
    return offsets + np.arange(len(offsets))


def labelled_segments(pairs: Pairs, side: str, codes: Codes) -> Int64Array:
    """The number of segments of each row that have a label, including ignored labels."""
    if not codes.size:
        return np.zeros(len(pairs), np.int64)
    sums = np.concatenate(([0], np.cumsum(codes != NO_LABEL)))
    found: Int64Array = np.diff(sums[segment_starts(pairs, side)])
    return found


def share_hardly_any(pairs: Pairs, ref: Codes, hyp: Codes) -> bool:
    """Whether both sides have several labels and share at most a quarter of those of the side with
    fewer: free titles, not names from a list."""
    known = np.zeros((2, len(pairs.label_names)), np.bool_)
    for side, codes in zip(known, (ref, hyp), strict=True):
        side[codes[codes >= 0]] = True
    fewer = int(known.sum(axis=1).min())
    return fewer >= 2 and 4 * int(known.all(axis=0).sum()) <= fewer


def unlabelled(pairs: Pairs, metric: str) -> NDArray[np.bool_]:
    """Whether each document has a side without any label."""
    ref, hyp = (
        labelled_segments(pairs, side, label_codes(pairs, side, metric)) for side in ("ref", "hyp")
    )
    found: NDArray[np.bool_] = np.minimum(ref, hyp) == 0
    return found


def without_labels(pairs: Pairs, row: int) -> str:
    """The reason why a document has no value if one side has no labels; otherwise nothing."""
    sides = (("reference", pairs.reference(row)), ("hypothesis", pairs.hypothesis(row)))
    for side_name, coding in sides:
        if not any(coding.segment_labels or ()):
            return f"the {side_name} has no segment labels (segment_labels=[…])"
    return ""


# ---- contingency tables ----


def _table(
    pairs: Pairs, codes: list[Codes], usable: NDArray[np.bool_], threads: int | None
) -> LabelTable:
    """The non-zero cells of the tables of all usable documents."""
    if not usable.any():
        nothing = np.empty(0, np.int64)
        return nothing, nothing, nothing, nothing
    n_pieces = len(pairs.ref_positions) + len(pairs.hyp_positions) + len(pairs)
    pieces = np.zeros((n_pieces, 3), np.int64)
    pairs.rows(segment_labels.label_pieces, 1, *codes, pieces, threads=threads)
    starts = pairs.ref_offsets + pairs.hyp_offsets + np.arange(len(pairs) + 1)
    row = np.repeat(np.arange(len(pairs)), np.diff(starts))
    kept = (pieces[:, 0] > 0) & usable[row]
    width = len(pairs.label_names) + 1  # with one for no label, which is -1
    # numbered before the second label is added: keys stay within 64 bits for any number of labels
    ref_keys, number = np.unique(row[kept] * width + pieces[kept, 1] + 1, return_inverse=True)
    keys, units = _grouped(number * width + pieces[kept, 2] + 1, pieces[kept, 0])
    ref = ref_keys[keys // width]
    return ref // width, ref % width - 1, keys % width - 1, units


def _grouped(keys: Int64Array, units: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The distinct keys in order, and the exact sum of units of each."""
    order = np.argsort(keys, kind="stable")
    keys, units = keys[order], units[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)])
    return keys[first], np.add.reduceat(units, first) if len(first) else units


def _labelled_cells(table: LabelTable) -> LabelTable:
    row, ref, hyp, units = table
    given = (ref >= 0) & (hyp >= 0)
    return row[given], ref[given], hyp[given], units[given]


def _bits(offsets: Int64Array, shares: Floats) -> Floats:
    """The entropy of each document's shares, in bits. Shares of 1 add nothing."""
    terms = np.log2(shares)
    np.multiply(np.negative(shares, out=shares), terms, out=terms)
    entropies = np.empty(len(offsets) - 1)
    sums.slice_sums(offsets, terms, entropies)
    return entropies


# ---- the best mapping of labels ----


def best_mapped(tables: Floats) -> Floats:
    """The number of units that agree after the best mapping; each row is a flattened square
    table."""
    width = math.isqrt(tables.shape[1])
    return np.array([_best(row.reshape(width, width)) for row in tables], np.float64)


def mapped_shares(
    n: int, row: Int64Array, ref: Int64Array, hyp: Int64Array, units: Int64Array
) -> Floats:
    """The `best_mapped` shares of n documents whose tables are given cell by cell, in document
    order."""
    out = np.zeros(n)
    ends = np.searchsorted(row, np.arange(n + 1))
    for document in np.unique(row).tolist():
        cells = slice(ends[document], ends[document + 1])
        a, b = (np.unique(side[cells], return_inverse=True) for side in (ref, hyp))
        table = np.zeros((len(a[0]), len(b[0])))
        table[a[1], b[1]] = units[cells]
        out[document] = _best(table)
    return out


def _best(table: Floats) -> float:
    from scipy.optimize import linear_sum_assignment  # type: ignore[attr-defined]  # it does

    used = table[table.any(axis=1)][:, table.any(axis=0)]
    if not used.size:
        return 0.0
    return float(used[linear_sum_assignment(used, maximize=True)].sum())
