"""One coder's segmentation of one document.

A document has N units (words, sentences, paragraphs, seconds …) and so N-1 potential boundaries:
position p, 1 <= p <= N-1, lies between unit p and unit p+1. The start and the end of the document
are never boundaries. A `Segmentation` is the sorted set of positions that have a boundary; its
memory grows with the number of boundaries, not of units. Boundaries may carry a type (or several)
and a rank (1 = most prominent); candidates are the positions where a boundary may be (default:
all). Segments may carry labels (`segscore.coding.constructor_checks`).

Each notation of a segmentation has its own constructor, and none of them guesses.
"""

import warnings
from collections.abc import Collection, Iterable, Sequence, Set
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from segscore._kernels import integers
from segscore.basics import arguments
from segscore.basics.arguments import LARGEST, Int64Array, as_integers, packed, shown, whole_number
from segscore.coding import constructor_checks as checks
from segscore.coding.constructor_checks import BoundaryType, SegmentLabels, Types
from segscore.errors import SegmentationError, shortened

if TYPE_CHECKING:
    from segscore.text.chunk_placing import UnitRule
    from segscore.text.unit_splitting import Gaps, Overlap

__all__ = ["BoundaryType", "Segmentation", "Types", "type_order"]

_SHOWN_MASSES = 12


def type_order(name: BoundaryType) -> tuple[bool, Any]:
    """The sort key of boundary types and labels: integers in their order, then names."""
    return isinstance(name, str), name


