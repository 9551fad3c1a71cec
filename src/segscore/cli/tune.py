"""`segscore tune DATA… --method METHOD`: a segmenter's parameters, by a small search."""

from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from segscore.cli.option_groups import Section
from segscore.cli.output import Output, with_progress
from segscore.cli.segmenter_options import (
    MethodOptions,
    TextCorpusOptions,
    WorkersOption,
    number_of_segments,
    refuse_other,
    texts_of,
)
from segscore.errors import SegmentationError

DataArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="DATA…",
        help="Development documents: corpora with text. Without --method, METHOD comes first.",
    ),
]
MethodOption = Annotated[
    str | None,
    typer.Option(
        "--method",
        rich_help_panel=Section.SEGMENTERS,
        metavar="METHOD",
        help='A segmenter; the search starts from the parameters given here: "aps(window=0.5)".',
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        rich_help_panel=Section.METRICS,
        metavar="METRIC",
        help='The metric to optimise: "wd(k=3)".',
    ),
]
GridOption = Annotated[
    list[str] | None,
    typer.Option(
        "--grid",
        rich_help_panel=Section.SEGMENTERS,
        metavar="PARAMETER=VALUES",
        help="Values of a parameter to try: preference=-4,-6,-8. May be repeated; replaces the "
        "usual values.",
    ),
]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search",
        rich_help_panel=Section.SEGMENTERS,
        metavar="WAY",
        help="coordinate: one parameter at a time; grid: all combinations.",
    ),
]
SegmentsOption = Annotated[
    str,
    typer.Option(
        "--segments",
        "-n",
        rich_help_panel=Section.SEGMENTERS,
        metavar="NUMBER",
        show_default=False,
        help="Number of segments; reference: as many as the reference has; auto: the method "
        "decides. By default auto if the method supports it, else reference.",
    ),
]


def run(
    *,
    data: DataArgument,
    method: MethodOption = None,
    metric: MetricOption = "windowdiff",
    grid: GridOption = None,
    search: SearchOption = "coordinate",
    segments: SegmentsOption = "default",
    corpora: TextCorpusOptions,
    methods: MethodOptions,
    workers: WorkersOption = None,
    output: Output,
) -> None:
    """Try settings of a segmenter on development documents.

    Prints the score of each setting, with a 95 % interval from resampled documents. Below the table
    is the best setting, as `segscore segment --method` takes it. Do not report scores on the
    documents used for tuning.
    """
    from segscore.segmenters import tuning

    if method is None:
        method, data = str(data[0]), data[1:]
    if not data:
        raise SegmentationError("DATA is missing: expected METHOD DATA…, or --method METHOD DATA…")
    refuse_other(method, "--method", "segmenter", "; -m takes the metric")
    refuse_other(metric, "-m", "metric", ", or --method")
    methods.check([method])
    documents = corpora.read(data)
    named = segments in ("default", "reference")
    result = tuning.tune(
        documents,
        methods.made([method], texts_of(documents))[method],
        metric,
        name=method,
        grid=_grid(grid),
        search=_search(search),
        n_segments=segments if named else number_of_segments(segments, "reference"),
        workers=workers,
        progress=with_progress,
        **corpora.settings,
    )
    output.show(result.to_table())


def _search(name: str) -> Any:
    """The value of --search."""
    from segscore.segmenters import tuning

    known = get_args(tuning.Search)
    if name not in known:
        raise SegmentationError(f"--search is {name!r}: expected one of {', '.join(known)}")
    return name


def _grid(given: list[str] | None) -> dict[str, list[Any]] | None:
    """The values of --grid, by parameter."""
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
