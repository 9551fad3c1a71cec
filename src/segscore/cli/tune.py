"""`segscore tune DATA… --method METHOD`: a segmenter's parameters, by a small search."""

from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from segscore.cli.options import (
    DataFormatOption,
    EncoderOption,
    FormOption,
    LenientOption,
    OutputOption,
    PresetOption,
    ReferenceOption,
    StemmerOption,
    StopWordsOption,
    WordsOption,
    one_of,
)
from segscore.cli.output import remark, show, with_progress
from segscore.cli.segmenter_options import Methods, refuse_metric, refuse_segmenter
from segscore.errors import SegmentationError
from segscore.metrics.score import Average

MethodHelp = 'A segmenter; parameters given here are where the search starts: "aps(window=0.5)".'
GridHelp = "Values to try of a parameter: preference=-4,-6,-8. May be repeated; replaces the usual."


def run(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA…",
            help="Development documents: corpora with text. Without --method, METHOD comes first.",
        ),
    ],
    method: Annotated[
        str | None, typer.Option("--method", metavar="METHOD", help=MethodHelp)
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", "-m", metavar="METRIC", help='What is to be best: "wd(k=3)".')
    ] = "windowdiff",
    grid: Annotated[
        list[str] | None, typer.Option("--grid", metavar="PARAMETER=VALUES", help=GridHelp)
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            "--search", metavar="WAY", help="coordinate: parameter by parameter; grid: everything."
        ),
    ] = "coordinate",
    segments: Annotated[
        str,
        typer.Option(
            "--segments",
            "-n",
            metavar="NUMBER",
            help="auto: the method decides; reference: as many as it has; or a number. "
            "By default auto where the method can, else reference.",
        ),
    ] = "default",
    reference: ReferenceOption = None,
    source: DataFormatOption = None,
    words: WordsOption = False,
    average: Annotated[
        Average,
        typer.Option(
            "--average", help="micro: of all documents together; macro: the mean over documents."
        ),
    ] = "micro",
    stop_words: StopWordsOption = None,
    stemmer: StemmerOption = None,
    preset: PresetOption = None,
    encoder: EncoderOption = None,
    lenient: LenientOption = False,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes; by default where they pay.")
    ] = None,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Try settings of a segmenter on development documents, and print how each did.

    Each score has a 95 % interval from resampled documents. The best is named below, as `segscore
    segment --method` takes it. Do not report scores on the documents that were tuned on.
    """
    from segscore.cli.benchmark import number
    from segscore.io.plain_texts import read_documents
    from segscore.segmenters import tuning

    if method is None:
        method, data = str(data[0]), data[1:]
    if not data:
        raise SegmentationError("DATA is missing: expected METHOD DATA…, or --method METHOD DATA…")
    refuse_metric(method, "--method", "; -m takes the metric")
    refuse_segmenter(metric, "--method")
    chosen = Methods(stop_words, stemmer, preset, encoder)
    chosen.check([method])
    documents = read_documents(data, source, lenient, remark)
    texts = {name: one.units for name, one in documents.items() if one.units is not None}
    result = tuning.tune(
        documents,
        chosen.made([method], texts)[method],
        metric,
        name=method,
        grid=_grid(grid),
        search=one_of(search, get_args(tuning.Search), "--search"),  # type: ignore[arg-type]
        n_segments=segments if segments == "default" else number(segments),
        reference=reference,
        in_words=words,
        average=average,
        workers=workers,
        progress=with_progress,
    )
    show(result.to_table(), form, output)


def _grid(given: list[str] | None) -> dict[str, list[Any]] | None:
    """What --grid says: values by parameter."""
    from segscore.basics.specs import value_of

    if not given:
        return None
    values: dict[str, list[Any]] = {}
    for text in given:
        key, _, listed = text.partition("=")
        options = [value_of(cell.strip()) for cell in listed.split(",") if cell.strip()]
        if not key.strip() or not options:
            raise SegmentationError(
                f"--grid is {text!r}: expected a parameter and its values, preference=-4,-6,-8"
            )
        values.setdefault(key.strip(), []).extend(options)
    return values
