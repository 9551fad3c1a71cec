"""`--report FILE`: the page of `segscore report` beside the tables of other commands."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.cli.output import remark

ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Also write an HTML page that shows it all, document by document.",
    ),
]


def write_page(result: Any, path: Path | None) -> None:
    """The page about a result, if a file is named."""
    if path is None:
        return
    from segscore.pages import report

    remark(f"wrote {report(result, path, command=command_line())}", one_line=True)


def command_line() -> str:
    """The command that was given, to be shown in the page."""
    return shlex.join(["segscore", *sys.argv[1:]])


def agreement_metric(metric: str) -> str:
    """The metric if agreement can rest on it; otherwise b, and that is said."""
    from segscore.metrics import metric as as_metric

    one = as_metric(metric)
    if one.symmetric and one.higher_is_better and not one.many_references:
        return metric
    remark(f"the page shows agreement by b: {metric} is no symmetric similarity")
    return "b"
