"""The options that say which parts of documents are not scored."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus
    from segscore.corpus.provenance import Provenance
    from segscore.pairing.pairs import Pairs

MaskOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mask",
        metavar="START:END",
        help="Do not score this part of each document: it is cut out of all codings. In units "
        "from 0, END not included, or in time: 12.5s:30s. May be repeated.",
    ),
]
UemOption = Annotated[
    Path | None,
    typer.Option(
        "--uem",
        metavar="FILE",
        help="Score only what this UEM file names: recording, channel, start, end in seconds.",
    ),
]


def _chosen(
    mask: list[str] | None,
    uem: Path | None,
    n_units_of: Mapping[str, int],
    provenance: "Provenance",
) -> Any:
    """What is not scored of documents with so many units; None if all is."""
    if mask and uem is not None:
        raise SegmentationError("--mask and --uem are both given: expected one of them")
    if uem is not None:
        from segscore.pairing.uem import read_uem, uem_mask

        return uem_mask(read_uem(uem), n_units_of, provenance)
    return [_part(one) for one in mask] if mask else None


def corpus_mask(mask: list[str] | None, uem: Path | None, *corpora: "Corpus") -> Any:
    """What is not scored of documents of these corpora; None if all is."""
    every = corpora if uem is not None else ()
    n_units_of = {name: one.n_units for corpus in every for name, one in corpus.items()}
    return _chosen(mask, uem, n_units_of, corpora[0].provenance)


def pairs_mask(mask: list[str] | None, uem: Path | None, pairs: "Pairs") -> Any:
    """What is not scored of documents of these pairs; None if all is."""
    every = zip(pairs.documents, pairs.n_units.tolist(), strict=True)
    n_units_of = {} if uem is None else dict(every)
    return _chosen(mask, uem, n_units_of, pairs.provenance)


def refuse_for_columns(align: Any, mask: list[str] | None, uem: Path | None) -> None:
    """Nothing of that is done to the columns of a Parquet file."""
    if align is not None or mask or uem is not None:
        raise SegmentationError(
            "--align, --mask and --uem are for files of codings, not for columns of Parquet and "
            "Arrow files"
        )


def _part(text: str) -> tuple[int, int] | tuple[str, str]:
    start, _, end = text.partition(":")
    if start.isdecimal() and end.isdecimal():
        return int(start), int(end)
    if not start or not end or start.isdecimal() or end.isdecimal():
        raise SegmentationError(f"--mask is {text!r}: expected START:END, as 10:20 or 12.5s:30s")
    return start, end
