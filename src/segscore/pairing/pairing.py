"""References and hypotheses, from files, corpora or mappings, paired by document name into `Pairs`.

The one way in for `score`, `compare` and `audit`, on the command line and in Python. Codings stay
in columns. Which documents are paired, and what is done about texts that differ, is settled in
`segscore.pairing.documents`; here it is applied to columns.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, shown
from segscore.basics.series import by_name
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.label_columns import pair_columns
from segscore.corpus.provenance import provenance_in
from segscore.errors import SegmentationError, named
from segscore.io.columns import Columns
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions, warn
from segscore.io.reading import PathLike, for_chunks, read_columns
from segscore.pairing.aligning import aligned_by_words
from segscore.pairing.documents import (
    Align,
    Missing,
    check_missing,
    check_same_text,
    match_documents,
)
from segscore.pairing.pairs import Pairs

References = Literal["one", "all"]


class Pairing(NamedTuple):
    """A hypothesis against the reference: the documents that both have, and the names of those
    that only one of them has."""

    hypothesis: str
    pairs: Pairs
    without_hypothesis: list[str]
    without_reference: list[str]


def read_pairs(
    reference: PathLike,
    hypothesis: PathLike | None = None,
    *,
    format: str | None = None,  # noqa: A002
    hypothesis_format: str | None = None,
    reference_coder: str | Sequence[str] | None = None,
    hypothesis_coder: str | None = None,
    references: References = "one",
    missing: Missing = "error",
    ignore_text: bool = False,
    encoding: str | None = None,
    choices: ReadOptions = DEFAULT_OPTIONS,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
) -> list[Pairing]:
    """Read what is to be scored: references and hypotheses, paired by document name.

    Both are files or folders in any format. The result has one pairing per coder of the hypothesis:
    `.hypothesis` (the coder's name), `.pairs` for `segscore.score`, and the names of documents that
    were left out because only one side has them.

    Parameters
    ----------
    reference, hypothesis
        Paths. Without `hypothesis`, the one file holds both: `reference_coder` is the reference,
        and each other coder a hypothesis.
    format, hypothesis_format
        Names of formats; by default each file is recognised by itself.
    reference_coder
        Whose codings are the reference, where documents have several; a list of coders, for
        metrics that take many references.
    hypothesis_coder
        Whose codings are the hypothesis; by default each coder makes a pairing.
    references
        `one` per document; or `all`, for metrics that take many references.
    missing
        What to do about documents that only one side has: `error`, or `skip` them.
    ignore_text
        Pair documents even if the two sides have different texts.
    encoding
        Of text files, on both sides.
    choices
        For files of annotation tools, on both sides.
    align, max_error
        `words` brings hypotheses onto the units of the reference if their words differ, up to a
        word error rate (`segscore.align`).
    """
    if hypothesis is not None:
        formats = format, hypothesis_format
        choices = for_chunks(reference, [hypothesis], formats, choices, encoding)
    ref = read_columns(reference, format, encoding=encoding, choices=choices)
    hyp = None
    if hypothesis is not None:
        hyp = read_columns(hypothesis, hypothesis_format, encoding=encoding, choices=choices)
    return pair(
        ref,
        hyp,
        reference_coder=reference_coder,
        hypothesis_coder=hypothesis_coder,
        references=references,
        missing=missing,
        ignore_text=ignore_text,
        align=align,
        max_error=max_error,
        remark=choices.remark,
    )


def pairs_of(
    refs: Any,
    hyps: Any = None,
    *,
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    missing: Missing = "error",
    ignore_text: bool = False,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
) -> Pairs:
    """The pairs of one hypothesis, where a side is a path, a corpus or a mapping.

    `reference` and `hypothesis` name the coders, where a side has several.
    """
    choices = DEFAULT_OPTIONS
    if isinstance(refs, str | os.PathLike) and isinstance(hyps, str | os.PathLike):
        choices = for_chunks(refs, [hyps], (None, None), choices)
    found = pair(
        as_columns(refs, "reference", choices),
        None if hyps is None else as_columns(hyps, "hypothesis", choices),
        reference_coder=reference,
        hypothesis_coder=hypothesis,
        missing=missing,
        ignore_text=ignore_text,
        align=align,
        max_error=max_error,
    )
    if len(found) > 1:
        raise SegmentationError(
            f"there are {len(found)} hypotheses, by {named(one.hypothesis for one in found)}: "
            "expected one: choose it by hypothesis="
        )
    return found[0].pairs


def as_columns(given: Any, side: str, choices: ReadOptions = DEFAULT_OPTIONS) -> Columns:
    """One side in columns: a path is read; a corpus or a mapping is taken apart."""
    if isinstance(given, str | os.PathLike):
        if not Path(given).exists():
            raise SegmentationError(
                f"the {side} is {shown(os.fspath(given), 100)}, and there is no such file: "
                "expected a path, a Corpus, or segmentations"
            )
        return read_columns(given, choices=choices)
    if not isinstance(given, Corpus):
        found = by_name(given, side)
        if found is None:
            raise SegmentationError(
                f"the {side} is {shown(given)}, without names of documents: expected a path, a "
                "Corpus, or a mapping from document to Segmentation, because the other side has "
                "names"
            )
        corpus = Corpus.from_dict(
            {
                str(name): {side: one} if isinstance(one, Segmentation) else one
                for name, one in found.items()
            },
            units={
                str(name): one.units
                for name, one in found.items()
                if isinstance(one, Document) and one.units is not None
            },
        )
        provenance = provenance_in(found, f"cannot take documents together as the {side}")
        return Columns.from_corpus(corpus, f"the {side}", provenance)
    return Columns.from_corpus(given, f"the {side}", given.provenance)


# ---- columns ----


def pair(
    reference: Columns,
    hypothesis: Columns | None = None,
    *,
    reference_coder: str | Sequence[str] | None = None,
    hypothesis_coder: str | None = None,
    references: References = "one",
    missing: Missing = "error",
    ignore_text: bool = False,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
    remark: Callable[[str], None] = warn,
    whole: bool = True,
) -> list[Pairing]:
    """Pair by document name: one pairing for each coder of the hypothesis.

    Without `hypothesis`, `reference_coder` is the reference for all other coders. Otherwise the
    reference is the one coding of each document, or that by `reference_coder`, or, with
    `references="all"`, every coding there is. Documents come in the order of the reference.
    Documents that only one side has are an error, or left out and listed with `missing="skip"`.

    references: `one` coding per document is the reference, or `all` are.
    hypothesis_coder: the only coder of the hypothesis to pair.
    align: `words` brings hypotheses with other words onto the units of the reference.
    max_error: the largest word error rate at which that is done.
    remark: is told how well it went; by default it is a warning.
    whole: False if both are parts of larger files, which need not have a document in common.
    """
    if references not in ("one", "all"):
        raise SegmentationError(f"references is {references!r}: expected 'one' or 'all'")
    check_missing(missing)
    wanted = [reference_coder] if isinstance(reference_coder, str) else reference_coder
    rows = _reference_rows(reference, wanted, references, hypothesis is None)
    side = reference if hypothesis is None else hypothesis
    if align is not None:
        check_choice(align, "align", ("words",))
        if hypothesis is not None:
            side = aligned_by_words(reference, side, max_error, remark)
    coders = [one for one in side.coders if hypothesis is not None or one not in (wanted or ())]
    if not coders:
        raise SegmentationError(f"{side.source} holds no hypothesis: expected at least one coding")
    if hypothesis_coder is not None:
        if hypothesis_coder not in coders:
            raise SegmentationError(
                f"the hypothesis is {hypothesis_coder!r}: expected one of {named(coders)}, the "
                f"coders of {side.source}"
            )
        coders = [hypothesis_coder]
    return [_pairing(reference, rows, side, coder, missing, ignore_text, whole) for coder in coders]


def _reference_rows(
    reference: Columns, coders: Sequence[str] | None, references: References, alone: bool
) -> Int64Array:
    """The rows that are references, those of a document next to each other."""
    if alone and (not coders or references == "all"):
        raise SegmentationError(
            f"{reference.source} is to hold both sides: expected the coder that is the reference "
            f"(reference=, --reference), one of {named(reference.coders)}, to compare with the "
            "others"
        )
    if coders is not None:
        if len(coders) == 1:
            return reference.rows_of(coders[0])
        return _by_document(
            reference, np.sort(np.concatenate([reference.rows_of(one) for one in coders]))
        )
    if reference.one_each:
        return np.arange(len(reference))
    if references == "all":
        return _by_document(reference, np.arange(len(reference)))
    name = Counter(reference.documents).most_common(1)[0][0]
    found = [reference.coder(row) for row, one in enumerate(reference.documents) if one == name]
    raise SegmentationError(
        f"{reference.source}: document {name!r} has {len(found)} codings, by {named(found)}: "
        "expected one as the reference: choose it by reference= (--reference)"
    )


def _by_document(columns: Columns, rows: Int64Array) -> Int64Array:
    """The rows sorted so that those of a document stand next to each other."""
    names = _names(columns, rows)
    order = {name: index for index, name in enumerate(dict.fromkeys(names))}
    places = np.fromiter((order[name] for name in names), np.int64, len(rows))
    return rows[np.argsort(places, kind="stable")]


def _pairing(
    reference: Columns,
    ref_rows: Int64Array,
    side: Columns,
    coder: str,
    missing: Missing,
    ignore_text: bool,
    whole: bool,
) -> Pairing:
    hyp_rows = side.rows_of(coder) if len(side.coders) > 1 else np.arange(len(side))
    hyp_names = _names(side, hyp_rows)
    ref_names = _names(reference, ref_rows)
    if ref_names == hyp_names:
        pairs = _pairs(reference, ref_rows, side, hyp_rows, ignore_text)
        return Pairing(coder, pairs, [], [])
    found = match_documents(
        ref_names, hyp_names, missing,
        reference=reference.source, hypothesis=f"coder {coder!r} of {side.source}", whole=whole,
    )  # fmt: skip
    row_of = dict(zip(hyp_names, hyp_rows.tolist(), strict=True))
    kept = [row for row, name in zip(ref_rows.tolist(), ref_names, strict=True) if name in row_of]
    taken = [row_of[name] for name in found.documents]
    pairs = _pairs(
        reference, np.array(kept, np.int64), side, np.array(taken, np.int64), ignore_text,
        found.skipped,
    )  # fmt: skip
    return Pairing(coder, pairs, found.without_hypothesis, found.without_reference)


def _pairs(
    reference: Columns,
    ref_rows: Int64Array,
    side: Columns,
    hyp_rows: Int64Array,
    ignore_text: bool,
    skipped: Sequence[str] = (),
) -> Pairs:
    """The pairs of chosen rows; where documents have several references, their rows in a row."""
    documents = _names(side, hyp_rows)
    groups = None
    owner = np.arange(len(hyp_rows))
    if len(ref_rows) != len(hyp_rows):
        place = {name: index for index, name in enumerate(documents)}
        owner = np.array([place[reference.documents[row]] for row in ref_rows], np.int64)
        groups = np.searchsorted(owner, np.arange(len(hyp_rows) + 1))
    units = side.n_units[hyp_rows]
    differs = np.flatnonzero(reference.n_units[ref_rows] != units[owner])
    if differs.size:
        _refuse_units(reference, int(ref_rows[differs[0]]), side, int(hyp_rows[owner[differs[0]]]))
    if not ignore_text:
        _check_texts(reference, side, documents)
    provenance = reference.provenance.joined(
        side.provenance, f"cannot pair {reference.source} and {side.source}"
    )
    if reference.details or side.details:
        refs: list[Any] = [reference.segmentation(row) for row in ref_rows.tolist()]
        hyps = [side.segmentation(row) for row in hyp_rows.tolist()]
        if groups is not None:
            refs = [refs[first:last] for first, last in pairwise(groups.tolist())]
        return Pairs.from_segmentations(
            refs, hyps, documents, provenance=provenance, skipped=skipped
        )
    return Pairs(
        units,
        *reference.boundaries(ref_rows),
        *side.boundaries(hyp_rows),
        documents,
        groups=groups,
        provenance=provenance,
        skipped=skipped,
        **pair_columns(reference.labels_of(ref_rows), side.labels_of(hyp_rows)),
    )


def _refuse_units(reference: Columns, ref_row: int, side: Columns, hyp_row: int) -> None:
    raise SegmentationError(
        f"document {reference.documents[ref_row]!r}: {reference.n_units[ref_row]} units in the "
        f"reference ({reference.source}, coder {reference.coder(ref_row)!r}), "
        f"{side.n_units[hyp_row]} in the hypothesis ({side.source}, coder "
        f"{side.coder(hyp_row)!r}): expected the same number; if both sides have their text, "
        "align='words' (--align words) brings the hypothesis onto the units of the reference"
    )


def _check_texts(reference: Columns, side: Columns, documents: Sequence[str]) -> None:
    """Refuse two sides with different texts; files without text cost nothing."""
    if not reference.texts or not side.texts or reference is side:
        return
    sides = f"reference ({reference.source})", f"hypothesis ({side.source})"
    for name in documents:
        if reference.texts.same(name, side.texts):
            continue
        check_same_text(name, reference.texts.get(name), side.texts.get(name), sides=sides)


def _names(columns: Columns, rows: Int64Array) -> Sequence[str]:
    if len(rows) == len(columns) and np.array_equal(rows, np.arange(len(rows))):
        return columns.documents
    return [columns.documents[row] for row in rows.tolist()]
