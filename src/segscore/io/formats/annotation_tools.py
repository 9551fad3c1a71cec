"""Annotation tools with spans of text: brat, doccano, Label Studio, UIMA and WebAnno.

brat standoff: `doc.ann` with the spans, beside `doc.txt` with the text.

    T1	Segment 0 11	Hello world
    T2	Segment 12 20;22 26	the rest of it

Offsets are code points, half-open. A span cannot go over a line end in brat, so that a segment of
several lines comes in fragments: it is read as the whole from the first to the last. `layer` is the
type of the spans to read; a type is a label. Relations, events, attributes and notes are ignored.

doccano's JSON Lines: a text and its labelled spans per line; a file per annotator.

    {"id": 1, "text": "…", "label": [[0, 9, "TOPIC"]]}
    {"id": 1, "text": "…", "entities": [{"id": 5, "label": "TOPIC", "start_offset": 0,
     "end_offset": 9}], "relations": []}

The first form (`label` or `labels`) is that of old versions and of projects without relations. The
document is the line's id, or else its number, or what `document_name` names (`meta.doc_id`); the
coder is the name of the file. `layer` is the label of the spans to read. doccano counts UTF-16 code
units (doccano#2290), unless the project counts grapheme clusters, which cannot be seen in the
file.

Label Studio's JSON export: tasks, each with a text or a dialogue and annotations of it.

    [{"id": 1, "data": {"text": "…"}, "annotations": [{"completed_by": 7, "result": [
        {"type": "labels", "value": {"start": 0, "end": 120, "labels": ["Topic"]}}]}]}]

The document is the task's id, the coder is `completed_by` (a number, or an object with `email` or
`id`); annotations that were cancelled are ignored. A result of type `labels` is a span of the
text; one of type `paragraphlabels` goes from one paragraph of a dialogue to another, both included,
whose indices are numbers or texts; the paragraphs of a dialogue are its units. `layer` is the
`from_name` of the results to read. `document_name` (`data.doc_id`) names documents otherwise.

JSON-MIN, the short export, has an object per annotation, with the data and the results by name:

    [{"id": 1, "text": "…", "label": [{"start": 0, "end": 120, "labels": ["Topic"]}],
      "annotator": 7, "annotation_id": 3}]

Old versions count UTF-16 code units, new versions code points (label-studio#1347, #1559). Where a
result carries its own text, the text decides; where none does, UTF-16 is assumed.

UIMA CAS, as INCEpTION and others write it: XMI (XML) and JSON.

    <cas:Sofa xmi:id="1" sofaString="First topic. …"/>
    <custom:Segment xmi:id="2" sofa="1" begin="0" end="12" label="A"/>

Annotations are all that have a begin and an end. `layer` is the type of those that are segments
(`custom.Segment`; the last part is enough), and is needed where the file has several types besides
sentences and tokens. Units are the Sentence annotations of the file, with units=words its Token
annotations; where it has none, units= is a rule. The label is `label`, `value`, or else the only
feature whose value is a text. Offsets count UTF-16 code units. A type system is not needed.

WebAnno TSV 3, as INCEpTION writes it: a row per token, the layers in columns.

    #FORMAT=WebAnno TSV 3.3
    #T_SP=custom.Span|label

    #Text=First topic.
    1-1	0-5	First	Topic[1]
    1-2	6-12	topic.	Topic[1]

Units are the sentences of the file, unless units= says otherwise; `words` are its tokens. A value
with a number in brackets covers all tokens that have the same number; a value without a number
covers only its token; `_` is no value, `*` a span without a value, and `|` separates stacked
values. `layer` is the type of the spans (`custom.Span`), and is needed where the file has several.
Offsets count UTF-16 code units. Rows of sub-tokens (`1-2.1`) and of slots are ignored.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.io.safe_parsing import (
    all_texts,
    as_name,
    document_named,
    field,
    json_value,
    name_in,
    whole_in,
    xml_root,
)
from segscore.text.unit_splitting import Stretches, stretches

# ---- brat ----

_SPAN = re.compile(
    r"(T[^\t ]*)\t(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)(?:\t(.*))?"
)
_OTHER = re.compile(r"(?:[REAMN][^\t]*|\*|#[^\t]*)\t.*")


def matches_brat(lines: list[str]) -> bool:
    """Whether the first line is a span."""
    return bool(lines) and _SPAN.fullmatch(lines[0]) is not None


def read_brat(source: Source) -> Iterator[Record]:
    """The record of a file and the text beside it."""
    beside = replace(source, path=source.path.with_suffix(".txt"))
    if not beside.path.is_file():
        raise source.fail(f"the text is missing: expected {beside.path.name} beside it")
    # brat counts each character of a line end
    text = beside.read_text()
    spans = []
    for number, line in enumerate(source.read_lines(), start=1):
        found = _SPAN.fullmatch(line)
        if found is not None:
            if source.choices.layer in (None, found[2]):
                spans.append(_span(source, found, text, number))
        elif line.strip() and not _OTHER.fullmatch(line):
            raise source.fail(
                f"{shown(line)}: expected an annotation, as in T1<TAB>Segment 0 11<TAB>Hello world",
                number,
            )
    yield text_record(source, source.document, source.coder, text, spans)


def _span(source: Source, found: re.Match[str], text: str, number: int) -> Span:
    fragments = [tuple(map(int, part.split(" "))) for part in found[3].split(";")]
    name, places = found[1][:40], found[3][:100]  # as messages call them
    offsets = [at for fragment in fragments for at in fragment]
    start, end = offsets[0], offsets[-1]
    # in order, so that all fragments together are no longer than the text
    if end > len(text) or any(before > after for before, after in pairwise(offsets)):
        raise source.fail(f"{name}: {places}: expected offsets in order, up to {len(text)}", number)
    own = found[4]
    there = " ".join(text[first:last] for first, last in fragments)
    if own is not None and own.split() != there.split():
        raise source.fail(
            f"{name}: the text at {places} is {shown(there)}: expected {shown(own)}", number
        )
    return Span(start, end, frozenset({found[2]}))


# ---- doccano ----

_EXPECTED = "doccano's JSON Lines, an object per line"
_KEYS = ("entities", "label", "labels")
_LINE = re.compile(r'\s*\{.*"(?:text|data)"\s*:')
_SPANS = re.compile(r'"(?:entities|labels?)"\s*:')


def matches_doccano(lines: list[str]) -> bool:
    """Whether the first line is an object with a text and spans, and none of our own."""
    first = next((line for line in lines if line.strip()), "")
    ours = re.match(r'\s*\{\s*"(?:document|coder)"', first)
    return bool(_LINE.match(first) and _SPANS.search(first)) and ours is None


def read_doccano(source: Source) -> Iterator[Record]:
    """A record per line."""
    coder = source.coder if source.told else source.document.rpartition("/")[2]
    empty = True
    for number, line in enumerate(source.read_lines(), start=1):
        if not line.strip():
            continue
        empty = False
        data = json_value(source, line, _EXPECTED, number)
        with source.locating(number):
            text = field(data, "text" if isinstance(data, dict) and "text" in data else "data", str)
            document = document_named(source, data) or name_in(data, ("id",), str(number))
            with about(whereabouts(document, coder)):
                spans = _spans(data, source.choices.layer, CodePoints(text))
        yield text_record(source, document, coder, text, spans)
    if empty:
        raise source.fail(f"the file is empty: expected {_EXPECTED}")


def _spans(data: dict[str, Any], layer: str | None, convert: CodePoints) -> list[Span]:
    key = next((key for key in _KEYS if key in data), "entities")
    spans = []
    for index, entry in enumerate(field(data, key, list)):
        found = entry
        if isinstance(entry, dict):
            found = [entry.get(part) for part in ("start_offset", "end_offset", "label")]
        with about(f"{key}[{index}] is {shown(entry)}"):
            if not isinstance(found, list) or [type(part) for part in found] != [int, int, str]:
                raise SegmentationError("expected start, end and label")
            start, end, label = found
            if layer in (None, label):
                spans.append(Span(convert(start), convert(end), frozenset({label})))
    return spans


# ---- label_studio ----

_EXPECTED_LABEL_STUDIO = "Label Studio's JSON, a list of tasks"
_TYPES = ("labels", "paragraphlabels", "hypertextlabels")
_ABOUT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def matches_label_studio(lines: list[str]) -> bool:
    """Whether it is a list of objects with the keys of a task, which the sections of WikiSection
    are not."""
    text = "\n".join(lines)
    if '"sectionLabel"' in text:
        return False
    short = '"annotator"' in text and '"annotation_id"' in text
    full = '"annotations"' in text or '"data"' in text
    return bool(re.match(r"\s*\[\s*\{", text)) and (short or full)


def read_label_studio(source: Source) -> Iterator[Record]:
    """A record per annotation."""
    tasks = json_value(source, source.read_text(), _EXPECTED_LABEL_STUDIO)
    if not isinstance(tasks, list):
        raise source.fail(f"{shown(tasks)}: expected {_EXPECTED_LABEL_STUDIO}")
    for index, task in enumerate(tasks, start=1):
        with source.locating(), about(f"task {index}"):
            name = document_named(source, task) or str(field(task, "id", int, str))
        with source.locating(), about(f"document {name!r}"):
            annotations = _annotations(task)
        for coder, data, results in annotations:
            yield _record(source, name, coder, data, results)


Annotation = tuple[str, dict[str, Any], list[Any]]  # coder, data, results


def _annotations(task: dict[str, Any]) -> list[Annotation]:
    """The annotations of a task that were not cancelled."""
    if "annotations" not in task and "annotator" in task:
        return [_short(task)]
    data = field(task, "data", dict)
    return [
        (_coder(each.get("completed_by")), data, results)
        for each in field(task, "annotations", list)
        if not (isinstance(each, dict) and each.get("was_cancelled"))
        for results in [field(each, "result", list)]
    ]


def _short(task: dict[str, Any]) -> Annotation:
    """An annotation in JSON-MIN: whatever looks like results is results, the rest is data."""
    data: dict[str, Any] = {}
    results: list[Any] = []
    for key, value in task.items():
        found = [_short_result(key, each) for each in value] if isinstance(value, list) else [None]
        if value and None not in found:
            results += found
        elif key not in _ABOUT and value != []:
            data[key] = value
    return _coder(task["annotator"]), data, results


def _short_result(key: str, value: Any) -> dict[str, Any] | None:
    """A result in the form of the full export, if it is a result."""
    if not isinstance(value, dict) or not {"start", "end"} <= value.keys():
        return None
    kind = next((kind for kind in _TYPES if kind in value), None)
    return None if kind is None else {"type": kind, "value": value, "from_name": key}


def _coder(annotator: Any) -> str:
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    return as_name(annotator, "completed_by")


def _record(
    source: Source, name: str, coder: str, data: dict[str, Any], results: list[Any]
) -> Record:
    layer = source.choices.layer
    dialogue = next((value for value in data.values() if isinstance(value, list)), None)
    with source.locating(), about(whereabouts(name, coder)):
        values = [
            field(result, "value", dict)
            for result in results
            if isinstance(result, dict)
            and result.get("type") in _TYPES
            and layer in (None, result.get("from_name"))
        ]
        if dialogue is not None:
            rule = source.choices.units
            if rule not in (None, "paragraphs"):
                raise SegmentationError(
                    f"units is {rule!r}: expected none, because turns of a dialogue are units"
                )
            units, spans = _of_dialogue(dialogue, values)
        else:
            texts = [value for value in data.values() if isinstance(value, str)]
            text: Any = data.get("text", texts[0] if len(texts) == 1 else None)
            if not isinstance(text, str):
                raise SegmentationError(f"data is {shown(data)}: expected a text, called 'text'")
            spans = _of_text(text, values)
    if dialogue is not None:
        return placed_record(source, name, coder, spans, units)
    return text_record(source, name, coder, text, spans)


def _of_text(text: str, values: list[dict[str, Any]]) -> list[Span]:
    """The spans of a text, with offsets of the first kind that agrees with the text of all."""
    convert = _convert(text, values)
    return [
        Span(convert(whole_in(value, "start")), convert(whole_in(value, "end")), _labels(value))
        for value in values
    ]


def _convert(text: str, values: list[dict[str, Any]]) -> Callable[[int], int]:
    own = [
        (whole_in(value, "start"), whole_in(value, "end"), value["text"])
        for value in values
        if isinstance(value.get("text"), str)
    ]

    def plain(offset: int) -> int:
        if offset > len(text):
            raise SegmentationError(f"offset {offset} is outside: expected 0 … {len(text)}")
        return offset

    for convert in (CodePoints(text), plain):
        with suppress(SegmentationError):
            # Label Studio writes line ends as two characters, a backslash and an n
            found = ((text[convert(start) : convert(end)], there) for start, end, there in own)
            if all(part in (there, there.replace("\\n", "\n")) for part, there in found):
                return convert
    start, end, there = own[0]
    raise SegmentationError(
        f"the text from {start} to {end} is not {shown(there)}: expected it there"
    )


def _of_dialogue(turns: list[Any], values: list[dict[str, Any]]) -> tuple[Stretches, list[Span]]:
    """The turns of a dialogue as units, and spans of them."""
    given = [each.get("text") if isinstance(each, dict) else each for each in turns]
    texts = all_texts(given, "paragraphs")
    n = len(texts)
    if not n:
        raise SegmentationError("the dialogue is empty: expected at least one turn")
    # paragraph i is the stretch [2i, 2i + 2), so that an offset inside it can be told: 2i + 1
    units = Stretches([2 * i for i in range(n)], [2 * i + 2 for i in range(n)], texts)
    lengths = [CodePoints(text).length for text in texts]
    spans = []
    for value in values:
        first, last = whole_in(value, "start"), whole_in(value, "end")
        if not first <= last < n:
            raise SegmentationError(f"paragraphs {first} … {last}: expected 0 … {n - 1}, in order")
        inside = value.get("startOffset", 0) != 0
        short = value.get("endOffset", lengths[last]) not in (len(texts[last]), lengths[last])
        spans.append(Span(2 * first + inside, 2 * last + 2 - short, _labels(value)))
    return units, spans


def _labels(value: dict[str, Any]) -> frozenset[str]:
    found: Any = next((value[key] for key in _TYPES if key in value), [])
    if not isinstance(found, list) or not all(isinstance(name, str) and name for name in found):
        raise SegmentationError(f"labels is {shown(found)}: expected a list of texts")
    return frozenset(found)


# ---- uima ----

_NAMESPACE = re.compile(r"\{http:///(.*)\.ecore\}(.+)")
_SPECIAL = ("begin", "end", "sofa")
_UNIT_TYPES = {"Sentence": "sentences", "Token": "words"}
_ASIDE = ("DocumentAnnotation", "DocumentMetaData", "TagsetDescription", "LayerDefinition")


Texts = dict[str, str]  # by id
Annotations = dict[str, list[tuple[str, Mapping[str, Any]]]]  # by type: id of the text, features


def matches_uima_xmi(lines: list[str]) -> bool:
    """Whether the root element is XMI's."""
    return "<xmi:XMI" in "\n".join(lines)


