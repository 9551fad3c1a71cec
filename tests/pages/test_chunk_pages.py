"""The page about chunks: its sections, what it shows of texts, and what it refuses."""

import re
from html import unescape
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


@pytest.fixture(scope="module")
def results() -> list[object]:
    compared = ss.chunks.compare(CHUNKS, EVIDENCE, TEXTS, n_resamples=50)
    return [compared, ss.chunks.describe(CHUNKS, TEXTS, n_resamples=50)]


def sections(page: str) -> list[str]:
    return re.findall('<section id="([a-z]+)"', page)


def test_evidence_and_description_on_one_page(results: list[object], tmp_path: Path) -> None:
    path = ss.report(results, tmp_path / "r.html", command="segscore chunks …")
    page = path.read_text("utf-8")
    words = unescape(re.sub("<[^>]*>", "", page))
    assert sections(page) == ["overview", "cut", "questions", "chunks", "breaks", "methods"]
    assert page.count("<script") == 2  # the data, and our script
    assert "whole keeps 3 of 3 spans of evidence in one chunk (1.000)" in words
    assert "keeps 1 of 3 spans" in words
    for part in ("Dogs‖ bark", "Cohesion", "segscore chunks …", "precision-omega"):
        assert part in words, part


def test_anonymous_pages_hold_no_text_and_no_name(results: list[object], tmp_path: Path) -> None:
    options = {"anonymise": True, "command": "segscore secret.md"}
    page = ss.report(results, tmp_path / "r.html", **options).read_text("utf-8")
    assert sections(page) == ["overview", "chunks", "methods"]
    for secret in ("Dogs", "secret.md", "How many?"):
        assert secret not in page


# ---- the page for one person ----


cut = ss.Segmentation.from_masses
HOSTILE = "</script><b>x</b>"


def words(path: Path) -> str:
    main = path.read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


@pytest.fixture
def found() -> ss.coders.Feedback:
    gold = ss.Corpus.from_dict(
        {"d": {"gold": cut([5] * 12)}, "e": {"gold": cut([4, 4])}},
        units={"d": [f"{HOSTILE} {i}" for i in range(1, 61)]},
    )
    late = ss.Segmentation.from_boundaries([6, 11, 16, 21, 26, 31, 36, 40], 60)
    return ss.coders.feedback(gold, ss.Corpus.from_dict({"d": {HOSTILE: late}}))


def test_it_has_totals_habit_places_and_the_text(found: ss.coders.Feedback, tmp_path: Path) -> None:
    path = ss.report(found, tmp_path / "page.html")
    text = words(path)
    assert "Of 11 boundaries of the reference, 1 are matched (9 %), 7 are near misses" in text
    assert "Habit: one unit late in 100 % of near misses ." in text
    assert "not coded, and not counted: 1 document, 'e'" in text
    assert "too late after unit 5 (marked after unit 6)" in text
    assert "missed after unit 45" in text
    for left_out in ("baseline", "significan", "Agreement", "coefficient", "random seed"):
        assert left_out not in text


def test_names_and_texts_are_escaped(found: ss.coders.Feedback, tmp_path: Path) -> None:
    page = ss.report(found, tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert page.count("</script>") == 2


def test_a_page_by_name_is_not_anonymous(found: ss.coders.Feedback, tmp_path: Path) -> None:
    with pytest.raises(ss.SegmentationError, match="without anonymise"):
        ss.report(found, tmp_path / "page.html", anonymise=True)
