"""Every example and every output on every page of docs/ is run, here or by the test that is named."""

import sys
from pathlib import Path

import pytest

from needs import where_needed

sys.path.append(str(Path(__file__).parent))

from pages import DOCS, outputs, prepare
from test_docs import SELF_CONTAINED, WITH_FILES

ELSEWHERE = dict.fromkeys(
    [*SELF_CONTAINED, *WITH_FILES], "tests/test_docs.py"
) | {  # pages whose examples have tests of their own
    "formats.md": "tests/io/test_docs.py",
    "readers.md": "tests/io/test_docs.py",
    "frameworks.md": "tests/adapters/test_frameworks_page.py",
    "gallery.md": "tests/plot/test_every_picture.py",
    "reproduction.md": "tests/reproduction/test_page.py",
    "benchmarks_today.md": "tests/docs/test_benchmarks_today.py",
    "hierarchical.md": "tests/segmenters/test_benchmarking.py",
}
GENERATED = ("api/", "commands/", "project/")
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
RUN = [name for name in PAGES if name not in ELSEWHERE and not name.startswith(GENERATED)]


EXTRAS = {"guides/paper.md": "stats", "guides/recordings.md": "align"} | dict.fromkeys(
    ("guides/from-mir-eval.md", "guides/from-nltk.md", "guides/from-segeval.md"), "peers"
)


@pytest.mark.parametrize("name", where_needed(RUN, EXTRAS))
def test_examples_print_what_the_page_says(name: str, tmp_path: Path) -> None:
    text = (DOCS / name).read_text("utf-8")
    for block, printed in outputs(name, text, prepare(tmp_path)):
        assert block.text == printed


@pytest.mark.parametrize(("name", "test"), ELSEWHERE.items())
def test_the_other_pages_have_tests(name: str, test: str) -> None:
    assert (DOCS / name).exists()
    assert name.partition(".")[0] in (DOCS.parent / test).read_text("utf-8")


def test_the_example_files_are_those_that_the_script_writes(tmp_path: Path) -> None:
    import runpy

    import segscore as ss

    corpora = runpy.run_path(str(DOCS / "make_examples.py"))["corpora"]()
    written = {path.stem for path in (DOCS / "examples").glob("*.jsonl")}
    assert written == set(corpora)
    for name, corpus in corpora.items():
        ss.write(corpus, tmp_path / f"{name}.jsonl")
        there = (DOCS / "examples" / f"{name}.jsonl").read_bytes()
        assert (tmp_path / f"{name}.jsonl").read_bytes() == there
