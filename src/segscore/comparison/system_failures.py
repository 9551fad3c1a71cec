"""Documents without a hypothesis: which system failed where, and what replaces the hypothesis.

A system with several runs (seeds, or folds that divide the documents) has a hypothesis if one of
its runs has one; a run whose output could not be read still counts as failed there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from segscore.basics.arguments import Int64Array
from segscore.corpus.codings import Codings
from segscore.corpus.provenance import Provenance
from segscore.pairing.documents import with_segments
from segscore.pairing.failures import Failures, Missing, counts_failures

Systems = dict[str, list[Codings]]  # the runs of each system, a coding per document
NO_FAILURES: Mapping[str, Failures] = {}


def reasons_of(runs: Sequence[Codings]) -> dict[str, str]:
    """Why documents have no hypothesis, where runs know the reason."""
    return {name: why for run in runs for name, why in run.failures.items()}


def found_failures(
    references: Sequence[str], runs: Systems, missing: Missing
) -> dict[str, Failures]:
    """The documents with a reference but without a hypothesis, by system."""
    found: dict[str, Failures] = {}
    for name, several in runs.items():
        done = {document for run in several for document in run.documents}
        reasons = reasons_of(several)
        counted = reasons if counts_failures(missing) else {}
        lost = [
            reference for reference in references if reference not in done or reference in counted
        ]
        made = Failures.of(missing, lost, reasons, len(references))
        if made is not None:
            found[name] = made
    return found


def told_failures(provenance: Provenance, failures: Mapping[str, Failures]) -> Provenance:
    """The provenance of the numbers of all systems, with how failures count."""
    for failure in failures.values():
        provenance = failure.told(provenance)
    return provenance


def with_failed_runs(
    runs: Systems, failures: Mapping[str, Failures], references: Codings, rows: Int64Array
) -> Systems:
    """The runs with a single segment for each document without a hypothesis; unchanged if such
    documents are left out. `rows` of `references` are the references."""
    if not any(counts_failures(failure.missing) for failure in failures.values()):
        return runs
    names = references.names_of(rows)
    units = dict(zip(names, references.n_units[rows].tolist(), strict=True))
    return {
        name: _filled_runs(name, several, failures[name], units) if name in failures else several
        for name, several in runs.items()
    }


def _filled_runs(
    system: str, runs: Sequence[Codings], failures: Failures, units: Mapping[str, int]
) -> list[Codings]:
    """The runs with their failures filled in. A run fails on documents whose output it could not
    read. On documents that no run has, all runs fail; or, if they divide the documents, the
    first."""
    counts = Counter(document for run in runs for document in run.documents)
    shared_out = max(counts.values(), default=0) == 1
    nobodys = [name for name in failures.reasons if name not in counts]
    filled = []
    for number, run in enumerate(runs):
        own = set(run.documents)
        lost = [name for name in failures.reasons if name in run.failures and name not in own]
        if not number or not shared_out:
            lost += [name for name in nobodys if name not in run.failures]
        filled.append(_filled(system, run, lost, failures, units) if lost else run)
    return filled


def _filled(
    system: str, run: Codings, names: Sequence[str], failures: Failures, units: Mapping[str, int]
) -> Codings:
    """A run with replacements for its failures; a run without any document has no coder of its
    own."""
    lost = {name: failures.reasons[name] for name in names}
    coder = run.coders[0] if run.coders else system
    filled = with_segments(run, coder, {name: units[name] for name in lost}, run)
    return replace(filled, failures=lost, provenance=failures.told(run.provenance))
