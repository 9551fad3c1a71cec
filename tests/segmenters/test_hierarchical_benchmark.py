"""carroll2010 as a benchmark: outputs in a corpus are systems; docs/hierarchical.md says so."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run as command
from segscore.segmenters.benchmarking import benchmark

PAGE = (Path(__file__).parents[2] / "docs" / "hierarchical.md").read_text("utf-8")
METRICS = ("e-wd(rounding=floor)", "e-wd(rounding=floor,linear_reference=yes)")


def small() -> ss.Corpus:
    """Two documents with a reference and a system's output."""
    cut = ss.Segmentation.from_boundaries
    codings = {
        "d1": {"ann": cut([3], 6, ranks=[1]), "theirs": cut([2], 6, ranks=[1])},
        "d2": {"ann": cut([2, 4], 6, ranks=[2, 1]), "theirs": cut([2, 4], 6, ranks=[2, 1])},
    }
    text = ["a cat", "cats", "a cat", "stars", "a star", "star"]
    units = {name: list(text) for name in codings}
    return ss.Corpus.from_dict(codings, units=units, kinds={"theirs": "system"})


def entries(result: Any) -> dict[str, float]:
    return {entry.system: entry.value for entry in result.comparison.entries}


def test_systems_of_the_corpus_are_compared_and_no_reference() -> None:
    corpus = small()
    result = benchmark(corpus, "c99", metrics="e-wd", n_resamples=100)
    values = entries(result)
    assert {"c99", "theirs", "none"} <= values.keys()
    expected = ss.score(corpus, reference="ann", hypothesis="theirs", metrics="e-wd")["e-wd"].micro
    assert values["theirs"] == pytest.approx(float(expected))
    assert [segmentation.n_segments for segmentation in result.segmentations["c99"].values()] == [
        2,
        3,
    ]
    assert result.seconds.keys() == {"c99"}


def on_page() -> dict[str, tuple[float, float]]:
    """Both numbers of each system in the table of the page."""
    rows = re.findall(r"^\| `?([\w-]+)`? \| [^|]*\| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    return {name: (float(first), float(other)) for name, first, other in rows}


@pytest.mark.usefixtures("data")
def test_published_outputs_are_as_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    options = [part for name in METRICS for part in ("-m", name)]
    words = ["--method", "bisect", "--average", "macro", "-f", "json", *options]
    assert command(["benchmark", "--corpus", "carroll2010", *words]) == 0
    rows = {row["system"]: row for row in json.loads(capsys.readouterr().out)}
    for name in ("HC99", "HCWM", "HBT", "GBEM", "BIN", "NONE"):
        shown = [rows[name][column] for column in rows[name] if column in METRICS]
        assert [round(100 * value, 1) for value in shown] == list(on_page()[name])
