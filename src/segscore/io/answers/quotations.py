"""Text that an answer quotes or copies, found in the units of the document.

Unchanged text, apart from white space, quote marks and dashes, is found like chunks
(`segscore.text.chunk_finding`). Changed text is found by its words: a copy by an alignment of all
words (`segscore.corpus.align`), a quotation by the most similar unit. Both must reach a similarity:
for a copy, 1 - word error rate; for a quotation, 1 - edits over the words of the longer text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import align, levenshtein, word_blocks
from segscore.errors import MissingExtraError, SegmentationError
from segscore.io.answers.claims import AnswerError, Claim
from segscore.text.chunk_finding import Found, find_chunks
from segscore.text.chunk_forms import Chunk
from segscore.text.folding import Folded, spoken_words
from segscore.text.located_units import SourceText, source_text

_EDGES = " \t\n\"'`´‘’‚“”„«»*"
_COPIED, _CHANGED = ", all of the text", ", with changes"
_MOST_COMPARED = 2_000_000  # quotations times units
_MOST_WORDS = 1000  # of a quotation that is compared with units


def boundaries_of_text(
    claim: Claim, units: Sequence[str], similarity: float
) -> tuple[list[int], int, str]:
    """The boundaries of quotations or copied text, the number of segments, and a remark on the
    form; the first unit always starts a segment."""
    quotes = [_cleaned(quote) for quote in claim.values]
    if not all(quotes):
        raise AnswerError("a segment has no text")
    if len(quotes) > len(units):
        raise AnswerError(f"{len(quotes)} segments, and the document has {len(units)} units")
    whole = source_text(units, "\n")
    try:
        found: Found | None = find_chunks(whole.text, [Chunk(quote) for quote in quotes])
    except SegmentationError:
        found = None
    if found is None:
        try:
            starts, remark = _changed(claim, quotes, units, similarity)
        except MissingExtraError as error:  # a failure of this answer: the others are read
            raise AnswerError(f"not text of the document as it stands; {error}") from None
    else:
        starts = [_unit(whole, start, number) for number, (start, _) in enumerate(found.stretches)]
        remark = "" if claim.kind == "copy" else _COPIED
        if claim.kind == "copy" or _is_copy(whole, found):
            _check_copy(whole, found)
        elif found.ambiguous:
            raise AnswerError(f"{found.ambiguous} of the quotations also fit elsewhere in the text")
        else:
            remark = ""
    if claim.kind != "copy" and _COPIED not in remark:
        _check_starts(claim, starts, len(units))
    return _ascending(starts), len(quotes), remark


def _check_starts(claim: Claim, starts: Sequence[int], n_units: int) -> None:
    """Raise for quotations of single units that may be something else than starts."""
    in_a_row = [*starts] == [*range(len(starts))]
    if in_a_row and (len(starts) == n_units > 1 or claim.kind == "lines"):
        raise AnswerError(
            f"the first {len(starts)} units, one by one: they may be a copy of the text, or start "
            "a segment each"
        )
    if claim.kind != "quotes" and starts[0] > 0:
        raise AnswerError("the first unit is not quoted: the quotations may end segments")
    if claim.kind != "quotes" and starts[-1] == n_units - 1:
        raise AnswerError("the last unit is quoted: the quotations may end segments")


def _cleaned(quote: str) -> str:
    text = quote.strip().strip(_EDGES)
    cut = text.rstrip("….")
    return cut.strip(_EDGES) if "…" in text[len(cut) :] or len(text) - len(cut) > 2 else text


def _unit(whole: SourceText, start: int, number: int) -> int:
    """The unit that begins at an offset of the text."""
    unit = bisect_right(whole.units.starts, start) - 1
    begun = whole.text[whole.units.starts[unit] : start].strip(_EDGES)
    if begun:
        raise AnswerError(f"segment {number + 1} begins inside unit {unit + 1}, after {begun!r}")
    return unit


def _ascending(starts: Sequence[int]) -> list[int]:
    for number, (earlier, later) in enumerate(pairwise(starts)):
        if later <= earlier:
            raise AnswerError(
                f"segment {number + 2} does not begin after segment {number + 1}: expected the "
                "order of the text"
            )
    return [start for start in starts if start > 0]


# ---- copies ----


def _is_copy(whole: SourceText, found: Found) -> bool:
    """Whether a segment has more than one unit, so that its text was copied."""
    return any(
        bisect_left(whole.units.starts, end) - bisect_left(whole.units.starts, start) > 1
        for start, end in found.stretches
    )


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


def _changed(
    claim: Claim, quotes: list[str], units: Sequence[str], similarity: float
) -> tuple[list[int], str]:
    """The starts of text that was changed: of a copy, or of quotations."""
    if claim.kind == "copy":
        return _by_alignment(quotes, units, similarity), _CHANGED
    known, given = len(spoken_words(units)[0]), len(spoken_words(quotes)[0])
    if given > known / 2:
        try:
            found = _by_alignment(quotes, units, similarity)
        except AnswerError:
            pass  # perhaps most units start a segment
        else:
            if len(found) in (1, len(units)) and len(units) > 1:
                manner = "in one piece" if len(found) == 1 else "one by one"
                raise AnswerError(
                    f"the units are copied {manner}, with changes, and no separator is known: "
                    "separator= says what separates segments"
                )
            return found, _COPIED + _CHANGED
    return _by_likeness(quotes, units, similarity), _CHANGED


def _by_alignment(quotes: list[str], units: Sequence[str], similarity: float) -> list[int]:
    words, ends = spoken_words(units)
    written, _ = spoken_words(quotes)
    if not written or not words:
        raise AnswerError("there are no words to compare")
    if _in_common(written, words) / len(written) < similarity:
        raise _rewritten(similarity)
    *before, last = word_blocks(words, written)
    if last.kind == "delete" and last.ref_start <= (ends[-2] if len(ends) > 1 else 0):
        wrong = sum(
            max(block.ref_end - block.ref_start, block.hyp_end - block.hyp_start)
            for block in before
            if block.kind != "equal"
        )
        if wrong <= (1 - similarity) * last.ref_start:
            raise _cut_off(bisect_right(ends, last.ref_start), len(units))
    try:
        found = align(
            units, quotes, Segmentation.from_masses([1] * len(quotes)), max_error=1 - similarity
        )
    except SegmentationError:
        raise _rewritten(similarity) from None
    if found.merged:
        raise AnswerError("two segments begin in one unit")
    starts = [0, *found.segmentation.boundaries.tolist()]
    _check_pieces(quotes, [*pairwise([*starts, len(units)])], units, similarity)
    return starts


def _check_pieces(
    quotes: list[str], stretches: list[tuple[int, int]], units: Sequence[str], similarity: float
) -> None:
    """Raise for a piece that is not the text of its units, such as words around a copy."""
    for number, (quote, (start, end)) in enumerate(zip(quotes, stretches, strict=True), 1):
        pair = (spoken_words([quote])[0], spoken_words(units[start:end])[0])
        if levenshtein().normalized_similarity(*pair) < similarity:
            raise AnswerError(f"segment {number}, {_short(quote)!r}, is not text of the document")


def _rewritten(similarity: float) -> AnswerError:
    return AnswerError(
        f"the text was rewritten: its words are less than {similarity:g} like those of the document"
    )


def _in_common(words: list[str], others: list[str]) -> int:
    """The most words that a text can have in common with others, in whatever order: a refusal has
    so few that no alignment is needed."""
    return len(words) - len(set(words).difference(others))


# ---- quotations ----


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
            raise AnswerError(f"segment {number + 1}, {_short(quote)!r}, {what}{after}")
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


def base_by_texts(starts: Sequence[int], quotes: Sequence[str], units: Sequence[str]) -> int | None:
    """The number of the first unit, if each number is beside the text of its unit; None if the
    texts are something else."""
    given = [Folded(_cleaned(quote)).text.casefold() for quote in quotes]
    folded = [Folded(_cleaned(unit)).text.casefold() for unit in units]
    for base in (0, 1):
        if all(0 <= start - base < len(units) for start in starts) and all(
            text and (text.startswith(folded[at - base]) or folded[at - base].startswith(text))
            for at, text in zip(starts, given, strict=True)
        ):
            return base
    return None


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
