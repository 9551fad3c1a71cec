"""`segscore segment TEXT…`: cut texts into segments."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.options import (
    EncoderOption,
    LenientOption,
    OutputOption,
    PresetOption,
    SkipOption,
    StemmerOption,
    StopWordsOption,
)
from segscore.cli.output import remark, with_progress
from segscore.cli.progress import announced
from segscore.cli.reading_options import SKIPPED, tell_skipped
from segscore.cli.segmenter_options import Methods, refuse_metric
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from segscore.corpus.record import Record

USUAL = "utiyama-isahara"  # the best on average where the number of segments is not known
MethodHelp = (
    f'A segmenter, with parameters if need be: "texttiling(w=10)". By default {USUAL}, and '
    "embedding if --encoder is given."
)


def run(
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT…", help="Text files, each a document; folders of them; - is stdin."
        ),
    ],
    method: Annotated[
        str | None, typer.Option("--method", metavar="METHOD", help=MethodHelp)
    ] = None,
    segments: Annotated[
        str,
        typer.Option(
            "--segments",
            "-n",
            metavar="NUMBER",
            help="Number of segments; auto: the method decides.",
        ),
    ] = "auto",
    units: Annotated[
        str | None,
        typer.Option(
            "--units",
            "-u",
            metavar="RULE",
            help="What a unit is: sentences, paragraphs, lines, words or characters; by default "
            "sentences, and paragraphs in Markdown.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="Read TEXT as a corpus in this format (choi, jsonl) instead.",
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Encoding of TEXT; by default UTF-8.")
    ] = None,
    stop_words: StopWordsOption = None,
    stemmer: StemmerOption = None,
    preset: PresetOption = None,
    encoder: EncoderOption = None,
    lenient: LenientOption = False,
    on_error: SkipOption = "raise",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Number of processes; by default it depends on the number of texts."
        ),
    ] = None,
    output: OutputOption = None,
    metric: Annotated[str | None, typer.Option("-m", "--metric", hidden=True)] = None,
) -> None:
    """Cut texts into segments, and write them as JSON Lines with their units.

    Methods: c99, hc99 (every boundary, ranked), texttiling, utiyama-isahara, bayesseg, greedy-bayes
    and hier-bayes (levels as ranks), mincutseg, aps; cwm(space=FILE) and hcwm, in a space that
    LSASpace.save wrote; embedding, with --encoder; none, all, uniform, random, bisect. Files in
    Choi's format (.ref) are recognised. The result is what `segscore score` and `segscore compare`
    read.
    """
    from segscore.corpus.record import Record
    from segscore.io import ReadOptions, replacing
    from segscore.io.formats import jsonl
    from segscore.io.plain_texts import TextReading
    from segscore.segmenters.workers import Task, segment_all

    if metric is not None:  # -m was the method here, and is a metric in every other command
        refuse_metric(metric, "-m", " by --method; segment scores nothing, segscore score -m does")
        raise SegmentationError(f"-m is a metric, and segment scores nothing: --method {metric}?")
    method = method or (USUAL if encoder is None else "embedding")
    refuse_metric(method, "--method", "; segment scores nothing, segscore score -m does")
    chosen = Methods(stop_words, stemmer, preset, encoder)
    chosen.check([method])
    wanted = _number(segments)
    _check_output(output)
    reading = ReadOptions(on_error=on_error, lenient=lenient, remark=remark)
    documents = TextReading(reading, source, units, encoding).documents(texts)
    segmenter = announced(chosen.made([method], documents)[method], documents.values())
    tasks = [Task(name, text, wanted) for name, text in documents.items()]
    with closing(segment_all(segmenter, tasks, workers)) as segmented:
        records = (
            Record(
                one.document,
                method,
                one.segmentation,
                tuple(documents[one.document]),
                kind="system",
            )
            for one in with_progress(segmented, method, len(tasks))
        )
        if output is None:
            jsonl.write(records, sys.stdout)
        else:
            told = Written()
            with replacing(output) as file:
                jsonl.write(told.counted(records), file)
            remark(f"wrote {output}: {told}", one_line=True)
    if reading.skipped:
        tell_skipped(reading)
        raise typer.Exit(SKIPPED)


class Written:
    """What was written, in numbers."""

    def __init__(self) -> None:
        self.documents = self.boundaries = 0

    def counted(self, records: "Iterable[Record]") -> "Iterator[Record]":
        """The records, counted as they pass."""
        for one in records:
            self.documents += 1
            if one.segmentation is not None:
                self.boundaries += one.segmentation.n_segments - 1
            yield one

    def __str__(self) -> str:
        documents = "document" if self.documents == 1 else "documents"
        boundaries = "boundary" if self.boundaries == 1 else "boundaries"
        return f"{self.documents:,} {documents}, {self.boundaries:,} {boundaries}"


def _number(segments: str) -> int | None:
    if segments == "auto":
        return None
    if not segments.isascii() or not segments.isdigit() or int(segments) < 1:
        raise SegmentationError(f"--segments is {segments!r}: expected auto, or a number from 1 on")
    return int(segments)


def _check_output(output: Path | None) -> None:
    """Refuse the suffix of another format: the file would not be what its name says."""
    if output is not None and output.suffix.lower() in (".csv", ".json", ".tsv", ".txt", ".ref"):
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a name such as {output.stem}.jsonl, for JSON Lines "
            "is what is written; segscore convert makes another format of it"
        )
