"""References and hypotheses, from files, corpora or mappings, paired by document name into `Pairs`.

Pairing chooses rows of two tables of codings by the rules (`segscore.pairing.rules`).
`segscore.pairing.documents` decides which documents both sides have, and whether their texts are
the same.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, shown
from segscore.basics.series import by_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import provenance_in
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError, named
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions, warn
from segscore.io.reading import finish_reading, read_columns
from segscore.io.source_files import PathLike, for_chunks
from segscore.pairing.aligning import aligned_by_words
from segscore.pairing.annotated_texts import check_annotated_texts
from segscore.pairing.consensus_rule import with_consensus
from segscore.pairing.documents import (
    Matched,
    check_same_text,
    failures_of,
    match_documents,
    with_segments,
)
from segscore.pairing.failures import Failures, counts_failures
from segscore.pairing.masks import masked
from segscore.pairing.pairs import Pairs
from segscore.pairing.row_pairs import pairs_of_rows
from segscore.pairing.rules import DEFAULT_RULES, NOTHING, PairingRules, is_path, read_how

Formats = tuple[str | None, str | None]  # of the reference, of the hypothesis; None: recognised


class Pairing(NamedTuple):
    """A hypothesis and its reference: the documents that both have, and the names of those that
    only one of them has."""

    hypothesis: str
    pairs: Pairs
    without_hypothesis: list[str]
    without_reference: list[str]


# ---- from what is given to tables of codings ----


def read_pairs(
    reference: PathLike,
    hypothesis: PathLike | None = None,
    rules: PairingRules = DEFAULT_RULES,
    formats: Formats = (None, None),
    choices: ReadOptions = DEFAULT_OPTIONS,
) -> list[Pairing]:
    """Read references and hypotheses, and pair them by document name.

    Both are files or folders in any format. The result has a pairing per coder of the hypothesis:
    `.hypothesis` (the coder's name), `.pairs` for `segscore.score`, and the names of documents that
    were left out because only one side has them.

    reference, hypothesis: paths. Without `hypothesis`, a single file holds both: the rules name the
        reference, and each other coder is a hypothesis.
    rules: how they are paired.
    formats: the names of both formats; None: the file is recognised.
    choices: how files are read, on both sides.
    """
    if hypothesis is None:
        return paired(read_columns(reference, formats[0], choices), None, rules, choices.remark)
    choices = for_chunks(reference, [hypothesis], formats, choices)
    ref = read_columns(reference, formats[0], choices)
    return paired(ref, read_columns(hypothesis, formats[1], choices), rules, choices.remark)


def pairs_of(
    refs: Any,
    hyps: Any = None,
    rules: PairingRules = DEFAULT_RULES,
    reading: Mapping[str, Any] = NOTHING,
) -> Pairs:
    """The pairs of a hypothesis, if a side is a path, a corpus or a mapping."""
    choices, formats = read_how(reading, rules)
    if is_path(refs) and is_path(hyps):
        choices = for_chunks(refs, [hyps], formats, choices)
    found = paired(
        as_codings(refs, "reference", choices, formats[0]),
        None if hyps is None else as_codings(hyps, "hypothesis", choices, formats[1]),
        rules,
        choices.remark,
    )
    finish_reading(choices, [each for each in (refs, hyps) if is_path(each)], reading)
    if len(found) > 1:
        raise SegmentationError(
            f"there are {len(found)} hypotheses, by "
            f"{named(pairing.hypothesis for pairing in found)}: expected one: choose it by "
            "hypothesis="
        )
    return found[0].pairs


def as_codings(
    given: Any, side: str, choices: ReadOptions = DEFAULT_OPTIONS, form: str | None = None
) -> Codings:
    """A side as a table: a path is read (in the given format, if any), a corpus has a table, and a
    mapping becomes one."""
    if is_path(given):
        if not os.path.exists(given):
            raise SegmentationError(
                f"the {side} is {shown(os.fspath(given), 100)}, and there is no such file: "
                "expected a path, a Corpus, or segmentations"
            )
        return read_columns(given, form, choices)
    if form is not None:
        raise SegmentationError(
            f"the {side} has the format {form!r}, and is not a path: expected a file or a folder"
        )
    if isinstance(given, Corpus):
        return replace(given.columns, source=f"the {side}")
    found = by_name(given, side)
    if found is None:
        raise SegmentationError(
            f"the {side} is {shown(given)}, without names of documents: expected a path, a "
            "Corpus, or a mapping from document to Segmentation, because the other side has names"
        )
    provenance = provenance_in(found, f"cannot take documents together as the {side}")
    corpus = Corpus.from_dict(
        {
            str(name): {side: codings} if isinstance(codings, Segmentation) else codings
            for name, codings in found.items()
        },
        units={
            str(name): document.units
            for name, document in found.items()
            if isinstance(document, Document) and document.units is not None
        },
    )
    return replace(corpus.columns, source=f"the {side}", provenance=provenance)


# ---- from tables to pairs ----


def paired(
    reference: Codings,
    hypothesis: Codings | None = None,
    rules: PairingRules = DEFAULT_RULES,
    remark: Callable[[str], None] = warn,
) -> list[Pairing]:
    """Pair by document name: a pairing for each coder of the hypothesis.

    Without `hypothesis`, the reference that the rules name is that of all other coders. Otherwise
    the reference is the only coding of each document, or that of the rules. Documents come in the
    order of the reference.

    remark: called with how well words were aligned; by default a warning.
    """
    side = reference if hypothesis is None else hypothesis
    refs, wanted = reference, rules.reference
    if isinstance(wanted, str):
        refs, wanted = with_consensus(reference, wanted)
    alone = hypothesis is None and refs is reference
    wanted = [wanted] if isinstance(wanted, str) else wanted
    rows = _reference_rows(refs, wanted, alone)
    if rules.align is not None and hypothesis is not None:
        side = aligned_by_words(refs, side, rules.max_error, remark)
    coders = _hypothesis_coders(side, rules.hypothesis, (wanted or ()) if alone else ())
    found = [_pairing(refs, rows, side, coder, rules) for coder in coders]
    if rules.mask is None:
        return found
    return [pairing._replace(pairs=masked(pairing.pairs, rules.mask)) for pairing in found]


def _reference_rows(reference: Codings, coders: Sequence[str] | None, alone: bool) -> Int64Array:
    """The rows that are references; the reference rows of a document are adjacent."""
    if alone and not coders:
        raise SegmentationError(
            f"{reference.source} is to hold both sides: expected the coder that is the reference "
            f"(reference=), one of {named(reference.coders)}, to compare with the "
            "others"
        )
    if coders is not None:
        return np.sort(np.concatenate([reference.rows_of(coder) for coder in coders]))
    if reference.one_at_most:
        return np.arange(len(reference))
    gold = np.flatnonzero(reference.kinds == KINDS.index("consensus"))
    if np.array_equal(reference.document_of_rows[gold], np.arange(len(reference.documents))):
        return gold  # one for each document, beside the people from whom it was made
    number = int(np.diff(reference.starts).argmax())
    found = reference.codings_of(number)[0]
    raise SegmentationError(
        f"{reference.source}: document {reference.documents[number]!r} has {len(found)} codings, "
        f"by {named(found)}: expected one as the reference: choose it by reference="
    )


def _hypothesis_coders(side: Codings, wanted: str | None, taken: Sequence[str]) -> list[str]:
    """The coders whose codings are hypotheses: the given coder, or all but those who are
    references."""
    coders = [coder for coder in side.coders if coder not in taken]
    if not coders and side.failures:  # every output of a model is unusable
        coders = [wanted or "hypothesis"]
    if not coders:
        raise SegmentationError(f"{side.source} holds no hypothesis: expected at least one coding")
    if wanted is None:
        return coders
    if wanted not in coders:
        raise SegmentationError(
            f"the hypothesis is {wanted!r}: expected one of {named(coders)}, the coders of "
            f"{side.source}"
        )
    return [wanted]


def _pairing(
    reference: Codings,
    ref_rows: Int64Array,
    side: Codings,
    coder: str,
    rules: PairingRules,
) -> Pairing:
    hyp_rows = side.rows_of(coder) if coder in side.coders else np.empty(0, np.int64)
    hyp_names, ref_names = side.names_of(hyp_rows), reference.names_of(ref_rows)
    if ref_names == hyp_names:
        pairs = _pairs(reference, ref_rows, side, hyp_rows, rules.ignore_text)
        return Pairing(coder, pairs, [], [])
    found = match_documents(
        ref_names, hyp_names, rules.missing,
        reference=reference.source, hypothesis=f"coder {coder!r} of {side.source}",
        reasons=side.failures,
    )  # fmt: skip
    if counts_failures(rules.missing):
        return _with_failures(reference, ref_rows, side, coder, found, rules)
    row_of = dict(zip(hyp_names, hyp_rows.tolist(), strict=True))
    kept = [row for row, name in zip(ref_rows.tolist(), ref_names, strict=True) if name in row_of]
    taken = [row_of[name] for name in found.documents]
    pairs = _pairs(
        reference, np.array(kept, np.int64), side, np.array(taken, np.int64), rules.ignore_text,
        found.skipped, failures_of(found, side.failures, rules.missing),
    )  # fmt: skip
    return Pairing(coder, pairs, found.without_hypothesis, found.without_reference)


def _with_failures(
    reference: Codings,
    ref_rows: Int64Array,
    side: Codings,
    coder: str,
    found: Matched,
    rules: PairingRules,
) -> Pairing:
    """The pairing with a single segment for each missing hypothesis."""
    names = reference.names_of(ref_rows)
    units = dict(zip(names, reference.n_units[ref_rows].tolist(), strict=True))
    lost = found.without_hypothesis
    own = side.part(side.rows_of(coder)) if coder in side.coders else None
    every = with_segments(own, coder, {name: units[name] for name in lost}, side)
    rows = np.array([every.numbers[name] for name in units], np.int64)
    place = {name: row for row, name in enumerate(units)}
    failures = failures_of(found, side.failures, rules.missing, [place[name] for name in lost])
    pairs = _pairs(reference, ref_rows, every, rows, rules.ignore_text, (), failures)
    return Pairing(coder, pairs, [], [])


def _pairs(
    reference: Codings,
    ref_rows: Int64Array,
    side: Codings,
    hyp_rows: Int64Array,
    ignore_text: bool,
    skipped: Sequence[str] = (),
    failures: Failures | None = None,
) -> Pairs:
    """The pairs of rows of the same documents, which may have several references."""
    documents = side.names_of(hyp_rows)
    groups = None
    owner = np.arange(len(hyp_rows))
    if len(ref_rows) != len(hyp_rows):
        place = {name: index for index, name in enumerate(documents)}
        owner = np.array([place[name] for name in reference.names_of(ref_rows)], np.int64)
        groups = np.searchsorted(owner, np.arange(len(hyp_rows) + 1))
    differs = np.flatnonzero(reference.n_units[ref_rows] != side.n_units[hyp_rows][owner])
    if differs.size:
        _refuse_units(reference, int(ref_rows[differs[0]]), side, int(hyp_rows[owner[differs[0]]]))
    if not ignore_text:
        _check_texts(reference, side, documents)
    provenance = reference.provenance.joined(
        side.provenance, f"cannot pair {reference.source} and {side.source}"
    )
    return pairs_of_rows(
        reference, ref_rows, side, hyp_rows, groups, documents=documents, provenance=provenance,
        skipped=skipped, failures=failures,
    )  # fmt: skip


def _refuse_units(reference: Codings, ref_row: int, side: Codings, hyp_row: int) -> None:
    raise SegmentationError(
        f"document {reference.document(ref_row)!r}: {reference.n_units[ref_row]} units in the "
        f"reference ({reference.source}, coder {reference.coder(ref_row)!r}), "
        f"{side.n_units[hyp_row]} in the hypothesis ({side.source}, coder "
        f"{side.coder(hyp_row)!r}): expected the same number; if both sides have their text, "
        "align='words' brings the hypothesis onto the units of the reference"
    )


def _check_texts(reference: Codings, side: Codings, documents: Sequence[str]) -> None:
    """Raise if the texts of the two sides differ."""
    sides = f"reference ({reference.source})", f"hypothesis ({side.source})"
    check_annotated_texts(reference, side, documents, sides)
    if not (reference.texts and side.texts) or reference.texts is side.texts:
        return
    for name in documents:
        if reference.texts.same(name, side.texts):
            continue
        check_same_text(name, reference, side, sides=sides)
