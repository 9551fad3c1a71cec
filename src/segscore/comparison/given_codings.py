"""What `compare` is given as its corpus, in a table: a Corpus, a file, mappings, lists."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import shown
from segscore.basics.series import by_name
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import Provenance, provenance_in
from segscore.corpus.record import KINDS
from segscore.corpus.unit_texts import Units
from segscore.errors import SegmentationError
from segscore.pairing.documents import rows_in
from segscore.pairing.inputs import units_by_place
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import PathLike

if TYPE_CHECKING:
    from segscore.io.read_options import ReadOptions
    from segscore.pairing.list_columns import Encoding


def read_corpus(
    paths: list[PathLike], choices: "ReadOptions | None", form: str | None, path: PathLike
) -> Corpus:
    """The corpus in a file; `paths` collects what was read."""
    from segscore.io.reading import read, read_chosen

    if not os.path.exists(path):
        raise SegmentationError(f"there is no file {os.fspath(path)!r}: expected a path")
    paths.append(path)
    return read(path, form) if choices is None else read_chosen(path, form, choices)


def codings_given(given: Any, read: Callable[[PathLike], Corpus]) -> Codings:
    """All codings of the corpus."""
    found: Any = read(given) if isinstance(given, str | os.PathLike) else given
    corpus = found if isinstance(found, Mapping) else by_document(found, "corpus")
    if not corpus:
        given = found if corpus is None else corpus
        raise SegmentationError(
            f"corpus is {shown(given)}: expected a Corpus, a mapping from document name to its "
            "codings, or a list of references, with at least one document; lists of numbers need "
            "encoding="
        )
    if isinstance(corpus, Corpus):
        return corpus.columns
    provenance = provenance_in(corpus, "cannot compare")
    if all(isinstance(document, Segmentation) for document in corpus.values()):
        return Codings.of_segmentations(
            list(corpus), "reference", list(corpus.values()), provenance=provenance
        )
    return _of_documents(
        {name: _codings(name, document) for name, document in corpus.items()}, provenance
    )


def segmentations_of(given: Any, encoding: "Encoding", n_units: Any, what: str) -> dict[str, Any]:
    """The codings of documents whose codings are lists of numbers, as `score` takes them; None is a
    missing hypothesis. A document may also have a list of references, or one for each coder."""
    if isinstance(given, str | os.PathLike | Corpus):
        raise SegmentationError(
            "encoding says what lists of numbers hold: expected none for files, corpora and names"
        )
    known = by_name(given, what)
    if known is None:
        known = {str(place): row for place, row in enumerate(rows_in(given, what))}
    units = units_by_place(n_units, list(known), len(known))
    entries = {name: _rows_of(entry) for name, entry in known.items()}
    rows = [row for listed in entries.values() for row in listed.values()]
    names = [f"{name} ({key or what})" for name, listed in entries.items() for key in listed]
    sizes = None if units is None else [
        size for size, listed in zip(units, entries.values(), strict=True) for _ in listed
    ]  # fmt: skip
    pairs = Pairs.from_lists(rows, rows, sizes, names, encoding=encoding)
    codings = map(pairs.reference, range(len(rows)))
    found = {name: {key: next(codings) for key in listed} for name, listed in entries.items()}
    return {name: listed.get(None, listed) if listed else None for name, listed in found.items()}


def _rows_of(entry: Any) -> dict[str | None, Any]:
    """The lists of a document by coder; None is the name of the only one."""
    if isinstance(entry, Mapping):
        return dict(entry)
    if _is_row(entry):
        return {} if entry is None else {None: entry}
    return {f"reference {number}": row for number, row in enumerate(entry, start=1)}


def systems_of_numbers(systems: Any, encoding: "Encoding", n_units: Any) -> dict[str, Any]:
    """The systems of `compare`, each with its segmentations or with those of each of its runs."""
    if not isinstance(systems, Mapping):
        raise SegmentationError(
            f"systems is {shown(systems)} and encoding is given: expected a mapping from the name "
            "of each system to its lists, one per document"
        )
    found: dict[str, Any] = {}
    for name, spec in systems.items():
        runs = isinstance(spec, list | tuple) and not any(map(_is_row, spec))
        made = [
            segmentations_of(run, encoding, n_units, f"system {name!r}")
            for run in (spec if runs else [spec])
        ]
        found[name] = made if runs else made[0]
    return found


def _is_row(given: Any) -> bool:
    """Whether these are the numbers of one document, or a text of 0 and 1, or nothing."""
    if given is None or isinstance(given, str):
        return True
    if hasattr(given, "shape"):
        return len(given.shape) == 1
    return not isinstance(given, Mapping) and all(isinstance(item, Real) for item in given)


def by_document(given: Any, what: str) -> Mapping[Any, Any] | None:
    """The values by document name; Segmentations in a list are numbered, as in `score`."""
    if in_a_list(given):
        return {str(number): coding for number, coding in enumerate(given)}
    return by_name(given, what)


def in_a_list(given: Any) -> bool:
    """Whether these are Segmentations in a list; None in the list is a missing hypothesis."""
    if not isinstance(given, list | tuple):
        return False
    kinds = set(map(type, given)) - {NoneType}  # few, however many there are
    return bool(kinds) and all(issubclass(kind, Segmentation) for kind in kinds)


def _of_documents(given: Mapping[Any, Mapping[str, Segmentation]], known: Provenance) -> Codings:
    """The given codings of documents, in a table; a Document also knows its text and labels."""
    rows = [(document, coder) for document in given.values() for coder in document]
    coders, codes = _numbered([coder for _, coder in rows])
    group_names, groups = _numbered(
        [getattr(document, "group", None) for document in given.values()]
    )
    kinds = [getattr(document, "kinds", {}).get(coder) for document, coder in rows]
    boundaries = Codings.of_segmentations(
        range(len(rows)), "", [document[coder] for document, coder in rows],
        texts=texts_of_documents(given), provenance=known,
    )  # fmt: skip
    return replace(
        boundaries,
        documents=list(given),
        starts=starts_of([len(document) for document in given.values()]),
        coders=coders,
        codes=codes,
        kinds=np.array([-1 if kind is None else KINDS.index(kind) for kind in kinds], np.int8),
        groups=groups,
        group_names=group_names,
    )


def _numbered(values: Sequence[Any]) -> tuple[list[Any], NDArray[np.int32]]:
    """The distinct values in the order in which they first occur, and the number of each; None is
    -1."""
    found = {
        value: i
        for i, value in enumerate(dict.fromkeys(value for value in values if value is not None))
    }
    return list(found), np.array([found.get(value, -1) for value in values], np.int32)


def texts_of_documents(given: Mapping[Any, Any]) -> dict[Any, Units]:
    """The texts of the documents that know theirs."""
    if not any(issubclass(kind, Document) for kind in set(map(type, given.values()))):
        return {}
    known = {
        name: document.units for name, document in given.items() if isinstance(document, Document)
    }
    return {name: units for name, units in known.items() if units is not None}


def _codings(document: str, given: Any) -> Mapping[str, Segmentation]:
    """The codings of a document by coder; a bare reference, or a list of references, gets names."""
    if isinstance(given, Segmentation):
        return {"reference": given}
    if isinstance(given, list | tuple):
        given = {f"reference {i + 1}": reference for i, reference in enumerate(given)}
    if not isinstance(given, Mapping):
        raise SegmentationError(
            f"document {document!r} is {shown(given)}: expected a mapping from coder to "
            "Segmentation, a reference Segmentation, or a list of references"
        )
    for coder, coding in given.items():
        if not isinstance(coding, Segmentation):
            raise SegmentationError(
                f"document {document!r}, coder {coder!r}: {not_segmentation(coding)}"
            )
    return given
