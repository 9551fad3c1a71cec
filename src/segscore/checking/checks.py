"""`check` applies every rule to all that is known about both sides; `quick_check` the cheap
rules."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from segscore.checking import coder_rules, match_rules, number_rules
from segscore.checking.findings import BothSides, CheckedSide, Finding, f_of, in_order
from segscore.coding.scored import ScoredBoundaries
from segscore.corpus import Codings, Corpus
from segscore.errors import SegmentationError, named
from segscore.metrics import Metric, distinct_metrics
from segscore.pairing.inputs import PATHS, Reader, corpus_of
from segscore.pairing.masks import Cuts, cut_out, masked_codings
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import PairingRules, split_options

if TYPE_CHECKING:
    from segscore.scoring.scoring import Options

_ENOUGH = 500  # documents that a quick check looks at
_FITS = 0.5  # F of hypotheses that belong to their documents


def check(
    refs: Any,
    hyps: Any = None,
    *,
    metrics: str | Metric | Iterable[str | Metric] = (),
    **options: "Unpack[Options]",
) -> list[Finding]:
    """Find input that is probably wrong, though it can be scored; the gravest findings come first.

    `refs` and `hyps` are what `ss.score` takes: two sequences in the same order, two mappings from
    document name, one `Pairs`; or two corpora, or paths of them. Unlike `ss.score` it accepts sides
    whose documents differ in their number of units. It uses the first of several references per
    document, and checks every coder of a corpus of hypotheses separately. `align`, `max_error`,
    `mask`, formats and the keywords of `ss.read` are as in `ss.score`; the mask does not apply to
    documents that differ in their number of units. `metrics` are the metrics that you want to use,
    so that a finding can report a tolerance that is too wide, or units of time that are too fine
    for it. `hyps` may also be scores, as for `ss.curve`. If `refs` is a single corpus and there are
    no `hyps`, its coders are checked, each alone and with the others.

    It finds labels in the wrong frame; sides that are shifted, swapped, equal, repeated or in
    another order; padding; output that stops early; units of different size; and numbers of
    the wrong kind. The page docs/checking.md lists every kind of finding, its likely cause and its
    rate of false alarms.

    >>> import segscore as ss
    >>> refs = [ss.Segmentation.from_boundaries([n, n + 9, n + 20], 60) for n in range(2, 22)]
    >>> hyps = [ss.Segmentation.from_boundaries(ref.boundaries + 1, 60) for ref in refs]
    >>> for finding in ss.check(refs, hyps):
    ...     print(finding.kind, finding.sentence)
    shifted Moved one position back, the hypothesis has F1 1.000; as it is, 0.000.
    >>> ss.check(refs, refs)[0].sentence
    'The hypothesis is the same as the reference in all 20 documents (60 boundaries).'
    """
    rules, reading = split_options(check, options, own=("align", "max_error", "mask"))
    mask = rules.mask
    refs, hyps, reader = _read(refs, hyps, rules, reading)
    wanted = list(distinct_metrics(metrics).values()) if metrics else []
    if isinstance(refs, Pairs):
        if hyps is not None:
            raise SegmentationError(
                "hyps and Pairs are both given, and Pairs hold both sides: give one of them"
            )
        pairs = refs if mask is None else refs.masked(mask)
        return in_order(list(_of_sides(BothSides.of_pairs(pairs), wanted)))
    if hyps is None and isinstance(refs, Corpus):
        return _of_corpus(refs if mask is None else cut_out(refs, mask), wanted)
    if _are_scores(hyps):
        return _of_scores(refs, hyps)
    if hyps is None:
        raise SegmentationError("hyps is missing: expected as many segmentations as refs has")
    if rules.align is not None:
        from segscore.pairing.masks import aligned_by_words

        both = corpus_of(refs, "reference"), corpus_of(hyps, "hypothesis")
        hyps = _corpus(aligned_by_words(*both, rules.max_error, reader.remark))
    found = list(_of_corpora(refs, hyps))
    left, runs = _firsts(corpus_of(refs, "reference")), _runs(hyps)
    if isinstance(refs, Mapping) != isinstance(hyps, Mapping):
        raise SegmentationError(
            "one of refs and hyps is a mapping, the other is not: expected two mappings, two "
            "sequences, or two corpora"
        )
    for name, run in runs.items():
        whose = name if len(runs) > 1 else ""
        sides, missing = _paired(left, run, isinstance(refs, Mapping), rules)
        found += [finding.of(whose) for finding in (*missing, *_of_sides(sides, wanted))]
    return in_order(found)


def quick_check(
    pairs: Pairs,
    ref_names: Iterable[str] = (),
    hyp_names: Iterable[str] = (),
    metrics: Iterable[Metric] = (),
) -> list[Finding]:
    """The rules that need no text, on at most 500 documents, evenly spread.

    `ref_names` and `hyp_names` are the names of the sides. A fault of a whole corpus shows in a
    part of it, so this costs little, however large the corpus is.
    """
    sides = BothSides.of_pairs(pairs, _ENOUGH)
    return in_order([*coder_rules.swapped(ref_names, hyp_names), *_of_sides(sides, metrics)])


def _of_sides(sides: BothSides, metrics: Iterable[Metric] = ()) -> Iterator[Finding]:
    """The findings about boundaries; a finding that explains others suppresses them."""
    if not len(sides):
        return
    yield from number_rules.unfit_metrics(sides, metrics)
    yield from number_rules.days_long(sides)
    wrong_numbers: list[Finding] = []
    for (name, side), other in zip(sides.named_sides, (sides.hyp, sides.ref), strict=True):
        wrong_numbers += number_rules.positions_as_masses(sides, name, side)
        wrong_numbers += number_rules.masses_as_positions(sides, name, side, other)
    yield from wrong_numbers
    yield from number_rules.without_boundaries(sides)
    if wrong_numbers:
        return
    if not np.array_equal(sides.ref.n_units, sides.hyp.n_units):
        yield from number_rules.unlike_lengths(sides)
    two = sides.comparable()
    if not len(two):
        return
    moved = list(match_rules.shifted(two))
    yield from match_rules.free_matches(two)
    yield from moved
    yield from number_rules.padded(two)
    yield from match_rules.equal_sides(sides)
    yield from match_rules.identical_hypotheses(two)
    yield from match_rules.repeated(sides)
    if not moved and len(two) >= match_rules.SEVERAL and f_of(two.matches(), two.total) < _FITS:
        yield from match_rules.other_order(two)
    yield from number_rules.stops_early(two)


def _of_one_side(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """The findings about one side alone, given as both."""
    if not len(sides):
        return
    yield from number_rules.unfit_metrics(sides, metrics)
    yield from number_rules.days_long(sides)
    yield from number_rules.side_without_boundaries(sides)
    wrong_numbers = list(number_rules.positions_as_masses(sides, "codings", sides.ref))
    wrong_numbers += number_rules.masses_as_positions(sides, "codings", sides.ref, sides.ref)
    yield from wrong_numbers
    if not wrong_numbers:
        yield from number_rules.padded(sides.comparable(), "")
        yield from match_rules.repeated_codings(sides)


def check_coders(corpus: Corpus) -> list[Finding]:
    """What is probably wrong with the coders of a corpus, as `agree` uses them; a consensus is left
    out."""
    codings = corpus.columns.without_consensus()
    found = list(coder_rules.spellings(corpus))
    for rule in (coder_rules.no_people, coder_rules.made_from_others, coder_rules.same_places):
        found += rule(codings)
    if corpus.coder_scope == "global":
        found += coder_rules.one_coder_twice(codings)
    return in_order(found)


def _of_corpus(corpus: Corpus, metrics: Iterable[Metric]) -> list[Finding]:
    """The findings about the coders of a corpus, about each of them alone, and about its texts."""
    found = check_coders(corpus)
    sides = coder_rules.sides_of_coders(corpus.columns.without_consensus())
    for coder, side in sides.items():
        whose = coder if len(sides) > 1 else ""
        found += [finding.of(whose) for finding in _of_one_side(side, metrics)]
    return in_order([*found, *coder_rules.duplicate_texts(corpus)])


def _of_corpora(refs: Any, hyps: Any) -> Iterator[Finding]:
    """The findings about names and texts."""
    corpora = (given for given in (refs, hyps) if isinstance(given, Corpus))
    twice = (list(coder_rules.duplicate_texts(corpus)) for corpus in corpora)
    yield from next(filter(None, twice), [])  # the other side would say the same again
    if isinstance(refs, Corpus) and isinstance(hyps, Corpus):
        yield from coder_rules.swapped_kinds(refs, hyps)


def _are_scores(hyps: Any) -> bool:
    """Whether these are scores of positions, and not segmentations."""
    given = hyps.values() if isinstance(hyps, Mapping) else hyps
    return isinstance(given, Collection) and any(
        isinstance(scores, ScoredBoundaries) for scores in given
    )


def _of_scores(refs: Any, scores: Any) -> list[Finding]:
    """The findings about scores, for documents that both sides have."""
    table = _firsts(corpus_of(refs, "reference"))
    rows = {name: int(table.starts[number]) for name, number in table.numbers.items()}
    if not isinstance(scores, Mapping):
        if len(table) != len(scores):
            raise SegmentationError(
                f"{len(table)} references and {len(scores)} lists of scores: expected the same "
                "number"
            )
        scores = dict(zip(table.documents, scores, strict=True))
    names = [name for name in scores if name in rows]
    both = [(table.segmentation(rows[name]), scores[name]) for name in names]
    return match_rules.check_scores(both, list(map(str, names)))


# ---- from what is given to columns ----


def _read(
    refs: Any, hyps: Any, rules: PairingRules, reading: Mapping[str, Any]
) -> tuple[Any, Any, Reader]:
    """Both sides, with the corpora at paths."""
    reader = Reader.of(reading, refs, [hyps], rules.ignore_text)
    refs, hyps = (
        _corpus(corpus_of(given, side, reader)) if isinstance(given, PATHS) else given
        for given, side in ((refs, "reference"), (hyps, "hypothesis"))
    )
    reader.finish()
    return refs, hyps, reader


def _corpus(codings: Codings) -> Corpus:
    return Corpus.from_columns(codings, codings.scope, codings.provenance)


def _runs(hyps: Any) -> dict[str, Codings]:
    """The hypotheses of each coder, by name; anything but a corpus is a single run."""
    codings = corpus_of(hyps, "hypothesis")
    if not isinstance(hyps, Corpus) or codings.scope == "local":
        return {"": _firsts(codings)}
    return {coder: codings.part(codings.rows_of(coder)) for coder in codings.coders}


def _firsts(codings: Codings) -> Codings:
    """A single coding of each document, the first of several."""
    if codings.one_each:
        return codings
    first_rows = codings.starts[np.flatnonzero(np.diff(codings.starts))]
    return codings.part(first_rows, np.arange(len(codings.documents)))


def _paired(
    left: Codings, right: Codings, named_sides: bool, rules: PairingRules
) -> tuple[BothSides, list[Finding]]:
    """Both sides in columns, and a finding about documents that only one side has."""
    common = [name for name in left.documents if name in right.numbers]
    alone = [name for name in left.documents if name not in right.numbers]
    alone += [name for name in right.documents if name not in left.numbers]
    missing: list[Finding] = []
    if not named_sides and len(left) != len(right):
        raise SegmentationError(
            f"{len(left)} references and {len(right)} hypotheses: expected the same number"
        )
    if not common:
        raise SegmentationError(
            "refs and hyps have no document in common: there is nothing to check"
        )
    if alone:
        names = tuple(map(str, alone))
        missing.append(
            Finding(
                "missing-documents",
                "error",
                f"Only one side has {named(names)}; both have {len(common)}.",
                {"alone": len(names), "common": len(common)},
                names,
                "Give both sides the same documents, under the same names.",
            )
        )
    left, right = _without_parts(common, left, right, rules)
    known, details = left.provenance or right.provenance, _same_details(left, right, common)
    sides = _side(left, common), _side(right, common)
    return BothSides(list(map(str, common)), *sides, known, details), missing


def _same_details(left: Codings, right: Codings, documents: Sequence[str]) -> bool:
    """Whether both sides have the same types, ranks and labels, or none."""
    sides = (left, right)
    if not any(side.labels is not None or side.details for side in sides):
        return True
    ref, hyp = (
        [side.segmentation(int(side.starts[side.numbers[name]])) for name in documents]
        for side in sides
    )
    return ref == hyp


def _without_parts(
    common: list[str], left: Codings, right: Codings, rules: PairingRules
) -> tuple[Codings, Codings]:
    """Both sides without masked parts, for documents with the same number of units."""
    if rules.mask is None:
        return left, right
    both = {name: (left.numbers[name], right.numbers[name]) for name in common}
    known = {
        name: left.n_units_of(number)
        for name, (number, other) in both.items()
        if left.n_units_of(number) == right.n_units_of(other)
    }
    cuts = Cuts.of(rules.mask, known, left.provenance, common)
    left = masked_codings(left, cuts, "the reference")
    return left, masked_codings(right, cuts, "the hypothesis")


def _side(codings: Codings, documents: Sequence[str]) -> CheckedSide:
    """The rows of some documents."""
    numbers = np.arange(len(documents))
    if documents != codings.documents:
        numbers = np.array([codings.numbers[name] for name in documents])
    rows, without = codings.starts[numbers], np.diff(codings.starts)[numbers] == 0
    if without.any():
        name = documents[int(without.argmax())]
        raise SegmentationError(f"document {name!r} has no coding: expected a Segmentation")
    return CheckedSide(codings.n_units[rows], codings.offsets, codings.positions, rows)
