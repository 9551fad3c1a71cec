"""`segscore segment TEXT…`: cut texts into segments."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.commands import OWN, option
from segscore.cli.options import FormatOption, TextReadOption, TextUnitsOption, end_skipped, keys_in
from segscore.cli.output import OutputOption, remark, remark_all, with_progress
from segscore.cli.segmenter_options import (
    MethodOptions,
    WorkersOption,
    announced,
    number_of_segments,
    refuse_other,
)
from segscore.cli.streams import reader_may_leave
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io import ReadOptions, replacing
from segscore.io.formats import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterable

USUAL = "utiyama-isahara"  # the best on average where the number of segments is not known
TextsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="TEXT…", help="Texts, subtitles, corpora with text; - is stdin."),
]
SegmentsOption = Annotated[
    str, option("--segments -n", OWN, "How many; auto: the method decides.", "NUMBER")
]
_OTHER_FORMATS = (".csv", ".json", ".ref", ".srt", ".tsv", ".txt", ".vtt")


def run(
    *,
    texts: TextsArgument,
    method: Annotated[
        str | None, option("--method", OWN, 'A segmenter: c99, "texttiling(w=10)".', "METHOD")
    ] = None,
    segments: SegmentsOption = "auto",
    units: TextUnitsOption = None,
    source: FormatOption = None,
    methods: MethodOptions,
    read: TextReadOption = None,
    workers: WorkersOption = None,
    output: OutputOption = None,
) -> None:
    """Cut texts into segments, and write them as JSON Lines.

    Methods: utiyama-isahara (the default), c99, texttiling, bayesseg, greedy-bayes, mincutseg, aps;
    hc99 and hier-bayes (levels as ranks); cwm(space=FILE) and hcwm; embedding, with --encoder;
    none, all, uniform, random, bisect. Other commands read the result.
    """
    from segscore.io.texts import units_by_document
    from segscore.segmenters.workers import Task, segment_all

    method = _method(method, methods)
    wanted = number_of_segments(segments)
    _check_output(output)
    remarks: list[str] = []
    keys = keys_in(read, "text_encoding", "lenient", "on_error", "large")
    reading = ReadOptions(units=units, remark=remarks.append, **keys)
    try:
        documents = units_by_document(texts, reading, format=source)
    finally:
        remark_all(remarks)
    segmenter = announced(methods.made([method], documents)[method], documents.values())
    tasks = [Task(name, text, wanted) for name, text in documents.items()]
    with closing(segment_all(segmenter, tasks, workers)) as segmented:
        records = (
            Record(
                done.document,
                method,
                done.segmentation,
                tuple(documents[done.document]),
                kind="system",
            )
            for done in with_progress(segmented, method, len(tasks))
        )
        _write(records, output)
    end_skipped(reading.skipped)


def _method(method: str | None, methods: MethodOptions) -> str:
    """The segmenter; raise if its name or options are wrong."""
    method = method or (USUAL if methods.encoder is None else "embedding")
    refuse_other(
        method, "--method", "segmenter", "; segment scores nothing, segscore score -m does"
    )
    methods.check([method])
    return method


def _write(records: "Iterable[Record]", output: Path | None) -> None:
    """Write codings as they come, or to a file, and then report their number."""
    if output is None:
        with reader_may_leave():
            jsonl.write_jsonl(records, sys.stdout)
        return
    with replacing(output) as file:
        done = list(records)
        jsonl.write_jsonl(done, file)
    n_boundaries = sum(record.segmentation.n_segments - 1 for record in done if record.segmentation)
    documents = "document" if len(done) == 1 else "documents"
    boundaries = "boundary" if n_boundaries == 1 else "boundaries"
    counts = f"{len(done):,} {documents}, {n_boundaries:,} {boundaries}"
    remark(f"wrote {output}: {counts}", one_line=True)


def _check_output(output: Path | None) -> None:
    """Refuse the suffix of another format: the file would not be what its name says."""
    if output is not None and output.suffix.lower() in _OTHER_FORMATS:
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a name such as {output.stem}.jsonl, because JSON "
            "Lines is written; segscore convert converts it to another format"
        )
