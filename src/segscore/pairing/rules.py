"""`PairingRules`: which codings are put against each other, and what is done to them before.

One set of rules for `score`, `compare`, `audit`, `check` and `curve`, in Python and on the command
line: the functions keep their keywords and make it of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from segscore.basics.arguments import check_choice
from segscore.coding.word_alignment import MAX_ERROR
from segscore.pairing.failures import Missing, check_missing

Align = Literal["words"]
Part = tuple[int | str, int | str]
Mask = Sequence[Part]


@dataclass(frozen=True)
class PairingRules:
    """How references and hypotheses are brought together.

    reference: the coder who is the reference, or several, where there is more than one coder;
        "consensus:0.5" is what such a share of the coders marks.
    hypothesis: the only coder whose codings are hypotheses; None: each coder makes a pairing.
    missing: what to do about documents that only one side has: `error`, or `skip` them; a missing
        hypothesis may count as one segment, `none`, or as the `worst` there can be.
    ignore_text: whether the texts of both sides may differ.
    align, max_error: "words" brings hypotheses with other words onto the units of the reference, up
        to a word error rate.
    mask: parts that are cut out of both sides, for all documents or by the name of each.
    """

    reference: str | Sequence[str] | None = None
    hypothesis: str | None = None
    missing: Missing = "error"
    ignore_text: bool = False
    align: Align | None = None
    max_error: float = MAX_ERROR
    mask: Mask | Mapping[str, Mask] | None = None

    def __post_init__(self) -> None:
        check_missing(self.missing)
        if self.align is not None:
            check_choice(self.align, "align", ("words",))


DEFAULT_RULES = PairingRules()
