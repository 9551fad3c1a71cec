"""`Options`: what functions that pair references and hypotheses take as **options.

The keywords of `segscore.read` say how files are read; they are errors where nothing is read.
`segscore.pairing.rules.split_options` takes them apart. Only type checkers read this module: who
scores what is in memory does not import readers.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from segscore.io.read_options import ReadKeywords
from segscore.metrics.base import OnUndefined
from segscore.pairing.rules import Align, Mask, Missing

if TYPE_CHECKING:
    from segscore.coders.coder_pairs import Null
    from segscore.pairing.list_columns import Encoding
    from segscore.scoring.scoring import Units


class Options(ReadKeywords, total=False):
    """How files are read, documents paired, and metrics computed; `segscore.score` explains it."""

    format: str | None
    hypothesis_format: str | None
    missing: Missing
    align: Align | None
    max_error: float
    mask: Mask | Mapping[str, Mask] | None
    threads: int | None
    on_undefined: OnUndefined


class ComparisonOptions(Options, total=False):
    """The options of `segscore.compare`."""

    human: bool | None
    chance: "Null | None"
    draws: int | None
    encoding: "Encoding | None"
    n_units: "Units | None"
