"""The options that commands share: single options, and groups that belong together.

Files that cannot be read and may be skipped are reported at the end: on stderr, and by exit code 3.

A gate for continuous integration (`segscore.comparison.gates`) has limits. Each limit is a check,
and for each check a line on stderr says what was found. If a check fails, the command ends with
exit code 1; the result is still printed. A check that cannot be decided fails: an undefined value,
or a test on so few documents that it could never find the new system worse.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from segscore.cli.commands import OUTPUT, OWN, READING, STATISTICS, argument, option
from segscore.cli.output import print_error, remark, remark_all, remark_width
from segscore.corpus.corpus import Corpus, Scope
from segscore.errors import SegmentationError
from segscore.io.read_options import ReadKeywords, ReadOptions, Skipped
from segscore.io.reading import check_all_met, read_chosen
from segscore.io.table_columns import TableNotes
from segscore.metrics import Metric, metric
from segscore.pairing.inputs import Reader
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align, Missing, consensus_rule
from segscore.tables.table import Table
from segscore.tables.view import Column

if TYPE_CHECKING:
    from segscore.comparison.gates import Check, Limit


REFERENCE = argument("REF", "A file or folder.")
HYPOTHESIS = argument("HYP", "A file or a folder.", None)
CODINGS = argument("CODINGS…", "Files or folders.")
SYSTEMS = argument("SYSTEM…", "Files, folders, NAME=FILE; NAME again: a run.", None)
REFERENCE_CODER = option("--reference", OWN, "The reference: a coder, or consensus:0.5.", "CODER")
REFERENCE_CODERS = option("--reference", OWN, "A reference: a coder, or consensus:0.5.", "CODER")
HYPOTHESIS_CODER = option("--hypothesis", OWN, "The coder who is the hypothesis.", "CODER")
SYSTEM = option("--system", OWN, "A coder of REF that is a system.", "CODER")
METRICS = option("--metric -m", OWN, 'A metric, or several -m: b, "wd(k=3)".', "METRIC")
AVERAGE = option(
    "--average", STATISTICS, "micro (all documents together), or macro.", "WHICH", "micro"
)
LEVEL = option("--level", STATISTICS, "Level of intervals, by default 0.95.", "NUMBER", 0.95)
SEED = option("--seed", STATISTICS, "Random seed, by default 0.", "NUMBER", 0)
FORMAT = option("--from", READING, "Format, if not recognised (convert --list).", "FORMAT")
TO = option("--to", OUTPUT, "Format, if the suffix does not say.", "FORMAT")
LOSSY = option("--lossy", OUTPUT, "Leave out what the format cannot hold.")
MISSING = option(
    "--missing",
    OWN,
    "If a side lacks a document: error, skip, none (one segment), worst.",
    "RULE",
    "error",
)
UNDEFINED = option(
    "--on-undefined", OWN, "Documents without a value: raise, or nan.", "RULE", "raise"
)
CODERS = option("--coders", READING, "Whether names are global or local.", "SCOPE")


def one_metric(given: list[str] | None, usual: str = "b") -> str:
    """The metric of a command that takes one: of several the last would silently win."""
    if len(given or ()) > 1:
        raise SegmentationError(f"-m is given {len(given or ())} times: expected once")
    return given[0] if given else usual


def reference_of(coders: list[str] | None) -> str | list[str] | None:
    """The value of a repeatable --reference: coders, or the rule for their consensus."""
    rules = [coder for coder in coders or () if consensus_rule(coder) is not None]
    if rules and len(coders or ()) > 1:
        raise SegmentationError(
            f"--reference is {rules[0]!r} and more: expected a consensus alone, or coders"
        )
    return rules[0] if rules else coders


# ---- two sides that are read and paired ----


ALIGN = option("--align", OWN, "words: align words that differ.", "HOW")
MASK = option("--mask", OWN, "Leave out 10:20, 12.5s:30s; or FILE.uem.", "PART")
IGNORE_TEXT = option("--ignore-text", OWN, "Continue if texts differ.")


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


@dataclass(kw_only=True)
class PairingOptions:
    """How the two sides are paired, and which parts are scored."""

    missing: Missing = MISSING
    ignore_text: bool = IGNORE_TEXT
    align: Align | None = ALIGN
    mask: list[str] | None = MASK

    def rules_for(self, *scored: Corpus | Pairs) -> dict[str, Any]:
        """All options as the library takes them, for what was read."""
        return {**vars(self), "mask": mask_of(self.mask, *scored)}

    @property
    def given(self) -> list[str]:
        """The options that were set."""
        missing = None if self.missing == "error" else self.missing
        values = missing, self.ignore_text, self.align, self.mask
        names = "--missing", "--ignore-text", "--align", "--mask"
        return [name for name, value in zip(names, values, strict=True) if value]

    @property
    def for_systems(self) -> bool:
        """Whether an option is set that makes sense only if two sides are compared."""
        return any(option != "--mask" for option in self.given)


# ---- how files are read ----

SKIPPED = 3  # exit code: done, but some files were skipped

TEXT_UNITS = option("--units -u", READING, "sentences, paragraphs, lines, words …", "RULE")
TEXT_READ = option("--read", READING, "text-encoding=utf-16, or large.", "KEY=VALUE")


@dataclass(kw_only=True)
class ReadingOptions:
    """How files of codings are read."""

    units: str | None = option("--units", READING, "sentences, words, seconds:6 …", "RULE")
    text: Path | None = option("--text", READING, "The texts of chunks, or of codings.", "FILE")
    read_keys: list[str] | None = option(
        "--read", READING, "marks=start …: keys of convert --list.", "KEY=VALUE"
    )
    cleaning: ClassVar[bool] = False  # whether it takes the keys of conversions
    sides: ClassVar[tuple[str, ...]] = ()  # keys of files that hold both sides

    def __post_init__(self) -> None:
        self.remarks: list[str] = []
        self.keys: dict[str, Any] = {}
        if self.read_keys:
            from segscore.io.read_keys import options_in

            self.keys = options_in(self.read_keys, None, cleaning=self.cleaning, sides=self.sides)
        keywords = self.keys.keys() & ReadKeywords.__optional_keys__
        self.options: ReadOptions = ReadOptions(
            units=self.units,
            text=self.text,
            remark=self.remarks.append,
            notes=TableNotes(receipt="sheets"),
            **{name: self.keys[name] for name in keywords},
        )

    def read(
        self,
        path: Path | list[Path],
        form: str | None = None,
        *,
        coders: Scope | None = None,
        more_follow: bool = False,
        ignore_text: bool = False,
    ) -> Corpus:
        """The corpus in the files; names that no file has are an error, unless more files
        follow."""
        choices = replace(self.options, coders=coders, ignore_text=ignore_text)
        corpus = read_chosen(path, form, choices)
        if not more_follow:
            self.finish()
        return corpus

    def finish(self) -> None:
        """Report the remarks of readers; refuse names of coders, labels and columns that no file
        had."""
        remark_all(self.remarks)
        self.remarks.clear()
        check_all_met(self.options)

    def __exit__(self, kind: Any, *_: object) -> None:
        """Report skipped files at the end."""
        remark_all(self.remarks)
        if self.options.skipped:
            end_skipped(self.options.skipped, raises=kind is None)


@dataclass(kw_only=True)
class PairedReading(ReadingOptions):
    """How the files of two sides are read."""

    source: str | None = FORMAT
    hyp_from: str | None = option(
        "--hyp-from", READING, "Format of HYP, if it is another one.", "FORMAT"
    )

    def reader(self, **choices: Any) -> Reader:
        """What reads REF, and all other files; choices: other options of reading."""
        of_reference = None if self.source == "llm" else self.source  # a model's answers are none
        formats = of_reference, self.hyp_from or self.source
        return Reader(formats, replace(self.options, **choices))


def keys_in(given: list[str] | None, *allowed: str) -> dict[str, Any]:
    """The keywords in --read of a command that takes few."""
    if not given:  # what reads them need not be imported
        return {}
    from segscore.io.read_keys import options_in

    return options_in(given, allowed)


def names_in(given: str | None) -> tuple[str, ...]:
    """`a,b,c` as names."""
    return tuple(part.strip() for part in (given or "").split(",") if part.strip())


def end_skipped(skipped: Sequence[Skipped], raises: bool = True) -> None:
    """Report on stderr which files were skipped, and end with exit code 3."""
    rows = [list(row) for row in dict.fromkeys(skipped)]  # a file may be read twice
    if rows:
        remark(f"{len(rows)} files skipped:")
        table = Table([Column("file"), Column("reason")], rows)
        print_error(table.render("text", remark_width()))
        if raises:
            raise typer.Exit(SKIPPED)


# ---- how numbers are computed ----

RESAMPLES = option(
    "--resamples", STATISTICS, "Number of resamples, by default 10000.", "NUMBER", 10_000
)


# ---- limits of scores ----

GITHUB = option("--github", STATISTICS, "Report failed checks to GitHub.")
_MOST_PASSED = 10  # checks that are reported one by one


@dataclass(kw_only=True)
class LimitOptions:
    """Limits that averages must keep."""

    under: list[str] | None = option(
        "--fail-under", STATISTICS, "Exit with code 1 if lower.", "METRIC=NUMBER"
    )
    over: list[str] | None = option(
        "--fail-over", STATISTICS, "Exit with code 1 if higher.", "METRIC=NUMBER"
    )
    github: bool = GITHUB

    def limits(self, find: Callable[[str], Metric] = metric) -> "list[Limit]":
        """The limits in the options; a limit on the wrong side, which would pass bad scores, is
        refused. `find` returns the metric, or the measure, with a name."""
        if not self.under and not self.over:
            return []
        from segscore.comparison.gates import Limit, check_limit

        under = numbers(self.under or (), "--fail-under")
        over = numbers(self.over or (), "--fail-over")
        found = [
            *(Limit(name, number, "at least") for name, number in under),
            *(Limit(name, number, "at most") for name, number in over),
        ]
        for limit in found:
            check_limit(limit, find(limit.metric))
        return found

    def hold(
        self,
        limits: "list[Limit]",
        systems: Iterable[str],
        value: Callable[[str, str], float],
        average: str,
    ) -> None:
        """Check the value of each system under each limit's metric."""
        from segscore.comparison.gates import kept

        listed = list(systems)
        conclude(
            [
                kept(limit, f"{system}: {limit.metric}", value(system, limit.metric), average)
                for limit in limits
                for system in listed
            ],
            self.github,
        )


