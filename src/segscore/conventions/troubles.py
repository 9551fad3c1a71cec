"""What implementations do with documents that have no value: print a perfect score, or fail."""

import math
from typing import Literal, NamedTuple

Measure = Literal["pk", "windowdiff"]


class Trouble(NamedTuple):
    """What an implementation does with a document that cannot be scored."""

    prints: float
    divisor: int  # by which the document weighs in an average by windows
    words: str


class Unscored(NamedTuple):
    """A document that cannot be scored: its symbols, its units, the window size, and whether both
    sides are the same."""

    length: int
    units: int
    k: int | None
    same: bool


def says_so(document: Unscored, measure: Measure) -> Trouble:
    """Print nothing where there is no value; no claim about code that was not run."""
    del measure
    return Trouble(math.nan, 0, f"undefined: k = {document.k} and {document.units} units")


def nltk_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What NLTK's pk and windowdiff do."""
    length, _, k, _ = document
    if k is None:
        return Trouble(math.nan, 0, "fails: division by the number of boundaries, 0")
    if k == 0:
        return Trouble(0.0, length + 1, "prints 0: k = 0 makes every hypothesis perfect")
    if measure == "windowdiff":
        return Trouble(math.nan, 0, f"fails: k = {k} exceeds {length} symbols")
    if k == length + 1:
        return Trouble(math.nan, 0, f"fails: division by 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def perfect_without_size(document: Unscored, measure: Measure) -> Trouble:
    """No error if k is 0; other cases are unknown."""
    if document.k == 0:
        return Trouble(0.0, document.units, "prints 0: k = 0 makes every hypothesis perfect")
    return says_so(document, measure)


def haps_trouble(document: Unscored, measure: Measure) -> Trouble:
    """HAPS divides by one window fewer."""
    if document.k == 0:
        return Trouble(0.0, document.length, "prints 0: k = 0 makes every hypothesis perfect")
    return says_so(document, measure)


def segeval_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What segeval's pk and window_diff do."""
    k = document.k
    if measure == "windowdiff" and k == document.length:
        return Trouble(math.nan, 0, f"fails: 0 errors in 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def chunkseg_trouble(document: Unscored, measure: Measure) -> Trouble:
    """Chunkseg prints 1 for two equal sides where segeval fails, and 0 for two different sides."""
    if not document.units:
        return Trouble(math.nan, 0, "prints nothing: shorter than a chunk")
    found = segeval_trouble(document, measure)
    if math.isnan(found.prints):
        prints = 1.0 if document.same else 0.0
        which = "equal" if document.same else "different"
        return Trouble(prints, 0, f"prints {prints:g} for two {which} sides (segeval fails)")
    return found


def lamprier_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What segeval's window_diff does with lamprier_et_al_2007_fix."""
    del measure
    return Trouble(0.0, 0, f"prints 0 for {document.units} unit (k = {document.k})")


_NEVER = 2**63 - 1


def never(measure: Measure) -> int:
    """No size of windows is too large."""
    del measure
    return _NEVER


def segeval_fails(measure: Measure) -> int:
    """Whether segeval fails because it compares k+1 by identity, which works for small numbers
    only."""
    return 256 if measure == "windowdiff" else _NEVER
