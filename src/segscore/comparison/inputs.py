"""What `compare` is given: references and systems, from a corpus, files or mappings.

Documents are paired by the rules of `segscore.pairing.documents`, as in `score`: every system must
have done the documents that have a reference, and texts that are known must be the same.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import check_choice, shown
from segscore.basics.series import by_name, is_series
from segscore.coders.consensus_coding import consensus
from segscore.coding.segmentation import Segmentation
from segscore.comparison.judged_runs import (
    ColumnHypotheses,
    DocumentRows,
    JudgedOutput,
    JudgedRun,
    References,
)
from segscore.comparison.systems import Contestant
from segscore.comparison.units import (
    AS_THEY_ARE,
    Codings,
    Masked,
    Run,
    UnitChanges,
    aligned_runs,
    without_parts,
)
from segscore.corpus.corpus import Corpus, Document, Scope
from segscore.corpus.provenance import PLAIN, Provenance, provenance_in
from segscore.corpus.record import Units
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.consensus_rule import consensus_rule
from segscore.pairing.documents import check_same_text, match_documents
from segscore.pairing.rules import Missing, check_missing

Case = Literal["document", "coding"]
CASES: tuple[Case, ...] = ("document", "coding")
Clusters = Mapping[str, Any] | Callable[[str], Any]  # what each document belongs to


class Background(NamedTuple):
    """What else is known of a document: who made its references, in their order, all its codings
    as they were given, and its text."""

    coders: tuple[str, ...]
    codings: Codings
    units: Units | None


class Compared(NamedTuple):
    """The references of each document, the systems, and what was skipped for which units."""

    references: References
    systems: list[Contestant]
    provenance: Provenance
    skipped: tuple[str, ...]
    background: Mapping[str, Background] = MappingProxyType({})
    coder_scope: Scope = "global"


def find_compared(
    corpus: Any,
    reference: Any,
    systems: Any,
    missing: Missing = "error",
    ignore_text: bool = False,
    unit: Case = "document",
    changes: UnitChanges = AS_THEY_ARE,
) -> Compared:
    """The references of each document, and the systems, on the documents that all have."""
    check_missing(missing)
    check_choice(unit, "unit", CASES)
    corpus = _read(corpus)
    if not isinstance(corpus, Mapping) or not corpus:
        raise SegmentationError(
            f"corpus is {shown(corpus)}: expected a Corpus, or a mapping from document name to "
            "its codings, with at least one document"
        )
    named = {name: _codings(name, given) for name, given in corpus.items()}
    specs = _system_specs(named, reference, systems)
    taken = {coder for spec in specs.values() for coder in spec if isinstance(coder, str)}
    by_coder = _references(named, reference, taken, missing)
    runs = {name: [_run(name, one, named) for one in spec] for name, spec in specs.items()}
    kept = _documents(by_coder, runs, missing)
    provenance = provenance_in(corpus, "cannot compare")
    runs = aligned_runs(runs, {name: named[name] for name in kept}, provenance, changes)
    for name, several in runs.items():
        for run in several:
            provenance = provenance.joined(run.provenance, f"cannot compare system {name!r}")
            if not ignore_text:
                _check_texts(name, run, corpus, kept)
    left = without_parts(Masked(named, by_coder, runs, provenance), kept, changes)
    refs = {document: list(codings.values()) for document, codings in left.references.items()}
    seen = dict.fromkeys(
        [
            *named,
            *(doc for several in runs.values() for run in several for doc in run.segmentations),
        ]
    )
    compared = Compared(
        {document: refs[document] for document in kept},
        [
            Contestant(name, "system", _judged(several, refs, kept))
            for name, several in left.runs.items()
        ],
        left.provenance,
        tuple(document for document in seen if document not in kept),
        {
            document: Background(
                tuple(by_coder[document]),
                left.named[document],
                _text(document, left.named, left.runs),
            )
            for document in kept
        },
        getattr(corpus, "coder_scope", "global"),
    )
    return compared if unit == "document" else _by_coding(compared)


def _text(
    document: str, named: Mapping[str, Codings], runs: Mapping[str, Sequence[Run]]
) -> Units | None:
    """The text of a document, if the corpus or a system knows it."""
    known: Units | None = getattr(named[document], "units", None)
    texts = (run.texts.get(document) for several in runs.values() for run in several)
    return known if known is not None else next(filter(None, texts), None)


def _by_coding(compared: Compared) -> Compared:
    """Each reference coding as a case of its own; every system meets each."""

    def case(document: str, index: int) -> str:
        return f"{document}, reference {index + 1}"

    references = {
        case(document, index): [coding]
        for document, codings in compared.references.items()
        for index, coding in enumerate(codings)
    }
    systems = [
        Contestant(
            one.name,
            one.kind,
            [
                {
                    case(document, index): [JudgedOutput([coding], outputs[0].hypothesis)]
                    for document, outputs in run.items()
                    for index, coding in enumerate(compared.references[document])
                }
                for run in one.runs
            ],
        )
        for one in compared.systems
    ]
    background = {
        case(document, index): one._replace(coders=(coder,))
        for document, one in compared.background.items()
        for index, coder in enumerate(one.coders)
    }
    return compared._replace(references=references, systems=systems, background=background)


def _documents(
    refs: Mapping[str, Codings], runs: Mapping[str, Sequence[Run]], missing: Missing
) -> dict[str, None]:
    """The documents that have a reference and that every system did, in at least one run."""
    kept = dict.fromkeys(refs)
    for name, several in runs.items():
        for index, run in enumerate(several):
            if not run.segmentations:
                raise SegmentationError(f"system {name!r}, run {index + 1} has no document")
        done = dict.fromkeys(document for run in several for document in run.segmentations)
        found = match_documents(kept, done, missing, hypothesis=f"system {name!r}")
        kept = dict.fromkeys(found.documents)
    return kept


def _check_texts(name: str, run: Run, corpus: Mapping[str, Any], kept: Mapping[str, None]) -> None:
    for document, text in run.texts.items():
        if document in kept:
            known = getattr(corpus[document], "units", None)
            check_same_text(document, known, text, sides=("reference", f"system {name!r}"))


def _judged(runs: Sequence[Run], refs: References, kept: Mapping[str, None]) -> list[JudgedRun]:
    return [JudgedRun(refs, _in_order(run.segmentations, kept)) for run in runs]


def _in_order(
    given: Mapping[str, Segmentation], kept: Mapping[str, None]
) -> Mapping[str, Segmentation]:
    """The documents that are compared, in their order."""
    if list(given) == list(kept):
        return given
    return {document: given[document] for document in kept if document in given}


def cluster_numbers(documents: Sequence[str], cluster: Clusters) -> NDArray[np.intp]:
    """The number of each document's cluster."""
    if isinstance(cluster, Mapping):
        absent = [one for one in documents if one not in cluster]
        if absent:
            raise SegmentationError(f"cluster does not name what {listed(absent)} belong to")
        names = [cluster[one] for one in documents]
    elif callable(cluster):
        names = [cluster(one) for one in documents]
    else:
        raise SegmentationError(
            f"cluster is {shown(cluster)}: expected a mapping from document to its cluster, or a "
            "function of the document's name"
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], np.intp)


