"""Sentences about agreement: how well people agree, who lowers it, and how much is contested.

The command line, tables and pages use the same sentences: each is made here, from computed numbers,
in a given wording.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from segscore.coders.habits import Habits
from segscore.coders.leaving_out import Competitor
from segscore.coders.places import ContestedPlaces
from segscore.errors import number_of
from segscore.tables.wording import PLAIN, Wording

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement

MOST_NAMED = 4  # coders that a sentence names


def how_well(found: "Agreement", how: Wording = PLAIN) -> str:
    """The sentence on corrected agreement, and whether it may be chance alone; on observed
    agreement, if there is no corrected value."""
    if math.isnan(found.corrected):
        why = (
            "there is no value corrected for chance"
            if found.draws
            else "agreement by chance was not computed"
        )
        return f"Observed agreement is {how.number(found.observed)}; {why}."
    low, high = found.corrected_ci[:2]
    value = how.with_interval(found.corrected, low, high)
    said = f"Corrected agreement is {value} (0 = chance, 1 = complete)."
    if found.corrected <= 0:
        return f"{said} That is no more than chance."
    if not math.isnan(low) and low <= 0:
        return f"{said} The interval includes 0: this may be no more than chance."
    return said


def who_lowers(coders: Sequence[Competitor], how: Wording = PLAIN) -> str:
    """The coders who lower agreement (their interval is above 0), the strongest first; the start of
    a sentence."""
    lower = [coder for coder in coders if coder.ci.low > 0]
    if not lower:
        return "Nobody clearly lowers agreement"
    verb = "lowers" if len(lower) == 1 else "lower"
    who = how.names((one.name for one in lower), MOST_NAMED)
    return f"{who} {verb} agreement ({_by(lower, how)})"


def _by(lower: Sequence[Competitor], how: Wording) -> str:
    """How much they lower it: for one coder with the interval, and what agreement is without them;
    for several coders, each."""
    if len(lower) == 1:
        one = lower[0]
        by = f"by {how.with_interval(one.drop, *one.ci[:2])}"
        return f"{by}; without {how.name(one.name)} it is {how.number(one.without)}"
    return f"by {', '.join(how.number(one.drop) for one in lower[:MOST_NAMED])}"


def who_stands_out(outliers: Sequence[Habits], how: Wording = PLAIN) -> str:
    """The coders who mark far more or far fewer boundaries than the others; "" if there are
    none."""
    said = [
        f"{how.name(outlier.coder)} marks {outlier.ratio:.1f} times as many boundaries"
        for outlier in outliers[:MOST_NAMED]
    ]
    return ", ".join(said) + " as the others" if said else ""


def how_many_contested(places: ContestedPlaces) -> str:
    """The number of contested places, and of those that only one coder marks."""
    if not places.n_all:
        return "nothing"
    words = number_of(places.n_all, "place")
    if not places.n_alone:
        return words
    return f"{words}, {places.n_alone:,} of them marked by one coder alone"
