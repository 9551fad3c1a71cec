"""`segscore check REF HYP`: find input that is probably wrong.
`segscore audit REF HYP`: the numbers that others would print, and why they differ."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import typer

from segscore.checking import FEWEST, OTHER_MARKS, Finding, check, doubtful_marks, findings_table
from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, STATISTICS, argument, option
from segscore.cli.output import Output, print_out
from segscore.conventions.convention import AuditMeasure
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, named
from segscore.pairing.inputs import Reader
from segscore.pairing.pairs import read_pairs
from segscore.pairing.rules import Align, PairingRules, consensus_rule

Sides = dict[str, Path | list[Path]]  # the file of each side, or files that hold both


def run_check(
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
    sides: Sides = {"reference": reference}
    if hypothesis is not None and others:
        sides, hypothesis = {"reference": [reference, hypothesis, *others]}, None
    if hypothesis is not None:
        sides["hypothesis"] = hypothesis
    reader = reading.reader().beside(reference, [] if hypothesis is None else [hypothesis])
    files = [reader.corpus(path, side) for side, path in sides.items()]
    reading.finish()
    refs = files[0]
    hyps = files[1] if hypothesis is not None else _others(coder, refs, reference)
    if coder is not None:
        refs = _chosen(refs, coder)
    found = check(refs, hyps, align=align, mask=opts.mask_of(mask, refs), metrics=metrics or ())
    found += _marks_of_few(reader, files, sides)  # notes, which stand behind all others
    if not found and output.chosen == "text" and output.file is None:
        alone = hyps is None and len(refs.coders) == 1
        more = " in this file alone; a second file is compared with it" if alone else ""
        print_out(f"nothing found that looks wrong{more}")
    else:
        output.show(findings_table(found))
    if strict and any(finding.severity != "note" for finding in found):
        raise typer.Exit(1)


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


def _marks_of_few(reader: Reader, files: list[Corpus], sides: Sides) -> Iterator[Finding]:
    """A note if the labels of few documents suggest other marks; they are read again."""
    choices: Any = reader.choices
    marks = choices.marks
    if marks not in OTHER_MARKS or max(map(len, files)) >= FEWEST:
        return
    other: Any = OTHER_MARKS[marks]
    try:
        choices = replace(choices, marks=other, remark=lambda _: None, skipped=[])
        other_way = replace(reader, choices=choices, references=None)
        again = [other_way.corpus(path, side) for side, path in sides.items()]
    except SegmentationError:  # they cannot be read so: no doubt
        return
    yield from doubtful_marks(marks, files, again)


# ---- the numbers of others ----

_MEASURES = ", ".join(get_args(AuditMeasure))


def run_audit(
    *,
    reference: Path = opts.REFERENCE,
    hypothesis: Path | None = opts.HYPOTHESIS,
    expect: str | None = option("--expect", OWN, "A number to explain: 0.3667, 36.67%.", "NUMBER"),
    coder: str | None = opts.REFERENCE_CODER,
    system: str | None = opts.HYPOTHESIS_CODER,
    tolerance: str = option(
        "--tolerance", OWN, "For boundary F1: units, or a time (10s).", "UNITS", "0"
    ),
    measures: list[str] | None = option("--metric -m", OWN, f"Only {_MEASURES}.", "METRIC"),
    every: bool = option("--all", OUTPUT, "Show all numbers."),
    pairing: opts.PairingOptions,
    output: Output,
    reading: opts.PairedReading,
) -> None:
    """Show Pk, WindowDiff, F1, B and S under every known convention.

    The ten numbers that differ most from segscore's are shown, or with --all every one. --expect
    shows those that print a given number, the likeliest first; it also tries swapped sides, failed
    documents that count 0 or 1, fixed windows and other common mistakes of scripts.
    """
    from segscore.conventions import audit

    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    found = read_pairs(
        reference,
        hypothesis,
        PairingRules(coder, system, pairing.missing, pairing.ignore_text, pairing.align),
        reading.reader(ignore_text=pairing.ignore_text),
    )
    reading.finish()
    if len(found) > 1:
        names = named(found)
        raise SegmentationError(
            f"there are {len(found)} hypotheses: expected --hypothesis, one of {names}"
        )
    (pairs,) = found.values()
    silent = reading.reader(remark=lambda _: None, skipped=[])  # reported above
    audited = audit(
        pairs,
        expect=expect,
        tolerance=int(tolerance) if tolerance.isdecimal() else tolerance,
        measures=measures or None,  # type: ignore[arg-type]  # checked there
        mask=opts.mask_of(pairing.mask, pairs),
        texts=lambda: silent.codings(reference, "reference").texts,
    )
    if every or not output.has_notes:
        output.show(audited.to_table())
        return
    table = audited.short_table()
    left = len(audited.rows) - len(table.rows)
    table = table if table.rows else replace(table, columns=[], rows=[])
    more = f"{left} more numbers, under other conventions: --all shows them."
    output.show(replace(table, footnotes=[*table.footnotes, *([more] if left else [])]))
