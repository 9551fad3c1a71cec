"""Help about a metric or a segmenter: what it is, its parameters with their defaults, its source.

The text is made of the docstring of its class, without examples, and of the defaults that this name
has: `pk-prime` is `Pk` with another weight. Words of Python become what is typed on the command
line.
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
_ONLY_PYTHON = re.compile(
    r"; in Python also [^.;]*|;? see `[A-Z]\w+`| \(`[A-Z]\w+`\)| \(see the module's docstring\)"
    r"|,? or a function\b[^.;]*"
)
_CALLBACK = "progress: "  # a function that is called, which nobody can type
_CLASS = re.compile(r"(?<=`)[A-Z]\w+(?=[`(])")
_CONSTANT = re.compile(r"(?<![=\w])(None|True|False)\b")  # not those of other programs: trim=True
_TYPED = {"None": "auto", "True": "yes", "False": "no"}


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
        defaults = instance.signature_fields()
        end = [
            f"On the command line: {_as_option(known, type(instance), defaults)}",
            "Signature: " + instance.signature(),
            "More in the documentation: Metrics.",
        ]
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


def _as_option(name: str, kind: type, defaults: Mapping[str, Any]) -> str:
    """How a metric is typed, with another value of the first parameter that is a number or a
    flag."""
    _, _, listed = _split(inspect.getdoc(kind) or "")
    names = re.findall(r"^(\w+)(?:, \w+)*: ", listed, re.MULTILINE)
    others = ((key, _another(key, defaults[key])) for key in names if key in defaults)
    first = next((f"{key}={value}" for key, value in others if value is not None), None)
    more = "" if first is None else f', or -m "{name}({first})"'
    return f"-m {name}{more}"


def _another(key: str, default: Any) -> str | None:
    """A value that is not the default, as it is typed; None for parameters whose values are not
    numbers or flags."""
    if key == "k" and default is None:
        return "3"
    if isinstance(default, bool):
        return "no" if default else "yes"
    return str(default + 1) if isinstance(default, int) else None


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
    typed = (line for line in re.split(r"\n(?! )", listed) if not line.startswith(_CALLBACK))
    for line in typed:
        words = _as_typed(" ".join(line.split()))
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
            yield from textwrap.wrap(_as_typed(" ".join(part.split())), WIDTH)


def _as_typed(words: str) -> str:
    """A text from a docstring with what is typed on the command line: `auto`, `yes` and `no`,
    values without quotes, names of metrics and commands.

    >>> _as_typed('by `cost="halving"`; see `EditSettings`. None: "span", or a function of d.')
    'by `cost=halving`. auto: `span`.'
    >>> _as_typed("As `Pk(k=3)`; prefer `ss.compare`. True: also weighted.")
    'As `pk(k=3)`; prefer `segscore compare`. yes: also weighted.'
    """
    words = _ONLY_PYTHON.sub("", words)
    words = re.sub(r'="([\w-]+)"', r"=\1", words)
    words = re.sub(r'"([^\s"`]+)"', r"`\1`", words)
    words = re.sub(r"`ss\.(\w+)`", r"`segscore \1`", words)
    words = _CLASS.sub(lambda found: _metric_of_class(found[0]), words)
    return _CONSTANT.sub(lambda found: _TYPED[found[1]], words)


def _metric_of_class(kind: str) -> str:
    """The name of the metric that a class computes by default; the class if it is no metric."""
    from segscore.metrics import metric
    from segscore.metrics.makers import HOMES, METRICS

    if kind not in HOMES:
        return kind
    return next((name for name in METRICS if type(metric(name)).__name__ == kind), kind)


def _with_default(words: str, defaults: Mapping[str, Any]) -> str:
    """The description of a parameter, with its default.

    >>> _with_default("k: size of the window", {"k": None})
    'k [default: auto]: size of the window'
    """
    found = _PARAMETER.match(words)
    names = found[1].split(", ") if found else []
    if found is None or not all(name in defaults for name in names):
        return words
    shown = [_shown(defaults[name]) for name in names]
    if not all(shown):
        return words
    return f"{found[1]} [default: {', '.join(shown)}]: {words[found.end() :]}"


def _shown(value: Any) -> str:
    """A default as it is typed; "" if it cannot be."""
    if value is None or isinstance(value, bool):
        return _TYPED[str(value)]
    return str(value) if isinstance(value, str | int | float) else ""
