"""Names and texts that would run something, and pages that are large: nothing happens, quickly."""

from pathlib import Path
from typing import Any

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import opened
from segscore.corpus.record import Record


def hostile_corpus() -> ss.Corpus:
    """Each string as a document, a coder, a unit of text, a label, a group, a boundary type."""
    rows = []
    make = ss.Segmentation.from_boundaries
    for i, name in enumerate(STRINGS):
        text = [STRINGS[(i + j) % len(STRINGS)] for j in range(4)]
        kinds = [STRINGS[(i + 7) % len(STRINGS)]]
        for j, place in enumerate((1, 2)):
            labels = [[STRINGS[(i + j + k) % len(STRINGS)]] for k in range(2)]
            rows.append(Record(
                name, STRINGS[(i // 20) + j], make([place], 4, types=kinds), text, labels, None,
                STRINGS[(i + 11) % len(STRINGS)],
            ))  # fmt: skip
    return ss.Corpus.from_rows(rows, coders="local")


def test_hostile_strings_change_nothing(browser: Any, tmp_path: Path) -> None:
    corpus = hostile_corpus()
    found = ss.agreement(corpus, draws=2, n_resamples=20)
    path = ss.report(found, tmp_path / "r.html", title=STRINGS[1], command=" ".join(STRINGS[:40]))
    with opened(browser, path) as page:
        assert page.evaluate("window.hit") is None
        assert page.locator("script").count() == 2
        assert (
            page.locator(
                "main iframe, main img, main object, main embed, main link, main base"
            ).count()
            == 0
        )
        assert (
            page.locator("main style, main meta, main video, main audio, main marquee").count() == 0
        )
        assert (
            page.locator("[onload], [onerror], [onfocus], [style]:not(:is(html, body))").count()
            == 0
        )
        links = page.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert all(link.startswith("#") for link in links)
        rows = page.locator("#list tbody tr")
        assert rows.count() == len(STRINGS)
        for i in range(0, len(STRINGS), 9):
            rows.nth(i).locator("a").click()
            shown = page.evaluate("document.querySelector('#document .unit .words').textContent")
            assert shown == STRINGS[i][:4000]
            page.keyboard.press("n")
        page.pdf()
        assert page.evaluate("window.hit") is None
        with page.expect_download() as held:
            page.click("#download")
        target = tmp_path / "consensus.jsonl"
        held.value.save_as(target)
    assert ss.read(target) == ss.consensus(corpus)


def test_a_word_of_a_million_letters(browser: Any, tmp_path: Path) -> None:
    cut = ss.Segmentation.from_masses
    long = "x" * 1_000_000
    corpus = ss.Corpus.from_dict(
        {long[:5000]: {"a": cut([1, 2]), long[:9000]: cut([2, 1])}},
        units={long[:5000]: ["short", long, "end"]},
    )
    path = ss.report(ss.agreement(corpus, draws=2), tmp_path / "r.html")
    with opened(browser, path, viewport={"width": 360, "height": 700}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name="show all 1,000,000 characters").click()
        assert (
            page.evaluate("document.querySelectorAll('.words')[1].textContent.length") == 1_000_000
        )


def test_data_that_cannot_be_opened_are_told(browser: Any, tmp_path: Path) -> None:
    cut = ss.Segmentation.from_masses
    corpus = ss.Corpus.from_dict({"d": {"a": cut([1, 2]), "b": cut([2, 1])}})
    path = ss.report(ss.agreement(corpus, draws=2), tmp_path / "r.html")
    text = path.read_text("utf-8").replace('id="data">{', 'id="data">{"gzip":"H4sIAAA=","x":0,')
    path.write_text(text, "utf-8")
    with opened(browser, path) as page:
        assert "cannot be shown in this browser" in page.inner_text("#documents .missing")


def test_a_long_document_is_drawn_in_parts(browser: Any, tmp_path: Path) -> None:
    n = 5000
    make = ss.Segmentation.from_boundaries
    corpus = ss.Corpus.from_dict(
        {"long": {"a": make(range(10, n, 10), n), "b": make(range(10, n, 20), n)}},
        units={"long": [f"Unit {i}." for i in range(1, n + 1)]},
    )
    path = ss.report(ss.agreement(corpus, draws=2, n_resamples=20), tmp_path / "r.html")
    with opened(browser, path, "#document=long&at=4980") as page:
        assert page.locator("#at-4980.here").is_visible()
        assert page.locator("#document .unit").count() < n
        page.keyboard.press("p")
        assert page.locator("#at-4960.here").is_visible()
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#print .unit").count() == n
