"""`segscore segment TEXT…`: cut texts into segments.
`segscore benchmark DATA…`, or `--corpus NAME`: segmenters over a corpus, compared, or by --tune
settings of one of them.
`segscore simulate`: random references, and hypotheses that err from them."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore import simulate
from segscore.basics.arguments import generator
from segscore.basics.specs import parameter_value
from segscore.cli import options as opts
from segscore.cli.commands import OWN, argument, option
from segscore.cli.output import (
    FILE,
    REPORT,
    Output,
    reader_may_leave,
    remark,
    remark_all,
    with_progress,
    write_report,
)
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, number_of
from segscore.io import ReadOptions, read, replacing, write
from segscore.io.formats import jsonl
from segscore.metrics import Average
from segscore.pairing.pairs import Pairs

if TYPE_CHECKING:
    from segscore.corpus.corpus import Document


WORKERS = option("--workers", OWN, "Number of processes.", "NUMBER")


@dataclass(kw_only=True)
class MethodOptions:
    """The options of all methods of a command."""

    stop_words: Path | None = option("--stop-words", OWN, "Words to leave out, a file.", "FILE")
    stemmer: str | None = option("--stemmer", OWN, "A language, martin, choi or none.", "NAME")
    preset: str | None = option("--preset", OWN, "Words as choi2000 or mit did.", "NAME")
    encoder: str | None = option("--encoder", OWN, "MODULE:FUNCTION, .npy, .npz.", "ENCODER")

    def check(self, names: Iterable[str]) -> None:
        """Refuse what is wrong before texts are read."""
        if self.encoder is None or not any(name.startswith("embedding") for name in names):
            self.segmenters(names, None)

    def segmenters(
        self, names: Iterable[str], documents: Mapping[str, Sequence[str]] | None
    ) -> dict[str, Any]:
        """The segmenters by name; files of vectors are read for these documents."""
        from segscore.segmenters import by_name, embedding

        encode = None
        if self.encoder is not None and documents is not None:
            encode = embedding.encoder(self.encoder, documents)
        return {
            name: by_name.with_words(
                by_name.segmenter_named(name, encode), self.stop_words, self.stemmer, self.preset
            )
            for name in names
        }


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


# ---- texts ----

USUAL = "utiyama-isahara"  # the best on average where the number of segments is not known
_OTHER_FORMATS = (".csv", ".json", ".ref", ".srt", ".tsv", ".txt", ".vtt")


def run_segment(
    *,
    texts: list[Path] = argument("TEXT…", "Texts, subtitles, corpora with text; - is stdin."),
    method: str | None = option("--method", OWN, 'A segmenter: c99, "texttiling(w=10)".', "METHOD"),
    segments: str = option(
        "--segments -n", OWN, "How many; auto: the method decides.", "NUMBER", "auto"
    ),
    units: str | None = opts.TEXT_UNITS,
    source: str | None = opts.FORMAT,
    methods: MethodOptions,
    read: list[str] | None = opts.TEXT_READ,
    workers: int | None = WORKERS,
    output: Path | None = FILE,
) -> None:
    """Cut texts into segments, and write them as JSON Lines.

    Methods: utiyama-isahara (the default), c99, texttiling, bayesseg, greedy-bayes, mincutseg, aps;
    hc99 and hier-bayes (levels as ranks); cwm(space=FILE) and hcwm; embedding, with --encoder;
    none, all, uniform, random, bisect. Other commands read the result.
    """
    from segscore.io.texts import units_by_document
    from segscore.segmenters.workers import segment_all

    method = method or (USUAL if methods.encoder is None else "embedding")
    methods.check([method])
    wanted = number_of_segments(segments)
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
    tasks = [(name, text, wanted) for name, text in documents.items()]
    with closing(segment_all(segmenter, tasks, workers)) as segmented:
        records = (
            Record(name, method, coding, tuple(documents[name]), kind="system")
            for name, coding, _ in with_progress(segmented, method, len(tasks))
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


# ---- several segmenters ----

_USUAL = "c99 utiyama-isahara texttiling"
_SEGMENTER = re.compile(r"(?:[^\s(]|\([^)]*\)?)+")  # spaces in parentheses are part of it

_KEYS = ("text_encoding", "lenient", "large", "keep_headings", "unfinished")


def run_benchmark(
    *,
    data: list[Path] | None = argument(
        "[DATA…]", "Corpora with text, files or folders; or --corpus.", None
    ),
    corpus_name: str | None = option("--corpus", OWN, "A corpus of `segscore data`: choi.", "NAME"),
    named: list[str] | None = option(
        "--method", OWN, 'A segmenter, or several: "c99 texttiling(w=10)".', "METHOD"
    ),
    metrics: list[str] | None = opts.METRICS,
    segments: str | None = option(
        "--segments -n", OWN, "How many: reference, auto, or 12.", "NUMBER"
    ),
    tuned: bool = option("--tune", OWN, "The best settings of one --method on DATA."),
    grid: list[str] | None = option(
        "--vary", OWN, "With --tune: values to try, preference=-4,-8.", "NAME=VALUES"
    ),
    reference: str | None = option("--reference", OWN, "The coder who is the reference.", "CODER"),
    source: str | None = opts.FORMAT,
    average: Average = opts.AVERAGE,
    read: list[str] | None = opts.TEXT_READ,
    methods: MethodOptions,
    workers: int | None = WORKERS,
    report: Path | None = REPORT,
    output: Output,
) -> None:
    """Run segmenters over a corpus, and print how they compare.

    By default c99, utiyama-isahara and texttiling, with as many segments as the reference has. The
    table has scores with intervals and significant differences, the baselines none, random and
    uniform, and seconds per document. Outputs of systems that are in the corpus are compared, too.

    With --tune the table has the settings of one segmenter, each with its score and an interval.
    Do not report scores on the documents that were used for tuning.
    """
    from segscore.datasets import load
    from segscore.metrics import DEFAULT_METRICS
    from segscore.segmenters import benchmarking

    usual = _USUAL if methods.encoder is None else "embedding"
    names = _SEGMENTER.findall(" ".join(named or [usual]))
    if tuned and (len(names) != 1 or len(metrics or ()) > 1 or report is not None):
        raise SegmentationError(
            "--tune is for one --method and at most one -m, and makes no --report"
        )
    values = _grid(grid) if tuned else None
    methods.check(names)
    if segments not in (None, "reference"):
        number: Any = number_of_segments(segments, "reference")
    else:
        number = segments or ("default" if tuned else "reference")
    if (corpus_name is None) != bool(data) or (corpus_name and (source or read)):
        raise SegmentationError(
            "expected texts, or --corpus NAME alone, which has a format of its own"
        )
    corpus = load(corpus_name) if corpus_name else _documents(data or [], source, read)
    texts = {name: each.units for name, each in corpus.items() if each.units is not None}
    made = methods.segmenters(names, texts)
    common: dict[str, Any] = {
        "n_segments": number,
        "workers": workers,
        "progress": with_progress,
        "reference": reference,
        "average": average,
    }
    if tuned:
        metric, (name,) = metrics[0] if metrics else "windowdiff", names
        found = benchmarking.tune(corpus, made[name], metric, name=name, grid=values, **common)
        output.show(found.to_table())
        return
    result = benchmarking.benchmark(corpus, made, metrics=metrics or DEFAULT_METRICS, **common)
    output.show(result.to_table())
    write_report(result, report)


def _grid(given: list[str] | None) -> dict[str, list[Any]] | None:
    """The values of --vary, by parameter."""
    values: dict[str, list[Any]] = {}
    for text in given or ():
        key, _, listed = text.partition("=")
        options = [parameter_value(cell.strip()) for cell in listed.split(",") if cell.strip()]
        if not key.strip() or not options:
            raise SegmentationError(
                f"--vary is {text!r}: expected a parameter and its values, preference=-4,-6,-8"
            )
        values.setdefault(key.strip(), []).extend(options)
    return values or None


def _documents(
    paths: list[Path], source: str | None, read_keys: list[str] | None
) -> "Mapping[str, Document]":
    """The documents of files and folders."""
    remarks: list[str] = []
    try:
        return read(paths, source, remark=remarks.append, **opts.keys_in(read_keys, *_KEYS))
    finally:
        remark_all(remarks)


# ---- random codings ----

SIZES = "uniform:20:30 (30 excluded), closed:20:30, geometric:25, fixed:25, or like:FILE"


def run_simulate(
    *,
    sizes: str = option("--sizes", OWN, f"Sizes of segments: {SIZES}.", "RULE", "uniform:20:30"),
    segments: int = option(
        "--segments -n", OWN, "Segments of each reference.", "NUMBER", 1000, min=1
    ),
    references: int = option("--references", OWN, "Number of references.", "NUMBER", 1, min=1),
    hypotheses: int = option(
        "--hypotheses", OWN, "Hypotheses for each reference.", "NUMBER", 100, min=1
    ),
    n_coders: int | None = option(
        "--n-coders", OWN, "Coders of each, instead of hypotheses.", "NUMBER", min=1
    ),
    misses: float = option("--misses", OWN, "Probability that a boundary is missed.", "SHARE", 0.0),
    near_misses: float = option(
        "--near-misses", OWN, "Probability that another one is moved.", "SHARE", 0.0
    ),
    within: int | None = option("--within", OWN, "The farthest that it is moved.", "UNITS", min=1),
    false_positives: float = option(
        "--false-positives", OWN, "Probability of an extra one in a segment.", "SHARE", 0.0
    ),
    seed: int = opts.SEED,
    target: str | None = opts.TO,
    lossy: bool = opts.LOSSY,
    output: Path | None = FILE,
) -> None:
    """Simulate random references, and hypotheses that err from them.

    Each hypothesis is a document with two codings, `reference` and `hypothesis`, for `segscore
    score FILE --reference reference`; with --n-coders, each reference is a document with that
    number of codings, for `segscore agree FILE`. The output goes to stdout as JSON Lines, or with
    -o to a file in any format that `segscore convert` writes and that needs no text.
    """
    if output is None and target is not None:
        raise SegmentationError(f"--to is {target!r}, but there is no file: expected -o FILE, too")
    offsets: simulate.Offsets = simulate.UniformOffsets(1 if within is None else within)
    errors = simulate.Errors(misses, near_misses, false_positives, offsets=offsets)
    chance = generator(seed)
    refs = simulate.references(_sizes(sizes), segments, references, rng=chance)
    if n_coders is None:
        pairs = simulate.hypotheses(refs, errors, hypotheses, rng=chance)
        records = _both_codings(pairs, hypotheses)
        total = 2 * len(pairs)
    else:
        records = simulate.coders(refs, errors, n_coders, rng=chance).records()
        total = references * n_coders
    shown = with_progress(records, "simulating", total)
    if output is None:
        jsonl.write_jsonl(shown, sys.stdout)
    else:
        write(shown, output, target, lossy=lossy)


def _both_codings(pairs: Pairs, each: int) -> Iterator[Record]:
    """Hypothesis h of reference r is document r-h."""
    for row in range(len(pairs)):
        name = f"{row // each + 1}-{row % each + 1}"
        yield Record(name, "reference", pairs.reference(row))
        yield Record(name, "hypothesis", pairs.hypothesis(row))


def _sizes(text: str) -> simulate.SegmentSizes:
    """The distribution of sizes that an option names."""
    name, _, rest = text.partition(":")
    if name == "like" and rest:
        return simulate.EmpiricalSizes.of(read(rest))
    makers: dict[str, Callable[..., simulate.SegmentSizes]] = {
        "uniform": simulate.UniformSizes,
        "closed": partial(simulate.UniformSizes, closed=True),
        "geometric": simulate.GeometricSizes,
        "fixed": simulate.FixedSizes,
    }
    wanted = {"uniform": 2, "closed": 2, "geometric": 1, "fixed": 1}.get(name)
    numbers = [_number(cell, text) for cell in rest.split(":")]
    if len(numbers) != wanted:
        raise SegmentationError(f"--sizes is {text!r}: expected {SIZES}")
    return makers[name](*numbers)


def _number(cell: str, text: str) -> float:
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    raise SegmentationError(f"--sizes is {text!r}: expected {SIZES}")
