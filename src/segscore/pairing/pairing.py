"""References and hypotheses, paired by the names of documents: `pair` is the only place.

`corpus_of` (`segscore.pairing.inputs`) makes tables of codings of what people give; `pair` brings
them together by the rules (`segscore.pairing.rules`): the same documents on both sides, unless
those that a side lacks are skipped or counted (`segscore.pairing.failures`); the same text, where
both sides know theirs; the same number of units. It chooses rows and computes nothing. `score`
pairs one hypothesis, `compare` all runs of all systems at once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.corpus.codings import Codings, joined_rows
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import Provenance
from segscore.corpus.record import KINDS
from segscore.corpus.text_checks import unit_hash
from segscore.errors import SegmentationError, named
from segscore.pairing.consensus_rule import with_consensus
from segscore.pairing.documents import check_same_text, match_documents
from segscore.pairing.failures import Failures, Missing, counts_failures
from segscore.pairing.inputs import warn
from segscore.pairing.rules import DEFAULT_RULES, PairingRules

if TYPE_CHECKING:
    from segscore.pairing.masks import Cuts

Systems = dict[str, list[Codings]]  # the runs of each system, a coding per document


class Run(NamedTuple):
    """A run of a system: its coding of the document `numbers[i]` is row `rows[i]` of `codings`."""

    codings: Codings
    numbers: Int64Array
    rows: Int64Array


@dataclass(frozen=True)
class Paired:
    """References and systems on the same documents.

    documents: those that are scored, in the order of the reference. The references of document i
    are the rows `rows[starts[i]:starts[i+1]]` of `references`. failures: the documents without a
    hypothesis, by system. cuts: the parts that were cut out of all codings.
    """

    documents: Sequence[str]
    references: Codings
    rows: Int64Array
    starts: Int64Array
    systems: Mapping[str, Sequence[Run]]
    provenance: Provenance
    failures: Mapping[str, Failures]
    without_hypothesis: Sequence[str] = ()
    without_reference: Sequence[str] = ()
    cuts: "Cuts | None" = None


# ---- both sides ----


def pair(
    references: Codings,
    rows: Int64Array,
    systems: Systems,
    rules: PairingRules = DEFAULT_RULES,
    remark: Callable[[str], None] = warn,
) -> Paired:
    """Pair the reference rows of a table with the runs of systems, on the documents that the
    references and, in at least one run, every system have. A run has at most one coding of a
    document.

    remark: called with how well words were aligned.
    """
    names: Sequence[Any] = references.names_of(rows)
    names = names if references.one_at_most else list(dict.fromkeys(names))
    kept, lost, unknown, failures = names, list[str](), list[str](), dict[str, Failures]()
    if any(
        run.failures or not _same(_documents(run), names)
        for runs in systems.values()
        for run in runs
    ):
        kept, unknown = _matched(references, names, systems, rules.missing)
        there = set(kept)
        lost = [name for name in names if name not in there]
        failures = _failures(names, systems, rules.missing)
    if rules.align is not None:
        systems = _aligned(references.select(dict.fromkeys(kept)), systems, rules, remark)
    if counts_failures(rules.missing) and failures:
        systems = _with_failed_runs(systems, failures, references, rows)
    provenance = references.provenance
    for run in (run for runs in systems.values() for run in runs):
        if run.provenance is not provenance:
            cannot = f"cannot pair {references.source} and {run.source}"
            provenance = provenance.joined(run.provenance, cannot)
        if not rules.ignore_text and run.texts is not references.texts:
            _check_texts(references, run, kept)
    for failure in failures.values():
        provenance = failure.told(provenance)
    cuts = None
    if rules.mask is not None:
        from segscore.pairing.masks import Cuts

        tables = [references, *(run for runs in systems.values() for run in runs)]
        others = [name for table in tables for name in table.documents]
        n_units = {name: references.n_units_of(references.numbers[name]) for name in kept}
        cuts = Cuts.of(rules.mask, n_units, provenance, others)
        references, systems = cuts.of_tables(references, systems)
        provenance = cuts.told(provenance)
    rows, owners = _in_order(references, rows, kept)
    made = {
        name: [Run(run, *_in_order(run, np.arange(len(run)), kept)[::-1]) for run in runs]
        for name, runs in systems.items()
    }
    for each in (each for runs in made.values() for each in runs):
        _check_units(references, rows, owners, each)
    starts = starts_of(np.bincount(owners, minlength=len(kept)))
    return Paired(kept, references, rows, starts, made, provenance, failures, lost, unknown, cuts)


def _documents(run: Codings) -> Sequence[Any]:
    """The documents that a run has a coding of."""
    return run.names_of(np.arange(len(run)))


def _same(documents: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether these are the same documents in the same order; those of plain sequences are
    numbers."""
    return documents == others or (
        len(documents) == len(others) and list(documents) == list(others)
    )


