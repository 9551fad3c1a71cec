"""Text that an answer quotes or copies, found in the units of the document.

Unchanged text, apart from white space, quote marks and dashes, is found like chunks
(`segscore.text.chunk_finding`). Changed text is found by its words: a copy by an alignment of all
words (`segscore.corpus.align`), a quotation by the most similar unit. Both must reach a similarity:
for a copy, 1 - word error rate; for a quotation, 1 - edits over the words of the longer text.

Segments of a copy are separated by lines of ---, ===, *** or __, by headings, by a mark that the
document does not have (|, [SEP], <br>), or by blank lines.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import align, levenshtein, word_blocks
from segscore.errors import SegmentationError, named, shortened, visible
from segscore.text.chunk_finding import Chunk, Found, find_chunks
from segscore.text.folding import Folded, spoken_words
from segscore.text.located_units import SourceText, source_text

_EDGES = " \t\n\"'`´‘’‚“”„«»*"
_MOST_COMPARED = 2_000_000  # quotations times units
_MOST_WORDS = 1000  # of a quotation that is compared with units
_LONGEST = 400  # characters of a heading between rules
_BLANK = re.compile(r"\n[ \t]*\n")
_RULE = "-=*_~"  # what lines between segments are made of
_MARK = re.compile(
    r"</?[A-Za-z][\w-]{0,40}[ ]?/?>|\[[A-Z][A-Z_ -]{1,40}\]|[|¦‖§¶]+|//+"
    r"|(?<!\S)[#~^=_<>]+(?!\S)"
)


# the pieces of a copy, their titles, and whether marks stand between them
Pieces = tuple[list[str], list[str | None] | None, bool]


class AnswerError(Exception):
    """An answer without a segmentation; the message is the reason, for users."""

    def __init__(self, reason: str) -> None:
        super().__init__(shortened(visible(reason)))


def fail_if(wrong: object, reason: str) -> None:
    """Raise if something is wrong with an answer."""
    if wrong:
        raise AnswerError(reason)


def beginning(text: str) -> str:
    """The first words of a text, in quotes."""
    line = " ".join(text[:200].split())
    return repr(line if len(line) <= 80 else line[:79] + "…")


def title_of(text: str | None) -> str | None:
    """A title without the marks around it; None if nothing is left."""
    return (text or "").strip(" \t:.|–—-\"'*()[]") or None


# ---- quotations ----


def boundaries_of_quotations(
    quotes: Sequence[str], units: Sequence[str], similarity: float
) -> tuple[list[int], bool]:
    """The boundaries before units that texts quote, the first unit among them; and whether the
    texts were changed."""
    texts, whole, found = _found(quotes, units)
    if found is None:
        starts = _by_likeness(texts, units, similarity)
    else:
        starts = [_unit(whole, start, number) for number, (start, _) in enumerate(found.stretches)]
        if found.ambiguous:
            raise AnswerError(f"{found.ambiguous} of the quotations also fit elsewhere in the text")
        for number, (_, end) in enumerate(found.stretches):
            what = f"segment {number + 1} has more than a unit: a copy, not quotations"
            fail_if(end > whole.units.ends[starts[number]], what)
    boundaries = _ascending(starts)
    fail_if(starts[0] > 0, "the first unit is not quoted: not how segments begin")
    if starts == [*range(len(starts))] and len(starts) > 1 and (len(starts) > 2 or len(units) == 2):
        raise AnswerError("units are quoted one by one: perhaps a copy of the text")
    return boundaries, found is None


def _found(
    given: Sequence[str], units: Sequence[str]
) -> tuple[list[str], SourceText, Found | None]:
    """Texts without marks around them, the document, and the places of the texts in it."""
    texts = [_cleaned(text) for text in given]
    fail_if(not texts or not all(texts), "a segment has no text")
    if len(texts) > len(units):
        raise AnswerError(f"{len(texts)} segments, and the document has {len(units)} units")
    whole = source_text(units, "\n")
    try:
        return texts, whole, find_chunks(whole.text, [Chunk(text) for text in texts])
    except SegmentationError:
        return texts, whole, None


def _by_likeness(quotes: list[str], units: Sequence[str], similarity: float) -> list[int]:
    """The unit of each quotation: the only unit that begins with it, or the most similar."""
    if len(quotes) * len(units) > _MOST_COMPARED:
        raise AnswerError("too many quotations that are not in the text")
    folded = [Folded(text).text.casefold() for text in units]
    words = [spoken_words([text])[0] for text in units]
    starts: list[int] = []
    for number, quote in enumerate(quotes):
        first = starts[-1] + 1 if starts else 0
        begun = Folded(quote).text.casefold()
        same = [unit for unit in range(first, len(units)) if folded[unit].startswith(begun)]
        if not same:
            same = _most_alike(quote, words, first, similarity)
        if len(same) != 1:
            what = "occurs in several places" if same else "is not in the document"
            after = f" after unit {first}" if first else ""
            raise AnswerError(f"segment {number + 1}, {beginning(quote)}, {what}{after}")
        starts += same
    return starts


def _most_alike(quote: str, words: Sequence[list[str]], first: int, similarity: float) -> list[int]:
    """The units that are most similar to a quotation, and similar enough."""
    quoted = spoken_words([quote])[0]
    if not quoted or len(quoted) > _MOST_WORDS:
        return []
    least = max(similarity, 1e-9)
    best: list[int] = []
    for unit in range(first, len(words)):
        shorter, longer = sorted((len(quoted), len(words[unit])))
        if min(shorter, _in_common(quoted, words[unit])) / longer < least:
            continue
        alike = levenshtein().normalized_similarity(quoted, words[unit], score_cutoff=least)
        if alike > 0 and alike >= least:
            best = [unit] if alike > least or not best else [*best, unit]
            least = alike
    return best


def _cleaned(quote: str) -> str:
    text = quote.strip().strip(_EDGES)
    cut = text.rstrip("….")
    return cut.strip(_EDGES) if "…" in text[len(cut) :] or len(text) - len(cut) > 2 else text


def _unit(whole: SourceText, start: int, number: int) -> int:
    """The unit that begins at an offset of the text."""
    unit = bisect_right(whole.units.starts, start) - 1
    begun = whole.text[whole.units.starts[unit] : start].strip(_EDGES)
    fail_if(begun, f"segment {number + 1} begins inside unit {unit + 1}, after {begun!r}")
    return unit


def _ascending(starts: Sequence[int]) -> list[int]:
    for number, (earlier, later) in enumerate(pairwise(starts)):
        what = f"segment {number + 2} does not begin after segment {number + 1}"
        fail_if(later <= earlier, f"{what}: expected the order of the text")
    return [start for start in starts if start > 0]


def check_beside(starts: Sequence[int], texts: Sequence[str], units: Sequence[str]) -> None:
    """Raise if texts beside the numbers of units are those of other units."""
    for start, text in zip(starts, texts, strict=False):
        given, unit = (Folded(_cleaned(each)).text.casefold() for each in (text, units[start]))
        fits = given and (given.startswith(unit) or unit.startswith(given))
        what = "is that of another unit than its number says"
        fail_if(not fits, f"the text beside {beginning(text)} {what}")


# ---- copies ----


def boundaries_of_copy(
    pieces: Sequence[str], units: Sequence[str], similarity: float, *, marked: bool
) -> tuple[list[int], bool]:
    """The boundaries between pieces of the text, and whether it was changed; marked: whether
    separators show that each piece is a segment."""
    texts, whole, found = _found(pieces, units)
    if found is None:
        starts = _by_alignment(texts, units, similarity)
        if len(starts) == 1 < len(units) and not marked:
            raise AnswerError("a copy in one piece, with changes: no separator is known")
    else:
        starts = [_unit(whole, start, number) for number, (start, _) in enumerate(found.stretches)]
        _check_copy(whole, found)
    if len(starts) == len(units) > 1 and not marked:
        raise AnswerError("all units are copied one by one: no separator shows segments")
    return _ascending(starts), found is None


def _check_copy(whole: SourceText, found: Found) -> None:
    """Raise if a copy leaves out a unit."""
    reached = 0
    for start, end in (*found.stretches, (len(whole.text), len(whole.text))):
        if whole.text[reached:start].strip(_EDGES):
            first = bisect_right(whole.units.ends, reached) + 1
            if start == len(whole.text):
                raise _cut_off(first - 1, len(whole.units.starts))
            raise AnswerError(f"the copy leaves out text of unit {first}")
        reached = max(reached, end)


def _cut_off(unit: int, n_units: int) -> AnswerError:
    return AnswerError(f"cut off in the middle: the copy ends after unit {unit} of {n_units}")


def _by_alignment(quotes: list[str], units: Sequence[str], similarity: float) -> list[int]:
    words, ends = spoken_words(units)
    written, _ = spoken_words(quotes)
    rewritten = AnswerError(
        f"the text was rewritten: its words are less than {similarity:g} like those of the document"
    )
    fail_if(not written or not words, "there are no words to compare")
    if _in_common(written, words) / len(written) < similarity:
        raise rewritten
    *before, last = word_blocks(words, written)
    if last.tag == "delete" and last.src_start <= (ends[-2] if len(ends) > 1 else 0):
        wrong = sum(
            max(block.src_end - block.src_start, block.dest_end - block.dest_start)
            for block in before
            if block.tag != "equal"
        )
        if wrong <= (1 - similarity) * last.src_start:
            raise _cut_off(bisect_right(ends, last.src_start), len(units))
    try:
        found = align(
            units, quotes, Segmentation.from_masses([1] * len(quotes)), max_error=1 - similarity
        )
    except SegmentationError:
        raise rewritten from None
    fail_if(found.merged, "two segments begin in one unit")
    starts = [0, *found.segmentation.boundaries.tolist()]
    stretches = pairwise([*starts, len(units)])
    # a piece may not be the text of its units, such as words around a copy
    for number, (quote, (start, end)) in enumerate(zip(quotes, stretches, strict=True), 1):
        pair = (spoken_words([quote])[0], spoken_words(units[start:end])[0])
        if levenshtein().normalized_similarity(*pair) < similarity:
            raise AnswerError(f"segment {number}, {beginning(quote)}, is not text of the document")
    return starts


def _in_common(words: list[str], others: list[str]) -> int:
    """The most words that a text can have in common with others, in whatever order: a refusal has
    so few that no alignment is needed."""
    return len(words) - len(set(words).difference(others))


# ---- marks between segments ----


def pieces_of_copy(text: str, units: Sequence[str], separator: str | None) -> Pieces:
    """Copied text, cut at the caller's separator, at marks that the document does not have, or at
    blank lines."""
    if separator is not None:
        fail_if(separator not in text, f"the separator {separator!r} is not in the output")
        return [piece for piece in text.split(separator) if piece.strip()], None, True
    marked = _marked(text, "\n".join(units))
    if marked is not None:
        return marked
    pieces = [piece for piece in _BLANK.split(text) if piece.strip()]
    fail_if(len(pieces) == 1 and "\n" in text.strip(), "lines without a separator between segments")
    return pieces, None, False


def _marked(text: str, document: str) -> Pieces | None:
    """The pieces between marks that the document does not have; None if there is no mark."""
    pieces: list[str] = []
    titles: list[str | None] = []
    kinds: list[str] = []  # of the marks before pieces
    piece: list[str] = []
    kind, title = "", None
    own = {*_MARK.findall(document), *(line.strip() for line in document.split("\n"))}
    for part, mark, name in (*_parts(text, own), ("", "", None)):  # the end is a mark, too
        if mark is None:
            piece.append(part)
            continue
        if "".join(piece).strip():
            pieces.append("".join(piece))
            titles.append(title)
            kinds.append(kind)
            title = None
        if mark and (name is not None or title is None):  # a rule beside a title is part of it
            kind, title = mark, name
        piece = []
    if not kind:
        return None
    different = sorted({*kinds[1:]} | {kind for kind in kinds[:1] if titles[:1] != [None]})
    if len(different) > 1:
        raise AnswerError(
            f"marks of several kinds, {named(different)}: separator= says which is between segments"
        )
    fail_if(not pieces, "there is no text between the marks")
    if len(pieces) == 1 and "\n" in pieces[0].strip():
        raise AnswerError("all lines are between two marks: there may be other separators")
    return pieces, titles if any(titles) else None, True


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
