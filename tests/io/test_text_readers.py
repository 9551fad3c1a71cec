"""Wiki-727K, Markdown and plain text."""

from pathlib import Path

from io_reading_tools import fields


def test_folders_hold_texts_only_if_asked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\nx\n")
    (tmp_path / "b.wiki").write_text("========,1,preface.\nThe preface.\n")
    assert [record["document"] for record in fields(tmp_path)] == ["b"]
    assert [record["document"] for record in fields(tmp_path, "markdown")] == ["a"]
