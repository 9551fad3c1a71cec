"""Whatever people give, as a table of codings.

`corpus_of` alone looks at types and paths, for `score`, `compare`, `check`, `curve` and `audit`:
sequences and mappings of segmentations, lists of numbers, corpora, files. `Reader` reads the files.
Documents of a sequence have no names but numbers: `documents` is then a range.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import array_inside, is_whole, shown, values_by_name
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, PLAIN, Codings, Provenance, starts_of, whereabouts
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.lists import UnitTexts
from segscore.errors import SegmentationError, named
from segscore.pairing.pair_columns import integer_column
from segscore.pairing.rules import Encoding, reasons_in

if TYPE_CHECKING:
    from segscore.io.read_options import ReadOptions

PathLike = str | os.PathLike[str]
PATHS = (str, os.PathLike)
NOTHING: Mapping[str, Any] = MappingProxyType({})


# ---- files ----


@dataclass
class Reader:
    """How the files of both sides are read.

    formats: of references, and of hypotheses; None: suffix and content decide. choices: the options
    of reading; given: the keywords as given. paths: the files that were read; references: what the
    file of references holds.
    """

    formats: tuple[str | None, str | None] = (None, None)
    choices: "ReadOptions | None" = None
    given: Mapping[str, Any] = field(default_factory=dict)
    paths: list[PathLike] = field(default_factory=list)
    references: Codings | None = None

    @classmethod
    def of(
        cls, given: Mapping[str, Any], refs: Any, hyps: Sequence[Any], ignore_text: bool = False
    ) -> "Reader":
        """The reader of references and of one or more hypotheses; raise for keywords of reading if
        none of them is a path."""
        paths = [hyp for hyp in hyps if isinstance(hyp, PATHS)]
        if not paths and not isinstance(refs, PATHS):
            if given:
                raise SegmentationError(
                    f"{named(given)}: for reading, and no path is given: expected a file"
                )
            return cls()
        from segscore.io.read_options import ReadOptions

        keywords = {"ignore_text": ignore_text, **given}
        formats = keywords.pop("format", None), keywords.pop("hypothesis_format", None)
        return cls(formats, ReadOptions(**keywords), given).beside(refs, paths)

    def beside(self, refs: Any, hyps: Iterable[PathLike]) -> "Reader":
        """The reader that also places chunks, and answers, on the text of the references' file."""
        there = [path for path in hyps if os.path.exists(path)]
        if self.choices is None or not (there and isinstance(refs, PATHS) and os.path.exists(refs)):
            return self
        from segscore.io.reading import for_chunks

        return replace(self, choices=for_chunks(refs, there, self.formats, self.choices))

    def codings(self, path: PathLike | list[Path], side: str) -> Codings:
        """The codings in files or folders. A hypothesis whose only document has the name of its
        file has that of the only document of references: ref.txt and hyp.txt."""
        from segscore.io.reading import read_columns

        self.paths += path if isinstance(path, list) else [path]
        form, refs = self.formats[side != "reference"], self.references
        known = () if refs is None else refs.documents
        choices = {} if self.choices is None else {"choices": self.choices}
        found = read_columns(path, form, known=known, **choices)
        if side == "reference":
            self.references = found
        elif refs is not None and found.documents != refs.documents:
            found = named_alike(refs, found, self.remark)
        return found

    def corpus(self, path: PathLike | list[Path], side: str) -> Corpus:
        """The codings in files, as a corpus."""
        found = self.codings(path, side)
        return Corpus.from_columns(found, found.scope, found.provenance)

    def finish(self) -> None:
        """Tell what was skipped; raise for names that no file had."""
        if self.paths and self.choices is not None:
            from segscore.io.reading import finish_reading

            finish_reading(self.choices, self.paths, self.given)

    def remark(self, text: str) -> None:
        """Remark something about what was read."""
        (warn_of_reading if self.choices is None else self.choices.remark)(text)


def named_alike(reference: Codings, hypothesis: Codings, remark: Callable[[str], None]) -> Codings:
    """The hypothesis, whose document is that of the reference if both files have a single one,
    which only the names of the files name: ref.txt and hyp.txt."""
    names, own = list(reference.documents), list(hypothesis.documents)
    stems = [[Path(each.source).stem] for each in (reference, hypothesis)]
    if names == own or stems != [names, own]:
        return hypothesis
    remark(f"{reference.source} and {hypothesis.source} have a document each: they are compared")
    texts = UnitTexts()
    for units in hypothesis.texts.values():
        texts.add(names[0], len(units), units)
    return replace(hypothesis, documents=names, texts=texts)


def warn_of_reading(text: str) -> None:
    """Remark something as a warning."""
    from segscore.io.read_options import warn as as_warning

    as_warning(text)


