"""The options that say how files are read, and what happens to files that cannot be.

Skipped files are reported at the end: on stderr, and by exit code 3.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from segscore.basics.cached import cached_property
from segscore.cli.option_groups import NamesFile, OptionGroup, Section, option
from segscore.cli.output import remark, remark_all, remark_width
from segscore.cli.streams import print_error
from segscore.corpus.corpus import Corpus, Scope
from segscore.io.cleaning import check_all_met
from segscore.io.read_options import ReadOptions
from segscore.io.reading import read_chosen
from segscore.io.table_columns import TableNotes
from segscore.tables.table import Table
from segscore.tables.view import Column

ReadOption = Annotated[
    list[str] | None,
    option("--read", Section.READING, "marks=start …: keys of convert --list.", "KEY=VALUE"),
    NamesFile("="),
]
TextUnitsOption = Annotated[
    str | None,
    option("--units -u", Section.READING, "sentences, paragraphs, lines, words …", "RULE"),
]
TextReadOption = Annotated[
    list[str] | None,
    option("--read", Section.READING, "text-encoding=utf-16, or large.", "KEY=VALUE"),
]


def keys_in(given: list[str] | None, *allowed: str) -> dict[str, Any]:
    """The keywords in --read, of a command that takes few."""
    if not given:  # what reads them need not be imported
        return {}
    from segscore.io.read_keys import options_in

    return options_in(given, allowed)


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(OptionGroup):
    """How files of codings are read."""

    units: Annotated[
        str | None,
        option("--units", Section.READING, "sentences, words, seconds:6 …", "RULE"),
    ] = None
    text: Annotated[
        Path | None,
        option("--text", Section.READING, "The texts of chunks, or of codings.", "FILE"),
    ] = None
    read_keys: ReadOption = None
    cleaning: ClassVar[bool] = False  # whether it takes the keys of conversions
    sides: ClassVar[tuple[str, ...]] = ()  # keys of files that hold both sides

    @cached_property
    def _remarks(self) -> list[str]:
        return []

    @cached_property
    def keys(self) -> dict[str, Any]:
        """What --read says."""
        if not self.read_keys:  # what reads them need not be imported
            return {}
        from segscore.io.read_keys import options_in

        return options_in(self.read_keys, cleaning=self.cleaning, sides=self.sides)

    @cached_property
    def options(self) -> ReadOptions:
        """The options as the library takes them; remarks of readers go to stderr."""
        keys = {name: value for name, value in self.keys.items() if name not in self.sides}
        return ReadOptions(
            units=self.units, text=self.text, remark=self._remarks.append,
            notes=TableNotes(receipt="sheets"), **keys,
        )  # fmt: skip

    def options_for(self, ignore_text: bool) -> ReadOptions:
        """The reading options, with `ignore_text` if a command has that option and it is given."""
        return replace(self.options, ignore_text=True) if ignore_text else self.options

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
        options = replace(self.options_for(ignore_text), coders=coders)
        corpus = read_chosen(path, form, options)
        if not more_follow:
            self.check()
        return corpus

    def check(self) -> None:
        """Report the remarks of readers; refuse names of coders, labels and columns that no file
        had."""
        self._tell_remarks()
        check_all_met(self.options)

    def _tell_remarks(self) -> None:
        remark_all(self._remarks)
        self._remarks.clear()

    @contextmanager
    def around(self) -> Iterator[None]:
        """Report skipped files at the end."""
        options = self.options
        try:
            yield
            self.check()
        finally:
            self._tell_remarks()
            if options.on_error == "skip":
                tell_skipped(options)
        if options.skipped:
            raise typer.Exit(SKIPPED)


@dataclass(frozen=True, kw_only=True)
class CleaningOptions(ReadingOptions):
    """How files of codings are read, and what is cleaned."""

    cleaning: ClassVar[bool] = True


def names_in(given: str | None) -> tuple[str, ...]:
    """`a,b,c` as names."""
    return () if given is None else tuple(part.strip() for part in given.split(",") if part.strip())


SKIPPED = 3  # exit code: done, but some files were skipped


def tell_skipped(reading: ReadOptions) -> None:
    """Report on stderr which files were skipped."""
    seen = dict.fromkeys(reading.skipped)  # a reference is read once for each hypothesis
    reading.skipped[:] = list(seen)
    if seen:
        remark(f"{len(seen)} files skipped:")
        table = Table([Column("file"), Column("reason")], [list(row) for row in seen])
        print_error(table.render("text", remark_width()))