# ---- the corpus ----


def _read(given: Any) -> Any:
    """A path is read; a Series becomes a mapping; everything else stays."""
    if isinstance(given, str | os.PathLike):
        from segscore.io import read

        if not Path(given).exists():
            raise SegmentationError(f"there is no file {os.fspath(given)!r}: expected a path")
        return read(given)
    return by_name(given, "corpus") if is_series(given) else given


def _codings(document: str, given: Any) -> Codings:
    """The codings of one document by coder; a bare reference, or a list of them, gets names."""
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
                f"document {document!r}, coder {coder!r}: {shown(one)}: expected a Segmentation"
            )
    return given


# ---- references ----


def _references(
    named: Mapping[str, Codings], reference: Any, taken: set[str], missing: Missing
) -> dict[str, dict[str, Segmentation]]:
    """The references of each document by coder: those named, or all who are no system."""
    rule = consensus_rule(reference) if isinstance(reference, str) else None
    if rule is not None:
        people = _references(named, None, taken, missing)
        return {
            document: {reference: consensus(codings.values(), *rule)}
            for document, codings in people.items()
        }
    wanted = [reference] if isinstance(reference, str) else reference
    if wanted is not None:
        _check_references(named, list(wanted), taken)
    references: dict[str, dict[str, Segmentation]] = {}
    for document, codings in named.items():
        coders = _people(codings, taken) if wanted is None else list(wanted)
        found = {coder: codings[coder] for coder in coders if coder in codings}
        if found:
            references[document] = found
        elif missing == "error":
            asked = "" if wanted is None else f" by {listed(wanted)}"
            raise SegmentationError(
                f"document {document!r} has no reference{asked}: its coders are {listed(codings)}"
            )
    if not references:
        raise SegmentationError("no document has a reference: expected at least one")
    return references


def _people(codings: Codings, taken: set[str]) -> list[str]:
    """Who is no system: neither among those compared, nor called one by the corpus."""
    kinds = codings.kinds if isinstance(codings, Document) else {}
    return [coder for coder in codings if coder not in taken and kinds.get(coder) != "system"]


def _check_references(named: Mapping[str, Codings], wanted: list[Any], taken: set[str]) -> None:
    coders = _coders(named)
    if not wanted:
        raise SegmentationError("reference is empty: expected a coder, or None for all of them")
    for coder in wanted:
        if coder not in coders:
            raise SegmentationError(
                f"no document has a coding by reference {coder!r}: there are {listed(coders)}"
            )
        if coder in taken:
            raise SegmentationError(
                f"coder {coder!r} is both reference and system: expected one of them"
            )


