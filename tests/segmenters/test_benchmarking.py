"""Segmenters over a corpus, compared: the function and the command."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run as command
from segscore.segmenters import C99
from segscore.segmenters.benchmarking import benchmark

CATS = ["cats chase mice", "mice fear cats", "a cat purrs at mice"]
STARS = ["stars shine on moons", "a star is far", "moons circle a star"]
TREES = ["a leaf falls off trees", "trees grow leaves", "a tree has leaves"]
DOCUMENTS = {
    "d1": (CATS + STARS, {"ann": [3, 3], "bob": [2, 4]}),
    "d2": (STARS[:2] + TREES, {"ann": [2, 3], "bob": [2, 3]}),
    "d3": (TREES + CATS + STARS, {"ann": [3, 3, 3], "bob": [3, 6]}),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three documents with their text and the codings of two people."""
    lines = [
        json.dumps({"document": name, "coder": coder, "masses": masses, "units": units})
        for name, (units, codings) in DOCUMENTS.items()
        for coder, masses in codings.items()
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def first_ones(units: list[str], n_segments: int) -> ss.Segmentation:
    """A user's own: single units, and a last segment of what remains."""
    return ss.Segmentation.from_boundaries(range(1, n_segments), len(units))


def test_each_method_scores_what_it_scores_alone(corpus: Path) -> None:
    read = ss.read(corpus)
    results = benchmark(read, {"c99": "c99", "mine": first_ones}, reference="ann")
    alone = {
        name: C99()(document.units, document["ann"].n_segments)  # type: ignore[arg-type]
        for name, document in read.items()
    }
    assert results.segmentations["c99"] == alone
    refs = [document["ann"] for document in read.values()]
    expected = ss.score(refs, list(alone.values()), metrics="windowdiff")["windowdiff"].micro
    assert results.comparison["c99", "windowdiff"].value == pytest.approx(float(expected))
    assert results.seconds.keys() == {"c99", "mine"}
    assert all(seconds > 0 for seconds in results.seconds.values())


def test_number_of_segments(corpus: Path) -> None:
    """The rounded mean of the references, a number, or the method's own."""
    read = ss.read(corpus)
    counts = {
        wanted: [found.n_segments for found in done.segmentations["c99"].values()]
        for wanted in ("reference", 2, None)
        for done in [benchmark(read, "c99", n_segments=wanted)]
    }
    assert counts["reference"] == [2, 2, 2]  # of 3 and 2, the even one
    assert counts[2] == [2, 2, 2]
    assert counts[None] == [C99()(units).n_segments for units, _ in DOCUMENTS.values()]
    with pytest.raises(ss.SegmentationError, match="n_segments is 'many'"):
        benchmark(read, "c99", n_segments="many")


def test_refusals(corpus: Path) -> None:
    read = ss.read(corpus)
    with pytest.raises(ss.SegmentationError, match=r"methods is \[\]"):
        benchmark(read, [])
    with pytest.raises(ss.SegmentationError, match="c99.*c99"):
        benchmark(read, ["c99", C99()])
    textless = ss.Corpus.from_dict({"d": {"ann": ss.Segmentation.from_masses([2, 2])}})
    with pytest.raises(ss.SegmentationError, match="document 'd' has no text"):
        benchmark(textless, "c99")


# ---- carroll2010: outputs in a corpus are systems; docs/hierarchical.md says so ----

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
    assert [found.n_segments for found in result.segmentations["c99"].values()] == [2, 3]
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
