"""Masao Utiyama & Hitoshi Isahara (2001): A statistical model for domain-independent text
segmentation. ACL 2001.

The error rates of their method, and of C99 beside it, on all 700 documents of Choi (2000): Pk in
words as there, mean over documents in per cent, by subset and over all.
"""

from collections.abc import Callable

from reproduction.choi2000 import Errors, c99_found, c99_known, error_cell, errors_of
from reproduction.corpora import choi_preprocessing
from reproduction.published import Run, printed_table
from segscore.segmenters.utiyama_isahara import UtiyamaIsahara

PRINTED = printed_table("utiyama2001")

NEAR = "ours is a few hundredths beyond half a point: words or stop list differ in something"
CHOI_LOW = "the original program, run again on 100 of these, gives 8.6; ours differs on some"
NOT_HELD = {
    ("their method, K found", "3-11"): NEAR,
    ("their method, K known", "6-8"): NEAR,
    ("C99, K known", "9-11"): CHOI_LOW,
}


def known(run: Run) -> Errors:
    """Their method, with the number of segments given."""
    return errors_of(UtiyamaIsahara(choi_preprocessing(run)), True, run)


def found(run: Run) -> Errors:
    """Their method, finding the number of segments."""
    return errors_of(UtiyamaIsahara(choi_preprocessing(run)), False, run)


SYSTEMS: dict[str, Callable[[Run], Errors]] = {
    "their method, K found": found,
    "their method, K known": known,
    "C99, K known": c99_known,
    "C99, K found": c99_found,
}

CELLS = [
    error_cell(system, SYSTEMS[system], subset, value, NOT_HELD.get((system, subset), ""))
    for system, values in PRINTED.items()
    for subset, value in values.items()
]
