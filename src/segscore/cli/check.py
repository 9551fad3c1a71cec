"""`segscore check REF HYP`: input that can be scored and is probably wrong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segscore.cli.masking import MaskOption, UemOption, corpus_mask
from segscore.cli.options import (
    AlignOption,
    FormatOption,
    FormOption,
    MaxErrorOption,
    OutputOption,
)
from segscore.cli.output import chosen_form, remark, show
from segscore.cli.reading_options import HypFormatOption, RefFormatOption
from segscore.coding.word_alignment import MAX_ERROR
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.checking import Finding
    from segscore.corpus.corpus import Corpus
    from segscore.io import ReadOptions
    from segscore.pairing import Pairing
    from segscore.pairing.pairs import Pairs


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    hypothesis: Annotated[
        Path | None, typer.Argument(metavar="HYP", help="A file or a folder.")
    ] = None,
    coder: Annotated[
        str | None,
        typer.Option("--reference", help="The coder of REF that is the reference."),
    ] = None,
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    align: AlignOption = None,
    max_error: MaxErrorOption = MAX_ERROR,
    mask: MaskOption = None,
    uem: UemOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if there is a warning or an error.")
    ] = False,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Look for input that can be scored and is probably wrong.

    Labels in the wrong frame, sides that are shifted or swapped, padding, masses read as positions,
    units of different size, empty or identical hypotheses, texts under two names: each with its
    evidence, its likely cause and what to do. With one file alone, --reference names the coder to
    compare the others with. `score` and `compare` run the cheap rules by themselves.
    """
    from segscore.checking import check, findings_table
    from segscore.io.reading import for_chunks, read

    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    if hypothesis is not None:
        formats = ref_from or source, hyp_from or source
        reading = for_chunks(reference, [hypothesis], formats, reading)

    def sides(options: "ReadOptions") -> list[Any]:
        chosen = vars(options)
        refs = read(reference, ref_from or source, **chosen)
        if hypothesis is None:
            return [refs]
        return [refs, read(hypothesis, hyp_from or source, **chosen)]

    files = sides(reading)
    refs, hyps = files[0], files[-1]
    if hypothesis is None:
        others = [one for one in refs.coders if one != coder]
        if not others:
            raise SegmentationError(f"{reference} has no other coder than {coder!r}: expected one")
        hyps = hyps.select(coders=others)
    if coder is not None:
        refs = refs.select(coders=[coder])
    cut = corpus_mask(mask, uem, refs)
    found = check(refs, hyps, align=align, max_error=max_error, mask=cut)
    found = [*same_file(reference, hypothesis, coder), *found]
    found += _marks_of_few(reading, files, sides)  # notes, which stand behind all others
    if not found and chosen_form(form, output) == "text" and output is None:
        typer.echo("nothing found that looks wrong")
    else:
        show(findings_table(found), form, output)
    if strict and any(one.severity != "note" for one in found):
        raise typer.Exit(1)


def _marks_of_few(
    reading: "ReadOptions", files: "list[Corpus]", sides: "Callable[[ReadOptions], list[Corpus]]"
) -> "Iterator[Finding]":
    """A note if the labels of few documents look as if --marks was another; they are read again."""
    from segscore.checking import FEWEST, OTHER_MARKS, doubtful_marks

    marks = reading.marks
    if marks not in OTHER_MARKS or max(map(len, files)) >= FEWEST:
        return
    other: Any = OTHER_MARKS[marks]
    try:
        again = sides(replace(reading, marks=other, remark=lambda _: None, skipped=[]))
    except SegmentationError:  # they cannot be read so: no doubt
        return
    yield from doubtful_marks(marks, files, again)


def same_file(
    reference: Path, hypothesis: Path | None, coder: str | None = None
) -> "list[Finding]":
    """A finding if one file is given for both sides, and no coder of it is chosen."""
    from segscore.checking import Finding

    if hypothesis is None or coder is not None or not _is_same(reference, hypothesis):
        return []
    return [
        Finding(
            "same-file",
            "warning",
            f"REF and HYP are the same file, {reference}.",
            {},
            (),
            "What is held against itself is perfect: give the output of the system as HYP.",
        )
    ]


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def warn_of_pairing(pairing: "Pairing", reference: str, hypothesis: Path | None) -> None:
    """The same for what was read from files; names of files count as names, too."""
    names = [pairing.hypothesis, *([hypothesis.stem] if hypothesis else [])]
    warn_of(pairing.pairs, [reference], names)


def warn_of_same_file(reference: Path, hypothesis: Path | None, coder: str | None) -> None:
    """One line if one file is given for both sides."""
    for finding in same_file(reference, hypothesis, coder):
        remark(f"{finding} (--no-check silences this)")


def warn_of(pairs: "Pairs", ref_names: Sequence[str], hyp_names: Sequence[str]) -> None:
    """One line for each thing that is probably wrong with what is scored."""
    from segscore.checking import quick_check

    for finding in quick_check(pairs, ref_names, hyp_names):
        remark(f"{finding.of(hyp_names[0])} (--no-check silences this)")
