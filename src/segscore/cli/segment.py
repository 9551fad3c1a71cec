"""`segscore segment TEXT…`: cut texts into segments."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.options import OutputOption, StemmerOption, StopWordsOption
from segscore.cli.output import with_progress
from segscore.cli.progress import announced
from segscore.errors import SegmentationError

MethodHelp = 'A segmenter, with parameters if need be: "texttiling(w=10)".'


def run(
    texts: Annotated[
        list[Path], typer.Argument(metavar="TEXT…", help="Text files; each is a document.")
    ],
    method: Annotated[str, typer.Option("--method", metavar="METHOD", help=MethodHelp)] = "c99",
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
    LSASpace.save wrote; none, all, uniform, random, bisect. The result is what `segscore score` and
    `segscore compare` read.
    """
    from segscore.io import replacing
    from segscore.io.formats import jsonl
    from segscore.records import Record
    from segscore.segmenters import by_name
    from segscore.segmenters.workers import Task, segment_all

    if metric is not None:  # -m was the method here, and is a metric in every other command
        raise SegmentationError(f"-m is a metric, and segment scores nothing: --method {metric}?")
    chosen = by_name.with_words(by_name.segmenter(method), stop_words, stemmer)
    wanted = _number(segments)
    _check_output(output)
    documents = _read(texts, source, units, encoding)
    chosen = announced(chosen, documents.values())
    tasks = [Task(name, text, wanted) for name, text in documents.items()]
    with closing(segment_all(chosen, tasks, workers)) as segmented:
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
            return
        with replacing(output) as file:
            jsonl.write(records, file)


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


def _read(
    paths: list[Path], source: str | None, units: str | None, encoding: str | None
) -> dict[str, list[str]]:
    """The units of each document by its name: the file's, with its folder where that is needed."""
    from segscore.io import read
    from segscore.io.compressed import stem_of, suffix_of
    from segscore.io.files import Source
    from segscore.io.zips import unpacked
    from segscore.text.unit_splitting import text_rule, units_of

    if units is not None:
        text_rule(units)  # refuse a wrong name before anything is read
    found: dict[str, list[str]] = {}

    def add(path: Path, name: str, text: Sequence[str] | None) -> None:
        if not text:
            raise SegmentationError(f"{path}: document {name!r} is empty: expected text")
        if name in found:
            raise SegmentationError(
                f"{path}: document {name!r} is there twice: expected different names"
            )
        found[name] = list(text)

    for path in paths:
        # Markdown is read as the other commands read it: headings are no units
        kind = "markdown" if suffix_of(path) in (".md", ".markdown") else None
        if source is not None or kind is not None:
            rule = units if source is None else None
            corpus = read(path, format=source or kind, encoding=encoding, units=rule)
            for name, document in corpus.items():
                add(path, name, document.units)
            continue
        with unpacked(path) as kept:
            name = stem_of(kept) if stem_of(kept) not in found else str(path)
            text = Source(kept, name, coder="", encoding=encoding).read_text()
        add(path, name, units_of(text, units or "sentences"))
    return found
