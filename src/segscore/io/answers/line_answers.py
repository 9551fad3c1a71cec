"""Answers in plain text: numbers, a line for each segment, or the text copied with separators."""

import re
from collections.abc import Callable, Sequence

from segscore.io.answers.claims import AnswerError, Claim
from segscore.io.answers.list_names import numbers_announced

_N = r"[0-9]{1,15}"
_NUMBERS = re.compile(
    rf"(?:([A-Za-z][\w ,()/-]{{0,80}}):)?\s*[\[(]?\s*({_N}(?:[\s,;]+{_N})*)\s*[\])]?\.?"
)
_UNIT = r"(?:(?:sentences?|lines?|units?|utterances?|turns?|segments?)\s*#?\s*)?"
_TO = r"\s*(?:-|–|—|to|through|\.\.+|,)\s*"
_SPAN = rf"[\[(]?\s*{_UNIT}\[?({_N})\]?{_TO}{_UNIT}\[?({_N})\]?\s*[\])]?"
_START = rf"[\[(]?\s*{_UNIT}({_N})\s*[\])]?"
_SPAN_FIRST = re.compile(rf"{_SPAN}(?:\s*[:.|–—-]\s*|\s+|$)(.*)", re.I)
_SPAN_LAST = re.compile(rf"(.*?)[\s:|–—-]*{_SPAN}\.?", re.I)
_SPAN_INSIDE = re.compile(rf"([^()\[\]]*?)[\s:|–—*-]*(?=[(\[]){_SPAN}\**\s*(?:[:.–—-].*)?", re.I)
_GROUP = re.compile(rf"([^:\[\]()]*?)\s*:\s*[\[(]?\s*({_N}(?:\s*,\s*{_N})*)\s*[\])]?\.?")
_START_FIRST = re.compile(rf"{_START}(?:\s*(?:[:.|–—-]|->|→)?\s+(.+)|$)", re.I)
_START_LAST = re.compile(
    rf"(.+?)(?:\s*[:|–—-]\s*|\s+(?=[(\[]))(?:starts? (?:at|with)\s*)?{_START}\.?", re.I
)
_BULLET = re.compile(r"^(?:[-*•·]\s+|[0-9]{1,6}[.):]\s+)")
_BLANK = re.compile(r"\n[ \t]*\n")
_COUNTER = re.compile(r"^([0-9]{1,6})[.):]\s+")
_RULE = "[-=*_~]"  # what lines between segments are made of
_SEPARATOR = re.compile(
    rf"^[ \t]*(?:{_RULE}{{3,}}"
    rf"|{_RULE}{{2,40}}[ \t]*(?P<named>[^\n=*_~-][^\n]{{0,200}}?)[ \t]*{_RULE}{{2,40}}"
    r"|\#{1,6}[ \t]+(?P<heading>[^\n]{1,300}?)[ \t]*\#{0,6})[ \t]*$"
    r"|\[(?:SEP|BREAK|SEGMENT|BOUNDARY|CUT)\]"
    r"|</?(?:sep|break|segment|boundary|cut|split)[ ]?/?>|\|\|\|+",
    re.M | re.I,
)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|i (?:can(?:'|no)?t|won't|will not|must decline)"
    r"|as an ai|unable to (?:help|assist|process|comply)|can(?:'|no)?t (?:help|assist))\b",
    re.I,
)
_LONGEST = 400  # characters of a line that has numbers and a title
_LONGEST_LINE = 100_000


def is_refusal(text: str) -> bool:
    """Whether an answer begins like a refusal."""
    return _REFUSAL.search(text[:300].replace("’", "'")) is not None


def separated(text: str, separator: str | None) -> Claim | None:
    """Copied text with separators, some of which may be titles; None if there are no separators."""
    pieces: list[str] = []
    titles: list[str | None] = []
    if separator is not None:
        pieces = text.split(separator)
        titles = [None] * len(pieces)
    else:
        at, title = 0, None
        for found in _SEPARATOR.finditer(text):
            pieces.append(text[at : found.start()])
            titles.append(title)
            at, title = found.end(), found["named"] or found["heading"]
        pieces.append(text[at:])
        titles.append(title)
    kept = [(piece, title) for piece, title in zip(pieces, titles, strict=True) if piece.strip()]
    if len(pieces) == 1 or not kept:
        return None
    named = [title for _, title in kept] if any(title for _, title in kept) else None
    form = "text copied with separators" + (", which are titles" if named else "")
    return Claim(form, quotes=[piece for piece, _ in kept], titles=named, copied=True)


