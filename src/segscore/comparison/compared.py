"""The input of `compare` as rows: references and systems, paired by the rules of
`segscore.pairing`, as in `score`."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, shown
from segscore.coding.segmentation import Segmentation
from segscore.comparison.cases import Cases, Contestant, SystemRun
from segscore.comparison.systems import (
    as_run,
    refuse_another_round,
    runs_in,
    system_run,
    system_specs,
    with_names,
)
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.lists import Units
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.consensus_rule import agreed_codings, consensus_rule
from segscore.pairing.inputs import NOTHING, Reader, corpus_of
from segscore.pairing.pairing import pair
from segscore.pairing.rules import DEFAULT_RULES, Failures, PairingRules, counts_failures

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Encoding

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
    encoding: "Encoding | None" = None,
    n_units: Any = None,
) -> Compared:
    """The references of each document, and the systems, on the documents that all of them have."""
    check_choice(unit, "unit", CASES)
    _check_named(rules.reference)
    reader = Reader.of(reading, corpus, runs_in(systems), rules.ignore_text)
    table = with_names(corpus_of(corpus, "reference", reader, encoding, n_units))
    if not len(table):
        raise SegmentationError(
            f"the corpus is {shown(corpus)}: expected at least one document with a coding"
        )
    specs = system_specs(table, rules.reference, systems, reader)
    taken = {coder for spec in specs.values() for coder in spec if isinstance(coder, str)}
    references, rows = _references(table, rules, taken)
    given = {
        name: [system_run(name, run, table, reader, encoding, n_units) for run in spec]
        for name, spec in specs.items()
    }
    people = {references.coders[code] for code in np.unique(references.codes[rows]).tolist()}
    refuse_another_round(references, people, (run for runs in given.values() for run in runs))
    reader.finish()
    runs = {name: [as_run(name, run, table) for run in each] for name, each in given.items()}
    for name, several in runs.items():
        for index, run in enumerate(several):
            if not (
                len(run) or run.failures or (len(several) == 1 and counts_failures(rules.missing))
            ):
                raise SegmentationError(f"system {name!r}, run {index + 1} has no document")
    paired = pair(references.part(rows), runs, rules, reader.remark)
    if paired.cuts is not None:
        from segscore.pairing.masks import masked_codings

        table = masked_codings(table, paired.cuts)
    references = paired.references
    names, every_row = references.documents, np.arange(len(references))
    cases = Cases(names, references, every_row, references.starts, names)
    cases = cases if unit == "document" else cases.by_coding()
    every = [run for several in paired.systems.values() for run in several]
    kept = set(names)
    tables = (table, *(run for several in runs.values() for run in several))
    seen = dict.fromkeys(name for codings in tables for name in codings.documents)
    return Compared(
        cases,
        _contestants(paired.systems, cases),
        tuple(name for name in seen if name not in kept),
        paired.provenance,
        Corpus.from_columns(table, table.scope, paired.provenance),
        [run for run in every if any(name not in table.texts for name in run.texts)],
        paired.failures,
    )


def _contestants(runs: Mapping[str, Sequence[Codings]], cases: Cases) -> list[Contestant]:
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
