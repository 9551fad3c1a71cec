"""`segscore segment TEXT…`: cut texts into segments."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.commands import OWN, option
from segscore.cli.options import FormatOption, TextReadOption, TextUnitsOption, end_skipped, keys_in
from segscore.cli.output import OutputOption, remark, remark_all, with_progress
from segscore.cli.streams import reader_may_leave
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, number_of
from segscore.io import ReadOptions, replacing
from segscore.io.formats import jsonl

USUAL = "utiyama-isahara"  # the best on average where the number of segments is not known
_OTHER_FORMATS = (".csv", ".json", ".ref", ".srt", ".tsv", ".txt", ".vtt")
WorkersOption = Annotated[int | None, option("--workers", OWN, "Number of processes.", "NUMBER")]


@dataclass(kw_only=True)
class MethodOptions:
    """The options of all methods of a command."""

    stop_words: Annotated[
        Path | None, option("--stop-words", OWN, "Words to leave out, a file.", "FILE")
    ] = None
    stemmer: Annotated[
        str | None, option("--stemmer", OWN, "A language, martin, choi or none.", "NAME")
    ] = None
    preset: Annotated[
        str | None, option("--preset", OWN, "Words as choi2000 or mit did.", "NAME")
    ] = None
    encoder: Annotated[
        str | None, option("--encoder", OWN, "MODULE:FUNCTION, .npy, .npz.", "ENCODER")
    ] = None

    def check(self, names: Iterable[str]) -> None:
        """Refuse what is wrong before texts are read."""
        if self.encoder is None or not any(name.startswith("embedding") for name in names):
            self.segmenters(names, None)

    def segmenters(
        self, names: Iterable[str], documents: Mapping[str, Sequence[str]] | None
    ) -> dict[str, Callable[..., Segmentation]]:
        """The segmenters by name; files of vectors are read for these documents."""
        from segscore.segmenters import by_name
        from segscore.segmenters.embedding import encoder

        encode = None
        if self.encoder is not None and documents is not None:
            encode = encoder(self.encoder, documents)
        return {
            name: by_name.with_words(
                by_name.segmenter_named(name, encode), self.stop_words, self.stemmer, self.preset
            )
            for name in names
        }


def run(
    *,
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT…", help="Texts, subtitles, corpora with text; - is stdin."),
    ],
    method: Annotated[
        str | None, option("--method", OWN, 'A segmenter: c99, "texttiling(w=10)".', "METHOD")
    ] = None,
    segments: Annotated[
        str, option("--segments -n", OWN, "How many; auto: the method decides.", "NUMBER")
    ] = "auto",
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

    method = method or (USUAL if methods.encoder is None else "embedding")
    methods.check([method])
    wanted = number_of_segments(segments)
    if output is not None and output.suffix.lower() in _OTHER_FORMATS:
        raise SegmentationError(
            f"-o is {str(output)!r}: expected {output.stem}.jsonl, because JSON Lines is written"
        )
    remarks: list[str] = []
    keys = keys_in(read, "text_encoding", "lenient", "on_error", "large")
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
    end_skipped(reading.skipped)


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


def number_of_segments(segments: str, *words: str) -> int | None:
    """The value of --segments, unless it is another word: a number, or None for auto."""
    if segments == "auto":
        return None
    if not segments.isascii() or not segments.isdigit() or int(segments) < 1:
        expected = "".join(f"{word}, " for word in (*words, "auto"))
        raise SegmentationError(
            f"--segments is {segments!r}: expected {expected}or a number from 1 on"
        )
    return int(segments)