def name_with_file(
    coder: str,
    path: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]],
    taken: Collection[str] = (),
) -> str:
    """The name of a hypothesis: its coder, with its file if another file has the same name or the
    coder's name is already taken.

    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/out.json"])
    'out (a/out.json)'
    >>> name_with_file("out", "a/out.json", ["a/out.json", "b/other.json"])
    'out'
    """
    mine = Path(path)
    others = (Path(other) for other in paths)
    is_twice = any(other.stem == mine.stem and other != mine for other in others)
    return f"{coder} ({path})" if is_twice or coder in taken else coder


# ---- one side ----


def corpus_of(
    given: Any,
    side: str = "reference",
    reader: Reader | None = None,
    encoding: Encoding | None = None,
    n_units: Any = None,
) -> Codings:
    """All codings of one side; `side` names it in messages, and is the coder of bare codings.

    A document has a Segmentation, or a list of references, or a mapping from coder to Segmentation;
    or lists of numbers instead (`encoding`, `n_units`: as in `score`). None is a missing
    hypothesis.
    """
    if isinstance(given, Codings):
        return given
    reader = reader or Reader()
    if n_units is not None and encoding is None:
        raise SegmentationError(
            "n_units is given without encoding: expected encoding='boundaries', or another that "
            "says what the lists hold"
        )
    if encoding is not None and isinstance(given, (*PATHS, Corpus)):
        raise SegmentationError(
            "encoding says what lists of numbers hold: expected none for files and corpora"
        )
    if isinstance(given, PATHS):
        if os.path.exists(given):
            return reader.codings(given, side)
        raise SegmentationError(
            f"the {side} is {shown(os.fspath(given), 100)}, and there is no such file: expected a "
            "path, a Corpus, or segmentations"
        )
    form = reader.formats[side != "reference"]
    if form is not None and side in ("reference", "hypothesis"):
        raise SegmentationError(
            f"the {side} has the format {form!r}, and is not a path: expected a file or a folder"
        )
    if isinstance(given, Corpus):
        return replace(given.columns, source=f"the {side}")
    if isinstance(given, Segmentation):
        raise SegmentationError(
            f"the {side} is {shown(given)}: expected sequences or mappings of segmentations; for "
            "one pair call the metric: WindowDiff()(ref, hyp)"
        )
    found = values_by_name(given, side)
    names, entries = (
        (list(found), list(found.values())) if found is not None else by_place(given, side)
    )
    kinds = set(map(type, entries))
    known: Provenance = getattr(given, "provenance", PLAIN) if isinstance(given, Mapping) else PLAIN
    if encoding is not None:
        made = _of_numbers(names, entries, side, encoding, n_units)
    elif kinds <= {Segmentation}:
        source = f"the {side}"
        made = Codings.of_segmentations(names, side, entries, source=source, provenance=known)
    else:
        made = _of_documents(names, entries, side, known)
    if NoneType in kinds or hasattr(given, "failures"):
        both = zip(names, entries, strict=True)
        none = {str(name): "it is None" for name, entry in both if entry is None}
        made = replace(made, failures=reasons_in(given) | none)
    return made


def by_place(given: Any, side: str) -> tuple[range, list[Any]]:
    """The entries of a plain sequence, one per document, and their numbers; an array has rows."""
    expected = "a sequence with one entry per document, or a mapping from its name"
    values = given if isinstance(given, Iterable) else array_inside(given, f"the {side}", expected)
    try:
        if not isinstance(values, str | bytes):
            rows = values if type(values) is list else list(values)
            return range(len(rows)), rows
    except TypeError:  # has no dimension, or cannot be gone through
        pass
    hint = ", such as [placement.segmentation]" * hasattr(type(given), "segmentation")
    raise SegmentationError(f"the {side} is {shown(given)}: expected {expected}{hint}")


def _of_documents(
    names: Sequence[Any], entries: Sequence[Any], side: str, known: Provenance
) -> Codings:
    """The codings of documents by several coders; a Document also knows its text and labels."""
    for document in entries:
        own = getattr(document, "provenance", PLAIN)
        if own is not known:
            known = known.joined(own, f"cannot take documents together as the {side}")
    rows = [_codings_of(name, entry, side) for name, entry in zip(names, entries, strict=True)]
    documents = {
        name: entry
        for name, entry in zip(names, entries, strict=True)
        if isinstance(entry, Document)
    }
    table = Codings.of_segmentations(
        range(sum(map(len, rows))),
        side,
        [coding for row in rows for coding in row.values()],
        texts={name: each.units for name, each in documents.items() if each.units is not None},
        provenance=known,
        source=f"the {side}",
    )
    made = _by_document(table, names, rows, entries)
    if not documents:
        return made
    kinds = [
        getattr(entry, "kinds", {}).get(coder)
        for entry, row in zip(entries, rows, strict=True)
        for coder in row
    ]
    group_names, groups = _numbered([getattr(entry, "group", None) for entry in entries])
    return replace(
        made,
        kinds=np.array([-1 if kind is None else KINDS.index(kind) for kind in kinds], np.int8),
        groups=groups,
        group_names=group_names,
    )


