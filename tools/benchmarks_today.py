"""Writes the tables of docs/benchmarks_today.md: `make benchmarks-today`.

One convention for all: Pk and WindowDiff of each document as in docs/definitions.md, the mean over
documents, 95 % intervals by bootstrap over documents. Only corpora that are on this machine are
computed (`segscore data fetch NAME`); the tables of the others stay as they are.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from segscore.comparison import Comparison
from segscore.datasets import DATASETS, load, place_of
from segscore.segmenters import segmenter
from segscore.segmenters.benchmarking import benchmark

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks_today.md"
CORPORA = ("dialseg711", "tiage", "committee", "qmsum")
METHODS = ("bayesseg", "utiyama-isahara", "c99", "mincutseg", "texttiling")
BASELINES = ("none", "uniform", "random")
METRICS = ("pk", "windowdiff")
XING = "Xing & Carenini 2021"


class Printed(NamedTuple):
    """What a paper prints, in per cent."""

    pk: str
    windowdiff: str
    source: str


PRINTED: dict[tuple[str, str], Printed] = {
    ("dialseg711", "bayesseg"): Printed("30.97", "35.60", XING),
    ("dialseg711", "texttiling"): Printed("40.44", "44.63", XING),
    ("dialseg711", "CSM (neural)"): Printed("26.80", "28.24", XING),
}


def compared(
    corpus: Mapping[str, object], methods: Iterable[str] = METHODS, *, known: bool = True
) -> Comparison:
    """Methods and baselines on a corpus."""
    return benchmark(
        corpus, list(methods), n_segments="reference" if known else None,
        metrics=list(METRICS), average="macro",
    ).comparison  # fmt: skip


def cells(comparison: Comparison, system: str) -> list[str]:
    """The cells of a system: a value and its interval for each metric."""
    found = {entry.metric: entry for entry in comparison.entries if entry.system == system}
    return [
        f"{_short(found[name].value)} [{_short(found[name].low)}, {_short(found[name].high)}]"
        for name in METRICS
    ]


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def table(name: str, known: Comparison, found: Comparison) -> list[str]:
    """The lines of one corpus, best first; what papers print beside it."""
    rows = {method: cells(known, method) for method in (*METHODS, *BASELINES)}
    free = {method: cells(found, method) for method in methods_without_number()}
    heads = ["", "Pk", "WindowDiff", "Pk, number found", "WindowDiff, number found",
             "Pk, printed", "WindowDiff, printed", "by"]  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for method in sorted(rows, key=lambda method: rows[method][0]):
        printed = PRINTED.get((name, method), ("", "", ""))
        words = [f"`{method}`", *rows[method], *free.get(method, ["–", "–"]), *printed]
        lines.append("| " + " | ".join(words) + " |")
    others = [method for corpus, method in PRINTED if corpus == name and method not in rows]
    for method in others:
        words = [method, "–", "–", "–", "–", *PRINTED[name, method]]
        lines.append("| " + " | ".join(words) + " |")
    return lines


def methods_without_number() -> list[str]:
    """The methods that can find the number of segments."""
    return [method for method in METHODS if not segmenter(method).needs_n_segments]


def replaced(page: str, name: str, lines: list[str]) -> str:
    """The page with these lines between the marks of a corpus."""
    start, end = f"<!-- {name}: written by make benchmarks-today -->", f"<!-- end of {name} -->"
    if start not in page or end not in page:
        sys.exit(f"{PAGE.name} has no marks of {name}")
    head, rest = page.split(start)
    return head + "\n".join([start, "", *lines, "", end]) + rest.split(end)[1]


def main() -> None:
    """Write the tables of the corpora that are here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", help=f"some of {', '.join(CORPORA)}; all by default")
    for name in parser.parse_args().corpora or CORPORA:
        if place_of(DATASETS[name]) is None:
            print(f"{name} is not here: segscore data fetch {name}", file=sys.stderr)
            continue
        corpus = load(name)
        found = compared(corpus, methods_without_number(), known=False)
        lines = table(name, compared(corpus), found)
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), name, lines), "utf-8")
        print(name, *lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
