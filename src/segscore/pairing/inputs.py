"""From the input of `score` to `Pairs`: segmentations, corpora, files, or Pairs."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from segscore.basics.arguments import is_whole
from segscore.basics.series import by_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, named
from segscore.pairing.documents import in_one_order
from segscore.pairing.masks import masked
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import DEFAULT_RULES, NOTHING, PairingRules, check_reads

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Encoding

NO_WORDS = (
    "align needs the words of both sides: expected files or corpora with their text; for one pair "
    "call segscore.corpus.align"
)
NO_ENCODING = (
    "n_units is given without encoding: expected encoding='boundaries', or another that says what "
    "the lists hold"
)


def as_pairs(
    refs: Any,
    hyps: Any = None,
    rules: PairingRules = DEFAULT_RULES,
    encoding: "Encoding | None" = None,
    n_units: Any = None,
    reading: Mapping[str, Any] = NOTHING,
) -> Pairs:
    """The documents to score, at least one, paired by the rules.

    encoding: what lists hold; n_units: how many units documents have, if lists do not say.
    reading: how files are read: keywords of `read`, and the formats of both sides.
    """
    if reading:
        check_reads(reading, refs, hyps)
    if n_units is not None and encoding is None:
        raise SegmentationError(NO_ENCODING)
    if encoding is not None:
        refs, hyps = _pairs_of_numbers(refs, hyps, rules, encoding, n_units), None
    if isinstance(refs, Pairs):
        if hyps is not None:
            raise SegmentationError("hyps is given besides Pairs, which hold both sides already")
        pairs = refs
    else:
        if isinstance(refs, Segmentation) or isinstance(hyps, Segmentation):
            raise SegmentationError(
                "score takes sequences or mappings of segmentations; for one pair call the metric: "
                "WindowDiff()(ref, hyp)"
            )
        if is_stored(refs) or is_stored(hyps):
            from segscore.pairing.pairing import pairs_of

            return pairs_of(refs, hyps, rules, reading)
        if rules.align is not None:
            raise SegmentationError(NO_WORDS)
        if hyps is None:
            raise SegmentationError("hyps is missing: expected as many segmentations as refs has")
        pairs = Pairs.from_segmentations(refs, hyps, missing=rules.missing)
    if rules.reference is not None or rules.hypothesis is not None:
        raise SegmentationError(
            "reference and hypothesis name coders of a corpus or a file: expected none for "
            "segmentations"
        )
    if not len(pairs):
        raise SegmentationError("there is no document to score")
    return pairs if rules.mask is None else masked(pairs, rules.mask)


def units_by_place(given: Any, names: Sequence[Any] | None, n: int) -> list[int] | None:
    """The numbers of units of documents in order: one number for all, or one for each, by name or
    by place."""
    if given is None:
        return None
    if is_whole(given):
        return [given] * n
    known = by_name(given, "n_units")
    if known is None:
        return list(given)
    if names is None:
        names = [str(place) for place in range(n)]
    for name in names:
        if name not in known:
            raise SegmentationError(f"n_units lacks document {name!r}: there are {named(known)}")
    return [known[name] for name in names]


def _pairs_of_numbers(
    refs: Any, hyps: Any, rules: PairingRules, encoding: "Encoding", n_units: Any
) -> Pairs:
    """Documents whose segmentations are lists, arrays or tensors of numbers."""
    if isinstance(refs, Pairs) or is_stored(refs) or is_stored(hyps):
        raise SegmentationError(
            "encoding says what lists of numbers hold: expected none for Pairs, files and corpora"
        )
    left, right, names, skipped, failures = in_one_order(refs, hyps, rules.missing)
    units = units_by_place(n_units, names, len(left))
    return Pairs.from_lists(
        left, right, units, names, encoding=encoding, skipped=skipped, failures=failures
    )


def is_stored(given: Any) -> bool:
    """Whether the input is a path, or holds codings by coder, as a corpus does."""
    if isinstance(given, str | os.PathLike):
        return True
    if isinstance(given, Corpus):
        return bool(given)
    return isinstance(given, Mapping) and any(
        isinstance(codings, Mapping) for codings in given.values()
    )
