"""Answers in plain text: numbers, a line for each segment, or the text copied with separators."""

import re
from collections.abc import Iterator, Sequence

from segscore.io.answers.claims import NAMES, AnswerError, Claim, name_of, title_of
from segscore.io.answers.json_answers import of_numbers

_N = r"[0-9]{1,15}"
_NUMBERS = re.compile(
    rf"(?:([^\W\d][\w -]{{0,40}}):)?\s*[\[(]?\s*({_N}(?:[\s,;]+{_N})*)\s*[\])]?\.?"
)
_UNIT = r"(?:(?:sentences?|lines?|units?|utterances?|turns?|segments?)\s{0,2}#?\s{0,2})?"
_SPAN = re.compile(
    rf"(?<![\w:.,-])[\[(]?{_UNIT}\[?({_N})\]?\s{{0,2}}(?:-|–|—|to|through)\s{{0,2}}{_UNIT}"
    rf"\[?({_N})(?![\w:.,-]*[0-9])[\])]*",
    re.I,
)
_GROUP = re.compile(rf"([^:\[\]()]*?)\s?:\s?[\[(]\s?({_N}(?:\s?,\s?{_N})*)\s?[\])]\.?")
_START_FIRST = re.compile(rf"[\[(]?{_UNIT}({_N})[\])]?\s?(?:[:.|–—-]|->|→)?\s([^0-9]+)", re.I)
_START_LAST = re.compile(rf"([^0-9]+?)\s?[:|–—-]\s?[\[(]?{_UNIT}({_N})[\])]?\.?", re.I)
_BULLET = re.compile(r"^(?:[-*•·]\s+|[0-9]{1,6}[.):]\s+)")
_BLANK = re.compile(r"\n[ \t]*\n")
_RULE = "-=*_~"  # what lines between segments are made of
_MARK = re.compile(
    r"</?[A-Za-z][\w-]{0,40}[ ]?/?>|\[[A-Z][A-Z_ -]{1,40}\]|[|¦‖§¶]+|//+"
    r"|(?<!\S)[#~^=_<>]+(?!\S)"
)
_LONGEST = 400  # characters of a line that has numbers and a title


