"""The page of a comparison: where one stops, what stays in sight, signs, and what ticks hide."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, opened

N_DOCUMENTS = 40
SYSTEMS = {"first": 5, "second": 0, "third": 3}  # which boundaries of the second each leaves out


def without(segmentation: ss.Segmentation, every: int) -> ss.Segmentation:
    """Leave out each nth boundary: systems share most errors, but not all."""
    kept = [int(p) for i, p in enumerate(segmentation.boundaries, 1) if not every or i % every]
    return ss.Segmentation.from_boundaries(kept, segmentation.n_units)


@pytest.fixture(scope="module")
def comparison() -> ss.Comparison:
    refs = ss.simulate.references(ss.simulate.UniformSizes(3, 9), 15, n=N_DOCUMENTS, rng=2)
    names = [f"doc {i:02}" for i in range(1, N_DOCUMENTS + 1)]
    errors = ss.simulate.Errors(near_misses=0.3, misses=0.2, false_positives=0.12)
    drawn = [codings["1"] for codings in ss.simulate.coders(refs, errors, 1, rng=3).values()]
    systems = {
        name: {doc: without(coding, every) for doc, coding in zip(names, drawn, strict=True)}
        for name, every in SYSTEMS.items()
    }
    texts = {names[0]: [f"Sentence {i}. " + "Words follow. " * 12 for i in range(refs[0].n_units)]}
    corpus = ss.Corpus.from_dict(
        {doc: {"gold": ref} for doc, ref in zip(names, refs, strict=True)}, units=texts
    )
    return ss.compare(corpus, systems=systems, metrics=["windowdiff", "b"], n_resamples=50)


@pytest.fixture(scope="module")
def path(comparison: ss.Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.report(comparison, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Any]:
    with opened(browser, path) as open_page:
        yield open_page


# ---- where one stops ----


def verdicts(ref: ss.Segmentation, hyp: ss.Segmentation) -> dict[int, str]:
    """What a system has at each place of the reference, and what is extra."""
    edits = ss.boundary_edits(ref, hyp)
    found = {match.position: "match" for match in edits.matches}
    found |= {
        transposition.a: f"near {transposition.b - transposition.a}"
        for transposition in edits.transpositions
    }
    return found | {addition.position: f"alone {addition.side}" for addition in edits.additions}


def stops(comparison: ss.Comparison, document: str, systems: list[str]) -> dict[str, list[int]]:
    gold = comparison.background[document].codings["gold"]
    outputs = [comparison.hypotheses(system)[document] for system in systems]
    judgements = [verdicts(gold, output) for output in outputs]
    places = sorted(set().union(*judgements))
    everything = set(gold.boundaries.tolist()).union(
        *(output.boundaries.tolist() for output in outputs)
    )
    return {
        "disagreements": [
            p for p in places if {judgement.get(p) for judgement in judgements} - {"match", None}
        ],
        "differ": [p for p in places if len({judgement.get(p) for judgement in judgements}) > 1],
        "all": sorted(everything),
    }


def walked(page: Any, key: str = "n") -> list[int]:
    """The places at which a key stops, until it leads nowhere."""
    found: list[int] = []
    while True:
        page.keyboard.press(key)
        position = int(page.locator("#document .boundary.here").get_attribute("data-at"))
        if found[-1:] == [position]:
            return found
        found.append(position)


@pytest.mark.parametrize("kind", ["disagreements", "differ", "all"])
def test_stops(page: Any, comparison: ss.Comparison, kind: str) -> None:
    for document in comparison.documents[:4]:
        page.evaluate("where => { location.hash = where; }", f"document={document}&stop={kind}")
        page.wait_for_selector(f"#document h3 bdi:text-is('{document}')")
        wanted = stops(comparison, document, list(SYSTEMS))
        assert wanted["disagreements"] != wanted["differ"] != wanted["all"]
        assert page.input_value("#stops") == kind
        assert walked(page) == wanted[kind]
        assert page.inner_text("#walked") == f"{len(wanted[kind])} of {len(wanted[kind])}"
        assert walked(page, "p") == wanted[kind][-2::-1]


# ---- what stays in sight ----


def frame(page: Any, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    return {**found, "bottom": found["y"] + found["height"]}


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (360, 700), (320, 640)])
def test_counts_and_strip_stay_in_sight_and_cover_nothing(
    browser: Any, path: Path, width: int, height: int
) -> None:
    with opened(browser, path, viewport={"width": width, "height": height}) as page:
        for _ in range(9):
            page.keyboard.press("n")
        assert page.evaluate("scrollY") > 1000
        for part in (".counts td.num:not(.all)", ".counts .lane", "#walked"):
            box = frame(page, f"#document {part}")
            assert 0 <= box["y"] < box["bottom"] <= height, part
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, part
        below = max(
            frame(page, selector)["bottom"] for selector in ("#document .counts", ".document-bar")
        )
        boundary = frame(page, ".boundary.here")
        assert below <= boundary["y"] < boundary["bottom"] <= height
        assert below < 0.5 * height  # most of the window is for the text
        page.keyboard.press("p")
        boundary = frame(page, ".boundary.here")
        assert below <= boundary["y"] < boundary["bottom"] <= height
        accessible(page)


# ---- ticks ----


def headings(page: Any) -> list[str]:
    return page.locator("#list thead th button").all_inner_texts()  # type: ignore[no-any-return]


def test_what_is_unticked_disappears(
    browser: Any, path: Path, page: Any, comparison: ss.Comparison
) -> None:
    assert headings(page) == ["document", "units", *SYSTEMS, "spread"]
    page.get_by_role("checkbox", name="second").uncheck()
    assert headings(page) == ["document", "units", "first", "third", "third − first"]
    values = comparison.values("windowdiff")
    shown = page.locator("#list tbody tr").all_inner_texts()
    for row, a, b in zip(shown, values["first"], values["third"], strict=True):
        cells = [float(cell.replace("−", "-")) for cell in row.split("\t")[-3:]]
        assert cells == pytest.approx([a, b, b - a], abs=6e-4)
    assert page.locator("#document .values tbody th").all_inner_texts() == ["first", "third"]
    assert "second" not in page.inner_text("#document")
    table = page.locator("table.systems tbody tr:visible th")
    assert [name.split()[0] for name in table.all_inner_texts()][:2] == ["first", "third"]
    notes = page.locator(".hidden-note:visible")
    assert notes.count() == 2
    assert "not ticked under Documents: second" in notes.first.inner_text()
    accessible(page)
    with opened(browser, path, page.evaluate("location.hash")) as other:
        assert headings(other) == headings(page)
        other.locator(".hidden-note:visible button").first.click()
        assert headings(other) == ["document", "units", *SYSTEMS, "spread"]
        assert other.get_by_role("checkbox", name="second").is_checked()
        assert other.locator("table.systems tbody tr:visible").count() > table.count()
        assert other.locator(".hidden-note:visible").count() == 0