def _matched(
    references: Codings, names: Sequence[Any], systems: Systems, missing: Missing
) -> tuple[Sequence[Any], list[Any]]:
    """The documents of the references that all systems have, and those without a reference."""
    unknown: list[Any] = []
    for runs in systems.values():
        done = dict.fromkeys(name for run in runs for name in _documents(run))
        found = match_documents(
            names, done, missing,
            reference=references.source, hypothesis=runs[0].source, reasons=reasons_of(runs),
        )  # fmt: skip
        names = names if counts_failures(missing) else found.documents
        unknown = found.without_reference
    return names, unknown


def _in_order(
    codings: Codings, rows: Int64Array, documents: Sequence[Any]
) -> tuple[Int64Array, Int64Array]:
    """The rows of these documents, in their order, and the place of each row's document."""
    named_rows = codings.names_of(rows)
    if _same(named_rows, documents):
        return rows, np.arange(len(rows))
    place = {name: number for number, name in enumerate(documents)}
    places = np.array([place.get(name, -1) for name in named_rows], np.int64)
    order = np.argsort(places, kind="stable")[int((places < 0).sum()) :]
    return rows[order], places[order]


def _aligned(
    references: Codings, systems: Systems, rules: PairingRules, remark: Callable[[str], None]
) -> Systems:
    """The runs on the units of the references, by their words; coders of the same text are."""
    from segscore.pairing.aligning import aligned_by_words

    return {
        name: [
            run if run.texts is references.texts
            else aligned_by_words(references, run, rules.max_error, remark)
            for run in runs
        ]
        for name, runs in systems.items()
    }  # fmt: skip


# ---- documents without a hypothesis ----


def reasons_of(runs: Iterable[Codings]) -> dict[str, str]:
    """Why documents have no hypothesis, where runs know the reason."""
    return {name: why for run in runs for name, why in run.failures.items()}


def _failures(names: Sequence[Any], systems: Systems, missing: Missing) -> dict[str, Failures]:
    """The documents with a reference but without a hypothesis, by system. A system with several
    runs (seeds, or folds that divide the documents) has a hypothesis if one of its runs has one; a
    run whose output could not be read still counts as failed there."""
    found: dict[str, Failures] = {}
    for system, runs in systems.items():
        reasons = reasons_of(runs)
        done = {name for run in runs for name in _documents(run)}
        counted = reasons if counts_failures(missing) else {}
        lost = [name for name in names if name not in done or name in counted]
        made = Failures.of(missing, lost, reasons, len(names))
        if made is not None:
            found[system] = made
    return found


def _with_failed_runs(
    systems: Systems, failures: Mapping[str, Failures], references: Codings, rows: Int64Array
) -> Systems:
    """The runs with a single segment for each document without a hypothesis. A run fails on
    documents whose output it could not read. On documents that no run has, all runs fail; or, if
    they divide the documents, the first. `rows` of `references` are the references."""
    units = dict(zip(references.names_of(rows), references.n_units[rows].tolist(), strict=True))
    known = {str(name): name for name in units}
    found = {}
    for system, runs in systems.items():
        lost = failures[system].reasons if system in failures else {}
        counts = Counter(str(name) for run in runs for name in _documents(run))
        shared_out = max(counts.values(), default=0) == 1
        filled = []
        for number, run in enumerate(runs):
            own = set(map(str, _documents(run)))
            mine = [name for name in lost if name in run.failures and name not in own]
            if not number or not shared_out:
                mine += [name for name in lost if name not in counts and name not in run.failures]
            if mine:
                missing = {known[name]: units[known[name]] for name in mine}
                run = _filled(run, missing, failures[system])  # noqa: PLW2901
            filled.append(run)
        found[system] = filled
    return found


def _filled(run: Codings, n_units: Mapping[Any, int], failures: Failures) -> Codings:
    """A run with a single segment in each of these documents, which are its failures."""
    coder = run.coders[0] if run.coders else "hypothesis"
    n = len(n_units)
    nothing = np.zeros(n + 1, np.int64), np.empty(0, np.int64)
    single = Codings.plain(
        list(n_units), coder, (np.array(list(n_units.values()), np.int64), *nothing)
    )
    every = joined_rows([run.part(np.arange(len(run))), single])
    return replace(
        every, texts=run.texts, source=run.source, scope=run.scope,
        failures={str(name): failures.reasons[str(name)] for name in n_units},
        provenance=failures.told(run.provenance),
    )  # fmt: skip


# ---- checks ----


def _check_units(references: Codings, rows: Int64Array, owners: Int64Array, run: Run) -> None:
    """Raise if a hypothesis has another number of units than a reference of its document."""
    row_of = np.full(owners[-1] + 1 if len(owners) else 0, -1)
    row_of[run.numbers] = run.rows
    theirs = row_of[owners]
    met, done = references.n_units[rows], run.codings.n_units[theirs]
    differs = np.flatnonzero((theirs >= 0) & (met != done))
    if differs.size:
        at = int(differs[0])
        row = int(rows[at])
        raise SegmentationError(
            f"document {references.document(row)!r}: {met[at]} units in the reference "
            f"({references.source}, coder {references.coder(row)!r}), {done[at]} units in the "
            f"hypothesis ({run.codings.source}): expected the same number; align='words', or "
            "segscore.corpus.align, brings a hypothesis with other words onto the units of its "
            "reference, if both sides have their text"
        )


