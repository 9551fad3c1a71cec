"""WebAnno TSV 3, as INCEpTION writes it: a row per token, the layers in columns.

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
from collections.abc import Iterator

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.placing import CodePoints, Span, placed_record, text_record
from segscore.text.unit_splitting import stretches

_MOST = 2**27  # characters of a text: the space between tokens is written out
_HEAD = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.[0-9]+)?")
_ROW = re.compile(
    r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]+)?\t([0-9]{1,12})-([0-9]{1,12})\t([^\t]*)(.*)"
)
_STACK = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[([0-9]{1,9})\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


def matches(lines: list[str]) -> bool:
    """Whether the first line is the header of WebAnno TSV."""
    return bool(lines) and _HEAD.fullmatch(lines[0].strip()) is not None


Layers = list[tuple[str, int]]  # type, how many columns
Tokens = list[tuple[int, int, int, str, list[str]]]
# sentence, start and end in UTF-16, form, cells


def read(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = source.read_lines()
    if not matches(lines):
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
        spans = _spans(tokens, _columns(layers, source.choices.layer), convert)
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


def _spans(tokens: Tokens, columns: tuple[int, int], convert: CodePoints) -> list[Span]:
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
    return [Span(convert(start), convert(end), frozenset(labels))
            for start, end, labels in found.values()]  # fmt: skip


FORMAT = tool_format(
    "webanno-tsv",
    "WebAnno TSV 3",
    ".tsv",
    "units labels",
    matches,
    read,
    "#FORMAT=WebAnno TSV 3",
    keys="layer policy",
)
