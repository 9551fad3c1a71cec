"""`segscore check REF HYP`: input that can be scored and is probably wrong."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.checking import (
    FEWEST,
    OTHER_MARKS,
    Finding,
    check,
    doubtful_marks,
    findings_table,
)
from segscore.checking.names import same_file
from segscore.cli.options import (
    AlignOption,
    FormatOptions,
    HypothesisArgument,
    MaskOption,
    MaxErrorOption,
    ReferenceArgument,
    UemOption,
    mask_of,
    max_error_of,
)
from segscore.cli.output import OutputOptions
from segscore.cli.reading_options import ReadingOptions
from segscore.cli.streams import print_out
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.io.read_options import ReadOptions
from segscore.io.reading import for_chunks, read

Sides = list[tuple[Path, str | None]]  # each file with its format


def run(
    *,
    reference: ReferenceArgument,
    hypothesis: HypothesisArgument = None,
    coder: Annotated[
        str | None,
        typer.Option("--reference", help="The coder of REF that is the reference."),
    ] = None,
    formats: FormatOptions,
    align: AlignOption = None,
    max_error: MaxErrorOption = None,
    mask: MaskOption = None,
    uem: UemOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if there is a warning or an error.")
    ] = False,
    output: OutputOptions,
    reading: ReadingOptions,
) -> None:
    """Look for input that can be scored and is probably wrong.

    Labels in the wrong frame, sides that are shifted or swapped, padding, masses read as positions,
    units of different size, empty or identical hypotheses, texts under two names: each with its
    evidence, its likely cause and what to do. With one file alone, --reference names the coder to
    compare the others with. `score` and `compare` run the cheap rules by themselves.
    """
    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    sides, options = [(reference, formats.both[0])], reading.options
    if hypothesis is not None:
        sides.append((hypothesis, formats.both[1]))
        options = for_chunks(reference, [hypothesis], formats.both, options)
    files = _read(sides, options)
    refs, hyps = files[0], files[-1]
    if hypothesis is None:
        hyps = _without(coder, hyps, reference)
    if coder is not None:
        refs = refs.select(coders=[coder])
    rate = max_error_of(max_error, align)
    found = check(refs, hyps, align=align, max_error=rate, mask=mask_of(mask, uem, refs))
    found = [*same_file(reference, hypothesis if coder is None else None), *found]
    found += _marks_of_few(options, files, sides)  # notes, which stand behind all others
    if not found and output.chosen_form == "text" and output.file is None:
        print_out("nothing found that looks wrong")
    else:
        output.show(findings_table(found))
    if strict and any(one.severity != "note" for one in found):
        raise typer.Exit(1)


def _read(sides: Sides, options: ReadOptions) -> list[Corpus]:
    """What the files hold: one, or two."""
    return [read(path, form, **vars(options)) for path, form in sides]


def _without(coder: str | None, corpus: Corpus, path: Path) -> Corpus:
    """The codings of others, who are held against a coder of the same file."""
    others = [one for one in corpus.coders if one != coder]
    if not others:
        raise SegmentationError(f"{path} has no other coder than {coder!r}: expected one")
    return corpus.select(coders=others)


def _marks_of_few(reading: ReadOptions, files: list[Corpus], sides: Sides) -> Iterator[Finding]:
    """A note if the labels of few documents look as if --marks was another; they are read again."""
    marks = reading.marks
    if marks not in OTHER_MARKS or max(map(len, files)) >= FEWEST:
        return
    other: Any = OTHER_MARKS[marks]
    try:
        again = _read(sides, replace(reading, marks=other, remark=lambda _: None, skipped=[]))
    except SegmentationError:  # they cannot be read so: no doubt
        return
    yield from doubtful_marks(marks, files, again)
