"""The input of `compare` as rows: references and systems from a corpus, files or mappings.

Documents are paired by the rules of `segscore.pairing`, as in `score`: every system must have a
coding of each document that has a reference, and known texts must be the same.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, shown
from segscore.coding.segmentation import Segmentation
from segscore.comparison.cases import Cases, Contestant, SystemRun
from segscore.comparison.given_codings import codings_given, read_corpus
from segscore.comparison.given_systems import refuse_another_round, system_run, system_specs
from segscore.comparison.system_failures import (
    Systems,
    found_failures,
    reasons_of,
    told_failures,
    with_failed_runs,
)
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS
from segscore.corpus.unit_texts import Units
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.annotated_texts import check_annotated_texts
from segscore.pairing.consensus_rule import agreed_codings, consensus_rule
from segscore.pairing.documents import check_same_text, match_documents
from segscore.pairing.failures import Failures, counts_failures
from segscore.pairing.rules import DEFAULT_RULES, NOTHING, PairingRules, check_reads, read_how

if TYPE_CHECKING:
    from segscore.pairing.masks import Cuts

Case = Literal["document", "coding"]
CASES: tuple[Case, ...] = ("document", "coding")
_SYSTEM, _CONSENSUS = KINDS.index("system"), KINDS.index("consensus")
_EXPECTED_NAMES = (
    "expected the name of a coder, or several; the codings of a system are given as "
    "compare(refs, systems={'name': hyps})"
)
_SYSTEM_FILE = "; a file of systems is given as compare(refs, systems={path!r})"


class Background(NamedTuple):
    """What else is known about a case: the coders of its references, in their order, all codings of
    its document as given, and its text."""

    coders: tuple[str, ...]
    codings: Mapping[str, Segmentation]
    units: Units | None


@dataclass(frozen=True)
class Compared:
    """The cases with their references, the systems, what was skipped, and how units were formed.

    given: all codings of the corpus; None if documents were only added up. texts: the texts of
    systems, where the corpus has none. failures: the documents without a hypothesis, by system.
    boundaries: the numbers of boundaries of systems whose documents were added up, and of their
    references.
    """

    cases: Cases
    systems: list[Contestant]
    skipped: tuple[str, ...]
    provenance: Provenance = PLAIN
    given: Corpus | None = None
    texts: Sequence[Codings] = ()
    failures: Mapping[str, Failures] = field(default_factory=dict)
    boundaries: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def background(self) -> dict[str, Background]:
        """What else is known about each case; empty if documents were added up."""
        if self.given is None:
            return {}
        cases = self.cases
        return {
            name: Background(cases.coders(case), self.given[document], self._text(document))
            for case, (name, document) in enumerate(zip(cases.names, cases.documents, strict=True))
        }

    def _text(self, document: str) -> Units | None:
        """The text of a document, if the corpus or a system has it."""
        texts = (text.texts.get(document) for text in self.texts)
        known = None if self.given is None else self.given[document].units
        return known if known is not None else next(filter(None, texts), None)


def find_compared(
    corpus: Any,
    systems: Any,
    rules: PairingRules = DEFAULT_RULES,
    unit: Case = "document",
    reading: Mapping[str, Any] = NOTHING,
) -> Compared:
    """The references of each document, and the systems, on the documents that all of them have."""
    check_choice(unit, "unit", CASES)
    _check_named(rules.reference)
    choices, formats = read_how(reading, rules) if reading else (None, (None, None))
    paths: list[str | os.PathLike[str]] = []
    of_references, of_systems = (partial(read_corpus, paths, choices, form) for form in formats)
    table = codings_given(corpus, of_references)
    specs = system_specs(table, rules.reference, systems, of_systems)
    taken = {coder for spec in specs.values() for coder in spec if isinstance(coder, str)}
    references, rows = _references(table, rules, taken)
    refuse_another_round(references, rows, specs)
    runs = {
        name: [system_run(name, run, table, of_systems) for run in spec]
        for name, spec in specs.items()
    }
    if choices is not None:
        from segscore.io.reading import finish_reading

        check_reads(reading, *paths)
        finish_reading(choices, paths, reading)
    names = list(dict.fromkeys(references.names_of(np.unique(rows))))
    kept = _documents(names, runs, rules)
    failures = found_failures(names, runs, rules.missing)
    if rules.align is not None:
        from segscore.io.read_options import warn

        runs = _aligned(runs, table, kept, rules.max_error, reading.get("remark", warn))
    runs = with_failed_runs(runs, failures, references, rows)
    known = _joined_provenance(runs, table, kept, rules)
    if rules.missing == "skip":
        known = told_failures(known, failures)
    tables = table, *_every(runs)
    seen = dict.fromkeys(document for given in tables for document in given.documents)
    if rules.mask is not None:
        cuts = _cuts(table, runs, kept, rules.mask, known)
        table, references, runs = _without_parts(table, references, runs, cuts)
        known = cuts.told(known)
    cases = _cases(references, rows, kept)
    cases = cases if unit == "document" else cases.by_coding()
    return Compared(
        cases,
        _contestants(runs, cases),
        tuple(document for document in seen if document not in kept),
        known,
        Corpus.from_columns(table, table.scope, known),
        [run for run in _every(runs) if any(name not in table.texts for name in run.texts)],
        failures,
    )


def _every(runs: Systems) -> list[Codings]:
    """All runs of all systems."""
    return [run for several in runs.values() for run in several]


def _cases(references: Codings, rows: Int64Array, kept: Mapping[str, int]) -> Cases:
    """The documents that are compared, in order, with the rows of their references."""
    names = list(kept)
    numbers = np.array([kept.get(document, -1) for document in references.documents], np.int64)
    owners = numbers[references.document_of_rows[rows]]
    rows, owners = rows[owners >= 0], owners[owners >= 0]
    order = np.argsort(owners, kind="stable")
    starts = starts_of(np.bincount(owners, minlength=len(names)))
    return Cases(names, references, rows[order], starts, names)


def _contestants(runs: Systems, cases: Cases) -> list[Contestant]:
    """The systems, each run with its references, in the order of the cases."""
    made: dict[str, list[SystemRun]] = {name: [] for name in runs}
    for name, run in ((name, run) for name, several in runs.items() for run in several):
        numbers = rows = cases.every
        if not run.one_each or run.documents != cases.documents:
            found = [run.numbers.get(document, -1) for document in cases.documents]
            numbers = np.flatnonzero(np.array(found, np.int64) >= 0)
            rows = run.starts[np.array(found, np.int64)[numbers]]
        made[name].append(SystemRun.of(run, cases, rows, numbers))
    return [Contestant(name, "system", several) for name, several in made.items()]


def _documents(refs: Sequence[str], runs: Systems, rules: PairingRules) -> dict[str, int]:
    """The documents that have a reference and that every system segmented in at least one run."""
    kept = list(refs)
    for name, several in runs.items():
        all_failed = len(several) == 1 and counts_failures(rules.missing)
        for index, run in enumerate(several):
            if not (run.documents or run.failures or all_failed):
                raise SegmentationError(f"system {name!r}, run {index + 1} has no document")
        if len(several) == 1 and several[0].documents == kept:
            continue
        done = dict.fromkeys(document for run in several for document in run.documents)
        matched = match_documents(
            kept, done, rules.missing, hypothesis=f"system {name!r}",
            reasons=reasons_of(several),
        )  # fmt: skip
        kept = kept if counts_failures(rules.missing) else matched.documents
    return {name: number for number, name in enumerate(kept)}


def _joined_provenance(
    runs: Systems, table: Codings, kept: Mapping[str, int], rules: PairingRules
) -> Provenance:
    """How units were formed; raise if it differs between systems, or if known texts differ."""
    provenance = table.provenance
    for name, several in runs.items():
        for run in several:
            provenance = provenance.joined(run.provenance, f"cannot compare system {name!r}")
            if not rules.ignore_text:
                _check_texts(name, run, table, kept)
    return provenance


def _check_texts(name: str, run: Codings, table: Codings, kept: Mapping[str, int]) -> None:
    check_annotated_texts(table, run, kept, ("reference", f"system {name!r}"))
    for document in run.texts if table.texts is not run.texts else ():
        if document in kept:
            check_same_text(document, table, run, sides=("reference", f"system {name!r}"))


# ---- other units ----


def _aligned(
    runs: Systems,
    table: Codings,
    kept: Mapping[str, int],
    max_error: float,
    remark: Callable[[str], None],
) -> Systems:
    """The runs of systems, moved onto the units of the references by their words."""
    from segscore.pairing.aligning import aligned_by_words

    reference = replace(table.select(kept), source="the reference")
    return {
        name: [
            run if run.texts is table.texts
            else aligned_by_words(reference, run, max_error, remark)
            for run in several
        ]
        for name, several in runs.items()
    }  # fmt: skip


def _cuts(
    table: Codings, runs: Systems, kept: Mapping[str, int], mask: Any, known: Provenance
) -> "Cuts":
    """The parts to cut out of the compared documents; the mask may also name other documents."""
    from segscore.pairing.masks import Cuts

    n_units = {name: table.n_units_of(table.numbers[name]) for name in kept}
    tables = table, *_every(runs)
    every = [document for given in tables for document in given.documents]
    return Cuts.of(mask, n_units, known, every)


def _without_parts(
    table: Codings, references: Codings, runs: Systems, cuts: "Cuts"
) -> tuple[Codings, Codings, Systems]:
    """Cut the masked parts out of the compared documents; leave the others unchanged."""
    from segscore.pairing.masks import masked_codings

    cut = masked_codings(table, cuts)
    left = {
        name: [masked_codings(run, cuts, f"system {name!r}") for run in several]
        for name, several in runs.items()
    }
    return cut, cut if references is table else masked_codings(references, cuts), left


# ---- references ----


def _references(table: Codings, rules: PairingRules, taken: set[str]) -> tuple[Codings, Int64Array]:
    """The table with the references, and their rows: those of the named coders; or the consensus,
    if the corpus has one; or those of all coders who are neither compared nor known to be systems.
    The rows of a document follow the order in which coders are named."""
    wanted = [rules.reference] if isinstance(rules.reference, str) else rules.reference
    rule = None if wanted is None else consensus_rule(rules.reference)
    if rule is not None or wanted is None:
        free = np.array([coder not in taken for coder in table.coders], np.bool_)[table.codes]
        gold = free & (table.kinds == _CONSENSUS)
        made = rule is None and bool(gold.any())  # a consensus is there to be the reference
        asked = " of the kind consensus, as others have" if made else ""
        rows = np.flatnonzero(gold if made else free & (table.kinds != _SYSTEM) & ~gold)
    else:
        _check_references(table, list(wanted), taken)
        asked = f" by {listed(wanted)}"
        there = [table.rows_of(coder) for coder in dict.fromkeys(wanted)]
        found = np.concatenate(there)
        rows = found[np.argsort(table.document_of_rows[found], kind="stable")]
    counts = np.bincount(table.document_of_rows[rows], minlength=len(table.documents))
    if rules.missing != "skip" and (counts == 0).any():
        number = int(np.flatnonzero(counts == 0)[0])
        raise SegmentationError(
            f"document {table.documents[number]!r} has no reference{asked}: its coders are "
            f"{listed(table.codings_of(number)[0])}"
        )
    if not len(rows):
        raise SegmentationError("no document has a reference: expected at least one")
    if rule is None:
        return table, rows
    agreed = replace(agreed_codings(table.part(rows), *rule), coders=[str(rules.reference)])
    return agreed, np.arange(len(agreed))


def _check_named(reference: Any) -> None:
    """Raise for codings where coder names are expected: `compare(refs, hyps)`."""
    named = [reference] if isinstance(reference, str) or reference is None else reference
    if isinstance(named, Mapping) or not isinstance(named, Iterable):
        raise SegmentationError(f"reference is {shown(reference)}: {_EXPECTED_NAMES}")
    for name in named:
        if name is not None and not isinstance(name, str):
            raise SegmentationError(f"reference holds {shown(name)}: {_EXPECTED_NAMES}")


def _check_references(table: Codings, wanted: list[Any], taken: set[str]) -> None:
    if not wanted:
        raise SegmentationError("reference is empty: expected a coder, or None for all of them")
    for coder in wanted:
        if coder not in table.coders:
            raise SegmentationError(
                f"no document has a coding by reference {coder!r}: there are {listed(table.coders)}"
                + _SYSTEM_FILE.format(path=coder) * os.path.exists(coder)
            )
        if coder in taken:
            raise SegmentationError(
                f"coder {coder!r} is both reference and system: expected one of them"
            )
