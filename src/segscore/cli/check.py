"""`segscore check REF HYP`: find input that is probably wrong."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from segscore.checking import (
    FEWEST,
    OTHER_MARKS,
    Finding,
    check,
    doubtful_marks,
    findings_table,
)
from segscore.cli import options as opts
from segscore.cli.commands import STATISTICS, argument, option
from segscore.cli.output import Output
from segscore.cli.streams import print_out
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.io.read_options import ReadOptions
from segscore.io.reading import for_chunks, read_chosen
from segscore.pairing.rules import Align, consensus_rule

Sides = list[tuple[Path | list[Path], str | None]]  # each file, or list of files, with its format


def run(
    *,
    reference: Path = opts.REFERENCE,
    hypothesis: Path | None = opts.HYPOTHESIS,
    others: list[Path] | None = argument(
        "CODINGS…", "Files of more coders, as agree takes them.", None
    ),
    coder: str | None = opts.REFERENCE_CODER,
    metrics: list[str] | None = opts.METRICS,
    align: Align | None = opts.ALIGN,
    mask: list[str] | None = opts.MASK,
    strict: bool = option("--strict", STATISTICS, "Exit with code 1 if anything is found."),
    output: Output,
    reading: opts.PairedReading,
) -> None:
    """Find input that is probably wrong.

    It finds labels in the wrong frame, sides that are shifted or swapped, padding, masses read as
    positions, units of different size, empty or identical hypotheses, and texts under two names.
    Each finding has its evidence, its likely cause and what to do. With a single file, or with
    three or more, --reference names the coder to compare the others with; without it the coders are
    checked, each alone and with the others.
    `score`, `compare`, `agree` and `curve` run the cheap rules by themselves and show the three
    gravest findings.
    """
    sides: Sides = [(reference, reading.formats[0])]
    options = reading.options
    if hypothesis is not None and others:
        sides, hypothesis = [([reference, hypothesis, *others], reading.formats[0])], None
    if hypothesis is not None:
        sides.append((hypothesis, reading.formats[1]))
        options = for_chunks(reference, [hypothesis], reading.formats, options)
    files = _read(sides, options)
    reading.finish()
    refs = files[0]
    hyps = files[1] if hypothesis is not None else _others(coder, refs, reference)
    if coder is not None:
        refs = _chosen(refs, coder)
    found = check(refs, hyps, align=align, mask=opts.mask_of(mask, refs), metrics=metrics or ())
    found += _marks_of_few(options, files, sides)  # notes, which stand behind all others
    if not found and output.chosen == "text" and output.file is None:
        alone = hyps is None and len(refs.coders) == 1
        more = " in this file alone; a second file is compared with it" if alone else ""
        print_out(f"nothing found that looks wrong{more}")
    else:
        output.show(findings_table(found))
    if strict and any(finding.severity != "note" for finding in found):
        raise typer.Exit(1)


def _read(sides: Sides, options: ReadOptions) -> list[Corpus]:
    """The corpora in the one or two files."""
    return [read_chosen(path, form, options) for path, form in sides]


def _chosen(corpus: Corpus, coder: str) -> Corpus:
    """The codings of the reference: a coder's, or the consensus."""
    rule = consensus_rule(coder)
    if rule is None:
        return corpus.select(coders=[coder])
    from segscore.coders.gold import consensus

    return consensus(corpus, *rule)


def _others(coder: str | None, corpus: Corpus, path: Path) -> Corpus | None:
    """The codings to compare with a coder of the same file; None: compare all with each other."""
    others = [other for other in corpus.coders if other != coder]
    if coder is not None and not others:
        raise SegmentationError(f"{path} has no other coder than {coder!r}: expected one")
    return None if coder is None else corpus.select(coders=others)


def _marks_of_few(reading: ReadOptions, files: list[Corpus], sides: Sides) -> Iterator[Finding]:
    """A note if the labels of few documents suggest other marks; they are read again."""
    marks = reading.marks
    if marks not in OTHER_MARKS or max(map(len, files)) >= FEWEST:
        return
    other: Any = OTHER_MARKS[marks]
    try:
        again = _read(sides, replace(reading, marks=other, remark=lambda _: None, skipped=[]))
    except SegmentationError:  # they cannot be read so: no doubt
        return
    yield from doubtful_marks(marks, files, again)
