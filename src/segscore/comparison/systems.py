"""What `compare` is given, as rows: references and systems, paired by the rules of
`segscore.pairing`, as in `score`.

Systems are names of coders, files, corpora, mappings or lists; each run of a system is a table with
a coding of each document.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, shown
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.comparison.measuring import Cases, Run
from segscore.corpus import KINDS, Codings, Corpus
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.inputs import NOTHING, PATHS, Reader, corpus_of, name_with_file
from segscore.pairing.pairing import pair
from segscore.pairing.rules import (
    COUNTED,
    DEFAULT_RULES,
    PairingRules,
    agreed_codings,
    consensus_rule,
)

if TYPE_CHECKING:
    from segscore.pairing.pairing import Systems
    from segscore.pairing.rules import Encoding

Case = Literal["document", "coding"]
CASES: tuple[Case, ...] = ("document", "coding")
_ENOUGH = 1000  # entries of a list that are looked at, to see what it is
_SYSTEM, _CONSENSUS = KINDS.index("system"), KINDS.index("consensus")
_EXPECTED_NAMES = (
    "expected the name of a coder, or several; the codings of a system are given as "
    "compare(refs, systems={'name': hyps})"
)
_SYSTEM_FILE = "; a file of systems is given as compare(refs, systems={path!r})"


def find_cases(
    corpus: Any,
    systems: Any,
    rules: PairingRules = DEFAULT_RULES,
    unit: Case = "document",
    reading: Mapping[str, Any] = NOTHING,
    encoding: "Encoding | None" = None,
    n_units: Any = None,
) -> Cases:
    """The references of each document, and the systems, on the documents that all of them have."""
    check_choice(unit, "unit", CASES)
    wanted = _wanted(rules.reference)
    if isinstance(systems, PATHS):
        systems = [systems]
    specs = systems.values() if isinstance(systems, Mapping) else systems
    specs = [] if specs is None else list(specs)
    given = [run for spec in specs for run in _several(spec)]
    reader = Reader.of(reading, corpus, given, rules.ignore_text)
    table = corpus_of(corpus, "reference", reader, encoding, n_units)
    if not len(table):
        raise SegmentationError(
            f"the corpus is {shown(corpus)}: expected at least one document with a coding"
        )
    if isinstance(table.documents, range):  # of a plain sequence
        table = replace(table, documents=list(map(str, table.documents)))
    if systems is None:
        systems = {coder: coder for coder in _other_coders(table, wanted)}
    elif not isinstance(systems, Mapping):
        systems = _by_name(specs, table.coders, reader)
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    named = {str(name): _several(spec) for name, spec in systems.items()}
    taken = {coder for spec in named.values() for coder in spec if isinstance(coder, str)}
    references = _references(table, rules, wanted, taken)
    how = reader, encoding, n_units
    runs = _runs(named, table, references, how, rules.missing in COUNTED)
    reader.finish()
    paired = pair(references, runs, rules, reader.remark)
    if paired.cuts is not None:
        from segscore.pairing.masks import masked_codings

        table = masked_codings(table, paired.cuts)
    names = documents = paired.references.documents
    starts = paired.references.starts
    if unit == "coding":
        names, starts, documents = _by_coding(paired.references)
    found, whole = list[list[Run]](), np.arange(len(names))
    for name, several in paired.systems.items():
        found.append([])
        for run in several:
            numbers = rows = whole
            if run.documents != documents:
                places = [run.numbers.get(document, -1) for document in documents]
                numbers = np.flatnonzero(np.array(places, np.int64) >= 0)
                rows = run.starts[np.array(places, np.int64)[numbers]]
            found[-1].append(Run(name, "system", run, numbers, rows))
    tables = (table, *(run for several in runs.values() for run in several))
    seen = dict.fromkeys(name for codings in tables for name in codings.documents)
    kept = set(documents)
    return Cases(
        names,
        paired.references,
        starts,
        documents,
        found,
        tuple(name for name in seen if name not in kept),
        paired.provenance,
        table,
        [run for several in paired.systems.values() for run in several],
        paired.failures,
    )


def _by_coding(references: Codings) -> tuple[list[str], Int64Array, list[str]]:
    """(names, starts, documents) of a case for each reference of each document."""
    names, rows = references.documents, np.arange(len(references) + 1)
    places = (rows[:-1] - references.starts[references.document_of_rows] + 1).tolist()
    owners = [names[number] for number in references.document_of_rows.tolist()]
    cases = [f"{name}, reference {at}" for name, at in zip(owners, places, strict=True)]
    return cases, rows, owners


# ---- references ----


def _wanted(reference: Any) -> list[str] | None:
    """The coders who are the reference, None if they are not named; raise for codings where names
    are expected: `compare(refs, hyps)`."""
    names = [reference] if isinstance(reference, str) or reference is None else reference
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        raise SegmentationError(f"reference is {shown(reference)}: {_EXPECTED_NAMES}")
    wanted = list(names)
    for name in wanted:
        if name is not None and not isinstance(name, str):
            raise SegmentationError(f"reference holds {shown(name)}: {_EXPECTED_NAMES}")
    if not wanted:
        raise SegmentationError("reference is empty: expected a coder, or None for all of them")
    return None if reference is None or consensus_rule(reference) is not None else wanted


def _references(
    table: Codings, rules: PairingRules, wanted: list[str] | None, taken: set[str]
) -> Codings:
    """The references: codings of the wanted coders, in the order in which they are named; or the
    consensus, if the corpus has one; or those of all coders who are neither compared nor known to
    be systems."""
    if wanted is None:
        rule = None if rules.reference is None else consensus_rule(rules.reference)
        free = np.array([coder not in taken for coder in table.coders], np.bool_)[table.codes]
        gold = free & (table.kinds == _CONSENSUS)
        made = rule is None and bool(gold.any())  # a consensus is there to be the reference
        asked = " of the kind consensus, as others have" if made else ""
        rows = np.flatnonzero(gold if made else free & (table.kinds != _SYSTEM) & ~gold)
    else:
        rule, asked = None, f" by {listed(wanted)}"
        for coder in wanted:
            if coder not in table.coders:
                raise SegmentationError(
                    f"no document has a coding by reference {coder!r}: there are "
                    f"{listed(table.coders)}"
                    + _SYSTEM_FILE.format(path=coder)
                    * os.path.exists(coder)
                )
            if coder in taken:
                raise SegmentationError(
                    f"coder {coder!r} is both reference and system: expected one of them"
                )
        found = np.concatenate([table.rows_of(coder) for coder in dict.fromkeys(wanted)])
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
    references = table.part(rows)
    if rule is None:
        return references
    return replace(agreed_codings(references, *rule), coders=[str(rules.reference)])


# ---- systems ----


def _runs(
    specs: Mapping[str, list[Any]],
    table: Codings,
    references: Codings,
    how: tuple[Reader, "Encoding | None", Any],
    may_lack_all: bool,
) -> dict[str, list[Codings]]:
    """The runs of each system, each by a single coder, the system, with one coding of each
    document."""
    found: dict[str, list[Codings]] = {}
    same: set[str] = set()
    for name, spec in specs.items():
        found[name] = []
        if not spec:
            raise SegmentationError(f"system {name!r} has no run")
        for run in spec:
            if not isinstance(run, str) or (run not in table.coders and os.path.exists(run)):
                codings = corpus_of(run, f"system {name!r}", *how)
            elif run in table.coders:
                codings = replace(table.part(table.rows_of(run)), texts=table.texts)
            else:
                raise SegmentationError(
                    f"no document has a coding by {run!r}, and there is no such file: there are "
                    f"{listed(table.coders)}"
                )
            both = set(codings.coders) & set(references.coders)
            if both and codings.scope == "global" and not codings.names_systems:
                same |= both
            found[name].append(_as_run(name, codings, table))
            if not (len(codings) or codings.failures or (len(spec) == 1 and may_lack_all)):
                raise SegmentationError(f"system {name!r}, run {len(found[name])} has no document")
    if references.scope == "global" and len(same) > 1:
        raise SegmentationError(
            f"{listed(sorted(same))} of the systems are also people of the reference: has "
            "agreement changed between two rounds? compare_rounds says so; to score people as "
            "systems, give them other names or the kind 'system'"
        )
    return found


def _by_name(given: list[Any], coders: Sequence[str], reader: Reader) -> dict[str, Any]:
    """The systems of a list, which names coders of the corpus, or files whose coders are
    systems."""
    systems: dict[str, Any] = {}
    paths = [str(path) for path in given if isinstance(path, PATHS)]
    for system in given:
        if isinstance(system, str) and (system in coders or not os.path.exists(system)):
            systems[system] = system  # an unknown name is refused later, with the known names
        elif isinstance(system, (*PATHS, Corpus)):
            systems |= systems_in(
                corpus_of(system, "hypothesis", reader), str(system), systems, paths
            )
        else:
            raise SegmentationError(
                f"systems holds {shown(system)}: expected names of coders, files or corpora; "
                "codings need a name: systems={'name': …}"
            )
    return systems


def systems_in(
    codings: Codings, path: str, known: Mapping[str, Any], paths: Iterable[str] = ()
) -> dict[str, Codings]:
    """The systems of a file, one per coder; the path is added to a name that is already taken, or
    that another file in `paths` has."""
    coders = codings.coders or ([Path(path).stem] if codings.failures else [])
    whole = len(coders) == 1 and (codings.one_each or not codings.coders)
    return {
        name_with_file(coder, path, paths, known): (
            codings if whole else codings.select(coders={coder: None})
        )
        for coder in coders
    }


def _other_coders(table: Codings, wanted: list[str] | None) -> list[str]:
    """The coders who are not references; if there is no reference, those known to be systems."""
    if wanted is not None:
        return [coder for coder in table.coders if coder not in wanted]
    codes = set(table.codes[table.kinds == _SYSTEM].tolist())
    known = [coder for code, coder in enumerate(table.coders) if code in codes]
    if not known:
        raise SegmentationError(
            "neither reference nor systems is given: say which coders are the reference, or which "
            f"are the systems; there are {listed(table.coders)}"
        )
    return known


def _several(spec: Any) -> list[Any]:
    """The runs of a system. A list is one run, an entry per document, if its entries are
    Segmentations, rows of numbers, or None for missing hypotheses."""
    if not isinstance(spec, list | tuple):
        return [spec]
    entries = [entry for entry in spec[:_ENOUGH] if entry is not None]
    is_run = bool(entries) and all(
        isinstance(entry, Segmentation)
        or (isinstance(entry, list | tuple) and all(isinstance(item, Real) for item in entry))
        or len(getattr(entry, "shape", ())) == 1
        for entry in entries
    )
    return [spec] if is_run else list(spec)


def _as_run(system: str, codings: Codings, table: Codings) -> Codings:
    """A run by a single coder, the system, with one coding of each document."""
    if isinstance(codings.documents, range):  # of a plain sequence
        codings = replace(codings, documents=list(map(str, codings.documents)))
    if codings.failures:
        codings = codings.part(np.arange(len(codings)))  # without documents that have no coding
    wrong = np.flatnonzero(np.diff(codings.starts) != 1)
    if wrong.size:
        number = int(wrong[0])
        held = list(codings.codings_of(number)[0].values()) or None
        raise SegmentationError(
            f"system {system!r}, document {codings.documents[number]!r}: {not_segmentation(held)}"
        )
    if codings.documents == table.documents and isinstance(codings.documents, list):
        codings.documents[:] = table.documents  # the same texts: names are most of a large corpus
    codes = np.broadcast_to(np.int32(0), len(codings))  # which takes no memory
    return replace(codings, coders=[system], codes=codes, source=f"system {system!r}")


# ---- on a command line ----


def system_files(given: Sequence[str]) -> list[tuple[Path, str | None]]:
    """The files of FILE and NAME=FILE: each of its coders is a system, or its only coder has this
    name."""
    paths = [system_path(spec) for spec in given]
    return [
        (Path(path), spec.removesuffix(path).removesuffix("=") or None)
        for spec, path in zip(given, paths, strict=True)
    ]


def system_path(given: str) -> str:
    """The path of a system that may have a name before it: NAME=FILE."""
    _, mark, path = given.partition("=")
    return path if mark and not os.path.exists(given) else given


def system_runs(given: Sequence[str], reader: Reader) -> "Systems":
    """The runs of each system by its name, as `compare` takes them: a repeated NAME is another
    run."""
    found: dict[str, list[Codings]] = {}
    paths = list(map(system_path, given))
    for path, (_, name) in zip(paths, system_files(given), strict=True):
        codings = reader.codings(path, "hypothesis")
        for coder, run in systems_in(codings, path, found, paths).items():
            found.setdefault(name or coder, []).append(run)
    return found
