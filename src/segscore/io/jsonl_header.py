"""The first line of our JSON Lines, where a reader formed the units: how it did.

    {"provenance": {"units": ["seconds:1:1200"], "policies": ["snap"]}}

It keeps what `segscore.provenance` has, so that a corpus that was written and read again gives the
same signatures. A corpus whose units are those of its files has no such line.
"""

import json
import re
from typing import Any

from segscore.arguments import shown
from segscore.errors import SegmentationError
from segscore.io.files import Source, byte_lines
from segscore.provenance import CHOICES, PLAIN, Provenance

KEY = "provenance"
_OPENS = re.compile(rb'[ \t]*\{[ \t]*"provenance"[ \t]*:')
_LISTS = ("units", "policies", "layers")
_EXPECTED = '{"provenance": {"units": ["seconds:1"], …}}'


def header_line(provenance: Provenance) -> str:
    """The line to write, with its end; nothing if there is nothing to say."""
    if not provenance:
        return ""
    fields: dict[str, Any] = {
        name: list(getattr(provenance, name)) for name in _LISTS if getattr(provenance, name)
    }
    if provenance.choices:
        fields["choices"] = [list(one) for one in provenance.choices]
    return json.dumps({KEY: fields}, ensure_ascii=False, separators=(",", ":")) + "\n"


def is_header(line: bytes) -> bool:
    """Whether a line says how units were formed."""
    return _OPENS.match(line) is not None


def header_of(line: bytes) -> Provenance:
    """What such a line says.

    >>> header_of(b'{"provenance": {"units": ["sentences"]}}').fields
    {'units': 'sentences'}
    """
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        raise SegmentationError(f"not JSON: expected one object, {_EXPECTED}") from None
    fields = given.get(KEY) if isinstance(given, dict) and len(given) == 1 else None
    if not isinstance(fields, dict) or not fields.keys() <= {*_LISTS, "choices"}:
        raise SegmentationError(f"provenance is {shown(fields)}: expected {_EXPECTED}")
    lists = {name: _texts(fields.get(name, []), name) for name in _LISTS}
    choices = fields.get("choices", [])
    if not isinstance(choices, list):
        raise _wrong("choices", choices)
    pairs = [_texts(one, "choices") for one in choices]
    if any(len(one) != 2 or one[0] not in CHOICES for one in pairs):
        raise _wrong("choices", choices)
    return Provenance(**lists, choices=tuple((one[0], one[1]) for one in pairs))


def _texts(given: Any, name: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) and one for one in given):
        raise _wrong(name, given)
    return tuple(given)


def _wrong(name: str, given: Any) -> SegmentationError:
    expected = (
        f"pairs [name, text], a name of {', '.join(CHOICES)}"
        if name == "choices"
        else "a list of texts"
    )
    return SegmentationError(f"provenance: {name} is {shown(given)}: expected {expected}")


def file_header(source: Source) -> Provenance:
    """What the first line of a file says; nothing if it cannot be read, which its reader tells."""
    try:
        for _, line in byte_lines(source):
            if line.strip(b" \t"):
                return header_of(line) if is_header(line) else PLAIN
    except SegmentationError:
        pass
    return PLAIN