def _codings_of(name: Any, entry: Any, side: str) -> Mapping[str, Segmentation]:
    """The codings of a document by coder; a bare one, or a list of references, gets names."""
    if isinstance(entry, Segmentation):
        return {side: entry}
    if entry is None and side != "reference":
        return {}
    several = isinstance(entry, list | tuple) and entry and isinstance(entry[0], Segmentation)
    found = _listed(entry) if several else entry
    if not isinstance(found, Mapping):
        raise SegmentationError(f"document {name!r}: {side} is {not_segmentation(entry)}")
    for coder, coding in found.items():
        if not isinstance(coding, Segmentation):
            where = whereabouts(name, coder)
            raise SegmentationError(f"{where}: {not_segmentation(coding)}")
    return found


def _listed(entries: Iterable[Any]) -> dict[str, Any]:
    """References in a list, by names."""
    return {f"reference {number}": entry for number, entry in enumerate(entries, start=1)}


def _by_document(
    table: Codings, names: Sequence[Any], rows: Sequence[Mapping[Any, Any]], entries: Sequence[Any]
) -> Codings:
    """A table whose rows are documents of their own, as the codings of documents by coder."""
    coders, codes = _numbered([coder for row in rows for coder in row])
    return replace(
        table,
        documents=names,
        starts=starts_of([len(row) for row in rows]),
        coders=coders,
        codes=codes,
        groups=np.full(len(names), -1, np.int32),
        listed=any(isinstance(entry, list | tuple) for entry in entries),
    )


def _numbered(values: Sequence[Any]) -> tuple[list[Any], NDArray[np.int32]]:
    """The distinct values in the order in which they first occur, and the number of each; None is
    -1."""
    found = {value: i for i, value in enumerate(dict.fromkeys(v for v in values if v is not None))}
    return list(found), np.array([found.get(value, -1) for value in values], np.int32)


# ---- lists of numbers ----


def _of_numbers(
    names: Sequence[Any], entries: list[Any], side: str, encoding: Encoding, n_units: Any
) -> Codings:
    """The codings of documents whose codings are lists, arrays, tensors, or texts of 0 and 1."""
    from segscore.pairing.list_columns import coding_columns, lists_of, packed_lists

    units = _units_of(n_units, names)
    column = packed_lists(entries)
    if column is not None:  # plain lists of integers, one for each document
        called = None if isinstance(names, range) else [_called_in(name, side) for name in names]
        columns = coding_columns(column, encoding, units, called, side)
        return Codings.plain(names, side, columns, source=f"the {side}")
    rows = [_lists_in(entry, side) for entry in entries]
    called = [
        _called_in(name, str(coder) if len(row) > 1 else side)
        for name, row in zip(names, rows, strict=True)
        for coder in row
    ]
    column = lists_of([numbers for row in rows for numbers in row.values()], side)
    sizes = None if units is None else np.repeat(units, [len(row) for row in rows])
    columns = coding_columns(column, encoding, sizes, called, side)
    table = Codings.plain(range(len(called)), side, columns, source=f"the {side}")
    return _by_document(table, names, rows, entries)


def _called_in(name: Any, side: str) -> str:
    """The name of a document in messages, which say themselves if a side is the hypothesis."""
    return str(name) if side in ("reference", "hypothesis") else f"{name} ({side})"


def _lists_in(entry: Any, side: str) -> Mapping[Any, Any]:
    """The lists of a document by coder."""
    if isinstance(entry, Mapping):
        return entry
    if entry is None:
        return {}
    several = isinstance(entry, list | tuple) and any(
        isinstance(item, list | tuple | str) or len(getattr(item, "shape", ())) for item in entry
    )
    return _listed(entry) if several else {side: entry}


def _units_of(given: Any, names: Sequence[Any]) -> Any:
    """The numbers of units of documents in order: one number for all, or one for each, by name or
    by place."""
    if given is None or is_whole(given):
        return None if given is None else np.full(len(names), int(given))
    known = values_by_name(given, "n_units")
    if known is None:
        units = integer_column(given, "n_units", np.int64)
        if len(units) != len(names):
            raise SegmentationError(
                f"n_units has {len(units)} numbers, and there are {len(names)} documents: expected "
                "as many of both"
            )
        return units
    for name in names:
        if name not in known:
            raise SegmentationError(f"n_units lacks document {name!r}: there are {named(known)}")
    return [known[name] for name in names]
