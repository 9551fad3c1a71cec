"""The demonstration, without the command that prints it."""

from pathlib import Path

from segscore.datasets import demonstration


def test_sections_and_page(tmp_path: Path) -> None:
    for section in demonstration.sections():
        assert section.words.endswith((".", "?"))
        assert section.table.rows
    written = demonstration.write_page(tmp_path / "page.html")
    assert "Kubla Khan" in written.read_text("utf-8")
    page = demonstration.write_annotation_page(tmp_path / "annotate.html")
    assert "In Xanadu did Kubla Khan" in page.read_text("utf-8")
