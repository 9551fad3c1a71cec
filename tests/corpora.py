"""Hypothesis strategies: corpora with all that a corpus can know."""

from typing import Any

from hypothesis import strategies as st

import segscore as ss
from segscore.corpus.annotation import Annotation
from segscore.corpus.record import Record, unit_hash
from strategies import segmentations

# Names that trip formats: quotes, commas, line ends, spaces, marks, brackets, other scripts.
HOSTILE = ("a,b", 'q"', "a\tb", "a\nb", "a\rb", " a ", "\ufeffx", "a/b", "..", "level1", "{", "é",
           "𝄞", "\u2028", "\x85", "null", "1", "=", "a-b", "a.csv", "\\", "\x00")  # fmt: skip
plain_names = st.text("abcXYZ012_ é", min_size=1, max_size=6).filter(lambda s: s.strip() == s)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.one_of(plain_names, st.sampled_from(HOSTILE), text.filter(bool))
type_names = st.one_of(text, st.integers(-3, 3))


@st.composite
def codings(draw: st.DrawFn, n_units: int, features: frozenset[str]) -> ss.Segmentation:
    """A segmentation with types, ranks and candidates, so far as they are wanted."""
    plain = draw(segmentations(n_units))
    places = plain.boundaries.tolist()
    details: dict[str, Any] = {}
    if "types" in features and draw(st.booleans()):
        details["types"] = [draw(st.frozensets(type_names, min_size=1, max_size=3)) for _ in places]
    if "ranks" in features and draw(st.booleans()):
        details["ranks"] = [draw(st.integers(1, 4)) for _ in places]
    if "candidates" in features and n_units > 1 and draw(st.booleans()):
        more = draw(st.sets(st.integers(1, n_units - 1), max_size=5))
        details["candidates"] = sorted({*places, *more})
    return ss.Segmentation.from_boundaries(places, n_units, **details)


@st.composite
def annotations(draw: st.DrawFn, n_units: int, units: tuple[str, ...] | None) -> Annotation:
    """What a page may tell of a finished coding; `units` is the text, if it is known."""
    most = 3 if n_units > 1 else 0
    places = st.integers(1, max(1, n_units - 1))
    comments = st.lists(st.tuples(places, text), max_size=most)
    return Annotation(
        seconds=draw(st.none() | st.integers(0, 9999)),
        unsure=tuple(sorted(draw(st.sets(places, max_size=most)))),
        comments=tuple(draw(comments)),
        prefilled=draw(st.none() | names),
        page=draw(st.none() | names),
        exported=draw(st.sampled_from([None, "2026-05-04T12:03:00Z"])),
        units=None if units is None else unit_hash(units),
    )


@st.composite
def documents(
    draw: st.DrawFn, name: str, features: frozenset[str], coders: Any, kinds: dict[str, str]
) -> list[Record]:
    """The records of one document, the text on the first."""
    n_units = draw(st.integers(1, 8))
    units = None
    if "units" in features and draw(st.booleans()):
        units = tuple(draw(text) for _ in range(n_units))
    group = draw(st.one_of(st.none(), names)) if "group" in features else None
    least = 0 if "no coding" in features and units is not None else 1
    chosen = draw(st.lists(coders, min_size=least, max_size=3, unique=True))
    if not chosen:
        return [Record(name, units=units, group=group)]
    records = []
    whole = units
    for coder in chosen:
        coding = draw(codings(n_units, features))
        labels = None
        if "labels" in features and draw(st.booleans()):
            label_sets = st.frozensets(text.filter(bool), max_size=2)
            labels = tuple(draw(label_sets) for _ in range(coding.n_segments))
        kind: Any = kinds.get(coder) if "kind" in features else None
        annotation = None
        if "annotation" in features and draw(st.booleans()):
            annotation = draw(annotations(n_units, whole))
        records.append(
            Record(name, coder, coding, units, labels, kind, group, annotation=annotation)
        )
        units = None
    return records


@st.composite
def corpora(
    draw: st.DrawFn, features: frozenset[str] = frozenset(), name: Any = names, coder: Any = names
) -> ss.Corpus:
    """A small corpus that has no more than the features."""
    kinds = draw(st.dictionaries(coder, st.sampled_from(["person", "system"]), max_size=3))
    coders = st.one_of(coder, st.sampled_from(sorted(kinds))) if kinds else coder
    chosen = draw(st.lists(name, min_size=1, max_size=3, unique=True))
    records = [
        record
        for document in chosen
        for record in draw(documents(document, features, coders, kinds))
    ]
    scope: Any = "local" if "local" in features and draw(st.booleans()) else "global"
    return ss.Corpus.from_rows(records, coders=scope)
