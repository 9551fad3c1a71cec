"""Parts of documents that are not to be scored: they are cut out of both sides.

A mask is a list of parts (start, end) of units, half-open, from 0; or of times such as "12.5s",
where units have a known length: a unit that is covered in part is cut out, too. To cut out is to
take units away: two units that then stand side by side have a boundary between them if they were in
different segments. So a boundary anywhere inside the part, or at its edges, is one boundary at the
seam, and a segment that was all inside is gone.

The signature says how much was cut out: `mask:2 parts 35 units`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from segscore.arguments import Int64Array, is_whole, shown
from segscore.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.pairs import Pairs
from segscore.provenance import PLAIN, Provenance, microseconds_of
from segscore.records import Record
from segscore.remapping import remapped
from segscore.segmentation import Segmentation

Part = tuple[int | str, int | str]
Mask = Sequence[Part]
_EXPECTED = "parts (start, end) in units, or in times such as '12.5s'"


def cut_out(coding: Segmentation, mask: Mask, provenance: Provenance = PLAIN) -> Segmentation:
    """The segmentation without some parts.

    >>> cut_out(Segmentation.from_masses([2, 3, 6]), [(3, 6)])
    Segmentation(masses=[2, 1, 5])
    >>> cut_out(Segmentation.from_masses([2, 3, 6]), [(1, 8)])
    Segmentation(masses=[1, 3])
    """
    return _without(coding, _parts(mask, coding.n_units, provenance))


def masked(pairs: Pairs, mask: Mask | Mapping[str, Mask]) -> Pairs:
    """The pairs without some parts: one mask for all documents, or one by the name of each."""
    by_name = _by_name(pairs, mask)
    refs: list[Any] = []
    hyps: list[Segmentation] = []
    n_parts = n_units = 0
    for row in range(len(pairs)):
        hyp = pairs.hypothesis(row)
        try:
            parts = _parts(by_name[row], hyp.n_units, pairs.provenance)
            hyps.append(_without(hyp, parts))
        except SegmentationError as error:
            raise SegmentationError(f"{pairs.name(row)}: {error}") from None
        if pairs.groups is None:
            refs.append(_without(pairs.reference(row), parts))
        else:
            refs.append([_without(one, parts) for one in pairs.references(row)])
        n_parts, n_units = n_parts + len(parts), n_units + int(np.diff(parts).sum())
    return Pairs.from_segmentations(
        refs,
        hyps,
        pairs.documents if pairs.is_named else None,
        provenance=pairs.provenance.chosen("mask", f"{n_parts} parts {n_units} units"),
        skipped=pairs.skipped,
    )


def masked_corpora(
    reference: Corpus, others: Iterable[Corpus], mask: Mask | Mapping[str, Mask]
) -> list[Corpus]:
    """Corpora without some parts, the reference first; all of them say what it lost."""
    if isinstance(mask, Mapping):
        _check_known(mask, reference)
    n_parts = n_units = 0
    found: list[Corpus] = []
    for corpus in (reference, *others):
        records: list[Record] = []
        for document in corpus.values():
            own = mask.get(document.name, ()) if isinstance(mask, Mapping) else mask
            try:
                parts = _parts(own, document.n_units, corpus.provenance)
            except SegmentationError as error:
                raise SegmentationError(f"document {document.name!r}: {error}") from None
            records += (_record_without(one, parts) for one in document.records())
            if corpus is reference:
                n_parts, n_units = n_parts + len(parts), n_units + int(np.diff(parts).sum())
        told = corpus.provenance.chosen("mask", f"{n_parts} parts {n_units} units")
        found.append(Corpus.from_rows(records, coders=corpus.coder_scope, provenance=told))
    return found


def _record_without(record: Record, parts: Int64Array) -> Record:
    units = record.units
    if units is not None:
        edges = [0, *parts.ravel().tolist(), len(units)]
        kept = zip(edges[::2], edges[1::2], strict=True)
        units = tuple(unit for start, end in kept for unit in units[start:end])
    coding = None if record.segmentation is None else _without(record.segmentation, parts)
    return replace(record, segmentation=coding, units=units, labels=None)


def _check_known(mask: Mapping[str, Any], documents: Iterable[str]) -> None:
    known = set(documents)
    unknown = [name for name in mask if name not in known]
    if unknown:
        raise SegmentationError(
            f"mask names the document {unknown[0]!r}: expected names of documents that are scored"
        )


def _by_name(pairs: Pairs, mask: Any) -> list[Any]:
    """The mask of each row; a document that is not named has none."""
    if not isinstance(mask, Mapping):
        return [mask] * len(pairs)
    _check_known(mask, pairs.documents)
    return [mask.get(name, ()) for name in pairs.documents]


def _parts(mask: Any, n_units: int, provenance: Provenance) -> Int64Array:
    """The parts in units, sorted, those that touch joined."""
    if isinstance(mask, str | bytes | Mapping) or not isinstance(mask, Iterable):
        raise SegmentationError(f"mask is {shown(mask)}: expected a list of {_EXPECTED}")
    found = sorted(_part(one, index, n_units, provenance) for index, one in enumerate(mask))
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
    if isinstance(part, str) or not isinstance(part, Sequence) or len(part) != 2:
        raise SegmentationError(f"{what} is {shown(part)}: expected {_EXPECTED}")
    if all(isinstance(edge, str) for edge in part):
        start, end = _in_units(part, what, provenance)
        end = min(end, n_units)  # the last unit may be longer, or shorter, than the others
    elif all(map(is_whole, part)):
        start, end = map(int, part)
    else:
        raise SegmentationError(f"{what} is {shown(part)}: expected {_EXPECTED}")
    if not 0 <= start < end <= n_units:
        raise SegmentationError(
            f"{what} goes from {part[0]} to {part[1]}: expected a part of the document's "
            f"{n_units} units, its end after its start"
        )
    return start, end


def _in_units(part: Sequence[str], what: str, provenance: Provenance) -> tuple[int, int]:
    length = provenance.unit_length
    if length is None:
        raise SegmentationError(
            f"{what} is given in time, and units have no known duration: expected units, or input "
            "that was read with units in seconds (--units seconds:1)"
        )
    start, end = (microseconds_of(edge, what) for edge in part)
    return start // length, -(-end // length)


def _without(coding: Segmentation, parts: Int64Array) -> Segmentation:
    if not len(parts):
        return coding
    lengths = np.diff(parts)[:, 0]
    before = np.concatenate(([0], np.cumsum(lengths)))  # units cut out before each part

    def kept(positions: Int64Array) -> Int64Array:
        """How many units before each position are kept."""
        part = np.searchsorted(parts[:, 0], positions, side="right")  # parts that start before
        last = np.maximum(part - 1, 0)
        past = np.where(part > 0, np.minimum(positions - parts[last, 0], lengths[last]), 0)
        return np.asarray(positions - before[last] - past, np.int64)

    n_units = coding.n_units - int(before[-1])
    candidates = None
    if coding.candidates is not None:
        places = np.unique(kept(coding.candidates))
        candidates = places[(places > 0) & (places < n_units)]
    return remapped(coding, kept(coding.boundaries), n_units, candidates)
