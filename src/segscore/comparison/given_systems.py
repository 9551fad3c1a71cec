"""What `compare` is given as its systems: names of coders, files, corpora, mappings, lists; and the
codings of each of their runs."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array, shown
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.comparison.given_codings import (
    by_document,
    in_a_list,
    texts_of_documents,
)
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import provenance_in
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.pairing.consensus_rule import consensus_rule
from segscore.pairing.documents import name_with_file
from segscore.pairing.failures import reasons_in
from segscore.pairing.rules import PathLike, is_path

_SYSTEM = KINDS.index("system")


def system_specs(
    table: Codings, reference: Any, systems: Any, read: Callable[[PathLike], Corpus]
) -> dict[str, list[Any]]:
    """The runs of each system: names of coders, files, or mappings from document to
    segmentation."""
    if systems is None:
        systems = _other_coders(table, reference)
    elif isinstance(systems, str | os.PathLike):
        systems = [systems]
    if not isinstance(systems, Mapping):
        systems = _by_system(list(systems), table.coders, read)
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    return {
        str(name): list(spec) if isinstance(spec, list | tuple) and not in_a_list(spec) else [spec]
        for name, spec in systems.items()
    }


def _by_system(
    given: list[Any], coders: Sequence[str], read: Callable[[PathLike], Corpus]
) -> dict[str, Any]:
    """The systems of a list, which names coders of the corpus, or files whose coders are
    systems."""
    systems: dict[str, Any] = {}
    paths = [str(path) for path in given if isinstance(path, str | os.PathLike)]
    for system in given:
        if isinstance(system, str) and (system in coders or not os.path.exists(system)):
            systems[system] = system  # an unknown name is refused later, with the known names
            continue
        corpus = read(system) if is_path(system) else system
        if not isinstance(corpus, Corpus):
            raise SegmentationError(
                f"systems holds {shown(system)}: expected names of coders, files or corpora; "
                "codings need a name: systems={'name': …}"
            )
        systems |= systems_of(corpus, str(system), systems, paths)
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
            "are the systems; "
            f"there are {listed(table.coders)}"
        )
    return known


def refuse_another_round(
    references: Codings, rows: Int64Array, specs: Mapping[str, list[Any]]
) -> None:
    """Raise if a file of systems has the same people as the references: it is another round of
    coding."""
    if references.scope == "local":
        return
    people = {references.coders[code] for code in np.unique(references.codes[rows]).tolist()}
    runs = [run for spec in specs.values() for run in spec if isinstance(run, Corpus)]
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
            "agreement changed between two rounds? compare_rounds says "
            "so; to score people as systems, give them other names or "
            "the kind 'system'"
        )


def system_run(
    system: str, spec: Any, table: Codings, read: Callable[[PathLike], Corpus]
) -> Codings:
    """A run of a system: a coding of each of its documents."""
    if isinstance(spec, str) and spec in table.coders:
        return replace(table.part(table.rows_of(spec)), texts=table.texts)
    if isinstance(spec, os.PathLike) or (isinstance(spec, str) and os.path.exists(spec)):
        spec = read(spec)
    if isinstance(spec, str):
        raise SegmentationError(
            f"no document has a coding by {spec!r}: there are {listed(table.coders)}"
        )
    if isinstance(spec, Corpus):
        return _run_of_corpus(system, spec, table)
    given = spec if isinstance(spec, Mapping) else by_document(spec, f"system {system!r}")
    if given is None:
        raise SegmentationError(
            f"system {system!r} is {shown(spec)}: expected a coder's name, a mapping from document "
            "to Segmentation, a list of Segmentations, a file, or a list of these, one per run; "
            "lists of numbers need encoding="
        )
    return _run_of_mapping(system, given)


def _run_of_mapping(system: str, given: Mapping[Any, Any]) -> Codings:
    """The run in a mapping from document to coding; None means that there is no coding."""
    done: Mapping[Any, Any] = given
    if NoneType in set(map(type, given.values())):
        done = {name: coding for name, coding in given.items() if coding is not None}
    found = Codings.of_segmentations(
        list(done),
        system,
        [
            coding if type(coding) is Segmentation else _only_coding(system, document, coding)
            for document, coding in done.items()
        ],
        source=f"system {system!r}",
        texts=texts_of_documents(done),
        provenance=provenance_in(given, f"cannot compare system {system!r}"),
    )
    failures = reasons_in(given)
    if len(done) < len(given):
        failures |= {str(name): "it is None" for name in given if name not in done}
    return replace(found, failures=failures) if failures else found


def _run_of_corpus(system: str, corpus: Corpus, table: Codings) -> Codings:
    """The run in a corpus that has a single coding of each document, by the system."""
    codings = corpus.columns
    if codings.failures:
        codings = codings.part(np.arange(len(codings)))  # without documents that have no coding
    wrong = np.flatnonzero(np.diff(codings.starts) != 1)
    if wrong.size:
        document = codings.documents[int(wrong[0])]
        raise _no_segmentation(system, document, corpus[document])
    if codings.documents == table.documents and isinstance(codings.documents, list):
        codings.documents[:] = table.documents  # the same texts: names are most of a large corpus
    codes = np.broadcast_to(np.int32(0), len(codings))  # which takes no memory
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
