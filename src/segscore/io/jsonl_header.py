"""How units were formed, on the first line of our JSON Lines, if a reader formed them.

    {"provenance": {"units": ["seconds:1:1200"], "policies": ["snap"]}, "document": "talk", …}

It keeps what `segscore.corpus.provenance` has, so that a corpus that was written and read again
gives the same signatures. It is about the whole file; each line stays a coding. A corpus whose
units are those of its files has no such field.
"""

import json
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.provenance import CHOICES, PLAIN, Provenance
from segscore.corpus.record import check_unicode
from segscore.errors import SegmentationError
from segscore.io.files import Source, byte_lines

KEY = "provenance"
_LISTS = ("units", "policies", "layers")
_EXPECTED = '{"units": ["seconds:1"], …}'


def header_fields(provenance: Provenance) -> dict[str, Any]:
    """What the first line has besides its coding; nothing if there is nothing to say."""
    if not provenance:
        return {}
    fields: dict[str, Any] = {
        name: list(getattr(provenance, name)) for name in _LISTS if getattr(provenance, name)
    }
    if provenance.choices:
        fields["choices"] = [list(one) for one in provenance.choices]
    return {KEY: fields}


def header_of(line: bytes) -> Provenance:
    """What a first line says; nothing if it is no JSON, which its reader tells.

    >>> header_of(b'{"provenance": {"units": ["sentences"]}, "document": "d"}').fields
    {'units': 'sentences'}
    """
    if b"provenance" not in line and b"\\u" not in line:
        return PLAIN
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return PLAIN
    if not isinstance(given, dict) or KEY not in given:
        return PLAIN
    fields = given[KEY]
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
    check_unicode("".join(given), f"provenance: {name}")
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
                return header_of(line)
    except SegmentationError:
        pass
    return PLAIN
