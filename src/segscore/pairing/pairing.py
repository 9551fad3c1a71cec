"""References and hypotheses, paired by the names of documents: `pair` is the only place.

`corpus_of` (`segscore.pairing.inputs`) makes tables of codings of what people give; `pair` brings
them together by the rules (`segscore.pairing.rules`), which are the same for `score`, `compare`
and `audit`, from files and in Python: both sides have the same documents, unless those that a side
lacks are skipped or counted (`segscore.pairing.rules`); the same text, where both know theirs;
the same number of units. It chooses rows and computes nothing. `score` pairs one hypothesis,
`compare` all runs of all systems at once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.corpus import Codings, Provenance
from segscore.corpus.lists import first_difference
from segscore.corpus.record import KINDS, unit_hash
from segscore.errors import SegmentationError, named
from segscore.pairing.inputs import NOTHING, warn_of_reading
from segscore.pairing.rules import (
    COUNTED,
    DEFAULT_RULES,
    Failures,
    Missing,
    PairingRules,
    Reasons,
    agreed_codings,
    consensus_rule,
)

if TYPE_CHECKING:
    from segscore.pairing.masks import Cuts

Systems = Mapping[str, list[Codings]]  # the runs of each system, a coding per document

_FEW = 3  # names of documents in a message: they show how sides differ


@dataclass(frozen=True)
class Paired:
    """References and systems on the same documents.

    references: the documents that are scored; each row is a reference of its document. systems: the
    runs of each system, with one coding of each of these documents, in their order; a run may lack
    documents that other runs have. failures: the documents without a hypothesis, by system. cuts:
    the parts that were cut out of all codings.
    """

    references: Codings
    systems: Systems
    provenance: Provenance
    failures: Mapping[str, Failures]
    without_hypothesis: Sequence[str] = ()
    without_reference: Sequence[str] = ()
    cuts: "Cuts | None" = None


# ---- a reference and its hypotheses ----


def paired(
    reference: Codings,
    hypothesis: Codings | None = None,
    rules: PairingRules = DEFAULT_RULES,
    remark: Callable[[str], None] = warn_of_reading,
) -> dict[str, Paired]:
    """Each coder of the hypothesis with the reference, in the order of its documents.

    Without `hypothesis`, the reference that the rules name is that of all other coders. Otherwise
    the reference is the only coding of each document, or that of the rules.
    """
    side = reference if hypothesis is None else hypothesis
    references = references_in(reference, rules.reference, hypothesis is None)
    numbered = [isinstance(table.documents, range) for table in (reference, side)]
    if any(numbered) and list(reference.documents) != list(side.documents):
        counts = f"{len(reference.documents)} references and {len(side.documents)} hypotheses"
        raise SegmentationError(
            f"{counts}: expected as many of both"
            if all(numbered)
            else "one side has names of documents, the other is a plain sequence: expected two "
            "mappings from document name to segmentation (or files, or corpora), or two sequences "
            "in the same order"
        )
    found = {}
    coders = side.coders
    if not coders or hypothesis is None or rules.hypothesis is not None:
        coders = _hypothesis_coders(side, rules, hypothesis is None)
    for coder in coders:
        run = side
        if len(side.coders) != 1 or not side.one_each:
            rows = side.rows_of(coder) if coder in side.coders else np.empty(0, np.int64)
            run = replace(side.part(rows), texts=side.texts)
        if coder != "hypothesis":
            run = replace(run, source=f"coder {coder!r} of {side.source}")
        found[coder] = pair(references, {coder: [run]}, rules, remark)
        if not found[coder].references.documents:
            raise SegmentationError("there is no document to score")
    return found


def references_in(
    codings: Codings, reference: str | Sequence[str] | None, alone: bool = False
) -> Codings:
    """The references of a table: the codings by these coders, or their consensus; by default the
    only coding of each document, all references in lists, or a consensus beside the people from
    whom it was made.

    alone: whether the table holds the hypotheses, too.
    """
    if reference:
        rule = consensus_rule(reference)
        if rule is not None:
            return agreed_codings(codings, *rule)
        coders = [reference] if isinstance(reference, str) else reference
        return codings.part(np.sort(np.concatenate([codings.rows_of(name) for name in coders])))
    if alone:
        raise SegmentationError(
            f"hyps is missing: {codings.source} has a single coder, {codings.coders[0]!r}"
            if len(codings.coders) == 1
            else f"{codings.source} is to hold both sides: expected the coder that is the "
            f"reference (reference=), one of {named(codings.coders)}, to compare with the others"
        )
    if codings.one_each:
        return codings
    rows, counts = np.arange(len(codings)), np.diff(codings.starts)
    if counts.max() > 1 and not codings.listed:
        rows = np.flatnonzero(codings.kinds == KINDS.index("consensus"))
        if not np.array_equal(codings.document_of_rows[rows], np.arange(len(counts))):
            number = int(counts.argmax())
            several = codings.codings_of(number)[0]
            raise SegmentationError(
                f"{codings.source}: document {codings.documents[number]!r} has {len(several)} "
                f"codings, by {named(several)}: expected one as the reference: choose it by "
                "reference="
            )
    return codings.part(rows)


def _hypothesis_coders(side: Codings, rules: PairingRules, alone: bool) -> Sequence[str]:
    """The coders whose codings are hypotheses: the given coder, or all but those who are
    references in the same table."""
    wanted, taken = rules.hypothesis, (rules.reference or ()) if alone else ()
    taken = [taken] if isinstance(taken, str) else taken
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


# ---- both sides ----


def pair(
    references: Codings,
    systems: Systems,
    rules: PairingRules = DEFAULT_RULES,
    remark: Callable[[str], None] = warn_of_reading,
) -> Paired:
    """Pair a table of references with the runs of systems, on the documents that the references
    and, in at least one run, every system have. A run has one coding of each of its documents.

    remark: called with how well words were aligned.
    """
    names = kept = references.documents
    lost, unknown, failures = list[str](), list[str](), dict[str, Failures]()
    runs = [run for several in systems.values() for run in several]
    if any(run.failures or run.documents != names for run in runs):
        kept, unknown = _matched(references, systems, rules.missing)
        there = set(kept)
        lost = [name for name in names if name not in there]
        failures = _failures(names, systems, rules.missing)
        references = references.at(kept)
    if rules.align is not None:
        from segscore.pairing.masks import aligned_by_words

        systems = {  # coders of the same text are on its units
            name: [
                run
                if references.texts and run.texts is references.texts
                else aligned_by_words(references, run, rules.max_error, remark)
                for run in several
            ]
            for name, several in systems.items()
        }
    if failures and rules.missing in COUNTED:
        systems = _with_failed_runs(systems, failures, references)
    systems = {
        name: [run if run.documents == kept else run.at(kept) for run in several]
        for name, several in systems.items()
    }
    provenance = references.provenance
    for run in (run for several in systems.values() for run in several):
        if run.provenance is not provenance:
            cannot = f"cannot pair {references.source} and {run.source}"
            provenance = provenance.joined(run.provenance, cannot)
        _check_fit(references, run, rules.ignore_text)
    if failures:
        provenance = provenance.chosen("missing", rules.missing)
    if rules.mask is None:
        return Paired(references, systems, provenance, failures, lost, unknown)
    from segscore.pairing.masks import Cuts, masked_codings

    known = *names, *(name for run in runs for name in run.documents)
    n_units = dict(zip(kept, references.n_units[references.starts[:-1]].tolist(), strict=True))
    cuts = Cuts.of(rules.mask, n_units, provenance, known)
    references = masked_codings(references, cuts)
    systems = {
        name: [masked_codings(run, cuts, run.source) for run in several]
        for name, several in systems.items()
    }
    return Paired(references, systems, cuts.told(provenance), failures, lost, unknown, cuts)


def _matched(
    references: Codings, systems: Systems, missing: Missing
) -> tuple[Sequence[Any], list[Any]]:
    """The documents of the references that all systems have, and those without a reference."""
    names: Sequence[Any] = references.documents
    unknown: list[Any] = []
    for runs in systems.values():
        done = dict.fromkeys(name for run in runs for name in run.documents)
        both, _, unknown = match_documents(
            names, done, missing, (references.source, runs[0].source), _reasons(runs)
        )
        names = names if missing in COUNTED else both
    return names, unknown


def match_documents(
    references: Iterable[Any],
    hypotheses: Iterable[Any],
    missing: Missing = "error",
    sources: tuple[str, str] = ("", ""),
    reasons: Reasons = NOTHING,
) -> tuple[list[Any], list[Any], list[Any]]:
    """The documents that both sides have, in the order of the reference; those without a
    hypothesis; and those without a reference.

    sources: the sides in messages; reasons: why some documents have no hypothesis.

    >>> match_documents(["a", "b"], ["b", "c"], missing="skip")
    (['b'], ['a'], ['c'])
    """
    known, done = dict.fromkeys(references), dict.fromkeys(hypotheses)
    both = [name for name in known if name in done]
    lost = [name for name in known if name not in done]
    unknown = [name for name in done if name not in known]
    sides = [f" ({side})" if side and not side.startswith("the ") else "" for side in sources]
    if not both and (lost or unknown) and (missing == "skip" or (known and done)):
        raise SegmentationError(
            f"reference{sides[0]} and hypothesis{sides[1]} have no document in common: "
            f"{named(lost, _FEW)} on one side, {named(unknown, _FEW)} on the other: expected the "
            "same names (of a file that names no document, it is the name of the file)"
        )
    if missing != "skip" and (unknown or (lost and missing == "error")):
        whys = [f" ({each!r}: {reasons[str(each)]})" for each in lost if str(each) in reasons]
        found, remedy = [], ""
        if unknown:
            found = [f"no reference{sides[0]} for {named(unknown, _FEW)}"]
        else:
            remedy = ", 'none' counts a hypothesis as one segment, 'worst' as wrong throughout"
        if lost and missing == "error":
            found.insert(0, f"no hypothesis{sides[1]} for {named(lost, _FEW)}{''.join(whys[:1])}")
        raise SegmentationError(
            f"{'; '.join(found)}: expected the same documents on both sides; missing='skip' leaves "
            f"out what only one side has{remedy}"
        )
    return both, lost, unknown


# ---- documents without a hypothesis ----


def _reasons(runs: Iterable[Codings]) -> dict[str, str]:
    """Why documents have no hypothesis, where runs know the reason."""
    return {name: why for run in runs for name, why in run.failures.items()}


def _failures(names: Sequence[Any], systems: Systems, missing: Missing) -> dict[str, Failures]:
    """The documents with a reference but without a hypothesis, by system. A system with several
    runs (seeds, or folds that divide the documents) has a hypothesis if one of its runs has one; a
    run whose output could not be read still counts as failed there."""
    found: dict[str, Failures] = {}
    for system, runs in systems.items():
        reasons = _reasons(runs)
        done = {name for run in runs for name in run.documents}
        counted = reasons if missing in COUNTED else {}
        lost = [name for name in names if name not in done or name in counted]
        made = Failures.of(missing, lost, reasons, len(names))
        if made is not None:
            found[system] = made
    return found


def _with_failed_runs(
    systems: Systems, failures: Mapping[str, Failures], references: Codings
) -> Systems:
    """The runs with a single segment for each document without a hypothesis. A run fails on
    documents whose output it could not read. On documents that no run has, all runs fail; or, if
    they divide the documents, the first."""
    number = {str(name): number for number, name in enumerate(references.documents)}
    found = {}
    for system, runs in systems.items():
        lost = failures[system].reasons if system in failures else {}
        counts = Counter(str(name) for run in runs for name in run.documents)
        shared_out = max(counts.values(), default=0) == 1
        found[system] = list(runs)
        for at, run in enumerate(runs):
            own = {*run.failures} - set(map(str, run.documents))
            if not at or not shared_out:
                own |= lost.keys() - counts.keys() - run.failures.keys()
            mine = {name: why for name, why in lost.items() if name in own}
            if mine:
                places = [number[name] for name in mine]
                names = [references.documents[place] for place in places]
                n_units = references.n_units[references.starts[places]]
                coder = run.coders[0] if run.coders else "hypothesis"
                offsets, nothing = np.zeros(len(names) + 1, np.int64), np.empty(0, np.int64)
                single = Codings.plain(names, coder, (n_units, offsets, nothing))
                found[system][at] = replace(
                    Codings.concat([run, single]),
                    texts=run.texts,
                    source=run.source,
                    scope=run.scope,
                    failures=mine,
                    provenance=run.provenance.chosen("missing", failures[system].missing),
                )
    return found


# ---- checks ----


def _check_fit(references: Codings, run: Codings, ignore_text: bool) -> None:
    """Raise for the first hypothesis with another text, or another number of units, than a
    reference of its document."""
    have_texts = run.texts is not references.texts and references.texts and run.texts
    if not ignore_text and (have_texts or references.annotations or run.annotations):
        _check_texts(references, run)
    expected, found = references.n_units, run.n_units
    if run.documents != references.documents or len(expected) != len(found):
        units = dict(zip(run.documents, run.n_units.tolist(), strict=True))  # -1: it has none
        each = [units.get(name, -1) for name in references.documents]
        found = np.array(each, np.int64)[references.document_of_rows]
    wrong = np.flatnonzero((expected != found) & (found >= 0))
    if wrong.size:
        row = int(wrong[0])
        raise SegmentationError(
            f"document {references.document(row)!r}: {expected[row]} units in the reference "
            f"({references.source}, coder {references.coder(row)!r}), {found[row]} units in the "
            f"hypothesis ({run.source}): expected the same number; align='words', or "
            "segscore.corpus.align, brings a hypothesis with other words onto the units of its "
            "reference, if both sides have their text"
        )


def _check_texts(references: Codings, run: Codings) -> None:
    """Raise if the texts of the two sides of a document differ, or the hashes of the units that
    people saw on an annotation page; an unknown text fits any."""
    tables, documents = (references, run), references.documents
    sides = f"reference ({references.source})", f"hypothesis ({run.source})"
    seen = [  # by document; codings of one table agree on it
        {
            table.document(row): annotation.units
            for row, annotation in table.annotations.items()
            if annotation.units is not None
        }
        for table in tables
    ]
    for name in documents if any(seen) else ():
        if name in seen[0] or name in seen[1]:
            hashes = {
                known.get(name) or unit_hash(table.texts[name])
                for known, table in zip(seen, tables, strict=True)
                if name in known or name in table.texts
            }
            if len(hashes) > 1:
                raise SegmentationError(
                    f"document {name!r}: the {sides[0]} and the {sides[1]} are codings of "
                    f"different texts (annotation.units of the {sides[name not in seen[0]]} is the "
                    "hash of its units): expected the same units; ignore_text=True compares the "
                    "boundaries anyway"
                )
    if references.texts is run.texts:
        return
    for name in documents if references.texts and run.texts else ():
        if references.texts.same(name, run.texts):
            continue
        texts = [table.texts[name] for table in tables if name in table.texts]
        index = first_difference(*texts) if len(texts) == 2 else None
        if index is not None:
            units = [repr(text[index])[:60] if index < len(text) else "missing" for text in texts]
            raise SegmentationError(
                f"document {name!r}: the texts differ: unit {index + 1} is {units[0]} in the "
                f"{sides[0]}, {units[1]} in the {sides[1]}: expected the same units; align='words' "
                "aligns them by their words, and ignore_text=True compares the boundaries anyway"
            )
