"""Parts of documents that are not to be scored: they are cut out of both sides.

A mask is a list of parts (start, end) in units, half-open, from 0; or in times such as "12.5s", if
units have a known length: a unit that is partly covered is cut out, too. Cutting out removes units:
two units that become neighbours have a boundary between them if they were in different segments. So
any boundaries inside the part, or at its edges, become a single boundary at the seam, and a segment
that was entirely inside is gone.

The signature says how much was cut out: `mask:2 parts 35 units`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from segscore.basics.arguments import Int64Array, array_inside, is_whole, shown
from segscore.coding.scored import ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR, Alignment, align, remapped
from segscore.corpus import Codings, CodingsBuilder, Corpus, Record, Units, whereabouts
from segscore.corpus.provenance import PLAIN, Provenance, microseconds_of
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source, unpacked
from segscore.io.read_options import microseconds
from segscore.pairing.rules import Mask

if TYPE_CHECKING:
    from segscore.pairing.pairs import Pairs

Regions = Mapping[str, list[tuple[int, int]]]  # (start, end) in microseconds, by document


def read_uem(path: Path) -> Regions:
    """The scored parts of each recording."""
    with unpacked(path) as kept:
        source = Source(kept, kept.stem, "", called=str(path))
        found: dict[str, list[tuple[int, int]]] = {}
        for number, line in enumerate(source.read_lines(), start=1):
            cells = line.split()
            if not cells or line.startswith((";;", "#")):
                continue
            if len(cells) != 4:
                raise source.fail(f"{shown(line)}: expected RECORDING CHANNEL START END", number)
            with source.locating(number):
                start, end = microseconds(cells[2]), microseconds(cells[3])
            if end <= start:
                raise source.fail(f"{shown(line)}: expected an end after the start", number)
            found.setdefault(cells[0], []).append((start, end))
        if not found:
            raise source.fail("no part is scored: expected lines RECORDING CHANNEL START END")
    return found


def mask_of_uem(path: Path, *scored: "Corpus | Pairs") -> dict[str, Mask]:
    """The mask of what a file does not name, for the documents of corpora or of pairs."""
    n_units_of: dict[str, int] = {}
    for side in scored:
        if isinstance(side, Corpus):
            n_units_of.update({name: document.n_units for name, document in side.items()})
        else:
            n_units_of.update(zip(side.documents, side.n_units.tolist(), strict=True))
    return uem_mask(read_uem(path), n_units_of, scored[0].provenance)


def uem_mask(
    regions: Regions, n_units_of: Mapping[str, int], provenance: Provenance
) -> dict[str, Mask]:
    """The parts of each document that are not scored, in units."""
    length = _unit_length(provenance, "a UEM file")
    masks: dict[str, Mask] = {}
    for name, n_units in n_units_of.items():
        if name not in regions:
            raise SegmentationError(
                f"document {name!r} is not in the UEM file, which has {named(regions)}: expected "
                "the scored parts of each document"
            )
        edges = [0]
        for start, end in sorted(regions[name]):
            # the last unit may be longer or shorter than the others by less than half
            last = n_units if 2 * end > (2 * n_units - 1) * length else end // length
            first = -(-start // length)
            if first < last:
                edges[-1:] = [edges[-1], max(first, edges[-1]), max(last, edges[-1])]
        edges.append(max(n_units, edges[-1]))
        parts = list(zip(edges[::2], edges[1::2], strict=True))
        masks[name] = [(start, end) for start, end in parts if start < end]
    return masks


Given = TypeVar("Given", Segmentation, ScoredBoundaries, "Pairs", Corpus)
One = TypeVar("One", Segmentation, ScoredBoundaries)
_NOTHING = np.empty((0, 2), np.int64)
_EXPECTED = "parts (start, end) in units, or in times such as '12.5s'"


def cut_out(given: Given, mask: Mask | Mapping[str, Mask], provenance: Provenance = PLAIN) -> Given:
    """Cut out parts that are not to be scored.

    Parameters
    ----------
    given
        A `Segmentation`, `ScoredBoundaries`, `Corpus` or `Pairs`. The signatures of numbers from a
        `Corpus` or `Pairs` say what was cut out.
    mask
        `[(start, end), …]` in units from 0, or in times (`("12.5s", "30s")`) if units have a known
        length; for a corpus or pairs, a list for all documents, or a mapping from document name to
        list.
    provenance
        How units were formed, for times in a segmentation or in scores, which do not store it
        themselves.

    >>> cut_out(Segmentation.from_masses([2, 3, 6]), [(3, 6)])
    Segmentation(masses=[2, 1, 5])
    >>> cut_out(Segmentation.from_masses([2, 3, 6]), [(1, 8)])
    Segmentation(masses=[1, 3])
    """
    if isinstance(given, Corpus):
        table = given.columns
        n_units = {name: table.n_units_of(number) for name, number in table.numbers.items()}
        cuts = Cuts.of(mask, n_units, given.provenance)
        left = masked_codings(table, cuts)
        return Corpus.from_columns(left, given.coder_scope, cuts.told(given.provenance))
    if not isinstance(given, Segmentation | ScoredBoundaries | Corpus):
        masked = getattr(given, "masked", None)  # of Pairs
        if masked is not None:
            found: Given = masked(mask)
            return found
        raise SegmentationError(
            f"{shown(given)} has no parts: expected a Segmentation, ScoredBoundaries, a Corpus or "
            "Pairs"
        )
    return without(given, _parts(mask, given.n_units, provenance))


@dataclass(frozen=True)
class Cuts:
    """The parts to cut out of documents whose sides are given one by one.

    parts: the (start, end) pairs of each document. n_units: its number of units.
    """

    parts: Mapping[str, Int64Array]
    n_units: Mapping[str, int]

    @classmethod
    def of(
        cls,
        mask: Mask | Mapping[str, Mask],
        n_units: Mapping[str, int],
        provenance: Provenance,
        others: Iterable[str] = (),
    ) -> Self:
        """A mask in the units of each document; it may also name `others`, which are ignored."""
        if isinstance(mask, Mapping):
            known = {*n_units, *others}
            unknown = [name for name in mask if name not in known]
            if unknown:
                raise SegmentationError(
                    f"mask names the document {unknown[0]!r}: expected names of documents that are "
                    "scored"
                )
        parts: dict[str, Int64Array] = {}
        for name, count in n_units.items():
            own = mask.get(name, ()) if isinstance(mask, Mapping) else mask
            with about(f"document {name!r}"):
                parts[name] = _parts(own, count, provenance)
        return cls(parts, dict(n_units))

    def told(self, provenance: Provenance) -> Provenance:
        """The provenance, with the number of parts and units that were cut out."""
        n_units = sum(int(np.diff(part).sum()) for part in self.parts.values())
        n_parts = sum(map(len, self.parts.values()))
        return provenance.chosen("mask", f"{n_parts} parts {n_units} units")

    def of_document(self, name: str, given: One, what: str) -> One:
        """A side of a document without its masked parts; `what` names the side in messages."""
        if given.n_units != self.n_units[name]:
            raise SegmentationError(
                f"document {name!r}: {what} has {given.n_units} units, the other side "
                f"{self.n_units[name]}: expected the same number"
            )
        return without(given, self.parts[name])


def masked_codings(codings: Codings, cuts: Cuts, whose: str = "") -> Codings:
    """A table without the masked parts of its documents; other documents are unchanged. `whose`
    names the owner of the codings in messages, by default the coder."""
    names = codings.names_of(np.arange(len(codings)))
    left = [codings.segmentation(row) for row in range(len(codings))]
    for row, name in enumerate(names):
        if name in cuts.parts:
            left[row] = cuts.of_document(name, left[row], whose or f"coder {codings.coder(row)!r}")
    texts: dict[str, Units] = {}
    for name, units in codings.texts.items():
        edges = [0, *cuts.parts.get(name, _NOTHING).ravel().tolist(), len(units)]
        kept = zip(edges[::2], edges[1::2], strict=True)
        texts[name] = tuple(unit for start, end in kept for unit in units[start:end])
    cut = Codings.of_segmentations(names, "", left, texts=texts)
    taken = ("n_units", "offsets", "positions", "details", "annotations", "labels", "texts")
    columns: dict[str, Any] = {name: getattr(cut, name) for name in taken}
    return replace(codings, **columns)


def _parts(mask: Any, n_units: int, provenance: Provenance) -> Int64Array:
    """The parts in units, sorted; adjacent parts are joined."""
    mask = array_inside(mask, "mask", f"a list of {_EXPECTED}")
    mask = mask.tolist() if isinstance(mask, np.ndarray) else mask
    if isinstance(mask, str | bytes | Mapping) or not isinstance(mask, Iterable):
        raise SegmentationError(f"mask is {shown(mask)}: expected a list of {_EXPECTED}")
    found = sorted(_part(part, index, n_units, provenance) for index, part in enumerate(mask))
    joined: list[list[int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    if joined and joined[0] == [0, n_units]:
        raise SegmentationError(
            f"the mask covers all {n_units} units: expected something that is scored"
        )
    return np.array(joined, np.int64).reshape(-1, 2)


def _part(part: Any, index: int, n_units: int, provenance: Provenance) -> tuple[int, int]:
    what = f"mask[{index}]"
    is_pair = isinstance(part, Sequence) and not isinstance(part, str) and len(part) == 2
    if is_pair and all(isinstance(edge, str) for edge in part):
        length = _unit_length(provenance, what)
        start, end = (microseconds_of(edge, what) for edge in part)
        # the last unit may be longer, or shorter, than the others
        start, end = start // length, min(-(-end // length), n_units)
    elif is_pair and all(map(is_whole, part)):
        start, end = map(int, part)
    else:
        raise SegmentationError(f"{what} is {shown(part)}: expected {_EXPECTED}")
    if not 0 <= start < end <= n_units:
        raise SegmentationError(
            f"{what} goes from {part[0]} to {part[1]}: expected a part of the document's "
            f"{n_units} units, its end after its start"
        )
    return start, end


def _unit_length(provenance: Provenance, what: str) -> int:
    """The duration of a unit, for parts that are given in time."""
    length = provenance.unit_length
    if length is None:
        raise SegmentationError(
            f"{what} is given in time, and units have no known duration: expected units, or input "
            "that was read with units in seconds"
        )
    return length


def without(given: One, parts: Int64Array) -> One:
    if not len(parts):
        return given
    lengths = np.diff(parts)[:, 0]
    before = np.concatenate(([0], np.cumsum(lengths)))  # units cut out before each part

    def kept(positions: Int64Array) -> Int64Array:
        """The number of kept units before each position."""
        part = np.searchsorted(parts[:, 0], positions, side="right")  # parts that start before
        last = np.maximum(part - 1, 0)
        past = np.where(part > 0, np.minimum(positions - parts[last, 0], lengths[last]), 0)
        return np.asarray(positions - before[last] - past, np.int64)

    n_units = given.n_units - int(before[-1])
    if isinstance(given, ScoredBoundaries):
        # A seam has the highest score among those cut out there, so that at any threshold it is a
        # boundary if one of them was.
        places = kept(given.positions)
        inside = (places > 0) & (places < n_units)
        positions, row = np.unique(places[inside], return_inverse=True)
        highest = np.full(len(positions), -np.inf)
        np.maximum.at(highest, row, given.scores[inside])
        return ScoredBoundaries(highest, positions=positions, n_units=n_units)
    candidates = None
    if given.candidates is not None:
        places = np.unique(kept(given.candidates))
        candidates = places[(places > 0) & (places < n_units)]
    return remapped(given, kept(given.boundaries), n_units, candidates)


def aligned_by_words(
    reference: Codings, side: Codings, max_error: float | None, remark: Callable[[str], None]
) -> Codings:
    """The codings of one side on the units of the other; documents that only one side has are
    unchanged."""
    builder = CodingsBuilder()
    limit = MAX_ERROR if max_error is None else max_error
    done: dict[str, Alignment] = {}
    for number, name in enumerate(side.documents):
        for coder, coding in side.codings_of(number)[0].items():
            if name not in reference.numbers:
                builder.add(Record(name, coder, coding))
                continue
            for table in (reference, side):
                if name not in table.texts:
                    raise SegmentationError(
                        f"document {name!r} has no text in {table.source}: expected the text of "
                        "its units on both sides, to align words"
                    )
            units = reference.texts[name]
            with about(whereabouts(name, coder)):
                done[name] = align(units, side.texts[name], coding, max_error=limit)
            builder.add(Record(name, coder, done[name].segmentation, units))
    if done:
        remark(f"{side.source}: aligned by words: {_summary(done)}")
    provenance = replace(side.provenance, units=reference.provenance.units).chosen("align", "words")
    return builder.codings(side.scope, side.source, provenance)


def _summary(done: dict[str, Alignment]) -> str:
    words = sum(alignment.n_words for alignment in done.values())
    rate = sum(alignment.errors for alignment in done.values()) / words
    worst = max(done, key=lambda name: done[name].error_rate)
    highest = f" (highest {done[worst].error_rate:.3f}, {worst!r})" if len(done) > 1 else ""
    counts = [
        (sum(getattr(alignment, name) for alignment in done.values()), text)
        for name, text in (
            ("inside", "inside words left out or added"),
            ("moved", "inside a unit, moved to its nearer edge"),
            ("merged", "merged with another boundary or with an end"),
        )
    ]
    moved = [f"boundaries {text}: {count}" for count, text in counts]
    return "; ".join([f"word error rate {rate:.3f}{highest}", *moved])