def _check_texts(references: Codings, run: Codings, documents: Sequence[str]) -> None:
    """Raise if the texts of the two sides of a document differ, or the hashes of the units that
    people saw on an annotation page; an unknown text fits any."""
    sides = f"reference ({references.source})", f"hypothesis ({run.source})"
    if references.annotations or run.annotations:
        seen = _hashes_seen(references), _hashes_seen(run)
        for name in documents:
            if name not in seen[0] and name not in seen[1]:
                continue
            hashes = [
                known.get(name) or (unit_hash(table.texts[name]) if name in table.texts else None)
                for known, table in zip(seen, (references, run), strict=True)
            ]
            if None not in hashes and hashes[0] != hashes[1]:
                raise SegmentationError(
                    f"document {name!r}: the {sides[0]} and the {sides[1]} are codings of "
                    f"different texts (annotation.units of the {sides[name not in seen[0]]} is the "
                    "hash of its units): expected the same units; ignore_text=True compares the "
                    "boundaries anyway"
                )
    if not (references.texts and run.texts) or references.texts is run.texts:
        return
    for name in documents:
        if not references.texts.same(name, run.texts):
            check_same_text(name, references, run, sides=sides)


def _hashes_seen(codings: Codings) -> dict[str, str]:
    """The hash of the units that coders saw, by document; codings of one table agree on it."""
    return {
        codings.document(row): annotation.units
        for row, annotation in codings.annotations.items()
        if annotation.units is not None
    }


# ---- a reference and its hypotheses ----


def paired(
    reference: Codings,
    hypothesis: Codings | None = None,
    rules: PairingRules = DEFAULT_RULES,
    remark: Callable[[str], None] = warn,
) -> dict[str, Paired]:
    """Each coder of the hypothesis with the reference, in the order of its documents.

    Without `hypothesis`, the reference that the rules name is that of all other coders. Otherwise
    the reference is the only coding of each document, or that of the rules.
    """
    side = reference if hypothesis is None else hypothesis
    refs, wanted = reference, rules.reference
    if isinstance(wanted, str):
        refs, wanted = with_consensus(reference, wanted)
    wanted = [wanted] if isinstance(wanted, str) else wanted
    alone = hypothesis is None and refs is reference
    rows = reference_rows(refs, wanted, alone)
    numbered = [isinstance(given.documents, range) for given in (reference, side)]
    if any(numbered) and not _same(reference.documents, side.documents):
        counts = f"{len(reference.documents)} references and {len(side.documents)} hypotheses"
        raise SegmentationError(
            f"{counts}: expected as many of both"
            if all(numbered)
            else "one side has names of documents, the other is a plain sequence: expected two "
            "mappings from document name to segmentation (or files, or corpora), or two sequences "
            "in the same order"
        )
    coders = _hypothesis_coders(side, rules.hypothesis, (wanted or ()) if alone else ())
    found = {}
    for coder in coders:
        run = side
        if len(side.coders) != 1 or not side.one_each:
            of_coder = side.rows_of(coder) if coder in side.coders else np.empty(0, np.int64)
            run = replace(side.part(of_coder), texts=side.texts)
        source = f"coder {coder!r} of {side.source}" if coder != "hypothesis" else side.source
        found[coder] = pair(refs, rows, {coder: [replace(run, source=source)]}, rules, remark)
        if not found[coder].documents:
            raise SegmentationError("there is no document to score")
    return found


def reference_rows(
    reference: Codings, coders: Sequence[str] | None, alone: bool = False
) -> Int64Array:
    """The rows that are references: of these coders; by default the only coding of each document,
    all references in lists, or a consensus beside the people from whom it was made."""
    if alone and not coders:
        if len(reference.coders) == 1:
            raise SegmentationError(
                f"hyps is missing: {reference.source} has a single coder, {reference.coders[0]!r}"
            )
        raise SegmentationError(
            f"{reference.source} is to hold both sides: expected the coder that is the reference "
            f"(reference=), one of {named(reference.coders)}, to compare with the others"
        )
    if coders is not None:
        return np.sort(np.concatenate([reference.rows_of(coder) for coder in coders]))
    if reference.one_at_most or reference.listed:
        return np.arange(len(reference))
    gold = np.flatnonzero(reference.kinds == KINDS.index("consensus"))
    if np.array_equal(reference.document_of_rows[gold], np.arange(len(reference.documents))):
        return gold
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
    if wanted is not None and wanted not in coders:
        raise SegmentationError(
            f"the hypothesis is {wanted!r}: expected one of {named(coders)}, the coders of "
            f"{side.source}"
        )
    return coders if wanted is None else [wanted]
