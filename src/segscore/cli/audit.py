"""`segscore audit REF HYP`: the numbers that others would print, and why they differ."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, option
from segscore.cli.output import Output
from segscore.conventions.convention import AuditMeasure
from segscore.errors import SegmentationError, named

_MEASURES = ", ".join(get_args(AuditMeasure))


def run(
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
    from segscore.pairing import read_pairs
    from segscore.pairing.inputs import Reader
    from segscore.pairing.rules import PairingRules

    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    found = read_pairs(
        reference,
        hypothesis,
        PairingRules(coder, system, pairing.missing, pairing.ignore_text, pairing.align),
        Reader(reading.formats, replace(reading.options, ignore_text=pairing.ignore_text)),
    )
    reading.finish()
    if len(found) > 1:
        names = named(found)
        raise SegmentationError(
            f"there are {len(found)} hypotheses: expected --hypothesis, one of {names}"
        )
    (pairs,) = found.values()
    silent = replace(reading.options, remark=lambda _: None, skipped=[])  # reported above
    audited = audit(
        pairs,
        expect=expect,
        tolerance=int(tolerance) if tolerance.isdecimal() else tolerance,
        measures=measures or None,  # type: ignore[arg-type]  # checked there
        mask=opts.mask_of(pairing.mask, pairs),
        texts=lambda: Reader(reading.formats, silent).codings(reference, "reference").texts,
    )
    if every or not output.has_notes:
        output.show(audited.to_table())
        return
    table = audited.short_table()
    left = len(audited.rows) - len(table.rows)
    table = table if table.rows else replace(table, columns=[], rows=[])
    more = f"{left} more numbers, under other conventions: --all shows them."
    output.show(replace(table, footnotes=[*table.footnotes, *([more] if left else [])]))
