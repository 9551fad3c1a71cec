"""UIMA CAS, as INCEpTION and others write it: XMI (XML) and JSON.

    <cas:Sofa xmi:id="1" sofaString="First topic. …"/>
    <custom:Segment xmi:id="2" sofa="1" begin="0" end="12" label="A"/>

Annotations are all that have a begin and an end. `layer` is the type of those that are segments
(`custom.Segment`; the last part is enough), and is needed where the file has several types besides
sentences and tokens. Units are the Sentence annotations of the file, with units=words its Token
annotations; where it has none, units= is a rule. The label is `label`, `value`, or else the only
feature whose value is a text. Offsets count UTF-16 code units. A type system is not needed.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io.files import Source
from segscore.io.format import SPANS, tool_format
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.io.safe_parsing import json_value, xml_root
from segscore.text.unit_splitting import stretches

_NAMESPACE = re.compile(r"\{http:///(.*)\.ecore\}(.+)")
_SPECIAL = ("begin", "end", "sofa")
_UNIT_TYPES = {"Sentence": "sentences", "Token": "words"}
_ASIDE = ("DocumentAnnotation", "DocumentMetaData", "TagsetDescription", "LayerDefinition")


Texts = dict[str, str]  # by id
Annotations = dict[str, list[tuple[str, Mapping[str, Any]]]]  # by type: id of the text, features


def matches_xmi(lines: list[str]) -> bool:
    """Whether the root element is XMI's."""
    return "<xmi:XMI" in "\n".join(lines)


def matches_json(lines: list[str]) -> bool:
    """Whether it is an object with UIMA's keys."""
    text = "\n".join(lines)
    return text.lstrip().startswith("{") and ('"%TYPES"' in text or '"%FEATURE_STR' in text)


def read_xmi(source: Source) -> Iterator[Record]:
    """The record of a file."""
    expected = "a UIMA CAS, <xmi:XMI>"
    root = xml_root(source, expected)
    if not root.tag.endswith("}XMI"):
        raise source.fail(f"the root is <{root.tag}>: expected {expected}")
    texts: Texts = {}
    found: Annotations = {}
    for element in root:
        name = _NAMESPACE.fullmatch(element.tag)
        kind = f"{name[1].replace('/', '.')}.{name[2]}" if name else element.tag
        if kind.endswith("cas.Sofa"):
            number = next((text for key, text in element.items() if key.endswith("}id")), "")
            texts[number] = element.get("sofaString") or ""
        elif element.get("begin") is not None:
            plain = {key: text for key, text in element.items() if not key.startswith("{")}
            found.setdefault(kind, []).append((element.get("sofa") or "", plain))
    yield _record(source, texts, found)


def read_json(source: Source) -> Iterator[Record]:
    """The record of a file."""
    expected = "a UIMA CAS in JSON"
    data = json_value(source, source.read_text(), expected)
    structures = data.get("%FEATURE_STRUCTURES") if isinstance(data, dict) else None
    if isinstance(structures, dict):  # written by id
        structures = [
            {"%ID": key, **structure}
            for key, structure in structures.items()
            if isinstance(structure, dict)
        ]
    if not isinstance(structures, list):
        raise source.fail(f"%FEATURE_STRUCTURES is {shown(structures)}: expected {expected}")
    texts: Texts = {}
    found: Annotations = {}
    for structure in structures:
        if not isinstance(structure, dict) or not isinstance(structure.get("%TYPE"), str):
            raise source.fail(f"{shown(structure)}: expected an object with %TYPE")
        if structure["%TYPE"].endswith("cas.Sofa"):
            text = structure.get("sofaString")
            texts[str(structure.get("%ID"))] = text if isinstance(text, str) else ""
        elif "begin" in structure:
            plain = {key: value for key, value in structure.items() if key[:1] not in "%@^"}
            found.setdefault(structure["%TYPE"], []).append((str(structure.get("@sofa")), plain))
    yield _record(source, texts, found)


def _record(source: Source, texts: Texts, found: Annotations) -> Record:
    with source.locating():
        kind = _layer(found, source.choices.layer)
        sofa = found[kind][0][0]
        if sofa not in texts:
            raise SegmentationError(f"{kind[:200]} is of text {sofa!r}: there is {named(texts)}")
        text = texts[sofa]
        convert = CodePoints(text)
        spans = [_span(kind, fields, convert) for where, fields in found[kind] if where == sofa]
        rule = source.choices.units or "sentences"
        edges = [
            _edges(name, fields, convert)
            for name, several in found.items()
            if _UNIT_TYPES.get(name.rpartition(".")[2]) == rule and name != kind
            for where, fields in several
            if where == sofa
        ]
        units = stretches(sorted(edges), text) if edges else None
    document, coder = source.document, source.coder
    if units is not None:
        return placed_record(source, document, coder, spans, units)
    return text_record(source, document, coder, text, spans)


def _layer(found: Annotations, layer: str | None) -> str:
    """The type whose annotations are the segments."""
    if layer is None:
        last = {name: name.rpartition(".")[2] for name in found}
        chosen = [name for name, part in last.items() if part not in (*_UNIT_TYPES, *_ASIDE)]
    else:
        chosen = [name for name in found if layer in (name, name.rpartition(".")[2])]
    if len(chosen) != 1:
        raise SegmentationError(f"layer is {layer!r}: expected layer=, one type of {named(found)}")
    return chosen[0]


def _edges(kind: str, fields: Mapping[str, Any], convert: CodePoints) -> tuple[int, int]:
    found = []
    for name in ("begin", "end"):
        value = fields.get(name)
        if isinstance(value, bool) or not re.fullmatch("[0-9]{1,12}", str(value)):
            raise SegmentationError(
                f"{kind[:200]}: {name} is {shown(value)}: expected a whole number"
            )
        found.append(convert(int(str(value))))
    return found[0], found[1]


def _span(kind: str, fields: Mapping[str, Any], convert: CodePoints) -> Span:
    texts = {key: value for key, value in fields.items()
             if key not in _SPECIAL and isinstance(value, str) and value}  # fmt: skip
    label = texts.get("label") or texts.get("value")
    if label is None and len(texts) == 1:
        (label,) = texts.values()
    return Span(*_edges(kind, fields, convert), frozenset({label} if label else ()))


XMI = tool_format(
    "uima-xmi",
    "UIMA CAS XMI",
    ".xmi",
    "units labels",
    matches_xmi,
    read_xmi,
    "<xmi:XMI",
    keys=SPANS,
)
JSON = tool_format(
    "uima-json", "UIMA CAS JSON", ".json", "units labels", matches_json, read_json,
    '"%TYPES"', '"%FEATURE_STR', keys=SPANS,
)  # fmt: skip