def matches_uima_json(lines: list[str]) -> bool:
    """Whether it is an object with UIMA's keys."""
    text = "\n".join(lines)
    return text.lstrip().startswith("{") and ('"%TYPES"' in text or '"%FEATURE_STR' in text)


def read_uima_xmi(source: Source) -> Iterator[Record]:
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
    yield _record_uima(source, texts, found)


def read_uima_json(source: Source) -> Iterator[Record]:
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
    yield _record_uima(source, texts, found)


def _record_uima(source: Source, texts: Texts, found: Annotations) -> Record:
    with source.locating():
        kind = _layer(found, source.choices.layer)
        sofa = found[kind][0][0]
        if sofa not in texts:
            raise SegmentationError(f"{kind[:200]} is of text {sofa!r}: there is {named(texts)}")
        text = texts[sofa]
        convert = CodePoints(text)
        spans = [
            _span_uima(kind, fields, convert) for where, fields in found[kind] if where == sofa
        ]
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


def _span_uima(kind: str, fields: Mapping[str, Any], convert: CodePoints) -> Span:
    others = (fields[key] for key in fields if key not in _SPECIAL)
    texts = [value for value in others if isinstance(value, str) and value]
    named = (fields.get(key) for key in ("label", "value"))
    label = next((value for value in named if isinstance(value, str) and value), None)
    if label is None and len(texts) == 1:
        (label,) = texts
    return Span(*_edges(kind, fields, convert), frozenset({label} if label else ()))


