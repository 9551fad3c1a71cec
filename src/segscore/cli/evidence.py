"""`segscore evidence TEXTS QUESTIONS CHUNKS…`: is the answer in one chunk?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from segscore.chunks.evidence_measures import (
    DEFINITIONS,
    OF_RETRIEVAL,
    Convention,
    Depth,
    EvidenceMeasure,
)
from segscore.chunks.evidence_scores import Cluster
from segscore.cli.chunk_options import (
    ChunkReportOption,
    ChunksArgument,
    MissingOption,
    TextsArgument,
    TokensOption,
    chunker_files,
    token_function,
)
from segscore.cli.gate import LimitOptions
from segscore.cli.option_groups import NamesFile, OptionGroup, Section
from segscore.cli.options import RESAMPLES, LevelOption, ResamplesOption, SeedOption
from segscore.cli.output import WITHOUT_NOTES, Output, write_page
from segscore.cli.reading_options import LargeOption, TextEncodingOption
from segscore.comparison.advice import Test
from segscore.comparison.comparison_entries import Correction
from segscore.errors import SegmentationError, nearest

if TYPE_CHECKING:
    from segscore.chunks.evidence_comparison import EvidenceComparison

_MOST_DIGITS = 15  # of k; Python refuses to read integers of thousands
QuestionsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="QUESTIONS",
        help="JSON Lines with question, document and evidence, a list of spans with start and end "
        "or with their text; or CSV or TSV with the evidence as JSON.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions(OptionGroup):
    """What was fetched, and how much of it counts."""

    section = Section.METRICS

    retrieved: Annotated[
        list[str] | None,
        typer.Option(
            "--retrieved",
            metavar="FILE",
            help="What was fetched: JSON Lines with question and retrieved, ids or positions of "
            "chunks, best first. One for each of CHUNKS, in their order, or CHUNKER=FILE.",
        ),
        NamesFile("="),
    ] = None
    k: Annotated[
        str | None,
        typer.Option(
            "--k",
            metavar="NUMBER",
            help="How many fetched chunks count; by default all. touched: as many as hold evidence "
            "for the question.",
        ),
    ] = None

    def depth(self) -> Depth:
        """The value of --k as the library takes it."""
        if self.k is None:
            return None
        if self.retrieved is None:
            raise SegmentationError("--k needs --retrieved: expected both, or neither")
        if self.k == "touched":
            return "touched"
        fits = self.k.isdecimal() and self.k.isascii() and len(self.k) <= _MOST_DIGITS
        if not fits or int(self.k) < 1:
            raise SegmentationError(f"--k is {self.k!r}: expected a number from 1 on, or touched")
        return int(self.k)

    def by_chunker(self, chunkers: Sequence[str]) -> dict[str, Path] | None:
        """The file of each chunker: named, or in the order of the chunkers."""
        if self.retrieved is None:
            return None
        from segscore.comparison.system_files import system_files

        files = system_files(self.retrieved)
        if len(files) != len(chunkers):
            raise SegmentationError(
                f"--retrieved is given {len(files)} times, and there are {len(chunkers)} files of "
                "chunks: expected one for each"
            )
        pairs = zip(files, chunkers, strict=True)
        return {file.name or chunker: file.path for file, chunker in pairs}


@dataclass(frozen=True, kw_only=True)
class EvidenceStatistics(OptionGroup):
    """Averages, intervals and tests; named as in the library."""

    section = Section.STATISTICS

    average: Annotated[
        Literal["pooled", "mean"],
        typer.Option(
            "--average",
            help="What intervals, tests and limits are about: pooled over spans or characters, or "
            "the mean over questions.",
        ),
    ] = "pooled"
    cluster: Annotated[
        Cluster,
        typer.Option(
            "--cluster",
            help="What is resampled: a document with its questions, which are alike, or each "
            "question by itself, which says nothing about other texts.",
        ),
    ] = "document"
    test: Annotated[Test, typer.Option("--test", help="The test of differences.")] = "randomisation"
    correction: Annotated[
        Correction, typer.Option("--correction", help="Correction of p for many pairs.")
    ] = "holm"
    level: LevelOption = 0.95
    n_resamples: ResamplesOption = RESAMPLES
    seed: SeedOption = 0


View = Literal["auto", "chunkers", "measures", "pairs", "questions", "cut", "curve"]
ShowOption = Annotated[
    View,
    typer.Option(
        "--show",
        rich_help_panel=Section.OUTPUT,
        help="The table to show. measures has both averages; cut is the evidence that was cut, "
        "with the text around it; curve is over k. auto: measures for one chunker, chunkers for "
        "several.",
    ),
]
ConventionOption = Annotated[
    Convention,
    typer.Option(
        "--convention",
        rich_help_panel=Section.METRICS,
        help="program: count like the published program (Smith & Troynikov 2024).",
    ),
]


def run(
    *,
    texts: TextsArgument,
    questions: QuestionsArgument,
    chunks: ChunksArgument,
    retrieval: RetrievalOptions,
    convention: ConventionOption = "segscore",
    tokens: TokensOption = None,
    view: ShowOption = "auto",
    statistics: EvidenceStatistics,
    page: ChunkReportOption = None,
    gate: LimitOptions,
    missing: MissingOption = "error",
    text_encoding: TextEncodingOption = None,
    large: LargeOption = False,
    output: Output,
) -> None:
    """Measure whether the evidence for answers is in one chunk.

    Also measure what it costs to fetch it. whole is the share of evidence spans that lie completely
    in one chunk, precision-omega the share of evidence in the chunks that touch it. With
    --retrieved there are also recall, precision, iou and hit of what was fetched. Chunks may
    overlap, leave gaps and cut words; white space at the ends of evidence does not count.
    """
    from segscore.chunks.evaluating import compare_evidence

    limits = gate.limits(lambda name: _measure(name, retrieval))
    names, given = chunker_files(chunks)
    comparison = compare_evidence(
        given, questions, texts, retrieval.by_chunker(names), retrieval.depth(),
        convention=convention, tokens=token_function(tokens), missing=missing,
        encoding=text_encoding, large=large, **vars(statistics),
    )  # fmt: skip
    _show(comparison, view, output)
    write_page(comparison, page)
    gate.hold(
        limits,
        comparison.chunkers,
        lambda chunker, name: comparison[chunker, name.partition("(")[0]].value,
        comparison.average,
    )


def _show(comparison: "EvidenceComparison", view: View, output: Output) -> None:
    """Show the requested table, and remarks about it."""
    if view == "auto":
        view = "measures" if len(comparison.chunkers) == 1 else "chunkers"
    tables = {
        "chunkers": comparison.to_table,
        "measures": comparison.measures_table,
        "pairs": comparison.pairs_table,
        "questions": comparison.questions_table,
        "cut": comparison.cut_table,
        "curve": comparison.curve_table,
    }
    output.show(tables[view]())
    below = view in ("chunkers", "pairs") and output.chosen_form not in WITHOUT_NOTES
    about_them = view in ("chunkers", "pairs", "measures") and not below
    without = view in ("questions", "cut") or output.chosen_form in WITHOUT_NOTES
    output.remark_notes(
        [*(comparison.notes if without else ()), *(comparison.warnings if about_them else ())]
    )


def _measure(name: str, retrieval: RetrievalOptions) -> EvidenceMeasure:
    """The measure that a limit is about; `recall(k=3)` if k is 3."""
    plain, mark, rest = name.partition("(")
    if plain not in DEFINITIONS:
        raise SegmentationError(f"there is no measure {name!r}{nearest(plain, DEFINITIONS)}")
    if plain in OF_RETRIEVAL and retrieval.retrieved is None:
        raise SegmentationError(f"{plain} is about what was fetched: expected --retrieved")
    known = f"k={retrieval.k or 'all'})"
    if mark and (plain not in OF_RETRIEVAL or rest.replace(" ", "") != known):
        fits = f"{plain}({known}" if plain in OF_RETRIEVAL else plain
        raise SegmentationError(
            f"a limit is about {name!r}: expected {plain}, or {fits}, which is what "
            "is measured; --k says how many chunks count"
        )
    return EvidenceMeasure(plain)