def listed(text: str) -> Claim | None:
    """Numbers alone, or a line for each segment; None if the lines are something else."""
    lines = _lines(text)
    if not lines:
        return None
    whole = " ".join(lines)
    found = _NUMBERS.fullmatch(whole) if len(whole) <= _LONGEST_LINE else None
    if found is not None:
        numbers = [int(digits) for digits in re.findall("[0-9]+", found[2])]
        return numbers_announced(found[1] or "", numbers) or Claim("list of starts", numbers)
    numbered = _with_digits(lines)
    return _groups(numbered) or _spans(numbered) or _starts(lines) or _quotes(lines, text)


def _lines(text: str) -> list[str]:
    """The lines with content, without a first line that only announces the others."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[1:] if len(lines) > 1 and lines[0].endswith(":") else lines


def _with_digits(lines: Sequence[str]) -> Sequence[str]:
    """The lines from the first to the last that has a number, without words around them."""
    places = [at for at, line in enumerate(lines) if re.search("[0-9]", line)]
    return lines[places[0] : places[-1] + 1] if places else lines


def _groups(lines: Sequence[str]) -> Claim | None:
    """Lines with the numbers of all units of a segment, at least one of them with more than two."""
    found = _all(_GROUP.fullmatch, [_BULLET.sub("", line) for line in lines])
    if found is None:
        return None
    groups = [[int(number) for number in re.findall("[0-9]+", match[2])] for match in found]
    if all(len(group) <= 2 for group in groups):
        return None
    return Claim(
        "lines of titles with numbers of all units",
        groups=groups,
        titles=[_title(match[1]) for match in found],
    )


def _spans(lines: Sequence[str]) -> Claim | None:
    plain = [_BULLET.sub("", line) for line in lines]
    for pattern, numbers, title in (
        (_SPAN_FIRST, (1, 2), 3), (_SPAN_LAST, (2, 3), 1), (_SPAN_INSIDE, (2, 3), 1),
    ):  # fmt: skip
        found = _all(pattern.fullmatch, plain)
        if found is None:
            continue
        starts = [int(match[numbers[0]]) for match in found]
        ends = [int(match[numbers[1]]) for match in found]
        titles = [_title(match[title]) for match in found]
        if not any(titles):
            return Claim("lines of (start, end) pairs", starts, ends)
        return Claim("lines of titles with (start, end) pairs", starts, ends, titles=titles)
    return None


def _starts(lines: Sequence[str]) -> Claim | None:
    """Lines that begin or end with a number; numbers 1, 2, 3 … before each line only count them."""
    counters = _all(_COUNTER.match, lines)
    counted = counters is not None and [int(counter[1]) for counter in counters] == [
        *range(1, len(lines) + 1)
    ]
    plain = [_BULLET.sub("", line) if counted or line[0] in "-*•·" else line for line in lines]
    for pattern, number, title in ((_START_FIRST, 1, 2), (_START_LAST, 2, 1)):
        found = _all(pattern.fullmatch, plain)
        if found is None:
            continue
        starts = [int(match[number]) for match in found]
        if starts == [*range(1, len(lines) + 1)] and len(lines) > 1:
            return None  # they may be counters
        titles = [_title(match[title]) for match in found]
        form = "lines of titles with starts" if any(titles) else "lines of starts"
        return Claim(form, starts, titles=titles if any(titles) else None)
    return None


def _quotes(lines: Sequence[str], text: str) -> Claim:
    parts = [part.strip() for part in _BLANK.split(text) if part.strip()]
    bare = not all(_BULLET.match(line) for line in lines)
    if bare and len(parts) > 1 and any("\n" in part for part in parts):
        raise AnswerError(
            "lines with blank lines between some of them: separator='\\n\\n' (--separator) says "
            "that these separate segments"
        )
    return Claim("lines of quotations", quotes=[_BULLET.sub("", line) for line in lines], bare=bare)


def _all(
    match: Callable[[str], re.Match[str] | None], lines: Sequence[str]
) -> list[re.Match[str]] | None:
    found: list[re.Match[str]] = []
    for line in lines:
        matched = match(line) if len(line) <= _LONGEST else None
        if matched is None:
            return None
        found.append(matched)
    return found or None


def _title(text: str | None) -> str | None:
    return (text or "").strip(" \t:.|–—-\"'*") or None
