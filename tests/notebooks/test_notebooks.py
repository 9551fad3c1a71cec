"""A notebook runs from top to bottom, and everything in it shows as it should."""

import html.parser
import os
import sys
from typing import Any

import pytest

from needs import needs

pytestmark = needs("peers")

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

SETUP = """
import segscore as ss
cut = ss.Segmentation.from_masses
refs = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
hyps = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
corpus = ss.Corpus.from_dict(
    {d: {"<ann>": refs[d], "bob": hyps[d], "cat": cut([9 + i])} for i, d in enumerate(refs)})
acc = ss.Accumulator(["b", "pk"])
acc.update(refs, hyps)
both = ss.compare(refs, systems={"x": hyps, "y": refs}, n_resamples=50)
"""
SHOWN = {  # what a cell ends with: what must be in its HTML
    "refs['d0']": "boundary 3",
    "corpus": "d7",
    "corpus['d0']": "&lt;ann&gt;",
    "ss.score(refs, hyps)": "windowdiff",
    "ss.score(refs, hyps)['b']": "0.7500",
    "acc": "pk",
    "acc.result()": "pk",
    "both": "micro",
    "both.plan(0.1)": "needed",
    "both.most_different('x', 'y')[0]": "near miss",
    "ss.agreement(corpus, draws=20)": "corrected",
    "ss.boundary_edits(refs['d0'], hyps['d0'])": "<",
    "ss.audit(refs['d0'], hyps['d0'])": "windowdiff",
    "ss.metrics.windows(refs['d0'], hyps['d0'], ss.WindowDiff())": "<",
    "ss.coders.support(corpus['d0'])": "share",
    "ss.coders.pairwise(corpus, 'b')": "Pairs of coders",
    "ss.coders.fleiss_kappa(corpus)": "<",
    "ss.coders.coder_clusters(corpus)": "distance",
    "ss.coders.contested(corpus)": "who marks it",
    "ss.coders.segment_counts(corpus)": "Segments per document",
    "ss.coders.edit_totals(corpus)": "near",
    "ss.coders.who_deviates(corpus)": "bob",
}
TEXTS = {  # what shows as text
    "ss.score(refs, hyps)['b'].micro": "0.75",
    "ss.WindowDiff(k=3)": "WindowDiff(k=3",
    "ss.Accumulator('b')": "Accumulator(b: 0 documents",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The outputs of each cell, in a kernel of this Python."""
    cells = [SETUP, *SHOWN, *TEXTS]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells]
    )
    kernels = tmp_path_factory.mktemp("jupyter")
    settings = {"JUPYTER_PATH": "", "JUPYTER_DATA_DIR": str(kernels), "PYTHONPATH": os.pathsep.join(
        filter(None, sys.path)), "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": str(kernels)}  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return {source: cell.outputs for source, cell in zip(cells, notebook.cells, strict=True)}


class Checker(html.parser.HTMLParser):
    """Counts elements, and sees that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        self.seen += 1
        if tag not in ("br", "img", "meta", "input", "hr", "line", "rect", "path", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


def shown(listed: list[Any], kind: str) -> str:
    found = [output.data[kind] for output in listed if "data" in output and kind in output.data]
    return "".join(found)


@pytest.mark.parametrize("cell", SHOWN)
def test_results_show_as_html(outputs: dict[str, list[Any]], cell: str) -> None:
    page = shown(outputs[cell], "text/html")
    assert SHOWN[cell] in page
    assert "<ann>" not in page
    checker = Checker()
    checker.feed(page)
    assert checker.seen
    assert checker.open == []


@pytest.mark.parametrize("cell", TEXTS)
def test_the_rest_shows_as_text(outputs: dict[str, list[Any]], cell: str) -> None:
    assert shown(outputs[cell], "text/html") == ""
    assert shown(outputs[cell], "text/plain").startswith(TEXTS[cell])
