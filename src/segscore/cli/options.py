"""The options that commands share: single options, and groups that belong together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.basics.specs import is_integer, value_of
from segscore.cli.option_groups import NamesFile, OptionGroup, Section, option
from segscore.corpus.corpus import Corpus, Scope
from segscore.errors import SegmentationError
from segscore.metrics.base import OnUndefined
from segscore.metrics.statistics import Average
from segscore.pairing.consensus_rule import consensus_rule
from segscore.pairing.failures import Missing
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align

OWN, STATISTICS, READING, OUTPUT = Section

ReferenceArgument = Annotated[Path, typer.Argument(metavar="REF", help="A file or folder.")]
HypothesisArgument = Annotated[
    Path | None, typer.Argument(metavar="HYP", help="A file or a folder.")
]
CodingsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="CODINGS…", help="Files or folders."),
]
SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="SYSTEM…", help="Files, folders, NAME=FILE; NAME again: a run."),
    NamesFile("="),
]
ReferenceCoderOption = Annotated[
    str | None,
    option("--reference", OWN, "The reference: a coder, or consensus:0.5.", "CODER"),
]
ReferenceCodersOption = Annotated[
    list[str] | None,
    option("--reference", OWN, "A reference: a coder, or consensus:0.5.", "CODER"),
]
HypothesisCoderOption = Annotated[
    str | None, option("--hypothesis", OWN, "The coder who is the hypothesis.", "CODER")
]
SystemOption = Annotated[
    list[str] | None, option("--system", OWN, "A coder of REF that is a system.", "CODER")
]
MetricsOption = Annotated[
    list[str] | None,
    option("--metric -m", OWN, 'A metric, or several -m: b, "wd(k=3)".', "METRIC"),
]
AverageOption = Annotated[
    Average, option("--average", STATISTICS, "micro (all documents together), or macro.", "WHICH")
]
LevelOption = Annotated[
    float, option("--level", STATISTICS, "Level of intervals, by default 0.95.", "NUMBER")
]
SeedOption = Annotated[int, option("--seed", STATISTICS, "Random seed, by default 0.", "NUMBER")]
FormatOption = Annotated[
    str | None, option("--from", READING, "Format, if not recognised (convert --list).", "FORMAT")
]
ToOption = Annotated[
    str | None, option("--to", OUTPUT, "Format, if the suffix does not say.", "FORMAT")
]
LossyOption = Annotated[bool, option("--lossy", OUTPUT, "Leave out what the format cannot hold.")]
MissingOption = Annotated[
    Missing,
    option(
        "--missing",
        OWN,
        "Documents of one side only: error, skip, none (one segment), worst.",
        "RULE",
    ),
]
UndefinedOption = Annotated[
    OnUndefined,
    option("--on-undefined", OWN, "Documents without a value: raise, or nan.", "RULE"),
]
CodersOption = Annotated[
    Scope | None,
    option(
        "--coders",
        READING,
        "Names of people are global, or local.",
        "SCOPE",
    ),
]


def reference_of(coders: list[str] | None) -> str | list[str] | None:
    """The value of a repeatable --reference: coders, or the rule for their consensus."""
    rules = [coder for coder in coders or () if consensus_rule(coder) is not None]
    if rules and len(coders or ()) > 1:
        raise SegmentationError(
            f"--reference is {rules[0]!r} and more: expected a consensus alone, or coders"
        )
    return rules[0] if rules else coders


# ---- two sides that are read and paired ----


@dataclass(frozen=True, kw_only=True)
class FormatOptions(OptionGroup):
    """Formats of the two sides, if they are not recognised."""

    source: FormatOption = None
    hyp_from: Annotated[
        str | None,
        option("--hyp-from", READING, "Format of other files, else --from.", "FORMAT"),
    ] = None

    @property
    def both(self) -> tuple[str | None, str | None]:
        """The format of REF, and that of all other files."""
        of_reference = None if self.source == "llm" else self.source  # a model's answers are none
        return of_reference, self.hyp_from or self.source


AlignOption = Annotated[
    Align | None, option("--align", OWN, "words: align words that differ.", "HOW")
]
MaskOption = Annotated[
    list[str] | None,
    option("--mask", OWN, "Leave out 10:20, 12.5s:30s; or FILE.uem.", "PART"),
    NamesFile("="),
]
IgnoreTextOption = Annotated[bool, option("--ignore-text", OWN, "Continue if texts differ.")]


def mask_of(mask: list[str] | None, *scored: Corpus | Pairs) -> Any:
    """The parts of a corpus or of pairs that are not scored; None if everything is scored."""
    if mask and mask[0].lower().endswith(".uem"):
        from segscore.pairing.masks import mask_of_uem

        if len(mask) > 1:
            raise SegmentationError(f"--mask is {mask[0]!r} and more: expected a UEM file alone")
        return mask_of_uem(Path(mask[0]), *scored)
    return [_part(text) for text in mask] if mask else None


def _part(text: str) -> tuple[int, int] | tuple[str, str]:
    start, _, end = text.partition(":")
    if start.isdecimal() and end.isdecimal():
        return int(start), int(end)
    if not start or not end or start.isdecimal() or end.isdecimal():
        raise SegmentationError(
            f"--mask is {text!r}: expected START:END, as 10:20 or 12.5s:30s, or a UEM file"
        )
    return start, end


@dataclass(frozen=True, kw_only=True)
class PairingOptions(OptionGroup):
    """How the two sides are paired, and which parts are scored."""

    missing: MissingOption = "error"
    ignore_text: IgnoreTextOption = False
    align: AlignOption = None
    mask: MaskOption = None

    @property
    def rules(self) -> dict[str, Any]:
        """All options but the mask, as the library takes them."""
        return {name: getattr(self, name) for name in ("missing", "ignore_text", "align")}

    def rules_for(self, *scored: Corpus | Pairs) -> dict[str, Any]:
        """All options as the library takes them, for what was read."""
        return {**self.rules, "mask": mask_of(self.mask, *scored)}

    @property
    def given(self) -> list[str]:
        """The options that were set."""
        values = {
            "--missing": self.missing != "error", "--ignore-text": self.ignore_text,
            "--align": self.align, "--mask": self.mask,
        }  # fmt: skip
        return [name for name, value in values.items() if value]

    @property
    def for_systems(self) -> bool:
        """Whether an option is set that makes sense only if two sides are compared."""
        return any(option != "--mask" for option in self.given)


# ---- how numbers are computed ----

ResamplesOption = Annotated[
    int, option("--resamples", STATISTICS, "Number of resamples, by default 10000.", "NUMBER")
]
RESAMPLES = 10_000


# ---- values of a parameter ----

_MOST_VALUES = 1000
_EXPECTED = "expected NAME=FIRST:LAST (inclusive), NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE…"


def parameter_values(text: str) -> tuple[str, list[Any]]:
    """A parameter and its values, as written.

    >>> parameter_values("n_t=1:10:3"), parameter_values("k=2,auto,60s")
    (('n_t', [1, 4, 7, 10]), ('k', [2, None, '60s']))
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not (name.isidentifier() and equals and written):
        raise SegmentationError(f"--vary is {text!r}: {_EXPECTED}")
    if ":" not in written:
        return name, [value_of(part.strip()) for part in written.split(",")]
    ends = written.split(":")
    if len(ends) > 3 or not all(is_integer(end) for end in ends):
        raise SegmentationError(f"--vary is {text!r}: {_EXPECTED}, in whole numbers")
    first, last, step = *map(int, ends), *([1] if len(ends) == 2 else [])
    if step < 1 or last < first or (last - first) // step >= _MOST_VALUES:
        raise SegmentationError(
            f"--vary is {text!r}: expected FIRST up to LAST by a STEP of 1 or more, at most "
            f"{_MOST_VALUES} values"
        )
    return name, list(range(first, last + 1, step))
