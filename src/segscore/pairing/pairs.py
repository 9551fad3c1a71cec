"""Pairs: a batch of reference and hypothesis segmentations in columns.

The boundaries of all documents are in one array, document after document; `offsets[i]` to
`offsets[i+1]` are those of row i (as in an Arrow list array). Everything is validated here, once,
so that kernels can trust their input. Hence Pairs own their columns: read-only copies. Only arrays
over `bytes`, which nothing can change, are not copied. Memory that others may write to (NumPy,
Arrow, mmap) is copied, which takes one pass over it.

With `groups` a document may have several references: document i owns the reference rows
`groups[i]` to `groups[i+1]`. Types, ranks, candidates and segment labels are optional columns;
metrics that do not use them ignore them. A row has one segment more than boundaries, so that the
segments of row i are those from `offsets[i] + i` on.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from segscore._kernels import one_pass
from segscore.basics.arguments import (
    LARGEST,
    Floats,
    Int64Array,
    SupportsArray,
    Unchanging,
    first_twice,
    shown,
)
from segscore.basics.threads import cores, run_in_threads
from segscore.coding.levels import levels_from_codes
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.corpus import PLAIN, Codings, Provenance
from segscore.corpus.lists import Lists, pair_columns, picked_lists
from segscore.errors import SegmentationError, named
from segscore.pairing.inputs import NOTHING, PathLike, Reader, corpus_of
from segscore.pairing.pair_columns import (
    LEVEL_COLUMNS,
    SIDE,
    Positions,
    both_sides,
    checked_offsets,
    checked_side,
    integer_column,
    owned_array,
)
from segscore.pairing.pairing import Paired, paired
from segscore.pairing.rules import (
    COUNTED,
    DEFAULT_RULES,
    Encoding,
    Failures,
    Mask,
    Missing,
    PairingRules,
)

Reference = Segmentation | Sequence[Segmentation]
Kernel = Callable[..., None]

# Documents and boundaries that are worth a thread: of steps, which take some 0.5 ms for them, as
# long as several threads take to start; of other kernels, which are slower.
_WORTH_A_THREAD = 100_000
_WORTH_A_THREAD_ELSEWHERE = 25_000
_MOST_THREADS = 1024


_ABSENT = {"type_names": (), "label_names": ()}


class Step(NamedTuple):
    """What a metric needs from each document in a pass that several metrics share: its `kind` in
    `_kernels.one_pass`, the number of statistics, and the parameters of that kind."""

    kind: str
    n_statistics: int
    parameters: tuple[Any, ...] = ()


class Pairs(Unchanging):
    """A batch of segmentations to score, validated once.

    Parameters
    ----------
    n_units: the number of units of each document.
    ref_offsets, ref_positions, hyp_offsets, hyp_positions: boundaries of all documents, ascending
        within each; integer arrays (32-bit positions are kept).
    documents: distinct names for messages and tables; by default the index.
    groups: offsets into the reference rows, if documents have several references.
    ref_types, hyp_types: a list of type codes per boundary (empty: untyped); a code is an index
        into `type_names`.
    ref_ranks, hyp_ranks: a rank per boundary.
    ref_candidates, hyp_candidates: a list of positions per row; an empty list means all.
    ref_labels, hyp_labels: a list of label codes per segment, row after row (empty: no label); a
        code is an index into `label_names`.
    ref_levels, hyp_levels: (offsets, segments, labels) of documents with levels
        (`segscore.coding.levels`): for each row, region after region, a code per level.
    provenance: how units were formed, for signatures and for parameters in time.
    skipped: names of documents that were left out because one side does not have them.
    failures: the documents without a hypothesis, and how they count.

    >>> pairs = Pairs([11, 4], [0, 2, 3], [2, 5, 2], [0, 1, 1], [5])
    >>> len(pairs), pairs.reference(0), pairs.hypothesis(1)
    (2, Segmentation(masses=[2, 3, 6]), Segmentation(masses=[4]))
    """

    __slots__ = (
        *("names", "failures", "groups", "label_names", "n_units"),
        *("provenance", "skipped", "type_names"),
        *(f"{side}_{column}" for side in ("ref", "hyp") for column in SIDE),
    )
    n_units: Int64Array
    groups: Int64Array | None
    ref_offsets: Int64Array
    ref_positions: Positions
    hyp_offsets: Int64Array
    hyp_positions: Positions
    type_names: tuple[BoundaryType, ...]
    label_names: tuple[str, ...]
    provenance: Provenance
    skipped: tuple[str, ...]
    failures: Failures | None
    names: tuple[str, ...] | None
    ref_types: Lists | None
    hyp_types: Lists | None
    ref_ranks: Int64Array | None
    hyp_ranks: Int64Array | None
    ref_candidates: Lists | None
    hyp_candidates: Lists | None
    ref_labels: Lists | None
    hyp_labels: Lists | None
    ref_levels: Lists | None
    hyp_levels: Lists | None
    ref_level_labels: Lists | None
    hyp_level_labels: Lists | None

    def __init__(
        self,
        n_units: Any,
        ref_offsets: Any,
        ref_positions: Any,
        hyp_offsets: Any,
        hyp_positions: Any,
        documents: Sequence[str] | None = None,
        *,
        groups: Any = None,
        ref_types: tuple[Any, Any] | None = None,
        hyp_types: tuple[Any, Any] | None = None,
        type_names: Sequence[BoundaryType] = (),
        ref_ranks: Any = None,
        hyp_ranks: Any = None,
        ref_candidates: tuple[Any, Any] | None = None,
        hyp_candidates: tuple[Any, Any] | None = None,
        ref_labels: tuple[Any, Any] | None = None,
        hyp_labels: tuple[Any, Any] | None = None,
        label_names: Sequence[str] = (),
        ref_levels: tuple[Any, Any, Any] | None = None,
        hyp_levels: tuple[Any, Any, Any] | None = None,
        provenance: Provenance = PLAIN,
        skipped: Sequence[str] = (),
        failures: Failures | None = None,
    ) -> None:
        units: Int64Array = integer_column(n_units, "n_units")
        if units.size and not 1 <= units.min() <= units.max() <= LARGEST:
            row = int(np.flatnonzero((units < 1) | (units > LARGEST))[0])
            raise SegmentationError(f"n_units[{row}] is {units[row]}: expected 1 … 2**53 units")
        if documents is not None and len(documents) != len(units):
            raise SegmentationError(
                f"documents has {len(documents)} names: expected {len(units)}, as many as n_units"
            )
        check_distinct(documents)
        ref_units = units
        if groups is not None:
            groups = checked_offsets(groups, "groups", len(units))
            counts = np.diff(groups)
            if counts.size and counts.min() < 1:
                row = int(np.argmin(counts))
                raise SegmentationError(
                    f"{_called(documents, row)} has no reference: expected at least one"
                )
            # before memory is taken for them
            ref_offsets = checked_offsets(ref_offsets, "ref_offsets", int(groups[-1]))
            ref_units = np.repeat(units, counts)

        called = partial(_called, documents)

        def called_by_reference(row: int) -> str:
            return called(row if groups is None else int(np.searchsorted(groups[1:], row, "right")))

        given = {getattr(each, "dtype", None) for each in (ref_positions, hyp_positions)}
        dtype = np.int32 if given == {np.dtype(np.int32)} else np.int64
        names = {"type_names": tuple(type_names), "label_names": tuple(label_names)}
        n_names = len(type_names), len(label_names)
        places = ref_offsets, ref_positions, dtype
        details = ref_types, ref_ranks, ref_candidates, ref_labels, ref_levels
        columns = checked_side("ref", ref_units, places, details, n_names, called_by_reference)
        places = hyp_offsets, hyp_positions, dtype
        details = hyp_types, hyp_ranks, hyp_candidates, hyp_labels, hyp_levels
        columns |= checked_side("hyp", units, places, details, n_names, called) | names
        columns |= {"n_units": units, "groups": groups, "documents": documents}
        made = self.trusted(provenance=provenance, skipped=skipped, failures=failures, **columns)
        self._put(**{name: getattr(made, name) for name in self.__slots__})

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Copy the arrays of a pickle or a deep copy, because they are writable."""
        values = dict(state[1])
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                values[name] = owned_array(value)
            elif isinstance(value, Lists):
                values[name] = Lists(*map(owned_array, value))
        self._put(**values)

    def _put(self, **values: Any) -> None:
        if hasattr(self, "n_units"):
            raise AttributeError("Pairs do not change once they are made")
        super()._put(**values)

    # ---- from segmentations ----

    @classmethod
    def from_segmentations(
        cls,
        refs: Sequence[Reference] | Mapping[str, Reference],
        hyps: Sequence[Segmentation] | Mapping[str, Segmentation],
        documents: Sequence[str] | None = None,
        *,
        missing: Missing = "error",
        provenance: Provenance = PLAIN,
        skipped: Sequence[str] = (),
    ) -> Self:
        """Build pairs from two sequences in the same order, or two mappings with the same names, as
        `score` takes them. `documents` names those of sequences.

        A pandas Series is paired by its index, as a mapping by its keys. A reference may be a list
        of segmentations, for metrics that take many references. Documents that only one mapping has
        are an error; with `missing="skip"` they are left out, and `skipped` lists them. A missing
        hypothesis, or None, counts with `missing="none"` and `"worst"`.
        """
        made = pairs_of(*_by_name(refs, hyps, documents), rules=PairingRules(missing=missing))
        about = {name: getattr(made, name) for name in cls.__slots__}
        about["documents"] = about.pop("names")
        about["provenance"] = provenance.joined(made.provenance, "cannot pair these")
        return cls.trusted(**about | {"skipped": (*skipped, *made.skipped)})

    @classmethod
    def of(
        cls,
        refs: Sequence[Segmentation],
        hyps: Sequence[Segmentation],
        *,
        provenance: Provenance = PLAIN,
        **about: Any,
    ) -> Self:
        """Build pairs from segmentations in the same order, which have been checked; the references
        of document after document, if they are several (`groups`)."""
        lengths = {coding.unit_length for coding in (*refs, *hyps)}
        provenance = provenance.with_unit_lengths(lengths, "cannot score these together")
        return cls.trusted(**both_sides(refs, hyps), provenance=provenance, **about)

    @classmethod
    def trusted(
        cls,
        *,
        documents: Sequence[str] | None = None,
        provenance: Provenance = PLAIN,
        skipped: Sequence[str] = (),
        failures: Failures | None = None,
        **columns: Any,
    ) -> Self:
        """Build pairs from columns that segmentations, or tables of them, have: they were checked
        when these were made, and nobody writes to them."""
        made = cls.__new__(cls)
        if failures is not None:
            provenance = provenance.chosen("missing", failures.missing)
        about = {
            "provenance": provenance,
            "skipped": tuple(skipped),
            "failures": failures,
            "names": None if documents is None else tuple(documents),
        }
        for name in cls.__slots__:
            given = about[name] if name in about else columns.get(name, _ABSENT.get(name))
            object.__setattr__(made, name, given)
        return made

    @classmethod
    def of_one(cls, ref: Reference, hyp: Segmentation) -> Self:
        """A single pair that has been checked."""
        if isinstance(ref, Segmentation):
            return cls.of([ref], [hyp])
        return cls.of(ref, [hyp], groups=np.array([0, len(ref)]))

    @classmethod
    def of_codings(
        cls,
        reference: Codings,
        side: Codings,
        ref_rows: Int64Array | None = None,
        hyp_rows: Int64Array | None = None,
        **about: Any,
    ) -> Self:
        """Pair rows of two tables, by default all. Rows with details are used as segmentations."""
        both = (("ref", reference, ref_rows), ("hyp", side, hyp_rows))
        if reference.details or side.details:
            refs, hyps = (
                [*map(table.segmentation, range(len(table)) if rows is None else rows.tolist())]
                for _, table, rows in both
            )
            return cls.of(refs, hyps, **about)
        n_units = side.n_units if hyp_rows is None else side.n_units[hyp_rows]
        columns: dict[str, Any] = {"n_units": n_units}
        for name, table, rows in both:
            offsets, positions = table.offsets, table.positions
            if rows is not None:
                offsets, positions = picked_lists(offsets, positions, rows)
            columns |= {f"{name}_offsets": offsets, f"{name}_positions": positions}
        if reference.labels or side.labels:
            labels = (
                table.labels if rows is None else table.labels_of(rows) for _, table, rows in both
            )
            columns |= pair_columns(*labels)
        return cls.trusted(**columns, **about)

    @classmethod
    def of_paired(cls, paired: Paired) -> Self:
        """The pairs of a single system that has a single run."""
        ((system, (run,)),) = paired.systems.items()
        references, failures = paired.references, paired.failures.get(system)
        counted = failures is not None and failures.missing in COUNTED
        names = None
        if counted or not isinstance(references.documents, range):  # a plain sequence has no names
            names = list(map(str, references.documents))
            if names != references.documents:
                check_distinct(names)
        if failures is not None and counted:
            lost = [row for row, name in enumerate(names or ()) if name in failures.reasons]
            failures = replace(failures, rows=tuple(lost))
        left_out = () if counted else (*paired.without_hypothesis, *paired.without_reference)
        return cls.of_codings(
            references,
            run,
            groups=None if len(references) == len(run) else references.starts,
            documents=names,
            provenance=paired.provenance,
            skipped=tuple(map(str, left_out)),
            failures=failures,
        )

    # ---- from columns of lists ----

    @classmethod
    def from_arrow(
        cls,
        data: Any,
        *,
        reference: str,
        hypothesis: str,
        n_units: str | None = None,
        document: str | None = None,
        encoding: Encoding = "boundaries",
        ref_ranks: str | None = None,
        hyp_ranks: str | None = None,
        ref_labels: str | None = None,
        hyp_labels: str | None = None,
    ) -> Self:
        """Build pairs from the rows of a frame that exports Arrow: Polars, pyarrow, DuckDB, or
        pandas.

        reference, hypothesis: names of columns of lists, encoded as `encoding` says: `boundaries`
        (ascending positions; then `n_units` names the column with the number of units), `masses`,
        `labels-end`, `labels-start` or `gaps`.
        document: the column with distinct names.
        ref_ranks, hyp_ranks: columns with one rank per boundary.
        ref_labels, hyp_labels: columns with a list of texts, one label per segment; null is none.

        If `reference` and `hypothesis` hold lists of lists, these are the levels of a document,
        coarse to fine, and so are lists of lists of labels.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"ref": [[2, 3, 6], [4]], "hyp": [[5, 6], [4]]})
        >>> Pairs.from_arrow(frame, reference="ref", hypothesis="hyp", encoding="masses")
        Pairs(2 documents)
        """
        from segscore.pairing.arrow_reading import Layout, rows_from_arrow

        layout = Layout(
            *(reference, hypothesis, n_units, document, encoding),
            *(ref_ranks, hyp_ranks, ref_labels, hyp_labels),
        )
        (columns, trusted, _, _), names = rows_from_arrow(data, layout)
        return cls.of_rows(columns, trusted, names)

    @classmethod
    def of_rows(
        cls, columns: dict[str, Any], trusted: bool, documents: Sequence[str] | None = None
    ) -> Self:
        """Build pairs from rows of lists that were checked; foreign memory is copied."""
        return (cls.trusted if trusted else cls)(**columns, documents=documents)

    @classmethod
    def from_lists(
        cls,
        refs: Sequence[Any] | SupportsArray,
        hyps: Sequence[Any] | SupportsArray,
        n_units: Sequence[int] | SupportsArray | None = None,
        documents: Sequence[str] | None = None,
        *,
        encoding: Encoding = "boundaries",
    ) -> "Pairs":
        """Build pairs from lists of integers (or texts of 0 and 1), one per document, as in
        `from_arrow`.

        An array or a tensor with two dimensions has a row per document.

        >>> Pairs.from_lists([[2, 5], [2]], [[5], []], n_units=[11, 4])
        Pairs(2 documents)
        >>> Pairs.from_lists(["0100100000"], ["0000100000"], encoding="gaps").reference(0)
        Segmentation(masses=[2, 3, 6])
        """
        return pairs_of(*_by_name(refs, hyps, documents), encoding=encoding, n_units=n_units)

    # ---- reading ----

    def __repr__(self) -> str:
        return f"Pairs({len(self)} documents)"

    def __len__(self) -> int:
        return len(self.n_units)

    @property
    def documents(self) -> Sequence[str]:
        """The names of the documents; their indices if they have no names."""
        return [str(i) for i in range(len(self))] if self.names is None else self.names

    def name(self, row: int) -> str:
        """The name of a row's document in messages."""
        return _called(self.names, row)

    def hypothesis(self, row: int) -> Segmentation:
        """The hypothesis of a document, as a `Segmentation`."""
        return self._segmentation("hyp", row, int(self.n_units[row]))

    def reference(self, row: int) -> Segmentation:
        """The (first) reference of a document, as a `Segmentation`."""
        return self.references(row)[0]

    def references(self, row: int) -> list[Segmentation]:
        """All references of a document, as `Segmentation` objects."""
        first, last = (row, row + 1) if self.groups is None else self.groups[row : row + 2]
        n_units = int(self.n_units[row])
        return [self._segmentation("ref", ref, n_units) for ref in range(int(first), int(last))]

    def _segmentation(self, side: str, row: int, n_units: int) -> Segmentation:
        offsets, positions, types, ranks, candidates = (
            getattr(self, f"{side}_{column}")
            for column in ("offsets", "positions", "types", "ranks", "candidates")
        )
        first, last = int(offsets[row]), int(offsets[row + 1])
        if getattr(self, f"{side}_levels") is not None:
            codes = [getattr(self, f"{side}_{name}").at(row) for name in LEVEL_COLUMNS]
            places = positions[first:last].astype(np.int64)
            return levels_from_codes(places, n_units, codes[0], codes[1], self.label_names)
        places = None if candidates is None else candidates.at(row)
        named = None
        if types is not None and first < last and types.at(first).size:
            named = [{self.type_names[c] for c in types.at(i)} for i in range(first, last)]
        return Segmentation.from_boundaries(
            positions[first:last],
            n_units,
            types=named,
            ranks=None if ranks is None else ranks[first:last],
            candidates=None if places is None or not places.size else places,
            segment_labels=self._row_labels(side, row),
        )

    def _row_labels(self, side: str, row: int) -> list[set[str]] | None:
        """The labels of a row's segments; None if no segment has a label."""
        labels = getattr(self, f"{side}_labels")
        if labels is None:
            return None
        offsets = getattr(self, f"{side}_offsets")
        first, last = int(offsets[row]) + row, int(offsets[row + 1]) + row + 1
        if labels.offsets[first] == labels.offsets[last]:
            return None
        return [{self.label_names[code] for code in labels.at(i)} for i in range(first, last)]

    def masked(self, mask: Mask | Mapping[str, Mask]) -> "Pairs":
        """The pairs without masked parts: the same mask for all documents, or a mask by document
        name."""
        from segscore.pairing.masks import Cuts, without

        by_name = self.names is not None or isinstance(mask, Mapping)
        names: Sequence[Any] = self.documents if by_name else range(len(self))
        n_units = dict(zip(names, self.n_units.tolist(), strict=True))
        cuts = Cuts.of(mask, n_units, self.provenance, self.skipped)
        refs: list[Segmentation] = []
        hyps: list[Segmentation] = []
        for row, parts in enumerate(cuts.parts.values()):
            hyps.append(without(self.hypothesis(row), parts))
            refs += [without(reference, parts) for reference in self.references(row)]
        kept = {"documents": self.names, "groups": self.groups, "skipped": self.skipped}
        provenance = cuts.told(self.provenance)
        return Pairs.of(refs, hyps, provenance=provenance, failures=self.failures, **kept)

    # ---- running a kernel ----

    def rows(
        self, kernel: Kernel, n_statistics: int, *parameters: Any, threads: int | None = 1
    ) -> Floats:
        """Run a kernel over all documents, in slices on several threads, and return its rows.

        The kernel is called as `kernel(start, stop, n_units, ref_offsets, ref_positions,
        hyp_offsets, hyp_positions, *parameters, out, halt)` and fills rows start … stop of out.
        `halt` is a flag that stops it if it runs in another thread; without it the kernel checks
        for Ctrl-C itself.
        """
        out = np.zeros((len(self), n_statistics))
        self._run(kernel, *parameters, out, threads=threads)
        return out

    def rows_of_steps(self, steps: Sequence[Step], threads: int | None = 1) -> list[Floats]:
        """The rows of several steps; each document is read once."""
        widths, n_rows = [step.n_statistics for step in steps], len(self.n_units)
        # one block of memory: the system hands out large ones at a fraction of the cost
        block = np.empty(n_rows * sum(widths))
        cuts = np.cumsum([0, *widths]) * n_rows
        outs = tuple(
            block[start:end].reshape(n_rows, width)
            for (start, end), width in zip(pairwise(cuts.tolist()), widths, strict=True)
        )
        kinds = tuple((step.kind, *step.parameters) for step in steps)
        self._run(one_pass.rows, kinds, outs, threads=threads, of_steps=True)
        return list(outs)

    def _run(
        self, kernel: Kernel, *parameters: Any, threads: int | None, of_steps: bool = False
    ) -> None:
        """Run a kernel over all documents, on threads that get the same number of boundaries.

        Steps use no more threads than are worthwhile, even if more are allowed, because the cost of
        a document is known. Other kernels may take long for a single document.
        """
        columns = (
            self.n_units,
            self.ref_offsets,
            self.ref_positions,
            self.hyp_offsets,
            self.hyp_positions,
            *parameters,
        )
        n_rows = len(self.n_units)
        work = n_rows + int(self.hyp_offsets[-1])
        worth = _WORTH_A_THREAD if of_steps else _WORTH_A_THREAD_ELSEWHERE
        if threads is None:
            threads = min(cores(), work // worth) if work >= 2 * worth else 1
        elif type(threads) is not int or not 1 <= threads <= _MOST_THREADS:
            raise SegmentationError(
                f"threads is {shown(threads)}: expected 1 … {_MOST_THREADS}, or None"
            )
        elif of_steps:
            threads = min(threads, work // worth)
        cuts = {0, n_rows}  # a long document may be all the work of several threads
        for i in range(1, min(threads, n_rows)):
            done = work * i // min(threads, n_rows)
            cuts.add(bisect_left(range(n_rows), done, key=lambda row: row + self.hyp_offsets[row]))
        if len(cuts) <= 2:
            kernel(0, n_rows, *columns)
            return
        tasks = (partial(kernel, *ends, *columns) for ends in pairwise(sorted(cuts)))
        for _ in run_in_threads(len(cuts) - 1, tasks):
            pass


def read_pairs(
    reference: PathLike,
    hypothesis: PathLike | None = None,
    rules: PairingRules = DEFAULT_RULES,
    reader: Reader | None = None,
) -> dict[str, Pairs]:
    """Read references and hypotheses, and pair them by document name, for each coder of the
    hypothesis.

    Both are files or folders in any format. Without `hypothesis`, a single file holds both: the
    rules name the reference, and each other coder is a hypothesis.
    """
    reader = (reader or Reader()).beside(reference, [] if hypothesis is None else [hypothesis])
    left = reader.codings(reference, "reference")
    right = None if hypothesis is None else reader.codings(hypothesis, "hypothesis")
    found = paired(left, right, rules, reader.remark)
    return {coder: Pairs.of_paired(both) for coder, both in found.items()}


def pairs_of(
    refs: Any,
    hyps: Any = None,
    rules: PairingRules = DEFAULT_RULES,
    encoding: Encoding | None = None,
    n_units: Any = None,
    reading: Mapping[str, Any] = NOTHING,
) -> Pairs:
    """The documents to score, at least one, of a single hypothesis, paired by the rules.

    encoding, n_units: what lists of numbers hold; reading: keywords of `read`, and the formats of
    both sides.
    """
    if isinstance(refs, Pairs):
        chosen = rules.reference or rules.hypothesis or rules.align
        if hyps is not None or encoding or chosen or reading:
            raise SegmentationError(
                "Pairs hold both sides already: expected no hyps, encoding, reference, "
                "hypothesis, align or keywords of reading besides"
            )
        if not len(refs):
            raise SegmentationError("there is no document to score")
        return refs if rules.mask is None else refs.masked(rules.mask)
    reader = Reader.of(reading, refs, [hyps], rules.ignore_text)
    left = corpus_of(refs, "reference", reader, encoding, n_units)
    right = None if hyps is None else corpus_of(hyps, "hypothesis", reader, encoding, n_units)
    found = paired(left, right, rules, reader.remark)
    if reader.paths:
        reader.finish()
    if len(found) > 1:
        raise SegmentationError(
            f"there are {len(found)} hypotheses, by {named(found)}: expected one: choose it by "
            "hypothesis="
        )
    return Pairs.of_paired(*found.values())


def _by_name(refs: Any, hyps: Any, documents: Sequence[str] | None) -> tuple[Any, Any]:
    """Both sides by the names of documents, if there are any."""
    if documents is None:
        return refs, hyps
    check_distinct(documents)
    if not len(refs) == len(hyps) == len(documents):
        raise SegmentationError(
            f"documents has {len(documents)} names, and there are {len(refs)} references and "
            f"{len(hyps)} hypotheses: expected as many of each"
        )
    return dict(zip(documents, refs, strict=True)), dict(zip(documents, hyps, strict=True))


def _called(documents: Sequence[str] | None, row: int) -> str:
    """The name of a row's document in messages."""
    return f"document {row}" if documents is None else f"document {documents[row]!r}"


def check_distinct(documents: Sequence[str] | None) -> None:
    """Raise if a document is listed twice."""
    if documents is not None and len(set(documents)) < len(documents):
        twice = first_twice(documents)
        raise SegmentationError(f"document {twice!r} is listed twice: expected each name once")
