"""Names and texts that would run something, and pages that are large: nothing happens, quickly."""

from pathlib import Path
from typing import Any

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import harmless, opened, save
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
        harmless(page)
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
        harmless(page)
        target = tmp_path / "consensus.jsonl"
        save(page, "#download", target)
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
