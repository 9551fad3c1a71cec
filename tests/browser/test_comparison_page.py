"""The page of a comparison: documents, disagreements, links, print."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, opened

SYSTEMS = {
    "one off": ss.simulate.Errors(near_misses=0.6),
    "misses": ss.simulate.Errors(misses=0.4),
    "invents": ss.simulate.Errors(false_positives=0.4),
}
N = 24


@pytest.fixture(scope="module")
def comparison() -> ss.Comparison:
    refs = ss.simulate.references(ss.simulate.UniformSizes(4, 9), 7, n=N, rng=5)
    names = [f"doc {i:02}" for i in range(1, N + 1)]
    systems = {
        name: {
            doc: codings["1"]
            for doc, codings in zip(
                names, ss.simulate.coders(refs, errors, 1, rng=6).values(), strict=True
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
    with opened(browser, path) as open_page:
        yield open_page


def listed(page: Any) -> list[str]:
    return page.locator("#list tbody th a").all_inner_texts()  # type: ignore[no-any-return]


def in_list(page: Any, document: str) -> Any:
    return page.locator("#list").get_by_role("link", name=document, exact=True)


def column(page: Any, number: int) -> list[float]:
    cells = page.locator(f"#list tbody td:nth-child({number})").all_inner_texts()
    return [float(cell.replace("−", "-")) for cell in cells]


def test_the_list_has_every_document_and_its_values(page: Any, comparison: ss.Comparison) -> None:
    assert listed(page) == comparison.documents
    values = comparison.values("windowdiff")
    for number, system in enumerate(comparison.systems, 4):
        assert column(page, number) == pytest.approx(values[system], abs=6e-4)
    page.select_option("#metric", label="b")
    assert column(page, 4) == pytest.approx(comparison.values("b")["one off"], abs=6e-4)


def test_sorting_starts_with_the_worst_and_the_filter_leaves_some(page: Any) -> None:
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
    page.fill("#filter", "DOC 1")
    assert listed(page) == [f"doc 1{i}" for i in range(10)]
    assert page.inner_text("#list-note") == f"10 of {N} documents"


def test_counts_are_those_of_boundary_edits(page: Any, comparison: ss.Comparison) -> None:
    for document in comparison.documents[::5]:
        in_list(page, document).click()
        gold = comparison.background[document].codings["gold"]
        for row, system in enumerate(comparison.systems):
            edits = ss.boundary_edits(gold, comparison.hypotheses(system)[document])
            sides = [addition.side for addition in edits.additions]
            line = page.locator(".counts tbody tr:not(.is-reference)").nth(row)
            cells = line.locator("td.num").all_inner_texts()
            counts = [len(edits.matches), len(edits.transpositions), *map(sides.count, "ab")]
            placed = comparison.hypotheses(system)[document].boundaries
            assert list(map(int, cells)) == [len(placed), *counts]


def test_n_and_p_walk_through_disagreements(page: Any) -> None:
    total = int(page.inner_text("#walked").split()[0])
    stops = page.locator("#document .boundary.disputed").filter(
        has=page.locator(".rule:is(.missed, .extra, .near:not(.own))")
    )  # a near miss counts once, at the boundary of the reference
    assert 2 < total == stops.count() < page.locator("#document .boundary.disputed").count()
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.inner_text("#walked") == f"2 of {total}"
    second = stops.nth(1)
    assert "here" in second.get_attribute("class")
    assert page.evaluate("document.activeElement.id") == second.get_attribute("id")
    page.keyboard.press("p")
    assert page.inner_text("#walked") == f"1 of {total}"
    page.keyboard.press("p")
    assert page.inner_text("#walked") == f"1 of {total}"
    page.fill("#filter", "n")  # a letter in a field is a letter
    assert page.input_value("#filter") == "n"


def test_a_link_points_at_one_disagreement(browser: Any, path: Path, page: Any) -> None:
    in_list(page, "doc 05").click()
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


def test_what_is_unticked_disappears(browser: Any, path: Path, page: Any) -> None:
    headings = page.locator("#list thead th button")
    assert headings.all_inner_texts() == ["document", "units", *SYSTEMS, "spread"]
    page.get_by_role("checkbox", name="misses").uncheck()
    assert headings.all_inner_texts()[2:] == ["one off", "invents", "invents − one off"]
    one, other, difference = (column(page, number) for number in (4, 5, 6))
    assert difference == pytest.approx([b - a for a, b in zip(one, other, strict=True)], abs=2e-3)
    assert page.locator("#document .values tbody th").all_inner_texts() == ["one off", "invents"]
    assert "misses" not in page.inner_text("#document")
    assert not page.locator("table.systems tbody tr:visible", has_text="misses").count()
    accessible(page)
    page.locator(".hidden-note:visible button").first.click()
    assert page.get_by_role("checkbox", name="misses").is_checked()
    assert page.locator(".hidden-note:visible").count() == 0
