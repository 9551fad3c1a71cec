"""Help about a metric or a segmenter: what it is, its parameters with their defaults, its source.

The text is made of the docstring of its class, without examples, and of the defaults that this name
has: `pk-prime` is `Pk` with another weight.
"""

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

WIDTH = 80
MOST_LINES = 60
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_PARAMETERS = re.compile(r"^Parameters\n-+\n", re.MULTILINE)
_PARAMETER = re.compile(r"(\w+(?:, \w+)*): ")


def entry_names() -> list[str]:
    """All metrics and segmenters, plug-ins included."""
    from segscore.metrics import all_metrics
    from segscore.segmenters.by_name import all_segmenters

    return [*all_metrics(), *all_segmenters()]


def entry_text(name: str) -> str | None:
    """The page about a metric or a segmenter; None if nothing has this name."""
    from segscore.metrics import all_metrics, metric
    from segscore.metrics.base import in_any_case
    from segscore.metrics.full_names import metric_meaning
    from segscore.segmenters.by_name import all_segmenters

    metrics, segmenters = all_metrics(), all_segmenters()
    known = in_any_case(name, metrics)
    if known in metrics:
        instance = metric(known)
        end = ["Signature: " + instance.signature(), "More in the documentation: Metrics."]
        defaults = instance.signature_fields()
        return _page(
            f"{known}: {metric_meaning(known) or 'a metric'}", type(instance), defaults, end
        )
    known = in_any_case(name, segmenters)
    if known not in segmenters:
        return None
    make: Any = segmenters[known]
    kind = getattr(make, "func", make)  # a partial has parameters of its own
    defaults = {
        field.name: field.default for field in fields(kind) if field.default is not MISSING
    } | getattr(make, "keywords", {})
    source = (getattr(sys.modules[kind.__module__], "__doc__", None) or "").partition("\n\n")[0]
    title = f"{known}: a segmenter. {' '.join(source.split())}"
    return _page(title, kind, defaults, ["More in the documentation: Segmenters."])


def _page(title: str, kind: type, defaults: Mapping[str, Any], end: list[str]) -> str:
    """At most 60 lines of 80 columns: title, docstring, and an end that is never left out."""
    from segscore.tables.wrapping import wrapped

    last = [line for text in end for line in wrapped(text, WIDTH)]
    body = [*textwrap.wrap(title, WIDTH), "", *_body(kind, defaults)]
    room = MOST_LINES - len(last) - 1
    if len(body) > room:
        body = [*body[: room - 1], "…"]
    return "\n".join([*body, "", *last])


def _body(kind: type, defaults: Mapping[str, Any]) -> Iterator[str]:
    """The docstring in lines, each parameter with its default."""
    text = _EXAMPLE.sub("", inspect.getdoc(kind) or "").strip()
    before, heading, after = _split(text)
    yield from _paragraphs(before)
    if not heading:
        return
    listed, _, rest = after.partition("\n\n")
    yield from ("", "Parameters:")
    for line in re.split(r"\n(?! )", listed):
        words = " ".join(line.split())
        yield from textwrap.wrap(
            _with_default(words, defaults), WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    if rest.strip():
        yield ""
        yield from _paragraphs(rest)


def _split(text: str) -> tuple[str, str, str]:
    found = _PARAMETERS.search(text)
    if found is None:
        return text, "", ""
    return text[: found.start()], found[0], text[found.end() :]


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, wrapped; lists keep their lines."""
    for number, part in enumerate(filter(None, map(str.strip, text.split("\n\n")))):
        if number:
            yield ""
        if re.search(r"^\s*[-|]", part, re.MULTILINE):
            yield from (line[:WIDTH] for line in part.split("\n"))
        else:
            yield from textwrap.wrap(" ".join(part.split()), WIDTH)


def _with_default(words: str, defaults: Mapping[str, Any]) -> str:
    """The description of a parameter, with its default.

    >>> _with_default("k: size of the window", {"k": None})
    'k [default: auto]: size of the window'
    """
    found = _PARAMETER.match(words)
    names = found[1].split(", ") if found else []
    if found is None or not all(name in defaults for name in names):
        return words
    shown = ", ".join(_shown(defaults[name]) for name in names)
    return f"{found[1]} [default: {shown}]: {words[found.end() :]}"


def _shown(value: Any) -> str:
    """A default as it is typed."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return textwrap.shorten(str(value), 40, placeholder=" …")
