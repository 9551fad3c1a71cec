"""The pages about chunks, evidence, chapters and meetings: their files, copied, and their commands, run."""

import re
import shlex
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from needs import where_needed

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ["chunks.md", "evidence.md"]
BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", where_needed(PAGES, {"chunks.md": "peers"}))
def test_files_and_commands_of_a_page(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands on the page without a language is what the commands print."""
    blocks = BLOCK.findall((DOCS / name).read_text("utf-8"))
    assert {"sh", "python"} <= {language for _, language, _ in blocks}
    output = ""
    for path, language, content in blocks:
        if path:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content, encoding="utf-8")
        elif language == "sh":
            for line in content.splitlines():
                done = segscore(*shlex.split(line, comments=True)[1:], cwd=tmp_path)
                assert done.returncode == 0, f"{line}: {done.stderr}"
                output += done.stdout + done.stderr
        elif language == "python":
            with monkeypatch.context() as patch:
                patch.chdir(tmp_path)
                exec(compile(content, name, "exec"), {"ss": ss})  # noqa: S102
        else:
            assert [line for line in content.splitlines() if line not in output] == []