def _coders(named: Mapping[str, Codings]) -> list[str]:
    return list(dict.fromkeys(coder for codings in named.values() for coder in codings))


# ---- systems ----


def _system_specs(
    named: Mapping[str, Codings], reference: Any, systems: Any
) -> dict[str, list[Any]]:
    """Each system's runs: names of coders, files, or mappings from document to segmentation."""
    if systems is None:
        systems = _other_coders(named, reference)
    elif isinstance(systems, str | os.PathLike):
        systems = [systems]
    if not isinstance(systems, Mapping):
        systems = _by_system(list(systems), _coders(named))
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    return {
        str(name): list(spec) if isinstance(spec, list | tuple) else [spec]
        for name, spec in systems.items()
    }


def _by_system(given: list[Any], coders: list[str]) -> dict[str, Any]:
    """A list names coders of the corpus, or files, each coder of which is a system."""
    systems: dict[str, Any] = {}
    for one in given:
        if isinstance(one, str) and (one in coders or not Path(one).exists()):
            systems[one] = one  # who is unknown is refused later, with the names there are
            continue
        systems |= systems_of(_read(one), str(one), systems)
    return systems


def systems_of(corpus: Corpus, path: str, known: Mapping[str, Any]) -> dict[str, Corpus]:
    """The systems of a file, one per coder; the path is added to a name that is taken."""
    coders = corpus.coders
    whole = len(coders) == 1 and corpus.n_codings == len(corpus)  # one coding in each document
    return {
        f"{coder} ({path})" if coder in known else coder: (
            corpus if whole else corpus.select(coders=[coder])
        )
        for coder in coders
    }


def _other_coders(named: Mapping[str, Codings], reference: Any) -> list[str]:
    """Who is no reference; without one, those whom a corpus calls systems."""
    coders = _coders(named)
    agreed = isinstance(reference, str) and consensus_rule(reference) is not None
    if reference is not None and not agreed:
        refs = [reference] if isinstance(reference, str) else list(reference)
        return [coder for coder in coders if coder not in refs]
    kinds = [codings.kinds for codings in named.values() if isinstance(codings, Document)]
    known = [coder for coder in coders if any(kind.get(coder) == "system" for kind in kinds)]
    if not known:
        raise SegmentationError(
            "neither reference nor systems is given: say which coders are the reference, or which "
            "are the systems (on the command line, give SYSTEM files, --reference or --system); "
            f"there are {listed(coders)}"
        )
    return known


def _run(system: str, spec: Any, named: Mapping[str, Codings]) -> Run:
    """One run of a system, by document."""
    if isinstance(spec, str):
        found = {doc: codings[spec] for doc, codings in named.items() if spec in codings}
        if found:
            return Run(found, {}, own=False)
    if isinstance(spec, os.PathLike) or (isinstance(spec, str) and Path(spec).exists()):
        spec = _read(spec)
    if isinstance(spec, str):
        raise SegmentationError(
            f"no document has a coding by {spec!r}: there are {listed(_coders(named))}"
        )
    in_columns = _run_in_columns(system, spec) if isinstance(spec, Corpus) else None
    if in_columns is not None:
        return in_columns
    given_by_name = by_name(spec, f"system {system!r}")
    if given_by_name is None:
        raise SegmentationError(
            f"system {system!r} is {shown(spec)}: expected a coder's name, a mapping from document "
            "to Segmentation, a file, or a list of these, one per run"
        )
    segmentations: dict[str, Segmentation] = {}
    texts: dict[str, Units] = {}
    for document, given in given_by_name.items():
        if type(given) is Segmentation:  # nearly always
            segmentations[document] = given
            continue
        one = given
        if isinstance(given, Mapping) and len(given) == 1:  # a corpus with one coder
            one = next(iter(given.values()))
        if not isinstance(one, Segmentation):
            raise SegmentationError(
                f"system {system!r}, document {document!r}: {shown(given)}: expected a Segmentation"
            )
        segmentations[document] = one
        if isinstance(given, Document) and given.units is not None:
            texts[document] = given.units
    known = provenance_in(given_by_name, f"cannot compare system {system!r}")
    return Run(segmentations, texts, known)


def _run_in_columns(system: str, corpus: Corpus) -> Run | None:
    """A corpus with one coding per document and nothing but boundaries, without its objects."""
    columns = corpus.columns
    if (np.diff(columns.starts) != 1).any() or columns.details or columns.labels or columns.texts:
        return None
    boundaries = columns.n_units, columns.offsets, columns.positions
    found = ColumnHypotheses(DocumentRows(columns.documents), boundaries)
    return Run(found, {}, PLAIN.joined(corpus.provenance, f"cannot compare system {system!r}"))
