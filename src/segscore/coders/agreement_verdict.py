"""Sentences about agreement: how well people agree, who lowers it, and how much is contested.

The command line, tables and pages use the same sentences: each is made here, from computed numbers,
in a given wording.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from segscore.coders.competitiveness import Competitor
from segscore.coders.habits import Habits
from segscore.coders.places import ContestedPlaces
from segscore.errors import number_of
from segscore.tables.wording import PLAIN, Wording

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement

MOST_NAMED = 4  # coders that a sentence names


def how_well(found: "Agreement", wording: Wording = PLAIN) -> str:
    """The sentence on corrected agreement, and whether it may be chance alone; on observed
    agreement, if there is no corrected value."""
    if math.isnan(found.corrected):
        why = (
            "there is no value corrected for chance"
            if found.draws
            else "agreement by chance was not computed"
        )
        return f"Observed agreement is {wording.number(found.observed)}; {why}."
    low, high = found.corrected_ci[:2]
    value = wording.with_interval(found.corrected, low, high)
    return f"Corrected agreement is {value} (0 = chance, 1 = complete).{maybe_chance(found)}"


def maybe_chance(found: "Agreement") -> str:
    """A sentence, if corrected agreement may be chance alone; otherwise ""."""
    if found.corrected <= 0:
        return " That is no more than chance."
    if found.corrected_ci.low <= 0:
        return " The interval includes 0: this may be no more than chance."
    return ""


def who_lowers(coders: Sequence[Competitor], wording: Wording = PLAIN) -> str:
    """The coders who lower agreement (their interval is above 0), the strongest first; the start of
    a sentence."""
    lower = [coder for coder in coders if coder.ci.low > 0]
    if not lower and coders and all(math.isnan(coder.ci.low) for coder in coders):
        most = max(coders, key=lambda coder: (not math.isnan(coder.drop), coder.drop))
        without = f"without {wording.name(most.name)} it is {wording.number(most.without)}"
        return f"Too little data to tell who lowers agreement ({without})"
    if not lower:
        return "Nobody clearly lowers agreement"
    verb = "lowers" if len(lower) == 1 else "lower"
    names = wording.names((coder.name for coder in lower), MOST_NAMED)
    return f"{names} {verb} agreement ({_by(lower, wording)})"


def _by(lower: Sequence[Competitor], wording: Wording) -> str:
    """How much they lower it: for one coder with the interval, and what agreement is without them;
    for several coders, each."""
    if len(lower) == 1:
        coder = lower[0]
        by = f"by {wording.with_interval(coder.drop, *coder.ci[:2])}"
        return f"{by}; without {wording.name(coder.name)} it is {wording.number(coder.without)}"
    return f"by {', '.join(wording.number(coder.drop) for coder in lower[:MOST_NAMED])}"


def who_stands_out(outliers: Sequence[Habits], wording: Wording = PLAIN) -> str:
    """The coders who mark far more or far fewer boundaries than the others; "" if there are
    none."""
    clauses = [
        f"{wording.name(outlier.coder)} marks {outlier.ratio:.1f} times as many boundaries"
        for outlier in outliers[:MOST_NAMED]
    ]
    return ", ".join(clauses) + " as the others" if clauses else ""


def how_many_contested(places: ContestedPlaces) -> str:
    """The number of contested places, and of those that only one coder marks."""
    if not places.n_all:
        return "nothing"
    words = number_of(places.n_all, "place")
    if not places.n_alone:
        return words
    return f"{words}, {places.n_alone:,} of them marked by one coder alone"
