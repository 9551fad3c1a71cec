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
from collections.abc import Iterator
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.io.safe_parsing import field, json_value, name_of
from segscore.text.unit_splitting import Stretches

_EXPECTED = "Label Studio's JSON, a list of tasks"
_TYPES = ("labels", "paragraphlabels", "hypertextlabels")
_INDEX = re.compile("[0-9]{1,15}")
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
    for index, task in enumerate(tasks):
        where = f"task {index + 1}"
        name = name_of(source, task, where) or str(field(source, task, "id", (int, str), where))
        where = f"document {name!r}"
        if "annotations" not in task and "annotator" in task:
            yield _short(source, name, task, where)
            continue
        data = field(source, task, "data", dict, where)
        for annotation in field(source, task, "annotations", list, where):
            if isinstance(annotation, dict) and annotation.get("was_cancelled"):
                continue
            results = field(source, annotation, "result", list, where)
            yield _Annotation(source, name, data, _coder(source, annotation, where)).record(results)


def _short(source: Source, name: str, task: dict[str, Any], where: str) -> Record:
    """An annotation in JSON-MIN: whatever looks like results is results, the rest is data."""
    coder = _coder(source, {"completed_by": task["annotator"]}, where)
    data: dict[str, Any] = {}
    results: list[Any] = []
    for key, value in task.items():
        found = (
            [_short_result(key, entry) for entry in value] if isinstance(value, list) else [None]
        )
        if value and all(result is not None for result in found):
            results += found
        elif key not in _ABOUT and value != []:
            data[key] = value
    return _Annotation(source, name, data, coder).record(results)


def _short_result(key: str, value: Any) -> dict[str, Any] | None:
    """A result in the form of the full export, if it is a result."""
    if not isinstance(value, dict) or not {"start", "end"} <= value.keys():
        return None
    kind = next((kind for kind in _TYPES if kind in value), None)
    return None if kind is None else {"type": kind, "value": value, "from_name": key}


def _coder(source: Source, annotation: dict[str, Any], where: str) -> str:
    annotator = annotation.get("completed_by")
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    if (
        annotator is None
        or isinstance(annotator, bool)
        or not isinstance(annotator, (int, str))
        or annotator == ""
    ):
        raise source.fail(f"{where}: completed_by is {shown(annotator)}: expected the annotator")
    return str(annotator)


class _Annotation:
    """A coder's annotation of a task."""

    def __init__(self, source: Source, name: str, data: dict[str, Any], coder: str) -> None:
        self.source, self.name, self.data, self.coder = source, name, data, coder
        self.where = f"document {name!r}, coder {coder!r}"

    def record(self, results: list[Any]) -> Record:
        """The record of the annotation's results."""
        layer = self.source.choices.layer
        kept = [
            result
            for result in results
            if isinstance(result, dict)
            and result.get("type") in _TYPES
            and layer in (None, result.get("from_name"))
        ]
        dialogue = next((value for value in self.data.values() if isinstance(value, list)), None)
        if dialogue is not None:
            return self._dialogue(kept, dialogue)
        return self._text(kept)

    def _text(self, results: list[dict[str, Any]]) -> Record:
        texts = [value for value in self.data.values() if isinstance(value, str)]
        text = self.data.get("text", texts[0] if len(texts) == 1 else None)
        if not isinstance(text, str):
            raise self._fail(f"data is {shown(self.data)}: expected a text, called 'text'")
        values = [self._value(result) for result in results]
        convert = self._offsets(text, values)
        spans = []
        for start, end, _, labels in values:
            with self.source.locating(), about(self.where):
                spans.append(Span(convert(start), convert(end), labels))
        return text_record(self.source, self.name, self.coder, text, spans)

    def _offsets(self, text: str, values: list[tuple[int, int, Any, frozenset[str]]]) -> Any:
        """How offsets are converted: the first way that agrees with the text of all results."""
        with_text = [value for value in values if isinstance(value[2], str)]
        for convert in (CodePoints(text), _plain(text)):
            try:
                # Label Studio writes line ends as two characters, a backslash and an n
                if all(
                    _same(text[convert(start) : convert(end)], own)
                    for start, end, own, _ in with_text
                ):
                    return convert
            except SegmentationError:
                continue
        start, end, own, _ = with_text[0]
        raise self._fail(f"the text from {start} to {end} is not {shown(own)}: expected it there")

    def _value(self, result: dict[str, Any]) -> tuple[int, int, Any, frozenset[str]]:
        value = field(self.source, result, "value", dict, self.where)
        labels = self._labels(value)
        return self._index(value, "start"), self._index(value, "end"), value.get("text"), labels

    def _dialogue(self, results: list[dict[str, Any]], turns: list[Any]) -> Record:
        rule = self.source.choices.units
        if rule not in (None, "paragraphs"):
            raise self._fail(
                f"units is {rule!r}: expected no units=, because the turns of a dialogue are its "
                "units"
            )
        if not turns:
            raise self._fail("the dialogue is empty: expected at least one turn")
        texts = []
        for index, turn in enumerate(turns):
            words = turn.get("text") if isinstance(turn, dict) else turn
            if not isinstance(words, str):
                raise self._fail(
                    f"paragraph {index} is {shown(turn)}: expected an object with text"
                )
            texts.append(words)
        # paragraph i is the stretch [2i, 2i + 2), so that an offset inside it can be told: 2i + 1
        n = len(texts)
        units = Stretches([2 * i for i in range(n)], [2 * i + 2 for i in range(n)], tuple(texts))
        lengths = [CodePoints(text).length for text in texts]
        spans = []
        for result in results:
            value = field(self.source, result, "value", dict, self.where)
            first, last = self._index(value, "start"), self._index(value, "end")
            if not first <= last < n:
                raise self._fail(f"paragraphs {first} … {last}: expected 0 … {n - 1}, in order")
            length = lengths[last]
            inside = value.get("startOffset", 0) != 0
            short = value.get("endOffset", length) not in (len(texts[last]), length)
            spans.append(Span(2 * first + inside, 2 * last + 2 - short, self._labels(value)))
        return placed_record(self.source, self.name, self.coder, spans, units, units.texts)

    def _index(self, value: dict[str, Any], name: str) -> int:
        found = value.get(name)
        if isinstance(found, str) and _INDEX.fullmatch(found):
            return int(found)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        raise self._fail(f"{name} is {shown(found)}: expected a whole number, from 0")

    def _labels(self, value: dict[str, Any]) -> frozenset[str]:
        found: Any = next((value[key] for key in _TYPES if key in value), [])
        if not isinstance(found, list) or not all(
            isinstance(label, str) and label for label in found
        ):
            raise self._fail(f"labels is {shown(found)}: expected a list of texts")
        return frozenset(found)

    def _fail(self, what: str) -> SegmentationError:
        return self.source.fail(f"{self.where}: {what}")


def _plain(text: str) -> Any:
    def convert(offset: int) -> int:
        if offset > len(text):
            raise SegmentationError(
                f"offset {offset} is outside the text: expected 0 … {len(text)}"
            )
        return offset

    return convert


def _same(found: str, own: str) -> bool:
    return found == own or found == own.replace("\\n", "\n")


FORMAT = tool_format(
    "label-studio", "Label Studio's JSON", ".json", "units labels", matches, read,
    '"annotations"', '"data"', '"annotator"', keys="document-name layer policy",
)  # fmt: skip
