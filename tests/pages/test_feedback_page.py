"""The page for one person."""

import re
from html import unescape
from pathlib import Path

import pytest

import segscore as ss

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
