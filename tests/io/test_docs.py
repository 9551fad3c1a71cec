"""docs/formats.md: every format is described, every example read as what it is said to be."""

import re
import shlex
from pathlib import Path

import pytest

import segscore as ss
from segscore.cli import run as cli_run
from segscore.corpus.record import FIELDS
from segscore.io import FORMATS
from segscore.io.format import recognise

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
WRITTEN = [name for name, kind in FORMATS.items() if kind.is_written]
EXAMPLES = [
    (re.findall(r"^## `([\w-]+)`", PAGE[: found.start()], re.MULTILINE)[-1], found[1], found[2])
    for found in re.finditer(r"^`([\w.-]+)`:\n```\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("kind", "name", "content"), EXAMPLES)
def test_examples_are_read(kind: str, name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert recognise(path).name == kind
    assert ss.read(path).n_codings > 0


def test_the_page_is_complete() -> None:
    assert {kind for kind, _, _ in EXAMPLES} == set(WRITTEN)
    for kind in map(FORMATS.__getitem__, WRITTEN):
        (row,) = re.findall(rf"^\| \[`{kind.name}`\].*$", PAGE, re.MULTILINE)
        assert f"`{kind.suffixes[0]}`" in row
    assert all(f"`{field}`" in PAGE for field in FIELDS)


def test_the_page_of_readers_is_complete() -> None:
    page = (Path(__file__).parents[2] / "docs" / "readers.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.*)$", page, re.MULTILINE)
    for kind in (kind for name, kind in FORMATS.items() if name not in WRITTEN):
        (row,) = (
            line for line in page.splitlines() if re.match(rf"\| \[.*`{kind.name}`.*\|", line)
        )
        assert all(f"`{suffix}`" in row.lower() for suffix in kind.suffixes)
        assert any(f"`{kind.name}`" in title for title in sections)


READERS = (Path(__file__).parents[2] / "docs" / "readers.md").read_text(encoding="utf-8")
COMMANDS = re.findall(
    r"^`([\w.-]+)`:\n```\n(.*?)```\n```sh\n(segscore .*?)\n```$", READERS, re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("name", "content", "command"), COMMANDS)
def test_examples_of_readers_run(
    name: str, content: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(content, encoding="utf-8")
    for line in command.splitlines():
        assert cli_run(shlex.split(line)[1:]) == 0


def test_the_example_of_everything(tmp_path: Path) -> None:
    path = tmp_path / "codings.csv"
    path.write_text(next(content for _, name, content in EXAMPLES if name == "codings.csv"))
    corpus = ss.read(path)
    wanted = ss.Segmentation.from_boundaries(
        [2, 5], 11, types=["minor", {"major", 7}], ranks=[2, 1],
        segment_labels=["intro", None, "end"],
    )  # fmt: skip
    assert corpus["ch1"]["ann"] == wanted
    assert corpus["ch1"]["c99"] == ss.Segmentation.from_masses([11])
    assert corpus["ch1"].kinds == {"ann": "person", "c99": "system"}
    assert corpus["ch1"].labels == {"ann": (frozenset({"intro"}), frozenset(), frozenset({"end"}))}
