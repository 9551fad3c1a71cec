"""The options that commands share: single options, and groups that belong together.

Files that cannot be read and may be skipped are reported at the end: on stderr, and by exit code 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import typer

from segscore.basics.specs import is_integer, parameter_value
from segscore.cli.commands import OUTPUT, OWN, READING, STATISTICS, argument, option
from segscore.cli.output import remark, remark_all, remark_width
from segscore.cli.streams import print_error
from segscore.corpus.corpus import Corpus, Scope
from segscore.errors import SegmentationError
from segscore.io.read_options import ReadKeywords, ReadOptions, Skipped
from segscore.io.reading import check_all_met, read_chosen
from segscore.io.table_columns import TableNotes
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align, Missing, consensus_rule
from segscore.tables.table import Table
from segscore.tables.view import Column

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
        self.options = ReadOptions(
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

    @property
    def formats(self) -> tuple[str | None, str | None]:
        """The format of REF, and that of all other files."""
        of_reference = None if self.source == "llm" else self.source  # a model's answers are none
        return of_reference, self.hyp_from or self.source


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
        return name, [parameter_value(part.strip()) for part in written.split(",")]
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


# ---- segmenters ----

WORKERS = option("--workers", OWN, "Number of processes.", "NUMBER")


@dataclass(kw_only=True)
class MethodOptions:
    """The options of all methods of a command."""

    stop_words: Path | None = option("--stop-words", OWN, "Words to leave out, a file.", "FILE")
    stemmer: str | None = option("--stemmer", OWN, "A language, martin, choi or none.", "NAME")
    preset: str | None = option("--preset", OWN, "Words as choi2000 or mit did.", "NAME")
    encoder: str | None = option("--encoder", OWN, "MODULE:FUNCTION, .npy, .npz.", "ENCODER")

    def check(self, names: Iterable[str]) -> None:
        """Refuse what is wrong before texts are read."""
        if self.encoder is None or not any(name.startswith("embedding") for name in names):
            self.segmenters(names, None)

    def segmenters(
        self, names: Iterable[str], documents: Mapping[str, Sequence[str]] | None
    ) -> dict[str, Any]:
        """The segmenters by name; files of vectors are read for these documents."""
        from segscore.segmenters import by_name
        from segscore.segmenters.embedding import encoder

        encode = None
        if self.encoder is not None and documents is not None:
            encode = encoder(self.encoder, documents)
        return {
            name: by_name.with_words(
                by_name.segmenter_named(name, encode), self.stop_words, self.stemmer, self.preset
            )
            for name in names
        }


def number_of_segments(segments: str, *words: str) -> int | None:
    """The value of --segments, unless it is another word: a number, or None for auto."""
    if segments == "auto":
        return None
    if not segments.isascii() or not segments.isdigit() or int(segments) < 1:
        expected = "".join(f"{word}, " for word in (*words, "auto"))
        raise SegmentationError(
            f"--segments is {segments!r}: expected {expected}or a number from 1 on"
        )
    return int(segments)
