"""Label Studio's JSON export: tasks, each with a text or a dialogue and annotations of it.

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
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.json_objects import all_texts, as_name, document_named, field, whole_in
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.io.safe_parsing import json_value
from segscore.text.unit_splitting import Stretches

_EXPECTED = "Label Studio's JSON, a list of tasks"
_TYPES = ("labels", "paragraphlabels", "hypertextlabels")
_ABOUT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def matches(lines: list[str]) -> bool:
    """Whether it is a list of objects with the keys of a task, which the sections of WikiSection
    are not."""
    text = "\n".join(lines)
    if '"sectionLabel"' in text:
        return False
    short = '"annotator"' in text and '"annotation_id"' in text
    full = '"annotations"' in text or '"data"' in text
    return bool(re.match(r"\s*\[\s*\{", text)) and (short or full)


def read(source: Source) -> Iterator[Record]:
    """A record per annotation."""
    tasks = json_value(source, source.read_text(), _EXPECTED)
    if not isinstance(tasks, list):
        raise source.fail(f"{shown(tasks)}: expected {_EXPECTED}")
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
    texts = all_texts([each.get("text") if isinstance(each, dict) else each for each in turns],
                      "paragraphs")  # fmt: skip
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


FORMAT = tool_format(
    "label-studio", "Label Studio's JSON", ".json", "units labels", matches, read,
    '"annotations"', '"data"', '"annotator"', keys="document-name layer policy",
)  # fmt: skip
