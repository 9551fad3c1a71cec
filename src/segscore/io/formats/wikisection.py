"""WikiSection (Arnold et al. 2019): articles with their sections, which have headings and labels.

    [{"id": "http://…", "title": "…", "text": "…", "annotations": [
        {"begin": 0, "length": 120, "sectionHeading": "Signs", "sectionLabel": "disease.symptom"}]}]

The document is the article's `id`, the label of a segment its `sectionLabel`; with the layer
`sectionHeading` it is the heading. Units come from the caller's rule, and none goes beyond a
section. Offsets are code points; they are UTF-16 code units where these end with the text, or where
a section ends beyond its code points.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import SPANS, tool_format
from segscore.io.json_objects import name_in, objects_only, placed
from segscore.io.placing import CodePoints, Span, placed_record, text_rule_of
from segscore.io.safe_parsing import first_keys
from segscore.text.unit_splitting import Stretches, text_units

_EXPECTED = 'articles, as in [{"id": …, "text": …, "annotations": [{"begin": 0, "length": 9, …}]}]'
_LABELS = ("sectionLabel", "sectionHeading")
_ABOVE_SECTIONS = {"id", "title", "abstract", "text"}  # what an article has before its sections


def matches(lines: list[str]) -> bool:
    """Whether it is a list of objects with sections, which may come after more text than is
    inspected."""
    text = "\n".join(lines).strip()
    if not text.startswith("["):
        return False
    if '"annotations"' in text and '"sectionLabel"' in text:
        return True
    return not text.endswith("]") and first_keys(text) >= _ABOVE_SECTIONS


def read(source: Source) -> Iterator[Record]:
    """A record per article."""
    layer = source.choices.layer or _LABELS[0]
    if layer not in _LABELS:
        raise source.fail(f"layer is {layer!r}: expected {' or '.join(_LABELS)}")
    for number, (place, article) in enumerate(objects_only(source, _EXPECTED), start=1):
        with placed(source, *place):
            document = name_in(article, ("id", "title"), str(number))
            where = whereabouts(document, source.coder)
            with about(where):
                text = article.get("text")
                if not isinstance(text, str) or not text.strip():
                    raise SegmentationError(f"text is {shown(text)}: expected the article's text")
                spans = _spans(article.get("annotations"), text, layer)
        units = _within(text, text_rule_of(source, where), spans)
        yield placed_record(source, document, source.coder, spans, units, units.texts)


def _spans(sections: Any, text: str, layer: str) -> list[Span]:
    if not isinstance(sections, list) or not sections:
        raise SegmentationError(f"annotations is {shown(sections)}: expected a list of sections")
    found = []
    for index, section in enumerate(sections):
        with about(f"annotations[{index}]"):
            if not isinstance(section, dict):
                raise SegmentationError(f"{shown(section)}: expected a section, an object")
            begin, length = (_offset(section, key) for key in ("begin", "length"))
            label = section.get(layer)
            if label is not None and not isinstance(label, str):
                raise SegmentationError(f"{layer} is {shown(label)}: expected a text")
            found.append((begin, begin + length, (label or "").strip()))
    convert = CodePoints(text)
    reached = max(end for _, end, _ in found)
    if reached > max(len(text), convert.length):
        raise SegmentationError(
            f"a section ends at {reached}: expected at most {len(text)}, the length of the text"
        )
    wide = reached > len(text) or reached == convert.length
    return [
        Span(convert(begin) if wide else begin, convert(end) if wide else end,
             frozenset({label} - {""}))
        for begin, end, label in found
    ]  # fmt: skip


def _offset(section: dict[str, Any], key: str) -> int:
    value = section.get(key)
    if type(value) is not int or value < 0:
        raise SegmentationError(f"{key} is {shown(value)}: expected a whole number, from 0")
    return value


def _within(text: str, rule: str, spans: list[Span]) -> Stretches:
    """The units, which also end where a section does."""
    edges = sorted({0, len(text), *(edge for span in spans for edge in (span.start, span.end))})
    parts = [text_units(text, rule, lo, hi) for lo, hi in pairwise(edges)]
    return Stretches(
        [start for part in parts for start in part.starts],
        [end for part in parts for end in part.ends],
        tuple(words for part in parts for words in part.texts or ()),
    )


FORMAT = tool_format(
    "wikisection", "WikiSection's JSON", ".json", "units labels", matches, read,
    '"sectionLabel"', '"abstract"', keys=SPANS,
)  # fmt: skip
