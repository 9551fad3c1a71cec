"""`PairingRules`: which codings are paired, and what is done to them before.

`score`, `compare`, `audit`, `check` and `curve` share these rules, in Python and on the command
line: the functions make them from their keywords (`split_options`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from segscore.basics.arguments import check_choice
from segscore.coding.word_alignment import MAX_ERROR
from segscore.errors import check_keywords
from segscore.pairing.failures import MISSING, Missing

Align = Literal["words"]
Part = tuple[int | str, int | str]
Mask = Sequence[Part]


@dataclass(frozen=True)
class PairingRules:
    """How references and hypotheses are brought together.

    reference: the coder who is the reference, or several coders; "consensus:0.5" is what that share
        of the coders marks.
    hypothesis: the only coder whose codings are hypotheses; None: each coder makes a pairing.
    missing: what to do about documents that only one side has: raise an `error`, or `skip` them; a
        missing hypothesis may count as a single segment, `none`, or as wrong throughout, `worst`.
    ignore_text: whether the texts of both sides may differ.
    align, max_error: "words" moves hypotheses with other words onto the units of the reference, up
        to a word error rate.
    mask: parts to cut out of both sides, for all documents or by document name.
    """

    reference: str | Sequence[str] | None = None
    hypothesis: str | None = None
    missing: Missing = "error"
    ignore_text: bool = False
    align: Align | None = None
    max_error: float = MAX_ERROR
    mask: Mask | Mapping[str, Mask] | None = None

    def __post_init__(self) -> None:
        check_choice(self.missing, "missing", MISSING)
        if self.align is not None:
            check_choice(self.align, "align", ("words",))


DEFAULT_RULES = PairingRules()
PAIRING = ("missing", "ignore_text", "align", "max_error", "mask")
SCORING = (*PAIRING, "threads", "on_undefined")
FORMATS = ("format", "hypothesis_format")


def split_options(
    function: Callable[..., Any],
    options: Mapping[str, Any],
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    own: Collection[str] = SCORING,
    formats: Collection[str] = FORMATS,
) -> tuple[PairingRules, dict[str, Any]]:
    """The rules of pairing among the options of a function, and how it reads files.

    own: the options that the function takes besides those of `read` and `formats`.
    """
    rules = {name: options[name] for name in PAIRING if name in options}
    reading = {name: value for name, value in options.items() if name not in own}
    if reading:
        from segscore.io.read_options import ReadKeywords

        known = ReadKeywords.__optional_keys__ - {*PAIRING}
        check_keywords(function, reading, (*known, *own, *formats))
    return PairingRules(reference, hypothesis, **rules), reading
