"""Evidence over sets of characters, slow and literal.

A question is a list of spans (start, end); chunks and fetched chunks are lists of such pairs, all in
one document unless `foreign` says how long fetched chunks of other documents are.
"""

from itertools import combinations

Span = tuple[int, int]


def characters(spans):
    """The characters of some spans, as a set."""
    return {place for start, end in spans for place in range(start, end)}


def trimmed(spans, text):
    """Spans without the white space at their ends."""
    solid = [
        [place for place in range(start, end) if not text[place].isspace()] for start, end in spans
    ]
    return [(places[0], places[-1] + 1) for places in solid]


def n_whole(spans, chunks):
    """How many spans lie completely in one chunk."""
    return sum(any(characters([s]) <= characters([c]) for c in chunks) for s in spans)


def pieces(span, chunks):
    """The fewest chunks whose union holds what chunks hold of a span, by trying all; None if they
    hold nothing."""
    wanted = characters([span]) & characters(chunks)
    if not wanted:
        return None
    met = [chunk for chunk in dict.fromkeys(chunks) if characters([chunk]) & wanted]
    for count in range(1, len(met) + 1):
        if any(wanted <= characters(chosen) for chosen in combinations(met, count)):
            return count
    raise AssertionError


def touched(spans, chunks):
    """The chunks that share a character with the evidence."""
    return [chunk for chunk in chunks if characters([chunk]) & characters(spans)]


def without_retrieval(spans, chunks, text=None):
    """The measures of one question: value, or None where it is undefined. White space in the text
    cannot be lost."""
    evidence, fetched = characters(spans), touched(spans, chunks)
    seen = {place for place in evidence if text is None or not text[place].isspace()}
    read = characters(fetched)
    counts = [pieces(span, chunks) for span in spans]
    defined = [count for count in counts if count is not None]
    return {
        "whole": n_whole(spans, chunks) / len(spans),
        "all-whole": float(n_whole(spans, chunks) == len(spans)),
        "pieces": sum(defined) / len(defined) if defined else None,
        "precision-omega": len(evidence & read) / len(read) if fetched else None,
        "size-omega": float(len(read)) if fetched else None,
        "lost": len(seen - characters(chunks)) / len(seen),
    }


def with_retrieval(spans, fetched, foreign=()):
    """The measures of one question and what was fetched for it, in its document and in others."""
    evidence, read = characters(spans), characters(fetched)
    total = sum(end - start for start, end in fetched) + sum(foreign)
    any_fetched = bool(fetched or foreign)
    missed = len(evidence - read)
    return {
        "recall": len(evidence & read) / len(evidence),
        "precision": len(evidence & read) / total if any_fetched else None,
        "iou": len(evidence & read) / (total + missed) if any_fetched else None,
        "hit": float(any(characters([s]) <= characters([c]) for s in spans for c in fetched)),
    }


# ---- the published program (Smith & Troynikov 2024): ranges with closed ends, as it has them ----


def _meet(span, other):
    start, end = max(span[0], other[0]), min(span[1], other[1])
    return (start, end) if start <= end else None


def _joined(ranges):
    found = []
    for start, end in sorted(ranges, key=lambda span: span[0]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _rest(ranges, taken):
    """What is left of each range without another one."""
    found = []
    for start, end in ranges:
        if end < taken[0] or start > taken[1]:
            found.append((start, end))
            continue
        if start < taken[0]:
            found.append((start, taken[0]))
        if end > taken[1]:
            found.append((taken[1], end))
    return found


def _length(ranges):
    return sum(end - start for start, end in ranges)


def _met(spans, chunks):
    """What chunks and spans have in common, the chunks that have it, and evidence left over."""
    common, holders, left = [], [], list(spans)
    for chunk in chunks:
        for span in spans:
            meeting = _meet(chunk, span)
            if meeting is not None:
                common.append(meeting)
                holders.append(chunk)
                left = _rest(left, meeting)
    return common, holders, left


def program_omega(spans, chunks):
    """Precision Ω as the program has it, and how many chunks it calls touched."""
    common, holders, left = _met(spans, chunks)
    count = sum(any(_meet(chunk, span) for span in spans) for chunk in chunks)
    if not common:
        return 0.0, count
    return _length(_joined(common)) / _length(_joined(holders + left)), count


def program_retrieval(spans, fetched, foreign=()):
    """Recall, precision and IoU as the program has them; nothing fetched: it divides by zero."""
    common, _, left = _met(spans, fetched)
    found = _length(_joined(common))
    total = _length(fetched) + sum(foreign)
    return {
        "recall": found / _length(spans),
        "precision": found / total,
        "iou": found / (total + _length(left)),
    }
