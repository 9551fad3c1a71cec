"""Annotation tools with spans of text: brat, doccano, Label Studio, Prodigy, Argilla, UIMA and
WebAnno.

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

`label-studio` is written, too: a task per document, whose units are the paragraphs of a dialogue,
and a prediction per coding; a segment without a label is called Segment. Predictions are read from
tasks without `annotations`; their coder is `model_version`.

Prodigy's tasks (`db-out`): a text and its spans per line. The document is `id`, or else the
`_input_hash`, which all who annotate a text share; the coder is `_annotator_id` or `_session_id`.
Tasks that were not accepted are left out. Offsets are code points.

    {"text": "…", "_input_hash": 7, "spans": [{"start": 0, "end": 9, "label": "TOPIC"}],
     "answer": "accept", "_annotator_id": "talks-ann", "_session_id": "talks-ann"}

Argilla's records (`dataset.records.to_json`): the responses to a question about spans; the coder is
the `user_id`, and `layer` the name of the question, if there are several. Suggestions are not read.

    [{"id": "1", "fields": {"text": "…"}, "suggestions": {}, "responses": {"topics": [
        {"user_id": "a3", "value": [{"start": 0, "end": 9, "label": "TOPIC"}]}]}}]

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

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any, TextIO

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, ascending_names, whereabouts
from segscore.errors import SegmentationError, about, named
from segscore.io import safe_parsing as objects
from segscore.io.files import Source, expect
from segscore.io.format import spelled_out
from segscore.io.formats.corpora import refuse_units
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.io.safe_parsing import field, whole_in
from segscore.text.unit_splitting import Stretches, stretches

# ---- brat ----

_SPAN = re.compile(
    r"(T[^\t ]*)\t(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)(?:\t(.*))?"
)
_SPAN_OR_OTHER = re.compile(rf"{_SPAN.pattern}|(?:[REAMN][^\t]*|\*|#[^\t]*)\t.*")


def matches_brat(lines: list[str]) -> bool:
    """Whether the first line is a span."""
    return bool(lines) and _SPAN.fullmatch(lines[0]) is not None


def read_brat(source: Source) -> Iterator[Record]:
    """The record of a file and the text beside it."""
    beside = replace(source, path=source.path.with_suffix(".txt"))
    what = f"the text is missing: expected {beside.path.name} beside it"
    source.expect(beside.path.is_file(), what)
    text = beside.read_text()  # brat counts each character of a line end
    spans = []
    for number, line in source.numbered_lines():
        what = "an annotation, as in T1<TAB>Segment 0 11<TAB>Hello world"
        found = source.matched(_SPAN_OR_OTHER, line, number, what)
        if found[2] is None or source.choices.layer not in (None, found[2]):
            continue
        fragments = [tuple(map(int, part.split(" "))) for part in found[3].split(";")]
        offsets = [at for fragment in fragments for at in fragment]
        with source.locating(number), about(f"{found[1][:40]}: {found[3][:100]}"):
            # in order, so that all fragments together are no longer than the text
            fits = offsets[-1] <= len(text) and offsets == sorted(offsets)
            expect(fits, f"expected offsets in order, up to {len(text)}")
            there = " ".join(text[first:last] for first, last in fragments)
            fits = found[4] is None or found[4].split() == there.split()
            expect(fits, "the text is %s: expected %s", there, found[4])
        spans.append(Span(offsets[0], offsets[-1], frozenset({found[2]})))
    yield text_record(source, text, spans)


# ---- texts with labelled spans: doccano, Prodigy, Argilla ----

_EXPECTED = "doccano's JSON Lines, an object per line"
_LINE = re.compile(r'\s*\{.*"(?:text|data)"\s*:')
_SPANS = re.compile(r'"(?:entities|labels?)"\s*:')


def _spans(
    owner: Any,
    key: str,
    layer: str | None = None,
    names: Sequence[str] = ("start", "end", "label"),
    convert: Callable[[int], int] = int,
) -> list[Span]:
    """The spans in a list: (start, end, label), or objects with these names."""
    spans = []
    for index, entry in enumerate(field(owner, key, list)):
        found: Any = [entry.get(name) for name in names] if isinstance(entry, dict) else entry
        with about(f"{key}[{index}] is {shown(entry)}"):
            fits = isinstance(found, list) and [*map(type, found)] == [int, int, str]
            expect(fits, "expected start, end and label")
            start, end, label = found
            if layer in (None, label):
                spans.append(Span(convert(start), convert(end), frozenset({label})))
    return spans


def matches_doccano(lines: list[str]) -> bool:
    """Whether the first line is an object with a text and spans, and none of our own."""
    first = next((line for line in lines if line.strip()), "")
    ours = re.match(r'\s*\{\s*"(?:document|coder)"', first)
    return bool(_LINE.match(first) and _SPANS.search(first)) and ours is None


def read_doccano(source: Source) -> Iterator[Record]:
    """A record per line."""
    coder = source.coder if source.told else source.document.rpartition("/")[2]
    names, layer = ("start_offset", "end_offset", "label"), source.choices.layer
    for entry in objects.entries(source, _EXPECTED, ("id",)):
        data = entry.fields
        with entry.locating(coder):
            text = field(data, "text" if "text" in data else "data", str)
            key = next((key for key in ("entities", "label", "labels") if key in data), "entities")
            spans = _spans(data, key, layer, names, CodePoints(text))
        yield text_record(entry.source.of(coder=coder), text, spans, entry.place[0])


def read_prodigy(source: Source) -> Iterator[Record]:
    """A record per accepted task."""
    others: Counter[str] = Counter()
    expected = 'tasks of Prodigy, as in {"text": "…", "spans": [{"start": 0, "end": 9, …}]}'
    for entry in objects.entries(source, expected, ("id", "_input_hash")):
        task, line = entry.fields, entry.place[0]
        with source.locating(line):
            coder = objects.name_in(task, ("_annotator_id", "_session_id"), source.coder)
        with entry.locating(coder):
            text = field(task, "text", str)
            label = task.get("label", "")  # tasks may put one label on all spans
            spans = field(task, "spans", list)
            spans = [{"label": label, **each} if isinstance(each, dict) else each for each in spans]
            spans = _spans({"spans": spans}, "spans", source.choices.layer)
        if task.get("answer", "accept") == "accept":
            coder = source.coder if source.told else coder
            yield text_record(entry.source.of(coder=coder), text, spans, line)
        else:
            others[str(task["answer"])[:40]] += 1
    if others:
        counts = ", ".join(f"{count} × {answer}" for answer, count in others.items())
        source.remark(f"left out tasks that were not accepted: {counts}")


def read_argilla(source: Source) -> Iterator[Record]:
    """A record per response to the question about spans."""
    layer = source.choices.layer
    expected = 'records of Argilla, as in {"id": "…", "fields": {…}, "responses": {…}}'
    for entry in objects.entries(source, expected, ("id",)):
        with entry.locating():
            fields = field(entry.fields, "fields", dict)
            texts = [value for value in fields.values() if isinstance(value, str)]
            text = fields.get("text", texts[0] if len(texts) == 1 else None)
            expect(isinstance(text, str), "fields is %s: expected one text, or 'text'", fields)
            answers = field(entry.fields, "responses", dict)
            listed = [name for name in answers if layer in (None, name)]
            fits = len(listed) == 1 or not answers
            expect(fits, f"layer is {layer!r}: expected one of {named(answers)}")
            responses = [each for name in listed for each in field(answers, name, list)]
        for response in responses:
            with entry.locating():
                coder = objects.as_name(field(response, "user_id", str, int), "user_id")
                spans = _spans(response, "value")
            yield text_record(entry.source.of(coder=coder), text, spans, entry.place[0])


# ---- label_studio ----

_EXPECTED_LABEL_STUDIO = "Label Studio's JSON, a list of tasks"
_TYPES = ("labels", "paragraphlabels", "hypertextlabels")
_ABOUT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")
_UNLABELLED = "Segment"  # what we call segments without a label: Label Studio shows none


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
    """A record per annotation; per prediction in tasks that nobody annotated."""
    tasks = objects.json_value(source, source.read_text(), _EXPECTED_LABEL_STUDIO)
    source.expect(isinstance(tasks, list), f"%s: expected {_EXPECTED_LABEL_STUDIO}", tasks)
    listed = (((None, f"task {at}"), task) for at, task in enumerate(tasks, start=1))
    for entry in objects.entries(source, _EXPECTED_LABEL_STUDIO, ("id",), listed):
        task, name = entry.fields, entry.source.document
        with objects.placed(source, *entry.place):
            if "id" not in task and source.choices.document_name is None:  # not imported yet
                name = str(field(task.get("data"), "document", int, str))
        with source.locating(), about(f"document {name!r}"):
            annotations = [*_annotations(task)]
        for coder, data, results in annotations:
            yield _record(source, name, coder, data, results)


Annotation = tuple[str, dict[str, Any], list[Any]]  # coder, data, results


def _annotations(task: dict[str, Any]) -> Iterator[Annotation]:
    """The annotations of a task that were not cancelled."""
    if "annotations" not in task and "annotator" in task:
        yield _short(task)
        return
    data = field(task, "data", dict)
    if "annotations" not in task and "predictions" in task:
        key, who = "predictions", "model_version"
    else:
        key, who = "annotations", "completed_by"
    for each in field(task, key, list):
        if not (isinstance(each, dict) and each.get("was_cancelled")):
            yield _coder(each.get(who), who), data, field(each, "result", list)


def _short(task: dict[str, Any]) -> Annotation:
    """An annotation in JSON-MIN: whatever looks like results is results, the rest is data."""
    data: dict[str, Any] = {}
    results: list[Any] = []
    for key, value in task.items():
        rows = value if isinstance(value, list) else []
        known = [row.keys() if isinstance(row, dict) else set() for row in rows]
        kinds = [next((k for k in _TYPES if {"start", "end", k} <= keys), None) for keys in known]
        if rows and all(kinds):
            named_so = zip(kinds, rows, strict=True)
            results += [{"type": kind, "value": row, "from_name": key} for kind, row in named_so]
        elif key not in _ABOUT and value != []:
            data[key] = value
    return _coder(task["annotator"], "completed_by"), data, results


def _coder(annotator: Any, what: str) -> str:
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    return objects.as_name(annotator, what)


def _record(
    source: Source, name: str, coder: str, data: dict[str, Any], results: list[Any]
) -> Record:
    layer = source.choices.layer
    dialogue = next((value for value in data.values() if isinstance(value, list)), None)
    with source.locating(), about(whereabouts(name, coder)):
        known = [each for each in results if isinstance(each, dict) and each.get("type") in _TYPES]
        chosen = [each for each in known if layer in (None, each.get("from_name"))]
        values = [field(each, "value", dict) for each in chosen]
        if dialogue is not None:
            refuse_units(source, "paragraphs")
            units, spans = _of_dialogue(dialogue, values)
        else:
            texts = [value for value in data.values() if isinstance(value, str)]
            text: Any = data.get("text", texts[0] if len(texts) == 1 else None)
            expect(isinstance(text, str), "data is %s: expected a text, called 'text'", data)
            places = [(whole_in(value, "start"), whole_in(value, "end"), value) for value in values]
            convert = _convert(text, places)
            spans = [Span(convert(at), convert(end), _labels(value)) for at, end, value in places]
    own = source.of(name, coder)
    return text_record(own, text, spans) if dialogue is None else placed_record(own, spans, units)


def _convert(text: str, places: list[tuple[int, int, dict[str, Any]]]) -> Callable[[int], int]:
    """How offsets count: in the first way that agrees with the text of all results."""
    own: list[Any] = [(start, end, value.get("text")) for start, end, value in places]
    own = [place for place in own if isinstance(place[2], str)]
    for convert in (CodePoints(text), int):
        with suppress(SegmentationError):
            # Label Studio writes line ends as two characters, a backslash and an n
            found = ((text[convert(start) : convert(end)], there) for start, end, there in own)
            if all(part in (there, there.replace("\\n", "\n")) for part, there in found):
                return convert
    start, end, there = own[0]
    raise SegmentationError(f"text {start} … {end}: expected {shown(there)} there")


def _of_dialogue(turns: list[Any], values: list[dict[str, Any]]) -> tuple[Stretches, list[Span]]:
    """The turns of a dialogue as units, and spans of them."""
    given = [each.get("text") if isinstance(each, dict) else each for each in turns]
    texts = objects.all_texts(given, "paragraphs")
    n = len(texts)
    # paragraph i is the stretch [2i, 2i + 2), so that an offset inside it can be told: 2i + 1
    units = Stretches([2 * i for i in range(n)], [2 * i + 2 for i in range(n)], texts)
    lengths = [CodePoints(text).length for text in texts]
    spans = []
    for value in values:
        first, last = whole_in(value, "start"), whole_in(value, "end")
        expect(first <= last < n, f"paragraphs {first} … {last}: expected 0 … {n - 1}, in order")
        inside = value.get("startOffset", 0) != 0
        short = value.get("endOffset", lengths[last]) not in (len(texts[last]), lengths[last])
        spans.append(Span(2 * first + inside, 2 * last + 2 - short, _labels(value)))
    return units, spans


def _labels(value: dict[str, Any]) -> frozenset[str]:
    found: Any = next((value[key] for key in _TYPES if key in value), [])
    fits = isinstance(found, list) and all(isinstance(name, str) and name for name in found)
    expect(fits, "labels is %s: expected a list of texts", found)
    return frozenset(found)


def write_label_studio(records: Iterable[Record], stream: TextIO) -> None:
    """Write a task per document, whose units are the paragraphs of a dialogue, and whose codings
    are predictions."""
    tasks = []
    for document in Corpus.from_rows(records).values():
        units = document.units
        if units is None:
            raise SegmentationError(f"document {document.name!r} has no text: expected units")
        predictions = []
        for record in document.records():
            coding = spelled_out(record, "Label Studio's dialogue")
            edges = pairwise([0, *coding.boundaries.tolist(), coding.n_units])
            results = []
            given = record.labels or [()] * coding.n_segments
            for (start, end), labels in zip(edges, given, strict=True):
                value = {"start": str(start), "end": str(end - 1), "startOffset": 0}
                value["endOffset"] = CodePoints(units[end - 1]).length
                value["paragraphlabels"] = ascending_names(labels or ()) or [_UNLABELLED]
                called = {"from_name": "label", "to_name": "text", "type": "paragraphlabels"}
                results.append({**called, "value": value})
            predictions.append({"model_version": record.coder, "result": results})
        dialogue = [{"text": unit} for unit in units]
        data = {"document": document.name, "dialogue": dialogue}
        tasks.append({"data": data, "predictions": predictions})
    json.dump(tasks, stream, ensure_ascii=False, indent=1)


# ---- uima ----

_NAMESPACE = re.compile(r"\{http:///(.*)\.ecore\}(.+)")
_SPECIAL = ("begin", "end", "sofa")
_UNIT_TYPES = {"Sentence": "sentences", "Token": "words"}
_ASIDE = ("DocumentAnnotation", "DocumentMetaData", "TagsetDescription", "LayerDefinition")


Structure = tuple[str, str, str, Mapping[str, Any]]  # type, id, id of the text, features


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
    root = objects.xml_root(source, expected)
    source.expect(root.tag.endswith("}XMI"), f"the root is <{root.tag}>: expected {expected}")
    structures = []
    for element in root:
        name = _NAMESPACE.fullmatch(element.tag)
        kind = f"{name[1].replace('/', '.')}.{name[2]}" if name else element.tag
        number = next((text for key, text in element.items() if key.endswith("}id")), "")
        plain = {key: text for key, text in element.items() if not key.startswith("{")}
        structures.append((kind, number, element.get("sofa", ""), plain))
    yield _record_uima(source, structures)


def read_uima_json(source: Source) -> Iterator[Record]:
    """The record of a file."""
    data = objects.json_value(source, source.read_text(), "a UIMA CAS in JSON")
    structures = []
    with source.locating():
        given = field(data, "%FEATURE_STRUCTURES", list, dict)
        if isinstance(given, dict):  # written by id
            given = [{"%ID": key, **each} for key, each in given.items() if isinstance(each, dict)]
        for each in given:
            kind = field(each, "%TYPE", str)
            plain = {key: value for key, value in each.items() if key[:1] not in "%@^"}
            structures.append((kind, str(each.get("%ID")), str(each.get("@sofa")), plain))
    yield _record_uima(source, structures)


def _record_uima(source: Source, structures: Iterable[Structure]) -> Record:
    layer = source.choices.layer
    texts: dict[str, str] = {}  # by id
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}  # by type
    for kind, number, sofa, fields in structures:
        if kind.endswith("cas.Sofa"):
            whole = fields.get("sofaString")
            texts[number] = whole if isinstance(whole, str) else ""
        elif "begin" in fields:
            found.setdefault(kind, []).append((sofa, fields))
    last = {name: name.rpartition(".")[2] for name in found}
    if layer is None:
        chosen = [name for name in found if last[name] not in (*_UNIT_TYPES, *_ASIDE)]
    else:
        chosen = [name for name in found if layer in (name, last[name])]
    with source.locating():
        expect(len(chosen) == 1, f"layer is {layer!r}: expected one type of {named(found)}")
        (kind,) = chosen
        sofa = found[kind][0][0]
        expect(sofa in texts, f"{kind[:200]} is of text {sofa!r}: there is {named(texts)}")
        text = texts[sofa]
        convert = CodePoints(text)

        def edges(name: str, fields: Mapping[str, Any]) -> tuple[int, int]:
            with about(name[:200]):
                return convert(whole_in(fields, "begin")), convert(whole_in(fields, "end"))

        spans = []
        for fields in (fields for where, fields in found[kind] if where == sofa):
            texts_of = {key: value for key, value in fields.items() if isinstance(value, str)}
            known = [texts_of.get("label"), texts_of.get("value")]
            others = [text for key, text in texts_of.items() if text and key not in _SPECIAL]
            label = next(filter(None, known), others[0] if len(others) == 1 else "")
            spans.append(Span(*edges(kind, fields), frozenset({label or ""} - {""})))
        rule = source.choices.units or "sentences"
        given = [
            edges(name, fields)
            for name, several in found.items()
            if _UNIT_TYPES.get(last[name]) == rule and name != kind
            for where, fields in several
            if where == sofa
        ]
        if given:
            return placed_record(source, spans, stretches(sorted(given), text))
    return text_record(source, text, spans)


# ---- webanno ----

_MOST = 2**27  # characters of a text: the space between tokens is written out
_HEAD = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.[0-9]+)?")
_ROW = re.compile(
    r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]+)?\t([0-9]{1,12})-([0-9]{1,12})\t([^\t]*)(.*)"
)
_AS_IN = "1-1<TAB>0-5<TAB>FORM<TAB>…"
_STACK = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[([0-9]{1,9})\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


def matches_webanno_tsv(lines: list[str]) -> bool:
    """Whether the first line is the header of WebAnno TSV."""
    return bool(lines) and _HEAD.fullmatch(lines[0].strip()) is not None


Tokens = list[tuple[int, int, int, str, list[str]]]
# sentence, start and end in UTF-16, form, cells


def read_webanno_tsv(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines, layer, rule = source.read_lines(), source.choices.layer, source.choices.units
    what = f"{(lines or [''])[0]!r}: expected #FORMAT=WebAnno TSV 3.3"
    source.expect(matches_webanno_tsv(lines), what, line=1)
    layers: dict[str, tuple[int, int]] = {}  # the columns of each type of spans
    width = 0
    tokens: Tokens = []
    for number, line in source.numbered_lines():
        if line.startswith(("#T_SP=", "#T_CH=", "#T_RL=")):
            kind, *features = line[6:].split("|")
            begun = width
            width += len(features) or 1  # a layer without features has a column all the same
            if line.startswith("#T_SP="):  # only spans can be segments
                layers[kind] = begun, width
        elif not line.startswith("#"):
            _add_row(source, width, tokens, line, number)
    source.expect(tokens, f"no token: expected rows, as in {_AS_IN}")
    layer = next(iter(layers)) if layer is None and len(layers) == 1 else layer
    source.expect(layer in layers, f"layer is {layer!r}: expected one of {named(layers)}")
    parts: list[str] = []  # with spaces between tokens and a line end after each sentence
    at, before = 0, 0
    for sentence, start, end, form, _ in tokens:
        parts += ["\n" if sentence != before and parts else " "] * (start - at)
        parts.append(form)
        at, before = end, sentence
    text = "".join(parts)
    convert = CodePoints(text)
    edges: dict[int, tuple[int, int]] = {}
    with source.locating():
        spans = _spans_webanno(tokens, layers[layer or ""], convert)
        for index, (sentence, start, end, _, _) in enumerate(tokens):
            key = index if rule == "words" else sentence
            edges[key] = (edges.get(key, (convert(start), 0))[0], convert(end))
        units = stretches(list(edges.values()), text)
    if rule in (None, "sentences", "words"):
        yield placed_record(source, spans, units)
    else:
        yield text_record(source, text, spans)


def _add_row(source: Source, width: int, tokens: Tokens, line: str, number: int) -> None:
    found = source.matched(_ROW, line, number, _AS_IN)
    if found[3] is not None:
        return  # part of a token
    start, end, form = int(found[4]), int(found[5]), found[6]
    cells = found[7].split("\t")[1:]
    cells = cells[:-1] if cells[width:] == [""] else cells
    with source.locating(number), about(f"token {form[:40]!r} at {start}-{end}"):
        fits = (tokens[-1][2] if tokens else 0) <= start < end <= _MOST
        expect(fits, f"expected tokens in order, none empty, in a text of at most {_MOST}")
        fits = CodePoints(form).length == end - start
        expect(fits, f"expected {end - start} characters (UTF-16)")
        expect(len(cells) == width, f"{len(cells)} cells of layers: expected {width}, as above")
    tokens.append((int(found[1]), start, end, form, cells))


def _spans_webanno(tokens: Tokens, columns: tuple[int, int], convert: CodePoints) -> list[Span]:
    """The spans of a layer: by their number, or one per token without a number."""
    found: dict[object, tuple[int, int, set[str]]] = {}
    for index, (_, start, end, _, cells) in enumerate(tokens):
        for cell in cells[slice(*columns)]:
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
