"""The page about chunks: its sections, what it shows of texts, and what it refuses."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

import segscore as ss

EVIL = "</script><script>alert(1)</script>"
TEXTS = {
    EVIL: f"Cats purr {EVIL}. Dogs bark. It rains.\n\n# {EVIL}\n\nIt pours. Yes.",
    "b": "One two. Three four.",
}
EVIDENCE = [
    {"question": f"Who {EVIL}?", "document": EVIL, "evidence": ["Dogs bark."]},
    {"question": "How many?", "document": "b", "evidence": ["Three four.", "One two."]},
]
N = len(TEXTS[EVIL])
CHUNKS = {
    f"x{EVIL}": {EVIL: [(0, 50), (50, N)], "b": [(0, 12), (12, 20)]},
    "whole": {EVIL: [(0, N)], "b": [(0, 20)]},
}


class Outline(HTMLParser):
    """The headings, ids and scripts of a page, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.scripts, self.words = 0, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.ids += [value or "" for key, value in attrs if tag == "section" and key == "id"]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def compared() -> ss.chunks.EvidenceComparison:
    return ss.chunks.compare(CHUNKS, EVIDENCE, TEXTS, n_resamples=50)


@pytest.fixture(scope="module")
def described() -> ss.chunks.ChunkDescription:
    return ss.chunks.describe(CHUNKS, TEXTS, n_resamples=50)


def written(result: object, folder: Path, **options: object) -> Outline:
    path = ss.report(result, folder / "r.html", **options)
    return Outline(path.read_text("utf-8"))


def test_evidence_and_description_on_one_page(
    compared: ss.chunks.EvidenceComparison, described: ss.chunks.ChunkDescription, tmp_path: Path
) -> None:
    page = written([compared, described], tmp_path, command="segscore chunks …")
    assert page.ids == ["overview", "cut", "questions", "chunks", "breaks", "methods"]
    assert page.scripts == 2  # the data, and our script
    assert "whole keeps 3 of 3 spans of evidence in one chunk (1.000)" in page.words
    assert "keeps 1 of 3 spans" in page.words
    for words in ("Dogs‖ bark", "Cohesion", "segscore chunks …", "precision-omega"):
        assert words in page.words, words


def test_anonymous_pages_hold_no_text_and_no_name(
    compared: ss.chunks.EvidenceComparison, described: ss.chunks.ChunkDescription, tmp_path: Path
) -> None:
    page = written([compared, described], tmp_path, anonymise=True, command="segscore secret.md")
    assert page.ids == ["overview", "chunks", "methods"]
    for secret in ("Dogs", "secret.md", "How many?"):
        assert secret not in page.words
