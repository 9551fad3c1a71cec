"""Runs the examples of a page of docs/, from top to bottom, and holds its outputs against them.

    ```python      is run; all of a page share their names
    ```sh          each line is a command, `segscore …`; `# exit code 2` says how it ends
    ```text        directly after one of these: what it prints
    `name`:        before a block without a language: the file is written

`python tests/docs/pages.py` writes the outputs anew, after a change that is meant.
"""

import contextlib
import io
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS.parent / "tests"))
BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n)?^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = ("yaml", "toml", "bibtex", "latex", "console", "json", "ini", "html")  # not ours to run


class Block(NamedTuple):
    """A fenced block of a page, and where its content stands in the text."""

    name: str | None
    language: str
    text: str
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    """All fenced blocks of a page."""
    return [Block(*found.groups(), *found.span(3)) for found in BLOCK.finditer(text)]


def prepare(folder: Path) -> Path:
    """A folder with the files that pages read."""
    examples = DOCS / "examples"
    for path in (*examples.glob("*.*"), *(examples / "annotating").glob("*.*")):
        shutil.copy(path, folder)
    return folder


class Runner:
    """Runs blocks one after the other, in one folder and with one set of names."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.names: dict[str, Any] = {"__name__": name}

    def output_of(self, block: Block) -> str:
        """What a block prints."""
        if block.language == "python":
            return self._python(block.text)
        return "".join(self._command(line) for line in _lines(block.text))

    def _python(self, code: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.chdir(self.folder):
            exec(compile(code, self.name, "exec"), self.names)  # noqa: S102
        return out.getvalue()

    def _command(self, line: str) -> str:
        from command_line import segscore

        words = shlex.split(line, comments=True)
        assert words[0] == "segscore", f"{self.name}: {line}"
        done = segscore(*words[1:], cwd=self.folder)
        code = re.search(r"# exit code (\d)", line)
        assert done.returncode == (int(code[1]) if code else 0), f"{line}: {done.stderr}"
        return done.stdout + (done.stderr if code else "")


def _lines(text: str) -> list[str]:
    """Commands, those over several lines joined."""
    joined = re.sub(r"\\\n\s*", "", text)
    return [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def outputs(name: str, text: str, folder: Path) -> list[tuple[Block, str]]:
    """Run a page: each block of output with what was really printed."""
    runner = Runner(name, folder)
    found, printed = [], None
    for block in blocks(text):
        if block.name:
            path = folder / block.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.language in ("python", "sh"):
            printed = runner.output_of(block)
        elif block.language == "text" and printed is not None:
            found.append((block, _trimmed(printed)))
            printed = None
        else:
            assert block.language.startswith(("{", *SHOWN)), f"{name}: ```{block.language}"
            printed = None
    return found


def _trimmed(text: str) -> str:
    """Without blanks at the ends of lines, which editors remove."""
    return "\n".join(line.rstrip() for line in text.rstrip("\n").splitlines()) + "\n"


def rewrite(path: Path, folder: Path) -> None:
    """Put what is really printed into a page."""
    text = path.read_text("utf-8")
    name = path.relative_to(DOCS).as_posix()
    for block, printed in reversed(outputs(name, text, prepare(folder))):
        text = text[: block.start] + printed + text[block.end :]
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    import tempfile

    from test_pages import RUN

    chosen = sys.argv[1:] or RUN
    for page in chosen:
        with tempfile.TemporaryDirectory() as made:
            rewrite(DOCS / page, Path(made))
