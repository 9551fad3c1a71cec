"""How the format of a file is recognised; JSON that is none of ours is described in words."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from segscore.io import compressed
from segscore.io.files import Source
from segscore.io.format import Format, told_by_suffix
from segscore.io.formats import chunks
from segscore.io.registry import FORMATS, formats_of_others, suffixes_of
from segscore.io.table_files import head as table_head
from segscore.io.table_files import header_of, is_table, row_text

_HEAD = 2**16  # bytes that are looked at
_SHOWN = 6  # keys of an object that are named


def recognise(given: Path | Source) -> Format:
    """The format of a file, by its suffix and its first lines.

    Content and suffix should agree, so the formats of the suffix are asked first. Where none of
    them fits, content that looks like exactly one other format decides; where no format is
    recognised in the content, the suffix does, so that its reader can say what is wrong. Names of
    columns that the caller gives are those of a table, or of labels.
    """
    source = Source(given, given.stem, "") if isinstance(given, Path) else given
    lines = first_lines(source)
    suffix = source.suffix
    called = tuple(one for one in FORMATS.values() if suffix in suffixes_of(one))
    if source.choices.columns:
        mapped = _mapped(lines, called, source.choices.columns.values())
        if mapped is not None:
            return mapped
    found = next(_matching(called, lines), None)
    if found is not None:
        return found
    likely = list(_matching((one for one in FORMATS.values() if one not in called), lines))
    other = _other_format(source, lines, alone=not called and not likely)
    if other is not None:
        return other
    if len(likely) == 1:
        return likely[0]
    if not likely:
        refuse_unknown_json(source, "\n".join(lines))
        if called:
            return _by_suffix_alone(called, lines)
    raise source.fail(
        "the format is not clear"
        + (f" (perhaps {', '.join(one.name for one in likely)})" if likely else "")
        + f": expected format= (--from), one of {', '.join(FORMATS)}"
    )


def _matching(kinds: Iterable[Format], lines: list[str]) -> Iterator[Format]:
    """The formats that the first lines of a file look like, in order.

    Most formats are ruled out by a sign that is missing, which takes less than to ask them.
    """
    text = "\n".join(lines).lstrip()
    header = lines[0].lower() if lines else ""
    is_json = text.startswith(("{", "["))
    for one in kinds:
        if one.matches is told_by_suffix or (one.is_json and not is_json):
            continue
        where = header if one.tabular else text
        if (not one.signs or any(sign in where for sign in one.signs)) and one.matches(lines):
            yield one


def _by_suffix_alone(called: tuple[Format, ...], lines: list[str]) -> Format:
    """The format of the suffix whose reader says best what is wrong with the content."""
    if FORMATS["table"] in called and not {"document", "coder"} <= set(header_of(lines)):
        return FORMATS["table"]  # which says what it expects of a table, whatever it is
    return called[0]


def _other_format(source: Source, lines: list[str], alone: bool) -> Format | None:
    """The format of another package that a file has by suffix and content; by one of the two, if
    none of ours is likely."""
    suffix = compressed.suffix_of(source.path)
    called = [one for one in formats_of_others() if suffix in suffixes_of(one)]
    likely = [one for one in formats_of_others() if one.matches(lines)]
    both = [one for one in called if one in likely]
    if both:
        return both[0]
    some = likely or called
    return some[0] if alone and len(some) == 1 else None


def first_lines(source: Source) -> list[str]:
    """The first lines of a file, or the first rows of a table as CSV has them."""
    if is_table(source.suffix):
        return [row_text(cells).rstrip("\n") for cells in table_head(source)]
    with source.open() as stream:
        start = stream.read(_HEAD)
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    head = start.removeprefix(b"\xef\xbb\xbf").decode("utf-16" if wide else "utf-8", "replace")
    return head.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def holds_chunks(path: Any, name: str | None) -> bool:
    """Whether a file, or some file of a folder that could hold them, holds chunks."""
    if name is not None:
        return name == chunks.FORMAT.name
    top = Path(path)
    suffixes = chunks.FORMAT.suffixes
    files: Iterable[Path] = top.rglob("*") if top.is_dir() else (top,)
    first = next((one for one in files if compressed.suffix_of(one) in suffixes), None)
    if first is None or not first.is_file():
        return False
    return chunks.matches(first_lines(Source(first, first.stem, "")))


def _mapped(lines: list[str], called: tuple[Format, ...], names: Iterable[str]) -> Format | None:
    """The format in which the caller's names of columns mean something; None if JSON has none of
    them: the other side may be the one that they are for."""
    text = "\n".join(lines).lstrip()
    if text.startswith(("{", "[")):
        return FORMATS["labels"] if any(json.dumps(one) in text for one in names) else None
    if FORMATS["table"] in called or len(header_of(lines)) > 1:
        return FORMATS["table"]
    return None


# ---- JSON of no known format ----


def refuse_unknown_json(source: Source, head: str) -> None:
    """An error if a file is JSON (all of it is read): what it looks like, and which formats could
    be meant. Files that are no JSON are left to the others."""
    if source.suffix in (".jsonl", ".ndjson"):
        if _is_lines(head, 1):
            value = json.loads(head.strip().split("\n", maxsplit=1)[0])
            raise source.fail(_explained(value, "each line is "))
        return
    if not re.match(r"\s*[\[{]", head) and source.suffix != ".json":
        return
    text = source.read_text()
    if not text.strip():
        raise source.fail("the file is empty: expected JSON")
    try:
        value = json.loads(text)
    except RecursionError:
        raise source.fail("lists nested too deeply: expected codings in JSON") from None
    except json.JSONDecodeError as error:
        if _is_lines(text):
            value = json.loads(text.strip().split("\n", maxsplit=1)[0])
            raise source.fail(_explained(value, "each line is ")) from None
        what = f"not JSON ({error.msg} at column {error.colno})"
        raise source.fail(f"{what}: expected codings in JSON", error.lineno) from None
    except ValueError:
        raise source.fail("a number is too long: expected codings in JSON") from None
    raise source.fail(_explained(value, "it is "))


def _is_lines(text: str, least: int = 2) -> bool:
    lines = text.strip().split("\n", maxsplit=2)
    try:
        return len(lines) >= least and all(isinstance(json.loads(one), dict) for one in lines[:2])
    except (ValueError, RecursionError):
        return False


def _explained(value: Any, start: str) -> str:
    looks = looks_like(value)
    could = candidates(value)
    return (
        f"the format of this JSON is not known: {start}{looks}. It could be "
        f"{'; or '.join(could)}: expected format= (--from) with one of these names, or another "
        "form of the file (docs/readers.md)"
    )


def looks_like(value: Any, depth: int = 0) -> str:
    """A JSON value in words.

    >>> looks_like({"ch1": [2, 3]})
    "an object with the key 'ch1', which holds a list of 2 numbers"
    """
    if isinstance(value, dict):
        if not value:
            return "an empty object"
        keys = [repr(key if len(key) <= 40 else key[:39] + "…") for key in list(value)[:_SHOWN]]
        more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
        word = "key" if len(value) == 1 else "keys"
        inside = next(iter(value.values()))
        holds = f", which holds {looks_like(inside, depth + 1)}" if len(value) == 1 else (
            f"; the first holds {looks_like(inside, depth + 1)}")  # fmt: skip
        return f"an object with the {word} {', '.join(keys)}{more}" + (holds if depth < 2 else "")
    if isinstance(value, list):
        return _list(value, depth)
    words = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return words.get(type(value), "null")


def _list(value: list[Any], depth: int) -> str:
    if not value:
        return "an empty list"
    kinds = {type(one) for one in value}
    if kinds <= {int, bool} and all(one in (0, 1) for one in value):
        return f"a list of {len(value)} zeros and ones"
    if kinds <= {int, float}:
        return f"a list of {len(value)} numbers"
    if kinds == {str}:
        return f"a list of {len(value)} texts"
    first = f", the first {looks_like(value[0], depth + 1)}" if depth < 2 else ""
    return f"a list of {len(value)}{first}"


_LABELS = "labels (0 or 1, or a segment, per unit: {document: {coder: [0, 1, …]}}, with --marks)"
_SEGEVAL = 'segeval-json ({"segmentation_type": "linear", "items": {document: {coder: masses}}})'
_JSONL = 'jsonl (a line per coding: {"document": …, "coder": …, "masses": [2, 3]})'
_STUDIO = 'label-studio (a list of tasks with "data" and "annotations", or JSON-MIN)'
_DOCCANO = 'doccano (a line per text: {"text": …, "label": [[0, 9, "TOPIC"]]})'
_WORDS = 'transcript (Whisper, WhisperX, AWS or Deepgram: segments or words with "start" and "end")'
_CHAPTERS = 'yt-dlp (an object with "chapters")'


def candidates(value: Any) -> list[str]:
    """The two or three formats that come nearest."""
    text = json.dumps(value)[:20_000]
    if '"start' in text and ('"end' in text or '"duration"' in text):
        return [_WORDS, _CHAPTERS, _STUDIO]
    if '"text"' in text or '"data"' in text:
        return [_DOCCANO, _STUDIO, _LABELS]
    if isinstance(value, list):
        return [_LABELS, _STUDIO]
    return [_LABELS, _SEGEVAL, _JSONL]
