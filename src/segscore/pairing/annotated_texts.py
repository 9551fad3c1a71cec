"""Whether two sides are codings of the same text, if one of them comes from an annotation page.

Its export knows the hash of the units that the coder saw: the other side's text, or hash, must be
the same.
"""

from collections.abc import Iterable

from segscore.corpus.codings import Codings
from segscore.corpus.text_checks import unit_hash
from segscore.errors import SegmentationError


def check_annotated_texts(
    reference: Codings, side: Codings, documents: Iterable[str], sides: tuple[str, str]
) -> None:
    """Raise if the two sides of a document saw different texts; an unknown text fits any."""
    if not reference.annotations and not side.annotations:
        return
    reference_hashes, side_hashes = _seen(reference), _seen(side)
    for name in documents:
        if name not in reference_hashes and name not in side_hashes:
            continue
        hashes = {
            reference_hashes.get(name) or _of_text(reference, name),
            side_hashes.get(name) or _of_text(side, name),
        }
        if len(hashes - {None}) > 1:
            marked = sides[0] if name in reference_hashes else sides[1]
            raise SegmentationError(
                f"document {name!r}: the {sides[0]} and the {sides[1]} are codings of different "
                f"texts (annotation.units of the {marked} is the hash of its units): expected the "
                "same units; ignore_text=True compares the boundaries anyway"
            )


def _seen(codings: Codings) -> dict[str, str]:
    """The hash of the units that coders saw, by document; codings of one table agree on it."""
    return {
        codings.document(row): annotation.units
        for row, annotation in codings.annotations.items()
        if annotation.units is not None
    }


def _of_text(codings: Codings, document: str) -> str | None:
    return unit_hash(codings.texts[document]) if document in codings.texts else None
