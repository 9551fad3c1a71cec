"""`check`: every rule, over all that is known of both sides; `quick_check`: the cheap ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from segscore.basics.arguments import check_choice, shown
from segscore.checking.contents import always_the_same, misread, other_scale, without_boundaries
from segscore.checking.findings import Finding, in_order
from segscore.checking.label_frames import free_matches, shifted
from segscore.checking.lengths import lengths
from segscore.checking.names import duplicate_texts, swapped, swapped_kinds
from segscore.checking.sides import Side, Sides
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLAIN, Provenance, provenance_in
from segscore.errors import SegmentationError, named
from segscore.pairing.inputs import NO_WORDS
from segscore.pairing.masks import Cuts, masked
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align, Mask

_ENOUGH = 500  # documents that a quick check looks at


def check(
    refs: Any,
    hyps: Any = None,
    *,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
    mask: Mask | Mapping[str, Mask] | None = None,
) -> list[Finding]:
    """Look for input that can be scored and is probably wrong; the gravest findings come first.

    `refs` and `hyps` are what `ss.score` takes: two sequences in the same order, two mappings from
    document name, one `Pairs`; or two corpora, or paths of them. Unlike `ss.score` it takes sides
    whose documents differ in their number of units. Of several references per document the first is
    looked at; every coder of a corpus of hypotheses is checked by themselves. `align`, `max_error`
    and `mask` are as in `ss.score`; nothing is cut out of documents that differ in their number of
    units.

    It finds (kind of the finding in brackets): a boundary at the first or last place of nearly
    every document on both sides, or the same last boundary (`free-match`); a side that is the other
    one, shifted by one place (`shifted`); one unit more everywhere (`one-unit-more`); units of
    different size (`unit-size`) and other differing lengths (`different-length`); positions read as
    masses and the reverse (`positions-as-masses`, `masses-as-positions`); documents without
    boundaries (`no-boundary`); the same hypothesis for all documents (`identical-hypotheses`); all
    boundaries on few positions (`few-positions`); and, in corpora, swapped sides (`swapped-sides`),
    one text under two names (`duplicate-texts`), documents of one side only (`missing-documents`).

    >>> import segscore as ss
    >>> refs = [ss.Segmentation.from_boundaries([n, n + 9, n + 20], 60) for n in range(2, 22)]
    >>> hyps = [ss.Segmentation.from_boundaries(ref.boundaries + 1, 60) for ref in refs]
    >>> for finding in ss.check(refs, hyps):
    ...     print(finding.kind, finding.sentence)
    shifted Moved one place back, the hypothesis has F1 1.000; as it is, 0.000.
    >>> ss.check(refs, refs)
    []
    """
    refs, hyps = _read(refs), _read(hyps)
    if isinstance(refs, Pairs):
        if hyps is not None:
            raise SegmentationError(
                "hyps and Pairs are both given, and Pairs hold both sides: give one of them"
            )
        pairs = refs if mask is None else masked(refs, mask)
        return in_order(list(_of_sides(Sides.of_pairs(pairs))))
    if hyps is None:
        raise SegmentationError("hyps is missing: expected as many segmentations as refs has")
    if align is not None:
        hyps = _aligned(refs, hyps, align, max_error)
    found = list(_of_corpora(refs, hyps))
    runs = _runs(hyps)
    for name, run in runs.items():
        whose = name if len(runs) > 1 else ""
        sides, missing = _paired(refs, run, mask)
        found += [one.of(whose) for one in (*missing, *_of_sides(sides))]
    return in_order(found)


def quick_check(
    pairs: Pairs, ref_names: Iterable[str] = (), hyp_names: Iterable[str] = ()
) -> list[Finding]:
    """The rules that need no text, on at most 500 documents, evenly spread.

    `ref_names` and `hyp_names` are what the sides are called. What is wrong with a whole corpus
    shows in a part of it, so that this costs little however large the corpus is.
    """
    sides = Sides.of_pairs(pairs, _ENOUGH)
    return in_order([*swapped(ref_names, hyp_names), *_of_sides(sides)])


def _of_sides(sides: Sides) -> Iterator[Finding]:
    """All rules that look at boundaries. What explains the rest keeps it silent."""
    wrong_numbers = list(misread(sides))
    yield from wrong_numbers
    yield from without_boundaries(sides)
    if wrong_numbers:
        return
    yield from lengths(sides)
    yield from free_matches(sides)
    yield from shifted(sides)
    yield from always_the_same(sides)
    yield from other_scale(sides)


def _of_corpora(refs: Any, hyps: Any) -> Iterator[Finding]:
    """The rules that look at names and texts."""
    for given in (refs, hyps):
        if isinstance(given, Corpus):
            texts = {name: one.units for name, one in given.items() if one.units is not None}
            if texts:  # the other side would say the same again
                yield from duplicate_texts(texts)
                break
    if isinstance(refs, Corpus) and isinstance(hyps, Corpus):
        yield from swapped_kinds(refs, hyps)


# ---- from what is given to columns ----


def _read(given: Any) -> Any:
    """A corpus instead of its path."""
    if isinstance(given, str | PathLike):
        from segscore.io import read

        return read(Path(given))
    return given


def _aligned(refs: Any, hyps: Any, align: Align, max_error: float) -> Corpus:
    """The hypotheses on the units of the references, by their words."""
    from segscore.io.read_options import warn
    from segscore.pairing.aligning import aligned_corpus

    check_choice(align, "align", ("words",))
    if not isinstance(refs, Corpus) or not isinstance(hyps, Corpus):
        raise SegmentationError(NO_WORDS)
    return aligned_corpus(refs, hyps, "the hypothesis", max_error, warn)


def _runs(hyps: Any) -> dict[str, Any]:
    """The hypotheses of each coder, by name; of anything but a corpus, as they are."""
    if not isinstance(hyps, Corpus) or hyps.coder_scope == "local":
        return {"": hyps}
    return {
        coder: {name: by[coder] for name, by in hyps.items() if coder in by}
        for coder in hyps.coders
    }


def _paired(
    refs: Any, hyps: Any, mask: Mask | Mapping[str, Mask] | None
) -> tuple[Sides, list[Finding]]:
    """Both sides in columns, and a finding about documents that only one has."""
    missing: list[Finding] = []
    if isinstance(refs, Mapping) and isinstance(hyps, Mapping):
        common = [name for name in refs if name in hyps]
        alone = [
            *(one for one in refs if one not in hyps),
            *(one for one in hyps if one not in refs),
        ]
        if alone:
            missing.append(_missing(alone, len(common)))
        names = [str(name) for name in common]
        left, right = [refs[name] for name in common], [hyps[name] for name in common]
    elif isinstance(refs, Mapping) or isinstance(hyps, Mapping):
        raise SegmentationError(
            "one of refs and hyps is a mapping, the other is not: expected two mappings, two "
            "sequences, or two corpora"
        )
    else:
        left, right = _sequence(refs, "refs"), _sequence(hyps, "hyps")
        names = [str(index) for index in range(len(left))]
        if len(left) != len(right):
            raise SegmentationError(
                f"{len(left)} references and {len(right)} hypotheses: expected as many of both"
            )
    if not names:
        raise SegmentationError(
            "refs and hyps have no document in common: there is nothing to check"
        )
    left = [_first(one, name, "reference") for one, name in zip(left, names, strict=True)]
    right = [_first(one, name, "hypothesis") for one, name in zip(right, names, strict=True)]
    if mask is not None:
        known = provenance_in(refs, "cannot check") if isinstance(refs, Mapping) else PLAIN
        left, right = _without_parts(names, left, right, mask, known)
    return Sides(names, _side(left), _side(right)), missing


def _without_parts(
    names: list[str],
    left: list[Segmentation],
    right: list[Segmentation],
    mask: Mask | Mapping[str, Mask],
    provenance: Provenance,
) -> tuple[list[Segmentation], list[Segmentation]]:
    """Both sides without what is not scored, where they have as many units."""
    known = {
        name: ref.n_units
        for name, ref, hyp in zip(names, left, right, strict=True)
        if ref.n_units == hyp.n_units
    }
    cuts = Cuts.of(mask, known, provenance, names)

    def cut(side: list[Segmentation], what: str) -> list[Segmentation]:
        return [
            cuts.of_document(name, one, what) if name in known else one
            for name, one in zip(names, side, strict=True)
        ]

    return cut(left, "the reference"), cut(right, "the hypothesis")


def _missing(alone: Sequence[Any], common: int) -> Finding:
    names = tuple(str(name) for name in alone)
    return Finding(
        "missing-documents",
        "error",
        f"Only one side has {named(names)}; both have {common}.",
        {"alone": len(names), "common": common},
        names,
        "Give both sides the same documents, under the same names.",
    )


def _sequence(given: Any, what: str) -> list[Any]:
    if isinstance(given, Segmentation | str | bytes) or not isinstance(given, Iterable):
        raise SegmentationError(
            f"{what} is {shown(given)}: expected a sequence or a mapping of "
            "segmentations, or a Corpus"
        )
    return list(given)


def _first(given: Any, name: str, what: str) -> Segmentation:
    """A coding of a document, of several the first."""
    several = list(given.values()) if isinstance(given, Mapping) else given
    first = several[0] if isinstance(several, list | tuple) and several else several
    if not isinstance(first, Segmentation):
        raise SegmentationError(
            f"document {name!r}: {what} is {shown(given)}: expected a Segmentation"
        )
    return first


def _side(codings: list[Segmentation]) -> Side:
    """Segmentations as columns."""
    counts = [len(one.packed) // 8 for one in codings]
    return Side(
        np.array([one.n_units for one in codings], np.int64),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.frombuffer(b"".join(one.packed for one in codings), np.int64),
    )
