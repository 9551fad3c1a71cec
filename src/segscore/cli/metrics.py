"""`segscore metrics [NAME]`: the metrics and segmenters, or what one of them is."""

import inspect
from collections.abc import Mapping
from typing import Any

from segscore.cli.commands import argument
from segscore.cli.streams import print_out


def run(
    name: str | None = argument("NAME", "A metric or a segmenter.", None),
) -> None:
    """List metrics and segmenters, or explain one of them.

    -m takes a metric, --method a segmenter, each with its parameters in brackets: "wd(k=3)".
    """
    from segscore.metrics import all_metrics, metric
    from segscore.metrics.names import in_any_case, metric_title
    from segscore.segmenters.by_name import all_segmenters

    metrics, segmenters = all_metrics(), all_segmenters()
    if name is None:
        print_out("Metrics (-m):")
        _print_list({each: metric_title(each) for each in metrics})
        print_out("\nSegmenters (--method):")
        _print_list({each: _summary(make) for each, make in segmenters.items()})
        return
    known = in_any_case(name, segmenters)
    if known in segmenters:
        print_out(f"{known}: a segmenter\n")
        print_out(_doc(segmenters[known]))
        return
    made = metric(name)
    print_out(f"{made}: {metric_title(made.name) or 'a metric'}: {made.how_to_read()}\n")
    print_out(inspect.getdoc(type(made)) or "")
    print_out(f"\nSignature: {made.signature()}")


def _print_list(lines: Mapping[str, str]) -> None:
    width = max(map(len, lines))
    for name, line in lines.items():
        print_out(f"  {name:{width}}  {line}".rstrip())


def _doc(make: Any) -> str:
    """The docstring of a segmenter's class; a partial has one of its own."""
    return inspect.getdoc(getattr(make, "func", make)) or ""


def _summary(make: Any) -> str:
    return " ".join(_doc(make).partition("\n\n")[0].split())
