"""The options that commands share: single options, and groups that belong together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.basics.specs import is_integer, value_of
from segscore.cli.option_groups import NamesFile, OptionGroup, Section
from segscore.corpus.corpus import Corpus, Scope
from segscore.errors import SegmentationError
from segscore.metrics.base import OnUndefined
from segscore.metrics.statistics import Average
from segscore.pairing.consensus_rule import consensus_rule
from segscore.pairing.failures import Missing
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align

ReferenceArgument = Annotated[
    Path, typer.Argument(metavar="REF", help="A file or folder.", show_default=False)
]
HypothesisArgument = Annotated[
    Path | None, typer.Argument(metavar="HYP", help="A file or a folder.")
]
CodingsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="CODINGS…", help="Files or folders; for instance one per coder."),
]
SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM…",
        help="Files, folders, NAME=FILE; NAME again: another run.",
    ),
    NamesFile("="),
]
ReferenceCoderOption = Annotated[
    str | None,
    typer.Option(
        "--reference",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="The coder of REF who is the reference. consensus:0.5 is what half of them mark.",
    ),
]
ReferenceCodersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="A coder of REF who is a reference, by default all; or consensus:0.5.",
    ),
]
HypothesisCoderOption = Annotated[
    str | None,
    typer.Option(
        "--hypothesis",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="The coder who is the hypothesis, if there are several.",
    ),
]
SystemOption = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="A coder of REF that is a system.",
    ),
]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        rich_help_panel=Section.METRICS,
        metavar="METRIC",
        help='A metric, or several -m: b, "wd(k=3)", "b.recall" (a part).',
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        rich_help_panel=Section.METRICS,
        metavar="METRIC",
        help='A metric, parameters in brackets: "wd(k=3)"; "b.recall" is a part.',
    ),
]
AverageOption = Annotated[
    Average,
    typer.Option(
        "--average",
        rich_help_panel=Section.STATISTICS,
        metavar="WHICH",
        show_default=False,
        help="micro (of all documents together), or macro (mean over them).",
    ),
]
LevelOption = Annotated[
    float,
    typer.Option(
        "--level",
        rich_help_panel=Section.STATISTICS,
        show_default=False,
        help="Confidence level of intervals, by default 0.95.",
    ),
]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        rich_help_panel=Section.STATISTICS,
        show_default=False,
        help="Random seed, by default 0.",
    ),
]
DrawsOption = Annotated[
    int | None,
    typer.Option(
        "--draws",
        rich_help_panel=Section.STATISTICS,
        help="Number of random draws of coders or systems, 2 or more.",
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        rich_help_panel=Section.READING,
        metavar="FORMAT",
        help="Format of the files, if not recognised.",
    ),
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to",
        rich_help_panel=Section.OUTPUT,
        metavar="FORMAT",
        help="Format of the output, if its suffix does not say.",
    ),
]
LossyOption = Annotated[
    bool,
    typer.Option(
        "--lossy",
        rich_help_panel=Section.OUTPUT,
        help="Leave out what the format of the output cannot hold.",
    ),
]
MissingOption = Annotated[
    Missing,
    typer.Option(
        "--missing",
        rich_help_panel=Section.COMPARED,
        metavar="RULE",
        show_default=False,
        help="Documents that only one side has: error, skip, or a hypothesis of one segment (none) "
        "or wrong throughout (worst).",
    ),
]
UndefinedOption = Annotated[
    OnUndefined,
    typer.Option(
        "--on-undefined",
        rich_help_panel=Section.METRICS,
        metavar="RULE",
        show_default=False,
        help="Documents that cannot be scored: raise an error, or nan.",
    ),
]
CodersOption = Annotated[
    Scope | None,
    typer.Option(
        "--coders",
        rich_help_panel=Section.READING,
        help="Whether a coder's name means the same person in all documents (global) or not "
        "(local); by default as the file says, or else global.",
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

    section = Section.READING

    source: FormatOption = None
    hyp_from: Annotated[
        str | None,
        typer.Option(
            "--hyp-from",
            metavar="FORMAT",
            help="Format of all files but REF; else as --from.",
        ),
    ] = None

    @property
    def both(self) -> tuple[str | None, str | None]:
        """The format of REF, and that of all other files."""
        of_reference = None if self.source == "llm" else self.source  # a model's answers are none
        return of_reference, self.hyp_from or self.source


AlignOption = Annotated[
    Align | None,
    typer.Option(
        "--align",
        rich_help_panel=Section.TIMES,
        help="Align words that differ (a speech recogniser's) with those of REF.",
    ),
]
MaskOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mask",
        rich_help_panel=Section.COMPARED,
        metavar="START:END",
        help="A part that is not scored: units from 0, or 12.5s:30s.",
    ),
]
UemOption = Annotated[
    Path | None,
    typer.Option(
        "--uem",
        rich_help_panel=Section.TIMES,
        metavar="FILE",
        help="Score only what this UEM file names.",
    ),
]


IgnoreTextOption = Annotated[
    bool,
    typer.Option(
        "--ignore-text",
        rich_help_panel=Section.COMPARED,
        help="Continue if texts differ.",
    ),
]


def mask_of(mask: list[str] | None, uem: Path | None, *scored: Corpus | Pairs) -> Any:
    """The parts of a corpus or of pairs that are not scored; None if everything is scored."""
    if mask and uem is not None:
        raise SegmentationError("--mask and --uem are both given: expected one of them")
    if uem is not None:
        from segscore.pairing.uem import mask_of_uem

        return mask_of_uem(uem, *scored)
    return [_part(text) for text in mask] if mask else None


def _part(text: str) -> tuple[int, int] | tuple[str, str]:
    start, _, end = text.partition(":")
    if start.isdecimal() and end.isdecimal():
        return int(start), int(end)
    if not start or not end or start.isdecimal() or end.isdecimal():
        raise SegmentationError(f"--mask is {text!r}: expected START:END, as 10:20 or 12.5s:30s")
    return start, end


@dataclass(frozen=True, kw_only=True)
class PairingOptions(OptionGroup):
    """How the two sides are paired, and which parts are scored."""

    section = Section.COMPARED

    missing: MissingOption = "error"
    ignore_text: IgnoreTextOption = False
    align: AlignOption = None
    mask: MaskOption = None
    uem: UemOption = None

    @property
    def rules(self) -> dict[str, Any]:
        """All options but the mask, as the library takes them."""
        return {name: getattr(self, name) for name in ("missing", "ignore_text", "align")}

    def rules_for(self, *scored: Corpus | Pairs) -> dict[str, Any]:
        """All options as the library takes them, for what was read."""
        return {**self.rules, "mask": mask_of(self.mask, self.uem, *scored)}

    @property
    def given(self) -> list[str]:
        """The options that were set."""
        values = {
            "--missing": self.missing != "error", "--ignore-text": self.ignore_text,
            "--align": self.align, "--mask": self.mask, "--uem": self.uem,
        }  # fmt: skip
        return [name for name, value in values.items() if value]

    @property
    def for_systems(self) -> bool:
        """Whether an option is set that makes sense only if two sides are compared."""
        return any(option not in ("--mask", "--uem") for option in self.given)


# ---- how numbers are computed ----


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(OptionGroup):
    """What to do about undefined values."""

    section = Section.METRICS

    on_undefined: UndefinedOption = "raise"


ResamplesOption = Annotated[
    int,
    typer.Option(
        "--resamples",
        rich_help_panel=Section.STATISTICS,
        show_default=False,
        help="Number of resamples, by default 10000.",
    ),
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
