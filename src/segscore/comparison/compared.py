"""The input of `compare` as rows: references and systems from a corpus, files or mappings.

Documents are paired by the rules of `segscore.pairing`, as in `score`: every system must have a
coding of each document that has a reference, and known texts must be the same.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, check_choice, shown
from segscore.basics.series import by_name
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.comparison.cases import Cases, Contestant, SystemRun
from segscore.comparison.system_failures import (
    Systems,
    found_failures,
    reasons_of,
    told_failures,
    with_failed_runs,
)
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import PLAIN, Provenance, provenance_in
from segscore.corpus.record import KINDS
from segscore.corpus.unit_texts import Units
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.annotated_texts import check_annotated_texts
from segscore.pairing.consensus_rule import agreed_codings, consensus_rule
from segscore.pairing.documents import check_same_text, match_documents, name_with_file
from segscore.pairing.failures import Failures, counts_failures, reasons_in
from segscore.pairing.rules import DEFAULT_RULES, PairingRules

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
        texts = (one.texts.get(document) for one in self.texts)
        known = None if self.given is None else self.given[document].units
        return known if known is not None else next(filter(None, texts), None)


def find_compared(
    corpus: Any,
    systems: Any,
    rules: PairingRules = DEFAULT_RULES,
    unit: Case = "document",
    whole: bool = True,
) -> Compared:
    """The references of each document, and the systems, on the documents that all of them have.

    whole: False if these are parts of larger files, which may have no document in common.
    """
    check_choice(unit, "unit", CASES)
    _check_named(rules.reference)
    table = _table(corpus)
    specs = _system_specs(table, rules.reference, systems)
    taken = {coder for spec in specs.values() for coder in spec if isinstance(coder, str)}
    references, rows = _references(table, rules, taken, whole)
    _refuse_another_round(references, rows, specs)
    runs = {name: [_run(name, one, table) for one in spec] for name, spec in specs.items()}
    names = list(dict.fromkeys(references.names_of(np.unique(rows))))
    kept = _documents(names, runs, rules, whole)
    failures = found_failures(names, runs, rules.missing)
    if rules.align is not None:
        runs = _aligned(runs, table, kept, rules.max_error)
    runs = with_failed_runs(runs, failures, references, rows)
    known = _joined_provenance(runs, table, kept, rules)
    if rules.missing == "skip":
        known = told_failures(known, failures)
    seen = dict.fromkeys([*table.documents, *_done(_every(runs))])
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


def _done(runs: Iterable[Codings]) -> list[str]:
    return [document for run in runs for document in run.documents]


def _cases(references: Codings, rows: Int64Array, kept: Mapping[str, int]) -> Cases:
    """The documents that are compared, in order, with the rows of their references."""
    names = list(kept)
    numbers = np.array([kept.get(one, -1) for one in references.documents], np.int64)
    owners = numbers[references.document_of_rows[rows]]
    rows, owners = rows[owners >= 0], owners[owners >= 0]
    order = np.argsort(owners, kind="stable")
    starts = starts_of(np.bincount(owners, minlength=len(names)))
    return Cases(names, references, rows[order], starts, names)


def _contestants(runs: Systems, cases: Cases) -> list[Contestant]:
    made = {name: [_judged(run, cases) for run in several] for name, several in runs.items()}
    return [Contestant(name, "system", several) for name, several in made.items()]


def _judged(run: Codings, cases: Cases) -> SystemRun:
    """A run with its references, in the order of the cases."""
    every = np.arange(len(cases))
    if run.one_each and run.documents == cases.documents:
        return SystemRun.of(run, cases, every, every)
    found = [run.numbers.get(document, -1) for document in cases.documents]
    numbers = np.flatnonzero(np.array(found, np.int64) >= 0)
    return SystemRun.of(run, cases, run.starts[np.array(found, np.int64)[numbers]], numbers)


def _documents(
    refs: Sequence[str], runs: Systems, rules: PairingRules, whole: bool
) -> dict[str, int]:
    """The documents that have a reference and that every system segmented in at least one run."""
    kept = list(refs)
    for name, several in runs.items():
        all_failed = len(several) == 1 and counts_failures(rules.missing)
        for index, run in enumerate(several):
            if not (run.documents or run.failures or all_failed):
                raise SegmentationError(f"system {name!r}, run {index + 1} has no document")
        if len(several) == 1 and several[0].documents == kept:
            continue
        done = dict.fromkeys(_done(several))
        matched = match_documents(
            kept, done, rules.missing, hypothesis=f"system {name!r}", whole=whole,
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
            known = table.texts.get(document)
            check_same_text(
                document, known, run.texts[document], sides=("reference", f"system {name!r}")
            )


# ---- other units ----


def _aligned(runs: Systems, table: Codings, kept: Mapping[str, int], max_error: float) -> Systems:
    """The runs of systems, moved onto the units of the references by their words."""
    from segscore.io.read_options import warn
    from segscore.pairing.aligning import aligned_by_words

    reference = replace(table.select(kept), source="the reference")
    return {
        name: [
            run if run.texts is table.texts
            else aligned_by_words(reference, run, max_error, warn)
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
    return Cuts.of(mask, n_units, known, [*table.documents, *_done(_every(runs))])


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


# ---- the corpus ----


def _read(path: str | os.PathLike[str]) -> Corpus:
    from segscore.io.reading import read

    if not Path(path).exists():
        raise SegmentationError(f"there is no file {os.fspath(path)!r}: expected a path")
    return read(path)


def _table(given: Any) -> Codings:
    """All codings of the corpus."""
    found: Any = _read(given) if isinstance(given, str | os.PathLike) else given
    corpus = found if isinstance(found, Mapping) else _by_document(found, "corpus")
    if not corpus:
        given = found if corpus is None else corpus
        raise SegmentationError(
            f"corpus is {shown(given)}: expected a Corpus, a mapping from document name to its "
            "codings, or a list of references, with at least one document"
        )
    if isinstance(corpus, Corpus):
        return corpus.columns
    provenance = provenance_in(corpus, "cannot compare")
    if all(isinstance(one, Segmentation) for one in corpus.values()):
        return Codings.of_segmentations(
            list(corpus), "reference", list(corpus.values()), provenance=provenance
        )
    return _of_documents({name: _codings(name, one) for name, one in corpus.items()}, provenance)


def _by_document(given: Any, what: str) -> Mapping[Any, Any] | None:
    """The values by document name; Segmentations in a list are numbered, as in `score`."""
    if _in_a_list(given):
        return {str(number): one for number, one in enumerate(given)}
    return by_name(given, what)


def _in_a_list(given: Any) -> bool:
    """The Segmentations in a list; None in the list is a missing hypothesis."""
    if not isinstance(given, list | tuple):
        return False
    kinds = set(map(type, given)) - {NoneType}  # few, however many there are
    return bool(kinds) and all(issubclass(kind, Segmentation) for kind in kinds)


def _of_documents(given: Mapping[Any, Mapping[str, Segmentation]], known: Provenance) -> Codings:
    """The given codings of documents, in a table; a Document also knows its text and labels."""
    rows = [(one, coder) for one in given.values() for coder in one]
    coders, codes = _numbered([coder for _, coder in rows])
    group_names, groups = _numbered([getattr(one, "group", None) for one in given.values()])
    kinds = [getattr(one, "kinds", {}).get(coder) for one, coder in rows]
    boundaries = Codings.of_segmentations(
        range(len(rows)), "", [one[coder] for one, coder in rows], texts=_texts(given),
        provenance=known,
    )  # fmt: skip
    return replace(
        boundaries,
        documents=list(given),
        starts=starts_of([len(one) for one in given.values()]),
        coders=coders,
        codes=codes,
        kinds=np.array([-1 if kind is None else KINDS.index(kind) for kind in kinds], np.int8),
        groups=groups,
        group_names=group_names,
    )


def _numbered(values: Sequence[Any]) -> tuple[list[Any], NDArray[np.int32]]:
    """The distinct values in the order in which they first occur, and the number of each; None is
    -1."""
    found = {one: i for i, one in enumerate(dict.fromkeys(x for x in values if x is not None))}
    return list(found), np.array([found.get(one, -1) for one in values], np.int32)


def _texts(given: Mapping[Any, Any]) -> dict[Any, Units]:
    """The texts of the documents that know theirs."""
    if not any(issubclass(kind, Document) for kind in set(map(type, given.values()))):
        return {}
    known = {name: one.units for name, one in given.items() if isinstance(one, Document)}
    return {name: units for name, units in known.items() if units is not None}


def _codings(document: str, given: Any) -> Mapping[str, Segmentation]:
    """The codings of a document by coder; a bare reference, or a list of references, gets names."""
    if isinstance(given, Segmentation):
        return {"reference": given}
    if isinstance(given, list | tuple):
        given = {f"reference {i + 1}": one for i, one in enumerate(given)}
    if not isinstance(given, Mapping):
        raise SegmentationError(
            f"document {document!r} is {shown(given)}: expected a mapping from coder to "
            "Segmentation, a reference Segmentation, or a list of references"
        )
    for coder, one in given.items():
        if not isinstance(one, Segmentation):
            raise SegmentationError(
                f"document {document!r}, coder {coder!r}: {not_segmentation(one)}"
            )
    return given


# ---- references ----


def _references(
    table: Codings, rules: PairingRules, taken: set[str], whole: bool
) -> tuple[Codings, Int64Array]:
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
    if not len(rows) and whole:
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
    for one in named:
        if one is not None and not isinstance(one, str):
            raise SegmentationError(f"reference holds {shown(one)}: {_EXPECTED_NAMES}")


def _check_references(table: Codings, wanted: list[Any], taken: set[str]) -> None:
    if not wanted:
        raise SegmentationError("reference is empty: expected a coder, or None for all of them")
    for coder in wanted:
        if coder not in table.coders:
            raise SegmentationError(
                f"no document has a coding by reference {coder!r}: there are {listed(table.coders)}"
                + _SYSTEM_FILE.format(path=coder) * Path(coder).exists()
            )
        if coder in taken:
            raise SegmentationError(
                f"coder {coder!r} is both reference and system: expected one of them"
            )


# ---- systems ----


def _system_specs(table: Codings, reference: Any, systems: Any) -> dict[str, list[Any]]:
    """The runs of each system: names of coders, files, or mappings from document to
    segmentation."""
    if systems is None:
        systems = _other_coders(table, reference)
    elif isinstance(systems, str | os.PathLike):
        systems = [systems]
    if not isinstance(systems, Mapping):
        systems = _by_system(list(systems), table.coders)
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    return {
        str(name): list(spec) if isinstance(spec, list | tuple) and not _in_a_list(spec) else [spec]
        for name, spec in systems.items()
    }


def _by_system(given: list[Any], coders: Sequence[str]) -> dict[str, Any]:
    """The systems of a list, which names coders of the corpus, or files whose coders are
    systems."""
    systems: dict[str, Any] = {}
    paths = [str(one) for one in given if isinstance(one, str | os.PathLike)]
    for one in given:
        if isinstance(one, str) and (one in coders or not Path(one).exists()):
            systems[one] = one  # who is unknown is refused later, with the names there are
            continue
        corpus = _read(one) if isinstance(one, str | os.PathLike) else one
        if not isinstance(corpus, Corpus):
            raise SegmentationError(
                f"systems holds {shown(one)}: expected names of coders, files or corpora; codings "
                "need a name: systems={'name': …}"
            )
        systems |= systems_of(corpus, str(one), systems, paths)
    return systems


def systems_of(
    corpus: Corpus, path: str, known: Mapping[str, Any], paths: Iterable[str] = ()
) -> dict[str, Corpus]:
    """The systems of a file, one per coder; the path is added to a name that is already taken, or
    that another file in `paths` has."""
    coders = corpus.coders or ([Path(path).stem] if corpus.failures else [])
    one_each = len(coders) == 1 and corpus.n_codings == len(corpus)
    whole = one_each or not corpus.coders  # every output of a model is unusable
    return {
        name_with_file(coder, path, paths, known): (
            corpus if whole else corpus.select(coders=[coder])
        )
        for coder in coders
    }


def _other_coders(table: Codings, reference: Any) -> list[str]:
    """The coders who are not references; if there is no reference, those known to be systems."""
    if reference is not None and consensus_rule(reference) is None:
        refs = [reference] if isinstance(reference, str) else list(reference)
        return [coder for coder in table.coders if coder not in refs]
    codes = set(table.codes[table.kinds == _SYSTEM].tolist())
    known = [coder for code, coder in enumerate(table.coders) if code in codes]
    if not known:
        raise SegmentationError(
            "neither reference nor systems is given: say which coders are the reference, or which "
            "are the systems (on the command line, give SYSTEM files, --reference or --system); "
            f"there are {listed(table.coders)}"
        )
    return known


def _refuse_another_round(
    references: Codings, rows: Int64Array, specs: Mapping[str, list[Any]]
) -> None:
    """Raise if a file of systems has the same people as the references: it is another round of
    coding."""
    if references.scope == "local":
        return
    people = {references.coders[code] for code in np.unique(references.codes[rows]).tolist()}
    runs = [one for spec in specs.values() for one in spec if isinstance(one, Corpus)]
    same = {
        coder
        for run in runs
        if run.coder_scope == "global" and not run.columns.names_systems
        for coder in run.coders
        if coder in people
    }
    if len(same) > 1:
        raise SegmentationError(
            f"{listed(sorted(same))} of the systems are also people of the reference: has "
            "agreement changed between two rounds? segscore agree ROUND1 ROUND2 --rounds "
            "(compare_agreement) says so; to score people as systems, give them other names or "
            "the kind 'system'"
        )


def _run(system: str, spec: Any, table: Codings) -> Codings:
    """A run of a system: a coding of each of its documents."""
    if isinstance(spec, str) and spec in table.coders:
        return replace(table.part(table.rows_of(spec)), texts=table.texts)
    if isinstance(spec, os.PathLike) or (isinstance(spec, str) and Path(spec).exists()):
        spec = _read(spec)
    if isinstance(spec, str):
        raise SegmentationError(
            f"no document has a coding by {spec!r}: there are {listed(table.coders)}"
        )
    if isinstance(spec, Corpus):
        return _run_of_corpus(system, spec)
    given = spec if isinstance(spec, Mapping) else _by_document(spec, f"system {system!r}")
    if given is None:
        raise SegmentationError(
            f"system {system!r} is {shown(spec)}: expected a coder's name, a mapping from document "
            "to Segmentation, a list of Segmentations, a file, or a list of these, one per run"
        )
    done: Mapping[Any, Any] = given
    if NoneType in set(map(type, given.values())):
        done = {name: one for name, one in given.items() if one is not None}
    found = Codings.of_segmentations(
        list(done),
        system,
        [
            one if type(one) is Segmentation else _only_coding(system, document, one)
            for document, one in done.items()
        ],
        source=f"system {system!r}",
        texts=_texts(done),
        provenance=provenance_in(given, f"cannot compare system {system!r}"),
    )
    failures = reasons_in(given)
    if len(done) < len(given):
        failures |= {str(name): "it is None" for name in given if name not in done}
    return replace(found, failures=failures) if failures else found


def _run_of_corpus(system: str, corpus: Corpus) -> Codings:
    """The run in a corpus that has a single coding of each document, by the system."""
    codings = corpus.columns
    if codings.failures:
        codings = codings.part(np.arange(len(codings)))  # without documents that have no coding
    wrong = np.flatnonzero(np.diff(codings.starts) != 1)
    if wrong.size:
        document = codings.documents[int(wrong[0])]
        raise _no_segmentation(system, document, corpus[document])
    codes = np.zeros(len(codings), np.int32)
    return replace(codings, coders=[system], codes=codes, source=f"system {system!r}")


def _only_coding(system: str, document: Any, given: Any) -> Segmentation:
    """The single coding of a document, given directly or as the only coding in a corpus."""
    only = given
    if isinstance(given, Mapping) and len(given) == 1:
        only = next(iter(given.values()))
    if not isinstance(only, Segmentation):
        raise _no_segmentation(system, document, given)
    return only


def _no_segmentation(system: str, document: Any, given: Any) -> SegmentationError:
    return SegmentationError(f"system {system!r}, document {document!r}: {not_segmentation(given)}")
