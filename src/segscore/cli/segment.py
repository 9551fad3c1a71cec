"""`segscore segment TEXT…`: cut texts into segments."""

import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from segscore.cli import options as opts
from segscore.cli.commands import OWN, argument, option
from segscore.cli.output import FILE, remark, remark_all, with_progress
from segscore.cli.streams import reader_may_leave
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, number_of
from segscore.io import ReadOptions, replacing
from segscore.io.formats import jsonl

USUAL = "utiyama-isahara"  # the best on average where the number of segments is not known
_OTHER_FORMATS = (".csv", ".json", ".ref", ".srt", ".tsv", ".txt", ".vtt")


def run(
    *,
    texts: list[Path] = argument("TEXT…", "Texts, subtitles, corpora with text; - is stdin."),
    method: str | None = option("--method", OWN, 'A segmenter: c99, "texttiling(w=10)".', "METHOD"),
    segments: str = option(
        "--segments -n", OWN, "How many; auto: the method decides.", "NUMBER", "auto"
    ),
    units: str | None = opts.TEXT_UNITS,
    source: str | None = opts.FORMAT,
    methods: opts.MethodOptions,
    read: list[str] | None = opts.TEXT_READ,
    workers: int | None = opts.WORKERS,
    output: Path | None = FILE,
) -> None:
    """Cut texts into segments, and write them as JSON Lines.

    Methods: utiyama-isahara (the default), c99, texttiling, bayesseg, greedy-bayes, mincutseg, aps;
    hc99 and hier-bayes (levels as ranks); cwm(space=FILE) and hcwm; embedding, with --encoder;
    none, all, uniform, random, bisect. Other commands read the result.
    """
    from segscore.io.texts import units_by_document
    from segscore.segmenters.workers import Task, segment_all

    method = method or (USUAL if methods.encoder is None else "embedding")
    methods.check([method])
    wanted = opts.number_of_segments(segments)
    if output is not None and output.suffix.lower() in _OTHER_FORMATS:
        raise SegmentationError(
            f"-o is {str(output)!r}: expected {output.stem}.jsonl, because JSON Lines is written"
        )
    remarks: list[str] = []
    keys = opts.keys_in(read, "text_encoding", "lenient", "on_error", "large")
    reading = ReadOptions(units=units, remark=remarks.append, **keys)
    try:
        documents = units_by_document(texts, reading, format=source)
    finally:
        remark_all(remarks)
    segmenter = methods.segmenters([method], documents)[method]
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
    opts.end_skipped(reading.skipped)


def _write(records: Iterable[Record], output: Path | None) -> None:
    """Write codings as they come, or to a file, and then report their number."""
    if output is None:
        with reader_may_leave():
            jsonl.write_jsonl(records, sys.stdout)
        return
    with replacing(output) as file:
        done = list(records)
        jsonl.write_jsonl(done, file)
    n_boundaries = sum(record.segmentation.n_segments - 1 for record in done if record.segmentation)
    counts = f"{number_of(len(done), 'document')}, {number_of(n_boundaries, 'boundary')}"
    remark(f"wrote {output}: {counts}", one_line=True)