def plain_claim(text: str, units: Sequence[str] | None) -> Claim | None:
    """The claim of an answer in plain text; None if it has no form that is known."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (
        _numbers(lines)
        or _copied(text, "\n".join(units or ()), len(units) if units is not None else 0)
        or _spans(lines)
        or _starts(lines)
        or _quotes(lines, text)
    )


def separated(text: str, separator: str) -> Claim:
    """Copied text with a separator that the caller names."""
    pieces = [piece for piece in text.split(separator) if piece.strip()]
    if separator not in text:
        raise AnswerError(f"the separator {separator!r} is not in the output")
    return Claim("text copied with separators", "copy", pieces)


def _numbers(lines: Sequence[str]) -> Claim | None:
    """Numbers, perhaps after a name that says what they are."""
    found = _NUMBERS.fullmatch(" ".join(lines))
    if found is None:
        return None
    kind = "numbers" if found[1] is None else NAMES.get(name_of(found[1]))
    if kind is None or kind == "labels":
        raise AnswerError(f"numbers after {found[1]!r}, which is not a name that is known")
    numbers = [int(digits) for digits in re.findall("[0-9]+", found[2])]
    return Claim("list of starts" if kind == "numbers" else f"list of {kind}", kind, numbers)


# ---- the text with marks between segments ----


def _copied(text: str, document: str, n_units: int) -> Claim | None:
    """Copied text with marks that the document does not have; None if there is none."""
    pieces: list[str] = []
    titles: list[str | None] = []
    kinds: list[str] = []  # of the marks between pieces
    piece, kind, title, marked = [], "", None, False
    own = {*_MARK.findall(document), *(line.strip() for line in document.split("\n"))}
    for part, mark, name in _parts(text, own):
        if mark is None:
            piece.append(part)
            continue
        marked = True
        if "".join(piece).strip():
            pieces.append("".join(piece))
            titles.append(title)
            kinds.append(kind)
            kind, title = "", None
        piece = []
        if name is not None or title is None:  # a rule before or after a title is part of it
            kind, title = mark, name
    if not marked:
        return None
    if "".join(piece).strip():
        pieces.append("".join(piece))
        titles.append(title)
        kinds.append(kind)
    different = sorted({*kinds[1:]} | {kind for kind in kinds[:1] if titles[:1] != [None]})
    if len(different) > 1:
        raise AnswerError(
            f"the text has marks of several kinds, {different[0]!r} and {different[1]!r}: "
            "separator= says which of them separates segments"
        )
    if not pieces:
        raise AnswerError("there is no text between the marks")
    if len(pieces) == 1 and "\n" in pieces[0].strip():
        raise AnswerError("all lines are between two marks: there may be other separators")
    if len(pieces) > max(n_units, 1):
        raise AnswerError(f"{len(pieces)} segments, and the document has {n_units} units")
    with_titles = any(titles)
    form = "text copied with separators" + ", which are titles" * with_titles
    return Claim(form, "copy", pieces, titles if with_titles else None)


def _parts(text: str, own: set[str]) -> Iterator[tuple[str, str | None, str | None]]:
    """Stretches of text, and marks with their kind and perhaps a title; own: lines and marks that
    the document has itself."""
    for line in text.splitlines(keepends=True):
        whole = line.strip()
        kind, title = _separator(whole)
        if kind and whole not in own:
            yield "", kind, title
            continue
        at = 0
        for mark in _MARK.finditer(line):
            if mark[0] not in own:
                yield line[at : mark.start()], None, None
                yield "", mark[0].replace("/", "") or "//", None
                at = mark.end()
        yield line[at:], None, None


def _separator(line: str) -> tuple[str, str | None]:
    """The kind of a line between segments, and its title; no kind if it is something else."""
    inner = line.strip(_RULE)
    if not inner:
        return (line[0] * 3 if len(line) > 2 else ""), None
    head = line.lstrip("#")
    level = len(line) - len(head)
    if 1 <= level <= 6 and head[:1] == " " and head.strip(" #"):
        return "#" * level, title_of(head.strip(" #"))
    lead, tail = line[: len(line) - len(line.lstrip(_RULE))], line[len(line.rstrip(_RULE)) :]
    if len(lead) > 1 and len(tail) > 1 and len(line) < _LONGEST:
        return lead[:2], title_of(inner)
    return "", None


# ---- a line for each segment ----


def _spans(lines: Sequence[str]) -> Claim | None:
    """Lines with the first and last unit of a segment, or with all its units, and words around
    these lines; whether they have all units is checked by the numbers."""
    places = [at for at, line in enumerate(lines) if re.search("[0-9]", line)]
    if not places:
        return None
    rows: list[list[str]] = []
    titles: list[str | None] = []
    for line in lines[places[0] : places[-1] + 1]:
        plain = line[: _LONGEST + 1]
        group = _GROUP.fullmatch(_BULLET.sub("", plain, count=1))
        found = list(_SPAN.finditer(plain))
        if len(plain) > _LONGEST or (group is None and len(found) != 1):
            return None
        if group is not None:
            rows.append(re.findall("[0-9]+", group[2]))
            titles.append(title_of(group[1]))
        else:
            before = title_of(_BULLET.sub("", plain[: found[0].start()] + " ", count=1))
            rows.append([found[0][1], found[0][2]])
            titles.append(before or title_of(plain[found[0].end() :]))
    if not any(titles):
        return of_numbers("lines of", rows, None)
    return of_numbers("lines of titles with", rows, titles)


def _starts(lines: Sequence[str]) -> Claim | None:
    """Lines that begin or end with the number of a unit."""
    if len(lines) < 2 or any(len(line) > _LONGEST for line in lines):
        return None
    for pattern, number, title in ((_START_FIRST, 1, 2), (_START_LAST, 2, 1)):
        found = [pattern.fullmatch(line) for line in lines]
        rows = [row for row in found if row is not None]
        if len(rows) == len(found):
            numbers = [int(row[number]) for row in rows]
            titles = [title_of(row[title]) for row in rows]
            if _are_counters(numbers, lines) or not all(titles):
                return None
            return Claim("lines of titles with starts", "numbers", numbers, titles)
    return None


def _are_counters(numbers: Sequence[int], lines: Sequence[str]) -> bool:
    """Whether numbers only count the lines of a list, as in 1. … 2. … 3. …"""
    return numbers == [*range(1, len(lines) + 1)] and all(map(_BULLET.match, lines))


def _quotes(lines: Sequence[str], text: str) -> Claim | None:
    parts = [part for part in _BLANK.split(text) if part.strip()]
    bullets = [_BULLET.match(line) for line in lines]
    if not all(bullets) and len(parts) > 1 and any("\n" in part.strip() for part in parts):
        raise AnswerError(
            "lines with blank lines between some of them: separator='\\n\\n' says "
            "that these separate segments"
        )
    kept = [
        line[found.end() :] if found else line for line, found in zip(lines, bullets, strict=True)
    ]
    return Claim("lines of quotations", "lines", kept) if lines else None