# ---- webanno ----

_MOST = 2**27  # characters of a text: the space between tokens is written out
_HEAD = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.[0-9]+)?")
_ROW = re.compile(
    r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]+)?\t([0-9]{1,12})-([0-9]{1,12})\t([^\t]*)(.*)"
)
_STACK = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[([0-9]{1,9})\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


def matches_webanno_tsv(lines: list[str]) -> bool:
    """Whether the first line is the header of WebAnno TSV."""
    return bool(lines) and _HEAD.fullmatch(lines[0].strip()) is not None


Layers = list[tuple[str, int]]  # type, how many columns
Tokens = list[tuple[int, int, int, str, list[str]]]
# sentence, start and end in UTF-16, form, cells


def read_webanno_tsv(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = source.read_lines()
    if not matches_webanno_tsv(lines):
        raise source.fail(f"{(lines or [''])[0]!r}: expected #FORMAT=WebAnno TSV 3.3", 1)
    layers: Layers = []
    tokens: Tokens = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(("#T_SP=", "#T_CH=", "#T_RL=")):
            kind, *features = line[6:].split("|")
            # only spans can be segments; a layer without features has a column all the same
            layers.append((kind if line.startswith("#T_SP=") else "", len(features) or 1))
        elif line.strip() and not line.startswith("#"):
            _add_row(source, layers, tokens, line, number)
    if not tokens:
        raise source.fail("no token: expected rows, as in 1-1<TAB>0-5<TAB>First<TAB>Topic[1]")
    with source.locating():
        text, convert = _text(tokens)
        spans = _spans_webanno(tokens, _columns(layers, source.choices.layer), convert)
        edges: dict[int, tuple[int, int]] = {}
        for index, (sentence, start, end, _, _) in enumerate(tokens):
            key = index if source.choices.units == "words" else sentence
            edges[key] = (edges.get(key, (convert(start), 0))[0], convert(end))
        units = stretches(list(edges.values()), text)
    if source.choices.units in (None, "sentences", "words"):
        yield placed_record(source, source.document, source.coder, spans, units)
    else:
        yield text_record(source, source.document, source.coder, text, spans)


def _add_row(source: Source, layers: Layers, tokens: Tokens, line: str, number: int) -> None:
    found = _ROW.fullmatch(line)
    if found is None:
        raise source.fail(f"{shown(line)}: expected 1-1<TAB>0-5<TAB>FORM<TAB>…", number)
    if found[3] is not None:
        return  # part of a token
    start, end = int(found[4]), int(found[5])
    if end <= start or (tokens and start < tokens[-1][2]):
        raise source.fail(f"token {start}-{end}: expected tokens in order, none empty", number)
    if end > _MOST:
        raise source.fail(f"token {start}-{end}: expected a text of at most {_MOST}", number)
    if CodePoints(found[6]).length != end - start:
        raise source.fail(
            f"token {shown(found[6])} at {start}-{end}: expected {end - start} characters (UTF-16)",
            number,
        )
    cells = found[7].split("\t")[1:]
    wide = sum(width for _, width in layers)
    cells = cells[:-1] if cells[wide:] == [""] else cells
    if len(cells) != wide:
        raise source.fail(
            f"{len(cells)} cells of layers: expected {wide}, as the header has", number
        )
    tokens.append((int(found[1]), start, end, found[6], cells))


def _text(tokens: Tokens) -> tuple[str, CodePoints]:
    """The text of the tokens, with spaces between them and a line end after each sentence."""
    parts: list[str] = []
    at, before = 0, 0
    for sentence, start, end, form, _ in tokens:
        gap = start - at
        parts.append("\n" * gap if sentence != before and parts else " " * gap)
        parts.append(form)
        at, before = end, sentence
    text = "".join(parts)
    return text, CodePoints(text)


def _columns(layers: Layers, layer: str | None) -> tuple[int, int]:
    """The first column of the layer, and its number of columns."""
    found = {}
    at = 0
    for kind, width in layers:
        if kind:
            found[kind] = (at, width)
        at += width
    if layer is None and len(found) == 1:
        return next(iter(found.values()))
    if layer not in found:
        raise SegmentationError(f"layer is {layer!r}: expected layer=, one of {named(found)}")
    return found[layer]


def _spans_webanno(tokens: Tokens, columns: tuple[int, int], convert: CodePoints) -> list[Span]:
    """The spans of a layer: by their number, or one per token without a number."""
    first, width = columns
    found: dict[object, tuple[int, int, set[str]]] = {}
    for index, (_, start, end, _, cells) in enumerate(tokens):
        for cell in cells[first : first + width]:
            for place, value in enumerate(_STACK.split(cell)):
                if value == "_":
                    continue
                numbered = _NUMBERED.fullmatch(value)
                name: object = ("#", numbered[2]) if numbered else (index, place)
                label = _ESCAPED.sub(r"\1", numbered[1] if numbered else value)
                begin, _, labels = found.get(name, (start, end, set()))
                labels |= {label} - {"*", ""}  # in place: a span may go on over all tokens
                found[name] = (begin, end, labels)
    spans = found.values()
    return [Span(convert(start), convert(end), frozenset(labels)) for start, end, labels in spans]
