"""UEM files of NIST: the parts of recordings that are scored.

    talk 1 0.00 1800.00
    talk 1 1920.00 3600.00

A line has the recording, a channel, start and end in seconds; lines that start with ;; are
comments. Parts that no line names are cut out of both sides (`segscore.pairing.masks`), and so are
units that are only partly named.
"""

from collections.abc import Mapping
from pathlib import Path

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError, named
from segscore.io.files import Source
from segscore.io.read_options import microseconds
from segscore.io.zips import unpacked
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Mask

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


def mask_of_uem(path: Path, *scored: Corpus | Pairs) -> dict[str, Mask]:
    """The mask of what a file does not name, for the documents of corpora or of pairs."""
    n_units_of: dict[str, int] = {}
    for side in scored:
        if isinstance(side, Pairs):
            n_units_of.update(zip(side.documents, side.n_units.tolist(), strict=True))
        else:
            n_units_of.update({name: document.n_units for name, document in side.items()})
    return uem_mask(read_uem(path), n_units_of, scored[0].provenance)


def uem_mask(
    regions: Regions, n_units_of: Mapping[str, int], provenance: Provenance
) -> dict[str, Mask]:
    """The parts of each document that are not scored, in units."""
    length = provenance.unit_length
    if length is None:
        raise SegmentationError(
            "a UEM file is in seconds, and units have no known duration: expected input that is "
            "read with units in seconds"
        )
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