def numbers(texts: Iterable[str], option: str) -> list[tuple[str, float]]:
    """The metrics and numbers of an option of the form METRIC=NUMBER."""
    found: list[tuple[str, float]] = []
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not name.strip() or not math.isfinite(value):
            raise SegmentationError(
                f"{option} is {text!r}: expected a metric and a number, as in b=0.45"
            )
        found.append((name.strip(), value))
    return found


def with_more(metrics: Sequence[str], more: Iterable[str]) -> list[str]:
    """The metrics, plus those that only another option names."""
    found = {metric(name): name for name in reversed(metrics)}
    return [*metrics, *(name for name in dict.fromkeys(more) if metric(name) not in found)]


def conclude(checks: "Sequence[Check]", github: bool) -> None:
    """Report what failed and what passed (only the number if that is many, as for groups), and exit
    with 1 if anything failed."""
    failed = [check for check in checks if not check.passed]
    passed = [check.why for check in checks if check.passed]
    for check in failed:
        why = check.why
        if github:  # escaped for its workflow commands
            why = why.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        remark(f"{'::error title=segscore::' if github else 'segscore: '}{why}", one_line=True)
    if len(passed) > _MOST_PASSED:
        remark(f"gate: {len(passed)} checks passed", one_line=True)
    else:
        for why in passed:
            remark(f"gate: {why}: passed", one_line=True)
    if failed:
        raise typer.Exit(1)
