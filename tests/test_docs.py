"""The examples in docs/ run as they stand: Python, and commands."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from needs import where_needed
from segscore.metrics import METRICS

DOCS = Path(__file__).parents[1] / "docs"
SELF_CONTAINED = [
    "checking.md",
    "engines.md",
    "scored.md",
    "segmenters.md",
]  # the others speak of files that the reader has
WITH_FILES = ["chance.md", "comparing.md"]


def blocks(name: str, language: str) -> list[str]:
    """The examples of a page."""
    text = (DOCS / name).read_text("utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found
    return found


COMMANDS = [
    (name, line)
    for name in WITH_FILES
    for block in blocks(name, "sh")
    for line in block.splitlines()
    if line.startswith("segscore ")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the pages speak of: codings by people and systems, and a file per coder."""
    cut = ss.Segmentation.from_masses
    masses = {
        "ann": [2, 3, 6], "bob": [5, 6], "gold": [2, 2, 7], "c99": [3, 3, 5],
        "texttiling": [1, 10], "theirs": [4, 7], "mine": [2, 4, 5],
    }  # fmt: skip
    names = ["ch1", "ch2", "ch3", "ch5", "ch6"]
    whole = ss.Corpus.from_dict(
        {
            name: {coder: cut([*sizes[:-1], sizes[-1] + i]) for coder, sizes in masses.items()}
            for i, name in enumerate(names)
        },
        labels={"ch1": {"ann": ["a", "b", "c"], "bob": ["a", "c"]}},
        groups={"ch1": "one", "ch2": "one", "ch3": "two"},
    )
    ss.write(whole, tmp_path / "codings.jsonl")
    ss.write(whole, tmp_path / "codings.json", lossy=True)
    files = {"reference": "gold", "seed1": "mine", "seed2": "theirs"}
    for name in (*files, "c99", "texttiling", "theirs"):
        part = whole.select(coders=[files.get(name, name)])
        ss.write(part, tmp_path / f"{name}.jsonl")
    for number, coder in enumerate(("c99", "theirs"), 1):
        people = whole.select(coders=["ann", "bob", coder])
        ss.write(people, tmp_path / f"round{number}.jsonl")
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        ss.write(whole.select(coders=[name]), tmp_path / name / f"{name}.jsonl")
    (tmp_path / "chapters").mkdir()
    for name in names:
        ss.write(whole.select(documents=[name]), tmp_path / "chapters" / f"{name}.jsonl")
    (tmp_path / "chapters" / "text").mkdir()
    (tmp_path / "chapters" / "text" / "ch1.txt").write_text("A paragraph.\n\n" * 11)
    return tmp_path


_RUN = """
import json, sys
import segscore as ss
for block in json.load(sys.stdin):
    exec(compile(block, sys.argv[1], "exec"), {"ss": ss})
"""


def run_examples(page: str, blocks: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the blocks of a page one after the other in a folder; none sees the names of another.

    Our warnings are errors, as they are under pytest.
    """
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error::UserWarning", "-c", _RUN, page],
        input=json.dumps(blocks),
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(
    "name", where_needed(SELF_CONTAINED, {"engines.md": "polars duckdb", "segmenters.md": "peers"})
)
def test_examples_run(name: str, tmp_path: Path) -> None:
    done = run_examples(name, blocks(name, "python"), tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", WITH_FILES)
def test_examples_with_files_run(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for block in blocks(name, "python"):
        exec(compile(block, name, "exec"), names)  # noqa: S102
    if name == "comparing.md":
        assert "texttiling" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "line"), COMMANDS)
def test_commands_run(name: str, line: str, folder: Path) -> None:
    arguments = shlex.split(line, comments=True)[1:]
    done = segscore(*arguments, cwd=folder)
    assert done.returncode == 0, f"{name}: {done.stderr}"
    assert done.stdout or "-o" in arguments


def test_the_table_of_metrics_says_what_the_metrics_say() -> None:
    text = (DOCS / "definitions.md").read_text("utf-8")
    table = text.partition("## 12 Table of metrics")[2].partition("## 13")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    documented = {
        name: (row[2], row[3]) for row in rows if row for name in re.findall(r"`([\w@-]+)`", row[0])
    }
    for name, make in METRICS.items():
        if name.startswith("e-") and name not in documented:
            continue  # one row for all of them
        metric = make()
        direction = "higher" if metric.higher_is_better else "lower"
        assert documented.pop(name) == (direction, "yes" if metric.symmetric else "no"), name
    assert documented == {}


def test_sections_that_code_cites_exist() -> None:
    headings = re.findall(
        r"^#+ (\d+(?:\.\d+)?) ", (DOCS / "definitions.md").read_text("utf-8"), re.MULTILINE
    )
    root = DOCS.parent
    cited = {}
    for folder in ("src", "tests", "benchmarks"):
        for path in (root / folder).rglob("*.p*"):
            if path.suffix in (".py", ".pyx", ".pxd", ".pyi"):
                text = path.read_text("utf-8")
                assert not re.search(r"[Ss]pec §", text.replace('"[Ss]pec §"', "")), path
                for group in re.findall(r"definitions\.md ((?:§[\d.]*\d(?:, )?)+)", text):
                    cited |= dict.fromkeys(re.findall(r"[\d.]*\d", group), path)
    assert cited
    assert {section: path for section, path in cited.items() if section not in headings} == {}


WRITTEN_BY_THE_BUILD = ("api", "commands", "project")


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*DOCS.glob("*.md"), *DOCS.glob("guides/*.md"), *DOCS.parent.glob("*.md")]
    for page in pages:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", text):
            if link.split("/")[0] in WRITTEN_BY_THE_BUILD:
                continue  # `make docs` refuses those that lead nowhere
            assert (page.parent / link).exists(), (page.name, link)
