"""What stands on a line of our JSON Lines, in a JSON file: an object, or a list of objects.

    [{"document": "ch1", "coder": "ann", "masses": [2, 3, 6]}, {"document": "ch1", …}]

The fields are those of `segscore.corpus.record`. As scripts write it with `json.dump`; it is only
read. A file that holds one coding need not name the document, which is then called like the file.
"""

import re
from collections.abc import Iterator

from segscore.basics.arguments import shown
from segscore.corpus.record import FIELDS, Record, record_from_fields
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import FEATURES, Format
from segscore.io.formats import jsonl
from segscore.io.safe_parsing import json_value

_EXPECTED = 'codings, as in [{"document": "ch1", "coder": "ann", "masses": [2, 3]}, …]'
_FIRST_KEY = re.compile(r'\s*\[?\s*\{\s*"(\w+)"\s*:')
_CODINGS = ("masses", "boundaries", "gaps", "segment_ids", "spans", "levels")
_CODING = re.compile(rf'"(?:{"|".join(_CODINGS)})"\s*:\s*["\[]')


def matches(lines: list[str]) -> bool:
    """An object over several lines, or a list of objects, with our fields and a coding."""
    if jsonl.matches(lines):
        return False
    text = "\n".join(lines)
    found = _FIRST_KEY.match(text)
    return found is not None and found[1] in FIELDS and _CODING.search(text) is not None


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    data = json_value(source, source.read_text(), _EXPECTED)
    several = data if isinstance(data, list) else [data]
    if not several:
        raise source.fail(f"the list is empty: expected {_EXPECTED}")
    for number, fields in enumerate(several, start=1):
        with source.locating():
            where = f"entry {number}: " if len(several) > 1 else ""
            if not isinstance(fields, dict):
                raise SegmentationError(f"{where}{shown(fields)}: expected an object {{…}}")
            if "document" not in fields and len(several) > 1:
                raise SegmentationError(f"{where}{jsonl.UNNAMED}")
            named = {"document": source.document, **fields}
            try:
                yield record_from_fields(named, source.at(), source.coder)
            except SegmentationError as error:
                raise SegmentationError(f"{where}{error}") from None


FORMAT = Format(
    name="json",
    title="codings in JSON",
    suffixes=(".json",),
    holds=frozenset(FEATURES),
    matches=matches,
    read=read,
    signs=tuple(f'"{name}"' for name in _CODINGS),
)
