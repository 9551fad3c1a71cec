"""What `compare` is given as its systems: names of coders, files, corpora, mappings, lists; as the
runs of each system, tables with a coding of each document."""

import os
from collections.abc import Iterable, Mapping, Sequence, ValuesView
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import shown
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError, named
from segscore.pairing.consensus_rule import consensus_rule
from segscore.pairing.inputs import Reader, corpus_of, is_path, name_with_file

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Encoding
    from segscore.pairing.pairing import Systems

_ENOUGH = 1000  # entries of a list that are looked at, to see what it is
_SYSTEM = KINDS.index("system")


def system_specs(
    table: Codings, reference: Any, systems: Any, reader: Reader
) -> dict[str, list[Any]]:
    """The runs of each system as given; the coders of files and corpora are systems."""
    if systems is None:
        systems = _other_coders(table, reference)
    elif is_path(systems):
        systems = [systems]
    if not isinstance(systems, Mapping):
        systems = _by_name(list(systems), table.coders, reader)
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    return {
        str(name): list(spec) if isinstance(spec, list | tuple) and not _is_run(spec) else [spec]
        for name, spec in systems.items()
    }


def runs_in(systems: Any) -> list[Any]:
    """All runs of systems as given, in a list or a mapping, and in lists in it."""
    specs = systems.values() if isinstance(systems, Mapping) else systems
    specs = specs if isinstance(specs, list | tuple | ValuesView) else [specs]
    return [
        run
        for spec in specs
        for run in (spec if isinstance(spec, list | tuple) and not _is_run(spec) else [spec])
    ]


def _by_name(given: list[Any], coders: Sequence[str], reader: Reader) -> dict[str, Any]:
    """The systems of a list, which names coders of the corpus, or files whose coders are
    systems."""
    systems: dict[str, Any] = {}
    paths = [str(path) for path in given if is_path(path)]
    for system in given:
        if isinstance(system, str) and (system in coders or not os.path.exists(system)):
            systems[system] = system  # an unknown name is refused later, with the known names
        elif is_path(system) or isinstance(system, Corpus):
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
            f"are the systems; there are {named(table.coders)}"
        )
    return known


def _is_run(spec: Sequence[Any]) -> bool:
    """Whether a list is one run, an entry per document, and not a list of runs: its entries are
    Segmentations, rows of numbers, or None for missing hypotheses."""
    entries = [entry for entry in spec[:_ENOUGH] if entry is not None]
    return bool(entries) and all(
        isinstance(entry, Segmentation)
        or (isinstance(entry, list | tuple) and all(isinstance(item, Real) for item in entry))
        or len(getattr(entry, "shape", ())) == 1
        for entry in entries
    )


def system_run(
    system: str,
    spec: Any,
    table: Codings,
    reader: Reader,
    encoding: "Encoding | None" = None,
    n_units: Any = None,
) -> Codings:
    """A run of a system as given, with its coders."""
    if isinstance(spec, str) and spec in table.coders:
        return replace(table.part(table.rows_of(spec)), texts=table.texts)
    if isinstance(spec, str) and not os.path.exists(spec):
        raise SegmentationError(
            f"no document has a coding by {spec!r}: there are {named(table.coders)}"
        )
    return corpus_of(spec, f"system {system!r}", reader, encoding, n_units)


def as_run(system: str, codings: Codings, table: Codings) -> Codings:
    """A run by a single coder, the system, with one coding of each document."""
    codings = with_names(codings)
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


def with_names(codings: Codings) -> Codings:
    """Codings whose documents have names: their numbers, if a plain sequence was given."""
    if not isinstance(codings.documents, range):
        return codings
    return replace(codings, documents=list(map(str, codings.documents)))


def refuse_another_round(references: Codings, people: set[str], runs: Iterable[Codings]) -> None:
    """Raise if files of systems have the same people as the references: it is another round of
    coding."""
    same = {
        coder
        for run in runs
        if run.scope == "global" and not run.names_systems
        for coder in run.coders
        if coder in people
    }
    if references.scope == "global" and len(same) > 1:
        raise SegmentationError(
            f"{named(sorted(same))} of the systems are also people of the reference: has "
            "agreement changed between two rounds? compare_rounds says so; to score people as "
            "systems, give them other names or the kind 'system'"
        )


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
