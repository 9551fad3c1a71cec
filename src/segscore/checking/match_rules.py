"""How the two sides match: for free, moved by one position, in another order, too well.

Labels in the wrong frame give a spurious match at an end of every document: a label per unit read
as one per gap, labels of starts read as labels of ends, padding read as units. If only one side is
in the wrong frame, it equals the other side, moved by one position. The quality of the moved side
does not matter, only how much better it is than unmoved, and than moved the other way, and in how
many documents (a sign test): a poor system that is shifted is found, too. Near misses to both sides
cancel each other out. If there are few documents, boundaries are counted.

Scores are inverted if boundaries are where scores are low: the average precision is below that of
random scores, and clearly above it with the sign of scores changed. They are shifted if the score
next to most boundaries, always on the same side, is higher than at the boundary (a sign test).
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.checking import findings
from segscore.checking.findings import BothSides, CheckedSide, Finding, Mask
from segscore.coding.scored import ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.corpus.lists import spread_rows

SEVERAL = 3  # documents
_NEARLY_ALL = 0.95  # of documents


# ---- a spurious match at an end of every document ----

FEWEST = 5  # documents
_NEAR_AN_END = (1, 2, 3)  # places from the end where padding or a last label puts a boundary
_OTHER_PLACES = range(1, 25)
_AS_GOOD_ELSEWHERE = 0.8
_HONEST_MATCHES = 0.6  # where others match more often, a match at the end is no surprise
_SURE_OF_PLACES = 5  # -log10 of the chance that a finding is honest

FIRST_PLACE = "the first place (after the first unit)"
_AT_START = "Labels that mark the starts of segments were probably read as ends: use marks='start'."
_AT_END = (
    "Labels, one per unit, were probably read as gaps, or the label of the last unit counted as a "
    "boundary: use marks='end', not from_gaps."
)
_PADDING = (
    "Padding was probably read as units: cut it off, or name it by ignore_index= in from_labels "
    "and from_segment_ids."
)


def free_matches(two: BothSides) -> Iterator[Finding]:
    """A boundary at the first or last position, or the same last boundary, in nearly all
    documents."""
    places = list(constant_places(two))
    both = (two.ref.counts > 0) & (two.hyp.counts > 0)
    same = both & (two.ref.last == two.hyp.last)
    at_the_end = any(where != FIRST_PLACE for _, where, _ in places)
    if not at_the_end and same.mean() >= _NEARLY_ALL and _is_unearned(two, same):
        places.append((same, "the same last place", _PADDING))
    for there, where, remedy in places:
        count = int(there.sum())
        matched, total = two.matches(), two.total
        now = findings.f_of(matched, total)
        without = findings.f_of(matched - count, total - 2 * count)
        yield Finding(
            "free-match",
            "warning",
            f"In {count} of {len(two)} documents both sides have a boundary at {where}: a spurious "
            f"match (F1 {now:.3f}, without it {without:.3f}).",
            {"share": count / len(two), "f1": now, "f1_without": without},
            two.names(there),
            remedy,
        )


def constant_places(two: BothSides) -> Iterator[tuple[Mask, str, str]]:
    """The first place, and one near the end, if nearly all documents have a boundary there: the
    documents, the place in words, and what to do."""
    both = (two.ref.counts > 0) & (two.hyp.counts > 0)
    if len(two) < FEWEST or not both.any():
        return
    start = (two.ref.first == 1) & (two.hyp.first == 1)
    if start.mean() >= _NEARLY_ALL and _is_constant(two, start, from_start=True, distance=1):
        yield start, FIRST_PLACE, _AT_START
    for distance in _NEAR_AN_END:
        end = both & (two.ref.from_end == distance) & (two.hyp.from_end == distance)
        if end.mean() < _NEARLY_ALL:
            continue
        if _is_constant(two, end, from_start=False, distance=distance):
            where = "the last place" if distance == 1 else f"{distance} units before the end"
            yield end, where, _AT_END if distance == 1 else _PADDING
            return


def _is_constant(two: BothSides, there: Mask, from_start: bool, distance: int) -> bool:
    """Whether neither chance nor regular segments explain that nearly all documents have this
    boundary."""
    expected = float(np.minimum(two.ref.density, two.hyp.density).mean())
    surprise = findings.surprise(float(there.mean()), expected, two.n_independent)
    if two.n_independent < FEWEST or surprise < _SURE_OF_PLACES:
        return False
    return not any(
        _share_at(two, other, from_start) >= _AS_GOOD_ELSEWHERE
        for other in _OTHER_PLACES
        if other != distance
    )


def _share_at(two: BothSides, distance: int, from_start: bool) -> float:
    """The share of documents with a boundary there on both sides."""
    there = []
    for side in (two.ref, two.hyp):
        places = side.positions if from_start else side.n_units[side.row_of] - side.positions
        has = np.zeros(len(two), np.bool_)
        has[side.row_of[places == distance]] = True
        there.append(has)
    return float((there[0] & there[1]).mean())


def _is_unearned(two: BothSides, same: Mask) -> bool:
    """Whether the last boundaries, which nearly always match, do so far more often than others."""
    count = int(same.sum())
    others = min(len(two.ref.positions), len(two.hyp.positions)) - count
    if two.n_independent < FEWEST or others < 2 * FEWEST:
        return False
    elsewhere = (two.matches() - count) / others
    if elsewhere > _HONEST_MATCHES:
        return False
    surprise = findings.surprise(float(same.mean()), elsewhere + 0.1, two.n_independent)
    return surprise >= _SURE_OF_PLACES


# ---- one position further ----

_GAIN = 0.1  # in F, from moving one side
_SURE_OF_SHIFTS = 5  # -log10 of the chance that so many documents fit better if they are moved
_LIKELY = 2.5  # the same, for a note
_DEVIATIONS = 5  # standard deviations between the matches of two shifts
_FEW_DEVIATIONS, _LARGE_GAIN = 3, 0.25  # the same, for a note, and what it must bring
_ALL_MOVED = 5  # boundaries: if they match when moved, and hardly one as it is, it is a note
_MOST, _HARDLY = 0.8, 0.2  # F
_SELDOM = 0.5  # documents with a boundary at an end, on the other side


def shifted(two: BothSides) -> Iterator[Finding]:
    """A side that equals the other, moved by one position. It is a note if there are too few
    documents to rule out that the hypothesis errs this way."""
    matched = {shift: two.row_matches(shift) for shift in (-1, 0, 1)}
    for shift in (-1, 1):
        severity = None
        if matched[shift].sum() > matched[0].sum():
            severity = _gain(two, matched[shift], matched[0], matched[-shift])
        if severity is None:
            continue
        now, then = (findings.f_of(float(matched[by].sum()), two.total) for by in (0, shift))
        way = "back" if shift < 0 else "on"
        sentence = (
            f"Moved one position {way}, the hypothesis has F1 {then:.3f}; as it is, {now:.3f}"
        )
        evidence: dict[str, float] = {"shift": shift, "f1": now, "f1_shifted": then}
        early = "hypothesis" if shift > 0 else "reference"
        share = _share_of_ends(two, early)
        if share is not None:
            sentence += f", and the {early} has a boundary at the last place of {share:.0%} of the "
            sentence += "documents"
            evidence["share"] = share
            remedy = (
                f"The ends of segments in the {early} are probably inclusive (the last unit of a "
                "segment, counted from 0): add 1 to each end, and leave out the end that then "
                "equals the number of units."
            )
        else:
            remedy = (
                "One side probably counts from 0 and the other from 1, or labels mark starts on "
                "one side and ends on the other: read both in the same way."
            )
            if severity == "note":
                remedy += " So few boundaries cannot decide it."
        kind = "shifted" if share is None else "inclusive-ends"
        documents = two.names((two.ref.counts > 0) & (two.hyp.counts > 0))
        yield Finding(kind, severity, f"{sentence}.", evidence, documents, remedy)


def _gain(
    two: BothSides, moved: Int64Array, still: Int64Array, back: Int64Array
) -> findings.Severity | None:
    """How certain it is that the documents fit better if the hypothesis is moved: a warning, a
    note, or not at all."""
    others = max(int(still.sum()), int(back.sum()))
    more = int(moved.sum()) - others
    gain = findings.f_of(more, two.total)
    apart = len(two) / max(1, two.n_independent)  # what is there again is no further evidence
    deviations = more / np.sqrt(max(1, int(moved.sum()) + others) * apart)
    both = np.maximum(still, back)
    certainty = sign_test(int((moved > both).sum()), int((moved < both).sum())) / apart
    if gain >= _GAIN and (certainty >= _SURE_OF_SHIFTS or deviations >= _DEVIATIONS):
        return "warning"
    now, then = (findings.f_of(float(matches.sum()), two.total) for matches in (still, moved))
    if (
        (gain >= _GAIN and certainty >= _LIKELY)
        or (gain >= _LARGE_GAIN and deviations >= _FEW_DEVIATIONS)
        or (moved.sum() >= _ALL_MOVED and then >= _MOST and now <= _HARDLY)
    ):
        return "note"
    return None


def sign_test(better: int, worse: int) -> float:
    """-log10 of a bound on the chance that as many are better."""
    count = better + worse
    return findings.surprise(better / count, 0.5, count) if count else 0.0


def _share_of_ends(two: BothSides, early: str) -> float | None:
    """The share of documents in which the side that is too early has a boundary at the last
    position, where it marks the end of the document; None if this is just a habit of both sides."""
    side, late = (two.hyp, two.ref) if early == "hypothesis" else (two.ref, two.hyp)
    share = float((side.from_end == 1).mean())
    chance = float(side.density.mean())
    is_odd = share >= _NEARLY_ALL and (late.from_end == 1).mean() <= _SELDOM
    sure = is_odd and findings.surprise(share, chance, two.n_independent) >= _SURE_OF_SHIFTS
    return share if sure else None


# ---- the same again ----

_BOUNDARIES = 10  # in documents that differ: so many are not all right by luck
_SHARE = 0.05  # of documents
_SURE = 6  # -log10 of the chance that a finding is honest
_MARGIN = 10.0  # how much more often rows are the same than independent segments let expect
_HONEST_FIT = 3.0  # standard deviations above chance: it is the same text again
_POOR = 0.3  # F of a poor system, which would still be seen
_MIXERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9], np.uint64)  # odd: they lose nothing


def equal_sides(sides: BothSides) -> Iterator[Finding]:
    """The hypothesis equals the reference in every document."""
    same = (
        len(sides) > 0
        and sides.same_details
        and np.array_equal(sides.ref.n_units, sides.hyp.n_units)
        and np.array_equal(sides.ref.offsets, sides.hyp.offsets)
        and np.array_equal(sides.ref.positions, sides.hyp.positions)
    )
    rows = sides.ref.distinct
    boundaries = int(sides.ref.counts[rows].sum())
    without = int((sides.ref.n_units[rows] - 1).sum()) - boundaries  # places that none marked
    if same and min(boundaries, without) >= _BOUNDARIES:
        single = len(sides) == 1  # which a good system may well solve
        where = "the only document" if single else f"all {len(sides)} documents"
        yield Finding(
            "equal-sides",
            "note" if single else "warning",
            f"The hypothesis is the same as the reference in {where} "
            f"({len(sides.ref.positions)} boundaries).",
            {"documents": len(sides), "boundaries": len(sides.ref.positions)},
            tuple(sides.documents),
            f"The reference was {'perhaps' if single else 'probably'} given twice: give the output "
            "of the system as the hypothesis.",
        )


def repeated(sides: BothSides) -> Iterator[Finding]:
    """A side that repeats the boundaries of a document in others, where they do not fit."""
    both = {name: _again(side) for name, side in sides.named_sides}
    if None not in both.values():
        return  # several codings of one text, each against each
    for name, again in both.items():
        if name == "hypothesis" and _is_identical(sides.hyp):
            continue  # `identical_hypotheses` tells of one hypothesis for all
        if again and (_does_not_fit(sides, again[1]) or _does_not_fit(sides, again[0])):
            what = "references" if name == "reference" else "hypotheses"
            yield _repeated(sides, again, what, name, "warning")


def identical_hypotheses(two: BothSides) -> Iterator[Finding]:
    """Identical hypotheses for all documents, of which the references differ."""
    if _is_identical(two.hyp) and not _is_identical(two.ref):
        places = int(two.hyp.counts[0])
        yield Finding(
            "identical-hypotheses",
            "warning",
            f"The hypothesis has the same {places} boundaries in all {len(two)} documents.",
            {"documents": len(two), "boundaries": places},
            tuple(two.documents),
            "One output was probably written for all documents: check the loop that wrote them.",
        )


def _is_identical(side: CheckedSide) -> bool:
    """Whether all rows, three or more, have the same two boundaries or more, and these are not just
    the ends of pieces of equal size, which any coder might mark."""
    count = int(side.counts[0]) if len(side.counts) >= SEVERAL else 0
    if count < 2 or (side.counts != count).any() or np.ptp(side.masses[:count]) <= 1:
        return False
    rows = side.positions.reshape(-1, count)
    return bool((rows == rows[0]).all())


def repeated_codings(two: BothSides) -> Iterator[Finding]:
    """Documents of a single side that have the boundaries of others, more often than regular
    segments explain; whether they fit there, only another side could tell."""
    again = _again(two.ref)
    if again is not None:
        yield _repeated(two, again, "codings", "coding", "note")


def _repeated(
    sides: BothSides, again: tuple[Mask, Mask], what: str, one: str, severity: findings.Severity
) -> Finding:
    first, later = again
    count, groups = int(later.sum()), int(first.sum())
    shared = f"{count + groups} of {len(sides)} documents share {groups}"
    return Finding(
        f"repeated-{what}",
        severity,
        f"{shared} {one if groups == 1 else what}"
        f"{', which do not fit all of them' if severity == 'warning' else ''}.",
        {"documents": count + groups, "distinct": groups, "share": count / len(sides)},
        sides.names(first | later),
        f"Unless these documents have the same text, one {one} was probably written for several: "
        "check the loop that wrote them, and the names of its documents.",
    )


def _again(side: CheckedSide) -> tuple[Mask, Mask] | None:
    """The rows that occur again: the first of each kind, and the later ones; None if they are no
    more than chance and regular segments explain."""
    mixed = side.positions.astype(np.uint64) * _MIXERS[0]
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIXERS[1]
    totals = np.concatenate((np.zeros(1, np.uint64), np.cumsum(mixed)))
    keys = totals[side.offsets[1:]] - totals[side.offsets[:-1]]  # equal for the same boundaries
    _, first_rows, index, counts = np.unique(keys, True, True, True)
    is_first = np.zeros(len(keys), np.bool_)
    is_first[first_rows] = True
    several = side.counts >= 2
    later = ~is_first & several
    first = is_first & several & (counts[index.reshape(-1)] > 1)
    observed = int(later.sum())
    if observed < max(SEVERAL, _SHARE * len(keys)):
        return None
    expected = _MARGIN * _expected_pairs(side, is_first)
    if observed <= expected:
        return None
    certainty = observed * np.log10(observed / expected) - (observed - expected) / np.log(10)
    return (first, later) if certainty >= _SURE else None


def _expected_pairs(side: CheckedSide, distinct: Mask) -> float:
    """The number of pairs of rows that would be equal if segments were drawn one by one."""
    masses = side.masses[distinct[side.row_of]]
    frequencies = np.unique(masses, return_counts=True)[1] / max(1, len(masses))
    same = float((frequencies**2).sum())
    numbers, rows = np.unique(side.counts[side.counts >= 2], return_counts=True)
    return float((rows * (rows - 1) / 2 * same**numbers).sum()) + 1e-9


def _does_not_fit(sides: BothSides, rows: Mask) -> bool:
    """Whether these documents match no more often than by chance, where a match would show."""
    two = sides.take(np.flatnonzero(rows & (sides.ref.n_units == sides.hyp.n_units)))
    chance = float((two.ref.counts * two.hyp.density).sum())
    most = chance + _HONEST_FIT * np.sqrt(chance + 1)
    return bool(two.matches() <= most <= _POOR * two.total / 2)


# ---- documents in another order ----

_TRIED = 40  # hypotheses that are held against other documents
_WORK = 2_000_000  # boundaries that are looked at for it
_LOOKED_AT = 500  # documents that may be rotated
_OFFSETS = (1, -1, 2, -2)  # documents by which hypotheses may be rotated
_FITS = 0.2  # chance that one of all references has so many matches: then a hypothesis fits it
_FITS_OWN = 0.05  # the same, of its own reference
_OWN = 0.25  # of as many, at most, fit their own
_UNLIKELY = 5  # -log10 of the chance that so many fit another document
_OTHERS = 0.5  # of hypotheses fit another document


def other_order(two: BothSides) -> Iterator[Finding]:
    """Hypotheses that fit the references of other documents, and not their own."""
    if all(_again(side) for _, side in two.named_sides):
        return  # several codings of one text, each against each
    sample = two.take(spread_rows(len(two), _LOOKED_AT)) if len(two) > _LOOKED_AT else two
    yield from list(_rotated(sample)) or _shuffled(two)


def _rotated(two: BothSides) -> Iterator[Finding]:
    """Whether each hypothesis belongs to the document a fixed number of places further."""
    own = two.row_matches()
    for offset in _OFFSETS:
        partners = np.roll(np.arange(len(two)), -offset)
        alike = two.ref.n_units[partners] == two.hyp.n_units
        there = BothSides(two.documents, two.ref.take(partners), two.hyp)
        matched = np.where(alike, there.row_matches(), 0)  # others may run into the next document
        better, worse = alike & (matched > own), alike & (matched < own)
        gained = findings.f_of(float(matched[alike].sum() - own[alike].sum()), two.total)
        if (
            gained >= _GAIN
            and sign_test(int(better.sum()), int(worse.sum())) >= _UNLIKELY
            and own[alike].sum() <= matched[alike].sum() / 2
        ):
            rows = np.flatnonzero(better)
            yield _ordered_otherwise(two, rows, partners[rows], len(two))
            return


def _shuffled(two: BothSides) -> Iterator[Finding]:
    """Whether hypotheses belong to other documents, by a search: for those of a sample that have as
    many units as others, and enough boundaries to compare."""
    _, index, counts = np.unique(two.ref.n_units, return_inverse=True, return_counts=True)
    able = np.flatnonzero((counts[index.reshape(-1)] > 1) & (two.hyp.counts >= 2))
    most = min(_TRIED, _WORK // max(1, len(two.ref.positions)))
    tried = able[:: max(1, -(-len(able) // max(1, most)))]
    if min(most, len(tried)) < SEVERAL:
        return
    own, best, partner = np.empty(len(tried)), np.empty(len(tried)), np.empty(len(tried), np.int64)
    for place, row in enumerate(tried.tolist()):
        chances = _chances(two, row)
        own[place] = chances[row]
        chances[row] = 1.0
        partner[place] = int(chances.argmin())
        best[place] = chances[partner[place]] * int((two.ref.n_units == two.ref.n_units[row]).sum())
    fits = (best <= _FITS) & (best < own)
    share = float(fits.mean())
    if (
        share >= _OTHERS
        and findings.surprise(share, _FITS, len(tried)) >= _UNLIKELY
        and (own <= _FITS_OWN).mean() <= _OWN * share
        and len(np.unique(partner[fits])) > fits.sum() / 2  # else it is a habit of the hypotheses
    ):
        yield _ordered_otherwise(two, tried[fits], partner[fits], len(tried))


def _chances(two: BothSides, row: int) -> NDArray[np.float64]:
    """For each reference, the approximate chance that it shares as many boundaries with a
    hypothesis (binomial, by Chernoff and Bahadur-Rao); 1 if the documents differ in length."""
    hyp = two.hyp.positions[two.hyp.offsets[row] : two.hyp.offsets[row + 1]]
    at = np.minimum(np.searchsorted(hyp, two.ref.positions), len(hyp) - 1)
    found = two.ref.row_of[hyp[at] == two.ref.positions]
    matched = np.bincount(found, minlength=len(two)).astype(np.float64)
    draws = np.minimum(two.ref.counts, len(hyp)).astype(np.float64)
    rate = np.maximum(two.ref.counts, len(hyp)) / (two.ref.n_units - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = matched / draws
        parts = share * np.log(share / rate)
        rest = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - rate)), 0.0)
        width = np.sqrt(2 * np.pi * draws * share * (1 - share))
        chance = np.exp(-draws * (parts + rest)) / np.maximum(1, width)
    unlike = (two.ref.n_units != two.ref.n_units[row]) | ~(share > rate)
    return np.where(unlike, 1.0, chance)


def _ordered_otherwise(
    two: BothSides, rows: Int64Array, partners: Int64Array, tried: int
) -> Finding:
    away, often = np.unique(partners - rows, return_counts=True)
    offset = int(away[often.argmax()])
    way = "further on" if offset > 0 else "before"
    constant = often.max() > len(rows) / 2
    example = f"{two.documents[rows[0]]!r} fits the reference of {two.documents[partners[0]]!r}"
    return Finding(
        "other-order",
        "warning",
        f"{len(rows)} of {tried} hypotheses fit the reference of another document and not their "
        f"own: {example}" + (f"; most fit the document {abs(offset)} {way}." if constant else "."),
        {"documents": len(rows), "tried": tried, "offset": offset if constant else 0},
        tuple(two.documents[row] for row in rows.tolist()),
        "The documents of the two sides are probably in a different order, or the hypotheses have "
        "the names of other documents: pair them by name, and check how they were named.",
    )


# ---- scores ----

_ENOUGH = 500  # documents that are looked at
_LOW = 0.4  # chance of a boundary to have a higher score than another place; random: 0.5
_CLEARLY = 1.5  # times the average precision of random scores
_SURE_OF_SCORES = 3  # -log10 of the chance that so many documents have such scores
_MOVED = 4  # -log10 of the chance that so many boundaries have a higher score next to them

Scored = Sequence[tuple[Segmentation, ScoredBoundaries]]


def check_scores(documents: Scored, names: Sequence[str]) -> list[Finding]:
    """What is probably wrong with scores, from at most 500 documents, evenly spread."""
    rows = spread_rows(len(documents), _ENOUGH).tolist()
    taken = [(names[row], *documents[row]) for row in rows]
    able = [each for each in taken if 0 < int(_marked(*each[1:]).sum()) < len(each[2].scores)]
    return findings.in_order([*_inverted(able), *_moved(able)]) if able else []


Named = Sequence[tuple[str, Segmentation, ScoredBoundaries]]  # documents: name, reference, scores


def _marked(ref: Segmentation, scored: ScoredBoundaries, shift: int = 0) -> Mask:
    """Whether each position that has a score has a boundary, if the scores are moved by `shift`
    positions."""
    return np.isin(scored.positions + shift, ref.boundaries)


def _above(ref: Segmentation, scored: ScoredBoundaries) -> tuple[float, float]:
    """How often a boundary has a higher score than another position (Mann-Whitney), and the
    variance of that among random scores."""
    marked = _marked(ref, scored)
    n_marked = int(marked.sum())
    others = len(marked) - n_marked
    _, index, counts = np.unique(scored.scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[index.reshape(-1)]
    share = (ranks[marked].sum() - n_marked * (n_marked + 1) / 2) / (n_marked * others)
    return float(share), (len(marked) + 1) / (12 * n_marked * others)


def _average_precision(documents: Named, sign: int = 1, shift: int = 0) -> float:
    """The average precision of all documents together; equal scores count together."""
    scores = sign * np.concatenate([scored.scores for _, _, scored in documents])
    marked = np.concatenate([_marked(ref, scored, shift) for _, ref, scored in documents])
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order]) != 0), len(scores) - 1)
    found = np.cumsum(marked[order])[last]
    gained = np.diff(found, prepend=0)
    n_boundaries = sum(len(ref.boundaries) for _, ref, _ in documents)
    return float((gained * found / (last + 1)).sum()) / n_boundaries


def _inverted(documents: Named) -> Iterator[Finding]:
    shares, variances = np.array([_above(ref, scored) for _, ref, scored in documents]).T
    deviations = (0.5 - shares).sum() / np.sqrt(variances.sum())
    below, above = int((shares < 0.5).sum()), int((shares > 0.5).sum())
    if len(documents) >= 2 * FEWEST:
        sure = sign_test(below, above) >= _SURE_OF_SCORES
    else:
        sure = deviations >= _DEVIATIONS
    if shares.mean() > _LOW or not below or not sure:
        return
    now, then = _average_precision(documents), _average_precision(documents, sign=-1)
    n_places = sum(len(scored.scores) for _, _, scored in documents)
    n_marked = sum(int(_marked(ref, scored).sum()) for _, ref, scored in documents)
    n_boundaries = sum(len(ref.boundaries) for _, ref, _ in documents)
    chance = n_marked / n_places * n_marked / n_boundaries
    if now < chance and then >= _CLEARLY * chance:
        yield Finding(
            "inverted-scores",
            "note",
            f"Average precision is {now:.3f}, random scores have {chance:.3f}, and the scores with "
            f"their sign changed {then:.3f}.",
            {"average_precision": now, "random": chance, "inverted": then, "below": below},
            tuple(name for name, _, _ in documents),
            "The scores probably say how well units belong together (similarity), or how unlikely "
            "a boundary is: give their negative, or 1 − score.",
        )


def _moved(documents: Named) -> Iterator[Finding]:
    for shift in (-1, 1):
        counts = [_neighbours(ref.boundaries, scored, shift) for _, ref, scored in documents]
        better, worse = np.sum(counts, axis=0).tolist()
        if sign_test(better, worse) < _MOVED:
            continue
        now, then = _average_precision(documents), _average_precision(documents, shift=shift)
        if then >= now + _GAIN:
            yield Finding(
                "shifted-scores",
                "note",
                f"Moved one position {'back' if shift < 0 else 'on'}, the scores have average "
                f"precision {then:.3f}; as they are, {now:.3f}.",
                {"shift": shift, "average_precision": now, "moved": then, "better": better},
                tuple(name for name, _, _ in documents),
                "The scores probably belong to other positions: one per unit is read by "
                "marks='end' or marks='start'; one per position starts with the gap after unit 1.",
            )


def _neighbours(places: Int64Array, scored: ScoredBoundaries, shift: int) -> tuple[int, int]:
    """The number of boundaries whose neighbour on one side has a higher score than they and their
    other neighbour, and the number of the rest."""
    known, wanted = scored.positions, places + np.array([[-shift], [0], [shift]])
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    there, own, beyond = np.where(known[at] == wanted, scored.scores[at], np.nan)
    others = np.maximum(own, beyond)  # NaN, and so neither, if one of them has no score
    return int((there > others).sum()), int((there < others).sum())
