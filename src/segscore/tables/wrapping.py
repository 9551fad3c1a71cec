"""Lines of a given width: text is broken between words, signatures between their fields.

A word is broken only if it is longer than a line: after a sign of punctuation if it has one
(`windowdiff|k:auto|…`), anywhere else if not. A raised number never stands on a line of its own.
"""

import re
from collections.abc import Iterator

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒"
_NARROW = re.compile(rf"[\x00-\x7f─±…–—→×≤≥{RAISED}]*")  # most of what tables hold: a column each
_FIELDS = re.compile(r"[^|]*\||[^|]+")  # of a signature, each with the bar behind it
_PIECES = re.compile(r"[^,;:=_/(-]*[,;:=_/(-]+|[^,;:=_/(-]+")


def length(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if _NARROW.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text.

    >>> wrapped("¹ pk|k:auto|rounding:half-even|min_k:1", 20)
    ['¹ pk|k:auto|', 'rounding:half-even|', 'min_k:1']
    """
    if length(text) <= width:
        return [text]
    width = max(width, 2)  # a wide letter must fit
    lines = [""]
    for piece in _pieces(_joined_numbers(text.split(" ")), width):
        if lines[-1] and length(lines[-1] + piece.rstrip(" ")) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip(" ") for line in lines]


def longest_piece(text: str) -> int:
    """The width below which `wrapped` would have to break a word."""
    return max((length(word) for word in _joined_numbers(text.split(" "))), default=0)


def longest_part(text: str) -> int:
    """The width below which `wrapped` would have to break a word where it has no punctuation.

    >>> longest_part("not-reproduced here"), longest_part("f1(tolerance=1)")
    (10, 10)
    """
    words = _joined_numbers(text.split(" "))
    return max((length(part) for word in words for part in _PIECES.findall(word)), default=0)


def _joined_numbers(words: list[str]) -> list[str]:
    """The words of a text; a raised number is joined to the word after it."""
    found: list[str] = []
    for word in words:
        if found and found[-1] and all(sign in RAISED for sign in found[-1]):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def _pieces(words: list[str], width: int) -> Iterator[str]:
    """The pieces that may be on a line by themselves, with a blank after each word."""
    for word in words[:-1]:
        yield from _parts(word + " ", width)
    yield from _parts(words[-1], width)


def _parts(word: str, width: int) -> Iterator[str]:
    if length(word.rstrip(" ")) <= width:
        yield word
        return
    for pattern in (_FIELDS, _PIECES):
        pieces = pattern.findall(word)
        if len(pieces) > 1:
            for piece in pieces:
                yield from _parts(piece, width)
            return
    yield from _folded(word, width)


def _folded(word: str, width: int) -> Iterator[str]:
    """A word without any place to break it; its raised numbers stay with a letter."""
    room = ""
    signs = list(word)
    while len(signs) > 1 and (signs[-1] in RAISED or signs[-1] == " "):
        last = signs.pop()
        signs[-1] += last
    for sign in signs:
        if room and length(room + sign.rstrip(" ")) > width:
            yield room
            room = ""
        room += sign
    yield room


def cut_in_the_middle(text: str, width: int) -> str:
    """A name that keeps its start and its end.

    >>> cut_in_the_middle("a very long name of a system", 12)
    'a very…ystem'
    """
    if length(text) <= width:
        return text
    start, end = text, ""
    room = max(width - 1, 1)
    while length(start) > room - room // 2:
        start = start[:-1]
    while len(end) < len(text) and length(text[-len(end) - 1 :]) <= room // 2:
        end = text[-len(end) - 1 :]
    return f"{start}…{end}"
