"""Records: a coding of a document, and all that is known about it.

Readers give records in a stream, a `Corpus` collects them, writers take them. A record without a
coder and a segmentation is a document of which only the text is known.

The field form of a record is a mapping from names to plain values, as on a line of our JSON Lines
(docs/formats.md): `document` and `coder`, one of `masses`, `boundaries`, `gaps`, `segment_ids`,
`spans` and `levels`, and, where known, `n_units`, `types`, `ranks`, `candidates`, `units`,
`segment_labels` (in older files `labels`), `kind`, `group`, `coders` and `annotation`; or
`failure`, why a model's output for a document gave no coding.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from segscore._kernels.integers import lengths
from segscore.basics.arguments import check_choice, check_name, check_unicode, shown, whole_number
from segscore.coding.constructor_checks import (
    LabelSets,
    checked_labels,
    in_rows,
    label_sets,
    not_segmentation,
)
from segscore.coding.levels import Levels, level_labels
from segscore.coding.segmentation import Segmentation, type_order
from segscore.corpus.lists import Units, as_units
from segscore.errors import SegmentationError, about, shortened

if TYPE_CHECKING:
    from segscore.corpus.annotation import Annotation

Kind = Literal["person", "system", "consensus"]
Labels = LabelSets

KINDS: tuple[Kind, ...] = ("person", "system", "consensus")
CODINGS: dict[str, Callable[[Any], Segmentation]] = {
    "masses": Segmentation.from_masses,
    "gaps": Segmentation.from_gaps,
    "segment_ids": Segmentation.from_segment_ids,
    "spans": Segmentation.from_spans,
}
_CODED_BY = (*CODINGS, "boundaries", "levels")
_DETAILS = ("types", "ranks", "candidates")
_OF_A_CODING = ("coder", *_DETAILS, "segment_labels", "labels", "kind", "annotation")
FIELDS = ("document", *_CODED_BY, "n_units", "units", "group", "coders", "failure", *_OF_A_CODING)
_FIELDS = frozenset(FIELDS)
_IN_A_LEVEL = (*CODINGS, "boundaries", "segment_labels")


@dataclass(frozen=True, slots=True)
class Record:
    """A coding of a document.

    Parameters
    ----------
    document, coder: names. `coder` and `segmentation` are both None where only the text is known.
    segmentation: the coding, with the labels of its segments.
    units: the text of the document, unit by unit.
    labels: a set of labels per segment (empty: none). They equal the labels of the segmentation,
        which gets them if it has none.
    kind: whether the coder is a `person`, a `system`, or a `consensus`, which was made from people.
    group: the group of documents to which this one belongs.
    local: whether the coder's name is valid only in this document.
    place: where the record was read, for messages; two records that differ only here are equal.
    failure: why there is no coding, if a model's output could not be read; the other fields are
        then empty.
    annotation: what an annotation page recorded about the coding.

    >>> Record("ch1", "ann", Segmentation.from_masses([1, 2]), labels=["intro", {"plot", "love"}])
    Record('ch1', 'ann', Segmentation(masses=[1, 2], segment_labels=['intro', ['love', 'plot']]))
    """

    document: str
    coder: str | None = None
    segmentation: Segmentation | None = None
    units: Units | None = None
    labels: Labels | None = None
    kind: Kind | None = None
    group: str | None = None
    local: bool = False
    place: str = field(default="", compare=False)
    failure: str | None = None
    annotation: "Annotation | None" = None

    def __post_init__(self) -> None:
        check_name(self.document, "document")
        coding = self.segmentation
        if self.coder is None and coding is None:
            if self.failure is None and not self.units:
                self._fail("neither a coding nor units: expected one of them, or both")
            if self.labels is not None or self.kind is not None:
                self._fail("labels or a kind, but no coding that they could belong to")
        else:
            check_name(self.coder, "coder")
            if not isinstance(coding, Segmentation):
                self._fail(f"the coding is {not_segmentation(coding)}")
            for kinds in coding.types or ():
                check_unicode("".join(map(str, kinds)), f"{self.where}: types")
            for label in level_labels([coding]):
                check_unicode(label, f"{self.where}: segment_labels")
        if self.units is not None:
            object.__setattr__(self, "units", self._as_units(self.units))
        if self.labels is not None or (coding is not None and coding.segment_labels is not None):
            self._settle_labels(coding)  # type: ignore[arg-type]  # a text alone was refused above
        if self.kind is not None:
            check_choice(self.kind, f"{self.where}: kind", KINDS)
        if self.group is not None:
            check_name(self.group, f"{self.where}: group")

    @property
    def where(self) -> str:
        """The name of the record in messages."""
        return whereabouts(self.document, self.coder)

    @property
    def n_units(self) -> int:
        """The number of units of the document."""
        if self.segmentation is not None:
            return self.segmentation.n_units
        return len(self.units or ())

    def _fail(self, what: str) -> NoReturn:
        raise SegmentationError(f"{self.where}: {what}")

    def _as_units(self, given: Any) -> Units:
        with about(self.where):
            units = as_units(in_rows(given, "units", "a list of texts, one per unit"))
        try:
            check_unicode("".join(units), f"{self.where}: units")
        except TypeError:
            index = next(i for i, unit in enumerate(units) if not isinstance(unit, str))
            self._fail(f"units[{index}] is {shown(units[index])}: expected a text")
        if len(units) != self.n_units:
            self._fail(f"{len(units)} units of text: expected {self.n_units}, as the coding has")
        return units

    def _settle_labels(self, coding: Segmentation) -> None:
        """Make the labels given here and those of the segmentation the same."""
        found = coding.segment_labels
        if self.labels is not None:
            with about(self.where):
                given = checked_labels(self.labels, coding.n_segments, "labels")
            if found is not None and given != found:
                self._fail(
                    "labels is given, and the segmentation has other segment_labels: expected the "
                    "same, or only one of them"
                )
            if found is None:
                coding = coding.with_segment_labels(given)
                object.__setattr__(self, "segmentation", coding)
            found = given
        sets = label_sets(found or ())
        for index, names in enumerate(sets):
            check_unicode("".join(names), f"{self.where}: labels[{index}]")
        object.__setattr__(self, "labels", sets)

    def __repr__(self) -> str:
        parts = [repr(self.document)]
        if self.segmentation is not None:
            parts += [repr(self.coder), repr(self.segmentation)]
        if self.units is not None:
            parts.append(f"{len(self.units)} units of text")
        names = [name for name in ("kind", "group", "local", "place") if getattr(self, name)]
        parts += [f"{name}={getattr(self, name)!r}" for name in names]
        return shortened(f"Record({', '.join(parts)})")


def whereabouts(document: str, coder: str | None) -> str:
    """The name of a coding in messages."""
    return f"document {document!r}" + ("" if coder is None else f", coder {coder!r}")


# ---- the field form ----


def record_from_fields(
    fields: Mapping[str, Any], place: str = "", default_coder: str | None = None
) -> Record:
    """The record that plain values describe; `default_coder` is the coder if none is named.

    >>> record_from_fields({"document": "ch1", "coder": "ann", "masses": [2, 3], "ranks": [1]})
    Record('ch1', 'ann', Segmentation(masses=[2, 3], ranks=[1]))
    """
    if not fields.keys() <= _FIELDS:
        name = next(name for name in fields if name not in _FIELDS)
        of_chunks = name in ("text", "chunks", "page_content")
        hint = "; chunks of texts are read with format='chunks'" if of_chunks else ""
        raise SegmentationError(
            f"no field is called {shown(name)}: expected some of {', '.join(FIELDS)}{hint}"
        )
    if "document" not in fields:
        raise SegmentationError(
            'document is missing: expected its name, as in {"document": "ch1", …}'
        )
    document, coder = fields["document"], fields.get("coder")
    check_name(document, "document")
    with about(whereabouts(document, coder if isinstance(coder, str) else None)):
        if fields.get("failure") is not None:
            check_name(fields["failure"], "failure")
            _only_one(fields, [name for name in fields if name != "document"])
            return Record(document, place=place, failure=fields["failure"])
        coding = _coding(fields)
        labels = fields.get(_only_one(fields, ("segment_labels", "labels")) or "labels")
        annotation = fields.get("annotation") if coding is not None else None
        if annotation is not None:
            from segscore.corpus.annotation import annotation_from_plain

            annotation = annotation_from_plain(annotation, coding.n_units)  # type: ignore[union-attr]
    scope = fields.get("coders", "global")
    check_choice(scope, "coders", ("global", "local"))
    record = Record(
        document,
        default_coder if coder is None and coding is not None else coder,
        coding,
        fields.get("units"),
        labels,
        fields.get("kind"),
        fields.get("group"),
        scope == "local",
        place,
        annotation=annotation,
    )
    stated = fields.get("n_units")
    if stated is not None and whole_number(stated, f"{record.where}: n_units", 1) != record.n_units:
        raise SegmentationError(
            f"{record.where}: n_units is {stated}: expected {record.n_units}, as the coding says"
        )
    return record


def _only_one(fields: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """Which of these fields has a value; raise if several have one."""
    given = sorted(name for name in names if fields.get(name) is not None)
    if len(given) > 1:
        raise SegmentationError(f"{' and '.join(given)} are given: expected one of them")
    return given[0] if given else None


def _coding(fields: Mapping[str, Any]) -> Segmentation | None:
    """The segmentation among the fields; None if there is only text."""
    given = _only_one(fields, _CODED_BY)
    if given is None:
        lost = next((name for name in _OF_A_CODING if fields.get(name) is not None), None)
        if lost is None and fields.get("units") is not None:
            return None
        what = "there is no coding" if lost is None else f"{lost} is given, but no coding"
        raise SegmentationError(f"{what}: expected masses, or boundaries and n_units")
    details = {name: fields[name] for name in _DETAILS if fields.get(name) is not None}
    if given == "levels":
        return _levels(fields, list(details))
    if given != "boundaries":
        coding = CODINGS[given](fields[given])
        if not details:
            return coding
        return Segmentation.from_boundaries(coding.boundaries, coding.n_units, **details)
    n_units, units = fields.get("n_units"), fields.get("units")
    if n_units is None and not isinstance(units, list | tuple):
        raise SegmentationError("n_units is missing: expected the number of units, for boundaries")
    n_units = len(units or ()) if n_units is None else whole_number(n_units, "n_units", 1)
    return Segmentation.from_boundaries(fields["boundaries"], n_units, **details)


def _levels(fields: Mapping[str, Any], details: list[str]) -> Levels:
    """The levels of a coding, each an object with a coding and its labels."""
    besides = [*details, *(name for name in ("segment_labels", "labels") if fields.get(name))]
    if besides:
        raise SegmentationError(
            f"{besides[0]} is given besides levels: expected labels in each level, and no "
            "types, ranks or candidates"
        )
    if not isinstance(fields["levels"], list | tuple):
        raise SegmentationError(
            f"levels is {shown(fields['levels'])}: expected a list of objects, coarse to fine"
        )
    levels = []
    inherited = {name: fields.get(name) for name in ("n_units", "units")}
    for index, level in enumerate(fields["levels"]):
        coded = isinstance(level, Mapping) and any(
            level.get(name) is not None for name in _IN_A_LEVEL[:-1]
        )
        if not coded or not level.keys() <= set(_IN_A_LEVEL):
            raise SegmentationError(
                f"levels[{index}] is {shown(level)}: expected an object with one of "
                f"{', '.join(_IN_A_LEVEL[:-1])}, and segment_labels"
            )
        with about(f"levels[{index}]"):
            coding: Any = _coding({**inherited, **level})
            levels.append(coding.with_segment_labels(level.get("segment_labels")))
    return Levels(levels)


def fields_from_record(record: Record) -> dict[str, Any]:
    """The canonical field form: plain values, masses for the coding, and no unknown fields.

    >>> fields_from_record(Record("ch1", "ann", Segmentation.from_masses([1, 2]), kind="person"))
    {'document': 'ch1', 'coder': 'ann', 'masses': [1, 2], 'kind': 'person'}
    """
    fields: dict[str, Any] = {"document": record.document}
    if record.failure is not None:
        return {**fields, "failure": record.failure}
    coding = record.segmentation
    if coding is not None:
        fields["coder"] = record.coder
        if isinstance(coding, Levels):
            fields["levels"] = [
                {"masses": lengths(level.packed, level.n_units)}
                | ({"segment_labels": [*level.segment_labels]} if level.segment_labels else {})
                for level in coding.levels
            ]
        else:
            fields["masses"] = lengths(coding.packed, coding.n_units)
            if coding.types is not None:
                fields["types"] = [ascending_names(kinds) for kinds in coding.types]
            for name in ("ranks", "candidates"):
                if getattr(coding, name) is not None:
                    fields[name] = getattr(coding, name).tolist()
    if record.units is not None:
        fields["units"] = list(record.units)
    if coding is not None and coding.segment_labels is not None:
        fields["segment_labels"] = [
            ascending_names(label) if isinstance(label, frozenset) else label
            for label in coding.segment_labels
        ]
    more = {
        "kind": record.kind,
        "group": record.group,
        "coders": "local" if record.local else None,
        "annotation": record.annotation and record.annotation.plain(),
    }
    return fields | {name: value for name, value in more.items() if value is not None}


def ascending_names(names: Iterable[Any]) -> list[Any]:
    """A set of types or labels as a list that is always the same: integers first."""
    return sorted(names, key=type_order)


OTHER_TEXT = (  # how a coding of another text is refused
    "the coder marked another text than {} (annotation.units differs): expected codings of the "
    "same units: mark the text of today in a page made from it, or give the text that was marked; "
    "ignore_text=True takes the boundaries anyway"
)


def unit_hash(units: Sequence[str]) -> str:
    """`sha256:` and the SHA-256 of the units, written as a JSON array without spaces in UTF-8.

    JavaScript's `JSON.stringify` writes the same characters, so a page could compute it, too. Half
    a surrogate pair, which no file can hold, is refused.

    >>> unit_hash(["One.", "Two."])[:19]
    'sha256:ba06bdad94b3'
    """
    import hashlib  # of files without annotations nobody asks for it
    import json

    for number, unit in enumerate(units, start=1):
        check_unicode(unit, f"unit {number}")
    written = json.dumps(list(units), ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(written.encode()).hexdigest()


def spelt_alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, spaces or the form of accents.

    >>> spelt_alike(["Ben", "Anna", "ben", "Ben "])
    [['Ben', 'ben', 'Ben ']]
    """
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        folded = unicodedata.normalize("NFKC", name).casefold()
        found.setdefault(" ".join(folded.split()), []).append(name)
    return [alike for alike in found.values() if len(alike) > 1]
