"""The page of a comparison: documents, disagreements, links, print."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, chromium, opened

SYSTEMS = {
    "one off": ss.simulate.Errors(near_misses=0.6),
    "misses": ss.simulate.Errors(misses=0.4),
    "invents": ss.simulate.Errors(false_positives=0.4),
}
N = 24


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def comparison() -> ss.Comparison:
    refs = ss.simulate.references(ss.simulate.UniformSizes(4, 9), 7, n=N, seed=5)
    names = [f"doc {i:02}" for i in range(1, N + 1)]
    systems = {
        name: {
            doc: one["1"]
            for doc, one in zip(
                names, ss.simulate.coders(refs, errors, 1, seed=6).values(), strict=True
            )
        }
        for name, errors in SYSTEMS.items()
    }
    texts = {
        doc: [f"This is sentence {i} of {doc}." for i in range(1, ref.n_units + 1)]
        for doc, ref in zip(names[: N // 2], refs, strict=False)
    }
    corpus = ss.Corpus.from_dict(
        {doc: {"gold": ref} for doc, ref in zip(names, refs, strict=True)}, units=texts
    )
    return ss.compare(corpus, systems=systems, metrics=["windowdiff", "b"], n_resamples=200)


@pytest.fixture(scope="module")
def path(comparison: ss.Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.report(comparison, tmp_path_factory.mktemp("page") / "report.html", title="A & <B>")


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Any]:
    with opened(browser, path) as one:
        yield one


def listed(page: Any) -> list[str]:
    return page.locator("#list tbody th a").all_inner_texts()  # type: ignore[no-any-return]


def column(page: Any, number: int) -> list[float]:
    cells = page.locator(f"#list tbody td:nth-child({number})").all_inner_texts()
    return [float(one.replace("−", "-")) for one in cells]


def test_the_list_has_every_document_and_its_values(page: Any, comparison: ss.Comparison) -> None:
    assert listed(page) == comparison.documents
    values = comparison.values("windowdiff")
    for number, system in enumerate(comparison.systems, 4):
        assert column(page, number) == pytest.approx(values[system], abs=6e-4)
    page.select_option("#metric", label="b")
    assert column(page, 4) == pytest.approx(comparison.values("b")["one off"], abs=6e-4)


def test_sorting_starts_with_the_worst(page: Any) -> None:
    heading = page.locator("#list thead th").nth(3)
    heading.locator("button").click()
    assert column(page, 4) == sorted(column(page, 4), reverse=True)  # windowdiff: high is bad
    assert heading.get_attribute("aria-sort") == "descending"
    heading.locator("button").click()
    assert column(page, 4) == sorted(column(page, 4))
    page.select_option("#metric", label="b")
    page.locator("#list thead th").nth(4).locator("button").click()
    assert column(page, 5) == sorted(column(page, 5))  # b: low is bad
    page.locator("#list thead th").nth(1).locator("button").click()
    assert listed(page) == sorted(listed(page))


def test_the_table_of_systems_sorts(page: Any) -> None:
    names = page.locator("table.systems tbody th")
    before = names.all_inner_texts()
    page.locator("table.systems thead th button").nth(1).click()
    cells = page.locator("table.systems tbody td:nth-child(2)")
    values = [float(cells.nth(i).get_attribute("data-value")) for i in range(cells.count())]
    assert values == sorted(values, reverse=True)
    assert sorted(names.all_inner_texts()) == sorted(before)


def test_filter(page: Any) -> None:
    page.fill("#filter", "DOC 1")
    assert listed(page) == [f"doc 1{i}" for i in range(10)]
    assert page.inner_text("#list-note") == f"10 of {N} documents"
    page.fill("#filter", "")
    assert len(listed(page)) == N


def test_arrows_walk_through_the_list(page: Any) -> None:
    page.locator("#list tbody a").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#document h3") == "doc 03"
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#document h3") == "doc 02"
    assert page.evaluate("document.activeElement.textContent") == "doc 02"
    assert page.locator("#list [aria-current=true]").inner_text().split("\t")[1].strip() == "doc 02"


def test_counts_are_those_of_boundary_edits(page: Any, comparison: ss.Comparison) -> None:
    for document in comparison.documents[::5]:
        page.get_by_role("link", name=document, exact=True).click()
        gold = comparison.background[document].codings["gold"]
        for row, system in enumerate(comparison.systems):
            edits = ss.boundary_edits(gold, comparison.hypotheses(system)[document])
            sides = [one.side for one in edits.additions]
            cells = page.locator(f".counts tbody tr:nth-child({row + 1}) td").all_inner_texts()
            counts = [
                len(edits.matches),
                len(edits.transpositions),
                sides.count("a"),
                sides.count("b"),
            ]
            assert list(map(int, cells[2:])) == counts


def test_each_place_says_what_it_is(page: Any, comparison: ss.Comparison) -> None:
    document = comparison.documents[0]
    gold = comparison.background[document].codings["gold"]
    edits = ss.boundary_edits(gold, comparison.hypotheses("one off")[document])
    assert edits.transpositions
    for near in edits.transpositions:
        side = ("after", "too late") if near.b > near.a else ("before", "too early")
        for place, words in zip((near.a, near.b), side, strict=True):
            rules = page.locator(f"#at-{place} .rule.near", has_text="one off")
            assert f"near: 1 {words}" in rules.inner_text()
    for match in edits.matches:
        assert page.locator(f"#at-{match.position} .rule.match", has_text="one off").count() == 1
    units = page.locator("#document .unit .words").all_inner_texts()
    assert units == list(comparison.background[document].units or ())


def test_documents_without_text_show_runs_of_units(page: Any, comparison: ss.Comparison) -> None:
    document = comparison.documents[-1]
    page.get_by_role("link", name=document, exact=True).click()
    first = page.locator("#document .run").first.inner_text()
    places = {
        p for one in comparison.systems for p in comparison.hypotheses(one)[document].boundaries
    }
    places |= set(comparison.background[document].codings["gold"].boundaries)
    assert first == f"units 1 – {min(places)}"
    assert page.locator("#document .boundary").count() == len(places)


def test_n_and_p_walk_through_disagreements(page: Any) -> None:
    total = int(page.inner_text("#walked").split()[0])
    assert total == page.locator("#document .boundary.disputed").count() > 2
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.inner_text("#walked") == f"2 of {total}"
    second = page.locator(".boundary.disputed").nth(1)
    assert "here" in second.get_attribute("class")
    assert page.evaluate("document.activeElement.id") == second.get_attribute("id")
    page.keyboard.press("p")
    assert page.inner_text("#walked") == f"1 of {total}"
    page.keyboard.press("p")
    assert page.inner_text("#walked") == f"1 of {total}"
    page.fill("#filter", "n")  # a letter in a field is a letter
    assert page.input_value("#filter") == "n"


def test_a_link_points_at_one_disagreement(browser: Any, path: Path, page: Any) -> None:
    page.get_by_role("link", name="doc 05", exact=True).click()
    page.select_option("#metric", label="b")
    page.select_option("#reference", "everyone")
    page.get_by_role("checkbox", name="misses").uncheck()
    page.keyboard.press("n")
    page.keyboard.press("n")
    where = page.evaluate("location.hash")
    with opened(browser, path, where) as other:
        assert other.inner_text("#document h3") == "doc 05"
        assert other.input_value("#metric") == page.input_value("#metric") == "1"
        assert other.input_value("#reference") == "everyone"
        assert not other.get_by_role("checkbox", name="misses").is_checked()
        assert other.inner_text("#walked") == page.inner_text("#walked")
        assert other.locator(".boundary.here").is_visible()
        assert other.evaluate("location.hash") == where


def test_back_leads_to_the_document_before(page: Any) -> None:
    page.get_by_role("link", name="doc 03", exact=True).click()
    page.get_by_role("link", name="doc 04", exact=True).click()
    page.go_back()
    assert page.inner_text("#document h3") == "doc 03"


def test_wrong_addresses_do_no_harm(browser: Any, path: Path) -> None:
    for where in (
        "#document=none",
        "#at=x&rows=%7B",
        "#rows=[1,2",
        "#=",
        "#document=doc%2001&at=9999",
        "#metric=zzz&reference=nobody",
    ):
        with opened(browser, path, where) as page:
            assert page.inner_text("#document h3") == "doc 01"


def test_a_click_on_the_strip_jumps(page: Any) -> None:
    lane = page.locator("#document .lane").first
    lane.click(position={"x": lane.bounding_box()["width"] - 2, "y": 5})
    last = page.locator("#document .boundary").last.get_attribute("id")
    assert page.locator(".boundary.here").get_attribute("id") == last


def test_print_holds_the_chosen_documents(page: Any) -> None:
    ticks = page.locator("#list tbody input")
    for i in (2, 4, 20):
        ticks.nth(i).check()
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print h3").all_inner_texts() == ["doc 03", "doc 05", "doc 21"]
    assert page.locator("#print article").first.locator(".unit").count() > 20
    assert not page.locator("#explorer").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#print article").count() == 0
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 4


def test_narrow_screens_and_zoom_scroll_one_way_only(browser: Any, path: Path) -> None:
    for width in (360, 320):  # 320: a screen of 1280 at 400 %
        with opened(browser, path, viewport={"width": width, "height": 700}) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_title_is_text(page: Any) -> None:
    assert page.title() == "A & <B>"
    assert page.inner_text("h1") == "A & <B>"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, path: Path, scheme: str) -> None:
    with opened(browser, path, color_scheme=scheme) as page:
        page.locator("summary").first.click()
        accessible(page)