class Segmentation(arguments.Unchanging):
    """A segmentation of a document: immutable, hashable, and equal by value.

    Create one with `from_masses`, `from_boundaries`, `from_gaps`, `from_labels`,
    `from_segment_ids`, `from_spans`, `from_times`, `from_chunks` or `from_offsets`. It has:

    n_units: the number of units N.
    boundaries: the positions with a boundary, ascending; masses: the lengths of the segments.
    types: a set of types per boundary; None if boundaries have no types.
    ranks: a rank per boundary, 1 is the most prominent; None if they have no ranks.
    candidates: the positions where a boundary may be; None: all of them.
    segment_labels: a label per segment (a set where it has several, None where it has none); None
        if segments have no labels. Each constructor takes them, first segment to last.
    unit_length: the length of a unit in microseconds if the segmentation was made from times,
        otherwise None. Equality ignores it.

    >>> a = Segmentation.from_masses([2, 3, 6])
    >>> a.n_units, a.boundaries
    (11, array([2, 5]))
    >>> a == Segmentation.from_boundaries([5, 2], n_units=11)
    True
    >>> a
    Segmentation(masses=[2, 3, 6])
    """

    __slots__ = (
        "_candidates", "_labels", "_n_units", "_packed", "_ranks", "_types", "unit_length",
    )  # fmt: skip
    _n_units: int
    _packed: bytes
    _types: Types | None
    _ranks: bytes | None
    _candidates: bytes | None
    _labels: SegmentLabels | None
    unit_length: int | None  # a plain slot, because each pair that is scored looks at it

    def __init__(self, *_: Any, **__: Any) -> None:
        raise SegmentationError(
            "Segmentation(…) does not say what its numbers are: expected "
            "Segmentation.from_masses([2, 3, 6]) for segment lengths, "
            "Segmentation.from_boundaries([2, 5], n_units=11) for positions, or one of from_gaps, "
            "from_labels, from_segment_ids, from_spans, from_times, from_chunks, from_offsets"
        )

    @classmethod
    def _make(cls, *fields: Any) -> Self:
        """A segmentation of (n_units, positions, types, ranks, candidates, labels, unit_length)."""
        return integers.new_segmentation(cls, *fields)

    def with_segment_labels(self, labels: Iterable[Any] | None) -> Self:
        """A copy with these labels, one per segment; None removes all labels.

        >>> Segmentation.from_masses([2, 3]).with_segment_labels(["intro", None])
        Segmentation(masses=[2, 3], segment_labels=['intro', None])
        """
        checked = None if labels is None else checks.checked_labels(labels, self.n_segments)
        return self._make(*self._fields()[:-1], checked, self.unit_length)

    # ---- constructors ----

    @classmethod
    def from_masses(
        cls, masses: Iterable[int], *, segment_labels: Iterable[Any] | None = None
    ) -> Self:
        """Build a segmentation from segment lengths in units, first to last.

        >>> Segmentation.from_masses([2, 3, 6]).boundaries
        array([2, 5])
        """
        if type(masses) is list and segment_labels is None and cls is Segmentation:
            made = integers.segmentation_of_masses(cls, masses)  # nearly all calls end here
            if made is not None:
                return made
        what = "segment lengths, whole numbers of at least 1, 2**53 in all"
        places, n_units = _accumulated(masses, "masses", what)
        return cls._make(n_units, places)._labelled(segment_labels)

    @classmethod
    def from_boundaries(
        cls,
        boundaries: Iterable[int],
        n_units: int | None = None,
        *,
        types: Sequence[BoundaryType | Collection[BoundaryType]] | None = None,
        ranks: Iterable[int] | None = None,
        candidates: Iterable[int] | None = None,
        segment_labels: Iterable[Any] | None = None,
    ) -> Self:
        """Build a segmentation from positions 1 … N-1, in any order, each once; `n_units` is N.

        `types` and `ranks` go with `boundaries` one to one: a type is a str or an int, or a set of
        them; rank 1 is the most prominent. `candidates` are the positions where a boundary is
        possible; each boundary must be at a candidate. `segment_labels` follow the text, first
        segment to last.

        >>> Segmentation.from_boundaries([5, 2], n_units=11, ranks=[1, 2]).ranks
        array([2, 1])
        """
        if n_units is None:
            raise SegmentationError(
                "n_units is missing: expected the number of units of the document, as in "
                "from_boundaries([2, 5], n_units=11); segment lengths go to from_masses([2, 3, 6])"
            )
        n = whole_number(n_units, "n_units", 1)
        if (types is not None or ranks is not None) and isinstance(boundaries, Set):
            raise SegmentationError(
                "boundaries is a set, which has no order for types or ranks to follow: "
                "give a list of positions"
            )
        positions, order = checks.positions_in_order(boundaries, "boundaries", "boundary", n)
        sets = None if types is None else checks.types_in_order(types, order)
        prominence = allowed = None
        if ranks is not None:
            expected = f"{len(order)} ranks of at least 1, one per boundary"
            given = checks.whole_numbers(ranks, "ranks", expected, 1)
            if len(given) != len(order):
                raise SegmentationError(f"ranks has {len(given)}: expected {expected}")
            prominence = given[order].tobytes()
        if candidates is not None:
            places, _ = checks.positions_in_order(candidates, "candidates", "candidate", n)
            missing = np.setdiff1d(positions, places)
            if missing.size:
                raise SegmentationError(
                    f"boundary {missing[0]} is not among the candidates: each boundary must be one"
                )
            allowed = places.tobytes()
        made = cls._make(n, positions.tobytes(), sets, prominence, allowed)
        return made._labelled(segment_labels)

    @classmethod
    def from_gaps(
        cls, gaps: str | Iterable[int], *, segment_labels: Iterable[Any] | None = None
    ) -> Self:
        """Build a segmentation from N-1 symbols, one per gap between two units; 1 is a boundary (as
        in NLTK).

        >>> Segmentation.from_gaps("0100100000").masses
        array([2, 3, 6])
        """
        flags = checks.zeros_and_ones(gaps, "gaps")
        if not flags.size:
            raise SegmentationError(
                "gaps is empty: expected N-1 symbols 0 or 1 (one unit alone is from_masses([1]))"
            )
        return cls._at(len(flags) + 1, np.flatnonzero(flags) + 1, segment_labels, "gaps")

    @classmethod
    def from_labels(
        cls,
        labels: str | Iterable[int],
        marks: Literal["end", "start"] | None = None,
        *,
        ignore_index: int | None = None,
        segment_labels: Iterable[Any] | None = None,
    ) -> Self:
        """Build a segmentation from a 0 or 1 per unit: 1 marks the `end` or the `start` of a
        segment.

        The last unit always ends a segment, and the first unit always starts one, so its symbol may
        be 0 or 1. `ignore_index` is the number that pads the end of the labels (often -100);
        padding adds no units. Anywhere else that number is an error.

        >>> Segmentation.from_labels([0, 1, 0, 0, 1, 0], marks="end").boundaries
        array([2, 5])
        >>> Segmentation.from_labels([1, 0, 1, 0, 0, 1], marks="start").boundaries
        array([2, 5])
        >>> Segmentation.from_labels([0, 1, 0, -100, -100], "end", ignore_index=-100).masses
        array([2, 1])
        """
        checks.checked_marks(marks)
        if ignore_index is not None and not isinstance(labels, str):
            labels = checks.one_per_unit(labels, "labels", ignore_index)
        hint = "" if ignore_index is not None else "ignore_index"
        flags = checks.zeros_and_ones(labels, "labels", hint)
        inside = flags[:-1] if marks == "end" else flags[1:]
        return cls._at(len(flags), np.flatnonzero(inside) + 1, segment_labels, "labels")

    @classmethod
    def from_segment_ids(
        cls,
        ids: Iterable[BoundaryType],
        *,
        ignore_index: int | None = None,
        segment_labels: Iterable[Any] | None = None,
    ) -> Self:
        """Build a segmentation from the segment id of each unit: a boundary is wherever the id
        changes.

        Ids are str or int; an id may return later, for a new segment. Negative numbers are refused,
        because they are mostly padding. `ignore_index` is the number that pads the end of the ids
        (often -100); padding adds no units. Anywhere else that number is an error.

        >>> Segmentation.from_segment_ids(["a", "a", "b", "b", "b", "a"]).masses
        array([2, 3, 1])
        >>> Segmentation.from_segment_ids([0, 0, 1, -100, -100], ignore_index=-100).masses
        array([2, 1])
        """
        listed = checks.one_per_unit(ids, "ids", ignore_index)
        for index, segment_id in enumerate(listed):
            named = isinstance(segment_id, str)
            if not named and not (checks.is_name(segment_id) and segment_id >= 0):
                raise SegmentationError(
                    f"ids[{index}] is {shown(segment_id)}: expected a str, or an int of at least "
                    f"0; if it is padding at the end, give ignore_index={segment_id}"
                )
        changes = [i for i in range(1, len(listed)) if listed[i] != listed[i - 1]]
        return cls._at(len(listed), changes, segment_labels, "ids")

    @classmethod
    def from_spans(
        cls, spans: Iterable[tuple[int, int]], *, segment_labels: Iterable[Any] | None = None
    ) -> Self:
        """Build a segmentation from half-open spans of units (start, end), from 0, in order and
        gapless.

        >>> Segmentation.from_spans([(0, 2), (2, 5), (5, 11)]).masses
        array([2, 3, 6])
        """
        end = 0
        ends: list[int] = []
        for index, span in enumerate(checks.in_rows(spans, "spans", "pairs (start, end)")):
            expected = f"a pair ({end}, end) of whole numbers, where the one before it ends"
            edges = as_integers(packed(span, f"spans[{index}]", expected)).tolist()
            if len(edges) != 2 or edges[0] != end or not end < edges[1] <= LARGEST:
                raise SegmentationError(f"spans[{index}] is {shown(span)}: expected {expected}")
            end = edges[1]
            ends.append(end)
        return cls._at(end, ends[:-1], segment_labels, "spans")

    @classmethod
    def _at(cls, n_units: int, places: Any, labels: Iterable[Any] | None, what: str) -> Self:
        """The segmentation with boundaries at these places, which are in order."""
        if not n_units:
            raise SegmentationError(f"{what} is empty: expected at least one unit")
        return cls._make(n_units, np.asarray(places, np.int64).tobytes())._labelled(labels)

    def _labelled(self, labels: Iterable[Any] | None) -> Self:
        return self if labels is None else self.with_segment_labels(labels)

    @classmethod
    def from_chunks(
        cls,
        text: str,
        chunks: Iterable[Any],
        units: "UnitRule" = "sentences",
        *,
        overlap: "Overlap" = "start",
        allow_gaps: bool = False,
        gaps: "Gaps" = "text",
        snap: int = 100,
    ) -> Self:
        """Build a segmentation from the chunks of a text, as splitters return them; see
        `place_chunks`.

        A warning lists what did not fit the units. The parameters are those of `place_chunks`.

        >>> Segmentation.from_chunks("It rains. It pours. So.", ["It rains.", "It pours. So."])
        Segmentation(masses=[1, 2])
        """
        how = {"overlap": overlap, "allow_gaps": allow_gaps, "gaps": gaps, "snap": snap}
        return cls._from_chunks(text, chunks, units, how)

    @classmethod
    def from_offsets(
        cls,
        text: str,
        offsets: Iterable[Any],
        units: "UnitRule" = "sentences",
        *,
        overlap: "Overlap" = "start",
        allow_gaps: bool = False,
        gaps: "Gaps" = "text",
        snap: int = 100,
    ) -> Self:
        """Build a segmentation from character offsets of chunks: pairs (start, end), or starts
        alone.

        A warning lists what did not fit the units. The parameters are those of `place_chunks`.

        >>> Segmentation.from_offsets("It rains. It pours. So.", [(0, 9), (10, 23)])
        Segmentation(masses=[1, 2])
        >>> Segmentation.from_offsets("It rains. It pours. So.", [0, 10, 20])
        Segmentation(masses=[1, 1, 1])
        """
        expected = "pairs (start, end), or starts, of characters"
        listed = list(checks.in_rows(offsets, "offsets", expected))
        texts = next((offset for offset in listed if isinstance(offset, str)), None)
        if texts is not None:
            raise SegmentationError(
                f"offsets holds {shown(texts)}: expected pairs (start, end), or starts; for texts "
                "use from_chunks"
            )
        how = {"overlap": overlap, "allow_gaps": allow_gaps, "gaps": gaps, "snap": snap}
        return cls._from_chunks(text, listed, units, how)

    @classmethod
    def from_times(
        cls,
        starts: Iterable[float],
        duration: float,
        resolution: float = 0.001,
        *,
        segment_labels: Iterable[Any] | None = None,
    ) -> Self:
        """Build a segmentation from the start times of segments, in units of `resolution` seconds.

        Each time in seconds goes to the nearest boundary between two units. Milliseconds cost no
        more than minutes, and hardly move a boundary. The first segment starts at 0: if the first
        time is later, a segment is added before it, with a warning. The length of a unit is kept,
        so that parameters may be times: `f1(tolerance=5s)`.

        >>> from segscore import BoundaryMatch, Segmentation
        >>> ref = Segmentation.from_times([0, 62.5, 130], duration=300)
        >>> ref
        Segmentation(masses=[62500, 67500, 170000])
        >>> hyp = Segmentation.from_times([0, 66, 140], duration=300)
        >>> BoundaryMatch(tolerance="5s")(ref, hyp)
        0.5
        >>> Segmentation.from_times([0, 62.5, 130], duration=300, resolution=10)
        Segmentation(masses=[6, 7, 17])
        """
        positions, n_units, unit_length = checks.time_positions(starts, duration, resolution)
        places = np.array(positions, np.int64)
        made = cls._make(n_units, places.tobytes(), None, None, None, None, unit_length)
        return made._labelled(segment_labels)

    @classmethod
    def _from_chunks(cls, text: str, chunks: Any, units: Any, how: dict[str, Any]) -> Self:
        from segscore.text.chunk_placing import PlacementWarning, place_chunks

        placed = place_chunks(text, chunks, units, **how)
        report = placed.report()
        if report:
            warnings.warn(f"chunks: {report}", PlacementWarning, stacklevel=3)
        return cls.from_boundaries(placed.boundaries, placed.n_units)

    # ---- what it holds ----

    @property
    def n_units(self) -> int:
        """The number of units N."""
        return self._n_units

    @property
    def n_segments(self) -> int:
        """The number of segments: the number of boundaries plus 1."""
        return len(self._packed) // 8 + 1

    @property
    def boundaries(self) -> Int64Array:
        """The positions that have a boundary, ascending (read-only)."""
        return as_integers(self._packed)

    @property
    def masses(self) -> Int64Array:
        """The lengths of the segments (read-only)."""
        places = self.boundaries
        masses = np.empty(len(places) + 1, np.int64)  # np.diff, but for a tenth of its time
        masses[:-1] = places
        masses[-1] = self._n_units
        masses[1:] -= places
        masses.flags.writeable = False
        return masses

    @property
    def types(self) -> Types | None:
        """The set of types at each boundary, or None if boundaries have no types."""
        return self._types

    @property
    def ranks(self) -> Int64Array | None:
        """The rank of each boundary, 1 = most prominent, or None if there are no ranks
        (read-only)."""
        return None if self._ranks is None else as_integers(self._ranks)

    @property
    def candidates(self) -> Int64Array | None:
        """The positions where a boundary is possible, or None for every position (read-only)."""
        return None if self._candidates is None else as_integers(self._candidates)

    @property
    def segment_labels(self) -> SegmentLabels | None:
        """The label of each segment (a set if several, None if none); None if there are no labels.

        >>> Segmentation.from_masses([2, 3, 6], segment_labels=["a", None, {"b", "c"}])
        Segmentation(masses=[2, 3, 6], segment_labels=['a', None, ['b', 'c']])
        """
        return self._labels

    @property
    def packed(self) -> bytes:
        """The boundaries as native 64-bit integers, for kernels."""
        return self._packed

    @property
    def is_plain(self) -> bool:
        """Whether it has boundaries only: no types, ranks, candidates or labels."""
        details = self._types, self._ranks, self._candidates, self._labels
        return type(self) is Segmentation and details == (None, None, None, None)

    # ---- the same segmentation, seen otherwise ----

    def mirror(self) -> Self:
        """The segmentation of the document read backwards.

        >>> Segmentation.from_masses([2, 3, 6]).mirror().masses
        array([6, 3, 2])
        """
        n, ranks, candidates = self._n_units, self.ranks, self.candidates
        return self._make(
            n,
            (n - self.boundaries[::-1]).tobytes(),
            self._types and self._types[::-1],
            None if ranks is None else ranks[::-1].tobytes(),
            None if candidates is None else (n - candidates[::-1]).tobytes(),
            self._labels and self._labels[::-1],
            self.unit_length,
        )

    def expand(self, unit_lengths: Iterable[int], candidates: bool = True) -> Self:
        """The boundaries, counted in finer units, for example sentences into words.

        `unit_lengths` says how many fine units each unit holds. With `candidates` the result has
        candidates: the ends of the old units (or the old candidates).

        >>> words = Segmentation.from_masses([1, 2]).expand([7, 4, 9])
        >>> words.boundaries, words.n_units, words.candidates
        (array([7]), 20, array([ 7, 11]))
        """
        expected = f"{self._n_units} lengths of at least 1, one per unit"
        packed_ends, n_units = _accumulated(unit_lengths, "unit_lengths", expected, self._n_units)
        ends = as_integers(packed_ends)
        places = ends if self.candidates is None else ends[self.candidates - 1]
        return self._make(
            n_units,
            ends[self.boundaries - 1].tobytes(),
            self._types,
            self._ranks,
            places.tobytes() if candidates else None,
            self._labels,
        )

    # ---- identity ----

    def _fields(self) -> tuple[Any, ...]:
        details = self._types, self._ranks, self._candidates, self._labels
        return self._n_units, self._packed, *details

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[Any, ...]:
        return self._make, (*self._fields(), self.unit_length)

    def __repr__(self) -> str:
        if self.n_segments <= _SHOWN_MASSES:
            text = f"masses={self.masses.tolist()}"
        else:
            places = self.boundaries
            first = np.diff(places[: _SHOWN_MASSES - 2], prepend=0).tolist()
            left_out = self.n_segments - len(first) - 1
            text = (
                f"masses=[{', '.join(map(str, first))}, … {left_out} more …, "
                f"{self._n_units - places[-1]}], n_units={self._n_units}"
            )
        for name in ("types", "ranks", "candidates", "segment_labels"):
            entries = getattr(self, name)
            if entries is not None and len(entries) > _SHOWN_MASSES:
                text += f", {name}=<{len(entries)}>"
            elif entries is not None:
                text += f", {name}={[_plain(value) for value in entries]}"
        return shortened(f"Segmentation({text})")

    def _repr_html_(self) -> str:
        from segscore.coding.notebook_html import segmentation_html

        return segmentation_html(self)


def columns_of(codings: Sequence[Segmentation]) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(n_units, offsets, positions) of segmentations, row after row."""
    boundaries = [coding._packed for coding in codings]
    lengths = np.fromiter(map(len, boundaries), np.int64, len(boundaries)) // 8
    n_units = np.array([coding._n_units for coding in codings], np.int64)
    positions = np.frombuffer(b"".join(boundaries), np.int64)
    return n_units, np.concatenate(([0], np.cumsum(lengths))), positions


def _accumulated(values: Any, what: str, expected: str, n: int | None = None) -> tuple[bytes, int]:
    """The ends of stretches with these lengths, `n` if that is given, and their sum."""
    lengths = packed(checks.refuse_unordered(values, what), what, expected)
    count = len(lengths) // 8
    if not count or (n is not None and count != n):
        raise SegmentationError(
            f"{what} {f'has {count}' if n else 'is empty'}: expected {expected}"
        )
    found = integers.accumulate(lengths)
    if isinstance(found, int):
        wrong = as_integers(lengths)[found]
        raise SegmentationError(f"{what}[{found}] is {wrong}: expected {expected}")
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value, key=str)
    return value if value is None or isinstance(value, str) else int(value)
